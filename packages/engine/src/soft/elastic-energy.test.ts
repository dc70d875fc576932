/** Energy, gradient and Hessian of a whole body: an octahedron of eight tetrahedra around a vertex in its middle. */
import { describe, expect, test } from 'vitest';
import type { TetrahedralMesh } from '../geometry/tetrahedra/tetrahedral-mesh.ts';
import { Arena } from '../kernels/arena.ts';
import { createTwin, multiplyBlockSparse } from '../linear-algebra/block-sparse-matrix.ts';
import { compareLists, differentiate } from '../testing/central-differences.ts';
import { createRandom } from '../testing/forest.ts';
import { addElasticGradient, addElasticHessian, evaluateElasticEnergy } from './elastic-energy.ts';
import { createSoftMesh, type SoftMesh } from './soft-mesh.ts';

const MODELS = ['linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff'] as const;
const OCTAHEDRON: TetrahedralMesh = {
  vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1),
  tetrahedra: Int32Array.of(
    ...[0, 1, 2, 5, 0, 2, 3, 5, 0, 3, 4, 5, 0, 4, 1, 5],
    ...[0, 2, 1, 6, 0, 3, 2, 6, 0, 4, 3, 6, 0, 1, 4, 6],
  ),
};

function createBody(model: (typeof MODELS)[number]): { arena: Arena; mesh: SoftMesh } {
  const arena = new Arena();
  return { arena, mesh: createSoftMesh(OCTAHEDRON, { model, youngsModulus: 1, poissonRatio: 0.3 }, arena) };
}

function gradientAt(mesh: SoftMesh, x: Float64Array): Float64Array {
  const gradient = new Float64Array(x.length);
  addElasticGradient(gradient, mesh, x);
  return gradient;
}

/** The Hessian as rows of numbers. */
function hessianAt(arena: Arena, mesh: SoftMesh, x: Float64Array, isProjected: boolean): number[] {
  const matrix = createTwin(mesh.pattern, arena);
  addElasticHessian(matrix, mesh, x, 1, isProjected);
  return Array.from(x).flatMap((_, i) => {
    const unit = new Float64Array(x.length);
    const row = new Float64Array(x.length);
    unit[i] = 1;
    multiplyBlockSparse(row, matrix, unit);
    return Array.from(row);
  });
}

describe.each(MODELS)('%s', (model) => {
  const { arena, mesh } = createBody(model);
  const random = createRandom(9);
  const shape = mesh.rest.map((value) => value + 0.3 * (2 * random() - 1));

  test('gradient and Hessian are the derivatives of the energy', () => {
    const gradient = gradientAt(mesh, shape);
    const slopes = differentiate(shape, 1e-3, (x) => evaluateElasticEnergy(mesh, x)).flat();
    expect(compareLists(gradient, slopes)).toBeLessThan(1e-8);
    expect(addElasticGradient(new Float64Array(21), mesh, shape)).toBe(evaluateElasticEnergy(mesh, shape));
    const curvature = differentiate(shape, 1e-3, (x) => gradientAt(mesh, x)).flat();
    expect(compareLists(hessianAt(arena, mesh, shape, false), curvature)).toBeLessThan(1e-8);
  });

  test('at rest: no energy, no force, and the Hessian needs no projection', () => {
    expect(Math.abs(evaluateElasticEnergy(mesh, mesh.rest))).toBeLessThan(1e-15);
    for (const force of gradientAt(mesh, mesh.rest)) expect(Math.abs(force)).toBeLessThan(1e-15);
    const projected = hessianAt(arena, mesh, mesh.rest, true);
    expect(compareLists(projected, hessianAt(arena, mesh, mesh.rest, false))).toBeLessThan(1e-14);
  });

  test('forces add to nothing; without the linear law, moments too', () => {
    const force = gradientAt(mesh, shape);
    const sum = [0, 0, 0, 0, 0, 0];
    for (let v = 0; v < 21; v += 3) {
      for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        sum[c] += force[v + c];
        sum[3 + c] += shape[v + d] * force[v + e] - shape[v + e] * force[v + d];
      }
    }
    for (const part of model === 'linear' ? sum.slice(0, 3) : sum) expect(Math.abs(part)).toBeLessThan(1e-14);
  });

  test('the projected Hessian has no direction of negative curvature, upside down as well', () => {
    for (const x of [shape, shape.map((value, i) => (i % 3 === 2 ? -0.7 * value : value))]) {
      const rows = hessianAt(arena, mesh, x, true);
      const largest = Math.max(...rows.map(Math.abs));
      for (let k = 0; k < 2000; k++) {
        const d = Array.from({ length: 21 }, () => 2 * random() - 1);
        const curvature = rows.reduce((sum, value, i) => sum + value * d[Math.floor(i / 21)] * d[i % 21], 0);
        expect(curvature).toBeGreaterThan(-1e-13 * largest);
      }
      // translations cost nothing
      for (let i = 0; i < 21; i++) {
        for (let c = 0; c < 3; c++) {
          const sum = [0, 3, 6, 9, 12, 15, 18].reduce((total, v) => total + rows[21 * i + v + c], 0);
          expect(Math.abs(sum)).toBeLessThan(1e-13 * largest);
        }
      }
    }
  });
});
