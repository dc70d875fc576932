/**
 * The items a ray may hit, in the order in which the ray enters their boxes.
 *
 * Along each axis the ray is between the planes of a box for t from (low − o)/d to (high − o)/d (either way round); it is in the
 * box where all three intervals meet (slab method; Kay and Kajiya 1986). Both ends rise with the plane, also after rounding, so
 * a box inside another is never entered before it. The far end is taken 4 units in the last place further, more than the
 * rounding of the three operations, so that no box is missed that the ray passes (Ize 2013).
 *
 * o: origin, m; d: direction, any length; t: in multiples of d.
 */
import type { BoundingTree } from './bounding-tree.ts';
import { NodeQueue } from './node-queue.ts';

const FURTHER = 1 + 4 * Number.EPSILON;
// a direction below this has no reciprocal
const PARALLEL = 1e-300;

/** The state of a ray traversal of a tree. Created once, restarted for each ray. */
export class RayVisit {
  /** Boxes entered beyond this are left out. Lower it whenever an item was hit. */
  limit = 0;
  /** Where the ray enters the box of the item visited last; 0 where it starts inside. */
  entry = 0;
  tree: BoundingTree | undefined;
  readonly queue: NodeQueue = new NodeQueue();
  /** Origin x y z, reciprocal direction x y z (0: parallel to the planes). */
  readonly ray: Float64Array = new Float64Array(6);
}

export function beginRayVisit(
  visit: RayVisit,
  tree: BoundingTree,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  limit: number,
): void {
  visit.tree = tree;
  visit.limit = limit;
  visit.queue.count = 0;
  writeRay(visit.ray, origin, direction);
  if (tree.count > 0) pushNode(visit, tree, 0);
}

/** The next item, or −1 at the end. */
export function nextRayItem(visit: RayVisit): number {
  const { queue } = visit;
  const tree = visit.tree as BoundingTree;
  while (queue.count > 0) {
    const entry = queue.keys[0];
    const node = queue.nodes[0];
    if (entry > visit.limit) return -1;
    queue.pop();
    const first = tree.children[2 * node];
    const second = tree.children[2 * node + 1];
    if (first < 0) {
      visit.entry = entry;
      return second;
    }
    pushNode(visit, tree, first);
    pushNode(visit, tree, second);
  }
  return -1;
}

function pushNode(visit: RayVisit, tree: BoundingTree, node: number): void {
  const { queue } = visit;
  const entry = enterBox(visit.ray, tree.bounds, 6 * node, visit.limit);
  if (entry < 0) return;
  queue.keys[queue.count] = entry;
  queue.push(node);
}

/** The form in which enterBox takes a ray: origin, reciprocal direction. */
export function writeRay(ray: Float64Array, origin: ArrayLike<number>, direction: ArrayLike<number>): void {
  for (let k = 0; k < 3; k++) {
    ray[k] = origin[k];
    ray[3 + k] = direction[k] > PARALLEL || direction[k] < -PARALLEL ? 1 / direction[k] : 0;
  }
}

/** Where a ray enters the box at offset o of `boxes`: at least 0 and at most `limit`, or −1 where it does not. */
export function enterBox(ray: Float64Array, boxes: Float64Array, o: number, limit: number): number {
  let near = 0;
  let far = limit;
  for (let k = 0; k < 3; k++) {
    const origin = ray[k];
    const inverse = ray[3 + k];
    const low = boxes[o + k];
    const high = boxes[o + 3 + k];
    if (inverse === 0) {
      if (low <= origin && origin <= high) continue;
      return -1;
    }
    const a = (low - origin) * inverse;
    const b = (high - origin) * inverse;
    const enter = Math.min(a, b);
    const leave = Math.max(a, b) * FURTHER;
    if (enter > near) near = enter;
    if (leave < far) far = leave;
  }
  return near <= far ? near : -1;
}
