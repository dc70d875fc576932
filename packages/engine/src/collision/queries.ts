/** Queries about the shapes of a scene at their current poses: ray casts, distances, overlaps with a box. */
import type { Workspace } from '../dynamics/workspace.ts';
import { NexdynError } from '../error.ts';
import type { BoundingTree } from '../geometry/bounding-tree/bounding-tree.ts';
import { collectBoxOverlaps } from '../geometry/bounding-tree/box-overlap.ts';
import { IndexList } from '../geometry/bounding-tree/index-list.ts';
import { beginRayVisit, nextRayItem, RayVisit } from '../geometry/bounding-tree/ray-visit.ts';
import { buildTree } from '../geometry/bounding-tree/tree-builder.ts';
import { ContactPoints } from '../geometry/contact-points.ts';
import { placeShape } from '../geometry/placed-shape.ts';
import { castRayShape, RayHit } from '../geometry/ray/cast-ray.ts';
import { box as boxKind } from '../geometry/shapes/box.ts';
import { hasShapeData, numberKind } from '../geometry/shapes/shape-table.ts';
import type { Model } from '../model/model.ts';
import type { Vec3 } from '../scene/pose.ts';
import { findIndex } from '../state/inputs.ts';
import { updateBoxes } from './broad-phase.ts';
import type { CollisionWorkspace } from './detect-contacts.ts';
import { findPairTest } from './narrow-phase.ts';
import { updateShapePoses } from './shape-poses.ts';

const BOX = /* @__PURE__ */ numberKind(boxKind);

/** Length of a ray, and a body that it ignores. */
export interface RayOptions {
  /** m. Default: no end. */
  maxDistance?: number;
  /** A body whose shapes the ray passes through, by name or number: the one that casts it. */
  ignoreBody?: string | number;
}

/** What a ray meets. */
export interface RayResult {
  /** Number of the shape. */
  shape: number;
  /** Name of the shape, empty where it has none. */
  shapeName: string;
  /** Number of its body; 0 is the world. */
  body: number;
  /** Name of its body. */
  bodyName: string;
  /** From the origin, m. */
  distance: number;
  /** Where the ray meets it, world, m. */
  position: Vec3;
  /** Outward unit normal of the surface. */
  normal: Vec3;
}

/** The nearest points of two shapes A and B. */
export interface ClosestPoints {
  /** Signed distance, negative where they overlap, m. */
  gap: number;
  /** On the surface of each, world, m. */
  pointA: Vec3;
  /** On the surface of B, world, m. */
  pointB: Vec3;
  /** Unit, from A to B. */
  normal: Vec3;
}

/** The first shape along a ray; the direction need not be a unit vector. Shapes are tried in the order the ray enters their boxes. */
export function castRay(
  model: Model,
  work: Workspace,
  collision: CollisionWorkspace,
  origin: Vec3,
  direction: Vec3,
  options: RayOptions,
): RayResult | undefined {
  const { plan } = collision;
  const length = Math.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2);
  if (!(length > 0 && length < Infinity)) {
    throw new NexdynError('invalid-argument', `a ray needs a direction, got ${direction.join(' ')}`, {
      hint: 'give three finite numbers that are not all zero',
    });
  }
  const ignored = options.ignoreBody === undefined ? -1 : findIndex(model.body.name, options.ignoreBody, 'body');
  const along = direction.map((value) => value / length) as Vec3;
  const hit = new RayHit();
  let limit = options.maxDistance ?? Infinity;
  let nearest: RayResult | undefined;
  const tryShape = (s: number): void => {
    const body = model.shape.body[s];
    if (body === ignored || !castRayShape(hit, plan.placed[s], origin, along, limit)) return;
    limit = hit.distance;
    nearest = {
      shape: s,
      shapeName: model.shape.name[s],
      body,
      bodyName: model.body.name[body],
      distance: limit,
      position: origin.map((value, k) => value + limit * along[k]) as Vec3,
      normal: [hit.normal[0], hit.normal[1], hit.normal[2]],
    };
  };
  const tree = updateTree(model, work, collision);
  for (const s of plan.planes) tryShape(s);
  const visit = new RayVisit();
  beginRayVisit(visit, tree, origin, along, limit);
  for (let item = nextRayItem(visit); item >= 0; item = nextRayItem(visit)) {
    tryShape(plan.boxed[item]);
    visit.limit = limit;
  }
  return nearest;
}

