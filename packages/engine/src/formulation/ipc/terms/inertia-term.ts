/**
 * Inertia, gravity and all smooth forces: how far the bodies are from free flight, x̃ = x + h (v + h M⁻¹ f) and
 * R̃ = R exp(h u), u = ω + h I⁻¹ τ + s, with gyroscopic torques and the shift s of dynamics/inertial-motion.ts.
 *   E = ½ (x − x̃)ᵀ M (x − x̃) + ½ tr((R − R̃) J (R − R̃)ᵀ),   J = ½ tr(I) 1 − I
 * x̃, R̃ the prediction; M mass, kg; I inertia and J second moments in body axes, kg m²; E in J s², every other term times h².
 * With S = R J R̃ᵀ and a world perturbation exp(δ) R:
 *   ∂E/∂δ = −(S₁₂ − S₂₁, S₂₀ − S₀₂, S₀₁ − S₁₀),   ∂²E/∂δ² = tr(S) 1 − ½ (S + Sᵀ)
 * The energy is a smooth function of rotation matrices, so nothing wraps at π. Without contacts the minimum is the prediction itself.
 * Source of the second-moment form: Ferguson et al., Intersection-free Rigid Body Dynamics (2021), section 4.
 */

import type { FramePoses, Frames } from '../../../dynamics/frames.ts';
import { implicitShare, vibrationScale } from '../../../dynamics/implicit-share.ts';
import type { Workspace } from '../../../dynamics/workspace.ts';
import type { Memory } from '../../../linear-algebra/memory.ts';
import { integrateQuaternion, matrixFromQuaternion } from '../../../linear-algebra/quaternion.ts';
import { solveSmallSystem } from '../../../linear-algebra/small-system.ts';
import type { Model } from '../../../model/model.ts';
import type { State } from '../../../state/state.ts';
import type { BodyMatrix } from '../body-matrix.ts';

const product = /* @__PURE__ */ new Float64Array(9);
const difference = /* @__PURE__ */ new Float64Array(9);
const torque = /* @__PURE__ */ new Float64Array(3);
const tensor = /* @__PURE__ */ new Float64Array(9);
const orientation = /* @__PURE__ */ new Float64Array(4);

export class InertiaTerm {
  /** Per group: mass along x y z (kg), inertia and second moments in body axes (3 × 3, kg m²). */
  readonly mass: Float64Array;
  readonly inertia: Float64Array;
  readonly moment: Float64Array;
  /** x̃, R̃ and the velocity of free flight (world linear, body angular). */
  readonly position: Float64Array;
  readonly rotation: Float64Array;
  readonly velocity: Float64Array;
  /** Per group: the factor w of its masses, 1 except in steps of order two (bdf2.ts). */
  readonly weight: Float64Array;
  readonly #model: Model;

  constructor(model: Model, memory: Memory) {
    const count = model.size.joint;
    this.#model = model;
    this.mass = memory.f64(3 * count);
    this.inertia = memory.f64(9 * count);
    this.moment = memory.f64(9 * count);
    this.position = memory.f64(3 * count);
    this.rotation = memory.f64(9 * count);
    this.velocity = memory.f64(6 * count);
    this.weight = new Float64Array(count).fill(1);
  }

  /** Takes the masses of a step and predicts free flight from the smooth forces. */
  begin(state: State, work: Workspace, frames: Frames, h: number): void {
    const { position, rotation, velocity, mass, inertia } = this;
    const { smoothForce, advanceShift } = work;
    const v = state.velocity;
    this.readMasses(work, h);
    this.weight.fill(1);
    for (let g = 0; g < frames.moving; g++) {
      const i = 6 * g;
      for (let k = 0; k < 3; k++) {
        velocity[i + k] = v[i + k] + (h * smoothForce[i + k]) / mass[3 * g + k];
        position[3 * g + k] = frames.start.position[3 * g + k] + h * velocity[i + k];
      }
      // gyroscopic torques are those of the step; s is their shift of its way
      const m = 9 * g;
      for (let k = 0; k < 9; k++) tensor[k] = inertia[m + k];
      for (let k = 0; k < 3; k++) torque[k] = h * smoothForce[i + 3 + k];
      solveSmallSystem(tensor, torque, 3);
      for (let k = 0; k < 3; k++) velocity[i + 3 + k] = v[i + 3 + k] + torque[k] + advanceShift[i + 3 + k];
      for (let k = 0; k < 4; k++) orientation[k] = frames.start.orientation[4 * g + k];
      integrateQuaternion(orientation, 0, velocity, i + 3, h);
      matrixFromQuaternion(rotation, m, orientation, 0);
    }
  }

  /** Takes the masses: constant except for the dampers and springs of free joints, which resist with h d + β h² k. */
  readMasses(work: Workspace, h: number): void {
    const { mass, inertia, moment } = this;
    const { rowStart } = this.#model.massMatrix;
    const { damping } = this.#model.dof;
    const { stiffness } = this.#model.joint;
    const { vibration } = this.#model;
    const scale = vibrationScale(work);
    const { massMatrix } = work;
    for (let g = 0; 9 * g < inertia.length; g++) {
      const k = work.weights.springs * stiffness[g];
      const stiff = k > 0 ? implicitShare(scale * vibration.joint[g], h) * h * h * k : 0;
      for (let k = 0; k < 3; k++) {
        const i = 6 * g + k;
        mass[3 * g + k] = massMatrix[rowStart[i + 1] - 1] + h * damping[i] + stiff;
        for (let c = 0; c <= k; c++) {
          const value = massMatrix[rowStart[i + 3] + 3 + c] + (c === k ? h * damping[i + 3] + stiff : 0);
          inertia[9 * g + 3 * k + c] = inertia[9 * g + 3 * c + k] = value;
        }
      }
      const half = 0.5 * (inertia[9 * g] + inertia[9 * g + 4] + inertia[9 * g + 8]);
      for (let k = 0; k < 9; k++) moment[9 * g + k] = (k % 4 === 0 ? half : 0) - inertia[9 * g + k];
    }
  }

