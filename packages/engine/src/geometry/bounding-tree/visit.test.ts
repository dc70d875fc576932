import { describe, expect, test } from 'vitest';
import { longTest, takeSamples } from '../../../../../scripts/long-run.ts';
import { BOX_SETS, createRandom, scatterBoxes } from '../../testing/box-sets.ts';
import type { BoundingTree } from './bounding-tree.ts';
import { beginNearestVisit, NearestVisit, nextNearestItem, squaredDistanceToBox } from './nearest-visit.ts';
import { NodeQueue } from './node-queue.ts';
import { beginRayVisit, enterBox, nextRayItem, RayVisit, writeRay } from './ray-visit.ts';
import { buildBoundingTree } from './tree-builder.ts';

type Visited = [item: number, key: number][];

function visitRay(tree: BoundingTree, origin: number[], direction: number[], limit: number): Visited {
  const visit = new RayVisit();
  const visited: Visited = [];
  beginRayVisit(visit, tree, origin, direction, limit);
  for (let item = nextRayItem(visit); item >= 0; item = nextRayItem(visit)) visited.push([item, visit.entry]);
  return visited;
}

function visitNearest(tree: BoundingTree, point: number[], limit: number): Visited {
  const visit = new NearestVisit();
  const visited: Visited = [];
  beginNearestVisit(visit, tree, point, limit);
  for (let item = nextNearestItem(visit); item >= 0; item = nextNearestItem(visit)) visited.push([item, visit.bound]);
  return visited;
}

const byItem = (visited: Visited): Visited => [...visited].sort((a, b) => a[0] - b[0]);
const rises = (visited: Visited): boolean => visited.every(([, key], k) => k === 0 || key >= visited[k - 1]![1]);

function bruteRay(boxes: Float64Array, origin: number[], direction: number[], limit: number): Visited {
  const ray = new Float64Array(6);
  writeRay(ray, origin, direction);
  const visited: Visited = [];
  for (let i = 0; i < boxes.length / 6; i++) {
    const entry = enterBox(ray, boxes, 6 * i, limit);
    if (entry >= 0) visited.push([i, entry]);
  }
  return visited;
}

function bruteNearest(boxes: Float64Array, point: number[], limit: number): Visited {
  const visited: Visited = [];
  for (let i = 0; i < boxes.length / 6; i++) {
    const distance = squaredDistanceToBox(Float64Array.from(point), boxes, 6 * i);
    if (distance <= limit) visited.push([i, distance]);
  }
  return visited;
}

describe('visits equal all items looked at, in rising order', () => {
  for (const [name, make] of Object.entries(BOX_SETS)) {
    test(name, () => {
      const random = createRandom(5);
      for (const count of [1, 2, 17, 300]) {
        const boxes = make(count, 6);
        const tree = buildBoundingTree(boxes, count);
        const [low, high] = [Array.from(tree.bounds.subarray(0, 3)), Array.from(tree.bounds.subarray(3, 6))];
        for (let q = 0; q < takeSamples(60, 0.3); q++) {
          // origins within and beyond the set, on its corners; directions along the axes as well
          const place = low.map((l, k) => {
            const s = q % 5 === 0 ? Math.round(random()) : 1.5 * random() - 0.25;
            return l * (1 - s) + high[k]! * s;
          });
          const direction = [0, 1, 2].map((k) => (q % 3 === 0 ? Number(k === (q % 9) / 3) : 2 * random() - 1));
          const limit = q % 2 === 0 ? Infinity : random() * (high[0]! - low[0]!);
          const ray = visitRay(tree, place, direction, limit);
          expect(byItem(ray)).toEqual(bruteRay(boxes, place, direction, limit));
          expect(rises(ray)).toBe(true);
          const nearest = visitNearest(tree, place, limit * limit);
          expect(byItem(nearest)).toEqual(bruteNearest(boxes, place, limit * limit));
          expect(rises(nearest)).toBe(true);
        }
      }
    });
  }

  longTest('100,000 boxes, 50 rays and points', () => {
    const boxes = scatterBoxes(100_000, 2);
    const tree = buildBoundingTree(boxes, 100_000);
    const random = createRandom(3);
    for (let q = 0; q < 50; q++) {
      const place = [0, 1, 2].map(() => 70 * random() - 5);
      const direction = [0, 1, 2].map(() => 2 * random() - 1);
      expect(byItem(visitRay(tree, place, direction, Infinity))).toEqual(bruteRay(boxes, place, direction, Infinity));
      expect(byItem(visitNearest(tree, place, 9))).toEqual(bruteNearest(boxes, place, 9));
    }
  });
});

test('a sunken limit ends the visit: the nearest of 10,000 points after few of them', () => {
  const points = BOX_SETS['scattered points']!(10_000, 1);
  const tree = buildBoundingTree(points, 10_000);
  const visit = new NearestVisit();
  const random = createRandom(8);
  for (let q = 0; q < takeSamples(200, 0.3); q++) {
    const place = Float64Array.from({ length: 3 }, random);
    let nearest = -1;
    let seen = 0;
    beginNearestVisit(visit, tree, place, Infinity);
    for (let item = nextNearestItem(visit); item >= 0; item = nextNearestItem(visit)) {
      nearest = item;
      visit.limit = visit.bound;
      seen++;
      if (seen > 1) break;
    }
    let least = Infinity;
    for (let i = 0; i < 10_000; i++) least = Math.min(least, squaredDistanceToBox(place, points, 6 * i));
    expect(seen).toBe(1);
    expect(squaredDistanceToBox(place, points, 6 * nearest)).toBe(least);
  }
});

test('a ray along a face, an edge or through a corner enters the box', () => {
  const box = Float64Array.of(0, 0, 0, 1, 1, 1);
  const ray = new Float64Array(6);
  const cases: [number[], number[], number][] = [
    [[-1, 0, 0.5], [1, 0, 0], 1],
    [[-1, 1, 1], [2, 0, 0], 0.5],
    [[-1, -1, -1], [1, 1, 1], 1],
    [[-1, 2, 0.5], [1, -1, 0], 1],
    [[0.5, 0.5, 0.5], [0, 0, 1], 0],
    [[-1, 0.5, 0.5], [-1, 0, 0], -1],
    [[-1, 1.0000001, 0.5], [1, 0, 0], -1],
    [[0.5, 0.5, 0.5], [0, 0, 0], 0],
    [[2, 0.5, 0.5], [0, 0, 0], -1],
  ];
  for (const [origin, direction, entry] of cases) {
    writeRay(ray, origin, direction);
    expect(enterBox(ray, box, 0, Infinity)).toBe(entry);
  }
});

test('the queue gives nodes by rising key, then number', () => {
  const random = createRandom(1);
  const queue = new NodeQueue();
  const pushed: [number, number][] = Array.from({ length: 500 }, (_, node) => [Math.floor(random() * 50), node]);
  for (const [key, node] of pushed) {
    queue.keys[queue.count] = key;
    queue.push(node);
  }
  const popped: [number, number][] = [];
  while (queue.count > 0) {
    popped.push([queue.keys[0]!, queue.nodes[0]!]);
    queue.pop();
  }
  expect(popped).toEqual(pushed.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
});
