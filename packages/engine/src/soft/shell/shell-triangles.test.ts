/** Energy, gradient and Hessian of whole shells: flat, curved at rest, closed, and with triangles of either orientation. */
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { meshGrid } from '../../geometry/shells/shell-surface.ts';
import { Arena } from '../../kernels/arena.ts';
import { createTwin, multiplyBlockSparse } from '../../linear-algebra/block-sparse-matrix.ts';
import type { Elasticity } from '../../scene/soft-body.ts';
import { compareLists, differentiate } from '../../testing/central-differences.ts';
import { createRandom } from '../../testing/forest.ts';
import { addElasticGradient, addElasticHessian, evaluateElasticEnergy } from '../elastic-energy.ts';
import type { SoftMesh } from '../soft-mesh.ts';
import { createShellMesh, type ShellSurface } from './shell-mesh.ts';
import type { ShellTriangles } from './shell-triangles.ts';

const BASE: Elasticity = { youngsModulus: 1, poissonRatio: 0.3 };
const LAWS: Record<string, Elasticity> = {
  saintVenantKirchhoff: BASE,
  neoHookean: { ...BASE, model: 'neoHookean' },
  orthotropic: { ...BASE, orthotropic: { youngsModulus: [2, 0.5], shearModulus: 0.1 } },
  'strain limit': { ...BASE, strainLimit: 0.05 },
  'thick plate': { ...BASE, bendingStiffness: 0.2 },
};
// a tetrahedron is closed: all its edges have the same corner beyond them
const CLOSED: ShellSurface = {
  vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  triangles: Int32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2),
};
// the second triangle of the first cell the other way round
const MIXED: ShellSurface = (() => {
  const { vertices, triangles } = meshGrid([2, 1], [2, 1]);
  const turned = triangles.slice();
  turned.set([triangles[4], triangles[3]], 3);
  return { vertices: vertices.map((value, i) => value + (i % 3 === 2 ? 0.2 * Math.sin(i) : 0)), triangles: turned };
})();
/** Diagonals of cells that alternate: no two neighbouring triangles form a parallelogram across the sides of cells. */
function alternate({ vertices, triangles }: ShellSurface, cells: number): ShellSurface {
  const turned = triangles.slice();
  for (let t = 0; t < triangles.length; t += 6) {
    const cell = t / 6;
    if (((cell % cells) + Math.floor(cell / cells)) % 2 === 0) continue;
    const [a, b, c, , , d] = triangles.subarray(t, t + 6);
    turned.set([a, b, d, b, c, d], t);
  }
  return { vertices, triangles: turned };
}

/** Vertices inside moved by up to a quarter of a cell. */
function disturb(surface: ShellSurface, cells: number): ShellSurface {
  const random = createRandom(11);
  const vertices = surface.vertices.map((value, i) => {
    const v = Math.floor(i / 3);
    const isInside = [v % (cells + 1), Math.floor(v / (cells + 1))].every((k) => k > 0 && k < cells);
    const move = 0.5 * random() - 0.25;
    return isInside && i % 3 < 2 ? value + move : value;
  });
  return { vertices, triangles: surface.triangles };
}

const arena = new Arena();
const create = (surface: ShellSurface, elasticity: Elasticity): SoftMesh =>
  createShellMesh(surface, 0.3, [1, 0, 0], elasticity, arena, 'softBodies[0]');

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

describe.each(Object.entries(LAWS))('%s', (_, elasticity) => {
  describe.each([
    ['grid', meshGrid([2, 2], [2, 2])],
    ['closed', CLOSED],
    ['mixed', MIXED],
    ['alternating', alternate(meshGrid([3, 3], [3, 3]), 3)],
    ['irregular', disturb(alternate(meshGrid([3, 3], [3, 3]), 3), 3)],
  ] as const)('%s', (_name, surface) => {
    const mesh = create(surface, elasticity);
    const random = createRandom(4);
    const shape = mesh.rest.map((value) => value + 0.2 * (2 * random() - 1));

    test('gradient and Hessian are the derivatives of the energy, also along the gradient', () => {
      const gradient = gradientAt(mesh, shape);
      const slopes = differentiate(shape, 1e-3, (x) => evaluateElasticEnergy(mesh, x)).flat();
      expect(compareLists(gradient, slopes)).toBeLessThan(1e-7);
      const size = Math.hypot(...gradient);
      const along = (s: number): Float64Array => shape.map((value, i) => value - (s * gradient[i]) / size);
      const slope = differentiate(Float64Array.of(0), 1e-3, ([s]) => evaluateElasticEnergy(mesh, along(s)))[0][0];
      expect(Math.abs(slope + size)).toBeLessThan(1e-7 * size);
      expect(addElasticGradient(new Float64Array(shape.length), mesh, shape)).toBeCloseTo(
        evaluateElasticEnergy(mesh, shape),
        14,
      );
      const curvature = differentiate(shape, 5e-4, (x) => gradientAt(mesh, x)).flat();
      expect(compareLists(hessianAt(mesh, shape, false), curvature)).toBeLessThan(1e-6);
    });

    test('the projected Hessian is nowhere negative', () => {
      const n = shape.length;
      const rows = hessianAt(mesh, shape, true);
      for (let trial = 0; trial < takeSamples(200, 0.2); trial++) {
        const v = Array.from({ length: n }, () => 2 * random() - 1);
        const product = rows.reduce((sum, value, i) => sum + value * v[Math.floor(i / n)] * v[i % n], 0);
        expect(product).toBeGreaterThan(-1e-12);
      }
    });

    test('at rest: no energy, no force; the same wherever it is turned to', () => {
      expect(Math.abs(evaluateElasticEnergy(mesh, mesh.rest))).toBeLessThan(1e-15);
      for (const force of gradientAt(mesh, mesh.rest)) expect(Math.abs(force)).toBeLessThan(1e-14);
      const turned = shape.map((_value, i) => shape[i - (i % 3) + ((i + 1) % 3)] + (i % 3));
      const energy = evaluateElasticEnergy(mesh, shape);
      expect(Math.abs(evaluateElasticEnergy(mesh, turned) - energy)).toBeLessThan(1e-13 * energy);
    });
  });
});

