import { describe, expect, test } from 'vitest';
import { differentiate } from '../testing/central-differences.ts';
import {
  barrier,
  barrierCurvature,
  barrierSlope,
  findRestDistance,
  measureBarrierForce,
  measureBarrierSupport,
  writeBarrier,
} from './barrier.ts';

const by = (x: number, h: number, f: (x: number) => number): number =>
  differentiate(Float64Array.of(x), h, (v) => f(v[0]))[0][0];

describe('the clamped logarithmic barrier', () => {
  // published values for a support of one, to all their digits
  test.each([
    [0.5, 0.17328679514, -1.19314718056, 6.38629436112],
    [0.25, 0.77979057813, -4.32944154168, 23.7725887222],
    [0.1, 1.86509392533, -12.2446531674, 121.605170186],
    [0.01, 4.51352729929, -107.128236968, 10206.2103404],
  ])('at %f of the support', (y, value, slope, curvature) => {
    expect(Math.abs(barrier(y, 1) / value - 1)).toBeLessThan(1e-10);
    expect(Math.abs(barrierSlope(y, 1) / slope - 1)).toBeLessThan(1e-10);
    expect(Math.abs(barrierCurvature(y, 1) / curvature - 1)).toBeLessThan(1e-10);
    // another support is another unit of length: D̂² β is the barrier without scaling
    const s = 1e-6;
    const plain = -((y * s - s) ** 2) * Math.log(y);
    expect(Math.abs((s * s * barrier(y * s, s)) / plain - 1)).toBeLessThan(1e-12);
    expect(Math.abs((s * barrierSlope(y * s, s)) / slope - 1)).toBeLessThan(1e-10);
    expect(Math.abs((s * s * barrierCurvature(y * s, s)) / curvature - 1)).toBeLessThan(1e-10);
  });

  test('slope and curvature agree with central differences', () => {
    for (const y of [1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.8, 0.95]) {
      const h = 2e-3 * Math.min(y, 1 - y);
      expect(Math.abs(by(y, h, (D) => barrier(D, 1)) / barrierSlope(y, 1) - 1)).toBeLessThan(1e-6);
      expect(Math.abs(by(y, h, (D) => barrierSlope(D, 1)) / barrierCurvature(y, 1) - 1)).toBeLessThan(1e-6);
    }
  });

  test('is infinite at contact, zero from the support on, C² between', () => {
    expect([barrier(0, 1), barrierSlope(0, 1), barrierCurvature(0, 1)]).toEqual([Infinity, -Infinity, Infinity]);
    expect(barrier(-1e-9, 1)).toBe(Infinity);
    for (const D of [1, 1.5, Infinity]) {
      expect([barrier(D, 1), barrierSlope(D, 1), barrierCurvature(D, 1)]).toEqual([0, 0, 0]);
    }
    // near the end β ≈ z³, β' ≈ −3z², β'' ≈ 6z with z = 1 − y
    const z = 1e-4;
    expect(barrier(1 - z, 1) / z ** 3).toBeCloseTo(1, 3);
    expect(barrierSlope(1 - z, 1) / z ** 2).toBeCloseTo(-3, 2);
    expect(barrierCurvature(1 - z, 1) / z).toBeCloseTo(6, 2);
    expect([barrier(NaN, 1), barrierSlope(NaN, 1), barrierCurvature(NaN, 1)]).toEqual([NaN, NaN, NaN]);
  });

  test('a least separation moves both ends of the support', () => {
    const [dhat, xi] = [1e-3, 0.05];
    const support = measureBarrierSupport(dhat, xi);
    const at = (d: number): number => barrier(d * d - xi * xi, support);
    expect(support).toBeCloseTo((xi + dhat) ** 2 - xi ** 2, 15);
    expect(at(xi)).toBe(Infinity);
    expect(at(xi + 1.000001 * dhat)).toBe(0);
    expect(at(xi + 0.999 * dhat)).toBeGreaterThan(0);
    expect(measureBarrierSupport(dhat)).toBe(dhat * dhat);
  });

  test('normal force is minus the slope of the energy by the distance', () => {
    for (const [dhat, xi] of [
      [1e-3, 0],
      [1e-2, 0.05],
    ]) {
      const support = measureBarrierSupport(dhat, xi);
      const energy = (d: number): number => dhat * barrier(d * d - xi * xi, support);
      for (const share of [0.01, 0.1, 0.5, 0.9]) {
        const d = xi + share * dhat;
        const slope = by(d, 1e-3 * Math.min(share, 1 - share) * dhat, energy);
        expect(Math.abs(measureBarrierForce(d * d, dhat, xi) / -slope - 1)).toBeLessThan(1e-6);
      }
    }
  });

  test.each([
    [1e-3, 0, 1e-6],
    [1e-3, 0, 0.108],
    [1e-2, 0.05, 4.33],
    [1, 0, 100],
  ])('rests where it presses with a force: d̂ %d, ξ %d, %d N', (dhat, xi, force) => {
    const d = findRestDistance(force, dhat, xi);
    expect(measureBarrierForce(d * d, dhat, xi) / force).toBeCloseTo(1, 6);
  });

  test('does not depend on the unit of length: force for κ A = 1 at equal shares of d̂', () => {
    for (const share of [0.1, 0.5]) {
      const force = measureBarrierForce((share * 1e-3) ** 2, 1e-3);
      expect(measureBarrierForce(share ** 2, 1) / force).toBeCloseTo(1, 12);
    }
  });
});

test('value and derivatives from one logarithm are the same bits', () => {
  const out = new Float64Array(3);
  const Dhat = 1.7e-6;
  for (let n = -3; n <= 400; n++) {
    const D = Dhat * (n / 390);
    writeBarrier(out, D, Dhat);
    expect([...out]).toEqual([barrier(D, Dhat), barrierSlope(D, Dhat), barrierCurvature(D, Dhat)]);
  }
});
