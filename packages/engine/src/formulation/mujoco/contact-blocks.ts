/**
 * Contacts as blocks of `mujoco`: frictionless (condim 1), friction pyramid or elliptic cone (condim 3, 4, 6).
 * With w the sum of the bodies' translational inverse weights, d the impedance and i the impedance ratio:
 *   frictionless  R = (1−d)/d w
 *   elliptic      R_n = (1−d)/d w,  R_k = R_n/i · μ₁²/μ_k²,  μ = μ₁/√i; tangents have damping but no stiffness: they creep
 *   pyramidal     R = 2 μ² (1−d)/d (1 + μ₁²) w on every edge, μ = μ₁/√i; with more than four edges R grows with their number,
 *                 so that all of them together are as stiff (pyramid-directions.ts)
 * A soft body has the inverse weight of its whole matrix A, which its contacts share like the faces of a contact surface (material-reading.ts):
 * however fine its mesh, it sinks in and feels as heavy as a body with one contact.
 * Contacts that close fast (collision/ahead) are asked to be where they touch at the end of the step: a_ref = −(J v)/h − φ/h².
 * Source: MuJoCo documentation and 3.14.0's arrays (recomputed to 1e-15).
 */
import { CARRIER, type ContactSet, isSoftContact } from '../../collision/contact-set.ts';
import { mujocoDamping, mujocoStiffness, PatchShares, readsMaterial } from '../../contact/material-reading.ts';
import { SOFT_DIMENSION } from '../../contact/soft-contact-rows.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import { freeDepth, springFreeDepth } from '../free-depth.ts';
import { weighSoftSides } from '../soft-rows/soft-weight.ts';
import { addAdhesion } from './adhesion.ts';
import { GENESIS_DIMENSION, GENESIS_LEAST_FRICTION, isGenesis } from './genesis.ts';
import { Impedance } from './impedance.ts';
import type { MujocoBuilder } from './mujoco-builder.ts';
import { LEAST_FRICTION } from './mujoco-traits.ts';

/** Inverse weight of what cannot move, 1/kg; MuJoCo's least one. */
const IMMOVABLE = 1e-14;

const surface = /* @__PURE__ */ new Float64Array(6);
const shares = /* @__PURE__ */ new PatchShares();
const freeImpedance = /* @__PURE__ */ new Impedance();

export function addContacts(builder: MujocoBuilder, work: Workspace, contacts: ContactSet): void {
  const { model, problem, contactRows, softRows, softHeld, surfaceMotion } = builder;
  const isPlain = isGenesis(model);
  const isElliptic = model.options.mujoco.cone === 'elliptic' && !isPlain;
  contactRows.begin(work, contacts);
  shares.begin();
  const pyramids = contactRows.isCompiled ? builder.pyramids : undefined;
  pyramids?.begin(contacts, builder.safePeriod);
  for (let i = 0; i < contacts.count; i++) {
    if (pyramids) {
      // all pyramids that follow each other at once
      i = pyramids.add(i, contacts.count, contactRows, builder.damping);
      if (i === contacts.count) return;
    }
    const isSoft = isSoftContact(contacts, i);
    // rigid bodies alone have adhesion
    if (isSoft) contacts.adhesion[i] = 0;
    // detected, but beyond the distance at which it acts; adhesion acts there too, without friction
    const isApart = measureGap(contacts, i) >= contacts.margin[i] && contacts.ahead[i] === 0;
    const holds = contacts.adhesion[i] !== 0;
    if (isApart && !holds) continue;
    const wanted = isPlain
      ? GENESIS_DIMENSION
      : isSoft
        ? Math.min(SOFT_DIMENSION, contacts.condim[i])
        : contacts.condim[i];
    const dimension = isApart ? 1 : wanted;
    const block = isSoft
      ? softRows.add(problem.rows, model, work, softHeld, contacts, i, dimension)
      : contactRows.add(problem.rows, model, work, contacts, i, dimension);
    if (block < 0) continue;
    if (dimension === 1) addFrictionless(builder, contacts, i);
    else if (isElliptic) addCone(builder, contacts, i, dimension);
    else if (isPlain) addPlainPyramid(builder, contacts, i);
    else addPyramid(builder, contacts, i, dimension);
    if (holds) addAdhesion(problem, work, contacts, i);
    if (surfaceMotion.isPresent || isSoft) addSurfaceMotion(builder, work, contacts, i, dimension, isSoft);
  }
}

