/**
 * Torque-free rotation about the middle axis. Independent reference: Euler's equations in the body frame,
 *   I ω̇ = −ω × I ω,
 * three numbers, integrated with a hundred times smaller steps; the time between flips also by the complete elliptic integral.
 */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';
import { completeEllipticK } from './elliptic-integral.ts';

// a box of 1 kg, edges 0.2 0.4 0.6 m: moments ascend along its edges, the middle one is about y
const HALF = [0.1, 0.2, 0.3];
const MOMENTS = [HALF[1] ** 2 + HALF[2] ** 2, HALF[0] ** 2 + HALF[2] ** 2, HALF[0] ** 2 + HALF[1] ** 2].map(
  (s) => s / 3,
);
const SPIN = [0.1, 10, 0.1];
const DURATION = takeSamples(10, 0.5);

function tumblingBox(integrator: 'rk4' | 'rkmk4', timestep: number): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { gravity: [0, 0, 0], integrator, timestep },
    bodies: [{ joints: [{ kind: 'free' }], shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3], mass: 1 }] }],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.state.velocity.set(SPIN, 3);
  return simulation;
}

/** Times at which the middle component of a spin changes sign, by linear interpolation. */
function flipTimes(next: () => number, first: number, h: number): number[] {
  const times: number[] = [];
  let before = first;
  for (let n = 1; n <= Math.round(DURATION / h); n++) {
    const now = next();
    if (before * now < 0) times.push((n - now / (now - before)) * h);
    before = now;
  }
  return times;
}

function referenceFlips(): number[] {
  const h = 2e-5;
  let w = SPIN;
  const rate = (v: number[]) => [
    ((MOMENTS[1] - MOMENTS[2]) * v[1] * v[2]) / MOMENTS[0],
    ((MOMENTS[2] - MOMENTS[0]) * v[2] * v[0]) / MOMENTS[1],
    ((MOMENTS[0] - MOMENTS[1]) * v[0] * v[1]) / MOMENTS[2],
  ];
  const moved = (v: number[], d: number[], s: number) => v.map((x, k) => x + s * d[k]);
  return flipTimes(
    () => {
      const a = rate(w);
      const b = rate(moved(w, a, h / 2));
      const c = rate(moved(w, b, h / 2));
      const d = rate(moved(w, c, h));
      w = w.map((x, k) => x + (h / 6) * (a[k] + 2 * b[k] + 2 * c[k] + d[k]));
      return w[1];
    },
    SPIN[1],
    h,
  );
}

describe(`a box spun about its middle axis for ${DURATION} s`, () => {
  const expected = referenceFlips();

  test('the reference flips at intervals of 2K(k)/p', () => {
    const energy2 = MOMENTS.reduce((sum, moment, k) => sum + moment * SPIN[k] ** 2, 0);
    const square = MOMENTS.reduce((sum, moment, k) => sum + (moment * SPIN[k]) ** 2, 0);
    const [a, b, c] = MOMENTS; // a > b > c
    // Landau and Lifshitz, Mechanics, section 37: the branch depends on the sign of L² − 2 E I₂
    const isAboveMiddle = square > energy2 * b;
    const p2 = isAboveMiddle
      ? ((a - b) * (square - energy2 * c)) / (a * b * c)
      : ((b - c) * (energy2 * a - square)) / (a * b * c);
    const k2 = isAboveMiddle
      ? ((b - c) * (energy2 * a - square)) / ((a - b) * (square - energy2 * c))
      : ((a - b) * (square - energy2 * c)) / ((b - c) * (energy2 * a - square));
    const interval = (2 * completeEllipticK(Math.sqrt(k2))) / Math.sqrt(p2);
    expect(expected.length).toBeGreaterThan(0.3 * DURATION);
    for (let n = 1; n < expected.length; n++) expect(expected[n] - expected[n - 1]).toBeCloseTo(interval, 6);
  });

  test.each(
    takeCases(
      [
        ['rk4', 0.0002],
        ['rkmk4', 0.002],
      ] as const,
      2,
      1,
    ),
  )('%s at %f s: flips within 1e-3 s, angular momentum and energy within 1e-6', (integrator, h) => {
    const simulation = tumblingBox(integrator, h);
    const startEnergy = simulation.energy().kinetic;
    const start = simulation.momentum().angular;
    const size = Math.hypot(...start);
    let momentumError = 0;
    let energyError = 0;
    const times = flipTimes(
      () => {
        simulation.step();
        const { angular } = simulation.momentum();
        momentumError = Math.max(momentumError, Math.hypot(...angular.map((x, k) => x - start[k])) / size);
        energyError = Math.max(energyError, Math.abs(simulation.energy().kinetic / startEnergy - 1));
        return simulation.state.velocity[4];
      },
      SPIN[1],
      h,
    );
    expect(times.length).toBe(expected.length);
    for (let n = 0; n < times.length; n++) expect(Math.abs(times[n] - expected[n])).toBeLessThan(1e-3);
    expect(momentumError).toBeLessThan(1e-6);
    expect(energyError).toBeLessThan(1e-6);
  });
});