  value(poses: FramePoses): number {
    const { mass, moment, position, rotation } = this;
    let energy = 0;
    for (let g = 0; 3 * g < mass.length; g++) {
      for (let k = 0; k < 3; k++) {
        const d = poses.position[3 * g + k] - position[3 * g + k];
        energy += 0.5 * mass[3 * g + k] * d * d;
      }
      const m = 9 * g;
      for (let k = 0; k < 9; k++) difference[k] = poses.rotation[m + k] - rotation[m + k];
      for (let r = 0; r < 9; r += 3) {
        const x = difference[r];
        const y = difference[r + 1];
        const z = difference[r + 2];
        energy +=
          0.5 * (moment[m] * x * x + moment[m + 4] * y * y + moment[m + 8] * z * z) +
          moment[m + 1] * x * y +
          moment[m + 2] * x * z +
          moment[m + 5] * y * z;
      }
    }
    return energy;
  }

  /** Adds gradient and Hessian; with `isProjected`, the Hessian of small deviations, which is positive definite. */
  add(matrix: BodyMatrix, poses: FramePoses, isProjected: boolean): void {
    const { mass, position, rotation } = this;
    const { gradient } = matrix;
    for (let g = 0; 3 * g < mass.length; g++) {
      for (let k = 0; k < 3; k++) {
        gradient[6 * g + k] += mass[3 * g + k] * (poses.position[3 * g + k] - position[3 * g + k]);
        matrix.addDiagonal(g, k, k, mass[3 * g + k]);
      }
      this.writeTorque(torque, g, poses);
      for (let k = 0; k < 3; k++) gradient[6 * g + 3 + k] += torque[k];
      this.#multiplyMoments(g, isProjected ? poses.rotation : rotation, false, poses.rotation);
      const trace = product[0] + product[4] + product[8];
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          const value = (r === c ? trace : 0) - 0.5 * (product[3 * r + c] + product[3 * c + r]);
          matrix.addDiagonal(g, 3 + r, 3 + c, value);
        }
      }
    }
  }

  /** Adds `scale` times the mass matrix, in world axes. */
  addMass(matrix: BodyMatrix, poses: FramePoses, scale: number): void {
    const { mass, inertia } = this;
    if (scale === 0) return;
    for (let g = 0; 3 * g < mass.length; g++) {
      const m = 9 * g;
      for (let k = 0; k < 3; k++) matrix.addDiagonal(g, k, k, scale * mass[3 * g + k]);
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let i = 0; i < 3; i++)
            for (let j = 0; j < 3; j++)
              sum += poses.rotation[m + 3 * r + i] * inertia[m + 3 * i + j] * poses.rotation[m + 3 * c + j];
          matrix.addDiagonal(g, 3 + r, 3 + c, scale * sum);
        }
      }
    }
  }

  /** out = ∂E/∂δ of group g at the poses. */
  writeTorque(out: Float64Array, g: number, poses: FramePoses): void {
    // R J (R − R̃)ᵀ: its antisymmetric part is that of −S, without cancellation
    this.#multiplyMoments(g, poses.rotation, true);
    out[0] = product[5] - product[7];
    out[1] = product[6] - product[2];
    out[2] = product[1] - product[3];
  }

  /** out += ∂(w · ∂E/∂δ)/∂δ = tr(S) w − Sᵀ w of group g at the poses, both at `o`: its antisymmetric part is that of a gradient that turns along. */
  addProduct(out: Float64Array, o: number, g: number, poses: FramePoses, w: Float64Array): void {
    this.#multiplyMoments(g, this.rotation, false, poses.rotation);
    const trace = product[0] + product[4] + product[8];
    for (let r = 0; r < 3; r++) {
      out[o + r] += trace * w[o + r];
      for (let c = 0; c < 3; c++) out[o + r] -= product[3 * c + r] * w[o + c];
    }
  }

  // product = R J (R − R̃)ᵀ, or A J Bᵀ with A the given left matrix and B = other
  #multiplyMoments(g: number, other: Float64Array, isDifference: boolean, left: Float64Array = other): void {
    const { moment, rotation } = this;
    const m = 9 * g;
    for (let k = 0; k < 9; k++) difference[k] = isDifference ? other[m + k] - rotation[m + k] : other[m + k];
    for (let r = 0; r < 3; r++) {
      const a = left[m + 3 * r];
      const b = left[m + 3 * r + 1];
      const c = left[m + 3 * r + 2];
      const x = a * moment[m] + b * moment[m + 3] + c * moment[m + 6];
      const y = a * moment[m + 1] + b * moment[m + 4] + c * moment[m + 7];
      const z = a * moment[m + 2] + b * moment[m + 5] + c * moment[m + 8];
      for (let n = 0; n < 3; n++)
        product[3 * r + n] = x * difference[3 * n] + y * difference[3 * n + 1] + z * difference[3 * n + 2];
    }
  }
}
