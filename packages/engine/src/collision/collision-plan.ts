/** Constants of a model that collision prepares once: placed shapes on shared arrays, who may touch whom, how far each shape reaches. */
import type { PairTest } from '../geometry/pair-test.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import { hasShapeData, SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import type { Arena } from '../kernels/arena.ts';
import { selectShapeData } from '../model/collision-geometry.ts';
import type { Model } from '../model/model.ts';
import { ContactChoice, needsChoice } from './contact-choice.ts';
import { FIELD_CONTACT } from './field-contact.ts';
import { findMujocoPairTest, findSmoothPairTest } from './mujoco-points.ts';
import { findPairTest } from './narrow-phase.ts';
import { createPairFilter, type PairFilter, pairKey } from './pair-filter.ts';
import { PairMaterial } from './pair-material.ts';

export interface CollisionPlan {
  /** Per shape: origin in the world, m, and rotation matrix; the arrays of the placed shapes are views on these. */
  readonly shapePosition: Float64Array;
  readonly shapeRotation: Float64Array;
  /** Per shape. */
  readonly placed: readonly PlacedShape[];
  readonly filter: PairFilter;
  /** Shapes that can touch something and have a finite box. */
  readonly boxed: Int32Array;
  /** Planes that can touch something: unbounded, tested against every moving shape. */
  readonly planes: Int32Array;
  /** Per shape: how much farther explicit pairs reach than its own margin and gap, m. */
  readonly extraReach: Float64Array;
  /** Per shape: how much farther its speed lets it reach in the current step, m (ahead/contacts-ahead.ts). */
  readonly swiftReach: Float64Array;
  /** Explicit pairs by pair key: the gap up to which they are reported, m. */
  readonly explicitReach: ReadonlyMap<number, number>;
  /** The test of contact points for two kinds, the lower first. */
  readonly findTest: (kindA: number, kindB: number) => PairTest | undefined;
  /** How pairs touch, where not all do at points. */
  readonly choice: ContactChoice | undefined;
  /** Whether anything can touch at all. */
  readonly isActive: boolean;
}

export function createCollisionPlan(model: Model, arena: Arena): CollisionPlan {
  const { shape, size, options, contactFilter } = model;
  const shapePosition = arena.f64(3 * size.shape);
  const shapeRotation = arena.f64(9 * size.shape);
  const placed = Array.from({ length: size.shape }, (_, s) => placeModelShape(model, shapePosition, shapeRotation, s));
  const explicitReach = listExplicitReaches(model);
  const isExplicit = new Set(contactFilter.pairShapes);
  const boxed: number[] = [];
  const planes: number[] = [];
  for (let s = 0; s < size.shape; s++) {
    if (shape.groups[s] === 0 && shape.mask[s] === 0 && !isExplicit.has(s)) continue;
    // edges and points touch by the formulation's own search
    if (!hasShapeData(placed[s])) continue;
    (SHAPE_TABLE[shape.kind[s]].isEndless ? planes : boxed).push(s);
  }
  // samples of surfaces are made now, not in the first step in which they are needed
  if (boxed.some((s) => placed[s].field)) for (const s of boxed) FIELD_CONTACT.require().prepare(placed[s]);
  return {
    shapePosition,
    shapeRotation,
    placed,
    filter: createPairFilter(model),
    boxed: Int32Array.from(boxed),
    planes: Int32Array.from(planes),
    extraReach: measureExtraReach(model, explicitReach),
    swiftReach: new Float64Array(size.shape),
    explicitReach,
    findTest: chooseTests(options),
    choice: needsChoice(model) ? new ContactChoice(model) : undefined,
    isActive: !options.disabled.has('contact') && !options.disabled.has('constraint') && boxed.length > 0,
  };
}

function chooseTests({ contactPoints, hasExactEllipsoids }: Model['options']): CollisionPlan['findTest'] {
  if (contactPoints === 'spread') return findPairTest;
  return hasExactEllipsoids ? findSmoothPairTest : findMujocoPairTest;
}

function listExplicitReaches(model: Model): CollisionPlan['explicitReach'] {
  const { pairShapes } = model.contactFilter;
  const material = new PairMaterial(model);
  const reach = new Map<number, number>();
  for (let i = 0; i < pairShapes.length; i += 2) {
    // as far as the farthest of the pairs of the same shapes
    const [a, b] = [pairShapes[i], pairShapes[i + 1]];
    let most = -Infinity;
    for (let set = 0; set < material.countSets(a, b); set++) {
      material.mix(a, b, set);
      most = Math.max(most, material.margin + material.gap);
    }
    reach.set(pairKey(a, b, model.size.shape), most);
  }
  return reach;
}

function measureExtraReach(model: Model, explicit: CollisionPlan['explicitReach']): Float64Array {
  const { margin, gap } = model.shape;
  const { pairShapes } = model.contactFilter;
  const extra = new Float64Array(model.size.shape);
  for (let i = 0; i < pairShapes.length; i += 2) {
    const a = pairShapes[i];
    const b = pairShapes[i + 1];
    const reach = explicit.get(pairKey(a, b, model.size.shape)) ?? 0;
    extra[a] = Math.max(extra[a], reach - margin[a] - gap[a]);
    extra[b] = Math.max(extra[b], reach - margin[b] - gap[b]);
  }
  // pressure is anticipated beyond the surface
  model.pressure.compliant.forEach((geometry, s) => {
    if (geometry && geometry.kind !== 'surface') extra[s] = Math.max(extra[s], geometry.margin - margin[s] - gap[s]);
  });
  return extra;
}

function placeModelShape(model: Model, position: Float64Array, rotation: Float64Array, s: number): PlacedShape {
  const { shape, geometry } = model;
  const asset = shape.asset[s];
  const kind = shape.kind[s];
  const { core, support } = SHAPE_TABLE[kind];
  return {
    kind,
    core,
    support,
    size: shape.size.slice(3 * s, 3 * s + 3),
    position: position.subarray(3 * s, 3 * s + 3),
    rotation: rotation.subarray(9 * s, 9 * s + 9),
    ...selectShapeData(geometry, kind, asset),
  };
}
