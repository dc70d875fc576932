/**
 * The implicit Euler step of length h as a function to minimise over the positions x at its end:
 *
 *   J(x) = ½ |x − x̃|²_M + h² W(x) + ½ α h |x − xₙ|²_M + ½ β h (x − xₙ)ᵀ K(xₙ) (x − xₙ) + ½ h (x − xₙ)ᵀ C (x − xₙ)
 *          + Σ (½ h² k |x − t|² + ½ h c |x − xₙ|²)
 *
 * x̃ = xₙ + h vₙ + h² (g + f/m) is the motion without elasticity, M the lumped mass, W the elastic energy, α and β Rayleigh's
 * constants (1/s, s), C the matrix of viscosity.ts at xₙ (N s/m), k and c the springs to points t. At the minimum v = (x − xₙ)/h satisfies
 * M (v − vₙ) = h (M g + f − ∂W/∂x − (αM + βK(xₙ)) v − springs). K is taken, projected, at the start of the step: the damping
 * stays a convex quadratic and adds no momentum. The Hessian is (1 + αh) M + h² K(x) + β h K(xₙ) + springs: the block of a soft
 * body in A of a velocity-level formulation. Prescribed vertices are constants: their rows are taken out. Values are kg m².
 */
import { type BlockSparseMatrix, eliminateRows, multiplyBlockSparse } from '../linear-algebra/block-sparse-matrix.ts';
import { addElasticGradient, addElasticHessian } from './elastic-energy.ts';
import type { SoftBoundary } from './soft-boundary.ts';
import type { SoftMesh } from './soft-mesh.ts';
import type { SoftWorkspace } from './soft-workspace.ts';

/** J at x; writes its gradient, and the elastic force alone to `work.elastic`. */
export function evaluateStep(
  gradient: Float64Array,
  mesh: SoftMesh,
  boundary: SoftBoundary,
  work: SoftWorkspace,
  h: number,
  x: Float64Array,
): number {
  const { vertexCount, mass, massDamping, stiffnessDamping } = mesh;
  const { start, predicted, elastic, shift, dampingProduct, startStiffness, viscous } = work;
  const { isPrescribed, target, springStiffness, springDamping } = boundary;
  elastic.fill(0);
  let value = h * h * addElasticGradient(elastic, mesh, x);
  if (startStiffness) {
    for (let i = 0; i < 3 * vertexCount; i++) shift[i] = x[i] - start[i];
    multiplyBlockSparse(dampingProduct, startStiffness, shift, 0, work.memory.compiledSoft);
    const scale = stiffnessDamping * h;
    let sum = 0;
    for (let i = 0; i < 3 * vertexCount; i++) {
      sum += shift[i] * dampingProduct[i];
      gradient[i] = h * h * elastic[i] + scale * dampingProduct[i];
    }
    value += 0.5 * scale * sum;
  } else {
    for (let i = 0; i < 3 * vertexCount; i++) gradient[i] = h * h * elastic[i];
  }
  if (viscous) {
    for (let i = 0; i < 3 * vertexCount; i++) shift[i] = x[i] - start[i];
    multiplyBlockSparse(dampingProduct, viscous, shift, 0, work.memory.compiledSoft);
    for (let i = 0; i < 3 * vertexCount; i++) {
      value += 0.5 * h * shift[i] * dampingProduct[i];
      gradient[i] += h * dampingProduct[i];
    }
  }

  // what belongs to single vertices: inertia, damping of the mass, springs
  for (let v = 0; v < vertexCount; v++) {
    if (isPrescribed[v] !== 0) {
      gradient[3 * v] = gradient[3 * v + 1] = gradient[3 * v + 2] = 0;
      continue;
    }
    const m = mass[v];
    const k = h * h * springStiffness[v];
    const c = h * (massDamping * m + springDamping[v]);
    for (let i = 3 * v; i < 3 * v + 3; i++) {
      const ahead = x[i] - predicted[i];
      const moved = x[i] - start[i];
      value += 0.5 * (m * ahead * ahead + c * moved * moved);
      gradient[i] += m * ahead + c * moved;
      if (k === 0) continue;
      const away = x[i] - target[i];
      value += 0.5 * k * away * away;
      gradient[i] += k * away;
    }
  }
  return value;
}

/**
 * Hessian of J at x into `work.hessian`; skipped if it is still valid. `isProjected`: each element's part made positive
 * semidefinite.
 */
export function assembleStep(
  mesh: SoftMesh,
  boundary: SoftBoundary,
  work: SoftWorkspace,
  h: number,
  x: Float64Array,
  isProjected: boolean = true,
): void {
  const { stiffnessDamping, isQuadratic } = mesh;
  const { hessian, startStiffness } = work;
  if (isQuadratic && isKept(boundary, work, h)) return;
  if (startStiffness) fillScaled(hessian.values, stiffnessDamping * h, startStiffness.values);
  else hessian.values.fill(0);
  addElasticHessian(hessian, mesh, x, h * h, isProjected);
  finishHessian(mesh, boundary, work, h);
}

/** The same with the stiffness at the start of the step, K(xₙ), which stiffness damping already has: no assembly at all. */
export function assembleFromStart(
  mesh: SoftMesh,
  boundary: SoftBoundary,
  work: SoftWorkspace,
  h: number,
  start: BlockSparseMatrix,
): void {
  fillScaled(work.hessian.values, mesh.stiffnessDamping * h + h * h, start.values);
  finishHessian(mesh, boundary, work, h);
}

function fillScaled(out: Float64Array, scale: number, from: Float64Array): void {
  for (let p = 0; p < out.length; p++) out[p] = scale * from[p];
}

/** Data of single vertices, and which are held. */
function finishHessian(mesh: SoftMesh, boundary: SoftBoundary, work: SoftWorkspace, h: number): void {
  const { vertexCount, mass, massDamping } = mesh;
  const { hessian, kept, viscous } = work;
  const { springStiffness, springDamping, isPrescribed } = boundary;
  const { values } = hessian;
  if (viscous) for (let p = 0; p < values.length; p++) values[p] += h * viscous.values[p];
  for (let v = 0; v < vertexCount; v++) {
    const add = mass[v] * (1 + massDamping * h) + h * h * springStiffness[v] + h * springDamping[v];
    values[9 * v] += add;
    values[9 * v + 4] += add;
    values[9 * v + 8] += add;
  }
  eliminateRows(hessian, isPrescribed, mass);

  kept.h = h;
  kept.isFactored = kept.isInverted = false;
  kept.isPrescribed.set(isPrescribed);
  kept.springStiffness.set(springStiffness);
  kept.springDamping.set(springDamping);
}

function isKept(boundary: SoftBoundary, work: SoftWorkspace, h: number): boolean {
  const { kept } = work;
  if (kept.h !== h) return false;
  for (let v = 0; v < kept.isPrescribed.length; v++) {
    if (boundary.isPrescribed[v] !== kept.isPrescribed[v]) return false;
    if (boundary.springStiffness[v] !== kept.springStiffness[v]) return false;
    if (boundary.springDamping[v] !== kept.springDamping[v]) return false;
  }
  return true;
}
