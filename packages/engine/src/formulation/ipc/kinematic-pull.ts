/**
 * Where soft bodies take part, mocap bodies and held vertices are first pulled to where they are to be, as unknowns of the step:
 *   E = ½ K |x − t|² + ½ K r² |log(R_t Rᵀ)|²
 * so that one Newton step moves all that gives way together with what pushes it; moved alone they would come to half of a gap at
 * a time. t, R_t the target; r the reach of the frame, m; K = 10⁶ times the mass of all that moves, kg: a force f leaves a
 * distance h² f/K, gone afterwards without the pull. Gradient exact; Hessian that of small angles.
 */
import { multiplyQuaternions, rotationVector } from '../../linear-algebra/quaternion.ts';
import type { BodyMatrix } from './body-matrix.ts';
import type { FramePoses, Frames } from './frames.ts';

const SHARE = 1e6;

const turn = /* @__PURE__ */ new Float64Array(4);
const angle = /* @__PURE__ */ new Float64Array(3);

export class KinematicPull {
  readonly #frames: Frames;
  readonly #reach: Float64Array;
  /** K, kg. */
  #stiffness = 0;

  constructor(frames: Frames, reach: Float64Array) {
    this.#frames = frames;
    this.#reach = reach;
  }

  /** Takes the mass of all that moves, kg. */
  begin(mass: number): void {
    this.#stiffness = SHARE * mass;
  }

  value(poses: FramePoses): number {
    const frames = this.#frames;
    if (!frames.isPulled) return 0;
    const { target, softTarget, held, firstSoft, moving } = frames;
    const { position } = poses;
    let energy = 0;
    for (let f = moving + 1, n = 0; f < firstSoft; f++, n++) {
      for (let k = 0; k < 3; k++) energy += (position[3 * f + k] - target[7 * n + k]) ** 2;
      this.#measureTurn(f, poses);
      energy += this.#chooseArm(f) ** 2 * (angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2);
    }
    for (const v of held)
      for (let k = 0; k < 3; k++) energy += (position[3 * (firstSoft + v) + k] - softTarget[3 * v + k]) ** 2;
    return 0.5 * this.#stiffness * energy;
  }

  add(matrix: BodyMatrix, poses: FramePoses): void {
    const frames = this.#frames;
    if (!frames.isPulled) return;
    const { target, softTarget, held, firstSoft, moving } = frames;
    const { position } = poses;
    const stiffness = this.#stiffness;
    for (let f = moving + 1, n = 0; f < firstSoft; f++, n++) {
      const block = matrix.blockOf(f);
      const row = matrix.rowOf(block);
      const turned = stiffness * this.#chooseArm(f) ** 2;
      this.#measureTurn(f, poses);
      for (let k = 0; k < 3; k++) {
        matrix.gradient[row + k] += stiffness * (position[3 * f + k] - target[7 * n + k]);
        matrix.gradient[row + 3 + k] -= turned * angle[k];
        matrix.addToDiagonal(block, k, stiffness);
        matrix.addToDiagonal(block, 3 + k, turned);
      }
    }
    for (const v of held) {
      const block = matrix.blockOf(firstSoft + v);
      const row = matrix.rowOf(block);
      for (let k = 0; k < 3; k++) {
        matrix.gradient[row + k] += stiffness * (position[3 * (firstSoft + v) + k] - softTarget[3 * v + k]);
        matrix.addToDiagonal(block, k, stiffness);
      }
    }
  }

  #chooseArm(f: number): number {
    return this.#reach[f] || 1;
  }

  // log(R_t Rᵀ) in `angle`
  #measureTurn(f: number, { orientation }: FramePoses): void {
    const { target, moving } = this.#frames;
    for (let k = 0; k < 4; k++) turn[k] = (k === 0 ? 1 : -1) * orientation[4 * f + k];
    multiplyQuaternions(turn, 0, target, 7 * (f - moving - 1) + 3, turn, 0);
    rotationVector(angle, 0, turn, 0);
  }
}
