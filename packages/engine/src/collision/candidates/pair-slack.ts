/**
 * How much nearer two rigid surfaces may come before their list of near parts ends to be complete. Links of a chain that swings or bodies that turn
 * together move far and come little nearer to each other, so a pair has a slack of its own beside those of its carriers:
 *   valid   while Σ approach since built + approach ahead ≤ slack
 * approach the least bound of a pair of frames a and b over a step, m:
 *   m_a + m_b                                  m the moves of the carriers (carrier-moves.ts)
 *   |Δx_a − Δx_b| + r_a |Δθ_a| + r_b |Δθ_b|     Δx, Δθ the step of a frame, m and rad; r its reach, m
 *   as seen from one of them                   (step-limit/relative-approach.ts)
 */
import type { Frames } from '../../dynamics/frames.ts';
import { copyInto } from '../../linear-algebra/growth.ts';
import { measureRelativeApproach } from '../step-limit/relative-approach.ts';

export class PairSlack {
  count = 0;
  readonly #frames: Frames;
  readonly #reach: Float64Array;
  /** Per carrier, of the step at hand, m. */
  readonly #ahead: Float64Array;
  /** Per pair: its frames; by how much they have come nearer at most since it was built, and may, m. */
  #frame: Int32Array = new Int32Array(128);
  #travel: Float64Array = new Float64Array(64);
  #slack: Float64Array = new Float64Array(64);

  constructor(frames: Frames, reach: Float64Array, ahead: Float64Array) {
    this.#frames = frames;
    this.#reach = reach;
    this.#ahead = ahead;
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds a pair of frames with room for as much again as they approach, but no more than `most`, and `least` in any case; returns its slack, m. */
  add(a: number, b: number, most: number, least: number): number {
    const n = this.count++;
    if (n === this.#slack.length) this.#grow();
    const approach = this.#measure(a, b);
    this.#frame[2 * n] = a;
    this.#frame[2 * n + 1] = b;
    this.#travel[n] = 0;
    this.#slack[n] = approach + Math.min(approach, most) + least;
    return this.#slack[n];
  }

  /** Whether the lists hold for the step at hand. */
  isCovered(): boolean {
    for (let n = 0; n < this.count; n++)
      if (this.#travel[n] + this.#measure(this.#frame[2 * n], this.#frame[2 * n + 1]) > this.#slack[n]) return false;
    return true;
  }

  /** Says that frames have moved by α of their step. */
  move(alpha: number): void {
    for (let n = 0; n < this.count; n++)
      this.#travel[n] += alpha * this.#measure(this.#frame[2 * n], this.#frame[2 * n + 1]);
  }

  /** Says that a frame has moved in between. */
  displace(frame: number, distance: number): void {
    for (let i = 0; i < 2 * this.count; i++) if (this.#frame[i] === frame) this.#travel[i >> 1] += distance;
  }

  #measure(a: number, b: number): number {
    const { step, current } = this.#frames;
    const reach = this.#reach;
    const sum = this.#ahead[a] + this.#ahead[b];
    if (sum === 0) return 0;
    const i = 6 * a;
    const j = 6 * b;
    const x = step[i] - step[j];
    const y = step[i + 1] - step[j + 1];
    const z = step[i + 2] - step[j + 2];
    const u = step[i + 3];
    const v = step[i + 4];
    const w = step[i + 5];
    const p = step[j + 3];
    const q = step[j + 4];
    const r = step[j + 5];
    const turns = reach[a] * Math.sqrt(u * u + v * v + w * w) + reach[b] * Math.sqrt(p * p + q * q + r * r);
    return Math.min(
      sum,
      Math.sqrt(x * x + y * y + z * z) + turns,
      measureRelativeApproach(step, current.position, reach, a, b),
      measureRelativeApproach(step, current.position, reach, b, a),
    );
  }

  #grow(): void {
    const n = 2 * this.#slack.length;
    this.#frame = copyInto(this.#frame, new Int32Array(2 * n));
    this.#travel = copyInto(this.#travel, new Float64Array(n));
    this.#slack = copyInto(this.#slack, new Float64Array(n));
  }
}
