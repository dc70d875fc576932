/** Numbers that are plotted, at states of the run so far: a plot that is begun late shows the run from its start. */
import type { Course } from '../course.ts';

/** Numbers over the steps of a run. */
export interface QuantityPast {
  steps: number[];
  /** s. */
  times: number[];
  /** By step, then by key. */
  values: number[];
}

/** States at most, and at least where they take long. */
const MOST = 240;
const LEAST = 24;
/** Time in which they are to be read, ms. */
const BUDGET = 200;

/**
 * Reads numbers at states of the timeline, evenly thinned, or at given steps; the last step before each is taken again, so that
 * forces are known. The course is left as it was.
 */
export function recallQuantities(
  course: Course,
  keys: readonly string[],
  now: () => number,
  wanted?: readonly number[],
): QuantityPast {
  const present = course.step;
  // a state that is not kept could not be gone back to
  course.keep();
  const past: QuantityPast = { steps: [], times: [], values: [] };
  const read = (step: number): void => {
    course.seek(step);
    past.steps.push(step);
    past.times.push(course.simulation.time);
    past.values.push(...course.readQuantities(keys));
  };
  if (wanted) {
    for (const step of wanted) read(step);
  } else {
    const { timeline } = course;
    const start = now();
    if (timeline.first) course.seek(timeline.at(Math.min(1, timeline.length - 1))!.step);
    const affordable = Math.floor(BUDGET / Math.max(now() - start, 1e-3));
    const count = Math.min(timeline.length, Math.max(LEAST, Math.min(MOST, affordable)));
    for (let i = 0; i < count; i++) {
      const place = count === 1 ? 0 : Math.round((i * (timeline.length - 1)) / (count - 1));
      read(timeline.at(place)!.step);
    }
  }
  course.seek(present);
  return past;
}
