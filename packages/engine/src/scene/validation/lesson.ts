import { NexdynError } from '../../error.ts';
import { checkFormula } from '../formula/evaluate.ts';
import { listNames, parseFormula } from '../formula/parse.ts';
import { listFormulations } from '../formulation-table.ts';
import type { Lesson, LessonSlider } from '../lesson.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import { findSceneItems, ITEM_KINDS } from '../scene-items.ts';
import type { SchemaNode } from '../schema.ts';
import { sceneOptions } from '../schemas/options.ts';
import { suggestSpelling } from '../spelling.ts';

/** Most sliders of a lesson. */
const MOST_SLIDERS = 2;

/** Checks the lesson of a scene: settings in their range, paths that lead somewhere, formulas that can be computed. */
export function checkLesson(scene: Scene): void {
  const { lesson } = scene;
  if (!lesson) return;
  const top = placeBelow(undefined, 'lesson');
  const { sliders, question, measure, closedForm, formulations = [], checks = [] } = lesson;
  if (sliders.length > MOST_SLIDERS)
    throw refuse(placeBelow(top, 'sliders'), `has ${sliders.length} sliders`, 'a lesson has one or two');
  sliders.forEach((slider, i) => {
    if (sliders.findIndex(({ name }) => name === slider.name) < i)
      throw refuse(
        placeBelow(top, 'sliders', i, 'name'),
        `'${slider.name}' is the name of two sliders`,
        'give each its own',
      );
    checkSlider(scene, lesson, slider, placeBelow(top, 'sliders', i));
  });
  if (question.correct >= question.answers.length) {
    const hint = `answers are counted from 0 to ${question.answers.length - 1}`;
    throw refuse(placeBelow(top, 'question', 'correct'), `there is no answer ${question.correct}`, hint);
  }
  parse(measure.formula, placeBelow(top, 'measure', 'formula'));
  if (closedForm) {
    const below = (key: string): Place => placeBelow(top, 'closedForm', key);
    checkNames(lesson, closedForm.formula, below('formula'), ['time']);
    checkNames(lesson, closedForm.bound, below('bound'));
    checkFormulations(closedForm.formulations, below('formulations'));
  }
  checkFormulations(formulations, placeBelow(top, 'formulations'));
  checks.forEach(({ values }, i) => {
    const place = placeBelow(top, 'checks', i, 'values');
    if (values.length !== sliders.length)
      throw refuse(place, `has ${values.length} values for ${sliders.length} sliders`, 'one for each slider');
    for (const [k, value] of values.entries()) checkRange(sliders[k]!, value, placeBelow(place, k));
  });
}

function checkSlider(scene: Scene, lesson: Lesson, slider: LessonSlider, place: Place): void {
  const { name, minimum, maximum, logarithmic, choices, targets } = slider;
  const below = (...keys: (string | number)[]): Place => placeBelow(place, ...keys);
  if (!/^\p{L}[\p{L}\p{N}_]*$/u.test(name) || name === 'time' || name === 'pi')
    throw refuse(below('name'), `'${name}' cannot stand in a formula`, 'letters and digits, but not time or pi');
  if (!(minimum < maximum)) throw refuse(below('maximum'), `${maximum} is not above the minimum ${minimum}`, undefined);
  if (logarithmic && !(minimum > 0))
    throw refuse(below('minimum'), `${minimum} has no logarithm`, 'a logarithmic slider begins above 0');
  if (choices && (minimum !== 0 || maximum !== choices.length - 1))
    throw refuse(below('maximum'), 'does not fit the choices', `the range is 0 to ${choices.length - 1}`);
  checkRange(slider, slider.value, below('value'));
  targets.forEach(({ path, formula, formulas }, i) => {
    const target = below('targets', i);
    if (formula !== undefined && formulas)
      throw refuse(target, 'has formula and formulas', 'formula for a number, formulas for a list');
    if (formula !== undefined) checkNames(lesson, formula, placeBelow(target, 'formula'));
    formulas?.forEach((text, k) => {
      checkNames(lesson, text, placeBelow(target, 'formulas', k));
    });
    checkPath(scene, path, placeBelow(target, 'path'));
  });
}

function checkRange({ minimum, maximum, choices }: LessonSlider, value: number, place: Place): void {
  if (value < minimum || value > maximum)
    throw refuse(place, `${value} is not between ${minimum} and ${maximum}`, undefined);
  if (choices && !Number.isInteger(value)) throw refuse(place, `${value} is no choice`, 'choices are counted from 0');
}

/** A path of a thing with a name, or of an option. */
function checkPath(scene: Scene, path: string, place: Place): void {
  const words = path.split('.');
  if (ITEM_KINDS.includes(words[0]!)) {
    try {
      findSceneItems(path, words, scene);
    } catch (error) {
      if (error instanceof NexdynError) throw refuse(place, error.reason, error.hint, error.code);
      throw error;
    }
    return;
  }
  let node: SchemaNode = sceneOptions;
  for (const [k, word] of words.entries()) {
    if (node.type === 'reference') node = node.target();
    // numbers of a list such as gravity.2
    if (node.type === 'numbers' && /^\d+$/.test(word)) return;
    const field = node.type === 'object' ? node.fields.get(word) : undefined;
    if (!field) {
      const known = node.type === 'object' ? [...node.fields.keys()] : [];
      const hint = suggestSpelling(word, [...known, ...(k === 0 ? ITEM_KINDS : [])], 'fields');
      throw refuse(place, `'${path}' leads nowhere`, hint, 'unknown-reference');
    }
    node = field.schema;
  }
}

function checkFormulations(ids: readonly string[], place: Place): void {
  const known = listFormulations().map(({ id }) => id as string);
  ids.forEach((id, i) => {
    if (!known.includes(id))
      throw refuse(placeBelow(place, i), `there is no formulation '${id}'`, suggestSpelling(id, known, 'formulations'));
  });
}

function parse(text: string, place: Place): ReturnType<typeof parseFormula> {
  const formula = parseFormula(text, formatPath(place));
  checkFormula(formula, formatPath(place), { allowReductions: false });
  return formula;
}

/** A formula of the sliders alone, or of these names besides. */
function checkNames({ sliders }: Lesson, text: string, place: Place, more: readonly string[] = []): void {
  const known = [...sliders.map(({ name }) => name), ...more];
  for (const words of listNames(parse(text, place))) {
    const name = words.join('.');
    if (name !== 'pi' && !known.includes(name))
      throw refuse(place, `there is no slider '${name}'`, `names are ${known.join(', ')}`, 'unknown-reference');
  }
}

function refuse(
  place: Place,
  reason: string,
  hint: string | undefined,
  code: NexdynError['code'] = 'invalid-value',
): NexdynError {
  return new NexdynError(code, reason, { path: formatPath(place), ...(hint === undefined ? {} : { hint }) });
}
