import { describe, expect, test } from 'vitest';
import { compareLists, differentiate } from '../testing/central-differences.ts';
import {
  frictionCurvature,
  frictionPotential,
  frictionSlope,
  frictionSlopeOverSlip,
  writeFrictionGradient,
  writeFrictionHessian,
} from './smooth-friction.ts';

const by = (x: number, h: number, f: (x: number) => number): number =>
  differentiate(Float64Array.of(x), h, (v) => f(v[0]))[0][0];

describe('the smoothed friction', () => {
  test('published values for e = 1', () => {
    expect(frictionPotential(0.25, 1)).toBe(0.390625);
    expect(frictionSlope(0.25, 1)).toBe(0.4375);
    expect(frictionPotential(0.5, 1)).toBeCloseTo(0.5416666667, 10);
    expect(frictionSlope(0.5, 1)).toBe(0.75);
  });

  test('each is the derivative of the one before', () => {
    for (const e of [1, 1e-5]) {
      for (const share of [0.01, 0.3, 0.9, 1.1, 5]) {
        const y = share * e;
        const h = 1e-3 * y;
        const slope = frictionSlope(y, e);
        expect(Math.abs(by(y, h, (v) => frictionPotential(v, e)) / slope - 1)).toBeLessThan(1e-6);
        expect(Math.abs((frictionSlopeOverSlip(y, e) * y) / slope - 1)).toBeLessThan(1e-14);
        const second = by(y, h, (v) => frictionSlope(v, e));
        const curvature = (second * y - slope) / y ** 3;
        expect(Math.abs(frictionCurvature(y, e) / curvature - 1)).toBeLessThan(1e-6);
      }
    }
  });

  test('is C² where sticking ends: value, slope and second derivative meet', () => {
    for (const e of [1, 1e-5]) {
      expect(frictionPotential(e, e)).toBe(e);
      expect(frictionPotential(e * (1 - 1e-9), e) / e).toBeCloseTo(1, 8);
      expect(frictionSlope(e * (1 - 1e-9), e)).toBeCloseTo(1, 14);
      expect(frictionSlopeOverSlip(e * (1 - 1e-9), e) * e).toBeCloseTo(1, 8);
      expect(frictionCurvature(e * (1 - 1e-9), e) * e ** 3).toBeCloseTo(-1, 8);
    }
  });

  test('gradient and Hessian over the tangent plane agree with central differences and with the closed form', () => {
    const gradient = new Float64Array(2);
    const hessian = new Float64Array(4);
    const e = 1e-3;
    for (const [ux, uy] of [
      [2e-4, 0],
      [0, -7e-4],
      [3e-4, 4e-4],
      [-6e-4, 5e-4],
      [2e-3, 1e-3],
      [-1, 3],
    ]) {
      const u = Float64Array.of(ux, uy);
      const y = Math.hypot(ux, uy);
      const h = 1e-3 * Math.min(y, 1e-1);
      writeFrictionGradient(gradient, 0, ux, uy, e);
      writeFrictionHessian(hessian, 0, ux, uy, e);
      const value = (v: Float64Array): number => frictionPotential(Math.hypot(v[0], v[1]), e);
      expect(compareLists(gradient, differentiate(u, h, value).flat())).toBeLessThan(1e-6);
      const bends = differentiate(u, h, (v) => {
        const out = new Float64Array(2);
        writeFrictionGradient(out, 0, v[0], v[1], e);
        return out;
      }).flat();
      expect(compareLists(hessian, bends)).toBeLessThan(1e-6);
      const [weight, curvature] = [frictionSlopeOverSlip(y, e), frictionCurvature(y, e)];
      const closed = [
        weight + curvature * ux * ux,
        curvature * ux * uy,
        curvature * ux * uy,
        weight + curvature * uy * uy,
      ];
      expect(compareLists(hessian, closed)).toBeLessThan(1e-12);
      // positive semidefinite: trace and determinant
      expect(hessian[0] + hessian[3]).toBeGreaterThan(0);
      expect(hessian[0] * hessian[3] - hessian[1] ** 2).toBeGreaterThanOrEqual(-1e-15 * hessian[0] * hessian[3]);
    }
  });

  test('at rest the gradient is 0 and the Hessian 2/e I', () => {
    const out = new Float64Array(4);
    writeFrictionHessian(out, 0, 0, 0, 0.5);
    expect(Array.from(out).map((value) => value + 0)).toEqual([4, 0, 0, 4]);
    writeFrictionGradient(out, 0, 0, 0, 0.5);
    expect([out[0], out[1]]).toEqual([0, 0]);
    expect(frictionSlopeOverSlip(0, 0.5)).toBe(4);
    // the curvature grows as 1/y and u uᵀ falls as y²
    writeFrictionHessian(out, 0, 1e-200, 0, 0.5);
    expect(out[0]).toBe(4);
  });

  test('the parabola with curvature f₁/y touches f₀ and is nowhere below it', () => {
    const e = 0.3;
    for (const y of [0.01, 0.1, 0.29, 0.3, 0.5, 4]) {
      const weight = frictionSlopeOverSlip(y, e);
      for (let z = 0; z < 8; z += 0.01) {
        const bound = frictionPotential(y, e) + 0.5 * weight * (z * z - y * y);
        expect(bound).toBeGreaterThan(frictionPotential(z, e) - 1e-12);
      }
    }
  });

  test('creep on a slope: μ N f₁(ε_v h share) holds the weight at the share 1 − √(1 − tan θ/μ)', () => {
    for (const ratio of [0.1, 0.5, 0.9, 0.998]) {
      expect(frictionSlope(1 - Math.sqrt(1 - ratio), 1)).toBeCloseTo(ratio, 14);
    }
  });
});
