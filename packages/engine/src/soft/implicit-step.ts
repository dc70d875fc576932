/**
 * Implicit Euler step of a soft body without contact: minimises J of step-objective.ts by Newton's method with a line search.
 *
 * Stops when r = √(Σ |∂J/∂xᵢ|² / mᵢ) / h ≤ ε_a + ε_r max(√Σ mᵢ|vᵢ|², h √Σ |fᵢ|²/mᵢ, √Σ mᵢ|ṽᵢ|²), all √J: momentum left over
 * against momentum, elastic impulse and momentum without elasticity, ṽ = (x̃ − xₙ)/h, over free vertices; or when a step is too
 * short to be told from round-off of the positions. The line search halves until Armijo's condition holds; where the value is too flat to tell, the
 * slope decides. A Hessian is the true one, projected where that is not positive definite, and is kept as long as it takes the
 * residual down fast. It starts at x̃, at xₙ + h vₙ or at rest in xₙ, whichever is lowest: a free fall takes no iteration.
 * Sources: Nocedal and Wright, Numerical Optimization (2nd ed.), chapters 3 and 7; Hager and Zhang, A new conjugate gradient
 * method with guaranteed descent (2005), the condition on slopes; Eisenstat and Walker (1996), how exactly to solve by
 * conjugate gradients.
 */
import { addElasticHessian } from './elastic-energy.ts';
import { ELASTIC_LAW } from './material.ts';
import { findDirection, usesFactor } from './newton-direction.ts';
import type { SoftBoundary } from './soft-boundary.ts';
import type { SoftMesh } from './soft-mesh.ts';
import { SOFT_OUTCOME } from './soft-outcome.ts';
import type { SoftWorkspace } from './soft-workspace.ts';
import { assembleFromStart, assembleStep, evaluateStep } from './step-objective.ts';

export interface SoftStepOptions {
  /** How Newton's systems are solved; `auto`: by Cholesky where the factor is small. */
  readonly solver: 'auto' | 'pcg' | 'cholesky';
  /** ε_r and ε_a, √J. */
  readonly relativeTolerance: number;
  readonly absoluteTolerance: number;
  /** Newton iterations at most, and of conjugate gradients in each. */
  readonly iterations: number;
  readonly gradientIterations: number;
}

export const SOFT_STEP_DEFAULTS: SoftStepOptions = {
  solver: 'auto',
  relativeTolerance: 1e-6,
  absoluteTolerance: 1e-14,
  iterations: 100,
  gradientIterations: 2000,
};

/** Takes what an iteration and a solve leave behind; a SolveTrace is one. */
export interface SoftStepTrace {
  add(cost: number, residual: number, step: number): void;
  close(outcome: number, size: number, cost: number, residual: number): void;
}

/** What a step moves: positions, m, and velocities, m/s, three per vertex. */
export interface SoftState {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
}

/** What acts on a body: acceleration of gravity, m/s², and forces on vertices, N. */
export interface SoftLoad {
  readonly gravity: ArrayLike<number>;
  readonly force?: Float64Array;
}

const ARMIJO = 1e-4;
// share of the residual that a step with a Hessian of before may leave
const WORN = 0.1;
// shares of the projected Hessian in a mean with the true one
const MIX = [0.2, 0.5];
const HALVINGS = 40;
const ROUND_OFF = 2 ** -52;

/** Moves the state by h, s. Gives the outcome, see SOFT_OUTCOME; the state is the last iterate in any case. */
export function stepSoftBody(
  mesh: SoftMesh,
  state: SoftState,
  boundary: SoftBoundary,
  load: SoftLoad,
  work: SoftWorkspace,
  h: number,
  options: SoftStepOptions = SOFT_STEP_DEFAULTS,
  trace?: SoftStepTrace,
): number {
  beginStep(mesh, state, boundary, load, work, h);
  const outcome = minimizeStep(mesh, boundary, work, h, options, trace);
  const { position, velocity } = state;
  for (let i = 0; i < position.length; i++) {
    velocity[i] = (work.x[i] - work.start[i]) / h;
    position[i] = work.x[i];
  }
  return outcome;
}

