/**
 * Conjugate gradients of an island in compiled code, some iterations in a call (packages/kernels/assembly/descent.ts): with the same bits what
 * minimize/conjugate-gradient.ts does with a convex objective, its metric as preconditioner, the exact line search without a largest step, and
 * a rule that compares the scaled gradient and the scaled decrease with a tolerance.
 */
import type { CompiledDynamics } from '../linear-algebra/compiled-functions.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ConjugateRule } from '../minimize/conjugate-step.ts';
import { OUTCOME, type SolveTrace } from '../minimize/solve-trace.ts';
import { checkDeadlineSometimes } from '../step-deadline.ts';
import type { ConvexObjective } from './convex-objective.ts';
import type { DescentRule } from './descent-rule.ts';
import type { MetricFactor } from './metric-factor.ts';

/** Iterations of a call: the time is looked at between two. */
const CALL = 16;

/** Places of the words; the addresses of the factor follow. */
const WORDS = 11;
const IS_FIRST = 1;
const LIMIT = 2;
const SEARCH_LIMIT = 3;
const COUNT = 4;
const FACTOR = 5;

/** Places of the numbers: scale, tolerance and slope that counts as zero over the length of the direction come first. */
const VALUE = 3;
const RESIDUAL = 4;
/** Value, residual and step of each iteration. */
const TRACE = 5;

export class CompiledDescent {
  readonly #dynamics: CompiledDynamics;
  readonly #objective: ConvexObjective;
  readonly #metric: MetricFactor;
  readonly #direction: Float64Array;
  readonly #words: Int32Array;
  readonly #numbers: Float64Array;
  #factor: Float64Array | undefined;

  constructor(
    dynamics: CompiledDynamics,
    objective: ConvexObjective,
    metric: MetricFactor,
    rule: ConjugateRule,
    memory: Memory,
  ) {
    const size = objective.x.length;
    this.#dynamics = dynamics;
    this.#objective = objective;
    this.#metric = metric;
    this.#direction = memory.f64(size);
    this.#words = memory.i32(WORDS);
    this.#numbers = memory.f64(TRACE + 3 * CALL);
    this.#words[0] = rule === 'polak-ribiere' ? 1 : 0;
    for (let k = 0; k < 3; k++) this.#words[FACTOR + 2 + k] = memory.f64(size).byteOffset;
    this.#words[FACTOR + 5] = this.#numbers.byteOffset;
  }

  /** Minimises from the objective's x, at which it has begun; undefined where the island has no compiled functions. `residual` is that at the start. */
  minimize(rule: DescentRule, residual: number, isMinimum: boolean, trace: SolveTrace): number | undefined {
    const objective = this.#objective;
    const { record } = objective;
    if (!record) return undefined;
    const words = this.#words;
    const numbers = this.#numbers;
    this.#bind();
    record.setDirection(this.#direction);
    numbers[0] = rule.scale;
    numbers[1] = rule.tolerance;
    numbers[2] = rule.slopeTolerance;
    numbers[VALUE] = objective.value;
    numbers[RESIDUAL] = residual;
    words[IS_FIRST] = 1;
    words[SEARCH_LIMIT] = rule.searchLimit;
    let outcome: number = isMinimum ? OUTCOME.converged : OUTCOME.iterationLimit;
    for (let k = 0; k < rule.limit && outcome === OUTCOME.iterationLimit; k += CALL) {
      checkDeadlineSometimes('conjugate gradients');
      words[LIMIT] = Math.min(CALL, rule.limit - k);
      outcome = this.#dynamics.descendIsland(record.address, words.byteOffset);
      words[IS_FIRST] = 0;
      for (let i = 0; i < words[COUNT]; i++) {
        const entry = TRACE + 3 * i;
        trace.add(numbers[entry], numbers[entry + 1], numbers[entry + 2]);
      }
    }
    objective.value = numbers[VALUE];
    trace.close(outcome, objective.size, objective.value, numbers[RESIDUAL]);
    return outcome;
  }

  #bind(): void {
    const { factor, inverseDiagonal } = this.#metric;
    if (factor === this.#factor) return;
    this.#factor = factor;
    this.#words[FACTOR] = factor.byteOffset;
    this.#words[FACTOR + 1] = inverseDiagonal.byteOffset;
  }
}
