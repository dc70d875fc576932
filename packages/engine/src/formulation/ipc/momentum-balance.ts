/**
 * The balance of momentum after a step of `ipc`: with E the incremental potential at the accepted poses,
 *   gradient = ∇E/h,   v − v* of the accepted poses and the inertial predictor,   impulse = M (v − v*) − gradient
 * Angular parts are in body axes, as the dofs of bodies are.
 */
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { SolverReadout } from '../solver-readout.ts';
import type { IpcObjective } from './ipc-objective.ts';

/** `force` is (M (v − v*) − gradient)/h of the rigid dofs, N and N m; the gradient of the matrix is that of the last minimisation. */
export function readIpcBalance(
  out: SolverReadout,
  objective: IpcObjective,
  soft: SoftBodies,
  force: Float64Array,
  h: number,
): void {
  const { frames, matrix, inertia } = objective;
  const { moving, firstSoft, isFree, current } = frames;
  for (let g = 0; g < moving; g++) {
    const i = 6 * g;
    const r = 9 * g;
    for (let k = 0; k < 3; k++) {
      // Rᵀ of the gradient in world axes
      let turned = 0;
      for (let c = 0; c < 3; c++) turned += current.rotation[r + 3 * c + k] * matrix.gradient[i + 3 + c];
      out.gradient[i + k] = matrix.gradient[i + k] / h;
      out.gradient[i + 3 + k] = turned / h;
    }
    for (let k = 0; k < 6; k++) {
      out.impulse[i + k] = h * force[i + k];
      whole[k] = out.impulse[i + k] + out.gradient[i + k];
    }
    for (let k = 0; k < 3; k++) out.velocityChange[i + k] = whole[k] / inertia.mass[3 * g + k];
    solveInertia(out.velocityChange, i + 3, inertia.inertia, r, whole, 3, 1);
  }
  for (let n = 0; n < soft.parts.length; n++) {
    const { first, mesh, work } = soft.parts[n];
    const weight = objective.elastic.weightOf(n);
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (isFree[first + v] === 0) continue;
      for (let k = 0; k < 3; k++) {
        const i = 3 * (first + v) + k;
        const change = (current.position[3 * (firstSoft + first + v) + k] - work.predicted[3 * v + k]) / h;
        out.softGradient[i] = matrix.gradient[6 * moving + i] / h;
        out.softVelocityChange[i] = change;
        out.softImpulse[i] = weight * mesh.mass[v] * change - out.softGradient[i];
      }
    }
  }
}

const whole = /* @__PURE__ */ new Float64Array(6);

// out ← h I⁻¹ force by Cramer's rule, I symmetric
function solveInertia(
  out: Float64Array,
  o: number,
  inertia: Float64Array,
  r: number,
  force: Float64Array,
  f: number,
  h: number,
): void {
  const [a, b, c, , d, e, , , i] = inertia.subarray(r, r + 9);
  const xx = d * i - e * e;
  const xy = c * e - b * i;
  const xz = b * e - c * d;
  const determinant = a * xx + b * xy + c * xz;
  const [x, y, z] = force.subarray(f, f + 3);
  const scale = determinant === 0 ? 0 : h / determinant;
  out[o] = scale * (xx * x + xy * y + xz * z);
  out[o + 1] = scale * (xy * x + (a * i - c * c) * y + (b * c - a * e) * z);
  out[o + 2] = scale * (xz * x + (b * c - a * e) * y + (a * d - b * b) * z);
}
