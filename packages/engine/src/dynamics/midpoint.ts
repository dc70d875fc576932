/**
 * Springs and dampers of joints in the middle of the step, where the position is q + h/2 v̄ and the velocity v̄ = v + h/2 a:
 *   (M + h/2 D + h²/4 K) a = f(q, v) − h/2 K v
 * K stiffness of joint springs, D damping of joints; all other forces stay where the step begins. On rotations the rate of a
 * spring −k log(r) is −k dlog(r) ω; the full matrix moves v, its leading part k alone is in the matrix, which is of order h².
 * Source: Castro et al., An unconstrained convex formulation of compliant contact (2022), section II (theta = 1/2).
 */
import { normalizeQuaternion, relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { Workspace } from './workspace.ts';

const turn = /* @__PURE__ */ new Float64Array(4);
const angle = /* @__PURE__ */ new Float64Array(3);

/** matrix ← matrix + h/2 D + h²/4 K, in the pattern of M. */
export function addMidpointMetric(matrix: Float64Array, model: Model, work: Workspace, h: number): void {
  const { rowStart } = model.massMatrix;
  const { joint, dof } = model;
  const { springJoints, hasDamping } = work.plan;
  if (hasDamping) {
    for (let i = 0; i < model.size.velocity; i++) matrix[rowStart[i + 1] - 1] += 0.5 * h * dof.damping[i];
  }
  for (let s = 0; s < springJoints.length; s++) {
    const j = springJoints[s];
    const first = joint.dofStart[j];
    const stiff = 0.25 * h * h * work.weights.springs * joint.stiffness[j];
    for (let i = first; i < first + countDofs(joint.kind[j]); i++) matrix[rowStart[i + 1] - 1] += stiff;
  }
}

/** force ← force − h/2 K v. */
export function addSpringDrift(force: Float64Array, model: Model, state: State, work: Workspace, h: number): void {
  const { joint } = model;
  const { springJoints } = work.plan;
  const v = state.velocity;
  for (let s = 0; s < springJoints.length; s++) {
    const j = springJoints[s];
    const scale = 0.5 * h * work.weights.springs * joint.stiffness[j];
    const i = joint.dofStart[j];
    const iq = joint.positionStart[j];
    switch (joint.kind[j]) {
      case JOINT.free:
        for (let k = 0; k < 3; k++) force[i + k] -= scale * v[i + k];
        addRotationDrift(force, i + 3, scale, model, state, iq + 3);
        break;
      case JOINT.ball:
        addRotationDrift(force, i, scale, model, state, iq);
        break;
      default:
        force[i] -= scale * v[i];
    }
  }
}

/** d log(r)/dt = ω + ½ θ × ω + c θ × (θ × ω), c = 1/θ² − (1 + cos θ)/(2 θ sin θ); θ the rotation vector, ω in body axes. */
function addRotationDrift(
  force: Float64Array,
  i: number,
  scale: number,
  { springPosition }: Model,
  state: State,
  iq: number,
): void {
  const v = state.velocity;
  normalizeQuaternion(turn, 0, state.position, iq);
  relativeQuaternion(turn, 0, springPosition, iq, turn, 0);
  rotationVector(angle, 0, turn, 0);
  const x = angle[0];
  const y = angle[1];
  const z = angle[2];
  const square = x * x + y * y + z * z;
  // (1 + cos θ)/sin θ = cot(θ/2) = w / |vector part| of the quaternion
  const sine = Math.sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
  const size = Math.sqrt(square);
  const c = square < 1e-6 ? 1 / 12 + square / 720 : (1 - (0.5 * size * Math.abs(turn[0])) / sine) / square;
  const wx = v[i];
  const wy = v[i + 1];
  const wz = v[i + 2];
  const cx = y * wz - z * wy;
  const cy = z * wx - x * wz;
  const cz = x * wy - y * wx;
  force[i] -= scale * (wx + 0.5 * cx + c * (y * cz - z * cy));
  force[i + 1] -= scale * (wy + 0.5 * cy + c * (z * cx - x * cz));
  force[i + 2] -= scale * (wz + 0.5 * cz + c * (x * cy - y * cx));
}

function countDofs(kind: number): number {
  return kind === JOINT.free ? 6 : kind === JOINT.ball ? 3 : 1;
}
