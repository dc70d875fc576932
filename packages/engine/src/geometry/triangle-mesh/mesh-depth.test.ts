import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { type Mesh, sphereMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { toMatrix } from '../../testing/pair-poses.ts';
import { collide, leastGap, MOVERS, mixedQuaternion, placeMover } from '../../testing/surface-pairs.ts';
import { boxMesh } from '../../testing/surfaces.ts';
import { buildPolyhedron } from '../convex/build-polyhedron.ts';
import { closestPoints } from '../convex/convex-distance.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { findMeshPair } from './mesh-pairs.ts';

// convex solids as meshes: the depth must be that of the general convex method on their hulls
const SOLIDS: [string, Mesh][] = [
  ['box of 12 triangles', boxMesh(0.5, 0.4, 0.3, 1)],
  ['box of 192 triangles', boxMesh(0.5, 0.4, 0.3, 4)],
  ['ball', sphereMesh(0.5, 10, 6)],
];

describe.each(SOLIDS)('%s', (name, data) => {
  const mesh = buildTriangleMesh(data.vertices, data.faces, name);
  const placed = placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, { mesh });
  const hull = buildPolyhedron(data.vertices, undefined, name);
  const solid = placeShape(SHAPE.convexMesh, [], [0, 0, 0], undefined, { hull });
  const witness = { pointA: new Float64Array(3), pointB: new Float64Array(3), normal: new Float64Array(3) };

  test.each(MOVERS)('%s: shallow depths are those of the hull, deep ones are never lost', (_, kind, size) => {
    const random = createRandom(kind);
    const shape = placeMover(kind, size);
    let shallow = 0;
    let deep = 0;
    for (let i = 0; i < takeSamples(1500, 0.15); i++) {
      shape.rotation.set(toMatrix(mixedQuaternion(random)));
      for (let k = 0; k < 3; k++) shape.position[k] = 1.8 * (random() - 0.5);
      const depth = closestPoints(witness, shape, solid);
      const found = collide(findMeshPair(kind, SHAPE.triangleMesh), shape, placed, 0);
      if (depth > 1e-9) expect(found.count).toBe(0);
      else if (depth > -0.05) {
        shallow++;
        expect(Math.abs(leastGap(found) - depth)).toBeLessThan(1e-6);
      } else {
        deep++;
        expect(leastGap(found)).toBeLessThan(0);
        for (let c = 0; c < found.count; c++) {
          expect(Number.isFinite(found.gap[c])).toBe(true);
          expect(Math.hypot(...found.normal.slice(3 * c, 3 * c + 3))).toBeCloseTo(1, 9);
        }
      }
    }
    expect(shallow).toBeGreaterThan(takeSamples(50, 0.1));
    expect(deep).toBeGreaterThan(takeSamples(200, 0.15));
  });
});
