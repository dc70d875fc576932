/** Numbers that are formulas of signals, as lessons measure them: `formula:` and, as JSON, the formula with the values of its names. */
import type { Simulation } from '@nexdyn/engine';
import { evaluateFormula, listNames, parseFormula } from '@nexdyn/engine/formulas';
import { SignalSource } from '@nexdyn/sweep/signals';

export const FORMULA = 'formula:';

type Reader = () => number;

const known = new WeakMap<Simulation, Map<string, Reader>>();

/** The key of a formula whose further names have these values. */
export function keyOfFormula(formula: string, values: Readonly<Record<string, number>>): string {
  return FORMULA + JSON.stringify({ formula, values });
}

/** The value of a formula now; NaN where the scene has not what it names. */
export function readFormula(simulation: Simulation, key: string): number {
  let readers = known.get(simulation);
  if (!readers) known.set(simulation, (readers = new Map()));
  let reader = readers.get(key);
  if (!reader) readers.set(key, (reader = createReader(simulation, key)));
  return reader();
}

function createReader(simulation: Simulation, key: string): Reader {
  try {
    const { formula: text, values } = JSON.parse(key.slice(FORMULA.length)) as {
      formula: string;
      values: Record<string, number>;
    };
    const formula = parseFormula(text, 'lesson.measure.formula');
    const source = new SignalSource(simulation);
    const signals = new Map<string, Reader>();
    for (const words of listNames(formula)) {
      const name = words.join('.');
      if (name === 'pi') continue;
      const value = Object.hasOwn(values, name) ? values[name]! : undefined;
      signals.set(name, value === undefined ? source.find(words, 'lesson.measure.formula') : () => value);
    }
    const time = new Float64Array(1);
    return () => evaluateFormula(formula, { time, read: (words) => signals.get(words.join('.'))!() }) as number;
  } catch {
    // of another scene
    return () => Number.NaN;
  }
}
