import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import { measurePassingMemory } from '../../testing/heap-growth.ts';
import { smallTurn, toMatrix } from '../../testing/pair-poses.ts';
import { readProcessorTime } from '../../testing/processor-time.ts';
import { collide, leastGap, listContacts, MOVERS, placeMover } from '../../testing/surface-pairs.ts';
import { boxMesh, gridMesh } from '../../testing/surfaces.ts';
import { collectBoxOverlaps } from '../bounding-tree/box-overlap.ts';
import { IndexList } from '../bounding-tree/index-list.ts';
import { writeShapeBounds } from '../bounds/shape-bounds.ts';
import { ContactPoints } from '../contact-points.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { findMeshPair } from './mesh-pairs.ts';

const hill = (x: number, y: number) => 0.3 * Math.sin(0.9 * x) * Math.cos(0.7 * y);
const CELL = 0.2;

/** Hills with cells of 0.2, n by n. */
function placeHills(n: number): PlacedShape {
  const { vertices, faces } = gridMesh((n * CELL) / 2, n, hill);
  return placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, {
    mesh: buildTriangleMesh(vertices, faces, 'hills'),
  });
}

const small = placeHills(12);
const large = placeHills(224);

/** Triangles whose boxes meet the box of a shape: what a test looks at. */
function countCandidates(shape: PlacedShape, { mesh }: PlacedShape): number {
  const box = new Float64Array(6);
  const found = new IndexList();
  writeShapeBounds(box, 0, shape, 0.01);
  collectBoxOverlaps(found, mesh!.tree, box);
  return found.count;
}

/** Least time of a round of 200 poses on each mesh, in turn, so that other work slows both. */
function measureTimes(shape: PlacedShape, meshes: readonly PlacedShape[]): number[] {
  const pair = findMeshPair(shape.kind, SHAPE.triangleMesh)!;
  const out = new ContactPoints();
  const least = meshes.map(() => Infinity);
  for (let round = 0; round < 6; round++) {
    meshes.forEach((mesh, m) => {
      const random = createRandom(round);
      const start = readProcessorTime();
      for (let i = 0; i < 200; i++) {
        const x = random() - 0.5;
        const y = random() - 0.5;
        shape.position[0] = x;
        shape.position[1] = y;
        shape.position[2] = hill(x, y) + 0.19;
        out.clear();
        pair(out, shape, mesh, 0);
      }
      least[m] = Math.min(least[m], readProcessorTime() - start);
    });
  }
  return least;
}

describe('100,352 triangles', () => {
  test.each(MOVERS)(
    '%s: contacts are those on the piece under it, no other triangles are looked at, in about the time of the piece',
    (_, kind, size) => {
      const random = createRandom(kind);
      const shape = placeMover(kind, size);
      const pair = findMeshPair(kind, SHAPE.triangleMesh);
      let touching = 0;
      for (let i = 0; i < 50; i++) {
        const [x, y] = [random() - 0.5, random() - 0.5];
        shape.position.set([x, y, hill(x, y) + 0.1 + 0.1 * random()]);
        shape.rotation.set(toMatrix(smallTurn(random, 0.5)));
        const onSmall = collide(pair, shape, small, 0.01);
        const onLarge = collide(pair, shape, large, 0.01);
        touching += onSmall.count;
        expect(countCandidates(shape, large)).toBe(countCandidates(shape, small));
        expect(onLarge.count).toBe(onSmall.count);
        if (onSmall.count > 0) expect(leastGap(onLarge)).toBeCloseTo(leastGap(onSmall), 10);
      }
      expect(touching).toBeGreaterThan(30);
      // 350 times the triangles: the depth of the tree doubles
      const [onPiece, onWhole] = measureTimes(shape, [small, large]);
      expect(onWhole).toBeLessThan(4 * onPiece);
    },
  );
});

test('a second call gives the same numbers', () => {
  const box = boxMesh(0.2, 0.2, 0.1, 2);
  const mesh = buildTriangleMesh(box.vertices, box.faces, 'box');
  const shapes = [
    ...MOVERS.map(([, kind, size]) => placeMover(kind, size)),
    placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, { mesh }),
    placeShape(SHAPE.plane, []),
  ];
  for (const shape of shapes) {
    shape.position.set([0.1, 0.2, hill(0.1, 0.2) + 0.1]);
    const pair = findMeshPair(shape.kind, SHAPE.triangleMesh);
    const first = listContacts(collide(pair, shape, small, 0.01));
    expect(first.length).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) expect(listContacts(collide(pair, shape, small, 0.01))).toEqual(first);
  }
});

test('a settled pair makes no arrays or objects', () => {
  const out = new ContactPoints();
  for (const [, kind, size] of MOVERS.filter(
    ([, kind]) => kind === SHAPE.sphere || kind === SHAPE.capsule || kind === SHAPE.box,
  )) {
    const shape = placeMover(kind, size);
    const pair = findMeshPair(kind, SHAPE.triangleMesh)!;
    // resting at a depth of a millimetre
    shape.position.set([0.1, 0.2, 1]);
    for (let i = 0; i < 20; i++) shape.position[2] -= leastGap(collide(pair, shape, small, Infinity)) + 0.001;
    const run = (count: number) => {
      for (let i = 0; i < count; i++) {
        out.clear();
        pair(out, shape, small, 0.001);
      }
    };
    run(10_000);
    expect(out.count).toBeGreaterThan(0);
    // V8 boxes numbers that pass between functions, 16 bytes each: a box tries 13 axes against each triangle and clips at three
    // edges, some twenty numbers when calls are inlined and up to twice as many when they are not yet; an array of three numbers
    // for each axis would be 13 times 56 bytes
    const most = 1000 * 40 * 16 * countCandidates(shape, small);
    expect(measurePassingMemory(() => run(1000), most)).toBeLessThan(most);
  }
});
