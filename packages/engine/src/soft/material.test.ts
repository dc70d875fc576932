/**
 * Stress and stiffness of every law against central differences of fourth order, and what the laws owe to mechanics: rest
 * without force, turns without effect, the stiffness of linear elasticity at rest.
 */
import { describe, expect, test } from 'vitest';
import { NexdynError } from '../error.ts';
import { projectPsd } from '../linear-algebra/project-psd.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import { compareLists, differentiate } from '../testing/central-differences.ts';
import { createRandom } from '../testing/forest.ts';
import { computeLame } from './lame.ts';
import { createMaterial, evaluateMaterial, type Material } from './material.ts';
import { createPrincipalStiffness, evaluateStiffness, expandStiffness } from './principal-stiffness.ts';

const MODELS = ['linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff'] as const;
// lengths are of order one and E of order one: differences with step 1e-3 are good to 1e-11
const STEP = 1e-3;
// near opposite singular values the corotated law bends sharply: h⁴ must be smaller
const FINE_STEP = 2e-4;
const UNIT = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

function create(model: Elasticity['model'], poissonRatio = 0.3, youngsModulus = 1): Material {
  return createMaterial({ ...(model && { model }), youngsModulus, poissonRatio });
}

/** F = 1 + a random part of this size. */
function randomF(random: () => number, size: number): Float64Array {
  return UNIT.map((value) => value + size * (2 * random() - 1));
}

function energy(material: Material, f: Float64Array): number {
  return evaluateMaterial(new Float64Array(9), material, f);
}

function stressOf(material: Material, f: Float64Array): Float64Array {
  const stress = new Float64Array(9);
  evaluateMaterial(stress, material, f);
  return stress;
}

function stiffness(material: Material, f: Float64Array, isProjected: boolean): Float64Array {
  const parts = createPrincipalStiffness();
  const out = new Float64Array(81);
  evaluateStiffness(parts, material, f, isProjected);
  expandStiffness(out, parts);
  return out;
}

function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [3 * Math.floor(k / 3), k % 3];
    return a[i] * b[j] + a[i + 1] * b[3 + j] + a[i + 2] * b[6 + j];
  });
}

/** A rotation by a large angle about a random axis. */
function randomRotation(random: () => number): Float64Array {
  const [w, x, y, z] = (() => {
    const q = [random(), random(), random(), random()].map((value) => 2 * value - 1);
    const length = Math.hypot(...q);
    return q.map((value) => value / length);
  })();
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  );
}

