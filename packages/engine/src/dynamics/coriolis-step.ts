/**
 * Coriolis and centrifugal forces of trees of joints at the mean velocity of the step, at the positions of its start:
 *   M Δ + h c(q, v + Δ/2) = 0,   v* = v + Δ
 * c without weight, N or N m. Fixed-point steps Δ ← Δ − M⁻¹ r as long as the residual r halves, Newton steps with M + (h/2) ∂c/∂v
 * where a tree moves too fast for them.
 */

import { multiplyTree } from '../linear-algebra/tree-ldl.ts';
import { factorTreeUnsymmetric, solveTreeUnsymmetric } from '../linear-algebra/tree-lu.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { computeBiasForce, type MovingState, updateTwists } from './bias-force.ts';
import { addBiasRate } from './bias-rate.ts';
import type { Workspace } from './workspace.ts';

/** Move of a step below which the change of velocity, of second order in it, is round-off, rad or m. */
const SLIGHT = 1e-6;
/** Residual, share of the momentum. */
const TOLERANCE = 1e-10;
const MOST_ITERATIONS = 25;

/** After the bias force of the state: replaces it in trees by that of the step, and writes the shift of their way. */
export function stepCoriolis(model: Model, state: State, work: Workspace, h: number): void {
  const { isCoriolisDof } = work.plan.inertial;
  const { biasForce, advanceShift, inertialChange, massMatrix, coriolis } = work;
  const { rowStart, column } = model.massMatrix;
  const v = state.velocity;
  let fastest = 0;
  for (let i = 0; i < v.length; i++) if (isCoriolisDof[i] === 1) fastest = Math.max(fastest, Math.abs(v[i]));
  coriolis.isMoving = h * fastest > SLIGHT && fastest < Infinity;
  if (!coriolis.isMoving) return;
  const { mean, change, weight, error } = coriolis;
  measureWeight(weight, model, work);
  multiplyTree(error, massMatrix, v, rowStart, column);
  const scale = measure(error, model, work);
  change.fill(0);
  mean.velocity.set(v);
  let least = Infinity;
  let isNewton = false;
  for (let n = 0; n < MOST_ITERATIONS; n++) {
    multiplyTree(error, massMatrix, change, rowStart, column);
    for (let i = 0; i < v.length; i++) error[i] += h * (biasForce[i] - weight[i]);
    const size = measure(error, model, work);
    if (!(size > TOLERANCE * scale)) break;
    if (!(size < 0.5 * least)) isNewton = true;
    least = Math.min(least, size);
    if (isNewton) solveNewton(error, model, mean, work, h);
    else solveMass(error, work, n === 0);
    for (let i = 0; i < v.length; i++) {
      if (isCoriolisDof[i] === 1) change[i] -= error[i];
      mean.velocity[i] = v[i] + 0.5 * change[i];
    }
    updateTwists(model, mean, work);
    computeBiasForce(model, mean, work);
  }
  // joints and drag read the rates and accelerations of the state itself
  updateTwists(model, state, work);
  computeBiasForce(model, state, work);
  multiplyTree(error, massMatrix, change, rowStart, column);
  for (let i = 0; i < v.length; i++) {
    if (isCoriolisDof[i] === 0) continue;
    biasForce[i] = weight[i] - error[i] / h;
    inertialChange[i] = change[i];
    advanceShift[i] = -0.5 * change[i];
  }
}

/** out = c(q, 0): s_i · I [0; −g] of the subtree that dof i carries. */
function measureWeight(out: Float64Array, model: Model, work: Workspace): void {
  const { motionSubspace: s, subtreeInertia, plan } = work;
  const { body } = model.dof;
  const gx = -plan.gravity[0];
  const gy = -plan.gravity[1];
  const gz = -plan.gravity[2];
  for (let i = 0; i < out.length; i++) {
    const o = 10 * body[i];
    const k = 6 * i;
    const x = subtreeInertia[o + 6];
    const y = subtreeInertia[o + 7];
    const z = subtreeInertia[o + 8];
    out[i] =
      s[k] * (y * gz - z * gy) +
      s[k + 1] * (z * gx - x * gz) +
      s[k + 2] * (x * gy - y * gx) +
      subtreeInertia[o + 9] * (s[k + 3] * gx + s[k + 4] * gy + s[k + 5] * gz);
  }
}

/** Size of an impulse of the trees, in the metric of diag(M)⁻¹. */
function measure(x: Float64Array, model: Model, work: Workspace): number {
  const { rowStart } = model.massMatrix;
  const { isCoriolisDof } = work.plan.inertial;
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    if (isCoriolisDof[i] === 1) sum += (x[i] * x[i]) / work.massMatrix[rowStart[i + 1] - 1];
  }
  return Math.sqrt(sum);
}

// x ← M⁻¹ x
function solveMass(x: Float64Array, work: Workspace, isFirst: boolean): void {
  const { kernels, rowStart, column } = work.plan;
  const { factor, inverseDiagonal } = work;
  if (isFirst) {
    factor.set(work.massMatrix);
    kernels.factorTree(factor, inverseDiagonal, rowStart, column);
  }
  kernels.solveTree(x, factor, inverseDiagonal, rowStart, column);
}

// x ← (M + h/2 ∂c/∂v)⁻¹ x
function solveNewton(x: Float64Array, model: Model, mean: MovingState, work: Workspace, h: number): void {
  const { rowStart, column } = work.plan;
  const { factor, factorUpper, inverseDiagonal, forceRate, forceRateUpper, massMatrix } = work;
  forceRate.fill(0);
  forceRateUpper.fill(0);
  addBiasRate(model, mean, work, 0, model.size.velocity, 0.5 * h);
  for (let k = 0; k < factor.length; k++) {
    factor[k] = massMatrix[k] + forceRate[k];
    factorUpper[k] = massMatrix[k] + forceRateUpper[k];
  }
  factorTreeUnsymmetric(factor, factorUpper, inverseDiagonal, rowStart, column);
  solveTreeUnsymmetric(x, factor, factorUpper, inverseDiagonal, rowStart, column);
}