// moving surfaces and held vertices count as velocities of the rows: a_ref −= B u
function addSurfaceMotion(
  builder: MujocoBuilder,
  work: Workspace,
  contacts: ContactSet,
  i: number,
  dimension: number,
  isSoft: boolean,
): void {
  const { model, problem, surfaceMotion, softRows, damping } = builder;
  const block = problem.blockCount - 1;
  const first = problem.rows.rowStart[block];
  const { directions } = builder;
  surface.fill(0);
  surfaceMotion.add(surface, 0, dimension, 1, model, work, contacts, i);
  if (isSoft) {
    for (let k = 0; k < dimension; k++) surface[k] += softRows.heldVelocity[k];
    problem.reference[first] -= damping[first] * softRows.heldVelocity[0];
  }
  const extra = problem.rowCount - first - dimension;
  if (extra > 0 && directions) {
    for (let j = 0; j < directions.count; j++) {
      const along = directions.along1[j] * surface[1] + directions.along2[j] * surface[2];
      problem.reference[first + 1 + j] -= damping[first + 1 + j] * along;
    }
  }
  for (let k = extra > 0 ? 3 : 1; k < dimension; k++)
    problem.reference[first + extra + k] -= damping[first + extra + k] * surface[k];
}

function addFrictionless(builder: MujocoBuilder, contacts: ContactSet, i: number): void {
  const { problem, impedance } = builder;
  const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.contact, i);
  setImpedance(builder, contacts, i);
  const normal = impedance.regularize(inverseWeight(builder, contacts, i));
  const reference = referNormal(builder, contacts, i, normal);
  builder.setRow(row, reference, normal, 0, Infinity, impedance.damping);
}

function addCone(builder: MujocoBuilder, contacts: ContactSet, i: number, dimension: number): void {
  const { problem, impedance, model } = builder;
  const first = problem.describe(CONSTRAINT_LAW.cone, SOURCE.contact, i);
  const ratio = model.options.mujoco.impedanceRatio;
  setImpedance(builder, contacts, i);
  const normal = impedance.regularize(inverseWeight(builder, contacts, i));
  const reference = referNormal(builder, contacts, i, normal);
  builder.setRow(first, reference, normal, 0, 0, impedance.damping);
  const { solrefFriction, solimp } = contacts;
  const hasOwn = solrefFriction[2 * i] !== 0 || solrefFriction[2 * i + 1] !== 0;
  if (hasOwn && contacts.ahead[i] === 0) {
    impedance.set(
      solrefFriction,
      2 * i,
      solimp,
      5 * i,
      Math.abs(measureGap(contacts, i) - contacts.margin[i]),
      builder.safePeriod,
    );
  }
  const slide = friction(contacts, i, 1);
  const tangent = normal / ratio;
  problem.friction[first] = slide / Math.sqrt(ratio);
  for (let k = 1; k < dimension; k++) {
    const mu = friction(contacts, i, k);
    problem.friction[first + k] = mu;
    builder.setRow(first + k, 0, (tangent * slide * slide) / (mu * mu), 0, 0, impedance.damping);
  }
}

