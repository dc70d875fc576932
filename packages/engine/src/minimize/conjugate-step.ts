/**
 * The next direction of nonlinear conjugate gradients from gradients g and P g, now and before:
 *   d ← −P g + β d,   y = g⁺ − g
 *   Hager-Zhang       β = (yᵀ P g⁺ − 2 (yᵀ P y)(dᵀ g⁺)/(dᵀ y)) / (dᵀ y),   at least −1 / (|d| min(0.01, |g⁺|))
 *   Polak-Ribière+    β = max(0, yᵀ P g⁺ / gᵀ P g)
 * It restarts along −P g where dᵀ y vanishes or d does not descend. All sums run over even and odd indices separately, two lanes of
 * the compiled twin; the last element of an odd length is added last.
 * Sources: Hager and Zhang, A new conjugate gradient method with guaranteed descent and an efficient line search, SIAM Journal
 * on Optimization 16 (2005); Polak and Ribière, Note sur la convergence de méthodes de directions conjuguées (1969).
 */
import type { CompiledDynamics } from '../linear-algebra/compiled-functions.ts';
import type { Memory } from '../linear-algebra/memory.ts';

export type ConjugateRule = 'hager-zhang' | 'polak-ribiere';

/** η of the lower bound on β. */
const TRUNCATION = 0.01;
const SMALL = 1e-15;

export class ConjugateStep {
  readonly rule: ConjugateRule;
  /** d. */
  readonly direction: Float64Array;
  /** g and P g, for the caller to fill. */
  readonly gradient: Float64Array;
  readonly conditioned: Float64Array;
  readonly #square: Float64Array;
  readonly #before: Float64Array;
  readonly #conditionedBefore: Float64Array;
  readonly #compiled: CompiledDynamics | undefined;
  /** Sizes and addresses in the order of packages/kernels/assembly/conjugate.ts. */
  readonly #record: Int32Array;
  readonly #address: number;

  /** Scratch for up to `size` unknowns. */
  constructor(rule: ConjugateRule, size: number, memory: Memory) {
    this.rule = rule;
    this.direction = memory.f64(size);
    this.gradient = memory.f64(size);
    this.conditioned = memory.f64(size);
    this.#square = memory.f64(2);
    this.#before = memory.f64(size);
    this.#conditionedBefore = memory.f64(size);
    this.#compiled = memory.compiledDynamics;
    this.#record = memory.i32(9);
    this.#address = this.#record.byteOffset;
    this.#record[1] = rule === 'polak-ribiere' ? 1 : 0;
    this.#record[3] = this.gradient.byteOffset;
    this.#record[4] = this.conditioned.byteOffset;
    this.#record[5] = this.#before.byteOffset;
    this.#record[6] = this.#conditionedBefore.byteOffset;
    this.#record[7] = this.direction.byteOffset;
    this.#record[8] = this.#square.byteOffset;
  }

  /** |d|² of the last turn. */
  get square(): number {
    return this.#square[0];
  }

  /** β of the last turn. */
  get beta(): number {
    return this.#square[1];
  }

  /** Turns to the next direction of n unknowns; returns dᵀ g, which is not negative only where none descends. */
  turn(n: number, isFirst: boolean): number {
    if (this.#compiled) {
      this.#record[0] = n;
      this.#record[2] = isFirst ? 1 : 0;
      return this.#compiled.turnConjugate(this.#address);
    }
    let beta = isFirst ? 0 : this.#conjugate(n);
    let slope = this.#turnBy(beta, n);
    if (!(slope < 0) && beta !== 0) {
      beta = 0;
      slope = this.#turnBy(beta, n);
    }
    this.#square[1] = beta;
    for (let i = 0; i < n; i++) {
      this.#before[i] = this.gradient[i];
      this.#conditionedBefore[i] = this.conditioned[i];
    }
    return slope;
  }

  // d ← −P g + β d; returns dᵀ g
  #turnBy(beta: number, n: number): number {
    const { direction, conditioned, gradient } = this;
    for (let i = 0; i < n; i++) direction[i] = beta * direction[i] - conditioned[i];
    this.#square[0] = sumPairs(direction, direction, n);
    return sumPairs(direction, gradient, n);
  }

  // β from the gradients before and after the last step, along the last direction
  #conjugate(n: number): number {
    const { direction, conditioned, gradient } = this;
    const before = this.#before;
    const conditionedBefore = this.#conditionedBefore;
    const alongNew = sumPairs(direction, gradient, n);
    const oldOld = sumPairs(before, conditionedBefore, n);
    // the numbers before are needed no more: y and its image take their places
    for (let i = 0; i < n; i++) {
      before[i] = gradient[i] - before[i];
      conditionedBefore[i] = conditioned[i] - conditionedBefore[i];
    }
    const changeNew = sumPairs(before, conditioned, n);
    const changeChange = sumPairs(before, conditionedBefore, n);
    const alongChange = sumPairs(direction, before, n);
    if (this.rule === 'polak-ribiere') return oldOld > 0 ? Math.max(0, changeNew / oldOld) : 0;
    if (!(Math.abs(alongChange) > SMALL * oldOld)) return 0;
    const beta = (changeNew - (2 * changeChange * alongNew) / alongChange) / alongChange;
    const length = Math.sqrt(sumPairs(direction, direction, n));
    return Math.max(beta, -1 / (length * Math.min(TRUNCATION, Math.sqrt(sumPairs(gradient, gradient, n)))));
  }
}

/** aᵀ b. */
function sumPairs(a: Float64Array, b: Float64Array, n: number): number {
  let even = 0;
  let odd = 0;
  const pairs = n - (n % 2);
  for (let i = 0; i < pairs; i += 2) {
    even += a[i] * b[i];
    odd += a[i + 1] * b[i + 1];
  }
  const sum = even + odd;
  return pairs < n ? sum + a[pairs] * b[pairs] : sum;
}
