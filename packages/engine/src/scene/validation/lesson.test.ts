import { expect, test } from 'vitest';
import { NexdynError } from '../../error.ts';
import { computeSettings, readClosedForm, startValues } from '../formula/lesson-values.ts';
import type { Lesson } from '../lesson.ts';
import type { Scene } from '../scene.ts';
import { validateScene } from '../validate.ts';

const LESSON: Lesson = {
  title: 'Slope',
  text: ['$\\tan\\alpha = \\mu$'],
  sliders: [
    { name: 'mu', label: 'Friction', minimum: 0, maximum: 1, value: 0.5, targets: [{ path: 'shapes.block.friction' }] },
    {
      name: 'angle',
      label: 'Angle',
      minimum: 0,
      maximum: 90,
      value: 60,
      targets: [
        { path: 'bodies.block.orientation', formulas: ['cos(radians(angle)/2)', '0', 'sin(radians(angle)/2)', '0'] },
        { path: 'gravity.2', formula: '-9.81' },
      ],
    },
  ],
  question: { text: 'When?', answers: ['now', 'later'], correct: 1, reason: 'so' },
  measure: { label: 'Place', formula: 'bodies.block.position.x * cos(angle)' },
  closedForm: { label: 'theory', formula: 'time < 1 ? 0/0 : mu*time', bound: '0.1*mu', formulations: ['sap'] },
  duration: 1,
};

const scene = (lesson: unknown): Scene =>
  ({
    format: 'nexdyn-scene',
    version: 1,
    bodies: [{ name: 'block', joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', name: 'block', radius: 1 }] }],
    lesson,
  }) as Scene;

test('a sound lesson passes; sliders set what their formulas say; the closed form is silent where it is no number', () => {
  expect(validateScene(scene(LESSON)).lesson).toBe(LESSON);
  const settings = computeSettings(LESSON, startValues(LESSON));
  expect(settings['shapes.block.friction']).toBe(0.5);
  expect(settings['gravity.2']).toBe(-9.81);
  expect(settings['bodies.block.orientation']).toEqual([Math.cos(Math.PI / 6), 0, Math.sin(Math.PI / 6), 0]);
  const closed = readClosedForm(LESSON, [0.25, 0]);
  expect(closed(0.5)).toBeNaN();
  expect(closed(2)).toBe(0.5);
});

const slider = LESSON.sliders[0]!;
const closedForm = LESSON.closedForm!;

test.each<[string, Partial<Record<keyof Lesson, unknown>>, string, RegExp]>([
  ['no slider', { sliders: [] }, 'lesson.sliders', /at least 1/],
  [
    'three sliders',
    { sliders: [slider, { ...slider, name: 'b' }, { ...slider, name: 'c' }] },
    'lesson.sliders',
    /3 sliders/,
  ],
  ['one name twice', { sliders: [slider, slider] }, 'lesson.sliders[1].name', /two sliders/],
  ['a name that is no word', { sliders: [{ ...slider, name: 'a b' }] }, 'lesson.sliders[0].name', /formula/],
  ['the name of time', { sliders: [{ ...slider, name: 'time' }] }, 'lesson.sliders[0].name', /formula/],
  ['an empty range', { sliders: [{ ...slider, maximum: 0 }] }, 'lesson.sliders[0].maximum', /minimum/],
  ['a start outside', { sliders: [{ ...slider, value: 2 }] }, 'lesson.sliders[0].value', /between 0 and 1/],
  ['a logarithm of zero', { sliders: [{ ...slider, logarithmic: true }] }, 'lesson.sliders[0].minimum', /logarithm/],
  [
    'choices that do not fit',
    { sliders: [{ ...slider, choices: ['a', 'b', 'c'] }] },
    'lesson.sliders[0].maximum',
    /choices/,
  ],
  [
    'no such shape',
    { sliders: [{ ...slider, targets: [{ path: 'shapes.blok.friction' }] }] },
    'lesson.sliders[0].targets[0].path',
    /blok/,
  ],
  [
    'no such option',
    { sliders: [{ ...slider, targets: [{ path: 'sap.stifness' }] }] },
    'lesson.sliders[0].targets[0].path',
    /nowhere/,
  ],
  [
    'a formula of nothing',
    { sliders: [{ ...slider, targets: [{ path: 'timestep', formula: 'nu' }] }] },
    'lesson.sliders[0].targets[0].formula',
    /'nu'/,
  ],
  ['a broken formula', { closedForm: { ...closedForm, formula: '1 +' } }, 'lesson.closedForm.formula', /too early/],
  [
    'a whole run in a formula',
    { measure: { label: 'x', formula: 'max(time)' } },
    'lesson.measure.formula',
    /whole run/,
  ],
  ['time in a bound', { closedForm: { ...closedForm, bound: 'time' } }, 'lesson.closedForm.bound', /'time'/],
  [
    'an unknown formulation',
    { closedForm: { ...closedForm, formulations: ['spa'] } },
    'lesson.closedForm.formulations[0]',
    /'spa'/,
  ],
  ['no such answer', { question: { ...LESSON.question, correct: 2 } }, 'lesson.question.correct', /answer 2/],
  [
    'a check with one value',
    { sliders: LESSON.sliders, checks: [{ values: [1] }] },
    'lesson.checks[0].values',
    /1 values for 2/,
  ],
  ['a check outside', { checks: [{ values: [1, 100] }] }, 'lesson.checks[0].values[1]', /between 0 and 90/],
  ['a field that does not exist', { titel: 'x' } as never, 'lesson.titel', /field/],
])('%s is refused with its place', (_, change, path, reason) => {
  const check = (): Scene => validateScene(scene({ ...LESSON, closedForm, ...change }));
  // formulas of the whole lesson name the slider angle
  const lone = 'sliders' in change && (change.sliders as unknown[]).length === 1;
  const single = (): Scene =>
    validateScene(scene({ ...LESSON, measure: { label: 'x', formula: 'time' }, closedForm: undefined, ...change }));
  const run = lone ? single : check;
  expect(run).toThrow(NexdynError);
  expect(run).toThrow(reason);
  try {
    run();
  } catch (error) {
    expect((error as NexdynError).path).toBe(path);
  }
});
