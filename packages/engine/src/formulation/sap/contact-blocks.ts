/**
 * Contacts as blocks of `sap`. With w = |J A⁻¹ Jᵀ|_F / 3 over normal and tangents, less where the light body may carry heavy ones (group-speed.ts):
 *   R_n = max(β²/(4π²) w, 1/(h k (h + τ)))      R_t = σ w      v̂ = (−(φ₀ + τ s)/(h + τ), 0, 0)
 * and an elliptic cone; spin and roll have R_t μ²/μ_j². Without friction the normal row alone, a spring that only pushes.
 * For friction of soft bodies w is at least S/(a m), as if all contacts of the body, of area S, stopped it together.
 * Contacts at a gap are in as well where the step closes it, φ₀ + h u_n < 0 before or without constraints, and within the dilation
 * gap of their slip, φ₀ < 2 (h + τ) |μ u_t|: without them a sliding body loses its contacts as that gap opens, falls and hops.
 * Those that only another impact of the same step can close (group-speed.ts) have v̂ = −φ₀/h and no friction: they act
 * where the gap is gone, and do not rub across it. Those that joints keep at a gap have no rows (guided-contacts.ts).
 * s is the speed at which mocap bodies part the surfaces, negative where they push: the damper sees it, the gap has it already.
 * Pairs that overlapped at the start measure φ₀ from their allowance (collision/initial-state/starting-pairs.ts).
 * Contacts that close fast (collision/ahead) have R_n = 10⁻⁴ w and v̂ = −φ₀/h: the pair comes as far as it touches, and what softness
 * lets pass, h u R_n/w, is 2 mm at a kilometre a second and 1/60 s.
 */
import { AHEAD, type ContactSet, isSoftContact } from '../../collision/contact-set.ts';
import { LEAST_CONE_FRICTION } from '../../contact/least-friction.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import { dropLastBlock, isFoundBySpeed, multiplyRow } from '../contact-reach.ts';
import { weighSoftSides } from '../soft-rows/soft-weight.ts';
import { regularizeSpring, rigidLimit } from '../velocity-rows/near-rigid.ts';
import { contactStiffness, dissipationTime } from './contact-material.ts';
import { addLagged } from './lagged-contact.ts';
import type { SapBuilder } from './sap-builder.ts';

/** Norm over three of a unit matrix, as in w. */
const UNIT = 1 / Math.sqrt(3);

/** R_n of contacts that close fast, share of w. */
const FAST_SOFTNESS = 1e-4;

/** What a contact is described with. */
export type ContactContext = Pick<
  SapBuilder,
  | 'problem'
  | 'options'
  | 'h'
  | 'delassus'
  | 'loadShare'
  | 'startVelocity'
  | 'heldApproach'
  | 'mocapParting'
  | 'sharedInverse'
>;

export function addContacts(builder: SapBuilder, work: Workspace, contacts: ContactSet): void {
  const { model, problem, contactRows, softRows, softHeld, surfaceMotion, groupSpeed, h } = builder;
  contactRows.begin(work, contacts);
  groupSpeed.measure(work, contacts, h);
  const isMoving = surfaceMotion.isMoving(work);
  let wholeInverse = 0;
  for (let i = 0; i < contacts.count; i++) {
    const isSoft = isSoftContact(contacts, i);
    const gap = contacts.gap[i] + contacts.recovery[i];
    if (gap > 0 && builder.guided.has(work, contacts, i)) continue;
    const block = isSoft
      ? softRows.add(problem.rows, model, work, softHeld, contacts, i)
      : contactRows.add(problem.rows, model, work, contacts, i, countRows(builder, contacts, i));
    if (block < 0) continue;
    if (gap > 0 && contacts.ahead[i] === AHEAD.no && !isNear(builder, contacts, i, block, isMoving)) {
      if (gap >= h * groupSpeed.of(contacts, i)) {
        dropLastBlock(problem);
        continue;
      }
      contacts.ahead[i] = AHEAD.byImpact;
    }
    builder.heldApproach = isSoft ? softRows.heldVelocity[0] : 0;
    builder.mocapParting = isMoving ? surfaceMotion.measureParting(model, work, contacts, i) : 0;
    if (isSoft && (i === 0 || contacts.pair[i] !== contacts.pair[i - 1]))
      wholeInverse = weighPair(builder, contacts, i);
    builder.sharedInverse = isSoft && contacts.area[i] > 0 ? wholeInverse / contacts.area[i] : 0;
    builder.loadShare = groupSpeed.loadShare(contacts, i);
    describeContact(builder, contacts, i);
    // a surface that moves, and vertices that are held, add to the velocity of the rows
    const first = problem.rows.rowStart[block];
    surfaceMotion.add(problem.reference, first, problem.rowCount - first, -1, model, work, contacts, i);
    if (!isSoft) continue;
    for (let r = first; r < problem.rowCount; r++) problem.reference[r] -= softRows.heldVelocity[r - first];
  }
}

/**
 * S/m of a pair with a soft body whose contacts begin at i, S the area in contact, m². A contact of area a that carries its share
 * of the load stops the body like one with inverse mass S/(a m). One vertex of a fine mesh is light and attached to stiff springs:
 * its own w says little of how fast all contacts together stop the body, and friction scaled by it alone is far stiffer than
 * the bound of slip μ σ g h asks for, which makes the problem hard for nothing.
 */
function weighPair({ soft }: SapBuilder, contacts: ContactSet, i: number): number {
  let area = 0;
  for (let k = i; k < contacts.count && contacts.pair[k] === contacts.pair[i]; k++) {
    if (contacts.gap[k] < 0) area += contacts.area[k];
  }
  return UNIT * area * weighSoftSides(soft, contacts, i);
}

