import { describe, expect, test } from 'vitest';
import { longTest, takeSamples } from '../../../../scripts/long-run.ts';
import { createRandom } from './box-sets.ts';
import { torusMesh } from './closed-meshes.ts';
import {
  edgesMeet,
  findIntersections,
  meetsTriangle,
  orient3,
  orient3Exactly,
  type WorldMesh,
} from './exact-intersection.ts';

/** A row Σ row[k] z_k + row[last] ≥ 0 with whole numbers. */
type Row = bigint[];

/** Whether some z fulfils all rows: Fourier-Motzkin elimination, without rounding. */
function isFeasible(rows: Row[], variables: number): boolean {
  let left = rows;
  for (let k = 0; k < variables; k++) {
    const next = left.filter((row) => row[k] === 0n);
    for (const up of left.filter((row) => row[k] > 0n)) {
      for (const down of left.filter((row) => row[k] < 0n)) {
        next.push(up.map((value, i) => value * -down[k] + down[i] * up[k]));
      }
    }
    // equal rows up to their scale once
    left = [...new Map(next.map((row) => [reduceRow(row).join(), reduceRow(row)])).values()];
  }
  return left.every((row) => row[variables] >= 0n);
}

function reduceRow(row: Row): Row {
  let divisor = 0n;
  for (let value of row) {
    value = value < 0n ? -value : value;
    while (value > 0n) [divisor, value] = [value, divisor % value];
  }
  return divisor > 1n ? row.map((value) => value / divisor) : row;
}

/** p + s (q − p) = a + u (b − a) + v (c − a) with 0 ≤ s ≤ 1, u, v ≥ 0, u + v ≤ 1: the twin of meetsTriangle. */
function meetsByElimination(x: Float64Array): boolean {
  const at = (o: number, k: number): bigint => BigInt(x[o + k] * 2 ** 70);
  const rows: Row[] = [
    [1n, 0n, 0n, 0n],
    [-1n, 0n, 0n, 1n],
    [0n, 1n, 0n, 0n],
    [0n, 0n, 1n, 0n],
    [0n, -1n, -1n, 1n],
  ];
  for (let k = 0; k < 3; k++) {
    const row = [at(3, k) - at(0, k), at(6, k) - at(9, k), at(6, k) - at(12, k), at(0, k) - at(6, k)];
    rows.push(
      row,
      row.map((value) => -value),
    );
  }
  return isFeasible(rows, 3);
}

describe('edge and triangle against elimination in whole numbers', () => {
  const kinds: Record<string, (random: () => number) => number> = {
    'on a grid of 3: most touch or lie in one plane': (random) => Math.floor(3 * random()),
    'on a grid of 5': (random) => Math.floor(5 * random()) / 8,
    'on tenths, which doubles only come near to': (random) => 0.1 * Math.floor(7 * random()),
    'anywhere in [1, 2)': (random) => 1 + random() * (1 - 2 ** -30),
  };
  for (const [name, draw] of Object.entries(kinds)) {
    test(name, () => {
      const random = createRandom(11);
      const x = new Float64Array(15);
      let met = 0;
      const count = takeSamples(400, 0.2);
      for (let n = 0; n < count; n++) {
        for (let k = 0; k < 15; k++) x[k] = draw(random);
        const expected = meetsByElimination(x);
        if (expected) met++;
        expect(meetsTriangle(x, 0, 3, 6, 9, 12), x.join(' ')).toBe(expected);
        // the same whichever way round
        expect(meetsTriangle(x, 3, 0, 12, 9, 6), x.join(' ')).toBe(expected);
      }
      expect(met).toBeGreaterThan(0.05 * count);
      expect(met).toBeLessThan(0.95 * count);
    });
  }
});

test('cases: through, touching, in one plane, without area', () => {
  const meets = (p: number[], q: number[], a: number[], b: number[], c: number[]): boolean =>
    meetsTriangle(Float64Array.of(...p, ...q, ...a, ...b, ...c), 0, 3, 6, 9, 12);
  const flat: [number[], number[], number[]] = [
    [0, 0, 0],
    [4, 0, 0],
    [0, 4, 0],
  ];
  expect(meets([1, 1, -1], [1, 1, 1], ...flat)).toBe(true);
  expect(meets([3, 3, -1], [3, 3, 1], ...flat)).toBe(false);
  // an end on the face, on an edge, on a corner; through an edge and through a corner
  expect(meets([1, 1, 0], [1, 1, 1], ...flat)).toBe(true);
  expect(meets([2, 2, 0], [2, 2, 1], ...flat)).toBe(true);
  expect(meets([0, 0, 0], [0, 0, 1], ...flat)).toBe(true);
  expect(meets([2, 2, -1], [2, 2, 1], ...flat)).toBe(true);
  expect(meets([4, 0, -1], [4, 0, 1], ...flat)).toBe(true);
  // one step of a double beyond
  expect(meets([1, 1, Number.MIN_VALUE], [1, 1, 1], ...flat)).toBe(false);
  expect(meets([2, 2 + 2 ** -51, -1], [2, 2 + 2 ** -51, 1], ...flat)).toBe(false);
  expect(meets([2, 2 - 2 ** -52, -1], [2, 2 - 2 ** -52, 1], ...flat)).toBe(true);
  // in the plane: inside, across, along an edge, beside
  expect(meets([1, 1, 0], [0.5, 1, 0], ...flat)).toBe(true);
  expect(meets([-1, 1, 0], [5, 1, 0], ...flat)).toBe(true);
  expect(meets([-1, 0, 0], [9, 0, 0], ...flat)).toBe(true);
  expect(meets([5, 0, 0], [9, 0, 0], ...flat)).toBe(false);
  expect(meets([0, 5, 0], [5, 0, 0], ...flat)).toBe(false);
  // no area, no length
  expect(meets([1, -1, 0], [1, 1, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0])).toBe(true);
  expect(meets([3, -1, 0], [3, 1, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0])).toBe(false);
  expect(meets([1, 1, 0], [1, 1, 0], ...flat)).toBe(true);
  expect(meets([1, 1, 1], [1, 1, 1], ...flat)).toBe(false);
});

