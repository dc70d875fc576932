/**
 * One Newton step from the solution of another step, for derivatives (HeldSolution in formulation.ts): poses of all frames, κ, and which
 * bodies were at order two are taken as they were; predictions are those of the state. H is the true Hessian, not the projected one that a
 * descent may need. Steps with friction are not taken this way.
 */
import { copyPoses } from '../../dynamics/frames.ts';
import type { IpcObjective } from './ipc-objective.ts';

export class HeldStep {
  readonly #objective: IpcObjective;
  readonly #orders: Uint8Array | undefined;

  /** `orders`: per node, whether it takes the step at order two. */
  constructor(objective: IpcObjective, orders: Uint8Array | undefined) {
    this.#objective = objective;
    this.#orders = orders;
  }

  /** The current poses with what belongs to them; undefined where the Hessian there has no factor. */
  read(): Float64Array | undefined {
    const { frames, barrier, matrix } = this.#objective;
    const { position, orientation } = frames.current;
    if (!this.#assemble()) return undefined;
    matrix.gradient.fill(0);
    frames.step.fill(0);
    const orders = this.#orders ?? [];
    const out = new Float64Array(1 + position.length + orientation.length + orders.length);
    out[0] = barrier.stiffness;
    out.set(position, 1);
    out.set(orientation, 1 + position.length);
    out.set(orders, 1 + position.length + orientation.length);
    return out;
  }

  /** Order two in the solution, per node. */
  listOrders(solution: Float64Array): Float64Array {
    const { position, orientation } = this.#objective.frames.current;
    return solution.subarray(1 + position.length + orientation.length);
  }

  /** Takes the poses of a solution; the step has begun. Soft vertices that are held and mocap bodies stay where the state has them. */
  place(solution: Float64Array): void {
    const { frames, barrier, fieldBarrier, surfaces, candidates } = this.#objective;
    const { current, trial, firstSoft, moving } = frames;
    barrier.stiffness = fieldBarrier.stiffness = solution[0];
    const turned = 1 + current.position.length;
    for (let i = 0; i < 3 * moving; i++) trial.position[i] = solution[1 + i];
    for (let i = 0; i < 4 * moving; i++) trial.orientation[i] = solution[turned + i];
    for (let v = 0; v < frames.isFree.length; v++) {
      const o = 3 * (firstSoft + v);
      if (frames.isFree[v] === 1) for (let k = 0; k < 3; k++) trial.position[o + k] = solution[1 + o + k];
    }
    frames.writeRotations(trial);
    copyPoses(current, trial);
    candidates.forget();
    surfaces.place(current);
    candidates.cover();
  }

  /** One Newton step from the poses; leaves ∇E at its end in the matrix. */
  take(): void {
    const { frames } = this.#objective;
    if (!this.#assemble()) return;
    frames.writePaths();
    frames.move(1);
    frames.accept();
    this.#objective.evaluate(frames.current);
    this.#objective.assembleGradient(frames.current);
  }

  // step ← −H⁻¹ ∇E
  #assemble(): boolean {
    const objective = this.#objective;
    const { frames, matrix } = objective;
    objective.setBounding(false);
    objective.evaluate(frames.current);
    objective.assemble(frames.current, false);
    return matrix.solve(frames.step);
  }
}
