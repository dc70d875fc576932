/**
 * Derivatives of servos that are rows of a solve:
 *   over velocities      γ = clamp(−(s m u − v̂)/R, ..),    v̂ = f/(h κ + d) = h R f         (formulation/velocity-rows/drive-rows.ts)
 *   over accelerations   u = clamp(−(s m a − a_ref)/R, ..),  a_ref = R f − s m v/h            (formulation/mujoco/drive-blocks.ts)
 * with f = s ((g₀ + g₁ l) w + b₀ + b₁ l),
 * l at the start of the step, w the control or the activation. R is the same for all states where g₁ = g₂ = 0, and only such servos on single hinges
 * and slides are known here. In Φ = −λᵀ Jᵀ γ with η = J λ:  δΦ = (η/R) δ(J u − v̂) where the force is not at its limit.
 */
import { actuatorInput } from '../../dynamics/actuation.ts';
import { takesForcesImplicitly } from '../../dynamics/implicit-share.ts';
import { vary } from '../../dynamics/vary.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { InputBars } from '../../formulation/row-rates.ts';
import { DRIVE, type DriveList, listDrives } from '../../joint/drive-list.ts';
import { JOINT, type Model, TRANSMISSION } from '../../model/model.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';

/** One servo of the last solve. */
interface Servo {
  readonly dof: number;
  readonly actuator: number;
  /** ∂f by the position of the dof, by control and by activation. */
  readonly byPosition: number;
  readonly byControl: number;
  readonly byActivation: number;
}

export class DrivePart {
  /** Whether there are any. */
  readonly count: number;
  /** Per actuator: whether a row of the last solve has its force. */
  readonly isRow: Uint8Array;
  readonly #model: Model;
  readonly #problem: ConvexProblem;
  readonly #list: DriveList;
  readonly #isVelocity: boolean;
  #servos: Map<number, Servo> = new Map();

  /** `isVelocity`: the unknown of the solve is the velocity. */
  constructor(model: Model, problem: ConvexProblem, isVelocity: boolean) {
    this.#model = model;
    this.#isVelocity = isVelocity;
    this.#problem = problem;
    this.#list = listDrives(model, takesForcesImplicitly(model), false);
    this.count = this.#list.kind.length;
    this.isRow = new Uint8Array(model.size.actuator);
  }

  /** Whether all drives of the model are known. */
  get isKnown(): boolean {
    const { actuator, joint, size } = this.#model;
    const { kind, memberStart, member, takesCompensation } = this.#list;
    for (let e = 0; e < this.count; e++) {
      const a = member[memberStart[e]];
      if (kind[e] !== DRIVE.actuator || memberStart[e + 1] - memberStart[e] !== 1 || takesCompensation[e] === 1)
        return false;
      const target = actuator.target[a];
      if (actuator.transmission[a] !== TRANSMISSION.joint || target >= size.joint || actuator.isMuscle[a] === 1)
        return false;
      if (joint.kind[target] !== JOINT.hinge && joint.kind[target] !== JOINT.slide) return false;
      if (actuator.gain[3 * a + 1] !== 0 || actuator.gain[3 * a + 2] !== 0 || actuator.bias[3 * a + 2] > 0)
        return false;
    }
    return true;
  }

  /** Takes the servos of the last solve. */
  begin(state: State, work: Workspace, h: number): void {
    const { source, sourceIndex, blockCount } = this.#problem;
    const { actuator, joint } = this.#model;
    const { memberStart, member, ratio } = this.#list;
    this.isRow.fill(0);
    this.#servos = new Map();
    for (let b = 0; b < blockCount; b++) {
      if (source[b] !== SOURCE.drive) continue;
      const n = memberStart[sourceIndex[b]];
      const a = member[n];
      const slot = actuator.activationStart[a];
      const read = (): number => actuatorInput(this.#model, state, work, a, h);
      const scale = ratio[n] * actuator.gain[3 * a];
      this.isRow[a] = 1;
      this.#servos.set(b, {
        dof: joint.dofStart[actuator.target[a]],
        actuator: a,
        byPosition: ratio[n] * actuator.bias[3 * a + 1] * actuator.gear[6 * a],
        byControl: scale * vary(state.control, a, read),
        byActivation: slot >= 0 ? scale * vary(state.activation, slot, read) : 0,
      });
    }
  }

  /** Adds the derivatives of block b; `h` the length of the step. */
  add(out: InputBars, b: number, lambda: Float64Array, h: number): void {
    const servo = this.#servos.get(b);
    if (!servo) return;
    const { rows, hessianStart, regularization } = this.#problem;
    const { hessian } = this.#problem.data;
    const row = rows.rowStart[b];
    const eta = rows.value[rows.valueStart[b]] * lambda[servo.dof];
    const curved = hessian[hessianStart[b]] * eta;
    const bar = -curved * (this.#isVelocity ? h : 1) * regularization[row];
    if (!this.#isVelocity) out.velocity[servo.dof] += (curved * rows.value[rows.valueStart[b]]) / h;
    out.position[servo.dof] += bar * servo.byPosition;
    out.control[servo.actuator] += bar * servo.byControl;
    const slot = this.#model.actuator.activationStart[servo.actuator];
    if (slot >= 0) out.activation[slot] += bar * servo.byActivation;
  }
}
