import { describe, expect, test } from 'vitest';
import { meshBall } from './ball-mesher.ts';
import { meshBox } from './box-mesher.ts';
import { computeEulerCharacteristic, computeTriangleArea, computeVertexAreas, extractSurface } from './mesh-surface.ts';
import { splitSurfaceTetrahedra } from './surface-split.ts';
import { computeSixfoldVolume, computeVolume, computeVolumes, type TetrahedralMesh } from './tetrahedral-mesh.ts';

/** Faces that occur once, as sorted triples: every face against every other. */
function listBoundary({ tetrahedra }: TetrahedralMesh): string[] {
  const seen = new Map<string, number>();
  for (let o = 0; o < tetrahedra.length; o += 4) {
    for (let k = 0; k < 4; k++) {
      const key = [0, 1, 2, 3]
        .filter((i) => i !== k)
        .map((i) => tetrahedra[o + i])
        .sort((a, b) => a - b)
        .join(' ');
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  }
  return [...seen]
    .filter(([, count]) => count === 1)
    .map(([key]) => key)
    .sort();
}

const meshes: [string, TetrahedralMesh, area: number, volume: number][] = [
  ['box', meshBox([0.5, 1, 1.5], [2, 3, 4]), 22, 6],
  ['single cell', meshBox([0.5, 0.5, 0.5], [1, 1, 1]), 6, 1],
];

describe('surface', () => {
  test.each(meshes)('of a %s is its boundary, faces out, with its area and volume', (_, mesh, area, volume) => {
    const surface = extractSurface(mesh);
    const triples = Array.from({ length: surface.triangles.length / 3 }, (__, t) =>
      [...surface.triangles.subarray(3 * t, 3 * t + 3)].sort((a, b) => a - b).join(' '),
    );
    expect(triples.sort()).toEqual(listBoundary(mesh));
    // pyramids from the origin sum to the volume only if every triangle faces out
    let sixfold = 0;
    const points = Float64Array.of(...mesh.vertices, 0, 0, 0);
    for (let t = 0; t < surface.triangles.length; t += 3) {
      const corners = [mesh.vertices.length / 3, ...surface.triangles.subarray(t, t + 3)];
      sixfold += computeSixfoldVolume(points, corners, 0);
    }
    expect(sixfold / 6).toBeCloseTo(volume, 12);
    expect(computeVolume(mesh)).toBeCloseTo(volume, 12);
    const areas = computeVertexAreas(mesh.vertices, surface.triangles);
    expect(areas.reduce((sum, a) => sum + a, 0)).toBeCloseTo(area, 12);
    expect(computeEulerCharacteristic(surface.triangles)).toBe(2);
  });

  test('every triangle belongs to its tetrahedron, opposite to the corner named', () => {
    const mesh = meshBall(1, 0.4);
    const surface = extractSurface(mesh);
    surface.tetrahedra.forEach((t, i) => {
      const corners = [...mesh.tetrahedra.subarray(4 * t, 4 * t + 4)];
      const triangle = surface.triangles.subarray(3 * i, 3 * i + 3);
      expect(corners).toEqual(expect.arrayContaining([...triangle]));
      expect(triangle).not.toContain(corners[surface.opposite[i]]);
      expect(computeTriangleArea(mesh.vertices, surface.triangles, 3 * i)).toBeGreaterThan(0);
    });
  });

  test('interior vertices are those off the sphere', () => {
    const { vertices, tetrahedra } = meshBall(2, 0.7);
    const { isSurface, vertices: listed } = extractSurface({ vertices, tetrahedra });
    const onSphere = Array.from(isSurface, (__, v) => Math.hypot(...vertices.subarray(3 * v, 3 * v + 3)) > 2 - 1e-12);
    expect(Array.from(isSurface, (flag) => flag === 1)).toEqual(onSphere);
    expect([...listed]).toEqual(onSphere.flatMap((is, v) => (is ? [v] : [])));
  });
});

describe('split of tetrahedra with all vertices on the surface', () => {
  test('each gets an interior vertex; the volume and the surface stay', () => {
    const mesh = meshBox([0.5, 0.5, 0.5], [1, 1, 1]);
    const split = splitSurfaceTetrahedra(mesh);
    expect(split.tetrahedra).toHaveLength(4 * 20);
    expect(split.vertices).toHaveLength(3 * 13);
    expect(computeVolume(split)).toBeCloseTo(1, 14);
    expect(Math.min(...computeVolumes(split))).toBeGreaterThan(0);
    expect(listBoundary(split)).toEqual(listBoundary(mesh));
    const { isSurface } = extractSurface(split);
    for (let o = 0; o < split.tetrahedra.length; o += 4) {
      const corners = [...split.tetrahedra.subarray(o, o + 4)];
      expect(corners.some((v) => isSurface[v] === 0)).toBe(true);
    }
    // once is enough
    expect(splitSurfaceTetrahedra(split)).toBe(split);
  });

  test('a ball has none', () => {
    const mesh = meshBall(1, 1.2);
    expect(splitSurfaceTetrahedra(mesh)).toBe(mesh);
  });
});
