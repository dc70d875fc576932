/**
 * Inverse weights: the inverse inertia of bodies, dofs and tendons in the initial pose, the scale of soft constraints.
 *
 *   body     A = J M⁻¹ Jᵀ, J the six rows (velocity of the centre of mass, angular velocity) of a body: mean of the three
 *            translational entries of the diagonal (1/kg) and of the three rotational ones (1/(kg m²))
 *   dof      (M⁻¹)ᵢᵢ, averaged over the rotations and over the translations of one joint
 *   tendon   J M⁻¹ Jᵀ, J the row of the tendon
 *
 * With M = Lᵀ D L (linear-algebra/tree-ldl.ts), M⁻¹ = L⁻¹ D⁻¹ L⁻ᵀ, and row i of L⁻¹ reaches no further than the ancestors
 * of dof i: a dof costs depth²/2 operations, independent of the rest of the model. A body is moved by the axes S of its chain of dofs, and
 * A = Y D⁻¹ Yᵀ with Y = S L⁻¹ = Σ sᵢ (row i of L⁻¹): the sum grows by one term from a dof to the next one below.
 *
 * A body without children that is held by slides alone, along its principal axes through its centre of mass and on a
 * fixed base, counts as freely sliding: 1/mass, whatever the number of slides and their armature. MuJoCo does the same.
 * Source: MuJoCo, "Computation / Constraint model", constants body_invweight0, dof_invweight0, tendon_invweight0.
 */
import { factorTree } from '../linear-algebra/tree-ldl.ts';
import { JOINT, type Model, type ModelInverseWeights, type ModelSizes } from './model.ts';
import { prepareRestDynamics, type RestDynamics } from './rest-dynamics.ts';

/** Lengths (m) and quaternion entries below this count as zero; axes are held to more. */
const FRAME_TOLERANCE = 1e-6;
const AXIS_TOLERANCE = 1e-14;

/** Fraction of its inertia that is added to a dof where M has no factor (slides along one line, for instance). */
const SINGULAR_SHARE = 1e-12;

type Workspace = ReturnType<RestDynamics>;

/** L and 1/D of the mass matrix. */
interface Factor {
  readonly lower: Float64Array;
  readonly inverseDiagonal: Float64Array;
}

/** Nothing moves. */
export function createInverseWeights(size: ModelSizes): ModelInverseWeights {
  return {
    bodyTranslation: new Float64Array(size.body),
    bodyRotation: new Float64Array(size.body),
    dof: new Float64Array(size.velocity),
    tendon: new Float64Array(size.tendon),
    meanInertia: 1,
  };
}

/** The weights of a mechanism in joint coordinates; `work` holds its kinematics in the initial pose. */
export function computeInverseWeights(model: Model, work: Workspace): ModelInverseWeights {
  const weights = { ...createInverseWeights(model.size), meanInertia: meanInertia(model, work) };
  const factor = factorMassMatrix(model, work);
  weighBodies(weights, model, work, factor, findSlidingBodies(model));
  averageDofs(weights.dof, model);
  weighTendons(weights.tendon, model, work, factor);
  return weights;
}

/**
 * The same scene after its bodies were set free: bodies and tendons keep the weights they have in the mechanism, so that
 * contacts are as soft in either coordinates; dofs and mean inertia are those of the free bodies.
 */
export function reweighFreedBodies(model: Model): Model {
  const work = prepareRestDynamics(model, model.initialPosition)();
  const dof = new Float64Array(model.size.velocity);
  const factor = factorMassMatrix(model, work);
  const row = new Float64Array(longestRow(model.massMatrix.rowStart));
  for (let i = 0; i < dof.length; i++) dof[i] = invertDof(row, model, factor, i);
  averageDofs(dof, model);
  return { ...model, inverseWeight: { ...model.inverseWeight, dof, meanInertia: meanInertia(model, work) } };
}

function meanInertia({ massMatrix, size }: Model, work: Workspace): number {
  if (size.velocity === 0) return 1;
  let sum = 0;
  for (let i = 0; i < size.velocity; i++) sum += work.massMatrix[massMatrix.rowStart[i + 1] - 1];
  return sum / size.velocity;
}

function factorMassMatrix(model: Model, work: Workspace): Factor {
  const { rowStart, column } = model.massMatrix;
  const lower = new Float64Array(work.massMatrix);
  const inverseDiagonal = new Float64Array(model.size.velocity);
  if (factorTree(lower, inverseDiagonal, rowStart, column) >= 0) {
    // dofs that move the same mass in the same way: a little extra inertia distinguishes them
    lower.set(work.massMatrix);
    for (let i = 0; i < inverseDiagonal.length; i++) lower[rowStart[i + 1] - 1] *= 1 + SINGULAR_SHARE;
    factorTree(lower, inverseDiagonal, rowStart, column);
  }
  return { lower, inverseDiagonal };
}

