/** What laws leave beside their blocks while an island is evaluated. */

/** Whether an evaluation since it was last cleared has changed a Hessian. */
export let hasChanged: bool = false;
/** Curvature along a line, added up. */
export let curvature: f64 = 0;

export function clearChanged(): void {
  hasChanged = false;
}

@inline
export function noteChange(): void {
  hasChanged = true;
}

export function setCurvature(value: f64): void {
  curvature = value;
}

@inline
export function addCurvature(value: f64): void {
  curvature += value;
}
