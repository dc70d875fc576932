import { expect, test } from 'vitest';
import '../../formulation/ccp/provide.ts';
import { compileModel } from '../../model/compile.ts';
import type { Shape } from '../../scene/shape.ts';
import { Simulation } from '../../simulation.ts';

// hits off the centre, which turn these bodies by many radians in a step of 1/60 s
const MISSILES: readonly Shape[] = [
  { kind: 'ellipsoid', radii: [0.02, 0.01, 0.03] },
  { kind: 'box', halfSize: [0.003, 0.003, 0.06] },
  { kind: 'box', halfSize: [0.0025, 0.05, 0.05] },
  { kind: 'cylinder', radius: 0.02, halfLength: 0.004 },
  { kind: 'capsule', radius: 0.006, halfLength: 0.04 },
];
const TILTS = [
  [0.9, 0.1, 0.3, 0.3],
  [0.6, -0.5, 0.2, 0.6],
  [0.8, 0.2, -0.5, 0.1],
] as const;

test.each(['mujoco', 'sap', 'ccp'] as const)('%s: what a hit turns does not pass through the wall', (formulation) => {
  for (const shape of MISSILES) {
    for (const [k, [w, x, y, z]] of TILTS.entries()) {
      const simulation = new Simulation(
        compileModel(
          {
            format: 'nexdyn-scene',
            version: 1,
            options: { timestep: 1 / 60, gravity: [0, 0, 0] },
            shapes: [{ kind: 'box', halfSize: [0.005, 1, 1] }],
            bodies: [
              {
                name: 'missile',
                position: [-1 - 0.5 * k, 0, 0],
                orientation: [w, x, y, z],
                joints: [{ kind: 'free' }],
                shapes: [shape],
              },
            ],
          },
          { formulation },
        ),
      );
      simulation.setVelocity('missile', { linear: [100, 0, 0] });
      const energy = simulation.energy().kinetic;
      simulation.step(8);
      expect(simulation.time).toBeCloseTo(8 / 60, 12);
      expect(simulation.pose('missile').position[0]).toBeLessThan(0);
      expect(simulation.energy().kinetic).toBeLessThanOrEqual(energy * (1 + 1e-9));
    }
  }
});

test('steps are halved around the hit alone', () => {
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 1 / 60, gravity: [0, 0, 0] },
        shapes: [{ kind: 'box', halfSize: [0.005, 1, 1] }],
        bodies: [
          {
            name: 'egg',
            position: [-5, 0, 0],
            orientation: [0.9, 0.1, 0.3, 0.3],
            joints: [{ kind: 'free' }],
            shapes: [MISSILES[0]!],
          },
        ],
      },
      { formulation: 'sap' },
    ),
  );
  simulation.setVelocity('egg', { linear: [100, 0, 0] });
  const lengths: number[] = [];
  for (let k = 0; k < 4; k++) {
    simulation.step();
    lengths.push(simulation.stepLength * 60);
  }
  // 5 m take three steps
  expect(lengths.slice(0, 2)).toEqual([1, 1]);
  expect(Math.min(...lengths)).toBeLessThan(1);
});
