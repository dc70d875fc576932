/**
 * Newton steps from the solution of another step, for derivatives (HeldSolution in formulation.ts): poses of all frames, κ, multipliers of
 * joints, and which bodies were at order two are taken as they were; predictions and friction are those of the state. With the true Hessian,
 * not the projected one of the descent, and the rows J of joints and of limits that hold,
 *   [ H  Jᵀ ] [ dx   ]     [ ∇E ]
 *   [ J  0  ] [ h² dλ ] = − [ C  ]       H = ∇²E + λ · ∇²C + μ Jᵀ J
 * by S = J H⁻¹ Jᵀ. Friction sticks within 1e-6 m of where it was taken, so that one Newton step from another solution is not enough: they
 * are repeated until they are round-off.
 */
import { copyPoses } from '../../dynamics/frames.ts';
import { factorDense, solveDense } from '../../linear-algebra/dense-cholesky.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { ROW } from './terms/joint-rows.ts';

/** Most Newton steps, and the largest number of one that is round-off, m or rad. */
const MOST_STEPS = 6;
const ROUND_OFF = 1e-15;
/** Largest Newton step that leads to a minimum near by, and the last one that has come there, m or rad. */
const FAR = 1e-2;
const NEAR = 1e-12;
/** Last Newton step after which the Hessian before it is as good as the one there, m or rad. */
const SLIGHT = 1e-13;
/** Most rows of joints: their matrix is dense. */
const MOST_ROWS = 600;
/** Share of the diagonal that makes rows which say the same twice a matrix with a factor. */
const REDUNDANCY = 1e-12;

export class HeldStep {
  readonly #objective: IpcObjective;
  readonly #orders: Uint8Array | undefined;
  /** Rows of the joint term that hold, J H⁻¹ Jᵀ and columns of H⁻¹ Jᵀ. */
  readonly #active: number[] = [];
  /** How many of them are solved for. */
  #held = 0;
  #schur = new Float64Array(0);
  #inverse = new Float64Array(0);
  readonly #columns: Float64Array[] = [];
  /** Version of the matrix whose factor is that of the current poses, or −1. */
  #fresh = -1;
  /** Largest number of the last Newton step, m or rad, and E at its end, J s². */
  lastStep: number = Infinity;
  energy = 0;
  /** Whether H had a Cholesky factor: at a minimum it has one, unless it has no curvature along some motion, or less. */
  hasFactor = true;

  /** `orders`: per node, whether it takes the step at order two. */
  constructor(objective: IpcObjective, orders: Uint8Array | undefined) {
    this.#objective = objective;
    this.#orders = orders;
  }

