/**
 * Newton's method on an island in compiled code, some iterations in a call (packages/kernels/assembly/newton.ts), where the Hessian is dense or has
 * the pattern of A: with the same bits what minimize/newton.ts does with a convex objective, the exact line search without a largest step, and
 * a rule that compares the scaled gradient, promise and decrease with a tolerance.
 */
import type { Memory } from '../linear-algebra/memory.ts';
import { OUTCOME, type SolveTrace } from '../minimize/solve-trace.ts';
import { checkDeadline } from '../step-deadline.ts';
import type { ConvexObjective } from './convex-objective.ts';
import type { DescentRule } from './descent-rule.ts';
import type { CompiledTarget } from './island-hessian.ts';
import type { IslandRecord } from './island-record.ts';

/** Iterations of a call: the time is looked at between two. */
const CALL = 8;

/** Places of the words. */
const WORDS = 8;
const IS_FIRST = 1;
const LIMIT = 2;
const SEARCH_LIMIT = 3;
const ENDS_EARLY = 4;
const COUNT = 5;
const TARGET = 6;

/** Places of the numbers: scale, tolerance and slope that counts as zero over the length of the direction come first. */
const VALUE = 3;
const RESIDUAL = 4;
/** Value, residual and step of each iteration. */
const TRACE = 5;

export class CompiledNewton {
  readonly #objective: ConvexObjective;
  readonly #direction: Float64Array;
  readonly #words: Int32Array;
  readonly #numbers: Float64Array;

  /** `direction`: scratch for as many unknowns as there are. */
  constructor(objective: ConvexObjective, direction: Float64Array, memory: Memory) {
    this.#objective = objective;
    this.#direction = direction;
    this.#words = memory.i32(WORDS);
    this.#numbers = memory.f64(TRACE + 3 * CALL);
    this.#words[TARGET + 1] = this.#numbers.byteOffset;
  }

  /** Minimises from the objective's x, at which it has begun; `residual` is that at the start. */
  minimize(
    record: IslandRecord,
    target: CompiledTarget,
    rule: DescentRule,
    residual: number,
    isMinimum: boolean,
    trace: SolveTrace,
  ): number {
    const objective = this.#objective;
    const words = this.#words;
    const numbers = this.#numbers;
    record.setDirection(this.#direction);
    numbers[0] = rule.scale;
    numbers[1] = rule.tolerance;
    numbers[2] = rule.slopeTolerance;
    numbers[VALUE] = objective.value;
    numbers[RESIDUAL] = residual;
    words[0] = target.isTree ? 1 : 0;
    words[IS_FIRST] = 1;
    words[SEARCH_LIMIT] = rule.searchLimit;
    words[ENDS_EARLY] = rule.endsEarly ? 1 : 0;
    words[TARGET] = target.address;
    let outcome: number = isMinimum ? OUTCOME.converged : OUTCOME.iterationLimit;
    for (let k = 0; k < rule.limit && outcome === OUTCOME.iterationLimit; k += CALL) {
      checkDeadline('Newton iteration');
      words[LIMIT] = Math.min(CALL, rule.limit - k);
      outcome = record.compiled.minimizeIsland(record.address, words.byteOffset);
      words[IS_FIRST] = 0;
      for (let i = 0, entry = TRACE; i < words[COUNT]; i++, entry += 3)
        trace.add(numbers[entry], numbers[entry + 1], numbers[entry + 2]);
    }
    objective.value = numbers[VALUE];
    trace.close(outcome, objective.size, objective.value, numbers[RESIDUAL]);
    return outcome;
  }
}
