import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../../../../scripts/long-run.ts';
import { isInsideMesh, L_HUB, L_OUTLINE, type Mesh, prismMesh, torusMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { moveShape, randomQuaternion, toMatrix } from '../../testing/pair-poses.ts';
import {
  collide,
  leastGap,
  listContacts,
  MOVERS,
  measureByBruteForce,
  mixedQuaternion,
  placeMover,
} from '../../testing/surface-pairs.ts';
import { boxMesh, gridMesh } from '../../testing/surfaces.ts';
import { buildBoundingTree } from '../bounding-tree/tree-builder.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { findMeshPair } from './mesh-pairs.ts';
import { findNearestOnTriangle } from './nearest-point.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

const takeTurn = createTurns();

const nearestPoint = new Float64Array(4);

const SAMPLES: [string, Mesh, number[]][] = [
  ['box', boxMesh(0.5, 0.4, 0.3, 3), [1, 0.9, 0.8]],
  ['L', prismMesh(L_OUTLINE, 0.7, L_HUB), [2.2, 1.8, 1]],
  ['torus', torusMesh(0.8, 0.25, 16, 8), [1.3, 1.3, 0.6]],
  ['terrain', gridMesh(1, 8, (x, y) => 0.1 * Math.sin(4 * x) * Math.cos(3 * y)), [1.3, 1.3, 0.6]],
];

/** The same mesh with boxes that tell nothing: every query visits all triangles. */
function forgetBoxes(mesh: TriangleMesh): TriangleMesh {
  const count = mesh.tree.count;
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 6; k++) boxes[6 * i + k] = k < 3 ? -100 : 100;
  return { ...mesh, tree: buildBoundingTree(boxes, count) };
}

function poseAtRandom(shape: PlacedShape, random: () => number, half: number[]): void {
  shape.rotation.set(toMatrix(mixedQuaternion(random)));
  for (let k = 0; k < 3; k++) shape.position[k] = (2 * random() - 1) * half[k];
}

describe.each(SAMPLES)('%s', (name, data, half) => {
  const test = takeTurn();
  const mesh = buildTriangleMesh(data.vertices, data.faces, name);
  const placed = placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, { mesh });

  test.each(MOVERS)('%s: the least gap is the distance by brute force', (_, kind, size) => {
    const random = createRandom(kind + 17);
    const shape = placeMover(kind, size);
    const reach = 0.3;
    let apart = 0;
    for (let i = 0; i < takeSamples(300, 0.25); i++) {
      poseAtRandom(shape, random, half);
      const distance = measureByBruteForce(shape, mesh, mesh.tree.count, placed);
      // behind the surface there is penetration instead
      if (distance <= 0 || isBehind(mesh, data, shape)) continue;
      apart++;
      const found = collide(findMeshPair(kind, SHAPE.triangleMesh), shape, placed, reach);
      if (distance > reach) expect(found.count).toBe(0);
      else expect(Math.abs(leastGap(found) - distance)).toBeLessThan(1e-8);
      const endless = collide(findMeshPair(kind, SHAPE.triangleMesh), shape, placed, Infinity);
      expect(Math.abs(leastGap(endless) - distance)).toBeLessThan(1e-8);
    }
    expect(apart).toBeGreaterThan(takeSamples(40, 0.2));
  });

  test.each(MOVERS)('%s: the tree changes nothing', (_, kind, size) => {
    const random = createRandom(kind + 5);
    const shape = placeMover(kind, size);
    const blind = placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, { mesh: forgetBoxes(mesh) });
    for (let i = 0; i < takeSamples(100, 0.3); i++) {
      poseAtRandom(shape, random, half);
      // touching poses and a short reach: triangles out of reach of the box must not matter
      const pair = findMeshPair(kind, SHAPE.triangleMesh);
      const found = collide(pair, shape, placed, 0.05);
      if (found.count > 0 && leastGap(found) < -0.05) continue;
      expect(listContacts(found)).toEqual(listContacts(collide(pair, shape, blind, 0.05)));
    }
  });

  test.each(MOVERS)('%s: one surface point lies on the mesh, and elsewhere the gaps are the same', (_, kind, size) => {
    const random = createRandom(kind + 29);
    const shape = placeMover(kind, size);
    const pair = findMeshPair(kind, SHAPE.triangleMesh);
    const turn = toMatrix(randomQuaternion(random));
    const elsewhere = placeShape(SHAPE.triangleMesh, [], [3, -2, 5], turn, { mesh });
    for (let i = 0; i < takeSamples(100, 0.3); i++) {
      poseAtRandom(shape, random, half);
      const found = collide(pair, shape, placed, 0.1);
      const again = collide(pair, moveShape(shape, turn, [3, -2, 5]), elsewhere, 0.1);
      expect(again.count > 0).toBe(found.count > 0);
      // deep inside, several ways out may be equally long and rounding chooses
      if (found.count > 0 && leastGap(found) > -0.05) {
        expect(Math.abs(leastGap(again) - leastGap(found))).toBeLessThan(1e-8);
      }
      for (let c = 0; c < found.count; c++) {
        const point = [0, 1, 2].map((k) => found.position[3 * c + k] + 0.5 * found.gap[c] * found.normal[3 * c + k]);
        expect(distanceToMesh(mesh, point)).toBeLessThan(1e-8);
        expect(Math.hypot(...found.normal.slice(3 * c, 3 * c + 3))).toBeCloseTo(1, 12);
      }
    }
  });
});

describe('sphere', () => {
  test.each(SAMPLES.filter(([name]) => name !== 'terrain'))(
    '%s: the least gap is the signed distance of the centre less the radius, inside too',
    (name, data, half) => {
      const mesh = buildTriangleMesh(data.vertices, data.faces, name);
      const placed = placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, { mesh });
      const random = createRandom(2);
      const sphere = placeShape(SHAPE.sphere, [0.05]);
      let inside = 0;
      for (let i = 0; i < takeSamples(2000, 0.1); i++) {
        poseAtRandom(sphere, random, half);
        const [x, y, z] = sphere.position;
        const isIn = isInsideMesh(data, x, y, z);
        if (isIn) inside++;
        const signed = (isIn ? -1 : 1) * distanceToMesh(mesh, [x, y, z]);
        const found = collide(findMeshPair(SHAPE.sphere, SHAPE.triangleMesh), sphere, placed, 0.1);
        if (signed - 0.05 > 0.1) expect(found.count).toBe(0);
        else expect(Math.abs(leastGap(found) - (signed - 0.05))).toBeLessThan(1e-12);
      }
      expect(inside).toBeGreaterThan(takeSamples(50, 0.1));
    },
  );
});

// nearest triangle by brute force
function distanceToMesh(mesh: TriangleMesh, point: number[]): number {
  let least = Infinity;
  for (let t = 0; t < mesh.tree.count; t++) {
    findNearestOnTriangle(nearestPoint, mesh.vertices, mesh.triangles, t, Float64Array.from(point));
    least = Math.min(least, nearestPoint[3]);
  }
  return Math.sqrt(least);
}

// whether a shape that touches no triangle is in the solid, or below the terrain
function isBehind(mesh: TriangleMesh, data: Mesh, shape: PlacedShape): boolean {
  const [x, y, z] = shape.position;
  if (mesh.isClosed) return isInsideMesh(data, x, y, z);
  return z < 0.35;
}
