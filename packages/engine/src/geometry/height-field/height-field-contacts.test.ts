import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { toMatrix } from '../../testing/pair-poses.ts';
import {
  collide,
  leastGap,
  MOVERS,
  measureByBruteForce,
  mixedQuaternion,
  placeMover,
} from '../../testing/surface-pairs.ts';
import { boxMesh } from '../../testing/surfaces.ts';
import type { HeightField } from '../height-field.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from '../triangle-mesh/build-triangle-mesh.ts';
import { findMeshPair } from '../triangle-mesh/mesh-pairs.ts';
import { findHeightFieldPair } from './height-field-pairs.ts';
import { HeightFieldPatch, readPatch } from './height-field-patch.ts';
import { measureHeight } from './surface-height.ts';

function makeField(height: (x: number, y: number) => number, rows = 9, columns = 11): HeightField {
  const heights = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      heights[r * columns + c] = height(-1.25 + (2.5 * c) / (columns - 1), -1 + (2 * r) / (rows - 1));
    }
  }
  return { rows, columns, halfSizeX: 1.25, halfSizeY: 1, baseDepth: 0.3, heights };
}

const hills = makeField((x, y) => 0.15 + 0.1 * Math.sin(4 * x) * Math.cos(3 * y));
const placedHills = placeShape(SHAPE.heightField, [], [0, 0, 0], undefined, { heightField: hills });
const flat = placeShape(SHAPE.heightField, [], [0, 0, 0], undefined, { heightField: makeField(() => 0.1) });

describe('hills', () => {
  const patch = new HeightFieldPatch();
  readPatch(patch, hills, Float64Array.of(-9, -9, -9, 9, 9, 9));

  test.each(MOVERS)('%s: above, beside and below, the least gap is the distance by brute force', (_, kind, size) => {
    const random = createRandom(kind + 3);
    const shape = placeMover(kind, size);
    const pair = findHeightFieldPair(SHAPE.heightField, kind);
    let apart = 0;
    for (let i = 0; i < takeSamples(300, 0.25); i++) {
      shape.rotation.set(toMatrix(mixedQuaternion(random)));
      shape.position.set([4 * (random() - 0.5), 3.4 * (random() - 0.5), 1.6 * (random() - 0.5)]);
      const distance = measureByBruteForce(shape, patch, patch.count, placedHills);
      const [x, y, z] = shape.position;
      const isInside = Math.abs(x) < 1.25 && Math.abs(y) < 1 && z > -0.3 && z < measureHeight(hills, x, y);
      if (distance <= 0 || isInside) continue;
      apart++;
      const found = collide(pair, placedHills, shape, 0.2);
      if (distance > 0.2) expect(found.count).toBe(0);
      else expect(Math.abs(leastGap(found) - distance)).toBeLessThan(1e-8);
      expect(Math.abs(leastGap(collide(pair, placedHills, shape, Infinity)) - distance)).toBeLessThan(1e-8);
    }
    expect(apart).toBeGreaterThan(takeSamples(50, 0.25));
  });

  test.each(MOVERS)('%s: contacts are those of the same hills as a mesh', (_, kind, size) => {
    const random = createRandom(kind + 8);
    const shape = placeMover(kind, size);
    const cells = 2 * (hills.rows - 1) * (hills.columns - 1);
    const mesh = buildTriangleMesh(
      patch.vertices.slice(0, 3 * hills.rows * hills.columns),
      patch.triangles.slice(0, 3 * cells),
      'hills',
    );
    const placedMesh = placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, { mesh });
    let touching = 0;
    for (let i = 0; i < takeSamples(200, 0.25); i++) {
      shape.rotation.set(toMatrix(mixedQuaternion(random)));
      // away from the border, where the field has walls and the mesh has none
      shape.position.set([1.2 * (random() - 0.5), 0.9 * (random() - 0.5), 0.2 + 0.4 * random()]);
      const onField = collide(findHeightFieldPair(SHAPE.heightField, kind), placedHills, shape, 0.02);
      const onMesh = collide(findMeshPair(kind, SHAPE.triangleMesh), shape, placedMesh, 0.02);
      // deep down the mesh, being open, has no inside
      if (leastGap(onField) < -0.08) continue;
      touching += onField.count;
      expect(onField.count).toBe(onMesh.count);
      for (let c = 0; c < onField.count; c++) {
        expect(onField.gap[c]).toBeCloseTo(onMesh.gap[c], 10);
        expect(onField.feature[c]).toBe(onMesh.feature[c]);
        for (let k = 0; k < 3; k++) {
          expect(onField.normal[3 * c + k]).toBeCloseTo(-onMesh.normal[3 * c + k], 9);
          expect(onField.position[3 * c + k]).toBeCloseTo(onMesh.position[3 * c + k], 9);
        }
      }
    }
    expect(touching).toBeGreaterThan(takeSamples(50, 0.25));
  });
});

