/** Formulas that users write, and lessons, whose sliders and closed forms are such formulas. */
export {
  checkFormula,
  evaluateFormula,
  type FormulaScope,
  type FormulaValue,
  FUNCTION_NAMES,
  isReduction,
} from './scene/formula/evaluate.ts';
export { computeSettings, evaluateAt, readClosedForm, startValues } from './scene/formula/lesson-values.ts';
export { type Formula, listNames, parseFormula } from './scene/formula/parse.ts';
