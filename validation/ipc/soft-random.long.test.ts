/** Soft and rigid bodies of random shape, law and speed fall on each other: every step converges, I0 on every accepted state. */
import type { Body, Quaternion, Scene, Shape, SoftBody, Vec3 } from '@nexdyn/engine';
import { test } from 'vitest';
import { advance, build } from './checked-scene.ts';

const LAWS = ['corotated', 'neoHookean', 'saintVenantKirchhoff', 'linear'] as const;
const SHAPES: readonly Shape[] = [
  { kind: 'box', halfSize: [0.04, 0.03, 0.02] },
  { kind: 'sphere', radius: 0.04 },
  { kind: 'capsule', radius: 0.02, halfLength: 0.03 },
  { kind: 'cylinder', radius: 0.03, halfLength: 0.03 },
];

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

function buildScene(random: () => number): Partial<Scene> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const between = (low: number, high: number): number => low + (high - low) * random();
  const softBodies: SoftBody[] = [];
  const bodies: Body[] = [];
  const count = 2 + Math.floor(3 * random());
  for (let n = 0; n < count; n++) {
    const position: Vec3 = [between(-0.02, 0.02), between(-0.02, 0.02), 0.12 + 0.18 * n];
    const turn = [1, between(-0.5, 0.5), between(-0.5, 0.5), between(-0.5, 0.5)];
    const orientation = turn.map((x) => x / Math.hypot(...turn)) as Quaternion;
    if (n > 0 && random() < 0.5) {
      bodies.push({ name: `b${n}`, position, orientation, joints: [{ kind: 'free' }], shapes: [pick(SHAPES)] });
      continue;
    }
    softBodies.push({
      position,
      orientation,
      velocity: [between(-1, 1), between(-1, 1), between(-4, 0)],
      selfContact: random() < 0.5,
      mesh:
        random() < 0.6
          ? { kind: 'box', halfSize: [0.05, 0.04, 0.03], cells: [2, 2, 2] }
          : { kind: 'sphere', radius: 0.05, resolution: 0.035 },
      elasticity: {
        model: pick(LAWS),
        youngsModulus: 10 ** between(4, 6),
        poissonRatio: pick([0, 0.3, 0.45, 0.49]),
        stiffnessDamping: pick([0, 1e-3]),
      },
    });
  }
  const wall = (x: number, y: number): Shape => ({
    kind: 'box',
    halfSize: [x === 0 ? 0.15 : 0.01, y === 0 ? 0.15 : 0.01, 0.3],
    position: [x, y, 0.31],
  });
  const walls = random() < 0.5 ? [wall(0.13, 0), wall(-0.13, 0), wall(0, 0.13), wall(0, -0.13)] : [];
  return { shapes: [{ kind: 'plane', friction: random() }, ...walls], bodies, softBodies };
}

for (let seed = 1; seed <= 24; seed++) {
  test(`scene ${seed}`, () => {
    const random = createRandom(7919 * seed);
    const h = [0.002, 0.005, 0.01, 0.02][seed % 4]!;
    advance(build(buildScene(random), h, { iterations: 200 }), Math.min(150, Math.round(0.6 / h)));
  }, 600_000);
}
