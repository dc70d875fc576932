/**
 * The items near a point, ordered by the distance to their boxes, a lower bound of the distance to the items.
 * Distances are squared, m²; after rounding a box inside another is still never nearer than it.
 */
import type { BoundingTree } from './bounding-tree.ts';
import { NodeQueue } from './node-queue.ts';

/** The state of a nearest search in a tree. Created once, restarted for each point. */
export class NearestVisit {
  /** Boxes with a squared distance beyond this are left out, m². Lower it whenever an item was found nearer. */
  limit = 0;
  /** Squared distance to the box of the item visited last, m². */
  bound = 0;
  tree: BoundingTree | undefined;
  readonly queue: NodeQueue = new NodeQueue();
  readonly point: Float64Array = new Float64Array(3);
}

export function beginNearestVisit(
  visit: NearestVisit,
  tree: BoundingTree,
  point: ArrayLike<number>,
  limit: number,
): void {
  visit.tree = tree;
  visit.limit = limit;
  visit.queue.count = 0;
  visit.point[0] = point[0];
  visit.point[1] = point[1];
  visit.point[2] = point[2];
  if (tree.count > 0) pushNode(visit, tree, 0);
}

/** The next item, or −1 at the end. */
export function nextNearestItem(visit: NearestVisit): number {
  const { queue } = visit;
  const tree = visit.tree as BoundingTree;
  while (queue.count > 0) {
    const bound = queue.keys[0];
    const node = queue.nodes[0];
    if (bound > visit.limit) return -1;
    queue.pop();
    const first = tree.children[2 * node];
    const second = tree.children[2 * node + 1];
    if (first < 0) {
      visit.bound = bound;
      return second;
    }
    pushNode(visit, tree, first);
    pushNode(visit, tree, second);
  }
  return -1;
}

function pushNode(visit: NearestVisit, tree: BoundingTree, node: number): void {
  const { queue } = visit;
  const distance = squaredDistanceToBox(visit.point, tree.bounds, 6 * node);
  if (!(distance <= visit.limit)) return;
  queue.keys[queue.count] = distance;
  queue.push(node);
}

/** Squared distance from a point to the box at offset o of `boxes`, m²; 0 inside. */
export function squaredDistanceToBox(point: Float64Array, boxes: Float64Array, o: number): number {
  const x = overshoot(point[0], boxes[o], boxes[o + 3]);
  const y = overshoot(point[1], boxes[o + 1], boxes[o + 4]);
  const z = overshoot(point[2], boxes[o + 2], boxes[o + 5]);
  return x * x + y * y + z * z;
}

function overshoot(x: number, low: number, high: number): number {
  return x < low ? low - x : x > high ? x - high : 0;
}
