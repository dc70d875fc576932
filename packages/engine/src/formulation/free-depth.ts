/**
 * The depth d_v from which a law of contact pushes bodies apart at the recovery speed v (collision/initial-state/starting-pairs.ts):
 *   d_v = max(v/ρ, 3 g/ω²)
 * ρ (1/s) is the speed of release per depth, ω² (1/s²) the acceleration per depth, g gravity: bodies that rest on their springs, or are held
 * by up to three times their weight, start as they are.
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import { RECOVERY_SPEED } from '../collision/initial-state/starting-pairs.ts';
import type { Model } from '../model/model.ts';

/** Weights that springs may carry at the start. */
const WEIGHTS = 3;

/** d_v of a release rate ρ and a squared frequency ω². */
export function freeDepth({ options }: Model, rate: number, square: number): number {
  const [x, y, z] = options.gravity;
  const weight = options.disabled.has('gravity') ? 0 : WEIGHTS * Math.sqrt(x * x + y * y + z * z);
  return Math.max(RECOVERY_SPEED / rate, weight / square);
}

/** d_v of springs of stiffness k (N/m) at the points of a pair, released in a time of at least `time`, s. */
export function springFreeDepth(model: Model, contacts: ContactSet, i: number, k: number, time: number): number {
  const square = countPoints(contacts, i) * k * weighSides(model, contacts, i);
  return freeDepth(model, Math.min(1 / time, Math.sqrt(square)), square);
}

// points of the pair that overlap
function countPoints({ pair, gap, count }: ContactSet, i: number): number {
  let points = 0;
  let first = i;
  while (first > 0 && pair[first - 1] === pair[i]) first--;
  for (let k = first; k < count && pair[k] === pair[i]; k++) if (gap[k] < 0) points++;
  return Math.max(1, points);
}

// inverse mass as if both bodies were free, 1/kg
function weighSides(model: Model, contacts: ContactSet, i: number): number {
  const { carrierKind1, carrierKind2, carrier1, carrier2 } = contacts;
  return weigh(model, carrierKind1[i], carrier1[i]) + weigh(model, carrierKind2[i], carrier2[i]);
}

function weigh({ body, soft, inverseWeight }: Model, kind: number, carrier: number): number {
  if (kind === CARRIER.soft) return 1 / soft.mass[carrier];
  if (body.lastDof[carrier] < 0) return 0;
  return body.mass[carrier] > 0 ? 1 / body.mass[carrier] : inverseWeight.bodyTranslation[carrier];
}
