/** What the sliders of a lesson set, and what its closed form says. */
import { NexdynError } from '../../error.ts';
import type { Lesson } from '../lesson.ts';
import { evaluateFormula } from './evaluate.ts';
import { parseFormula } from './parse.ts';

/** Values of the sliders at the start. */
export function startValues({ sliders }: Lesson): number[] {
  return sliders.map(({ value }) => value);
}

/** What the sliders set, by path, as `setSceneParameters` takes it. */
export function computeSettings(lesson: Lesson, values: readonly number[]): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  lesson.sliders.forEach(({ targets, choices }, i) => {
    for (const { path, formula, formulas } of targets) {
      if (formulas) settings[path] = formulas.map((text) => evaluateAt(lesson, values, text));
      else if (formula !== undefined) settings[path] = evaluateAt(lesson, values, formula);
      else settings[path] = choices ? choices[values[i]!] : values[i];
    }
  });
  return settings;
}

/** A formula of the sliders, and of time where it is given, s. */
export function evaluateAt(lesson: Lesson, values: readonly number[], text: string, time?: number): number {
  return evaluateFormula(parseFormula(text, 'lesson'), {
    time: Float64Array.of(time ?? 0),
    read: (words) => readName(lesson, values, words, time),
  }) as number;
}

/** The closed form as a function of time, s; NaN where it says nothing. */
export function readClosedForm(lesson: Lesson, values: readonly number[]): (time: number) => number {
  if (!lesson.closedForm) return () => Number.NaN;
  const formula = parseFormula(lesson.closedForm.formula, 'lesson.closedForm.formula');
  const instant = new Float64Array(1);
  let now = 0;
  const scope = { time: instant, read: (words: readonly string[]) => readName(lesson, values, words, now) };
  return (time) => {
    now = time;
    return evaluateFormula(formula, scope) as number;
  };
}

function readName(lesson: Lesson, values: readonly number[], words: readonly string[], time?: number): number {
  const name = words.join('.');
  const value = name === 'time' ? time : values[lesson.sliders.findIndex((slider) => slider.name === name)];
  if (value !== undefined) return value;
  const hint = `sliders are ${lesson.sliders.map((slider) => slider.name).join(', ')}`;
  throw new NexdynError('unknown-reference', `there is no slider '${name}'`, { path: 'lesson', hint });
}