/** Bodies and dofs together, towards the leaves. */
function weighBodies(
  out: ModelInverseWeights,
  model: Model,
  work: Workspace,
  factor: Factor,
  isSliding: Uint8Array,
): void {
  const { mass, dofStart, dofCount, lastDof } = model.body;
  const { rowStart } = model.massMatrix;
  const { motionSubspace } = work;
  const point = new Float64Array(3);
  const longest = longestRow(rowStart);
  const row = new Float64Array(longest);
  // Y = S L⁻¹ for the chain of each length: dofs are in depth-first order, so the one above is never overwritten
  const chains = new Float64Array(3 * longest * (longest + 1));
  for (let b = 1; b < model.size.body; b++) {
    for (let i = dofStart[b]; i < dofStart[b] + dofCount[b]; i++) {
      out.dof[i] = invertDof(row, model, factor, i);
      extendChain(chains, rowStart[i + 1] - rowStart[i], row, motionSubspace, 6 * i);
    }
    if (isSliding[b]) {
      out.bodyTranslation[b] = 1 / mass[b];
      out.dof.fill(1 / mass[b], dofStart[b], dofStart[b] + dofCount[b]);
    } else if (lastDof[b] >= 0) {
      placeWeight(point, model, work, b);
      weighBody(out, b, model, chains, factor, point);
    }
  }
}

/** out ← the point of a body to which its weight refers, from the centre of its tree. */
function placeWeight(out: Float64Array, { body }: Model, work: Workspace, b: number): void {
  const c = 3 * body.root[b];
  for (let k = 0; k < 3; k++) out[k] = work.bodyCenter[3 * b + k] - work.treeCenter[c + k];
  if (body.mass[b] > 0 || !isZero(body.inertiaCenter, 3 * b, FRAME_TOLERANCE)) return;
  // a body without mass has no centre: MuJoCo repeats the offset from the parent, in its own axes
  for (let k = 0; k < 3; k++) {
    for (let l = 0; l < 3; l++) out[k] += work.bodyRotation[9 * b + 3 * k + l] * body.position[3 * b + l];
  }
}

/** Y of a chain of some length from that of the chain above: + s xᵀ, s the axis of its last dof and x the row of L⁻¹. */
function extendChain(chains: Float64Array, length: number, x: Float64Array, axis: Float64Array, s: number): void {
  const above = 3 * (length - 1) * (length - 2);
  const to = 3 * length * (length - 1);
  const last = 6 * (length - 1);
  chains.copyWithin(to, above, above + last);
  chains.fill(0, to + last, to + last + 6);
  const wx = axis[s];
  const wy = axis[s + 1];
  const wz = axis[s + 2];
  const vx = axis[s + 3];
  const vy = axis[s + 4];
  const vz = axis[s + 5];
  for (let k = 0, at = to; k < length; k++, at += 6) {
    const value = x[k];
    chains[at] += wx * value;
    chains[at + 1] += wy * value;
    chains[at + 2] += wz * value;
    chains[at + 3] += vx * value;
    chains[at + 4] += vy * value;
    chains[at + 5] += vz * value;
  }
}

/** Means of the diagonal of Y D⁻¹ Yᵀ, with the velocities taken at an offset (m) from the centre of the tree. */
function weighBody(
  out: ModelInverseWeights,
  b: number,
  model: Model,
  chains: Float64Array,
  { inverseDiagonal }: Factor,
  point: Float64Array,
): void {
  const { rowStart, column } = model.massMatrix;
  const last = model.body.lastDof[b];
  const length = rowStart[last + 1] - rowStart[last];
  const dx = point[0];
  const dy = point[1];
  const dz = point[2];
  let translation = 0;
  let rotation = 0;
  for (let k = 0, at = 3 * length * (length - 1); k < length; k++, at += 6) {
    const wx = chains[at];
    const wy = chains[at + 1];
    const wz = chains[at + 2];
    const vx = chains[at + 3] + wy * dz - wz * dy;
    const vy = chains[at + 4] + wz * dx - wx * dz;
    const vz = chains[at + 5] + wx * dy - wy * dx;
    const weight = inverseDiagonal[column[rowStart[last] + k]];
    translation += weight * (vx * vx + vy * vy + vz * vz);
    rotation += weight * (wx * wx + wy * wy + wz * wz);
  }
  out.bodyTranslation[b] = translation / 3;
  out.bodyRotation[b] = rotation / 3;
}

