/** Energy, gradient and Hessian of whole rods, straight, curved and closed at rest, far from where the step started. */
import { describe, expect, test } from 'vitest';
import { carryDirectors } from '../../geometry/rods/rod-directors.ts';
import { Arena } from '../../kernels/arena.ts';
import { createTwin, multiplyBlockSparse } from '../../linear-algebra/block-sparse-matrix.ts';
import { compareLists, differentiate } from '../../testing/central-differences.ts';
import { createRandom } from '../../testing/forest.ts';
import { addElasticGradient, addElasticHessian, evaluateElasticEnergy } from '../elastic-energy.ts';
import type { SoftMesh } from '../soft-mesh.ts';
import type { RodElements } from './rod-elements.ts';
import { createRodMesh } from './rod-mesh.ts';

const arena = new Arena();
const RADIUS = 0.2;

function createRod(points: number[], isClosed = false): { mesh: SoftMesh; directors: Float64Array } {
  const count = points.length / 3;
  const edgeCount = isClosed ? count : count - 1;
  const edges = Int32Array.from({ length: 2 * edgeCount }, (_, i) => (Math.floor(i / 2) + (i % 2)) % count);
  const vertices = new Float64Array(3 * (count + edgeCount));
  vertices.set(points);
  const rest = carryDirectors(vertices, edges);
  const directors = rest.slice();
  const elasticity = { youngsModulus: 100, poissonRatio: 0.3 };
  return { mesh: createRodMesh({ vertices, edges }, RADIUS, elasticity, rest, directors, arena, 'rod'), directors };
}

const LINE = [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0];
const BENT = [0, 0, 0, 1, 0.2, 0, 1.7, 1, 0.4, 1.5, 2, 1];
const RING = [1, 0, 0, 0, 1, 0.2, -1, 0, 0, 0, -1, -0.3];

function gradientAt(mesh: SoftMesh, x: Float64Array): Float64Array {
  const gradient = new Float64Array(x.length);
  addElasticGradient(gradient, mesh, x);
  return gradient;
}

function hessianAt(mesh: SoftMesh, x: Float64Array, isProjected: boolean): number[] {
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

describe.each([
  ['straight', LINE, false],
  ['bent', BENT, false],
  ['closed', RING, true],
] as const)('a rod that is %s at rest', (_, points, isClosed) => {
  const { mesh } = createRod([...points], isClosed);
  const random = createRandom(5);
  const angles = mesh.vertexCount - mesh.pointCount;
  const shape = mesh.rest.map((value, i) => {
    const isAngle = i >= 3 * mesh.pointCount;
    return value + (isAngle ? (i % 3 === 0 ? 0.1 : 0) : 0.3) * (2 * random() - 1);
  });

  test('gradient and Hessian are the derivatives of the energy, also along the gradient', () => {
    const gradient = gradientAt(mesh, shape);
    const slopes = differentiate(shape, 1e-3, (x) => evaluateElasticEnergy(mesh, x)).flat();
    expect(compareLists(gradient, slopes)).toBeLessThan(1e-7);
    expect(addElasticGradient(new Float64Array(shape.length), mesh, shape)).toBeCloseTo(
      evaluateElasticEnergy(mesh, shape),
      12,
    );
    const curvature = differentiate(shape, 1e-3, (x) => gradientAt(mesh, x)).flat();
    expect(compareLists(hessianAt(mesh, shape, false), curvature)).toBeLessThan(1e-6);
  });

  test('the projected Hessian is nowhere negative', () => {
    const n = shape.length;
    const rows = hessianAt(mesh, shape, true);
    for (let trial = 0; trial < 100; trial++) {
      const v = Array.from({ length: n }, () => 2 * random() - 1);
      const product = rows.reduce((sum, value, i) => sum + value * v[Math.floor(i / n)] * v[i % n], 0);
      expect(product).toBeGreaterThan(-1e-10);
    }
  });

  test('at rest there is no energy and no force', () => {
    expect(Math.abs(evaluateElasticEnergy(mesh, mesh.rest))).toBeLessThan(1e-13);
    for (const force of gradientAt(mesh, mesh.rest)) expect(Math.abs(force)).toBeLessThan(1e-12);
  });

  test('directors that are taken along keep the energy, up to the turn that comes with another way', () => {
    const { mesh: other, directors } = createRod([...points], isClosed);
    const family = other.families[0] as RodElements;
    const energy = evaluateElasticEnergy(other, shape);
    // half way, and on from there
    family.follow(shape.map((value, i) => 0.5 * (value + other.rest[i])));
    family.takeStart(shape.map((value, i) => 0.5 * (value + other.rest[i])));
    const again = evaluateElasticEnergy(other, shape);
    // directors carried along another way are turned by the area between the ways: of second order, and not zero
    expect(Math.abs(again / energy - 1)).toBeLessThan(0.2);
    family.follow(shape);
    family.takeStart(shape);
    expect(Math.abs(evaluateElasticEnergy(other, shape) / again - 1)).toBeLessThan(1e-12);
    expect(angles).toBe(directors.length / 3);
  });
});
