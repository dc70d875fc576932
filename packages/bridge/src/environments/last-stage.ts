/**
 * The state at which a Runge-Kutta step has evaluated its forces last: q₀ ⊕ h v₃, v₀ + h a₃, with v₃ and a₃ the rates of the third stage.
 * MuJoCo leaves poses, inertias and velocities of this state behind, and tasks written for it observe them.
 */
import { JOINT, type Model, Simulation, type Workspace } from '@nexdyn/engine';

/** Whether the forces of a step are evaluated in several stages. */
export function hasStages({ options: { integrator } }: Model): boolean {
  return integrator === 'rk4' || integrator === 'rkmk4';
}

export class LastStage {
  readonly #simulation: Simulation;
  readonly #before: Float64Array;

  constructor(model: Model) {
    this.#simulation = new Simulation(model);
    this.#before = this.#simulation.state.all.slice();
  }

  /** Before the step. */
  begin({ state }: Simulation): void {
    this.#before.set(state.all);
  }

  /** After it: a simulation at the state of the last stage. */
  read({ model, timestep: h, derived }: Simulation): Simulation {
    const { state } = this.#simulation;
    const nv = model.size.velocity;
    state.all.set(this.#before);
    const { stageVelocity, stageAcceleration } = derived as Workspace;
    advancePositions(model, state.position, stageVelocity.subarray(2 * nv, 3 * nv), h);
    for (let i = 0; i < nv; i++) state.velocity[i]! += h * stageAcceleration[2 * nv + i]!;
    this.#simulation.restore(this.#simulation.snapshot());
    return this.#simulation;
  }
}

/** q ⊕ h v: rotations by the exponential map, in axes of the body. */
function advancePositions({ joint, size }: Model, q: Float64Array, v: Float64Array, h: number): void {
  for (let j = 0; j < size.joint; j++) {
    let at = joint.positionStart[j]!;
    let dof = joint.dofStart[j]!;
    const kind = joint.kind[j];
    if (kind === JOINT.slide || kind === JOINT.hinge) {
      q[at]! += h * v[dof]!;
      continue;
    }
    if (kind === JOINT.free) {
      for (let k = 0; k < 3; k++) q[at + k]! += h * v[dof + k]!;
      at += 3;
      dof += 3;
    }
    rotate(q.subarray(at, at + 4), h * v[dof]!, h * v[dof + 1]!, h * v[dof + 2]!);
  }
}

function rotate(q: Float64Array, x: number, y: number, z: number): void {
  const angle = Math.hypot(x, y, z);
  const s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  const [rw, rx, ry, rz] = [Math.cos(angle / 2), x * s, y * s, z * s];
  const [w, a, b, c] = q as unknown as [number, number, number, number];
  q[0] = w * rw - a * rx - b * ry - c * rz;
  q[1] = w * rx + a * rw + b * rz - c * ry;
  q[2] = w * ry - a * rz + b * rw + c * rx;
  q[3] = w * rz + a * ry - b * rx + c * rw;
}