/** Poses, boxes and tree of all shapes that can touch, where they are now. */
function updateTree(model: Model, work: Workspace, { plan, broadPhase }: CollisionWorkspace): BoundingTree {
  updateShapePoses(model, work, plan);
  updateBoxes(model, plan, broadPhase);
  return buildTree(broadPhase.builder, broadPhase.boxes, plan.boxed.length);
}

export function findClosestPoints(
  model: Model,
  work: Workspace,
  { plan }: CollisionWorkspace,
  one: number,
  two: number,
): ClosestPoints {
  const { kind } = model.shape;
  const isSwapped = kind[one] > kind[two];
  const [a, b] = isSwapped ? [two, one] : [one, two];
  const test = findPairTest(kind[a], kind[b]);
  if (!test || !hasShapeData(plan.placed[a]) || !hasShapeData(plan.placed[b])) {
    throw new NexdynError('invalid-argument', `shapes ${one} and ${two} have no distance`, {
      hint: 'planes and height fields do not meet each other, and shapes of group 0 that ask for no group are not prepared',
    });
  }
  updateShapePoses(model, work, plan);
  const points = new ContactPoints();
  test(points, plan.placed[a], plan.placed[b], Infinity);
  let nearest = 0;
  for (let i = 1; i < points.count; i++) if (points.gap[i] < points.gap[nearest]) nearest = i;
  const sign = isSwapped ? -1 : 1;
  const half = 0.5 * points.gap[nearest];
  const at = (side: number): Vec3 => {
    const [x, y, z] = [0, 1, 2].map(
      (k) => points.position[3 * nearest + k] + side * half * points.normal[3 * nearest + k],
    );
    return [x, y, z];
  };
  const [nx, ny, nz] = [0, 1, 2].map((k) => sign * points.normal[3 * nearest + k]);
  return { gap: points.gap[nearest], pointA: at(-sign), pointB: at(sign), normal: [nx, ny, nz] };
}

export function listOverlaps(
  model: Model,
  work: Workspace,
  collision: CollisionWorkspace,
  low: Vec3,
  high: Vec3,
): number[] {
  const { plan } = collision;
  const half = [0, 1, 2].map((k) => 0.5 * (high[k] - low[k]));
  if (!half.every((value) => value >= 0)) {
    throw new NexdynError('invalid-argument', 'a box has its low at most its high', {
      hint: `got ${low.join(' ')} to ${high.join(' ')}`,
    });
  }
  const candidates = new IndexList();
  const tree = updateTree(model, work, collision);
  collectBoxOverlaps(candidates, tree, Float64Array.from([...low, ...high]));
  const box = placeShape(
    BOX,
    half,
    [0, 1, 2].map((k) => 0.5 * (high[k] + low[k])),
  );
  const points = new ContactPoints();
  const touches = (s: number): boolean => {
    const shape = plan.placed[s];
    const isLower = shape.kind <= BOX;
    const test = isLower ? findPairTest(shape.kind, BOX) : findPairTest(BOX, shape.kind);
    points.clear();
    test?.(points, isLower ? shape : box, isLower ? box : shape, 0);
    return points.count > 0;
  };
  const boxed = Array.from(candidates.values.subarray(0, candidates.count), (i) => plan.boxed[i]);
  return [...plan.planes, ...boxed].filter(touches).sort((x, y) => x - y);
}
