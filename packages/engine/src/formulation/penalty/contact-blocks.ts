/**
 * Contacts as blocks of `penalty`, at the points that overlap at the start of the step, by the depth δ:
 *   f_n = k δ (1 − d u_n)₊                        Hunt-Crossley; with a dissipation time τ of the materials d = τ/δ: a linear damper k τ
 *   f_t = −μ n₀ u_t / √(|u_t|² + ε²)              n₀ = f_n at the velocity of the start
 * u is the relative velocity of the surfaces: at the end of the step under `semiImplicit`, the law `lagged` of the convex problem with an
 * elastic force that does not change in the step; at its start under `explicit`, as rows of given force. f is continuous where a contact
 * begins, and smooth in slip.
 * Bodies that travel more than half their thickness in a step would pass through others between two looks: such contacts
 * (collision/ahead) are near-rigid for that step.
 * Symbols: k N/m, δ m, d s/m, τ s, μ coefficient of friction, ε m/s. Source: Hunt and Crossley (1975).
 */
import { type ContactSet, isSoftContact } from '../../collision/contact-set.ts';
import { LEAST_CONE_FRICTION } from '../../contact/least-friction.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import { multiplyRow } from '../contact-reach.ts';
import { weighSoftSides } from '../soft-rows/soft-weight.ts';
import { rigidLimit } from '../velocity-rows/near-rigid.ts';
import { contactStiffness, isStiffnessGiven, weighSides } from './contact-stiffness.ts';
import type { PenaltyBuilder } from './penalty-builder.ts';

/** Normal and two tangents. */
const DIMENSION = 3;
/** β and σ of contacts that close fast, as in `sap`. */
const NEAR_RIGID = 0.5;
const FRICTION_REGULARIZATION = 1e-3;
/** m/s; and steps that explicit friction takes at least to stop the mass of a contact: many contacts act on one body, with levers. */
export const LEAST_SLIP = 1e-3;
export const SLIP_STEPS = 40;

export function addContacts(builder: PenaltyBuilder, work: Workspace, contacts: ContactSet): void {
  const { model, problem, contactRows, softRows, softHeld, surfaceMotion } = builder;
  contactRows.begin(work, contacts);
  let softArea = 0;
  for (let i = 0; i < contacts.count; i++) {
    const depth = -(contacts.gap[i] + contacts.recovery[i]);
    const isAhead = contacts.ahead[i] === 1;
    const isSoft = isSoftContact(contacts, i);
    if (isSoft && (i === 0 || contacts.pair[i] !== contacts.pair[i - 1])) softArea = sumArea(contacts, i);
    if (!(depth > 0) && !isAhead) continue;
    const block = isSoft
      ? softRows.add(problem.rows, model, work, softHeld, contacts, i)
      : contactRows.add(problem.rows, model, work, contacts, i, DIMENSION);
    if (block < 0) continue;
    const first = problem.describe(isAhead ? CONSTRAINT_LAW.cone : chooseLaw(builder), SOURCE.contact, i);
    for (let k = 0; k < DIMENSION; k++) problem.setRow(first + k, 0, 1, 0, 0);
    // a surface that moves, and vertices that are held, add to the velocity of the rows
    surfaceMotion.add(problem.reference, first, DIMENSION, -1, model, work, contacts, i);
    if (isSoft) for (let k = 0; k < DIMENSION; k++) problem.reference[first + k] -= softRows.heldVelocity[k];
    if (isAhead) {
      holdOff(builder, contacts, i, block, first);
      continue;
    }
    // dampers see how fast mocap bodies push
    problem.reference[first] -= surfaceMotion.measureParting(model, work, contacts, i);
    describeContact(builder, contacts, i, block, first, depth, softArea);
  }
}

function chooseLaw({ options }: PenaltyBuilder): number {
  return options.contactForce === 'explicit' ? CONSTRAINT_LAW.spring : CONSTRAINT_LAW.lagged;
}

/** Area of a pair with a soft body whose contacts begin at i, m². */
function sumArea({ pair, gap, area, count }: ContactSet, i: number): number {
  let sum = 0;
  for (let k = i; k < count && pair[k] === pair[i]; k++) if (gap[k] < 0) sum += area[k];
  return sum;
}

