/** Records the signals that the measures of a plan need, and computes the measures at the end. */
import { evaluateFormula, type Formula, type FormulaValue, listNames, parseFormula } from '@nexdyn/engine/formulas';
import type { Signal } from './signals.ts';

interface Column {
  signal: Signal;
  values: number[];
}

export class Measures {
  readonly #formulas: (readonly [string, Formula])[];
  readonly #columns = new Map<string, Column>();
  readonly #parameters: Readonly<Record<string, unknown>>;
  readonly #time: number[] = [];

  constructor(
    texts: Readonly<Record<string, string>>,
    parameters: Readonly<Record<string, unknown>>,
    find: (words: readonly string[], place: string) => Signal,
  ) {
    this.#parameters = parameters;
    this.#formulas = Object.entries(texts).map(
      ([name, text]) => [name, parseFormula(text, `measure.${name}`)] as const,
    );
    for (const [measure, formula] of this.#formulas) {
      for (const words of listNames(formula)) {
        const name = words.join('.');
        if (name === 'pi' || this.#columns.has(name) || typeof parameters[name] === 'number') continue;
        this.#columns.set(name, { signal: find(words, `measure.${measure}`), values: [] });
      }
    }
  }

  record(time: number): void {
    this.#time.push(time);
    for (const { signal, values } of this.#columns.values()) values.push(signal());
  }

  /** Each measure; of a formula that ends in a series, the last value. */
  compute(): Record<string, number | null> {
    const series = new Map([...this.#columns].map(([name, { values }]) => [name, Float64Array.from(values)]));
    const time = Float64Array.from(this.#time);
    const read = (words: readonly string[]): FormulaValue => {
      const name = words.join('.');
      return series.get(name) ?? (this.#parameters[name] as number);
    };
    return Object.fromEntries(
      this.#formulas.map(([name, formula]) => {
        const value = evaluateFormula(formula, { read, time });
        const number = typeof value === 'number' ? value : (value.at(-1) ?? Number.NaN);
        return [name, Number.isFinite(number) ? number : null];
      }),
    );
  }
}
