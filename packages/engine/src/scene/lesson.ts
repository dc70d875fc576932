import type { FormulationId } from './options.ts';

/** A lesson about the scene: what to read, what to move, what to predict, what is measured, and what theory says of it. */
export interface Lesson {
  /** Title. */
  title: string;
  /** Paragraphs. Formulas stand between dollar signs, in TeX. */
  text: string[];
  /** One or two sliders. */
  sliders: LessonSlider[];
  /** What to predict before the scene runs. */
  question: LessonQuestion;
  /** What is plotted over time. */
  measure: LessonMeasure;
  /** What theory predicts for it. Default: nothing. */
  closedForm?: LessonClosedForm;
  /** Simulated time of the lesson, s. */
  duration: number;
  /** Formulations that the lesson shows together. Default: that of the scene alone. */
  formulations?: FormulationId[];
  /** Settings of the sliders for which the closed form is checked. Default: their values at the start. */
  checks?: LessonCheck[];
}

/** A slider that sets values of the scene. */
export interface LessonSlider {
  /** Its name in formulas: letters and digits. */
  name: string;
  /** What the slider is called. */
  label: string;
  /** Unit of its value. Default: none. */
  unit?: string;
  /** Least value. */
  minimum: number;
  /** Largest value. */
  maximum: number;
  /** Distance of two settings. Default: a hundredth of the range. */
  step?: number;
  /** Value at the start. */
  value: number;
  /** Equal ratios instead of equal differences along the slider. Default: false. */
  logarithmic?: boolean;
  /** Words in place of the numbers 0, 1 and so on. Default: numbers. */
  choices?: string[];
  /** What it sets. */
  targets: LessonTarget[];
}

/** A value of the scene that a slider sets. */
export interface LessonTarget {
  /** Path of the value, as in `shapes.block.friction` or `timestep`. */
  path: string;
  /** Its value by the names of the sliders. Default: that of the slider. */
  formula?: string;
  /** The same for a list of numbers. Default: none. */
  formulas?: string[];
}

/** A question with answers to choose from. */
export interface LessonQuestion {
  /** The question. */
  text: string;
  /** Answers to choose from. */
  answers: string[];
  /** Number of the right answer, from 0. */
  correct: number;
  /** Why it is right. */
  reason: string;
}

/** A number of the state that is plotted over time. */
export interface LessonMeasure {
  /** What it is called. */
  label: string;
  /** SI unit. Default: none. */
  unit?: string;
  /** Formula of signals, as in `bodies.block.position.x`. */
  formula: string;
}

/** What theory says of the measured number. */
export interface LessonClosedForm {
  /** What it is called. */
  label: string;
  /** Formula of `time` and the sliders; where it is not a number, nothing is compared. */
  formula: string;
  /** Largest difference from the measurement, in its unit: a formula of the sliders. */
  bound: string;
  /** Formulations that keep the bound. */
  formulations: FormulationId[];
}

/** Settings of the sliders. */
export interface LessonCheck {
  /** A value for each slider. */
  values: number[];
}
