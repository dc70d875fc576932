/**
 * An ellipsoid with half axes 2 : 1 : ½ turned about each of its axes with a tilt of 1°: about the longest and the shortest it stays,
 * about the middle one it turns over again and again, at the time of Euler's equations. Nothing acts on it.
 */
import type { Simulation, Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../scripts/long-run.ts';
import { body, build } from './checked-scene.ts';

const H = 0.01;
const TILT = Math.PI / 180;
const RADII: Vec3 = [0.4, 0.2, 0.1];

/** Turning about an axis at π rad/s, tilted towards the next. */
function spin(axis: number): Simulation {
  const simulation = build(
    {
      options: { gravity: [0, 0, 0] },
      bodies: [body('a', [0, 0, 0], { kind: 'ellipsoid', radii: RADII })],
    },
    H,
    { tolerance: 1e-5 },
  );
  const { velocity } = simulation.state;
  velocity[3 + axis] = Math.PI * Math.cos(TILT);
  velocity[3 + ((axis + 1) % 3)] = Math.PI * Math.sin(TILT);
  return simulation;
}

/** Angular velocity about the axes of the body after `seconds` of Euler's equations from that start, by small steps of order four. */
function solveEuler(start: Vec3, seconds: number, look: (w: Vec3) => void): void {
  const I = [1, 2, 0].map((j, k) => RADII[j]! ** 2 + RADII[(k + 2) % 3]! ** 2);
  const rate = (w: Vec3): Vec3 =>
    [0, 1, 2].map((k) => {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      return ((I[i]! - I[j]!) * w[i]! * w[j]!) / I[k]!;
    }) as Vec3;
  const add = (w: Vec3, d: Vec3, s: number): Vec3 => w.map((value, k) => value + s * d[k]!) as Vec3;
  let w = start;
  const h = H / 4;
  for (let n = 1; n <= (4 * seconds) / H; n++) {
    const a = rate(w);
    const b = rate(add(w, a, h / 2));
    const c = rate(add(w, b, h / 2));
    const d = rate(add(w, c, h));
    w = w.map((value, k) => value + (h / 6) * (a[k]! + 2 * b[k]! + 2 * c[k]! + d[k]!)) as Vec3;
    if (n % 4 === 0) look(w);
  }
}

/** Steps at which a number changes its sign. */
function listTurns(values: readonly number[]): number[] {
  return values.flatMap((value, n) => (n > 0 && value * values[n - 1]! < 0 ? [n] : []));
}

describe('an ellipsoid 2 : 1 : ½ in free space', () => {
  for (const [axis, name] of [
    [0, 'longest'],
    [2, 'shortest'],
  ] as const) {
    const seconds = takeSamples(40, 0.4);
    test(`about its ${name} axis it stays within four times its tilt for ${seconds} s`, () => {
      const simulation = spin(axis);
      const momentum = Math.hypot(...simulation.momentum().angular);
      const energy = simulation.energy().kinetic;
      let [least, turned, gained] = [Infinity, 0, 0];
      for (let n = 0; n < 100 * seconds; n++) {
        expect(simulation.step().status).toBe('converged');
        least = Math.min(least, simulation.state.velocity[3 + axis]! / Math.PI);
        turned = Math.max(turned, Math.abs(Math.hypot(...simulation.momentum().angular) / momentum - 1));
        gained = Math.max(gained, Math.abs(simulation.energy().kinetic / energy - 1));
      }
      expect(least).toBeGreaterThan(Math.cos(4 * TILT));
      expect(turned).toBeLessThan(1e-9);
      expect(gained).toBeLessThan(1e-3);
    });
  }

  test('about its middle axis it turns over, when Euler says', () => {
    const simulation = spin(1);
    const mine: number[] = [];
    const theirs: number[] = [];
    solveEuler([0, Math.PI * Math.cos(TILT), Math.PI * Math.sin(TILT)], 20, (w) => theirs.push(w[1]));
    for (let n = 0; n < 2000; n++) {
      expect(simulation.step().status).toBe('converged');
      mine.push(simulation.state.velocity[4]!);
    }
    const [flips, expected] = [listTurns(mine), listTurns(theirs)];
    expect(expected.length).toBeGreaterThan(3);
    expect(flips.length).toBe(expected.length);
    // an error of order two in h per flip, which starts from a tilt that grows by a factor of 60
    flips.forEach((step, i) => {
      expect(Math.abs(step / expected[i]! - 1)).toBeLessThan(0.01);
    });
  });
});
