/** Read-outs of one tetrahedron and of two that share a face against closed forms. */
import { describe, expect, test } from 'vitest';
import { Arena } from '../kernels/arena.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import { computeVonMises } from './element-stress.ts';
import { createSoftMesh } from './soft-mesh.ts';
import { createStressReadout, readStress, type StressReadout } from './stress-readout.ts';

const SHAPE = {
  vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1),
  tetrahedra: Int32Array.of(0, 1, 2, 3, 1, 2, 3, 4),
};

/** Moves every vertex by x ↦ A x + b; E = 100, ν = 0.25, so λ = μ = 40. */
function readAfter(model: Elasticity['model'], a: number[]): StressReadout {
  const arena = new Arena();
  const mesh = createSoftMesh(SHAPE, { ...(model && { model }), youngsModulus: 100, poissonRatio: 0.25 }, arena);
  const x = mesh.rest.map((_, i) => {
    const [v, c] = [3 * Math.floor(i / 3), i % 3];
    return 7 + a[3 * c] * mesh.rest[v] + a[3 * c + 1] * mesh.rest[v + 1] + a[3 * c + 2] * mesh.rest[v + 2];
  });
  const out = createStressReadout(mesh, arena);
  readStress(out, mesh, x);
  return out;
}

function expectTensor(found: ArrayLike<number>, expected: number[]): void {
  expected.forEach((value, k) => {
    expect(Math.abs(found[k] - value)).toBeLessThan(1e-13 * 100);
  });
}

describe('the read-out of stress', () => {
  test('linear law, stretch by 1 % and shear: σ = 2με + λ tr ε, at tetrahedra and vertices', () => {
    const out = readAfter('linear', [1.01, 0.02, 0, 0, 1, 0, 0, 0, 1]);
    for (const t of [0, 1]) {
      expectTensor(out.strain.subarray(6 * t), [0.01, 0, 0, 0.01, 0, 0]);
      expectTensor(out.stress.subarray(6 * t), [1.2, 0.4, 0.4, 0.8, 0, 0]);
      expect(out.vonMises[t]).toBeCloseTo(Math.sqrt(0.8 ** 2 + 3 * 0.8 ** 2), 12);
    }
    for (let v = 0; v < 5; v++) {
      expectTensor(out.vertexStress.subarray(6 * v), [1.2, 0.4, 0.4, 0.8, 0, 0]);
      expect(out.vertexVonMises[v]).toBeCloseTo(1.6, 12);
    }
  });

  test('corotated law: uniform growth by 10 % is pure pressure, turned or not: P = 2μ 0.1 + λ 0.3 = 20, σ = P / 1.1²', () => {
    for (const a of [
      [1.1, 0, 0, 0, 1.1, 0, 0, 0, 1.1],
      [0, -1.1, 0, 1.1, 0, 0, 0, 0, 1.1],
    ]) {
      const out = readAfter('corotated', a);
      expectTensor(out.stress, [20 / 1.21, 20 / 1.21, 20 / 1.21, 0, 0, 0]);
      expect(out.vonMises[0]).toBeLessThan(1e-12);
      expect(out.volumeRatio[1]).toBeCloseTo(1.331, 13);
    }
  });

  test('Saint Venant-Kirchhoff: S = 2μE + λ tr E, σ = F S Fᵀ / det F', () => {
    const out = readAfter('saintVenantKirchhoff', [1.2, 0, 0, 0, 1, 0, 0, 0, 1]);
    expectTensor(out.strain, [0.22, 0, 0, 0, 0, 0]);
    expectTensor(out.stress, [(120 * 0.22 * 1.44) / 1.2, (40 * 0.22) / 1.2, (40 * 0.22) / 1.2, 0, 0, 0]);
  });

  test('neo-Hookean: a turn alone leaves no stress; pressed flat stays finite', () => {
    const turned = readAfter('neoHookean', [0, 0, 1, 1, 0, 0, 0, 1, 0]);
    for (const value of turned.stress) expect(Math.abs(value)).toBeLessThan(1e-12);
    expect(readAfter('neoHookean', [1, 0, 0, 0, 1, 0, 0, 0, 0]).vonMises.every(Number.isFinite)).toBe(true);
  });

  test('principal stresses: ±τ under pure shear τ, the largest first', () => {
    const out = readAfter('linear', [1, 0.02, 0, 0, 1, 0, 0, 0, 1]);
    for (const t of [0, 1]) expectTensor(out.principal.subarray(3 * t), [0.8, 0, -0.8]);
  });

  test('von Mises stress of pure shear is √3 times it', () => {
    expect(computeVonMises(Float64Array.of(9, 0, 0, 0, 0, 0, 2), 1)).toBeCloseTo(2 * Math.sqrt(3), 14);
  });
});