/** Whether a contact at a gap may act in the step. */
function isNear(
  { model, problem, options, h, startVelocity, freeVelocity }: SapBuilder,
  contacts: ContactSet,
  i: number,
  block: number,
  isMoving: boolean,
): boolean {
  const gap = contacts.gap[i] + contacts.recovery[i];
  const before = multiplyRow(problem, block, 0, startVelocity);
  const after = multiplyRow(problem, block, 0, freeVelocity);
  if (gap + h * Math.min(before, after) < 0) return true;
  if (isFoundBySpeed(model, contacts, i)) return false;
  // slip against moving surfaces is not in the rows
  if (isMoving) return true;
  // the cone opens the gap by μ_k |u_k| of every direction; twice that, so that it is not lost while it grows
  let slip = 0;
  for (let k = 1; k < problem.rows.rowCount - problem.rows.rowStart[block]; k++) {
    slip += (contacts.friction[5 * i + k - 1] * multiplyRow(problem, block, k, startVelocity)) ** 2;
  }
  return gap < 2 * (h + dissipationTime(options, contacts, i)) * Math.sqrt(slip);
}

// three at least: all directions count in w
function countRows({ options }: ContactContext, contacts: ContactSet, i: number): number {
  return hasFriction(contacts, i) && options.contactModel === 'sap' ? contacts.condim[i] : 3;
}

/** Gives the last block, the rows of contact i in global dofs, its law and numbers. */
export function describeContact(context: ContactContext, contacts: ContactSet, i: number): void {
  const { problem, delassus, options } = context;
  delassus.measure(problem.rows, problem.rows.blockCount - 1, 3);
  const w = context.loadShare * delassus.meanOfThree();
  if (options.contactModel === 'lagged' && contacts.ahead[i] === AHEAD.no)
    addLagged(context, contacts, i, w, hasFriction(contacts, i));
  else if (hasFriction(contacts, i) && contacts.ahead[i] !== AHEAD.byImpact) addCone(context, contacts, i, w);
  else addFrictionless(context, contacts, i, w);
}

function hasFriction(contacts: ContactSet, i: number): boolean {
  return contacts.condim[i] > 1 && contacts.friction[5 * i] > LEAST_CONE_FRICTION;
}

function addCone(context: ContactContext, contacts: ContactSet, i: number, w: number): void {
  const { problem } = context;
  const first = problem.describe(CONSTRAINT_LAW.cone, SOURCE.contact, i);
  setCone(context, contacts, i, first, problem.rowCount - first, w);
}

function setCone(
  context: ContactContext,
  contacts: ContactSet,
  i: number,
  first: number,
  dimension: number,
  w: number,
): void {
  const { problem, options, sharedInverse } = context;
  const normal = setNormal(context, contacts, i, first, w);
  const tangent = options.frictionRegularization * Math.max(w, sharedInverse);
  const slide = contacts.friction[5 * i];
  problem.friction[first] = slide * Math.sqrt(tangent / normal);
  for (let k = 1; k < dimension; k++) {
    const mu = Math.max(LEAST_CONE_FRICTION, contacts.friction[5 * i + k - 1]);
    problem.friction[first + k] = mu;
    problem.setRow(first + k, 0, (tangent * slide * slide) / (mu * mu), 0, 0);
  }
}

function addFrictionless(context: ContactContext, contacts: ContactSet, i: number, w: number): void {
  const { problem } = context;
  // tangents were there for w alone
  keepFirstRow(context);
  const first = problem.describe(CONSTRAINT_LAW.spring, SOURCE.contact, i);
  setNormal(context, contacts, i, first, w);
}

/** Numbers of the rows of a contact as if the inverse mass that it sees were so much, for derivatives. */
export function refitContact(
  context: ContactContext,
  contacts: ContactSet,
  i: number,
  block: number,
  inverseMass: number,
): void {
  const { rows, law } = context.problem;
  const first = rows.rowStart[block];
  const w = context.loadShare * inverseMass;
  if (law[block] === CONSTRAINT_LAW.cone) setCone(context, contacts, i, first, rows.rowStart[block + 1] - first, w);
  else setNormal(context, contacts, i, first, w);
}

/** Numbers of the normal row; returns R_n. */
function setNormal(context: ContactContext, contacts: ContactSet, i: number, row: number, w: number): number {
  const { problem, options, h, mocapParting } = context;
  if (contacts.ahead[i] === AHEAD.fast) {
    const rigid = Math.min(FAST_SOFTNESS * w, rigidLimit(w, options.nearRigid));
    problem.setRow(row, -Math.max(0, contacts.gap[i]) / h, rigid, 0, Infinity);
    return rigid;
  }
  const time = dissipationTime(options, contacts, i);
  const normal = regularizeSpring(w, options.nearRigid, h, contactStiffness(options, contacts, i), time);
  const damping = contacts.ahead[i] === AHEAD.byImpact ? 0 : time;
  const goal = contacts.gap[i] + contacts.recovery[i] + damping * mocapParting;
  problem.setRow(row, -goal / (h + damping), normal, 0, Infinity);
  return normal;
}

/** Takes all rows but the first off the last block. */
function keepFirstRow({ problem: { rows } }: ContactContext): void {
  const block = rows.blockCount - 1;
  rows.rowCount = rows.rowStart[block] + 1;
  rows.rowStart[block + 1] = rows.rowCount;
  rows.valueEnd = rows.valueStart[block] + rows.columnCount[block];
}
