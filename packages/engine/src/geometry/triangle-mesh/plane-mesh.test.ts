import { describe, expect, test } from 'vitest';
import { L_HUB, L_OUTLINE, prismMesh, torusMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { randomQuaternion, toMatrix } from '../../testing/pair-poses.ts';
import { collide, leastGap } from '../../testing/surface-pairs.ts';
import { boxMesh } from '../../testing/surfaces.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { testPlaneMesh } from './plane-mesh.ts';

describe('plane and triangle mesh', () => {
  const samples = [torusMesh(1, 0.3, 30, 16), prismMesh(L_OUTLINE, 0.7, L_HUB), boxMesh(1, 0.5, 0.2, 5)];

  test('the least gap is that of the lowest vertex, and every point stands on its vertex', () => {
    const random = createRandom(4);
    for (const { vertices, faces } of samples) {
      const mesh = buildTriangleMesh(vertices, faces, 'mesh');
      for (let i = 0; i < 200; i++) {
        const a = placeShape(SHAPE.plane, [], [random(), random(), random()], toMatrix(randomQuaternion(random)));
        const b = placeShape(
          SHAPE.triangleMesh,
          [],
          [random(), 2 * random(), random()],
          toMatrix(randomQuaternion(random)),
          { mesh },
        );
        const n = [a.rotation[2], a.rotation[5], a.rotation[8]];
        const heights = Array.from({ length: vertices.length / 3 }, (_, v) =>
          [0, 1, 2].reduce((sum, r) => {
            const world =
              b.position[r] +
              b.rotation[3 * r] * vertices[3 * v] +
              b.rotation[3 * r + 1] * vertices[3 * v + 1] +
              b.rotation[3 * r + 2] * vertices[3 * v + 2];
            return sum + n[r] * (world - a.position[r]);
          }, 0),
        );
        const lowest = Math.min(...heights);
        const reach = 0.05;
        const found = collide(testPlaneMesh, a, b, reach);
        expect(found.count > 0).toBe(lowest <= reach);
        expect(found.count).toBeLessThanOrEqual(8);
        if (found.count > 0) expect(leastGap(found)).toBeCloseTo(lowest, 9);
        for (let c = 0; c < found.count; c++) {
          expect(found.gap[c]).toBeCloseTo(heights[found.feature[c]], 12);
          for (let k = 0; k < 3; k++) expect(found.normal[3 * c + k]).toBeCloseTo(n[k], 12);
        }
        const endless = collide(testPlaneMesh, a, b, Infinity);
        expect(leastGap(endless)).toBeCloseTo(lowest, 12);
      }
    }
  });

  test('a box mesh standing on the plane has its four corners as contacts', () => {
    const { vertices, faces } = boxMesh(1, 0.5, 0.2, 1);
    const b = placeShape(SHAPE.triangleMesh, [], [0, 0, 0.199], undefined, {
      mesh: buildTriangleMesh(vertices, faces, 'box'),
    });
    const found = collide(testPlaneMesh, placeShape(SHAPE.plane, []), b, 0);
    expect(found.count).toBe(4);
    for (let c = 0; c < 4; c++) {
      expect(found.gap[c]).toBeCloseTo(-0.001, 12);
      expect(Math.abs(found.position[3 * c])).toBeCloseTo(1, 12);
      expect(found.position[3 * c + 2]).toBeCloseTo(-0.0005, 12);
    }
  });
});