/** Takes the state at the start, the motion without elasticity and the stiffness that damps. */
export function beginStep(
  mesh: SoftMesh,
  state: SoftState,
  boundary: SoftBoundary,
  load: SoftLoad,
  work: SoftWorkspace,
  h: number,
): void {
  const { position, velocity } = state;
  const { start, predicted, coasting, startStiffness } = work;
  const { gravity, force } = load;
  for (let v = 0; v < mesh.vertexCount; v++) {
    for (let c = 0; c < 3; c++) {
      const i = 3 * v + c;
      const acceleration = gravity[c] + (force ? force[i] / mesh.mass[v] : 0);
      start[i] = position[i];
      coasting[i] = h * velocity[i];
      predicted[i] =
        boundary.isPrescribed[v] === 0 ? position[i] + h * velocity[i] + h * h * acceleration : boundary.target[i];
    }
  }
  // the linear law has one stiffness
  if (startStiffness && !(mesh.material.law === ELASTIC_LAW.linear && work.hasStartStiffness)) {
    work.hasStartStiffness = true;
    startStiffness.values.fill(0);
    addElasticHessian(startStiffness, mesh, position, 1);
  }
  work.gradientIterations = 0;
}

/** Minimises J from the better of two starts; leaves the minimum in `work.x`, where a step has begun. */
export function minimizeStep(
  mesh: SoftMesh,
  boundary: SoftBoundary,
  work: SoftWorkspace,
  h: number,
  options: SoftStepOptions,
  trace?: SoftStepTrace,
): number {
  const { x, trial, gradient, trialGradient, direction } = work;
  let value = chooseStart(mesh, boundary, work, h);
  let residual = measureResidual(mesh, boundary, work, h);
  let scale = measureScale(mesh, boundary, work, h);
  let tolerance = options.absoluteTolerance + options.relativeTolerance * scale;
  work.iterations = 0;
  work.hasMetric = false;
  let outcome: number = residual <= tolerance ? SOFT_OUTCOME.converged : SOFT_OUTCOME.iterationLimit;
  const isQuadratic = mesh.material.law === ELASTIC_LAW.linear;
  let before = 0;
  let isWorn = true;
  for (let k = 0; k < options.iterations && outcome === SOFT_OUTCOME.iterationLimit; k++) {
    // conjugate gradients as exact as the progress of Newton's method is worth, and no more than the end asks for
    const ratio = before > 0 ? residual / before : 1;
    const progress = isQuadratic ? 0 : 0.9 * ratio * ratio;
    const forcing = Math.min(0.1, Math.max(progress, (0.1 * tolerance) / residual));
    before = residual;
    if (isWorn && k === 0 && work.startStiffness && !isQuadratic) {
      assembleFromStart(mesh, boundary, work, h, work.startStiffness);
    } else if (isWorn) assembleStep(mesh, boundary, work, h, x, isQuadratic);
    // the true Hessian, or where it is not positive definite a projected one
    let isFound = findDirection(work, options, forcing, !isQuadratic) && multiplyVectors(gradient, direction) < 0;
    if (!isFound && !isQuadratic) isFound = findSafeDirection(mesh, boundary, work, h, options, forcing);
    work.hasMetric = isFound && usesFactor(work, options.solver);
    if (!isFound) {
      outcome = SOFT_OUTCOME.stalled;
      break;
    }
    const slope = multiplyVectors(gradient, direction);
    const isShort = largestEntry(direction) <= 32 * ROUND_OFF * largestEntry(x);
    const step = slope < 0 ? searchLine(mesh, boundary, work, h, value, slope) : 0;
    if (step === 0 && !isWorn && !isShort) {
      isWorn = true;
      continue;
    }
    if (step === 0) {
      outcome = isShort ? SOFT_OUTCOME.converged : SOFT_OUTCOME.stalled;
      break;
    }
    x.set(trial);
    gradient.set(trialGradient);
    value = work.trialValue;
    residual = measureResidual(mesh, boundary, work, h);
    scale = measureScale(mesh, boundary, work, h);
    tolerance = options.absoluteTolerance + options.relativeTolerance * scale;
    work.iterations++;
    // a Hessian serves as long as it takes the residual down fast
    isWorn = step < 1 || residual > WORN * before;
    trace?.add(value, residual, step);
    if (residual <= tolerance || isShort) outcome = SOFT_OUTCOME.converged;
  }
  work.residual = residual <= options.absoluteTolerance ? 0 : (residual - options.absoluteTolerance) / scale;
  trace?.close(outcome, x.length, value, residual);
  return outcome;
}

/** Direction by a mean of the true and the projected Hessian, as little projected as it must be. */
function findSafeDirection(
  mesh: SoftMesh,
  boundary: SoftBoundary,
  work: SoftWorkspace,
  h: number,
  options: SoftStepOptions,
  forcing: number,
): boolean {
  const { values } = work.hessian;
  const isMixed = usesFactor(work, options.solver);
  work.mixed ??= isMixed ? work.memory.f64(values.length) : undefined;
  const { mixed } = work;
  if (isMixed && mixed) {
    assembleStep(mesh, boundary, work, h, work.x, false);
    mixed.set(values);
  }
  assembleStep(mesh, boundary, work, h, work.x);
  if (isMixed && mixed) {
    // from the true one in steps towards the projected one
    for (const share of MIX) {
      for (let p = 0; p < values.length; p++) {
        const change = values[p] - mixed[p];
        mixed[p] = values[p];
        values[p] -= (1 - share) * change;
      }
      work.kept.isFactored = false;
      if (findDirection(work, options, forcing, true)) return true;
      for (let p = 0; p < values.length; p++) {
        const partly = values[p];
        values[p] = mixed[p];
        mixed[p] = partly;
      }
    }
    work.kept.isFactored = false;
  }
  return findDirection(work, options, forcing, false);
}

