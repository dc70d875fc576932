/**
 * Contacts that are to be farther apart, as rows, and the shortest way that takes them there:
 *   dq = argmin ½ |dq|²  with  gap + J dq + ε c λ ≥ δ  for all contacts
 * by projected Gauss-Seidel on the multipliers λ ≥ 0. |dq|² is that of bodies of one mass: the way apart is a matter of geometry, and the
 * sweeps do not slow down where something heavy stands on something light. c = J Jᵀ of the contact; ε is 0, or a little where contacts may
 * contradict each other: what is held between two sides then goes to the middle.
 */
import { CARRIER } from '../contact-set.ts';
import type { CollisionWorkspace } from '../detect-contacts.ts';
import { type Clusters, followGuide, writeGuided } from './joint-clusters.ts';
import { keyOf } from './left-out-pairs.ts';
import type { MovingBodies } from './moving-bodies.ts';
import { listSoftTouches } from './separate-soft.ts';

/** How deep soft bodies may be over triangles to be lifted off them, share of d̂. */
const SOFT_SHARE = 0.5;
/** Gap that counts as touching, share of d̂. */
export const NEAR_SHARE = 0.01;
const SWEEPS = 200;

/** What is moved apart. */
export interface SeparationRule {
  /** The largest depth of a pair that is undone, m. */
  limit(shape1: number, shape2: number): number;
  /** How far apart two frames are to be, beyond the separation, m: less than d̂. */
  goal(frame1: number, frame2: number): number;
  /** Pairs that are not looked at, by key; those that are too deep are added. */
  readonly skipped: Set<number>;
}

/** Contacts that are to be farther apart. */
export interface Rows {
  /** Per contact: two frames, what is lacking (m), and two rows of six numbers. */
  readonly frame: number[];
  readonly lack: number[];
  readonly row: number[];
  /** Contacts that touch and can be moved. */
  touching: number;
  /** Least share of its goal that a contact has. */
  least: number;
}

// surfaces from collision detection, samples from their fields
export function gatherRows(
  bodies: MovingBodies,
  { contacts }: CollisionWorkspace,
  separation: number,
  { skipped, limit, goal }: SeparationRule,
  root: Int32Array,
): Rows {
  const { frames, fields, elastic } = bodies;
  const { current, ofBody } = frames;
  const rows: Rows = { frame: [], lack: [], row: [], touching: 0, least: 1 };
  const near = NEAR_SHARE * bodies.range;
  const deep = SOFT_SHARE * bodies.range;
  const isOfField = new Set(fields.pairs.map(({ samples, shape }) => keyOf(samples.shape, shape)));
  const frameOf = (kind: number, carrier: number): number =>
    kind === CARRIER.soft ? elastic.shapeProxy(carrier) : ofBody[carrier];
  // what moves as one cannot be moved apart
  const isOne = (sides: readonly number[]): boolean => root[sides[0]] === root[sides[1]];
  const add = (gap: number, sides: number[], x: Float64Array, p: number, n: Float64Array, o: number): void => {
    const whole = goal(sides[0], sides[1]);
    if (gap < near) rows.touching++;
    rows.least = Math.min(rows.least, gap / whole);
    addRow(rows, whole - gap, sides, x, p, n, o, current.position);
  };
  for (let i = 0; i < contacts.count; i++) {
    const key = keyOf(contacts.shape1[i], contacts.shape2[i]);
    if (skipped.has(key) || isOfField.has(key)) continue;
    const isSoft = contacts.carrierKind1[i] === CARRIER.soft || contacts.carrierKind2[i] === CARRIER.soft;
    // what lies on a face is seen better below
    if (isSoft && contacts.gap[i] > -deep) continue;
    const sides = [
      frameOf(contacts.carrierKind1[i], contacts.carrier1[i]),
      frameOf(contacts.carrierKind2[i], contacts.carrier2[i]),
    ];
    if (isOne(sides)) continue;
    add(contacts.gap[i] - separation, sides, contacts.position, 3 * i, contacts.frame, 9 * i);
  }
  fields.collect(current, bodies.range);
  for (let n = 0; n < fields.count; n++) {
    const { samples, frame, target, shape } = fields.pairs[fields.pair[n]];
    const sides = [frame, samples.frame];
    const depth = samples.radius - target.level - fields.gap[n];
    if (depth > limit(shape, samples.shape)) skipped.add(keyOf(shape, samples.shape));
    if (skipped.has(keyOf(shape, samples.shape)) || isOne(sides)) continue;
    add(fields.gap[n], sides, fields.point, 3 * n, fields.normal, 3 * n);
  }
  const { pairs } = bodies.candidates;
  listSoftTouches(bodies, bodies.range + separation, deep, (height, sides, x, n, pair) => {
    if (skipped.has(keyOf(pairs.shape1[pair], pairs.shape2[pair])) || isOne(sides)) return;
    add(height - separation, sides, x, 0, n, 0);
  });
  return rows;
}

