/**
 * Pairs of shapes whose boxes meet. The box of a shape is grown by its own margin and gap, and by its way in the step; those of two shapes add. A tree
 * over the boxes is rebuilt in every detection, in linear time; few boxes are compared pair by pair, or swept where compiled functions
 * are at hand. Planes are unbounded and compared with every box.
 */
import { IndexPairs } from '../geometry/bounding-tree/index-list.ts';
import { collectSelfOverlaps } from '../geometry/bounding-tree/self-overlap.ts';
import { buildTree, createTreeBuilder, type TreeBuilder } from '../geometry/bounding-tree/tree-builder.ts';
import { writeShapeBounds } from '../geometry/bounds/shape-bounds.ts';
import type { Arena } from '../kernels/arena.ts';
import type { Model } from '../model/model.ts';
import type { BoxSweep } from './box-sweep.ts';
import type { CollisionPlan } from './collision-plan.ts';
import { COMPILED_DETECTION } from './compiled-detection.ts';
import { mayTouch } from './pair-filter.ts';

/** Boxes up to which comparing all pairs is faster than a tree. */
const FEW = 64;
/** Boxes up to which the compiled sweep is faster than a tree. */
const MOST_SWEPT = 512;

export interface BroadPhase {
  readonly builder: TreeBuilder;
  /** Boxes of the boxed shapes of the plan, in its order. */
  readonly boxes: Float64Array;
  readonly overlaps: IndexPairs;
  /** Where boxes are swept. */
  readonly sweep: BoxSweep | undefined;
  /**
   * The answer: pairs of shapes that may touch, the lower number first; where there are many, in the order of the tree's
   * leaves: pairs that follow each other are near in space, and what one test has read the next finds in the cache.
   */
  readonly pairs: IndexPairs;
}

export function createBroadPhase(plan: CollisionPlan, arena: Arena): BroadPhase {
  const count = plan.boxed.length;
  const boxes = arena.f64(6 * count);
  const compiled = arena.compiledDynamics;
  return {
    builder: createTreeBuilder(count),
    boxes,
    overlaps: new IndexPairs(),
    sweep:
      compiled && count <= MOST_SWEPT ? new (COMPILED_DETECTION.require().BoxSweep)(compiled, boxes, arena) : undefined,
    pairs: new IndexPairs(),
  };
}

/** Boxes of all shapes where they are now. */
export function updateBoxes(model: Model, plan: CollisionPlan, broadPhase: BroadPhase): void {
  const { margin, gap } = model.shape;
  for (let i = 0; i < plan.boxed.length; i++) {
    const s = plan.boxed[i];
    const reach = margin[s] + gap[s] + plan.extraReach[s] + plan.swiftReach[s];
    writeShapeBounds(broadPhase.boxes, 6 * i, plan.placed[s], reach);
  }
}

export function findCandidatePairs(model: Model, plan: CollisionPlan, broadPhase: BroadPhase): void {
  const { sweep, overlaps, pairs } = broadPhase;
  updateBoxes(model, plan, broadPhase);
  pairs.clear();
  const swept = sweep ? sweep.find() : -1;
  if (sweep && swept >= 0) addPairs(model, plan, pairs, sweep.pairs, swept);
  else {
    findOverlaps(plan, broadPhase);
    addPairs(model, plan, pairs, overlaps.values, overlaps.count);
  }
  addPlanePairs(model, plan, broadPhase);
}

function findOverlaps({ boxed }: CollisionPlan, { builder, boxes, overlaps }: BroadPhase): void {
  overlaps.clear();
  if (boxed.length <= FEW) compareAll(overlaps, boxes, boxed.length);
  else collectSelfOverlaps(overlaps, buildTree(builder, boxes, boxed.length));
}

function addPairs(model: Model, plan: CollisionPlan, pairs: IndexPairs, found: Int32Array, count: number): void {
  const { boxed } = plan;
  for (let i = 0; i < count; i++) addPair(model, plan, pairs, boxed[found[2 * i]], boxed[found[2 * i + 1]]);
}

/** Every pair of boxes that meet (touching counts), the lower number first. */
function compareAll(out: IndexPairs, boxes: Float64Array, count: number): void {
  const end = 6 * count;
  for (let o = 0; o < end; o += 6) {
    const x0 = boxes[o];
    const y0 = boxes[o + 1];
    const z0 = boxes[o + 2];
    const x1 = boxes[o + 3];
    const y1 = boxes[o + 4];
    const z1 = boxes[o + 5];
    for (let q = o + 6; q < end; q += 6) {
      if (!(x0 <= boxes[q + 3] && boxes[q] <= x1)) continue;
      if (y0 <= boxes[q + 4] && boxes[q + 1] <= y1 && z0 <= boxes[q + 5] && boxes[q + 2] <= z1) out.add(o / 6, q / 6);
    }
  }
}

/** Boxes that reach below a plane. */
function addPlanePairs(model: Model, plan: CollisionPlan, { boxes, pairs }: BroadPhase): void {
  const { boxed, planes, shapePosition, shapeRotation } = plan;
  for (let p = 0; p < planes.length; p++) {
    const plane = planes[p];
    const reach = model.shape.margin[plane] + model.shape.gap[plane] + plan.extraReach[plane];
    const nx = shapeRotation[9 * plane + 2];
    const ny = shapeRotation[9 * plane + 5];
    const nz = shapeRotation[9 * plane + 8];
    const height =
      nx * shapePosition[3 * plane] + ny * shapePosition[3 * plane + 1] + nz * shapePosition[3 * plane + 2] + reach;
    for (let i = 0; i < boxed.length; i++) {
      // the corner of the box that is deepest
      const o = 6 * i;
      const lowest =
        nx * boxes[nx > 0 ? o : o + 3] + ny * boxes[ny > 0 ? o + 1 : o + 4] + nz * boxes[nz > 0 ? o + 2 : o + 5];
      if (lowest <= height) addPair(model, plan, pairs, plane, boxed[i]);
    }
  }
}

function addPair(model: Model, plan: CollisionPlan, pairs: IndexPairs, a: number, b: number): void {
  if (!mayTouch(model, plan.filter, a, b)) return;
  if (a < b) pairs.add(a, b);
  else pairs.add(b, a);
}