/** (M⁻¹)ᵢᵢ; leaves row i of L⁻¹ over the ancestors of the dof and itself. */
function invertDof(row: Float64Array, model: Model, { lower, inverseDiagonal }: Factor, dof: number): number {
  const { rowStart, column } = model.massMatrix;
  const first = rowStart[dof];
  const last = rowStart[dof + 1] - first - 1;
  row.fill(0, 0, last);
  row[last] = 1;
  let sum = 0;
  for (let k = last; k >= 0; k--) {
    const i = column[first + k];
    const value = row[k];
    for (let s = 0, at = rowStart[i]; s < k; s++, at++) row[s] -= lower[at] * value;
    sum += inverseDiagonal[i] * value * value;
  }
  return sum;
}

/** One number for the translations of a joint and one for its rotations. */
function averageDofs(values: Float64Array, { joint, size }: Model): void {
  for (let j = 0; j < size.joint; j++) {
    const d = joint.dofStart[j];
    const kind = joint.kind[j];
    if (kind !== JOINT.free && kind !== JOINT.ball) continue;
    average(values, d);
    if (kind === JOINT.free) average(values, d + 3);
  }
}

function weighTendons(out: Float64Array, model: Model, work: Workspace, { lower, inverseDiagonal }: Factor): void {
  const { rowStart, column } = model.massMatrix;
  const nv = model.size.velocity;
  const row = new Float64Array(out.length > 0 ? nv : 0);
  for (let t = 0; t < out.length; t++) {
    row.set(work.tendonJacobian.subarray(t * nv, (t + 1) * nv));
    // leaves first
    for (let i = nv - 1; i >= 0; i--) {
      const value = row[i];
      if (value === 0) continue;
      const last = rowStart[i + 1] - 1;
      for (let k = rowStart[i]; k < last; k++) row[column[k]] -= lower[k] * value;
      out[t] += inverseDiagonal[i] * value * value;
    }
  }
}

function average(values: Float64Array, at: number): void {
  values.fill((values[at] + values[at + 1] + values[at + 2]) / 3, at, at + 3);
}

function longestRow(rowStart: Int32Array): number {
  let longest = 0;
  for (let i = 1; i < rowStart.length; i++) longest = Math.max(longest, rowStart[i] - rowStart[i - 1]);
  return longest;
}

/** Bodies that slide freely: see the head of this file. */
function findSlidingBodies(model: Model): Uint8Array {
  const { body, joint } = model;
  const result = new Uint8Array(model.size.body);
  for (let b = 1; b < model.size.body; b++) {
    const parent = body.parent[b];
    // bodies are in depth-first order: the parent has been judged
    result[parent] = 0;
    const isOnBase = parent === 0 || (body.parent[parent] === 0 && body.dofCount[parent] === 0);
    if (!isOnBase || body.dofCount[b] === 0 || !hasPrincipalFrame(model, b)) continue;
    result[b] = 1;
    for (let j = body.jointStart[b]; j < body.jointStart[b] + body.jointCount[b]; j++) {
      const isPlain =
        joint.kind[j] === JOINT.slide &&
        isZero(joint.anchor, 3 * j, FRAME_TOLERANCE) &&
        isAlongOneAxis(joint.axis, 3 * j);
      if (!isPlain) result[b] = 0;
    }
  }
  return result;
}

/** Whether the frame of a body is at its centre of mass, along its principal axes. */
function hasPrincipalFrame({ body }: Model, b: number): boolean {
  return (
    isZero(body.inertiaCenter, 3 * b, FRAME_TOLERANCE) &&
    isZero(body.inertiaOrientation, 4 * b + 1, FRAME_TOLERANCE) &&
    Math.abs(Math.abs(body.inertiaOrientation[4 * b]) - 1) < FRAME_TOLERANCE
  );
}

function isZero(values: Float64Array, at: number, tolerance: number): boolean {
  return (
    Math.abs(values[at]) < tolerance && Math.abs(values[at + 1]) < tolerance && Math.abs(values[at + 2]) < tolerance
  );
}

function isAlongOneAxis(axis: Float64Array, at: number): boolean {
  let count = 0;
  for (let k = at; k < at + 3; k++) if (Math.abs(axis[k]) > AXIS_TOLERANCE) count++;
  return count === 1;
}