/** x ← x̃, xₙ + h vₙ or xₙ, prescribed vertices at their targets; gives J there and leaves its gradient. */
function chooseStart(mesh: SoftMesh, boundary: SoftBoundary, work: SoftWorkspace, h: number): number {
  const { x, trial, predicted, gradient, trialGradient } = work;
  x.set(predicted);
  let value = evaluateStep(gradient, mesh, boundary, work, h, x);
  // nothing is bent and nothing will be
  if (largestEntry(gradient) === 0) return value;
  for (let share = 1; share >= 0; share--) {
    moveFromStart(mesh, boundary, work, share);
    const next = evaluateStep(trialGradient, mesh, boundary, work, h, trial);
    if (!(next < value)) continue;
    value = next;
    x.set(trial);
  }
  // once more, for the elastic force that belongs to it
  return evaluateStep(gradient, mesh, boundary, work, h, x);
}

/** trial ← xₙ + share · h vₙ. */
function moveFromStart(mesh: SoftMesh, boundary: SoftBoundary, work: SoftWorkspace, share: number): void {
  const { trial, start, coasting, predicted } = work;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const isFree = boundary.isPrescribed[v] === 0;
    for (let i = 3 * v; i < 3 * v + 3; i++) trial[i] = isFree ? start[i] + share * coasting[i] : predicted[i];
  }
}

/** Halves the step until the value falls enough; leaves the point in `work.trial`. Gives the step, 0 where none helps. */
function searchLine(
  mesh: SoftMesh,
  boundary: SoftBoundary,
  work: SoftWorkspace,
  h: number,
  value: number,
  slope: number,
): number {
  const { x, trial, trialGradient, direction } = work;
  // rounding of the value: energy densities are differences of numbers of the size of the moduli
  const { mu, lambda } = mesh.material;
  let volume = 0;
  for (let t = 0; t < mesh.tetrahedronCount; t++) volume += mesh.volume[t];
  const slack = 64 * ROUND_OFF * h * h * volume * (mu + Math.abs(lambda)) + 1e-12 * Math.abs(value);
  let step = 1;
  for (let k = 0; k < HALVINGS; k++, step *= 0.5) {
    for (let i = 0; i < x.length; i++) trial[i] = x[i] + step * direction[i];
    const next = evaluateStep(trialGradient, mesh, boundary, work, h, trial);
    work.trialValue = next;
    if (next <= value + ARMIJO * step * slope) return step;
    // too flat for the value to tell: the slope must not have grown beyond what it was, with the other sign
    if (next <= value + slack && multiplyVectors(trialGradient, direction) <= (2 * ARMIJO - 1) * slope) return step;
  }
  return 0;
}

function measureResidual(mesh: SoftMesh, boundary: SoftBoundary, work: SoftWorkspace, h: number): number {
  const { gradient } = work;
  let sum = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (boundary.isPrescribed[v] !== 0) continue;
    const i = 3 * v;
    sum += (gradient[i] ** 2 + gradient[i + 1] ** 2 + gradient[i + 2] ** 2) / mesh.mass[v];
  }
  return Math.sqrt(sum) / h;
}

/** The largest of momentum, elastic impulse and momentum without elasticity, scaled as the residual. */
function measureScale(mesh: SoftMesh, boundary: SoftBoundary, work: SoftWorkspace, h: number): number {
  const { x, start, predicted, elastic } = work;
  let momentum = 0;
  let force = 0;
  let free = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (boundary.isPrescribed[v] !== 0) continue;
    const m = mesh.mass[v];
    for (let i = 3 * v; i < 3 * v + 3; i++) {
      const moved = x[i] - start[i];
      const ahead = predicted[i] - start[i];
      momentum += m * moved * moved;
      free += m * ahead * ahead;
      force += (elastic[i] * elastic[i]) / m;
    }
  }
  return Math.max(Math.sqrt(Math.max(momentum, free)) / h, h * Math.sqrt(force));
}

function multiplyVectors(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function largestEntry(a: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i]) > largest) largest = Math.abs(a[i]);
  return largest;
}
