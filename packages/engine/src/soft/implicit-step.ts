/**
 * Implicit Euler step of a soft body without contact: minimises J of step-objective.ts by Newton's method (elastic-newton.ts).
 * It starts at x̃, at xₙ + h vₙ or at rest in xₙ, whichever is lowest: a free fall takes no iteration.
 */
import type { IterationTrace } from '../minimize/newton.ts';
import { addElasticHessian } from './elastic-energy.ts';
import { ElasticNewton } from './elastic-newton.ts';
import { largestEntry } from './elastic-stopping.ts';
import type { SoftBoundary } from './soft-boundary.ts';
import type { SoftMesh } from './soft-mesh.ts';
import type { SoftWorkspace } from './soft-workspace.ts';
import { evaluateStep } from './step-objective.ts';

export interface SoftStepOptions {
  /** How Newton's systems are solved; `auto`: by Cholesky where the factor is small. */
  readonly solver: 'auto' | 'pcg' | 'cholesky';
  /** ε_r and ε_a, √J. */
  readonly relativeTolerance: number;
  readonly absoluteTolerance: number;
  /** Newton iterations at most, and of conjugate gradients in each. */
  readonly iterations: number;
  readonly gradientIterations: number;
  /** Relative residual at which conjugate gradients stop, less as Newton's method converges. */
  readonly gradientTolerance: number;
}

export const SOFT_STEP_DEFAULTS: SoftStepOptions = {
  solver: 'auto',
  relativeTolerance: 1e-6,
  absoluteTolerance: 1e-14,
  iterations: 100,
  gradientIterations: 2000,
  gradientTolerance: 0.1,
};

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

/** Moves the state by h, s. Gives the outcome, see OUTCOME of minimize/solve-trace.ts; the state is the last iterate in any case. */
export function stepSoftBody(
  mesh: SoftMesh,
  state: SoftState,
  boundary: SoftBoundary,
  load: SoftLoad,
  work: SoftWorkspace,
  h: number,
  options: SoftStepOptions = SOFT_STEP_DEFAULTS,
  trace?: IterationTrace,
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
  for (const family of mesh.families) family.takeStart?.(position);
  for (let v = 0; v < mesh.vertexCount; v++) {
    const isPoint = v < mesh.pointCount;
    for (let c = 0; c < 3; c++) {
      const i = 3 * v + c;
      const acceleration = (isPoint ? gravity[c] : 0) + (force ? force[i] / mesh.mass[v] : 0);
      start[i] = position[i];
      coasting[i] = h * velocity[i];
      predicted[i] =
        boundary.isPrescribed[v] === 0 ? position[i] + h * velocity[i] + h * h * acceleration : boundary.target[i];
    }
  }
  // the linear law has one stiffness
  if (startStiffness && !(mesh.isQuadratic && work.hasStartStiffness)) {
    work.hasStartStiffness = true;
    startStiffness.values.fill(0);
    addElasticHessian(startStiffness, mesh, position, 1);
  }
  if (work.viscous && mesh.viscosity && !(mesh.isQuadratic && work.hasViscous)) {
    work.hasViscous = true;
    mesh.viscosity.assemble(work.viscous, position);
  }
  work.gradientIterations = 0;
  if (work.levels) work.levels.isFresh = false;
}

/** Minimises J from the best of three starts; leaves the minimum in `work.x`, where a step has begun. */
export function minimizeStep(
  mesh: SoftMesh,
  boundary: SoftBoundary,
  work: SoftWorkspace,
  h: number,
  options: SoftStepOptions,
  trace?: IterationTrace,
): number {
  work.newton ??= new ElasticNewton({ mesh, work, boundary, h, options });
  return work.newton.run(boundary, h, options, chooseStart(mesh, boundary, work, h), trace);
}

/** x ← x̃, xₙ + h vₙ or xₙ, prescribed vertices at their targets; gives J there and leaves its gradient. */
function chooseStart(mesh: SoftMesh, boundary: SoftBoundary, work: SoftWorkspace, h: number): number {
  const { x, trial, predicted, gradient, trialGradient, elastic, direction: best } = work;
  x.set(predicted);
  let value = evaluateStep(gradient, mesh, boundary, work, h, x);
  // nothing is bent and nothing will be
  if (largestEntry(gradient) === 0) return value;
  best.set(elastic);
  for (let share = 1; share >= 0; share--) {
    moveFromStart(mesh, boundary, work, share);
    const next = evaluateStep(trialGradient, mesh, boundary, work, h, trial);
    if (!(next < value)) continue;
    value = next;
    x.set(trial);
    gradient.set(trialGradient);
    best.set(elastic);
  }
  elastic.set(best);
  return value;
}

/** trial ← xₙ + share · h vₙ. */
function moveFromStart(mesh: SoftMesh, boundary: SoftBoundary, work: SoftWorkspace, share: number): void {
  const { trial, start, coasting, predicted } = work;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const isFree = boundary.isPrescribed[v] === 0;
    for (let i = 3 * v; i < 3 * v + 3; i++) trial[i] = isFree ? start[i] + share * coasting[i] : predicted[i];
  }
}