describe('a plate of constant curvature has the energy of its stiffness D and Poisson ratio', () => {
  const [E, nu, t] = [1, 0.3, 0.3];
  const D = (E * t ** 3) / (12 * (1 - nu * nu));
  const N = 12;
  const grid = meshGrid([N, N], [N, N]);
  // skewed and stretched: any regular mesh
  const skewed = { ...grid, vertices: grid.vertices.map((v, i) => (i % 3 === 0 ? v + 0.4 * grid.vertices[i + 1] : v)) };
  const alternating = alternate(grid, N);
  const surfaces = { grid, skewed, alternating, irregular: disturb(grid, N), both: disturb(alternating, N) };
  test.each([
    ['along x', 1, 0, 0],
    ['along y', 0, 1, 0],
    ['along the diagonal', 0.5, 0.5, 0.5],
    ['across the diagonal', 0.5, 0.5, -0.5],
    ['a sphere', 1, 1, 0],
    ['a saddle', 1, -1, 0],
    ['pure twist', 0, 0, 1],
  ])('%s', (_, xx, yy, xy) => {
    for (const surface of Object.values(surfaces)) {
      const mesh = create(surface, { youngsModulus: E, poissonRatio: nu });
      const k = 1e-5;
      const x = mesh.rest.slice();
      for (let v = 0; v < x.length; v += 3) {
        const [a, b] = [x[v], x[v + 1]];
        x[v + 2] = 0.5 * k * (xx * a * a + yy * b * b + 2 * xy * a * b);
      }
      // inner triangles: what their three neighbours tell; the stretch that comes with curvature is of fourth order
      const gradient = gradientAt(mesh, x);
      const inner = [...gradient.keys()].filter((i) => {
        const v = Math.floor(i / 3);
        const [col, row] = [v % (N + 1), Math.floor(v / (N + 1))];
        return i % 3 === 2 && col > 4 && col < N - 4 && row > 4 && row < N - 4;
      });
      // constant moments are in balance
      for (const i of inner) expect(Math.abs(gradient[i])).toBeLessThan(1e-4 * D * k);
      const density = 0.5 * D * k * k * ((1 - nu) * (xx * xx + yy * yy + 2 * xy * xy) + nu * (xx + yy) ** 2);
      const edges = measureInnerEnergy(mesh, x, N);
      expect(Math.abs(edges / density - 1)).toBeLessThan(1e-5);
    }
  });
});

/** Energy of bending per area of the cells that are three away from the border. */
function measureInnerEnergy(mesh: SoftMesh, x: Float64Array, n: number): number {
  const family = mesh.families[0] as ShellTriangles;
  family.evaluate(x);
  let energy = 0;
  let area = 0;
  for (let t = 0; t < family.shape.area.length; t++) {
    const cell = Math.floor(t / 2);
    const [col, row] = [cell % n, Math.floor(cell / n)];
    if (col < 3 || col >= n - 3 || row < 3 || row >= n - 3) continue;
    energy += family.bendingOf(t);
    area += family.shape.area[t];
  }
  return energy / area;
}

test('in a step a fold goes on through half a turn; energy and gradient go with it', () => {
  const mesh = create(meshGrid([2, 1], [2, 1]), { ...BASE, bendingStiffness: 0.2 });
  const family = mesh.families[0];
  // the second cell turned about the line between both, and the corner of the first one bent, so that two angles act on each other
  const fold = (angle: number): Float64Array => {
    const x = mesh.rest.slice();
    for (let v = 0; v < x.length / 3; v++) {
      const away = Math.max(0, mesh.rest[3 * v]);
      x[3 * v] = mesh.rest[3 * v] - away + away * Math.cos(angle);
      x[3 * v + 2] = away * Math.sin(angle);
    }
    x[2] += 0.1;
    return x;
  };
  family.takeStart?.(fold(3));
  const energies = [3.1, 3.12, 3.14, 3.16, 3.18, 3.2].map((angle) => evaluateElasticEnergy(mesh, fold(angle)));
  // second differences of a smooth energy are W'' Δ²; a jump would show as a whole
  const second = energies.slice(2).map((value, k) => value - 2 * energies[k + 1] + energies[k]);
  for (const value of second) expect(Math.abs(value / second[0] - 1)).toBeLessThan(0.05);
  const x = fold(3.2);
  const slopes = differentiate(x, 1e-3, (at) => evaluateElasticEnergy(mesh, at)).flat();
  expect(compareLists(gradientAt(mesh, x), slopes)).toBeLessThan(1e-7);
  // the next step sees the fold from its other side
  family.takeStart?.(x);
  expect(Math.abs(evaluateElasticEnergy(mesh, x) - energies[5])).toBeGreaterThan(1e-3 * energies[5]);
});
