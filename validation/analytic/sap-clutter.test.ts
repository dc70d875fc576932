/**
 * Forty balls and boxes dropped into a bin: the solver converges at every step, through impacts, to the residual it promises,
 * and at rest in a few iterations. Four columns of ten, edge 0.1 m, bin 0.8 m, rigid contacts, μ = 1, time step 10 ms; after
 * Castro et al. (2022), section VII ("clutter"), which reports about 3 iterations per step at rest and a peak of about 29.
 */
import {
  type Body,
  compileModel,
  type Quaternion,
  type SapOptions,
  type Scene,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';
import { isLongRun, takeSamples } from '../../scripts/long-run.ts';

const H = 0.01;
const HALF = Math.SQRT1_2;
const WALLS: readonly [Vec3, Quaternion][] = [
  [
    [-0.4, 0, 0],
    [HALF, 0, HALF, 0],
  ],
  [
    [0.4, 0, 0],
    [HALF, 0, -HALF, 0],
  ],
  [
    [0, -0.4, 0],
    [HALF, -HALF, 0, 0],
  ],
  [
    [0, 0.4, 0],
    [HALF, HALF, 0, 0],
  ],
];

/** `count` bodies in four columns, balls and boxes in turn, none exactly above another. */
function createClutter(count: number, sap: SapOptions): Scene {
  const bodies = Array.from({ length: count }, (_, i): Body => {
    const layer = Math.floor(i / 4);
    const x = (i % 2 === 0 ? -0.08 : 0.08) + 0.003 * ((7 * i) % 5);
    const y = (i % 4 < 2 ? -0.08 : 0.08) + 0.003 * ((3 * i) % 5);
    const isBall = (i + layer) % 2 === 1;
    return {
      position: [x, y, 0.06 + 0.12 * layer],
      joints: [{ kind: 'free' }],
      shapes: [isBall ? { kind: 'sphere', radius: 0.05 } : { kind: 'box', halfSize: [0.05, 0.05, 0.05] }],
    };
  });
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: H, sap: { relativeTolerance: 1e-5, ...sap } },
    materials: [{ name: 'rigid', friction: 1, stiffness: 1e12, dissipation: H }],
    shapes: [
      { kind: 'plane', material: 'rigid' },
      ...WALLS.map(([position, orientation]) => ({ kind: 'plane' as const, position, orientation, material: 'rigid' })),
    ],
    bodies,
  };
}

describe.each([{ solver: 'newton' }, { solver: 'pcg' }] as const)('clutter of 40, $solver', (options) => {
  const simulation = new Simulation(compileModel(createClutter(40, options)));

  test('every step converges, impacts in at most 60 iterations', () => {
    let most = 0;
    for (let n = 0; n < takeSamples(600, 0.3); n++) {
      const { status, residual, iterations } = simulation.step();
      expect(status).toBe('converged');
      expect(residual).toBeLessThan(1e-5);
      most = Math.max(most, iterations);
    }
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThan(60);
  });

  test('at rest it takes a few iterations, and nothing sinks', () => {
    let sum = 0;
    for (let n = 0; n < 200; n++) sum += simulation.step().iterations;
    // after two seconds balls still roll and boxes still tip; after six, some balls roll
    expect(sum / 200).toBeLessThan(isLongRun ? 7 : 12);
    const { count, gap } = simulation.solvedContacts;
    expect(count).toBeGreaterThan(40);
    // the weight of a column of ten on one contact: depth (h + τ) R_n 10 m g h, R_n = β²/(4π²) w with w below 4/m, at a corner
    const depth = 2 * H * (0.25 / (4 * Math.PI ** 2)) * 4 * 10 * 9.81 * H;
    expect(Math.min(...gap.subarray(0, count))).toBeGreaterThan(-depth);
  });
});

test.each<SapOptions>([{ solver: 'newton' }, { solver: 'pcg' }, { contactModel: 'lagged', stiffness: 1e5 }])(
  'a settled heap does not grow in memory (%o)',
  (options) => {
    const simulation = new Simulation(compileModel(createClutter(12, options)));
    simulation.step(takeSamples(400, 0.5));
    expect(measureKeptMemory(() => void simulation.step(500), 0.05e6)).toBeLessThan(0.05e6);
  },
);
