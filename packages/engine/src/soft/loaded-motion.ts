/**
 * v* and A of a shell or rod that contacts or attachments load. What bends it across its surface or line is held by its tension more than by its
 * own stiffness, and without its load it has none at the end of the step: A would know nothing of the tension, and v = v* + A⁻¹ Jᵀ γ would take
 * lateral motion without bound. So both are taken where touched vertices go on as they are and the others are in balance with them,
 *   x̂ = argmin J(x) of step-objective.ts with x = xₙ + h vₙ at touched vertices,   A = ∂²J/∂x² there,   v* = (x̂ − A⁻¹ ∇J(x̂) − xₙ)/h
 * to first order the same motion without the load. At rest x̂ is where the step ends, and its solution that of the nonlinear step. Solids are
 * linear about their motion without contact, x̂ = argmin J(x).
 *
 * Where the solve leads elsewhere, v, the linear step leaves out
 *   ρ = ∇J(x) − h A (v − v*),   x = xₙ + h v,   share² = (ρᵀ A⁻¹ ρ − floor)/(h² (v − v*)ᵀ A (v − v*) + |x − x̃|²_M)
 * of the load in the norm of A. Beyond LEFT_OUT both are taken anew at x and the solve is repeated: Newton's method on the whole step.
 * The floor is what the tolerance ε_r of elastic-stopping.ts and the rounding of positions leave: ε_r² max(|x − xₙ|²_M, |x̃ − xₙ|²_M) and
 * ε² |x|² Σ Aᵢᵢ²/mᵢ; in free fall there is no load to compare round-off with.
 */
import { multiplyBlockSparse } from '../linear-algebra/block-sparse-matrix.ts';
import type { SoftStepOptions } from './implicit-step.ts';
import { findDirection, usesFactor } from './newton-direction.ts';
import type { SoftPart } from './soft-bodies.ts';
import { assembleStep, evaluateStep } from './step-objective.ts';

/** In `isPrescribed`: held for the time being. */
const FOR_NOW = 2;
/** Relative residual of the system for v*, where it is solved by conjugate gradients. */
const TOLERANCE = 1e-10;
/** The same where ρᵀ A⁻¹ ρ is to be known to a few percent. */
const ROUGH_TOLERANCE = 0.03;

/** Makes touched vertices go on at their velocity; whether there are any. One number per vertex of all bodies. */
export function holdTouched({ boundary: { isPrescribed }, first, work }: SoftPart, isTouched: Uint8Array): boolean {
  const { start, coasting, predicted, freePrediction } = work;
  freePrediction.set(predicted);
  let isAny = false;
  for (let v = 0; v < isPrescribed.length; v++) {
    if (isTouched[first + v] === 0 || isPrescribed[v] !== 0) continue;
    isAny = true;
    isPrescribed[v] = FOR_NOW;
    for (let i = 3 * v; i < 3 * v + 3; i++) predicted[i] = start[i] + coasting[i];
  }
  return isAny;
}

export function releaseTouched({ boundary: { isPrescribed }, work }: SoftPart): void {
  for (let v = 0; v < isPrescribed.length; v++) if (isPrescribed[v] === FOR_NOW) isPrescribed[v] = 0;
  work.predicted.set(work.freePrediction);
}

/** A at `work.x`, and v* of the linear step there, among those of all bodies, m/s. */
export function takeLinearMotion(velocity: Float64Array, part: SoftPart, h: number, options: SoftStepOptions): void {
  const { mesh, boundary, work, first } = part;
  const { x, start, gradient, direction } = work;
  evaluateStep(gradient, mesh, boundary, work, h, x);
  // the true Hessian where it has a factor: buckling cloth takes many solves with the projected one
  let isFound = false;
  if (usesFactor(work, options.solver)) {
    assembleStep(mesh, boundary, work, h, x, false);
    isFound = findDirection(work, options, TOLERANCE, true);
  }
  if (!isFound) {
    assembleStep(mesh, boundary, work, h, x);
    if (work.levels) work.levels.isFresh = false;
    // numbers that are not finite have no factor: the step says so
    if (!findDirection(work, options, TOLERANCE, true)) direction.fill(Number.NaN);
  }
  work.hasMetric = true;
  for (let i = 0; i < x.length; i++) velocity[3 * first + i] = (x[i] + direction[i] - start[i]) / h;
}

/** The share of its load that a body's linear step leaves out where it leads to a velocity. Leaves that place in `work.trial`. */
export function measureLeftOut(
  solved: Float64Array,
  velocity: Float64Array,
  part: SoftPart,
  h: number,
  options: SoftStepOptions,
): number {
  const { mesh, boundary, work } = part;
  const from = 3 * part.first;
  const { trial: x, start, predicted, gradient, direction, shift, dampingProduct: product, trialGradient: left } = work;
  let isPushed = false;
  for (let i = 0; i < x.length; i++) {
    x[i] = start[i] + h * solved[from + i];
    if (solved[from + i] !== velocity[from + i]) isPushed = true;
  }
  if (!isPushed) return 0;
  evaluateStep(left, mesh, boundary, work, h, x);
  for (let i = 0; i < x.length; i++) shift[i] = h * (solved[from + i] - velocity[from + i]);
  multiplyBlockSparse(product, work.hessian, shift, 0, work.memory.compiledSoft);
  let load = 0;
  let moved = 0;
  let free = 0;
  let rounding = 0;
  let largest = 0;
  for (let i = 0; i < x.length; i++) {
    const v = Math.trunc(i / 3);
    if (boundary.isPrescribed[v] !== 0) continue;
    const m = mesh.mass[v];
    load += shift[i] * product[i] + m * (x[i] - predicted[i]) ** 2;
    moved += m * (x[i] - start[i]) ** 2;
    free += m * (predicted[i] - start[i]) ** 2;
    rounding += work.hessian.values[9 * v + 4 * (i % 3)] ** 2 / m;
    largest = Math.max(largest, Math.abs(x[i]));
    gradient[i] = left[i] -= product[i];
  }
  const floor = options.relativeTolerance ** 2 * Math.max(moved, free) + (Number.EPSILON * largest) ** 2 * rounding;
  if (!findDirection(work, options, ROUGH_TOLERANCE, true)) return Number.NaN;
  let rest = 0;
  for (let i = 0; i < x.length; i++) rest -= left[i] * direction[i];
  return rest > floor ? Math.sqrt((rest - floor) / load) : 0;
}
