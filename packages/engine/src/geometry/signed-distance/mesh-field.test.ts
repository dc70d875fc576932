import { beforeAll, describe, expect, test } from 'vitest';
import { createTurns, takeCases, takeSamples } from '../../../../../scripts/long-run.ts';
import type { NexdynError } from '../../error.ts';
import {
  gearOutline,
  isInsideMesh,
  isInsideOutline,
  L_HUB,
  L_OUTLINE,
  type Mesh,
  prismMesh,
  sphereMesh,
  torusMesh,
} from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { findNearestOnTriangle, NearestOnTriangle } from '../triangle-distance.ts';
import type { SignedDistanceField } from './field.ts';
import { buildExactMeshField, buildMeshField } from './mesh-field.ts';
import { SurfaceExactField } from './surface-exact-field.ts';
import { computeWindingNumber } from './winding-number.ts';

const takeTurn = createTurns();

const gear = gearOutline(12, 0.8, 1);
const sphere = sphereMesh(1, 24, 12);
const torus = torusMesh(1, 0.3, 36, 16);
const solids: { name: string; mesh: Mesh; spacing: number; isInside(x: number, y: number, z: number): boolean }[] = [
  // the polyhedron is convex, so the ray along z agrees with its planes; both shapes differ from the round ones by facets
  { name: 'sphere', mesh: sphere, spacing: 0.06, isInside: testInsideByBands(sphere) },
  { name: 'torus', mesh: torus, spacing: 0.06, isInside: testInsideByBands(torus) },
  {
    name: 'L-shape',
    mesh: prismMesh(L_OUTLINE, 0.4, L_HUB),
    spacing: 0.05,
    isInside: (x, y, z) => Math.abs(z) < 0.2 && isInsideOutline(L_OUTLINE, x, y),
  },
  {
    name: 'gear',
    mesh: prismMesh(gear, 0.3, [0, 0]),
    spacing: 0.05,
    isInside: (x, y, z) => Math.abs(z) < 0.15 && isInsideOutline(gear, x, y),
  },
];

const POINTS = takeSamples(100_000, 0.05);
const SEEDS = takeCases([7, 107, 207], 3);

/**
 * Every other point in the box of the mesh and two samples around it, where the grid is. The others at a random place of a
 * random triangle, moved by up to a spacing in all directions, half of these by much less.
 */
function scatterPoints(mesh: Mesh, bounds: Float64Array, spacing: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const points = new Float64Array(3 * POINTS);
  for (let i = 0; i < POINTS; i++) {
    if (i % 2 === 0) {
      for (let k = 0; k < 3; k++) {
        points[3 * i + k] = bounds[k] - 2 * spacing + random() * (bounds[3 + k] - bounds[k] + 4 * spacing);
      }
      continue;
    }
    const f = 3 * Math.floor((random() * mesh.faces.length) / 3);
    const [s, t] = [random(), random()];
    const weights = s + t < 1 ? [1 - s - t, s, t] : [s + t - 1, 1 - s, 1 - t];
    const reach = spacing * (i % 4 === 1 ? 1 : 10 ** (-6 * random()));
    for (let k = 0; k < 3; k++) {
      for (let c = 0; c < 3; c++) points[3 * i + k] += weights[c] * mesh.vertices[3 * mesh.faces[f + c] + k];
      points[3 * i + k] += reach * (2 * random() - 1);
    }
  }
  return points;
}

/** As isInsideMesh, with only those faces that reach into the band of y where the point is. */
function testInsideByBands({ vertices, faces }: Mesh): (x: number, y: number, z: number) => boolean {
  const width = 0.05;
  const bands = new Map<number, Mesh>();
  for (let f = 0; f < faces.length; f += 3) {
    const ys = [0, 1, 2].map((c) => vertices[3 * faces[f + c] + 1]);
    for (let b = Math.floor(Math.min(...ys) / width); b <= Math.floor(Math.max(...ys) / width); b++) {
      if (!bands.has(b)) bands.set(b, { vertices, faces: [] });
      bands.get(b)!.faces.push(faces[f], faces[f + 1], faces[f + 2]);
    }
  }
  return (x, y, z) => {
    const band = bands.get(Math.floor(y / width));
    return band !== undefined && isInsideMesh(band, x, y, z);
  };
}

