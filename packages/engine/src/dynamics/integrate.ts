/**
 * From forces to the next state. Velocity first, then position with the new velocity, rotations by the exponential map:
 *   Â a = f + f_constraint      v⁺ = v + h a      q⁺ = q ⊕ h v⁺
 * Â is M plus what the integrator treats implicitly:
 *   semiImplicit  M + h D + β h² K of joints, drag, and tension of links; tendons and servos are rows of the minimisation
 *   euler         M + h D, D the dampers of joints            implicitfast  M − h ∂f/∂v, symmetric part
 *   implicit      M − h ∂f/∂v, bias included                  rk4, rkmk4    explicit, four stages
 *   bdf2          as semiImplicit; what `ipc` moves at order two gives its velocities itself (formulation/ipc/bdf2.ts)
 *   midpoint      M + h/2 D + h²/4 K in the middle of the step, see midpoint.ts; q⁺ = q ⊕ h (v + v⁺)/2
 * Source: MuJoCo documentation, "Numerical integration".
 */
import { factorTreeUnsymmetric, solveTreeUnsymmetric } from '../linear-algebra/tree-lu.ts';
import type { Model } from '../model/model.ts';
import { keepControls } from '../state/control-history.ts';
import type { State } from '../state/state.ts';
import { integrateActivations } from './actuation.ts';
import { addBiasRate } from './bias-rate.ts';
import { FLUID } from './fluid-access.ts';
import { computeForceRate } from './force-rate.ts';
import { isSemiImplicit } from './implicit-share.ts';
import { advanceInertially } from './inertial-motion.ts';
import { addMidpointMetric } from './midpoint.ts';
import { movePositions } from './poses.ts';
import { isRungeKutta } from './runge-kutta.ts';
import type { Workspace } from './workspace.ts';

/** Solves for the acceleration of a semi-implicit integrator. */
export function solveAcceleration(model: Model, state: State, work: Workspace, h: number): void {
  const { kernels, rowStart, column } = work.plan;
  const { acceleration, smoothForce, constraintForce, factor, factorUpper, inverseDiagonal, massMatrix } = work;
  const isUnsymmetric = addImplicitPart(model, state, work, h);
  for (let i = 0; i < acceleration.length; i++) acceleration[i] = smoothForce[i] + constraintForce[i];
  if (isUnsymmetric) {
    const { forceRate, forceRateUpper } = work;
    for (let k = 0; k < factor.length; k++) {
      factor[k] = massMatrix[k] + forceRate[k];
      factorUpper[k] = massMatrix[k] + forceRateUpper[k];
    }
    factorTreeUnsymmetric(factor, factorUpper, inverseDiagonal, rowStart, column);
    solveTreeUnsymmetric(acceleration, factor, factorUpper, inverseDiagonal, rowStart, column);
  } else {
    kernels.factorTree(factor, inverseDiagonal, rowStart, column);
    kernels.solveTree(acceleration, factor, inverseDiagonal, rowStart, column);
  }
}

/** Writes the symmetric part of Â, the derivative of the bias force left out: positive definite, in the pattern of M. */
export function assembleMetric(out: Float64Array, model: Model, state: State, work: Workspace, h: number): void {
  const { rowStart } = model.massMatrix;
  const { massMatrix, forceRate } = work;
  const { integrator } = model.options;
  if (takesForceRates(model, work)) {
    computeForceRate(model, state, work, h);
    for (let k = 0; k < out.length; k++) out[k] = massMatrix[k] + forceRate[k];
    addTensionMetric(out, model, work);
    return;
  }
  out.set(massMatrix);
  addTensionMetric(out, model, work);
  if (integrator === 'midpoint') addMidpointMetric(out, model, work, h);
  else if (!isExplicit(model, work)) {
    const { damping } = model.dof;
    const n = model.size.velocity;
    for (let i = 0; i < n; i++) out[rowStart[i + 1] - 1] += h * damping[i];
    const { extraDamping } = work.plan;
    for (let i = 0; i < extraDamping.length; i++) out[rowStart[i + 1] - 1] += h * extraDamping[i];
  }
}

