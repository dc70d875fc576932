/**
 * In scenes with soft bodies, mocap bodies and held vertices are first pulled to their targets, as unknowns of the step:
 *   E = K δ² (√(1 + s²/δ²) − 1),   s² = |x − t|² + r² |log(R_t Rᵀ)|²,   K δ = 100 h² κ A
 * so that one Newton step moves everything compliant together with what pushes it; moved alone they would advance by half of a gap at
 * a time. t, R_t the target; r the reach of the frame, m; K = 10⁶ times the mass of all moving bodies, kg: near the target a force
 * f leaves a distance h² f/K, gone afterwards without the pull. Far from it the pull is no more than a pressure of 100 κ on the
 * area A of the body (m²; of a vertex, the surface of its share of the volume): a body at a wall is not pressed flat
 * against it. Gradient exact; Hessian K/√(1 + s²/δ²), which lies above the true one and leads straight to the target.
 */

import type { FramePoses, Frames } from '../../../dynamics/frames.ts';
import { multiplyQuaternions, rotationVector } from '../../../linear-algebra/quaternion.ts';
import type { BodyMatrix } from '../body-matrix.ts';

const SHARE = 1e6;
const PRESSURES = 100;

const turn = /* @__PURE__ */ new Float64Array(4);
const angle = /* @__PURE__ */ new Float64Array(3);

export class PrescribedMotion {
  readonly #frames: Frames;
  readonly #reach: Float64Array;
  /** Per frame: A, m². */
  readonly #area: Float64Array;
  /** K, kg, and 100 h² κ, N s²/m². */
  #stiffness = 0;
  #pressure = 0;

  /** `area` is that of all frames, m²; 0 where a frame has nothing to press with. */
  constructor(frames: Frames, reach: Float64Array, area: Float64Array) {
    this.#frames = frames;
    this.#reach = reach;
    this.#area = area;
  }

  /** Takes other areas of the frames. */
  takeAreas(area: Float64Array): void {
    this.#area.set(area);
  }

  /** Sets the mass of all moving bodies, kg, and h² κ, N s²/m². */
  begin(mass: number, pressure: number): void {
    this.#stiffness = SHARE * mass;
    this.#pressure = PRESSURES * pressure;
  }

  value(poses: FramePoses): number {
    const { isPulled, held, firstSoft, moving } = this.#frames;
    if (!isPulled) return 0;
    let energy = 0;
    for (let f = moving + 1; f < firstSoft; f++) energy += this.#evaluate(f, this.#measureFrame(f, poses));
    for (const v of held) energy += this.#evaluate(firstSoft + v, this.#measureVertex(v, poses));
    return energy;
  }

  add(matrix: BodyMatrix, poses: FramePoses): void {
    const { isPulled, held, firstSoft, moving, target, softTarget } = this.#frames;
    if (!isPulled) return;
    const { position } = poses;
    for (let f = moving + 1, n = 0; f < firstSoft; f++, n++) {
      const block = matrix.blockOf(f);
      const row = matrix.rowOf(block);
      const weight = this.#weigh(f, this.#measureFrame(f, poses));
      const turned = weight * this.#chooseArm(f) ** 2;
      for (let k = 0; k < 3; k++) {
        matrix.gradient[row + k] += weight * (position[3 * f + k] - target[7 * n + k]);
        matrix.gradient[row + 3 + k] -= turned * angle[k];
        matrix.addToDiagonal(block, k, weight);
        matrix.addToDiagonal(block, 3 + k, turned);
      }
    }
    for (const v of held) {
      const f = firstSoft + v;
      const block = matrix.blockOf(f);
      const row = matrix.rowOf(block);
      const weight = this.#weigh(f, this.#measureVertex(v, poses));
      for (let k = 0; k < 3; k++) {
        matrix.gradient[row + k] += weight * (position[3 * f + k] - softTarget[3 * v + k]);
        matrix.addToDiagonal(block, k, weight);
      }
    }
  }

  // K δ² (√(1 + s²/δ²) − 1) = K s²/(1 + √(1 + s²/δ²))
  #evaluate(f: number, square: number): number {
    return (this.#stiffness * square) / (1 + this.#measureFar(f, square));
  }

  #weigh(f: number, square: number): number {
    return this.#stiffness / this.#measureFar(f, square);
  }

  // √(1 + s²/δ²)
  #measureFar(f: number, square: number): number {
    if (!(this.#area[f] > 0)) return 1;
    const delta = (this.#pressure * this.#area[f]) / this.#stiffness;
    return Math.sqrt(1 + square / (delta * delta));
  }

  #chooseArm(f: number): number {
    return this.#reach[f] || 1;
  }

  // s² of a mocap frame; its log(R_t Rᵀ) in `angle`
  #measureFrame(f: number, { position, orientation }: FramePoses): number {
    const { target, moving } = this.#frames;
    const o = 7 * (f - moving - 1);
    for (let k = 0; k < 4; k++) turn[k] = (k === 0 ? 1 : -1) * orientation[4 * f + k];
    multiplyQuaternions(turn, 0, target, o + 3, turn, 0);
    rotationVector(angle, 0, turn, 0);
    let square = this.#chooseArm(f) ** 2 * (angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2);
    for (let k = 0; k < 3; k++) square += (position[3 * f + k] - target[o + k]) ** 2;
    return square;
  }

  #measureVertex(v: number, { position }: FramePoses): number {
    const { softTarget, firstSoft } = this.#frames;
    let square = 0;
    for (let k = 0; k < 3; k++) square += (position[3 * (firstSoft + v) + k] - softTarget[3 * v + k]) ** 2;
    return square;
  }
}