test('the sign of a determinant does not depend on whether the filter decides', () => {
  const random = createRandom(3);
  const x = new Float64Array(12);
  let zeros = 0;
  for (let n = 0; n < 2000; n++) {
    for (let k = 0; k < 9; k++) x[k] = 1 + Math.floor(random() * 8) * 0.1;
    // a point in the plane of the others but for rounding
    const [u, v] = [Math.floor(random() * 5) / 4, Math.floor(random() * 5) / 4];
    for (let k = 0; k < 3; k++) x[9 + k] = x[k] + u * (x[3 + k] - x[k]) + v * (x[6 + k] - x[k]);
    const exact = orient3Exactly(x, 0, 3, 6, 9);
    if (exact === 0) zeros++;
    expect(orient3(x, 0, 3, 6, 9)).toBe(exact);
  }
  expect(zeros).toBeGreaterThan(100);
  expect(zeros).toBeLessThan(1900);
  // tetrahedron of the axes: d on the side to which det [b − a, c − a, d − a] > 0
  expect(orient3(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), 0, 3, 6, 9)).toBe(1);
  // numbers whose products vanish
  expect(orient3(Float64Array.of(0, 0, 0, 1e-200, 0, 0, 0, 1e-200, 0, 0, 0, -1e-200), 0, 3, 6, 9)).toBe(-1);
});

test('edges meet in space only where they do', () => {
  const meet = (...points: number[]): boolean => edgesMeet(Float64Array.from(points), 0, 3, 6, 9);
  expect(meet(0, 0, 0, 2, 2, 2, 0, 2, 0, 2, 0, 2)).toBe(true);
  expect(meet(0, 0, 0, 2, 2, 2, 0, 2, 0, 2, 0, 2 + 2 ** -51)).toBe(false);
  expect(meet(0, 0, 0, 1, 1, 1, 1, 1, 1, 3, 2, 5)).toBe(true);
  expect(meet(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3)).toBe(false);
});

longTest('meshes: by trees as by looking at every pair; linked rings are apart, shifted ones are not', () => {
  const ring = torusMesh(1, 0.3, 24, 12);
  const triangles = Int32Array.from(ring.faces);
  const edges = Int32Array.from(
    ring.faces.flatMap((v, k) => {
      const next = ring.faces[k % 3 === 2 ? k - 2 : k + 1];
      return v < next ? [v, next] : [];
    }),
  );
  const place = (map: (x: number, y: number, z: number) => number[]): WorldMesh => {
    const vertices = new Float64Array(ring.vertices.length);
    for (let v = 0; v < vertices.length; v += 3) {
      vertices.set(map(ring.vertices[v], ring.vertices[v + 1], ring.vertices[v + 2]), v);
    }
    return { vertices, edges, triangles };
  };
  const still = place((x, y, z) => [x, y, z]);
  const linked = place((x, y, z) => [x + 1, z, y]);
  expect(findIntersections([still, linked])).toEqual([]);
  const crossing = place((x, y, z) => [x + 0.55, z + 0.02, y + 0.01]);
  const found = findIntersections([still, crossing]);
  const x = new Float64Array(15);
  const all: typeof found = [];
  const meshes = [still, crossing];
  for (let a = 0; a < 2; a++) {
    for (let edge = 0; edge < edges.length / 2; edge++) {
      for (let triangle = 0; triangle < triangles.length / 3; triangle++) {
        const corners = [edges[2 * edge], edges[2 * edge + 1], ...triangles.subarray(3 * triangle, 3 * triangle + 3)];
        corners.forEach((v, c) => {
          x.set(meshes[c < 2 ? a : 1 - a].vertices.subarray(3 * v, 3 * v + 3), 3 * c);
        });
        if (meetsTriangle(x, 0, 3, 6, 9, 12)) all.push({ edgeMesh: a, edge, triangleMesh: 1 - a, triangle });
      }
    }
  }
  const key = (i: (typeof found)[number]): string => `${i.edgeMesh} ${i.edge} ${i.triangle}`;
  expect(found.map(key).sort()).toEqual(all.map(key).sort());
  expect(all.length).toBeGreaterThan(20);
  expect(findIntersections(meshes, () => false)).toEqual([]);
});
