/** Ends a run early: conditions of the plan, each of which must hold for a while. */
import { evaluateFormula, type Formula, listNames, parseFormula } from '@nexdyn/engine/formulas';
import type { StopCondition } from '../plan/plan.ts';
import type { Signal } from './signals.ts';

const NO_TIME = /* @__PURE__ */ new Float64Array(0);

export class StopWatch {
  readonly #conditions: { name: string; formula: Formula; signals: Map<string, Signal>; hold: number; since: number }[];

  constructor(stops: readonly StopCondition[], find: (words: readonly string[], place: string) => Signal) {
    this.#conditions = stops.map(({ when, name, for: hold = 0 }, n) => {
      const place = `stop[${n}].when`;
      const formula = parseFormula(when, place);
      const names = listNames(formula).filter((words) => words.join('.') !== 'pi');
      const signals = new Map(names.map((words) => [words.join('.'), find(words, place)]));
      return { name: name ?? when, formula, signals, hold, since: Number.NaN };
    });
  }

  /** The condition that holds at this time, and has for long enough. */
  look(time: number): string | undefined {
    for (const condition of this.#conditions) {
      const { formula, signals } = condition;
      const read = (words: readonly string[]): number => signals.get(words.join('.'))!();
      if (!evaluateFormula(formula, { read, time: NO_TIME })) {
        condition.since = Number.NaN;
        continue;
      }
      if (Number.isNaN(condition.since)) condition.since = time;
      // times are sums of steps: a rounding error must not cost one
      if (time - condition.since >= condition.hold * (1 - 1e-9)) return condition.name;
    }
    return undefined;
  }
}
