import { expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

type Vec = [number, number, number];
/** Farthest reach along a direction of its own frame, m. */
type Reach = (n: Vec) => number;

const SIZES: readonly Vec[] = [
  [0.1, 0, 0],
  [0.06, 0.1, 0],
  [0.07, 0.09, 0],
  [0.1, 0.06, 0.14],
  [0.1, 0.07, 0.08],
];
const KINDS = ['sphere', 'capsule', 'cylinder', 'ellipsoid', 'box'] as const;
const reachOf = (kind: (typeof KINDS)[number], [a, b, c]: Vec): Reach =>
  ({
    sphere: (): number => a,
    capsule: ([, , z]: Vec): number => a + b * Math.abs(z),
    cylinder: ([x, y, z]: Vec): number => a * Math.hypot(x, y) + b * Math.abs(z),
    ellipsoid: ([x, y, z]: Vec): number => Math.hypot(a * x, b * y, c * z),
    box: ([x, y, z]: Vec): number => a * Math.abs(x) + b * Math.abs(y) + c * Math.abs(z),
  })[kind];

const sized = (kind: string, [a, b, c]: Vec): object =>
  kind === 'sphere' ? { radius: a } : { size: kind === 'capsule' || kind === 'cylinder' ? [a, b] : [a, b, c] };

const turnBack = ([w, x, y, z]: readonly number[], [a, b, c]: Vec): Vec => [
  (1 - 2 * (y! * y! + z! * z!)) * a + 2 * (x! * y! + w! * z!) * b + 2 * (x! * z! - w! * y!) * c,
  2 * (x! * y! - w! * z!) * a + (1 - 2 * (x! * x! + z! * z!)) * b + 2 * (y! * z! + w! * x!) * c,
  2 * (x! * z! + w! * y!) * a + 2 * (y! * z! - w! * x!) * b + (1 - 2 * (x! * x! + y! * y!)) * c,
];

const POSES: readonly (readonly [Vec, [number, number, number, number]])[] = [
  [
    [0.02, -0.01, 0.015],
    [0.8, 0.36, -0.48, 0],
  ],
  [
    [-0.05, 0.2, 0.1],
    [0.5, -0.5, 0.1, 0.7],
  ],
];

// the largest of h_A(n) − h_S(n) over all directions n is the same number: the support functions of two convex sets
test.each(KINDS.flatMap((kind) => KINDS.map((site) => [kind, site] as const)))('a %s in a %s', (kind, site) => {
  const size = SIZES[KINDS.indexOf(kind)]!;
  const volume = SIZES[KINDS.indexOf(site)]!.map((length) => 1.4 * length) as Vec;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    sites: [{ name: 'room', shape: site, ...sized(site, volume) }],
    bodies: POSES.map(([position, orientation], i) => ({
      position,
      orientation,
      sites: [{ name: `thing${i}`, shape: kind, ...sized(kind, size) }],
    })),
    sensors: POSES.map((_, i) => ({
      kind: 'protrusion',
      site: 'room',
      object: { kind: 'site', name: `thing${i}` },
    })),
  } as never;
  const simulation = new Simulation(compileModel(scene));
  simulation.forward();
  const own = reachOf(kind, size);
  const around = reachOf(site, volume);
  POSES.forEach(([p, q], i) => {
    const norm = Math.hypot(...q);
    const unit = q.map((value) => value / norm);
    let most = -Infinity;
    for (let u = 0; u <= 300; u++) {
      for (let v = 0; v < 600; v++) {
        const up = Math.cos((Math.PI * u) / 300);
        const out = Math.sin((Math.PI * u) / 300);
        const n: Vec = [out * Math.cos((Math.PI * v) / 300), out * Math.sin((Math.PI * v) / 300), up];
        most = Math.max(most, n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + own(turnBack(unit, n)) - around(n));
      }
    }
    const reading = simulation.sensorData[i]!;
    // directions are half a hundredth of a radian apart: what kinks at its largest is missed by that times its size
    expect(reading).toBeGreaterThanOrEqual(most - 1e-9);
    expect(reading).toBeLessThanOrEqual(most + 0.006 * 0.3);
  });
});