/** Adds T of links under tension in trees on the world, see link-tension.ts. */
export function addTensionMetric(out: Float64Array, model: Model, { tension, plan }: Workspace): void {
  if (!tension.isInMetric) return;
  const { rowStart } = model.massMatrix;
  const { trees } = plan.inertial;
  for (let t = 0; t < trees.length; t++) {
    if (trees[t].isFree) continue;
    for (let k = rowStart[trees[t].firstDof]; k < rowStart[trees[t].endDof]; k++) out[k] += tension.metric[k];
  }
}

/** Whether Â takes the derivative of all forces by velocity. */
export function takesForceRates({ options: { integrator } }: Model, work: Workspace): boolean {
  if (isSemiImplicit(integrator)) return work.plan.hasForceRate;
  return integrator === 'implicitfast' || integrator === 'implicit';
}

/** Whether Â is M: the acceleration is then that of the constraints' solve. */
export function isExplicit(model: Model, work: Workspace): boolean {
  const { integrator, disabled } = model.options;
  if (isRungeKutta(integrator)) return true;
  if (isSemiImplicit(integrator)) return !work.plan.hasForceRate && !work.tension.isInMetric;
  const isDamped = work.plan.hasDamping || work.plan.extraDamping.length > 0;
  return integrator === 'euler' && (!isDamped || disabled.has('implicitDamping'));
}

/** Writes Â to `factor`, or, where it is not symmetric, its implicit part to `forceRate`; says whether it is not. */
function addImplicitPart(model: Model, state: State, work: Workspace, h: number): boolean {
  const { forceRate, forceRateUpper, plan } = work;
  assembleMetric(work.factor, model, state, work, h);
  if (plan.biasRate === 'none') return false;
  forceRateUpper.set(forceRate);
  if (plan.biasRate === 'all') {
    addBiasRate(model, state, work, 0, model.size.velocity, h);
    if (plan.fluid && plan.fluid.shape.length > 0)
      for (let b = 1; b < model.size.body; b++) FLUID.require().addEllipsoidSkewRate(model, work, b, h);
  } else {
    for (let n = 0; n < plan.loneFreeBodies.length; n++) {
      const first = model.body.dofStart[plan.loneFreeBodies[n]];
      addBiasRate(model, state, work, first, first + 6, h);
      if (plan.fluid) FLUID.require().addEllipsoidSkewRate(model, work, plan.loneFreeBodies[n], h);
    }
  }
  return true;
}

/** One step with the acceleration in the workspace. */
export function advance(model: Model, state: State, work: Workspace, h: number): void {
  const { acceleration } = work;
  const v = state.velocity;
  integrateActivations(model, state, work, h);
  if (work.plan.inertial.takesMeanVelocity) advanceInertially(model, state, work, h);
  else if (model.options.integrator === 'midpoint') advanceByMean(model, state, work, h);
  else {
    for (let i = 0; i < v.length; i++) v[i] += h * acceleration[i];
    movePositions(model, state, work, v, h);
  }
  const { endVelocity, hasEndVelocity } = work;
  for (let i = 0; i < endVelocity.length; i++) if (hasEndVelocity[i] === 1) v[i] = endVelocity[i];
  advanceSoftVertices(state, work, h);
  state.warmStart.set(work.solution);
  keepControls(model, state);
  state.time[0] += h;
}

// by the mean velocity, or that at the end where an impact has stopped a dof
function advanceByMean(model: Model, state: State, work: Workspace, h: number): void {
  const { acceleration, row, isImpact } = work;
  const v = state.velocity;
  for (let i = 0; i < v.length; i++) {
    const end = v[i] + h * acceleration[i];
    row[i] = isImpact[i] === 1 ? end : v[i] + 0.5 * h * acceleration[i];
    v[i] = end;
  }
  movePositions(model, state, work, row, h);
  row.fill(0);
}

// x⁺ = x + h v⁺, or by the velocity that leads there
function advanceSoftVertices({ softPosition, softVelocity }: State, work: Workspace, h: number): void {
  const by = work.softAdvance.length > 0 ? work.softAdvance : work.softVelocity;
  for (let i = 0; i < softPosition.length; i++) {
    softVelocity[i] = work.softVelocity[i];
    softPosition[i] += h * by[i];
  }
}
