/**
 * How rows of joints and equalities bend along the motion: C(q ⊕ h v) = C + h J v + ½ h² J̇ v + …, so that J v = −C/h − σ ½ h J̇ v closes a row to
 * second order. Without that term a pendulum loses the share (h ω)² of its energy in every step: its velocity is turned into the new
 * tangent by a projection. With it the step is that of SHAKE, which keeps energy in the mean. Let c = ½ h J̇ v, and d = J (Δ + s) what gyroscopic
 * forces turn of the motion of single bodies (inertial-motion.ts). A step adds the energy ½ (σ c + d)ᵀ S⁻¹ (σ c + d), and its projection takes
 * ½ (J v)ᵀ S⁻¹ (J v) with v of the start and S = J A⁻¹ Jᵀ: the share σ of an island is at most 1 and such that it gets back no more
 * than was taken. Where d alone is more than that, σ makes the gain least.
 * Source: Ryckaert, Ciccotti and Berendsen, Numerical integration of the Cartesian equations of motion of a system with constraints (1977).
 */
import { copyInto } from '../../linear-algebra/growth.ts';
import type { Memory } from '../../linear-algebra/memory.ts';

export class RowCurvature {
  /** Per row of the problem, m/s or rad/s: c, until it has become part of the row, J v of the start, and d. */
  half: Float64Array;
  speed: Float64Array;
  turn: Float64Array;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.half = memory.f64(64);
    this.speed = memory.f64(64);
    this.turn = memory.f64(64);
  }

  /** Before the rows of a step. */
  clear(): void {
    this.half.fill(0);
    this.speed.fill(0);
    this.turn.fill(0);
  }

  /** Makes room for rows up to a number. */
  reserve(rows: number): void {
    if (rows <= this.half.length) return;
    this.half = copyInto(this.half, this.#memory.f64(2 * rows));
    this.speed = copyInto(this.speed, this.#memory.f64(2 * rows));
    this.turn = copyInto(this.turn, this.#memory.f64(2 * rows));
  }

  set(row: number, half: number, speed: number, turn: number): void {
    this.reserve(row + 1);
    this.half[row] = half;
    this.speed[row] = speed;
    this.turn[row] = turn;
  }
}

/** What decides σ of an island, and how far it is from what another rule would make it: a share, Infinity where there is none. */
export interface CurvatureShare {
  share: number;
  rule: ShareRule;
  margin: number;
}

/** All of the curvature, none, as much as was taken, or where the gain is least. */
export type ShareRule = 'whole' | 'none' | 'taken' | 'least';

/** σ, from c² = cᵀ S⁻¹ c > 0, d², 2 cd = 2 cᵀ S⁻¹ d and (J v)ᵀ S⁻¹ (J v); by a given rule, for derivatives, wherever that leads. */
export function chooseShare(
  out: CurvatureShare,
  cc: number,
  dd: number,
  cd2: number,
  taken: number,
  given?: ShareRule,
): void {
  // σ² c² + σ 2cd + d² = taken: the larger root, or where the left side is least
  const half = (0.5 * cd2) / cc;
  const square = dd === 0 ? taken / cc : half * half - (dd - taken) / cc;
  const root = Math.sqrt(Math.max(0, square));
  const isTaken = given === undefined ? square > 0 : given !== 'least';
  const free = isTaken ? root - half : -half;
  out.rule = given ?? (free >= 1 ? 'whole' : free <= 0 && dd > 0 ? 'none' : isTaken || dd === 0 ? 'taken' : 'least');
  out.share = out.rule === 'whole' ? 1 : out.rule === 'none' ? 0 : free;
  out.margin = Math.min(Math.abs(free - 1), dd === 0 ? Infinity : Math.min(Math.abs(free), root));
}
