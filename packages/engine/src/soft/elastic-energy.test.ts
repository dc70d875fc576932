/** Energy, gradient and Hessian of a whole body: an octahedron of eight tetrahedra around a vertex in its middle. */
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../scripts/long-run.ts';
import { extractSurface } from '../geometry/tetrahedra/mesh-surface.ts';
import { addMiddleVertices } from '../geometry/tetrahedra/quadratic-mesh.ts';
import type { TetrahedralMesh } from '../geometry/tetrahedra/tetrahedral-mesh.ts';
import { Arena } from '../kernels/arena.ts';
import { createTwin, multiplyBlockSparse } from '../linear-algebra/block-sparse-matrix.ts';
import type { SolidElement } from '../scene/soft-body.ts';
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

const ELEMENTS = ['tet4', 'smoothedTet4', 'tet10'] as const;

function createBody(
  model: (typeof MODELS)[number],
  element: SolidElement,
  poissonRatio: number,
): { arena: Arena; mesh: SoftMesh } {
  const arena = new Arena();
  const shape = element === 'tet10' ? addMiddleVertices(OCTAHEDRON) : OCTAHEDRON;
  // fibers along a direction that is no axis
  const fibers = { direction: [0.6, 0, 0.8] as [number, number, number], youngsModulus: 2 };
  const solid = { ...shape, element, fiberDirection: fibers.direction };
  return { arena, mesh: createSoftMesh(solid, { model, youngsModulus: 1, poissonRatio, fibers }, arena) };
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

describe.each(MODELS.flatMap((model) => ELEMENTS.map((element) => [model, element] as const)))(
  '%s, %s',
  (model, element) => {
    // 10-node elements split their law only where λ > μ
    const { arena, mesh } = createBody(model, element, element === 'tet10' ? 0.4 : 0.3);
    const size = 3 * mesh.vertexCount;
    const random = createRandom(9);
    const shape = mesh.rest.map((value) => value + 0.3 * (2 * random() - 1));

    test('gradient and Hessian are the derivatives of the energy', () => {
      const gradient = gradientAt(mesh, shape);
      const slopes = differentiate(shape, 1e-3, (x) => evaluateElasticEnergy(mesh, x)).flat();
      expect(compareLists(gradient, slopes)).toBeLessThan(1e-8);
      expect(addElasticGradient(new Float64Array(size), mesh, shape)).toBe(evaluateElasticEnergy(mesh, shape));
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
      for (let v = 0; v < size; v += 3) {
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
        for (let k = 0; k < takeSamples(42_000, 0.2) / size; k++) {
          const d = Array.from({ length: size }, () => 2 * random() - 1);
          const curvature = rows.reduce((sum, value, i) => sum + value * d[Math.floor(i / size)] * d[i % size], 0);
          expect(curvature).toBeGreaterThan(-1e-13 * largest);
        }
        // translations cost nothing
        for (let i = 0; i < size; i++) {
          for (let c = 0; c < 3; c++) {
            let sum = 0;
            for (let v = 0; v < size; v += 3) sum += rows[size * i + v + c];
            expect(Math.abs(sum)).toBeLessThan(1e-13 * largest);
          }
        }
      }
    });

    test('derivatives along random directions and along the gradient, by values at four points', () => {
      const gradient = gradientAt(mesh, shape);
      const matrix = createTwin(mesh.pattern, arena);
      addElasticHessian(matrix, mesh, shape, 1, false);
      const product = new Float64Array(size);
      for (let n = 0; n < 4; n++) {
        const d = n === 0 ? gradient.slice() : Float64Array.from({ length: size }, () => 2 * random() - 1);
        const length = Math.hypot(...d);
        const at = (t: number): Float64Array => shape.map((value, i) => value + (t * d[i]) / length);
        const along = (g: Float64Array): number => g.reduce((sum, value, i) => sum + (value * d[i]) / length, 0);
        const e = 1e-3;
        const [a, b, c, f] = [-2 * e, -e, e, 2 * e].map((t) => evaluateElasticEnergy(mesh, at(t)));
        expect(Math.abs((a - 8 * b + 8 * c - f) / (12 * e) - along(gradient))).toBeLessThan(1e-9);
        const [p, q, r, s] = [-2 * e, -e, e, 2 * e].map((t) => along(gradientAt(mesh, at(t))));
        multiplyBlockSparse(product, matrix, d);
        expect(Math.abs((p - 8 * q + 8 * r - s) / (12 * e) - along(product) / length)).toBeLessThan(1e-9);
      }
    });

    test('patch test: any uniform strain leaves only forces at the surface, which do the work of its stress', () => {
      const a = [1.1, 0.05, -0.1, 0.02, 0.95, 0.04, -0.03, 0.1, 1.07];
      const turn = (x: ArrayLike<number>): Float64Array =>
        Float64Array.from(x, (_, i) => {
          const [v, c] = [i - (i % 3), i % 3];
          return a[3 * c] * x[v] + a[3 * c + 1] * x[v + 1] + a[3 * c + 2] * x[v + 2];
        });
      const deformed = turn(mesh.rest);
      const force = gradientAt(mesh, deformed);
      const outer = extractSurface({ vertices: mesh.rest, tetrahedra: mesh.tetrahedra }).triangles;
      for (let v = 0; v < mesh.vertexCount; v++) {
        if (outer.includes(v)) continue;
        for (let k = 0; k < 3; k++) expect(Math.abs(force[3 * v + k])).toBeLessThan(1e-14);
      }
      // every element has the energy of the linear tetrahedron at the same strain
      const linear = createBody(model, 'tet4', element === 'tet10' ? 0.4 : 0.3).mesh;
      const energy = evaluateElasticEnergy(linear, turn(linear.rest));
      expect(Math.abs(evaluateElasticEnergy(mesh, deformed) / energy - 1)).toBeLessThan(1e-12);
      expect(mesh.mass.every((m) => m > 0)).toBe(true);
      expect(mesh.mass.reduce((sum, m) => sum + m, 0)).toBeCloseTo(
        linear.mass.reduce((sum, m) => sum + m, 0),
        9,
      );
    });
  },
);
