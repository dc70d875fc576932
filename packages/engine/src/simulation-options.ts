import type { StepThreads } from './linear-algebra/shared-work.ts';
import type { Term } from './term/term.ts';

/** How a simulation is run. */
export interface SimulationOptions {
  /** Clock for phase times and `maxStepTime`, ms, such as `performance.now`. Default: none, nothing is timed. */
  clock?: () => number;
  /** Without compiled functions: everything runs as TypeScript, slower and with the same results. Default: false. */
  portable?: boolean;
  /** Most bytes of memory that the simulation takes, at most 4 GiB. Default: 1 GiB. */
  memory?: number;
  /**
   * Threads that share the work of large steps: `stepThreads(2)` of '@nexdyn/batch'. Results are the same bytes for any number. They start
   * when a step first has enough for them; `dispose` ends them. Default: none.
   */
  threads?: StepThreads;
  /** Energies to add to the step, after those of the scene. */
  terms?: readonly Term[];
  /** Longest time that a step may take by the clock, s. Default: `options.maxStepTime` of the scene. */
  maxStepTime?: number;
  /** Whether it can take the parameters of other models of its scene: see `setParameters`. It then works on a copy of the model. Default: false. */
  ownParameters?: boolean;
  /** Whether steps that create energy without a cause are refused as `unstable`. Default: true. */
  checkEnergy?: boolean;
  /** Seed of the noise of sensors, a whole number. Default: none, readings are exact. */
  sensorNoise?: number;
}
