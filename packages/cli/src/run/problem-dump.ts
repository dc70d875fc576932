import { NexdynError, type Simulation } from '@nexdyn/engine';
import { captureContactProblem, writeContactProblem } from '@nexdyn/formats';

/** Rows of the largest problem that is written: W has the square of it, most of them zeros that are left out. */
const MOST_ROWS = 5000;

/** The contact problem of one step, kept as text when its turn comes. */
export interface ProblemDump {
  /** After every step, with the number of steps so far. */
  afterStep(steps: number): void;
  /** Name and text of the file; undefined where the run ended before. */
  readonly file: { name: string; text: string } | undefined;
}

/** Name of the file of a step. */
export function nameProblemFile(step: number): string {
  return `problem-${step}.json`;
}

/** Keeps the problem of a step, counted from 1. */
export function createProblemDump(simulation: Simulation, step: number): ProblemDump {
  const { formulation, model } = simulation;
  if (!formulation.captureProgram) {
    throw new NexdynError('invalid-argument', `${formulation.id} has no problem over impulses to write`, {
      hint: 'add --formulation ccp, or leave --dump-problem out',
    });
  }
  let file: ProblemDump['file'];
  return {
    get file() {
      return file;
    },
    afterStep(steps) {
      if (steps !== step) return;
      const program = formulation.captureProgram!();
      if (program.size > MOST_ROWS) {
        throw new NexdynError('invalid-argument', `the problem of step ${step} has ${program.size} rows`, {
          hint: `choose a step with at most ${MOST_ROWS}`,
        });
      }
      const problem = captureContactProblem(program, `${model.name || 'scene'}, step ${step}`);
      file = { name: nameProblemFile(step), text: writeContactProblem(problem) };
    },
  };
}
