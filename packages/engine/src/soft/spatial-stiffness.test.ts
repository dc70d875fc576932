/** Blocks without singular values beside those with them, and where they give up. */
import { describe, expect, test } from 'vitest';
import { Arena } from '../kernels/arena.ts';
import { createRandom } from '../testing/forest.ts';
import { addElasticGradient } from './elastic-energy.ts';
import type { LinearTetrahedra } from './linear-tetrahedra.ts';
import { createMaterial } from './material.ts';
import { createSoftMesh } from './soft-mesh.ts';
import { createSpatialStiffness, evaluateSpatialStiffness, writeSpatialBlock } from './spatial-stiffness.ts';

const random = createRandom(3);
const SHAPE = {
  vertices: Float64Array.of(0, 0, 0, 1.2, 0.1, 0, 0.2, 0.9, -0.1, 0.1, 0.3, 1.1),
  tetrahedra: Int32Array.of(0, 1, 2, 3),
};
const f = new Float64Array(9);
const block = new Float64Array(9);
const stiffness = createSpatialStiffness();

describe.each(['corotated', 'neoHookean'] as const)('%s', (model) => {
  const elasticity = { model, youngsModulus: 2, poissonRatio: 0.35 };
  const mesh = createSoftMesh(SHAPE, elasticity, new Arena());
  const family = mesh.families[0] as LinearTetrahedra;

  test('every block is the difference of forces, at twenty shapes', () => {
    for (let n = 0; n < 20; n++) {
      const x = mesh.rest.map((value) => value + 0.5 * (random() - 0.5));
      family.computeDeformation(f, 0, x);
      expect(evaluateSpatialStiffness(stiffness, family.material, f, family.inverseRest, 0, false)).toBe(true);
      for (let a = 0; a < 4; a++) {
        for (let b = 0; b < 4; b++) {
          writeSpatialBlock(block, stiffness, a, b, mesh.volume[0]);
          for (let c = 0; c < 3; c++) {
            const change = differences(x, 3 * b + c);
            for (let r = 0; r < 3; r++) expect(Math.abs(block[3 * r + c] - change[3 * a + r])).toBeLessThan(2e-8);
          }
        }
      }
    }
  });

  /** ∂(force)/∂x_i by central differences. */
  function differences(x: Float64Array, i: number): number[] {
    const step = 1e-5;
    const [ahead, behind] = [1, -1].map((sign) => {
      const gradient = new Float64Array(12);
      addElasticGradient(
        gradient,
        mesh,
        x.map((value, k) => (k === i ? value + sign * step : value)),
      );
      return gradient;
    });
    return Array.from(ahead, (value, k) => (value - behind[k]) / (2 * step));
  }
});

describe('where it gives up', () => {
  const inverseRest = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  const attempt = (model: 'linear' | 'corotated' | 'neoHookean', squeeze: number, isProjected: boolean): boolean => {
    const material = createMaterial({ model, youngsModulus: 1, poissonRatio: 0.3 });
    const pressed = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, squeeze);
    return evaluateSpatialStiffness(stiffness, material, pressed, inverseRest, 0, isProjected);
  };

  test('flat tetrahedra, other laws, projection of the neo-Hookean law', () => {
    expect(attempt('corotated', 0, false)).toBe(false);
    expect(attempt('corotated', -1, false)).toBe(false);
    expect(attempt('linear', 1, false)).toBe(false);
    expect(attempt('neoHookean', 1, true)).toBe(false);
    expect(attempt('neoHookean', -1, false)).toBe(true);
  });
});
