/**
 * How rows of joints and equalities bend along the motion: C(q ⊕ h v) = C + h J v + ½ h² J̇ v + …, so that J v = −C/h − s ½ h J̇ v closes a row to
 * second order. Without that term a pendulum loses the share (h ω)² of its energy in every step: its velocity is turned into the new
 * tangent by a projection. With it the step is that of SHAKE, which keeps energy in the mean. The velocity that the term adds has the energy
 * ½ (½ h J̇ v)ᵀ S⁻¹ (½ h J̇ v), what the projection takes is ½ (J v)ᵀ S⁻¹ (J v) with v of the start and S = J A⁻¹ Jᵀ: the share s of an island
 * is at most 1 and such that it gets back no more than was taken. Inertial forces then never create energy, whatever the step.
 * Source: Ryckaert, Ciccotti and Berendsen, Numerical integration of the Cartesian equations of motion of a system with constraints (1977).
 */
import { copyInto } from '../../linear-algebra/growth.ts';
import type { Memory } from '../../linear-algebra/memory.ts';

export class RowCurvature {
  /** Per row of the problem, m/s or rad/s: ½ h J̇ v, until it has become part of the row, and J v of the start. */
  half: Float64Array;
  speed: Float64Array;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.half = memory.f64(64);
    this.speed = memory.f64(64);
  }

  /** Before the rows of a step. */
  clear(): void {
    this.half.fill(0);
    this.speed.fill(0);
  }

  /** Makes room for rows up to a number. */
  reserve(rows: number): void {
    if (rows <= this.half.length) return;
    this.half = copyInto(this.half, this.#memory.f64(2 * rows));
    this.speed = copyInto(this.speed, this.#memory.f64(2 * rows));
  }

  set(row: number, half: number, speed: number): void {
    this.reserve(row + 1);
    this.half[row] = half;
    this.speed[row] = speed;
  }
}
