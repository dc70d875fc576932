import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { gearOutline, L_HUB, L_OUTLINE, type Mesh, prismMesh, torusMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { measureKeptMemory } from '../../testing/heap-growth.ts';
import { findUncertainCells } from './certain-cells.ts';
import { closeMesh } from './closed-mesh.ts';
import { ExactMeshField } from './exact-mesh-field.ts';
import { GridField } from './grid-field.ts';
import { listNearbyTriangles } from './nearby-triangles.ts';
import { SurfaceExactField } from './surface-exact-field.ts';

const PADDING = 3;

/** The field of a mesh with certain cells and lists, and with a search through the tree everywhere. */
function buildTwins(mesh: Mesh, spacing: number) {
  const exact = new ExactMeshField(closeMesh(mesh.vertices, mesh.faces, 'the mesh'));
  const b = exact.bounds;
  const counts = [0, 1, 2].map((k) => Math.ceil((b[3 + k] - b[k]) / spacing) + 1 + 2 * PADDING);
  const origin = [0, 1, 2].map((k) => b[k] - PADDING * spacing);
  const values = new Float64Array(counts[0] * counts[1] * counts[2]);
  const nearest = new Int32Array(values.length);
  for (let n = 0; n < values.length; n++) {
    const at = [n % counts[0], Math.floor(n / counts[0]) % counts[1], Math.floor(n / counts[0] / counts[1])];
    const [x, y, z] = at.map((i, k) => origin[k] + i * spacing);
    values[n] = exact.distance(x, y, z);
    nearest[n] = exact.nearest;
  }
  const grid = new GridField({ origin, spacing, counts, values });
  const isUncertain = findUncertainCells(grid, values, counts);
  const nearby = listNearbyTriangles(isUncertain, grid, exact, values, counts, nearest);
  const field = new SurfaceExactField(grid, exact, nearby);
  const everywhere = { starts: new Int32Array(isUncertain.length), lists: Int32Array.of(0, 0) };
  const searching = new SurfaceExactField(grid, exact, everywhere);
  return { exact, grid, nearby, field, searching };
}

describe.each([
  { name: 'torus', mesh: torusMesh(1, 0.3, 36, 16), spacing: 0.06 },
  { name: 'L-shape', mesh: prismMesh(L_OUTLINE, 0.4, L_HUB), spacing: 0.043 },
  { name: 'gear', mesh: prismMesh(gearOutline(12, 0.8, 1), 0.3, [0, 0]), spacing: 0.05 },
])('$name', ({ mesh, spacing }) => {
  const { exact, grid, nearby, field, searching } = buildTwins(mesh, spacing);

  test('cells without a search are those where it changes nothing, and lists hold the nearest triangle', () => {
    const random = createRandom(11);
    const [g, h] = [new Float64Array(3), new Float64Array(3)];
    const { bounds: b } = field;
    let same = 0;
    const points = takeSamples(60_000, 0.1);
    for (let i = 0; i < points; i++) {
      const [x, y, z] = [0, 1, 2].map((k) => b[k] + random() * (b[3 + k] - b[k]));
      const value = field.gradient(g, x, y, z);
      expect(value).toBeCloseTo(searching.gradient(h, x, y, z), 14);
      for (let k = 0; k < 3; k++) if (Math.abs(g[k] - h[k]) > 1e-9) expect.fail(`${g} and ${h} at ${[x, y, z]}`);
      if (value === grid.distance(x, y, z)) same++;
    }
    expect(same).toBeGreaterThan(points / 3);
    const { starts, lists } = nearby;
    expect(starts.filter((start) => start < 0).length).toBeGreaterThan(0.2 * starts.length);
    // the twins differ in how they search
    expect(starts.some((start) => start >= 0 && lists[start] > 0)).toBe(true);
  });

  test('the value is that of the formula: the grid, limited by a margin around the exact distance', () => {
    const random = createRandom(12);
    const { bounds: b } = exact;
    let limited = 0;
    const points = takeSamples(20_000, 0.2);
    for (let i = 0; i < points; i++) {
      const [x, y, z] = [0, 1, 2].map((k) => b[k] + random() * (b[3 + k] - b[k]));
      const phi = exact.distance(x, y, z);
      const s = Math.max(Math.abs(phi) - spacing / 4, 0);
      const m = (0.5 * s * s) / (s + spacing / 4);
      const u = Math.abs(grid.distance(x, y, z) - phi) / m;
      const part = u < 0.75 ? u : u < 1.25 ? u - (u - 0.75) ** 2 : 1;
      if (u > 0.75) limited++;
      const expected = m > 0 ? phi + Math.sign(grid.distance(x, y, z) - phi) * m * part : phi;
      expect(field.distance(x, y, z)).toBeCloseTo(expected, 13);
    }
    expect(limited).toBeGreaterThan(points / 40);
  });
});

test('values and gradients keep no memory', () => {
  const { field } = buildTwins(torusMesh(1, 0.3, 36, 16), 0.06);
  const g = new Float64Array(3);
  let sum = 0;
  // across the ring, near the surface and far from it
  const query = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const x = 0.6 + (0.8 * (i % 1000)) / 1000;
      sum += field.distance(x, 0.1, 0.05) + field.gradient(g, x, -0.2, 0.1);
    }
  };
  query(50_000);
  // numbers that pass through calls may be boxed on their way; nothing is kept
  expect(measureKeptMemory(() => query(20_000), 20_000)).toBeLessThan(20_000);
  expect(Number.isFinite(sum)).toBe(true);
});