function addPyramid(builder: MujocoBuilder, contacts: ContactSet, i: number, dimension: number): void {
  const { problem, model, directions } = builder;
  const ratio = model.options.mujoco.impedanceRatio;
  const slide = friction(contacts, i, 1);
  if (directions) {
    directions.set(slide, friction(contacts, i, 2));
    directions.expandRows(problem.rows);
  }
  const first = addEdges(builder, contacts, i, dimension, slide, ratio);
  if (!directions) {
    for (let k = 1; k < dimension; k++) problem.friction[first + k] = friction(contacts, i, k);
    return;
  }
  for (let j = 0; j < directions.count; j++) problem.friction[first + 1 + j] = directions.friction[j];
  const extra = directions.count - 2;
  for (let k = 3; k < dimension; k++) problem.friction[first + extra + k] = friction(contacts, i, k);
}

// four edges with one coefficient
function addPlainPyramid(builder: MujocoBuilder, contacts: ContactSet, i: number): void {
  const slide = Math.max(GENESIS_LEAST_FRICTION, friction(contacts, i, 1));
  const first = addEdges(builder, contacts, i, GENESIS_DIMENSION, slide, 1);
  builder.problem.friction.fill(slide, first + 1, first + GENESIS_DIMENSION);
}

// rows of a pyramid with the softness of its edges; returns the first
function addEdges(
  builder: MujocoBuilder,
  contacts: ContactSet,
  i: number,
  dimension: number,
  slide: number,
  ratio: number,
): number {
  const { problem, impedance } = builder;
  const first = problem.describe(CONSTRAINT_LAW.pyramid, SOURCE.contact, i);
  setImpedance(builder, contacts, i);
  const weight = inverseWeight(builder, contacts, i) * (1 + slide * slide);
  const one = Math.max(1e-15, ((2 * slide * slide) / ratio) * impedance.regularize(weight));
  // all edges together push along the normal
  const reference = referNormal(builder, contacts, i, one / (2 * (dimension - 1)));
  const rowCount = problem.rowCount - first;
  const edge = rowCount === dimension ? one : (one * (rowCount - 1)) / (dimension - 1);
  builder.setRow(first, reference, edge, 0, 0, impedance.damping);
  for (let k = 1; k < rowCount; k++) builder.setRow(first + k, 0, edge, 0, 0, impedance.damping);
  return first;
}

/** How the numbers of a contact change with its gap: a_ref of the normal except for its damping, ln 1/R, and B of normal and tangents. */
export interface GapRates {
  reference: number;
  logStiffness: number;
  damping: number;
  tangentDamping: number;
}

/** Length of differences of a gap, m: impedances change within a tenth of a millimetre. */
const GAP_DIFFERENCE = 1e-8;

export function readGapRates(
  out: GapRates,
  builder: MujocoBuilder,
  contacts: ContactSet,
  i: number,
  law: number,
): void {
  const { gap, solrefFriction } = contacts;
  const at = gap[i];
  gap[i] = at + GAP_DIFFERENCE;
  const [reference, softness, damping] = measureNormal(builder, contacts, i, law);
  gap[i] = at - GAP_DIFFERENCE;
  const before = measureNormal(builder, contacts, i, law);
  gap[i] = at;
  const scale = 0.5 / GAP_DIFFERENCE;
  out.reference = scale * (reference - before[0]);
  out.logStiffness = -scale * Math.log(softness / before[1]);
  out.damping = scale * (damping - before[2]);
  const hasOwn = solrefFriction[2 * i] !== 0 || solrefFriction[2 * i + 1] !== 0;
  out.tangentDamping = hasOwn && law === CONSTRAINT_LAW.cone ? 0 : out.damping;
}

// a_ref of the normal except for its damping, R up to a factor, B
function measureNormal(builder: MujocoBuilder, contacts: ContactSet, i: number, law: number): [number, number, number] {
  const { impedance, model } = builder;
  setImpedance(builder, contacts, i);
  const weight = inverseWeight(builder, contacts, i);
  let normal: number;
  if (law === CONSTRAINT_LAW.pyramid) {
    const slide = friction(contacts, i, 1);
    const ratio = model.options.mujoco.impedanceRatio;
    const one = Math.max(1e-15, ((2 * slide * slide) / ratio) * impedance.regularize(weight * (1 + slide * slide)));
    normal = one / (2 * (contacts.condim[i] - 1));
  } else normal = impedance.regularize(weight);
  return [referNormal(builder, contacts, i, normal), normal, impedance.damping];
}

