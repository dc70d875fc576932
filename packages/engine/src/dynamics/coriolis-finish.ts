/**
 * The end of a step of trees of joints: from v', pushed by all forces but Coriolis, to v⁺ = v' + Δ at the new positions q⁺, made to
 * keep kinetic energy, and in trees on a free joint momentum:
 *   ½ v⁺ᵀ M(q⁺) v⁺ = ½ v'ᵀ M(q) v',   momentum of v⁺ at q⁺ = momentum of v' at q
 * v⁺ is the motion as if all other joints were locked, which carries the momentum, and a rest that carries none and is scaled; the
 * two are orthogonal in M. Trees on the world have the rest alone.
 */
import { solveSmallSystem } from '../linear-algebra/small-system.ts';
import { multiplyTree } from '../linear-algebra/tree-ldl.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { updateMassMatrix } from './mass-matrix.ts';
import { updatePoses } from './poses.ts';
import { updateBodyInertias, updateMotionSubspace, updateTreeCenters } from './spatial-inertia.ts';
import type { Workspace } from './workspace.ts';

/** Most by which a rest is scaled up: more is not an error of the step. */
const MOST_GROWTH = 3;

const matrix = /* @__PURE__ */ new Float64Array(36);
const locked = /* @__PURE__ */ new Float64Array(6);
const carried = /* @__PURE__ */ new Float64Array(6);

/** The state has v' and the positions of the end of the step, the workspace M of its start. */
export function finishCoriolis(model: Model, state: State, work: Workspace): void {
  const { inertialChange, massMatrix, coriolis } = work;
  const { trees } = work.plan.inertial;
  const { rowStart, column } = model.massMatrix;
  const { momentum, energy } = coriolis;
  const v = state.velocity;
  if (!coriolis.isMoving) {
    for (let i = 0; i < v.length; i++) v[i] += inertialChange[i];
    return;
  }
  multiplyTree(momentum, massMatrix, v, rowStart, column);
  for (let t = 0; t < trees.length; t++) {
    energy[t] = sumEnergy(v, momentum, trees[t].first, trees[t].end);
    if (trees[t].freeBody >= 0) moveMomentum(momentum, trees[t].first, model, work, trees[t].freeBody, 1);
  }
  for (let i = 0; i < v.length; i++) v[i] += inertialChange[i];
  updatePoses(model, state, work);
  updateTreeCenters(model, work);
  updateBodyInertias(model, work);
  updateMotionSubspace(model, work);
  updateMassMatrix(model, work);
  multiplyTree(coriolis.error, massMatrix, v, rowStart, column);
  for (let t = 0; t < trees.length; t++) {
    const { first, end, freeBody } = trees[t];
    if (freeBody >= 0) moveMomentum(momentum, first, model, work, freeBody, -1);
    scaleTree(v, model, work, first, end, freeBody >= 0, energy[t]);
  }
}

// ½ v · p
function sumEnergy(v: Float64Array, p: Float64Array, first: number, end: number): number {
  let sum = 0;
  for (let i = first; i < end; i++) sum += 0.5 * v[i] * p[i];
  return sum;
}

/**
 * Angular momentum of a free joint, at p + 3: from its origin and the axes of its body to the centre of mass of the tree and the axes
 * of the world (sign 1), and back (−1).
 */
function moveMomentum(p: Float64Array, first: number, model: Model, work: Workspace, b: number, sign: number): void {
  const { jointAnchor, treeCenter, bodyRotation: rotation } = work;
  const a = 3 * model.body.jointStart[b];
  const c = 3 * model.body.root[b];
  const x = jointAnchor[a] - treeCenter[c];
  const y = jointAnchor[a + 1] - treeCenter[c + 1];
  const z = jointAnchor[a + 2] - treeCenter[c + 2];
  const r = 9 * b;
  const px = p[first];
  const py = p[first + 1];
  const pz = p[first + 2];
  const lx = p[first + 3];
  const ly = p[first + 4];
  const lz = p[first + 5];
  const ox = y * pz - z * py;
  const oy = z * px - x * pz;
  const oz = x * py - y * px;
  for (let k = 0; k < 3; k++) {
    if (sign > 0) {
      const o = r + 3 * k;
      const shift = k === 0 ? ox : k === 1 ? oy : oz;
      p[first + 3 + k] = rotation[o] * lx + rotation[o + 1] * ly + rotation[o + 2] * lz + shift;
    } else {
      p[first + 3 + k] =
        rotation[r + k] * (lx - ox) + rotation[r + 3 + k] * (ly - oy) + rotation[r + 6 + k] * (lz - oz);
    }
  }
}

function scaleTree(
  v: Float64Array,
  model: Model,
  work: Workspace,
  first: number,
  end: number,
  isFree: boolean,
  goal: number,
): void {
  const { error, momentum } = work.coriolis;
  let left = goal;
  let rest = sumEnergy(v, error, first, end);
  if (isFree) {
    // the motion of locked joints that carries the momentum of v, and the one that carries what it should be
    for (let k = 0; k < 6; k++) {
      carried[k] = error[first + k];
      locked[k] = momentum[first + k];
    }
    if (!solveBase(carried, model, work, first) || !solveBase(locked, model, work, first)) return;
    for (let k = 0; k < 6; k++) {
      rest -= 0.5 * carried[k] * error[first + k];
      left -= 0.5 * locked[k] * momentum[first + k];
      v[first + k] -= carried[k];
    }
  }
  const ratio = rest > 1e-12 * Math.abs(goal) ? Math.sqrt(Math.max(0, left) / rest) : 1;
  const scale = Math.min(ratio, MOST_GROWTH);
  for (let i = first; i < end; i++) v[i] *= scale;
  if (!isFree) return;
  // a step so wild that momentum alone has more energy gives way
  const share = left < 0 && goal > left ? Math.sqrt(Math.max(0, goal) / (goal - left)) : 1;
  for (let k = 0; k < 6; k++) v[first + k] += share * locked[k];
}

// x ← M_bb⁻¹ x over the six dofs of a free joint
function solveBase(x: Float64Array, model: Model, work: Workspace, first: number): boolean {
  const { rowStart } = model.massMatrix;
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c <= r; c++) matrix[6 * r + c] = matrix[6 * c + r] = work.massMatrix[rowStart[first + r] + c];
  }
  return solveSmallSystem(matrix, x, 6);
}
