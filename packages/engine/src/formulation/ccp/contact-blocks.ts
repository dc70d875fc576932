/**
 * Contacts as blocks of `ccp`: rows n, t, t and, by the contact's dimension, spin, roll, roll; one row without friction.
 *
 *   rigid         b_n = max(φ/h, −v_rec + min(s, 0)): a gap may close in the step, penetration is corrected no faster than v_rec, beside
 *                 the speed −s at which a mocap body pushes
 *   compliance C  b_n = (φ + α s)/(h + α),  E_n = C/(h (h + α)): a spring 1/C with relaxation time α; E of all other rows is 0
 *                 (that of soft bodies is h unless given)
 *   adhesion      b_n at most 0: a contact with adhesion does not wait for its gap to close
 *   restitution e b_n = e u⁻ + s where the surfaces would meet in this step, φ + h min(u⁻, u*) < 0, faster than the smallest speed
 *                 that bounces, e u⁻ < −v_min; u⁻ is the normal velocity before the step, u* that at its end without contact
 * s is the speed at which mocap bodies part the surfaces, m/s; the gap has their way already.
 *
 * A contact that closes fast is rigid (collision/ahead). Those that joints keep at a gap have no rows (guided-contacts.ts). A contact at a gap has rows where the step may close it (contact-reach.ts,
 * group-speed.ts), or within a tenth of the envelope.
 *
 * Mocap bodies that push obey Coulomb's law (driven-contacts.ts). Where that has no solution either, as for a ball between a wall and a floor of
 * friction 1, which jams, the wall pushes without friction, and the step counts as infeasible.
 *
 * Symbols: φ gap m, h time step s, u⁻ and u* m/s. Surfaces that only what accelerates them brings together bounce too: a step that closed the
 * gap first would leave them less than their speed to return. With e = 1 the energy of a ball that bounces then keeps the value that
 * semi-implicit steps keep, ½ m u² + m g z − ½ m g h u, wherever in a step it lands.
 * Source: Tasora and Anitescu, A matrix-free cone complementarity approach for solving large-scale, nonsmooth, rigid body
 * dynamics (2011); Chrono for recovery speed, compliance and the least speed that bounces.
 */
import { AHEAD, CARRIER, type ContactSet, isSoftContact } from '../../collision/contact-set.ts';
import { LEAST_CONE_FRICTION } from '../../contact/least-friction.ts';
import { SOFT_DIMENSION } from '../../contact/soft-contact-rows.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import { dropLastBlock, isInReach, multiplyRow } from '../contact-reach.ts';
import { springFreeDepth } from '../free-depth.ts';
import type { CcpBuilder } from './ccp-builder.ts';

/** Share of the envelope in which contacts always have rows. */
const NEAR_SHARE = 0.1;
/** What rigid contacts push apart at once where bodies overlap at the start, share of what the recovery speed does in a step. */
const RIGID_SHARE = 0.1;

export function addContacts(builder: CcpBuilder, work: Workspace, contacts: ContactSet): void {
  const { model, problem, contactRows, softRows, softHeld, surfaceMotion } = builder;
  const near = NEAR_SHARE * builder.options.envelope;
  contactRows.begin(work, contacts);
  builder.groupSpeed.measure(work, contacts, builder.h);
  for (let i = 0; i < contacts.count; i++) {
    const isSoft = isSoftContact(contacts, i);
    const gap = contacts.gap[i] + contacts.recovery[i];
    if (gap > 0 && builder.guided.has(work, contacts, i)) continue;
    // rigid bodies alone have adhesion
    if (isSoft) contacts.adhesion[i] = 0;
    let dimension = isSoft ? Math.min(SOFT_DIMENSION, countRows(contacts, i)) : countRows(contacts, i);
    if (builder.easesDriven && isDriven(model, contacts, i)) dimension = 1;
    let block = isSoft
      ? softRows.add(problem.rows, model, work, softHeld, contacts, i, dimension)
      : contactRows.add(problem.rows, model, work, contacts, i, dimension);
    if (block < 0) continue;
    // what held vertices add to the velocity of the rows is not in them
    const held = isSoft ? softRows.heldVelocity[0] : 0;
    const isLikely = contacts.ahead[i] !== AHEAD.no || gap < near || held !== 0;
    if (!isLikely && !isInReach(builder, contacts, i, gap, block, dimension)) {
      dropLastBlock(problem);
      if (gap >= builder.h * builder.groupSpeed.of(contacts, i)) continue;
      // only another impact can close it: it does not rub across the gap
      dimension = 1;
      block = contactRows.add(problem.rows, model, work, contacts, i, dimension);
    }
    builder.mocapParting = surfaceMotion.canMove ? surfaceMotion.measureParting(model, work, contacts, i) : 0;
    const first = problem.describe(dimension === 1 ? CONSTRAINT_LAW.spring : CONSTRAINT_LAW.cone, SOURCE.contact, i);
    setNormal(builder, contacts, i, block, first, held);
    for (let k = 1; k < dimension; k++) {
      problem.friction[first + k] = Math.max(LEAST_CONE_FRICTION, contacts.friction[5 * i + k - 1]);
      problem.setRow(first + k, 0, 0, 0, 0);
    }
    if (surfaceMotion.canMove) {
      surfaceMotion.add(problem.reference, first, dimension, -1, model, work, contacts, i);
      // tangents have no other reference
      const slip = dimension > 1 ? Math.abs(problem.reference[first + 1]) + Math.abs(problem.reference[first + 2]) : 0;
      if (slip > 0 || builder.mocapParting !== 0) builder.driven.add(block);
    }
    if (isSoft) for (let k = 0; k < dimension; k++) problem.reference[first + k] -= softRows.heldVelocity[k];
  }
}

