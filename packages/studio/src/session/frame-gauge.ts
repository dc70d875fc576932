/** Measures a run for its curves: the worst of all steps since the last frame, and what the present state has. */

import type { Course, StepOutcome } from './course.ts';
import { createSample, mergeValues, packSample, type Sample, type SampleField, TERM_FIELDS } from './sample.ts';
import { STATUSES } from './solve-frame.ts';
import { readTermEnergies } from './term-energies.ts';

const PHASES = ['kinematics', 'freeMotion', 'collision', 'solve', 'integrate'] as const;

export class FrameGauge {
  readonly #course: Course;
  #sample: Sample = createSample();
  #steps = 0;
  #notes = 0;
  #phaseTimes: Record<(typeof PHASES)[number], number>;

  constructor(course: Course) {
    this.#course = course;
    this.#phaseTimes = course.simulation.phaseTimes();
  }

  /** Whether nothing was noted since the last sample. */
  get isEmpty(): boolean {
    return this.#notes === 0;
  }

  clear(): void {
    this.#sample = createSample();
    this.#steps = 0;
    this.#notes = 0;
    this.#phaseTimes = this.#course.simulation.phaseTimes();
  }

  /** Note how a step went. */
  note({ iterations, residual, status, minimumDistance, collisionFreeStep }: StepOutcome): void {
    const { touching } = this.#course;
    this.#notes += 1;
    this.#steps += 1;
    this.#merge('iterations', iterations);
    this.#merge('residual', residual);
    this.#merge('status', STATUSES.indexOf(status));
    this.#merge('contacts', touching?.count);
    this.#merge('depth', touching?.depth);
    this.#merge('distance', minimumDistance);
    this.#merge('collisionFreeStep', collisionFreeStep);
  }

  /** The sample of the present state; begins the next. */
  take(): number[] {
    const { simulation } = this.#course;
    const { kinetic, potential, elastic = 0 } = simulation.energy();
    const { linear, angular } = simulation.momentum();
    const times = simulation.phaseTimes();
    const sample = this.#sample;
    Object.assign(sample, { time: simulation.time, kinetic, potential, elastic });
    readTermEnergies(simulation).forEach((energy, i) => {
      sample[TERM_FIELDS[i]!] = energy;
    });
    sample.momentum = Math.hypot(...linear);
    sample.angularMomentum = Math.hypot(...angular);
    for (const phase of PHASES) sample[phase] = (times[phase] - this.#phaseTimes[phase]) / Math.max(1, this.#steps);
    this.clear();
    return packSample(sample);
  }

  #merge(field: SampleField, value: number | undefined): void {
    if (value !== undefined) this.#sample[field] = mergeValues(field, this.#sample[field], value);
  }
}
