import type { FormulationId } from './options.ts';

/** A lesson about the scene: what to read, what to move, what to predict, what is measured, and what theory says about it. */
export interface Lesson {
  /** Title. */
  title: string;
  /** Paragraphs. Formulas are written in TeX between dollar signs. */
  text: string[];
  /** One or two sliders. */
  sliders: LessonSlider[];
  /** What to predict before the scene runs. */
  question: LessonQuestion;
  /** What is plotted over time. */
  measure: LessonMeasure;
  /** What theory predicts for the measurement. Default: none. */
  closedForm?: LessonClosedForm;
  /** Simulated time of the lesson, s. */
  duration: number;
  /** Formulations that the lesson shows together. Default: only that of the scene. */
  formulations?: FormulationId[];
  /** Settings of the sliders for which the closed form is checked. Default: their initial values. */
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
  /** Difference between two neighbouring settings. Default: a hundredth of the range. */
  step?: number;
  /** Initial value. */
  value: number;
  /** Equal ratios instead of equal differences along the slider. Default: false. */
  logarithmic?: boolean;
  /** Words shown in place of the numbers 0, 1 and so on. Default: numbers. */
  choices?: string[];
  /** What it sets. */
  targets: LessonTarget[];
}

/** A value of the scene that a slider sets. */
export interface LessonTarget {
  /** Path of the value, such as `shapes.block.friction` or `timestep`. */
  path: string;
  /** Formula for the value, in terms of the names of the sliders. Default: the value of the slider. */
  formula?: string;
  /** Formulas for the numbers, if the value is a list. Default: none. */
  formulas?: string[];
}

/** A question with answers to choose from. */
export interface LessonQuestion {
  /** The question. */
  text: string;
  /** Answers to choose from. */
  answers: string[];
  /** Index of the right answer, counted from 0. */
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
  /** Formula in terms of signals, such as `bodies.block.position.x`. */
  formula: string;
}

/** What theory says about the measured number. */
export interface LessonClosedForm {
  /** What it is called. */
  label: string;
  /** Formula in terms of `time` and the sliders; where it does not give a number, nothing is compared. */
  formula: string;
  /** Largest allowed difference from the measurement, in its unit: a formula in terms of the sliders. */
  bound: string;
  /** Formulations that stay within the bound. */
  formulations: FormulationId[];
}

/** Settings of the sliders. */
export interface LessonCheck {
  /** A value for each slider. */
  values: number[];
}