// whether a mocap body pushes
function isDriven(
  { body }: Model,
  { gap, carrierKind1, carrierKind2, carrier1, carrier2 }: ContactSet,
  i: number,
): boolean {
  if (gap[i] >= 0) return false;
  if (carrierKind1[i] === CARRIER.body && body.mocap[carrier1[i]] >= 0) return true;
  return carrierKind2[i] === CARRIER.body && body.mocap[carrier2[i]] >= 0;
}

// as few as the coefficients allow
function countRows({ condim, friction }: ContactSet, i: number): number {
  const f = 5 * i;
  if (condim[i] > 4 && Math.max(friction[f + 3], friction[f + 4]) > LEAST_CONE_FRICTION) return 6;
  if (condim[i] > 3 && friction[f + 2] > LEAST_CONE_FRICTION) return 4;
  return condim[i] > 1 && Math.max(friction[f], friction[f + 1]) > LEAST_CONE_FRICTION ? 3 : 1;
}

function setNormal(
  builder: CcpBuilder,
  contacts: ContactSet,
  i: number,
  block: number,
  row: number,
  held: number,
): void {
  const { problem, options, h, mocapParting } = builder;
  const gap = contacts.gap[i] + contacts.recovery[i];
  const compliance = contacts.stiffness[i] > 0 ? 1 / contacts.stiffness[i] : options.compliance;
  let speed: number;
  let softness = 0;
  if (compliance > 0 && contacts.ahead[i] === AHEAD.no) {
    const time = readRelaxation(builder, contacts, i);
    speed = (gap + time * mocapParting) / (h + time);
    softness = compliance / (h * (h + time));
  } else {
    speed = Math.max(gap / h, Math.min(0, mocapParting) - options.recoverySpeed);
  }
  const hold = h * contacts.adhesion[i];
  if (hold > 0) speed = Math.min(speed, 0);
  const restitution = contacts.restitution[i];
  if (restitution > 0) {
    const approach = multiplyRow(problem, block, 0, builder.startVelocity) + held + mocapParting;
    const end = multiplyRow(problem, block, 0, builder.freeVelocity) + held + mocapParting;
    if (restitution * approach < -options.bounceSpeed && gap + h * Math.min(approach, end) < 0)
      speed = restitution * approach + mocapParting;
  }
  // what adhesion adds to γ does not sink
  problem.setRow(row, softness * hold - speed, softness, 0, Infinity);
}

/** ∂b_n of a contact by its gap and by the velocity before the step along its normal. */
export interface NormalRates {
  readonly byGap: number;
  readonly bySpeed: number;
}

/** Of contact i, whose block has its numbers; without adhesion and overlaps of the start. */
export function readNormalRates(builder: CcpBuilder, contacts: ContactSet, i: number, block: number): NormalRates {
  const { problem, options, h } = builder;
  const row = problem.rows.rowStart[block];
  const isSoft = problem.regularization[row] > 0;
  const time = isSoft ? h + readRelaxation(builder, contacts, i) : h;
  const speed = isSoft ? contacts.gap[i] / time : Math.max(contacts.gap[i] / h, -options.recoverySpeed);
  if (contacts.restitution[i] > 0 && problem.reference[row] !== -speed)
    return { byGap: 0, bySpeed: contacts.restitution[i] };
  return { byGap: isSoft || speed > -options.recoverySpeed ? 1 / time : 0, bySpeed: 0 };
}

/**
 * α, s. Contacts of soft bodies that are given none have that of a step: without it a vertex that slides is lifted by its friction cone, lands
 * in the next step and slides again, and bodies never come to rest.
 */
function readRelaxation({ options, h }: CcpBuilder, contacts: ContactSet, i: number): number {
  if (contacts.dissipation[i] >= 0) return contacts.dissipation[i];
  return isSoftContact(contacts, i) ? Math.max(h, options.relaxation) : options.relaxation;
}

/** Depth that contact i pushes apart at the recovery speed, m; rigid contacts would do it in a step. */
export function measureFreeDepth(model: Model, contacts: ContactSet, i: number, h: number): number {
  const { compliance, relaxation, recoverySpeed } = model.options.ccp;
  const stiffness = contacts.stiffness[i] > 0 ? contacts.stiffness[i] : 1 / compliance;
  if (stiffness === Infinity) return RIGID_SHARE * h * recoverySpeed;
  const time = contacts.dissipation[i] >= 0 ? contacts.dissipation[i] : relaxation;
  return springFreeDepth(model, contacts, i, stiffness, h + time);
}