  /** The current poses with what belongs to them, κ as a multiple of that of the model; undefined where the Hessian there has no factor. */
  read(pressure: number): Float64Array | undefined {
    const { frames, matrix, joints } = this.#objective;
    if (joints.rows.count > MOST_ROWS) return undefined;
    if (this.#fresh !== matrix.version && !this.#solve(false)) return undefined;
    matrix.gradient.fill(0);
    frames.step.fill(0);
    return this.copy(pressure);
  }

  /** The same, whatever the Hessian is. */
  copy(pressure: number): Float64Array {
    const { frames, barrier, joints } = this.#objective;
    const { position, orientation } = frames.current;
    const parts = [position, orientation, joints.multiplier, this.#orders ?? []];
    const out = new Float64Array(parts.reduce((sum, { length }) => sum + length, 1));
    out[0] = barrier.stiffness / pressure;
    let at = 1;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  /** Order two in the solution, per node. */
  listOrders(solution: Float64Array): Float64Array {
    return solution.subarray(solution.length - (this.#orders?.length ?? 0));
  }

  /** Takes the poses of a solution; the step has begun. Soft vertices that are held and mocap bodies go to their targets. */
  place(solution: Float64Array, pressure: number): void {
    const { frames, barrier, fieldBarrier, surfaces, candidates, joints } = this.#objective;
    const { current, trial, firstSoft, moving } = frames;
    barrier.stiffness = fieldBarrier.stiffness = solution[0] * pressure;
    const turned = 1 + current.position.length;
    for (let i = 0; i < 3 * moving; i++) trial.position[i] = solution[1 + i];
    for (let i = 0; i < 4 * moving; i++) trial.orientation[i] = solution[turned + i];
    for (let v = 0; v < frames.isFree.length; v++) {
      const o = 3 * (firstSoft + v);
      if (frames.isFree[v] === 1) for (let k = 0; k < 3; k++) trial.position[o + k] = solution[1 + o + k];
    }
    const first = turned + current.orientation.length;
    for (let i = 0; i < joints.multiplier.length; i++) joints.multiplier[i] = solution[first + i];
    frames.writeRotations(trial);
    copyPoses(current, trial);
    if (frames.hasKinematic && frames.writeKinematicStep()) {
      frames.writePaths();
      frames.move(1);
      frames.accept();
    }
    frames.step.fill(0);
    candidates.forget();
    surfaces.place(current);
    candidates.cover();
  }

  /** step ← H⁻¹ b with the rows of joints, six numbers per frame; b by rows, the factor that of the last `read`. */
  solveFor(step: Float64Array, b: Float64Array): void {
    const { matrix } = this.#objective;
    step.fill(0);
    matrix.solveAgain(step, b);
    const n = this.#held;
    if (n === 0) return;
    const impulse = new Float64Array(n);
    for (let k = 0; k < n; k++) impulse[k] = this.#multiplyRow(this.#active[k], step);
    solveDense(impulse, this.#schur, this.#inverse, n);
    for (let k = 0; k < n; k++) {
      const column = this.#columns[k];
      for (let i = 0; i < column.length; i++) step[i] -= impulse[k] * column[i];
    }
  }

  /** Newton steps from the poses; leaves ∇E at their end in the matrix. Whether they have come to a minimum near by. */
  take(): boolean {
    const { frames, candidates, surfaces } = this.#objective;
    let largest = Infinity;
    let before = Infinity;
    // as steps shrink by ever more, the last ratio bounds the next one; those of round-off do not shrink at all
    const isAtRoundOff = (): boolean =>
      largest <= ROUND_OFF || (largest < NEAR && (largest * largest < ROUND_OFF * before || largest > 0.5 * before));
    for (let n = 0; n < MOST_STEPS && !isAtRoundOff(); n++) {
      before = largest;
      if (!this.#solve(true)) return false;
      largest = 0;
      for (const number of frames.step) largest = Math.max(largest, Math.abs(number));
      if (!(largest < FAR)) return false;
      frames.writePaths();
      frames.move(1);
      frames.accept();
      surfaces.place(frames.current);
      candidates.cover();
    }
    this.lastStep = largest;
    this.energy = this.#objective.evaluate(frames.current);
    this.#objective.assembleGradient(frames.current);
    if (largest < SLIGHT) this.#fresh = this.#objective.matrix.version;
    return largest < NEAR;
  }

  /** The same where a descent has ended: poses and multipliers stay as they are where no minimum is near by. */
  polish(): boolean {
    const { frames, joints, surfaces, candidates } = this.#objective;
    const multiplier = joints.multiplier.slice();
    frames.keep();
    if (this.take()) return true;
    joints.multiplier.set(multiplier);
    frames.returnToKept();
    candidates.forget();
    surfaces.place(frames.current);
    candidates.cover();
    this.#objective.evaluate(frames.current);
    this.#objective.assembleGradient(frames.current);
    return false;
  }

  // step ← dx; with `moves`, λ ← λ + dλ
  #solve(moves: boolean): boolean {
    const objective = this.#objective;
    const { frames, matrix, joints, fieldBarrier, scale } = objective;
    this.#held = 0;
    this.#fresh = -1;
    objective.setBounding(false);
    joints.takeWholeHessian();
    fieldBarrier.takeWholeHessian();
    objective.evaluate(frames.current);
    objective.assemble(frames.current, false);
    this.hasFactor = matrix.solve(frames.step);
    if (!this.hasFactor || joints.isEmpty) return this.hasFactor;
    const { rows } = joints;
    const active = this.#active;
    active.length = 0;
    for (let r = 0; r < rows.count; r++) {
      const isHeld = rows.kind[r] === ROW.bilateral || (rows.kind[r] === ROW.limit && joints.isLimitHeld(r));
      if (isHeld && rows.entryStart[r] < rows.entryStart[r + 1]) active.push(r);
    }
    const n = active.length;
    if (n === 0 || joints.isPenalty) return true;
    this.#measureRows();
    this.#held = n;
    const impulse = new Float64Array(n);
    // S h² dλ = C + J dx₀, dx₀ = −H⁻¹ ∇E
    active.forEach((r, k) => {
      impulse[k] = joints.measureGap(r) + this.#multiplyRow(r, frames.step);
    });
    solveDense(impulse, this.#schur, this.#inverse, n);
    for (let k = 0; k < n; k++) {
      const column = this.#columns[k];
      for (let i = 0; i < column.length; i++) frames.step[i] -= impulse[k] * column[i];
      // d = C of a limit pushes the other way
      const sign = rows.kind[active[k]] === ROW.limit ? -1 : 1;
      if (moves) joints.multiplier[rows.id[active[k]]] += (sign * impulse[k]) / scale;
    }
    return true;
  }

  // J H⁻¹ Jᵀ and its factor
  #measureRows(): void {
    const { matrix, joints, frames } = this.#objective;
    const { rows } = joints;
    const n = this.#active.length;
    if (this.#schur.length < n * n) {
      this.#schur = new Float64Array(n * n);
      this.#inverse = new Float64Array(n);
    }
    const right = new Float64Array(matrix.gradient.length);
    for (let k = 0; k < n; k++) {
      const r = this.#active[k];
      right.fill(0);
      for (let i = rows.entryStart[r]; i < rows.entryStart[r + 1]; i++)
        for (let c = 0; c < 6; c++) right[6 * rows.group[i] + c] += rows.vector[6 * i + c];
      const column = (this.#columns[k] ??= new Float64Array(frames.step.length));
      matrix.solveAgain(column, right);
      for (let j = 0; j < n; j++) this.#schur[j * n + k] = this.#multiplyRow(this.#active[j], column);
    }
    for (let k = 0; k < n; k++) this.#schur[k * n + k] *= 1 + REDUNDANCY;
    factorDense(this.#schur, this.#inverse, n);
  }

  #multiplyRow(r: number, step: Float64Array): number {
    const { rows } = this.#objective.joints;
    let sum = 0;
    for (let i = rows.entryStart[r]; i < rows.entryStart[r + 1]; i++)
      for (let k = 0; k < 6; k++) sum += rows.vector[6 * i + k] * step[6 * rows.group[i] + k];
    return sum;
  }
}
