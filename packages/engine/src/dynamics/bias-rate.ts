/**
 * h ∂c/∂v of the bias force c(q, v), in the pattern of the mass matrix, lower and upper part (it is not symmetric).
 *
 * Differentiating bias-force.ts by the velocity of dof k moves only the subtree of its body:
 *   dV = s_k for everything after dof k      dṡ_i = dV × s_i      dA_b = dA_parent + Σ (dṡ_i v_i + δ_ik ṡ_k)
 *   dF_b = I_b dA_b + dV ×* (I_b V_b) + V_b ×* (I_b dV)
 * and ∂c_i/∂v_k = s_i · Σ dF over the bodies moved by both. Cost: dofs times size of their subtrees.
 */
import { addScaled, crossForce, crossMotion, dot6, multiplyInertia } from '../linear-algebra/spatial.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { MovingState } from './bias-force.ts';
import type { Workspace } from './workspace.ts';

const scratch = /* @__PURE__ */ new Float64Array(6);
const momentum = /* @__PURE__ */ new Float64Array(6);
const shift = /* @__PURE__ */ new Float64Array(6);

/** Adds h ∂c/∂v for the dofs from `first` up to `end`. */
export function addBiasRate(
  model: Model,
  state: MovingState,
  work: Workspace,
  first: number,
  end: number,
  h: number,
): void {
  const { body, dof } = model;
  const { rowStart } = model.massMatrix;
  const { motionSubspace, forceRate, forceRateUpper, rateForce: dF } = work;
  for (let k = first; k < end; k++) {
    const b0 = dof.body[k];
    const b1 = work.plan.subtreeEnd[b0];
    for (let b = b0; b < b1; b++) differentiateBody(model, state, work, k, b, b === b0);
    // sums towards the body of dof k
    for (let b = b1 - 1; b > b0; b--) addScaled(dF, 6 * body.parent[b], dF, 6 * b, 1);

    // dofs below k, k itself included: rows i, column k
    const depth = rowStart[k + 1] - rowStart[k] - 1;
    for (let b = b0; b < b1; b++) {
      for (let i = body.dofStart[b]; i < body.dofStart[b] + body.dofCount[b]; i++) {
        if (i >= k) forceRate[rowStart[i] + depth] += h * dot6(motionSubspace, 6 * i, dF, 6 * b);
      }
    }
    // ancestors of k: column k above the diagonal
    let place = rowStart[k + 1] - 2;
    for (let i = dof.parent[k]; i >= 0; i = dof.parent[i])
      forceRateUpper[place--] += h * dot6(motionSubspace, 6 * i, dF, 6 * b0);
  }
}

/** dA and dF of one body for a unit change of the velocity of dof k. */
function differentiateBody(
  model: Model,
  state: MovingState,
  work: Workspace,
  k: number,
  b: number,
  isOwner: boolean,
): void {
  const { body, dof, joint } = model;
  const { motionSubspace, motionSubspaceRate, bodyTwist, bodyInertia, rateAcceleration: dA, rateForce: dF } = work;
  const t = 6 * b;
  if (isOwner) dA.fill(0, t, t + 6);
  else for (let n = 0; n < 6; n++) dA[t + n] = dA[6 * body.parent[b] + n];
  const lastDof = body.dofStart[b] + body.dofCount[b];
  for (let i = body.dofStart[b]; i < lastDof; i++) {
    if (i === k) addScaled(dA, t, motionSubspaceRate, 6 * k, 1);
    // axes of one ball turn together: their rates use the velocity before the joint
    const isMoved = isOwner ? i > k && (dof.joint[i] !== dof.joint[k] || startsRotation(model, i, k)) : true;
    if (!isMoved || isFreeTranslation(joint.kind[dof.joint[i]], i - joint.dofStart[dof.joint[i]])) continue;
    crossMotion(scratch, 0, motionSubspace, 6 * k, motionSubspace, 6 * i);
    addScaled(dA, t, scratch, 0, state.velocity[i]);
  }
  // dF = I dA + s_k ×* (I V) + V ×* (I s_k)
  multiplyInertia(dF, t, bodyInertia, 10 * b, dA, t);
  multiplyInertia(momentum, 0, bodyInertia, 10 * b, bodyTwist, t);
  crossForce(shift, 0, motionSubspace, 6 * k, momentum, 0);
  addScaled(dF, t, shift, 0, 1);
  multiplyInertia(momentum, 0, bodyInertia, 10 * b, motionSubspace, 6 * k);
  crossForce(shift, 0, bodyTwist, t, momentum, 0);
  addScaled(dF, t, shift, 0, 1);
}

/** Within a free joint the translations (dof k) come before the rotations (dof i). */
function startsRotation(model: Model, i: number, k: number): boolean {
  const j = model.dof.joint[k];
  const start = model.joint.dofStart[j];
  return model.joint.kind[j] === JOINT.free && k - start < 3 && i - start >= 3;
}

function isFreeTranslation(kind: number, offset: number): boolean {
  return kind === JOINT.free && offset < 3;
}
