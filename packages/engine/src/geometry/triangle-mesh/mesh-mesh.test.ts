import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { type Mesh, sphereMesh, torusMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { smallTurn, toMatrix } from '../../testing/pair-poses.ts';
import { collide, leastGap, mixedQuaternion } from '../../testing/surface-pairs.ts';
import { boxMesh, gridMesh } from '../../testing/surfaces.ts';
import { buildPolyhedron } from '../convex/build-polyhedron.ts';
import { closestPoints } from '../convex/convex-distance.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { testMeshMesh } from './mesh-mesh.ts';

function placeMesh(data: Mesh, position: number[] = [0, 0, 0], rotation?: number[]): PlacedShape {
  const mesh = buildTriangleMesh(data.vertices, data.faces, 'mesh');
  return placeShape(SHAPE.triangleMesh, [], position, rotation, { mesh });
}

describe('two convex solids as meshes', () => {
  const pairs: [string, Mesh, Mesh][] = [
    ['boxes', boxMesh(0.2, 0.3, 0.15, 2), boxMesh(0.5, 0.4, 0.3, 2)],
    ['box and ball', boxMesh(0.2, 0.3, 0.15, 2), sphereMesh(0.5, 10, 6)],
    ['ball and box', sphereMesh(0.25, 7, 4), boxMesh(0.5, 0.4, 0.3, 1)],
  ];
  test.each(pairs)(
    '%s: distances and shallow depths are those of the hulls, deep ones are never lost',
    (_, dataA, dataB) => {
      const random = createRandom(13);
      const a = placeMesh(dataA);
      const b = placeMesh(dataB);
      const hullA = buildPolyhedron(dataA.vertices, undefined, 'a');
      const hullB = buildPolyhedron(dataB.vertices, undefined, 'b');
      const witness = { pointA: new Float64Array(3), pointB: new Float64Array(3), normal: new Float64Array(3) };
      const solidB = placeShape(SHAPE.convexMesh, [], [0, 0, 0], undefined, { hull: hullB });
      let near = 0;
      for (let i = 0; i < takeSamples(500, 0.25); i++) {
        a.rotation.set(toMatrix(mixedQuaternion(random)));
        for (let k = 0; k < 3; k++) a.position[k] = 1.8 * (random() - 0.5);
        const solidA = placeShape(SHAPE.convexMesh, [], a.position, a.rotation, { hull: hullA });
        const gap = closestPoints(witness, solidA, solidB);
        const found = collide(testMeshMesh, a, b, 0.1);
        if (gap > 0.1) {
          expect(found.count).toBe(0);
          continue;
        }
        if (gap > -0.02) {
          near++;
          expect(Math.abs(leastGap(found) - gap)).toBeLessThan(1e-6);
        } else expect(leastGap(found)).toBeLessThan(0);
      }
      expect(near).toBeGreaterThan(takeSamples(40, 0.25));
    },
  );
});

describe('resting faces', () => {
  test.each([1, 3])('a box mesh on one of the same size, faces divided by %i: four corners, straight up', (n) => {
    for (const depth of [1e-5, 1e-3, 0.01]) {
      const a = placeMesh(boxMesh(0.5, 0.5, 0.5, n), [0, 0, 1 - depth]);
      const b = placeMesh(boxMesh(0.5, 0.5, 0.5, n));
      const found = collide(testMeshMesh, a, b, 0);
      expect(found.count).toBeGreaterThanOrEqual(4);
      expect(found.count).toBeLessThanOrEqual(8);
      const corners = new Set<string>();
      for (let i = 0; i < found.count; i++) {
        expect(found.gap[i]).toBeCloseTo(-depth, 12);
        expect(found.normal[3 * i + 2]).toBe(-1);
        const [x, y] = [found.position[3 * i], found.position[3 * i + 1]];
        if (Math.abs(Math.abs(x) - 0.5) < 1e-9 && Math.abs(Math.abs(y) - 0.5) < 1e-9) corners.add(`${x > 0},${y > 0}`);
      }
      expect(corners.size).toBe(4);
    }
  });

  test('a box mesh anywhere on a triangulated floor: no sideways normal', () => {
    const random = createRandom(7);
    const floor = placeMesh(gridMesh(2, 8));
    const box = placeMesh(boxMesh(0.2, 0.3, 0.1, 2));
    for (let i = 0; i < takeSamples(200, 0.3); i++) {
      const depth = i % 2 ? 1e-3 : 0.02;
      box.position.set([2 * random() - 1, 2 * random() - 1, 0.1 - depth]);
      const angle = 3 * random();
      box.rotation.set([Math.cos(angle), -Math.sin(angle), 0, Math.sin(angle), Math.cos(angle), 0, 0, 0, 1]);
      const found = collide(testMeshMesh, box, floor, 0);
      expect(found.count).toBeGreaterThanOrEqual(4);
      expect(leastGap(found)).toBeCloseTo(-depth, 9);
      for (let c = 0; c < found.count; c++) {
        expect(Math.hypot(found.normal[3 * c], found.normal[3 * c + 1])).toBeLessThan(1e-9);
      }
    }
  });

  test('thin plates with a gap between them do not touch', () => {
    const random = createRandom(1);
    for (let i = 0; i < takeSamples(50, 0.3); i++) {
      const a = placeMesh(boxMesh(0.5, 0.5, 0.001, 2), [0.1, 0.2, 0.007], toMatrix(smallTurn(random, 0.002)));
      expect(collide(testMeshMesh, a, placeMesh(boxMesh(0.5, 0.5, 0.001, 2)), 0).count).toBe(0);
    }
  });
});

describe('meshes that are not convex', () => {
  const ring = torusMesh(1, 0.2, 32, 16);
  const tube = Math.sqrt(0.5);

  test('linked rings touch nothing until they meet', () => {
    const a = placeMesh(ring);
    // a second ring through the hole of the first, at right angles
    const turned = [1, 0, 0, 0, 0, -1, 0, 1, 0];
    const b = placeMesh(ring, [1, 0, 0], turned);
    expect(collide(testMeshMesh, b, a, 0).count).toBe(0);
    // pulled outwards: its inner side meets the inner side of the first at 2 · (1 − 0.2) = 1.6
    expect(collide(testMeshMesh, placeMesh(ring, [1.55, 0, 0], turned), a, 0).count).toBe(0);
    const found = collide(testMeshMesh, placeMesh(ring, [1.61, 0, 0], turned), a, 0);
    expect(found.count).toBeGreaterThan(0);
    expect(leastGap(found)).toBeLessThan(0);
    expect(leastGap(found)).toBeGreaterThan(-0.03);
    // B is pulled back towards the middle of A: normals from B to A point along +x
    for (let c = 0; c < found.count; c++) expect(found.normal[3 * c]).toBeGreaterThan(tube);
  });

  test('a small mesh wholly inside a large one is pushed out', () => {
    const small = placeMesh(boxMesh(0.05, 0.05, 0.05, 1), [0, 0, 0.3]);
    const large = placeMesh(boxMesh(1, 1, 0.5, 4));
    for (const found of [collide(testMeshMesh, small, large, 0), collide(testMeshMesh, large, small, 0)]) {
      expect(found.count).toBeGreaterThan(0);
      // to the top: 0.2 from the centre and 0.05 for the lower half
      expect(leastGap(found)).toBeCloseTo(-0.25, 9);
    }
    expect(collide(testMeshMesh, small, large, 0).normal[2]).toBeCloseTo(-1, 12);
    expect(collide(testMeshMesh, large, small, 0).normal[2]).toBeCloseTo(1, 12);
  });
});
