import type {
  Lesson,
  LessonCheck,
  LessonClosedForm,
  LessonMeasure,
  LessonQuestion,
  LessonSlider,
  LessonTarget,
} from '../lesson.ts';
import { array, boolean, name, number, numbers, object, optional, type Schema, string } from '../schema.ts';
import { count, positive } from './parts.ts';

const target = object<LessonTarget>(
  { path: name(), formula: optional(name()), formulas: optional(array(name(), 1)) },
  'LessonTarget',
);

const slider = object<LessonSlider>(
  {
    name: name(),
    label: name(),
    unit: optional(string()),
    minimum: number(),
    maximum: number(),
    step: optional(positive),
    value: number(),
    logarithmic: optional(boolean()),
    choices: optional(array(name(), 2)),
    targets: array(target, 1),
  },
  'LessonSlider',
);

const question = object<LessonQuestion>(
  { text: name(), answers: array(name(), 2), correct: count, reason: name() },
  'LessonQuestion',
);

const measure = object<LessonMeasure>({ label: name(), unit: optional(string()), formula: name() }, 'LessonMeasure');

const closedForm = object<LessonClosedForm>(
  { label: name(), formula: name(), bound: name(), formulations: array(name(), 1) },
  'LessonClosedForm',
);

const check = object<LessonCheck>({ values: numbers({ minimumLength: 1, maximumLength: 2 }) }, 'LessonCheck');

export const lesson: Schema<Lesson> = object<Lesson>(
  {
    title: name(),
    text: array(name(), 1),
    sliders: array(slider, 1),
    question,
    measure,
    closedForm: optional(closedForm),
    duration: positive,
    formulations: optional(array(name(), 1)),
    checks: optional(array(check, 1)),
  },
  'Lesson',
);