function setImpedance({ impedance, safePeriod, h }: MujocoBuilder, contacts: ContactSet, i: number): void {
  if (contacts.ahead[i] === 1) {
    impedance.setArrival(h);
    return;
  }
  const r = Math.abs(measureGap(contacts, i) - contacts.margin[i]);
  impedance.set(contacts.solref, 2 * i, contacts.solimp, 5 * i, r, safePeriod);
}

// a_ref of the normal except for its damping; a material with a stiffness determines K and B
function referNormal(
  { impedance, safePeriod }: MujocoBuilder,
  contacts: ContactSet,
  i: number,
  normal: number,
): number {
  if (contacts.ahead[i] === 1) return -impedance.stiffness * Math.max(0, contacts.gap[i]);
  if (readsMaterial(contacts, i)) {
    const stiffness = mujocoStiffness(contacts, i, normal, impedance.value);
    const damping = mujocoDamping(contacts, i, normal, impedance.value);
    impedance.replace(stiffness, damping, contacts.solimp[5 * i + 1], safePeriod);
  }
  return -impedance.stiffness * impedance.value * (measureGap(contacts, i) - contacts.margin[i]);
}

// of pairs that overlapped at the start, from their allowance on
function measureGap({ gap, recovery }: ContactSet, i: number): number {
  return gap[i] + recovery[i];
}

/** Depth that contact i pushes apart at the recovery speed, m: K d_v = v √K, e times as much with critical damping. */
export function measureFreeDepth(model: Model, contacts: ContactSet, i: number, h: number): number {
  if (readsMaterial(contacts, i)) return springFreeDepth(model, contacts, i, contacts.stiffness[i], h);
  const { accuracy, disabled, timestep } = model.options;
  const safePeriod = disabled.has('safeReference') ? 0 : 2 * (accuracy === undefined ? timestep : h);
  freeImpedance.set(contacts.solref, 2 * i, contacts.solimp, 5 * i, Math.abs(contacts.gap[i]), safePeriod);
  const { stiffness, damping } = freeImpedance;
  const isDamped = damping * damping >= 4 * stiffness * (1 - 1e-9);
  return freeDepth(model, Math.sqrt(stiffness) / (isDamped ? Math.E : 1), stiffness);
}

function inverseWeight({ model, soft }: MujocoBuilder, contacts: ContactSet, i: number): number {
  const { bodyTranslation } = model.inverseWeight;
  const one = contacts.carrierKind1[i] === CARRIER.soft ? 0 : contacts.carrier1[i];
  const two = contacts.carrierKind2[i] === CARRIER.soft ? 0 : contacts.carrier2[i];
  const share = shares.measure(contacts, i);
  const whole = weighSoftSides(soft, contacts, i);
  if (whole > 0) return share * (whole + bodyTranslation[one] + bodyTranslation[two]);
  const weight = bodyTranslation[one] + bodyTranslation[two];
  return share * (weight > IMMOVABLE ? weight : weighFree(model, one) + weighFree(model, two));
}

// of a body that joints do not let give way to a contact at all: as if it were free, since no other force would be bounded
function weighFree({ body }: Model, b: number): number {
  return body.lastDof[b] >= 0 && body.mass[b] > 0 ? 1 / body.mass[b] : 0;
}

/** μ of a row of a contact, as this formulation bounds it. */
export function friction(contacts: ContactSet, i: number, row: number): number {
  return Math.max(LEAST_FRICTION, contacts.friction[5 * i + row - 1]);
}
