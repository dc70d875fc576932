/** A chain of 50 links with an end a hundred times as heavy falls and swings at steps of 1/60 s: its joints stay closed. */
import { type Body, compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const LINKS = 50;
/** m. */
const LENGTH = 0.1;

function createChain(): Scene {
  let chain: Body | undefined;
  for (let n = LINKS - 1; n >= 0; n--) {
    chain = {
      name: `link ${n}`,
      position: n === 0 ? [0, 0, 0] : [LENGTH, 0, 0],
      joints: [{ kind: 'ball' }],
      shapes: [
        {
          kind: 'capsule',
          radius: 0.02,
          halfLength: 0.03,
          position: [0.5 * LENGTH, 0, 0],
          orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
          mass: n === LINKS - 1 ? 10 : 0.1,
          collisionGroups: 0,
          collisionMask: 0,
        },
      ],
      ...(chain && { bodies: [chain] }),
    };
  }
  return { format: 'nexdyn-scene', version: 1, bodies: [chain!], options: { timestep: 1 / 60 } };
}

test('ipc', () => {
  const simulation = new Simulation(compileModel(createChain(), { formulation: 'ipc' }));
  for (let n = 0; n < 180; n++) {
    expect(simulation.step().status).toBe('converged');
    const { bodyPosition: x, bodyOrientation: q } = simulation;
    for (let b = 1; b < LINKS; b++) {
      const [w, i, j, k] = [0, 1, 2, 3].map((c) => q[4 * b + c]!) as [number, number, number, number];
      const end = [1 - 2 * (j * j + k * k), 2 * (i * j + w * k), 2 * (i * k - w * j)];
      const gap = Math.hypot(...end.map((along, c) => x[3 * b + c]! + LENGTH * along - x[3 * b + 3 + c]!));
      expect(gap).toBeLessThan(1e-3);
    }
    if (n !== 59) continue;
    // where it is at steps of 1/1920 s under ccp: 2.43, -4.18; ends of a whip differ soon
    expect(Math.abs(x[3 * LINKS]! - 2.43)).toBeLessThan(0.1);
    expect(Math.abs(x[3 * LINKS + 2]! + 4.18)).toBeLessThan(0.1);
  }
});

test.each(['mujoco', 'sap', 'ccp'] as const)('%s in joint coordinates', (formulation) => {
  const simulation = new Simulation(compileModel(createChain(), { formulation, coordinates: 'joint' }));
  const start = simulation.energy().total;
  const run = (count: number): void => {
    for (let n = 0; n < count; n++) {
      expect(simulation.step().status).toBe('converged');
      // of 480 J that the fall sets free
      expect(simulation.energy().total - start).toBeLessThan(1e-6);
    }
  };
  run(60);
  expect(Math.abs(simulation.bodyPosition[3 * LINKS]! - 2.43)).toBeLessThan(0.1);
  expect(Math.abs(simulation.bodyPosition[3 * LINKS + 2]! + 4.18)).toBeLessThan(0.1);
  run(540);
});