function describeContact(
  builder: PenaltyBuilder,
  contacts: ContactSet,
  i: number,
  block: number,
  first: number,
  depth: number,
  softArea: number,
): void {
  const { model, problem, options, h, startVelocity } = builder;
  const { reference } = problem;
  const inverse = weighSoft(builder, contacts, i, block, softArea);
  const k = contactStiffness(model, options, contacts, i, inverse);
  const elastic = k * depth;
  const time = contacts.dissipation[i];
  const dissipation = time >= 0 ? time / depth : options.dissipation;
  const normal = multiplyRow(problem, block, 0, startVelocity) - reference[first];
  const force = elastic * Math.max(0, 1 - dissipation * normal);
  const grip = (contacts.condim[i] > 1 ? contacts.friction[5 * i] : 0) * force;
  if (options.contactForce === 'semiImplicit') {
    const at = problem.reserveLagged(block);
    const { lagged } = problem;
    lagged[at] = h;
    lagged[at + 1] = 0;
    lagged[at + 2] = elastic;
    lagged[at + 3] = dissipation;
    lagged[at + 4] = h * grip;
    lagged[at + 5] = options.slipSpeed;
    // a damper that fades with depth is none to count on
    builder.springs.add(block, k, time >= 0 ? -k * time : 0, 0);
    return;
  }
  const slip1 = multiplyRow(problem, block, 1, startVelocity) - reference[first + 1];
  const slip2 = multiplyRow(problem, block, 2, startVelocity) - reference[first + 2];
  const slow = options.slipSpeed > 0 ? options.slipSpeed : resolvedSlip(builder, contacts, i, inverse, grip);
  const drag = grip / Math.sqrt(slip1 * slip1 + slip2 * slip2 + slow * slow);
  setForce(builder, first, h * force);
  setForce(builder, first + 1, -h * drag * slip1);
  setForce(builder, first + 2, -h * drag * slip2);
  builder.springs.add(block, k, force > 0 ? elastic * dissipation : 0, drag);
}

/** ε of explicit friction that the scene leaves out, m/s: the force that a step resolves may not stop more than a share of its slip. */
function resolvedSlip(
  { model, h }: PenaltyBuilder,
  contacts: ContactSet,
  i: number,
  softInverse: number,
  grip: number,
): number {
  const inverse = isSoftContact(contacts, i) ? softInverse : weighSides(model, contacts, i);
  return Math.max(LEAST_SLIP, SLIP_STEPS * h * inverse * grip);
}

function setForce({ problem }: PenaltyBuilder, row: number, impulse: number): void {
  problem.setRow(row, problem.reference[row], 1, impulse, impulse);
}

/** Inverse mass that a contact of a soft body sees, 1/kg; 0 where it is not asked for. */
function weighSoft(
  { options, soft, delassus, problem }: PenaltyBuilder,
  contacts: ContactSet,
  i: number,
  block: number,
  softArea: number,
): number {
  if (!isSoftContact(contacts, i) || isStiffnessGiven(contacts, i) || options.stiffness > 0) return 0;
  delassus.measure(problem.rows, block, 1);
  const share = contacts.area[i] > 0 ? softArea / contacts.area[i] : 1;
  return Math.max(delassus.matrix[0], share * weighSoftSides(soft, contacts, i));
}

/** A pair that closes fast comes as far as it touches: v̂ = −φ/h, with a friction cone. */
function holdOff(builder: PenaltyBuilder, contacts: ContactSet, i: number, block: number, first: number): void {
  const { problem, delassus, h } = builder;
  const { reference } = problem;
  delassus.measure(problem.rows, block, DIMENSION);
  const w = delassus.meanOfThree();
  const normal = rigidLimit(w, NEAR_RIGID);
  const tangent = FRICTION_REGULARIZATION * w;
  const mu = Math.max(LEAST_CONE_FRICTION, contacts.condim[i] > 1 ? contacts.friction[5 * i] : 0);
  problem.friction[first] = mu * Math.sqrt(tangent / normal);
  problem.setRow(first, reference[first] - Math.max(0, contacts.gap[i]) / h, normal, 0, Infinity);
  for (let k = 1; k < DIMENSION; k++) {
    problem.friction[first + k] = mu;
    problem.setRow(first + k, reference[first + k], tangent, 0, 0);
  }
}