// ∓ (n, a × n) of both sides, a from the centre to the point
function addRow(
  rows: Rows,
  lack: number,
  sides: readonly number[],
  x: Float64Array,
  p: number,
  n: Float64Array,
  o: number,
  center: Float64Array,
): void {
  rows.lack.push(lack);
  rows.frame.push(sides[0], sides[1]);
  for (let side = 0; side < 2; side++) {
    const s = side === 0 ? -1 : 1;
    const q = 3 * sides[side];
    const [ax, ay, az] = [x[p] - center[q], x[p + 1] - center[q + 1], x[p + 2] - center[q + 2]];
    rows.row.push(s * n[o], s * n[o + 1], s * n[o + 2]);
    rows.row.push(s * (ay * n[o + 2] - az * n[o + 1]));
    rows.row.push(s * (az * n[o] - ax * n[o + 2]));
    rows.row.push(s * (ax * n[o + 1] - ay * n[o]));
  }
}

/** Writes the step of all frames. */
export function solveApart(
  { frames, inertia, elastic }: MovingBodies,
  { root, size, mass, guides }: Clusters,
  { frame, lack, row }: Rows,
  yielding: number = 0,
): void {
  const { step, moving, count, current } = frames;
  const multiplier = new Float64Array(lack.length);
  // as if all had one mass; the least inverse inertia in all directions: bodies rather shift than turn
  const mobility = new Float64Array(6 * count);
  for (let f = 0; f < moving; f++) {
    const m = 9 * f;
    const most = Math.max(inertia.inertia[m], inertia.inertia[m + 4], inertia.inertia[m + 8]);
    for (let k = 0; k < 3; k++) {
      mobility[6 * f + k] = mass[f] < Infinity ? 1 : 0;
      mobility[6 * f + 3 + k] = size[f] === 1 && !guides.has(f) ? mass[f] / most : 0;
    }
  }
  for (let side = 0; side < frame.length; side++) {
    const guide = guides.get(root[frame[side]]);
    if (guide) followGuide(row, 6 * side, guide, current.position, 3 * frame[side]);
  }
  for (let n = 0; n < elastic.count; n++) {
    const f = elastic.shapeProxy(n);
    for (let k = 0; k < 3; k++) mobility[6 * f + k] = elastic.measureMass(n) < Infinity ? 1 : 0;
  }
  step.fill(0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < lack.length; i++) {
      let rest = lack[i];
      let ease = 0;
      for (let side = 0; side < 2; side++) {
        const f = 6 * root[frame[2 * i + side]];
        for (let k = 0; k < 6; k++) {
          const entry = row[12 * i + 6 * side + k];
          rest -= entry * step[f + k];
          ease += entry * entry * mobility[f + k];
        }
      }
      if (ease === 0) continue;
      const next = Math.max(0, multiplier[i] + (rest / ease - yielding * multiplier[i]) / (1 + yielding));
      const change = next - multiplier[i];
      multiplier[i] = next;
      for (let side = 0; side < 2; side++) {
        const f = 6 * root[frame[2 * i + side]];
        for (let k = 0; k < 6; k++) step[f + k] += change * row[12 * i + 6 * side + k] * mobility[f + k];
      }
    }
  }
  // roots last: the others read them, and they are the lowest of their clusters
  for (let f = moving - 1; f >= 0; f--) writeGuided(step, f, root[f], guides.get(root[f]), current.position);
}
