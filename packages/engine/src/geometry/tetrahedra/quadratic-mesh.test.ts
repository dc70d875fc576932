import { expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import { meshBox } from './box-mesher.ts';
import { extractSurface } from './mesh-surface.ts';
import { addMiddleVertices } from './quadratic-mesh.ts';
import { computeSixfoldVolume, computeVolume } from './tetrahedral-mesh.ts';

test('parts fill the elements: same volume, all positive, four triangles for each one of the surface', () => {
  const random = createRandom(5);
  const linear = meshBox([0.3, 0.2, 0.1], [3, 2, 2]);
  const bent = { vertices: linear.vertices.map((x) => x + 0.02 * (random() - 0.5)), tetrahedra: linear.tetrahedra };
  const mesh = addMiddleVertices(bent);
  expect(mesh.vertices.subarray(0, bent.vertices.length)).toEqual(bent.vertices);
  expect(mesh.nodes.length).toBe((10 * bent.tetrahedra.length) / 4);
  expect(Math.abs(computeVolume(mesh) / computeVolume(bent) - 1)).toBeLessThan(1e-12);
  for (let t = 0; t < mesh.tetrahedra.length; t += 4)
    expect(computeSixfoldVolume(mesh.vertices, mesh.tetrahedra, t)).toBeGreaterThan(0);
  expect(extractSurface(mesh).triangles.length).toBe(4 * extractSurface(bent).triangles.length);
  // edges of a closed mesh: V − E + F − T = 1 for a ball
  const [v, t] = [bent.vertices.length / 3, bent.tetrahedra.length / 4];
  const faces = 2 * t + extractSurface(bent).triangles.length / 6;
  expect(mesh.vertices.length / 3 - v).toBe(v + faces - t - 1);
});
