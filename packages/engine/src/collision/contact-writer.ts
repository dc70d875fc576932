/**
 * Writes the contact set: the points of the pairs that touch, in the order of the pairs, with frames and parameters.
 *
 * Points are in the order of the tests and are read in the order of the pairs, which in a large scene means from far memory.
 * A loop that does nothing else lets the processor overlap many such reads; work that needs only the pairs comes after it.
 */
import type { ContactPoints } from '../geometry/contact-points.ts';
import { CORE } from '../geometry/convex/core-kind.ts';
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import type { Model } from '../model/model.ts';
import type { CollisionPlan } from './collision-plan.ts';
import { writeContactFrame } from './contact-frame.ts';
import { CARRIER, type ContactSet } from './contact-set.ts';
import { pairKey } from './pair-filter.ts';
import type { PairMaterial } from './pair-material.ts';
import { PAIR_STRIDE, type TouchingPairs } from './touching-pairs.ts';

/** By kind of shape. */
const isEndless = /* @__PURE__ */ Uint8Array.from(SHAPE_TABLE, (entry) => (entry.isEndless ? 1 : 0));
const core = /* @__PURE__ */ Uint8Array.from(SHAPE_TABLE, (entry) => entry.core);

export function writeContacts(
  contacts: ContactSet,
  model: Model,
  plan: CollisionPlan,
  material: PairMaterial,
  pairs: TouchingPairs,
  points: ContactPoints,
): void {
  // pairs that are left out have points without a contact
  let count = 0;
  for (let o = 0; o < PAIR_STRIDE * pairs.count; o += PAIR_STRIDE) count += pairs.records[o + 3];
  contacts.reserve(count);
  contacts.area.fill(0, 0, count);
  contacts.pressure.fill(0, 0, count);
  writePoints(contacts, pairs, points);
  writeSides(contacts, model, plan, pairs);
  writeFrames(contacts, model, plan);
  writeMaterials(contacts, model, material);
}

/** Positions, gaps, features, and normals as the first rows of the frames. */
function writePoints(contacts: ContactSet, { records, count }: TouchingPairs, points: ContactPoints): void {
  const { position, frame, gap, feature } = contacts;
  const { position: fromPosition, normal, gap: fromGap, feature: fromFeature } = points;
  const end = PAIR_STRIDE * count;
  let i = 0;
  for (let o = 0; o < end; o += PAIR_STRIDE) {
    const start = records[o + 2];
    const stop = start + records[o + 3];
    for (let n = start; n < stop; n++, i++) {
      position[3 * i] = fromPosition[3 * n];
      position[3 * i + 1] = fromPosition[3 * n + 1];
      position[3 * i + 2] = fromPosition[3 * n + 2];
      frame[9 * i] = normal[3 * n];
      frame[9 * i + 1] = normal[3 * n + 1];
      frame[9 * i + 2] = normal[3 * n + 2];
      gap[i] = fromGap[n];
      feature[i] = fromFeature[n];
    }
  }
}

/** Keys, shapes and what carries them: the shape of lower kind is side 1. */
function writeSides(contacts: ContactSet, model: Model, plan: CollisionPlan, { records, count }: TouchingPairs): void {
  const { shape1, shape2, carrier1, carrier2, carrierKind1, carrierKind2, pair } = contacts;
  const { body, kind } = model.shape;
  const { isMoving } = plan.filter;
  const shapes = model.size.shape;
  const end = PAIR_STRIDE * count;
  let i = 0;
  for (let o = 0; o < end; o += PAIR_STRIDE) {
    const one = records[o];
    const two = records[o + 1];
    const isSwapped = kind[one] > kind[two];
    const a = isSwapped ? two : one;
    const b = isSwapped ? one : two;
    const key = pairKey(one, two, shapes);
    const body1 = body[a];
    const body2 = body[b];
    const kind1 = isMoving[a] ? CARRIER.body : CARRIER.world;
    const kind2 = isMoving[b] ? CARRIER.body : CARRIER.world;
    for (const stop = i + records[o + 3]; i < stop; i++) {
      shape1[i] = a;
      shape2[i] = b;
      carrier1[i] = body1;
      carrier2[i] = body2;
      carrierKind1[i] = kind1;
      carrierKind2[i] = kind2;
      pair[i] = key;
    }
  }
}

/** Tangents; those of points with the same normal are copied. */
function writeFrames({ frame, pair, shape1, shape2, count }: ContactSet, model: Model, plan: CollisionPlan): void {
  const { kind } = model.shape;
  const axes = plan.shapeRotation;
  for (let i = 0, o = 0; i < count; i++, o += 9) {
    const nx = frame[o];
    const ny = frame[o + 1];
    const nz = frame[o + 2];
    if (i > 0 && pair[i] === pair[i - 1] && nx === frame[o - 9] && ny === frame[o - 8] && nz === frame[o - 7]) {
      // the normal as well: equal ones may differ in the sign of a zero
      for (let k = o; k < o + 9; k++) frame[k] = frame[k - 9];
      continue;
    }
    // friction of a capsule on a plane is laid along the capsule
    const b = shape2[i];
    const isRod = isEndless[kind[shape1[i]]] === 1 && core[kind[b]] === CORE.segment;
    const rodX = isRod ? axes[9 * b + 2] : 0;
    const rodY = isRod ? axes[9 * b + 5] : 0;
    const rodZ = isRod ? axes[9 * b + 8] : 0;
    writeContactFrame(frame, o, nx, ny, nz, rodX, rodY, rodZ);
  }
}

/** Materials, of all contacts in a row between the same surfaces at once; where there are explicit pairs, pair by pair. */
function writeMaterials(contacts: ContactSet, model: Model, material: PairMaterial): void {
  const { pair, shape1, shape2, count } = contacts;
  const { number } = model.surface;
  for (let i = 0; i < count; ) {
    const first = i++;
    const a = shape1[first];
    const b = shape2[first];
    material.mix(a, b);
    if (material.hasExplicit) {
      const key = pair[first];
      while (i < count && pair[i] === key) i++;
      // shapes that are listed as several pairs have each contact so often, one set after the other
      const sets = material.countSets(a, b);
      if (sets > 1) {
        const each = (i - first) / sets;
        for (let set = 0; set < sets; set++) {
          material.mix(a, b, set);
          material.write(contacts, first + set * each, each);
        }
        continue;
      }
    } else {
      const one = number[a];
      const two = number[b];
      while (i < count && number[shape1[i]] === one && number[shape2[i]] === two) i++;
    }
    material.write(contacts, first, i - first);
  }
}