describe.each(MODELS)('%s', (model) => {
  test.each([0.45, 0.3, 0, -0.4])('P is the derivative of Ψ and ∂P/∂F that of P, ν = %f', (poissonRatio) => {
    const random = createRandom(1);
    const material = create(model, poissonRatio);
    for (let k = 0; k < 40; k++) {
      const f = randomF(random, 0.4);
      const stress = stressOf(material, f);
      const slopes = differentiate(f, STEP, (at) => energy(material, at)).flat();
      expect(compareLists(slopes, stress, 1)).toBeLessThan(1e-8);
      const curvature = differentiate(f, STEP, (at) => stressOf(material, at)).flat();
      expect(compareLists(stiffness(material, f, false), curvature)).toBeLessThan(1e-8);
    }
  });

  test('the same for tetrahedra turned inside out', () => {
    const random = createRandom(2);
    const material = create(model);
    for (let k = 0; k < 40; k++) {
      const f = randomF(random, 0.3);
      for (let j = 0; j < 3; j++) f[3 * j] *= -1.4;
      const stress = stressOf(material, f);
      expect(Number.isFinite(energy(material, f)) && stress.every(Number.isFinite)).toBe(true);
      const slopes = differentiate(f, FINE_STEP, (at) => energy(material, at)).flat();
      expect(compareLists(slopes, stress, 1)).toBeLessThan(1e-8);
      const curvature = differentiate(f, FINE_STEP, (at) => stressOf(material, at)).flat();
      expect(compareLists(stiffness(material, f, false), curvature)).toBeLessThan(1e-8);
    }
  });

  test('rest has no energy and no stress, E = 100, ν = 0.25 (λ = μ = 40)', () => {
    const material = create(model, 0.25, 100);
    expect(Math.abs(energy(material, UNIT))).toBeLessThan(1e-14);
    for (const value of stressOf(material, UNIT)) expect(Math.abs(value)).toBeLessThan(1e-13);
  });

  test('at rest it is as stiff as linear elasticity', () => {
    const material = create(model, 0.25, 100);
    const expected = new Float64Array(81);
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) {
        expected[9 * (4 * i) + 4 * k] += 40;
        expected[9 * (3 * i + k) + 3 * i + k] += 40;
        expected[9 * (3 * i + k) + 3 * k + i] += 40;
      }
    }
    expect(compareLists(stiffness(material, UNIT, false), expected)).toBeLessThan(1e-14);
  });

  test('the projected stiffness is symmetric and has no negative eigenvalue', () => {
    const random = createRandom(4);
    const material = create(model, 0.45);
    let lifted = 0;
    for (let k = 0; k < 200; k++) {
      const f = randomF(random, k < 100 ? 0.5 : 2);
      const raw = stiffness(material, f, false);
      const projected = stiffness(material, f, true);
      const size = Math.max(...raw.map(Math.abs));
      // the nearest positive semidefinite matrix, by eigenvalues of all nine rows
      if (projectPsd(raw, 0, 9) > 0) lifted++;
      expect(compareLists(projected, raw, size)).toBeLessThan(1e-11);
      for (let i = 0; i < 9; i++) {
        for (let j = 0; j < i; j++)
          expect(Math.abs(projected[9 * i + j] - projected[9 * j + i])).toBeLessThan(1e-13 * size);
      }
    }
    // the sample holds what projection is for
    if (model !== 'linear') expect(lifted).toBeGreaterThan(20);
  });

  test('finite where the body is pressed flat, to a line or to a point', () => {
    const material = create(model);
    for (const f of [[1, 0, 0, 0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0], new Array<number>(9).fill(0)]) {
      const at = Float64Array.from(f);
      expect(Number.isFinite(energy(material, at))).toBe(true);
      expect(stressOf(material, at).every(Number.isFinite)).toBe(true);
      expect(stiffness(material, at, true).every(Number.isFinite)).toBe(true);
    }
  });
});

test.each(MODELS.filter((model) => model !== 'linear'))(
  'turning the body or its material changes nothing: %s',
  (model) => {
    const random = createRandom(6);
    const material = create(model);
    for (let k = 0; k < 100; k++) {
      const f = randomF(random, 0.5);
      const r = randomRotation(random);
      const base = energy(material, f);
      expect(Math.abs(energy(material, multiply(r, f)) - base)).toBeLessThan(1e-12);
      expect(Math.abs(energy(material, multiply(f, r)) - base)).toBeLessThan(1e-12);
      expect(compareLists(stressOf(material, multiply(r, f)), multiply(r, stressOf(material, f)), 1)).toBeLessThan(
        1e-12,
      );
      expect(Math.abs(energy(material, r))).toBeLessThan(1e-14);
    }
  },
);

describe("Lamé's constants", () => {
  test('of E = 100, ν = 0.25 are 40 and 40', () => {
    const { mu, lambda } = computeLame(100, 0.25);
    expect(mu).toBe(40);
    expect(lambda).toBeCloseTo(40, 13);
  });

  test.each([
    [1e5, 0.5, 'poissonRatio', /up to 0\.499/],
    [1e5, 0.7, 'poissonRatio', /0\.5/],
    [1e5, -1, 'poissonRatio', /above −1/],
    [1e5, Number.NaN, 'poissonRatio', /NaN/],
    [0, 0.3, 'youngsModulus', /positive/],
    [-5, 0.3, 'youngsModulus', /-5 Pa/],
    [Infinity, 0.3, 'youngsModulus', /Infinity/],
  ])('E = %f, ν = %f is an error at %s', (youngsModulus, poissonRatio, place, text) => {
    const attempt = (): Material => createMaterial({ youngsModulus, poissonRatio }, 'softBodies[2].elasticity');
    expect(attempt).toThrow(NexdynError);
    expect(attempt).toThrow(text);
    expect(attempt).toThrow(`softBodies[2].elasticity.${place}`);
  });
});