/** Distance to the nearest of all triangles, without a tree. */
function bruteDistance(mesh: Mesh, x: number, y: number, z: number): number {
  const c = new Float64Array(9);
  const nearest = new NearestOnTriangle();
  let best = Infinity;
  for (let f = 0; f < mesh.faces.length; f += 3) {
    for (let i = 0; i < 9; i++) c[i] = mesh.vertices[3 * mesh.faces[f + Math.floor(i / 3)] + (i % 3)];
    best = Math.min(best, findNearestOnTriangle(nearest, c, 0, x, y, z));
  }
  return Math.sqrt(best);
}

describe.each(solids)('$name', ({ mesh, spacing, isInside }) => {
  const test = takeTurn();
  let exact: SignedDistanceField;
  let field: SurfaceExactField;
  let points: Float64Array;
  const distances = new Float64Array(POINTS);

  beforeAll(() => {
    exact = buildExactMeshField(mesh.vertices, mesh.faces);
    field = buildMeshField(mesh.vertices, mesh.faces, spacing) as SurfaceExactField;
    points = scatterPoints(mesh, exact.bounds, spacing, SEEDS[0]);
    for (let i = 0; i < POINTS; i++) distances[i] = exact.distance(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  });

  test.each(SEEDS)(
    `the sign is right at each of ${POINTS} random points, half of them near the surface (seed %i)`,
    (seed) => {
      const scattered = scatterPoints(mesh, exact.bounds, spacing, seed);
      let wrong = 0;
      let wrongOfExact = 0;
      let inside = 0;
      for (let i = 0; i < POINTS; i++) {
        const [x, y, z] = [scattered[3 * i], scattered[3 * i + 1], scattered[3 * i + 2]];
        const expected = isInside(x, y, z);
        if (expected) inside++;
        if (expected !== field.distance(x, y, z) < 0) wrong++;
        if (expected !== exact.distance(x, y, z) < 0) wrongOfExact++;
      }
      expect([wrong, wrongOfExact]).toEqual([0, 0]);
      expect(inside).toBeGreaterThan(0.25 * POINTS);
    },
  );

  test('the exact distance is that of the nearest of all triangles', () => {
    for (let i = 0; i < takeSamples(1000, 0.1); i++) {
      const brute = bruteDistance(mesh, points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      expect(Math.abs(Math.abs(distances[i]) - brute)).toBeLessThan(1e-14);
    }
  });

  test('the field errs by no more than it states and by less than half the distance; near the surface it is exact', () => {
    let worst = 0;
    let near = 0;
    for (let i = 0; i < POINTS; i++) {
      const value = field.distance(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      const error = Math.abs(value - distances[i]);
      const distance = Math.abs(distances[i]);
      worst = Math.max(worst, error);
      if (distance > 0 && error > 0.5 * distance) expect.fail(`${value} instead of ${distances[i]}`);
      if (distance > 0.25 * spacing) continue;
      near++;
      if (error > 1e-15) expect.fail(`${value} instead of ${distances[i]}`);
    }
    expect(near).toBeGreaterThan(0.2 * POINTS);
    expect(worst).toBeLessThan(field.errorBound);
    expect(field.errorBound).toBeLessThan(Math.sqrt(3) * spacing);
  });

  test('values differ by no more than the stated bound times the way, and the gradient is no longer', () => {
    const random = createRandom(8);
    const g = new Float64Array(3);
    for (let i = 0; i < POINTS / 2; i++) {
      // near and far pairs, some beyond the grid
      const reach = random() < 0.5 ? spacing : 3;
      const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
      const [u, v, w] = [0, 1, 2].map(() => reach * (random() - 0.5));
      const change = Math.abs(field.distance(x + u, y + v, z + w) - field.gradient(g, x, y, z));
      if (change > field.lipschitz * Math.hypot(u, v, w) * (1 + 1e-12))
        expect.fail(`${change} from ${[x, y, z, u, v, w]}`);
      if (Math.hypot(...g) > field.lipschitz * (1 + 1e-12)) expect.fail(`gradient ${g} at ${[x, y, z]}`);
    }
    // that of the grid or 1.5, see the header; the grid alone has at most 1.6 on these
    expect(field.lipschitz).toBeGreaterThanOrEqual(1.5);
    expect(field.lipschitz).toBeLessThan(1.6);
  });

  test('the gradient is the slope of the value, near the surface, far from it and beyond the grid', () => {
    const g = new Float64Array(3);
    const e = 1e-6 * spacing;
    let near = 0;
    for (let i = 0; i < takeSamples(20_000, 0.1); i++) {
      // distances from an edge curve as one over the distance: not nearer than a hundredth of the spacing
      if (Math.abs(distances[i]) < 0.01 * spacing) continue;
      const p = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
      if (Math.abs(distances[i]) < spacing) near++;
      if (i % 4 === 2) for (let k = 0; k < 3; k++) p[k] *= 2;
      expect(field.gradient(g, p[0], p[1], p[2])).toBeCloseTo(field.distance(p[0], p[1], p[2]), 13);
      for (let k = 0; k < 3; k++) {
        const [a, b] = [[...p], [...p]];
        a[k] -= e;
        b[k] += e;
        const slope = (field.distance(b[0], b[1], b[2]) - field.distance(a[0], a[1], a[2])) / (2 * e);
        // second derivatives are below 100 / spacing, which moves the slope over the step by 2e-4 at most
        if (Math.abs(slope - g[k]) > 2e-4) expect.fail(`slope ${slope}, gradient ${g[k]} at ${p}`);
      }
    }
    expect(near).toBeGreaterThan(takeSamples(6000, 0.1));
  });

  test('beyond its box the field is at least the distance to the box, and no more than the true distance', () => {
    const random = createRandom(9);
    for (let i = 0; i < takeSamples(5000, 0.1); i++) {
      const p = [0, 1, 2].map(() => 12 * random() - 6);
      const value = field.distance(p[0], p[1], p[2]);
      const away = Math.hypot(...p.map((x, k) => Math.max(field.bounds[k] - x, x - field.bounds[3 + k], 0)));
      if (away === 0) continue;
      expect(value).toBeGreaterThanOrEqual(away - 1e-13);
      expect(value).toBeLessThan(exact.distance(p[0], p[1], p[2]) + field.errorBound);
    }
  });
});

test('a needle-sharp spike keeps its sign', () => {
  // a pyramid of base 0.02 and height 2: near the tip the normals of its faces almost cancel
  const vertices = [-0.01, -0.01, 0, 0.01, -0.01, 0, 0.01, 0.01, 0, -0.01, 0.01, 0, 0, 0, 2];
  const faces = [0, 2, 1, 0, 3, 2, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4];
  const field = buildExactMeshField(vertices, faces);
  const random = createRandom(5);
  for (let i = 0; i < takeSamples(20_000, 0.25); i++) {
    const z = 2.2 * random() - 0.1;
    const [x, y] = [0.03 * (random() - 0.5), 0.03 * (random() - 0.5)];
    const isInside = z > 0 && Math.max(Math.abs(x), Math.abs(y)) < 0.01 * (1 - z / 2);
    expect(field.distance(x, y, z) < 0).toBe(isInside);
  }
});

test('a hollow is outside', () => {
  const outer = sphereMesh(1, 16, 8);
  const inner = sphereMesh(0.5, 16, 8);
  const offset = outer.vertices.length / 3;
  const mesh = {
    vertices: [...outer.vertices, ...inner.vertices],
    faces: [...outer.faces, ...[...inner.faces].reverse().map((v) => v + offset)],
  };
  const field = buildMeshField(mesh.vertices, mesh.faces, 0.1);
  expect(field.distance(0, 0, 0)).toBeGreaterThan(0.4);
  expect(field.distance(0.75, 0, 0)).toBeLessThan(-0.2);
});

test('where a surface passes through itself the winding number decides', () => {
  // two boxes that overlap: the walls inside the other one are no border of the union
  const box = prismMesh([-1, -1, 1, -1, 1, 1, -1, 1], 2, [0, 0]);
  const vertices = [...box.vertices, ...box.vertices.map((x, i) => (i % 3 === 2 ? x + 0.37 : x + 0.93))];
  const faces = [...box.faces, ...box.faces.map((v) => v + box.vertices.length / 3)];
  const field = buildMeshField(vertices, faces, 0.11);
  // no pseudo-normal can be trusted, so the grid stands alone
  expect(field).not.toBeInstanceOf(SurfaceExactField);
  const random = createRandom(6);
  for (let i = 0; i < 5000; i++) {
    const p = [0, 1, 2].map(() => 4 * random() - 1.5);
    const q = p.map((x, k) => Math.abs(x - (k === 2 ? 0.37 : 0.93)));
    const isInside = Math.max(...p.map(Math.abs)) < 1 || Math.max(...q) < 1;
    const d = field.distance(p[0], p[1], p[2]);
    // near any wall, also an inner one, the grid may err
    if (Math.abs(d) > field.errorBound) expect(d < 0).toBe(isInside);
  }
});

test('the winding number is one inside and zero outside', () => {
  const corners = Float64Array.from(torus.faces.flatMap((v) => torus.vertices.slice(3 * v, 3 * v + 3)));
  expect(computeWindingNumber(corners, 1, 0, 0)).toBeCloseTo(1, 12);
  expect(computeWindingNumber(corners, 0, 0, 0)).toBeCloseTo(0, 12);
});

describe('meshes that bound no solid', () => {
  const box = prismMesh([-1, -1, 1, -1, 1, 1, -1, 1], 2, [0, 0]);
  const build = (vertices: number[], faces: number[]) => {
    try {
      buildMeshField(vertices, faces, 0.2, "mesh 'crate'", { path: 'meshes[3]' });
    } catch (error) {
      return error as NexdynError;
    }
    return expect.fail('no error');
  };

  test('open edges are counted and named', () => {
    const error = build(box.vertices, box.faces.slice(3));
    expect(error.code).toBe('invalid-mesh');
    expect(error.path).toBe('meshes[3]');
    const [a, b, c] = box.faces;
    expect(error.reason).toContain("mesh 'crate' is not watertight");
    expect(error.reason).toContain('3 edges with a triangle on one side only');
    for (const [v, w] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      expect(error.reason).toContain(`${Math.min(v, w)}-${Math.max(v, w)} from (`);
    }
    expect(error.reason).toContain('from (-1, -1, -1) to (1, -1, -1)');
  });

  test('edges whose triangles face opposite ways, and crowded edges, are named', () => {
    const turned = [...box.faces];
    [turned[1], turned[2]] = [turned[2], turned[1]];
    expect(build(box.vertices, turned).reason).toMatch(/3 edges whose two triangles face opposite ways: .*0-1 from/);
    const fin = [...box.faces, 0, 1, 6];
    expect(build(box.vertices, fin).reason).toMatch(/with a triangle on one side only: .*more than two triangles/);
  });

  test('inside out, no area, no finite vertex, no such vertex, no triangles, no spacing, too fine, too coarse', () => {
    expect(build(box.vertices, [...box.faces].reverse()).reason).toContain('inside out');
    expect(build(box.vertices, [...box.faces, 0, 0, 1]).reason).toMatch(/triangle 16 .* has no area/);
    expect(build([Number.NaN, ...box.vertices.slice(1)], box.faces).reason).toContain('vertex 0');
    expect(build(box.vertices, [...box.faces.slice(0, -1), 99]).reason).toContain('no vertex 99');
    expect(build([], []).code).toBe('invalid-mesh');
    expect(() => buildMeshField(box.vertices, box.faces, 0)).toThrow(/spacing of 0/);
    expect(() => buildMeshField(box.vertices, box.faces, 1e-3)).toThrow(/more than 16777216/);
    const sheet = prismMesh([0, 0, 1, 0, 1, 1], 0.01, [0.7, 0.3]);
    expect(() => buildMeshField(sheet.vertices, sheet.faces, 0.4)).toThrow(/too thin for a spacing of 0.4/);
  });

  test('triangles with vertices of their own are joined where these coincide', () => {
    const vertices = box.faces.flatMap((v) => box.vertices.slice(3 * v, 3 * v + 3));
    const faces = box.faces.map((_, i) => i);
    const field = buildMeshField(vertices, faces, 0.2);
    expect(field.distance(0, 0, 0)).toBe(buildMeshField(box.vertices, box.faces, 0.2).distance(0, 0, 0));
  });
});
