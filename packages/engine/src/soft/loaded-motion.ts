/**
 * v* and A of a shell or rod that contacts or attachments load. What bends it across its surface or line is held by its tension more than by its
 * own stiffness, and without its load it has none at the end of the step: A would know nothing of the tension, and v = v* + A⁻¹ Jᵀ γ would take
 * lateral motion without bound. So both are taken where touched vertices go on as they are and the others are in balance with them,
 *   x̂ = argmin J(x) of step-objective.ts with x = xₙ + h vₙ at touched vertices,   A = ∂²J/∂x² there,   v* = (x̂ − A⁻¹ ∇J(x̂) − xₙ)/h
 * to first order the same motion without the load. At rest x̂ is where the step ends, and its solution that of the nonlinear step. Where the solve
 * leads elsewhere, v, both are taken anew at x = xₙ + h v and the solve is repeated, Newton's method on the whole step, until what the linear step
 * has left out,
 *   ρ = ∇J(x) − h A (v − v*),   ρᵀ A⁻¹ ρ ≤ ε² (h² (v − v*)ᵀ A (v − v*) + |x − x̃|²_M)
 * is a share ε of the load.
 */
import { multiplyBlockSparse } from '../linear-algebra/block-sparse-matrix.ts';
import type { SoftStepOptions } from './implicit-step.ts';
import { findDirection } from './newton-direction.ts';
import type { SoftPart } from './soft-bodies.ts';
import { assembleStep, evaluateStep } from './step-objective.ts';

/** In `isPrescribed`: held for the time being. */
const FOR_NOW = 2;
/** Relative residual of the system for v*, where it is solved by conjugate gradients. */
const TOLERANCE = 1e-10;
/** ε. */
const LEFT_OUT = 0.01;

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
  assembleStep(mesh, boundary, work, h, x);
  work.hasMetric = true;
  if (work.levels) work.levels.isFresh = false;
  // numbers that are not finite have no factor: the step says so
  if (!findDirection(work, options, TOLERANCE, true)) direction.fill(Number.NaN);
  for (let i = 0; i < x.length; i++) velocity[3 * first + i] = (x[i] + direction[i] - start[i]) / h;
}

/** Takes `work.x` to where a velocity leads; whether A and v* are good there too: what is left out of the linear step is small. */
export function followSolution(
  solved: Float64Array,
  velocity: Float64Array,
  part: SoftPart,
  h: number,
  options: SoftStepOptions,
): boolean {
  const { mesh, boundary, work } = part;
  const from = 3 * part.first;
  const { x, start, predicted, gradient, direction, shift, dampingProduct: product, trialGradient: left } = work;
  for (let i = 0; i < x.length; i++) x[i] = start[i] + h * solved[from + i];
  evaluateStep(left, mesh, boundary, work, h, x);
  for (let i = 0; i < x.length; i++) shift[i] = h * (solved[from + i] - velocity[from + i]);
  multiplyBlockSparse(product, work.hessian, shift, 0, work.memory.compiledSoft);
  let load = 0;
  for (let i = 0; i < x.length; i++) {
    if (boundary.isPrescribed[Math.trunc(i / 3)] !== 0) continue;
    load += shift[i] * product[i] + mesh.mass[Math.trunc(i / 3)] * (x[i] - predicted[i]) ** 2;
    gradient[i] = left[i] -= product[i];
  }
  if (!findDirection(work, options, TOLERANCE, true)) return true;
  let rest = 0;
  for (let i = 0; i < x.length; i++) rest -= left[i] * direction[i];
  return !(rest > LEFT_OUT * LEFT_OUT * load);
}