describe('flat ground', () => {
  test.each(MOVERS)('%s sliding over cells, edges and vertices: straight up, gap of a plane', (_, kind, size) => {
    const random = createRandom(kind);
    const pair = findHeightFieldPair(SHAPE.heightField, kind);
    const shape = placeMover(kind, size);
    for (let i = 0; i < takeSamples(40, 0.2); i++) {
      shape.rotation.set(toMatrix(mixedQuaternion(random)));
      shape.position.set([0, 0, 2]);
      // the lowest point, from a plane far below
      const low = leastGap(collide(pair, flat, shape, Infinity));
      for (const depth of [0.001, 0, -0.02]) {
        for (let s = 0; s <= 20; s++) {
          const x = -0.75 + 1.5 * (s / 20);
          shape.position.set([x, i % 2 === 0 ? x * 0.8 : 0, 2 - low + depth]);
          const found = collide(pair, flat, shape, 0.002);
          expect(found.count).toBeGreaterThan(0);
          expect(Math.abs(leastGap(found) - depth)).toBeLessThan(1e-9);
          let sideways = 0;
          for (let c = 0; c < found.count; c++) {
            sideways = Math.max(sideways, Math.hypot(found.normal[3 * c], found.normal[3 * c + 1]));
          }
          expect(sideways).toBeLessThan(1e-9);
        }
      }
    }
  });

  test('a box mesh on it rests on its corners', () => {
    const { vertices, faces } = boxMesh(0.3, 0.2, 0.1, 2);
    const mesh = buildTriangleMesh(vertices, faces, 'box');
    for (const x of [0, 0.1, 0.125, 0.3]) {
      const box = placeShape(SHAPE.triangleMesh, [], [x, 0.05, 0.199], undefined, { mesh });
      const found = collide(findHeightFieldPair(SHAPE.heightField, SHAPE.triangleMesh), flat, box, 0);
      expect(found.count).toBeGreaterThanOrEqual(4);
      expect(found.count).toBeLessThanOrEqual(8);
      const corners = new Set<string>();
      for (let c = 0; c < found.count; c++) {
        expect(found.gap[c]).toBeCloseTo(-0.001, 9);
        expect(found.normal[3 * c + 2]).toBeCloseTo(1, 12);
        const dx = found.position[3 * c] - x;
        const dy = found.position[3 * c + 1] - 0.05;
        if (Math.abs(Math.abs(dx) - 0.3) < 1e-9 && Math.abs(Math.abs(dy) - 0.2) < 1e-9)
          corners.add(`${dx > 0},${dy > 0}`);
      }
      expect(corners.size).toBe(4);
    }
  });
});

describe('below the surface', () => {
  test.each(MOVERS)('%s inside the solid is pushed up, below the base down, beside it sideways', (_, kind, size) => {
    const pair = findHeightFieldPair(SHAPE.heightField, kind);
    const shape = placeMover(kind, size);
    const push = (x: number, y: number, z: number): number[] => {
      shape.position.set([x, y, z]);
      const found = collide(pair, flat, shape, 0);
      expect(found.count).toBeGreaterThan(0);
      expect(leastGap(found)).toBeLessThan(0);
      let deepest = 0;
      for (let c = 1; c < found.count; c++) if (found.gap[c] < found.gap[deepest]) deepest = c;
      return Array.from(found.normal.slice(3 * deepest, 3 * deepest + 3));
    };
    expect(push(0.1, 0.2, 0)[2]).toBeCloseTo(1, 9);
    expect(push(0.1, 0.2, -0.4)[2]).toBeCloseTo(-1, 9);
    expect(push(1.32, 0.2, -0.1)[0]).toBeCloseTo(1, 9);
    expect(push(0.1, -1.07, -0.1)[1]).toBeCloseTo(-1, 9);
    // far away
    for (const far of [
      [3, 0, 0],
      [0, 0, 2],
      [0, 0, -2],
    ]) {
      shape.position.set(far);
      expect(collide(pair, flat, shape, 0.1).count).toBe(0);
    }
  });
});
