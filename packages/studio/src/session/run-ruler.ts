/** The engine's ruler over a run, in its own script: only comparisons need it. */
import { METRIC_NAMES, type MeasuredSimulation, Ruler } from '@nexdyn/engine';
import type { Measures } from './protocol.ts';

export class RunRuler {
  readonly #ruler: Ruler;

  constructor(simulation: MeasuredSimulation) {
    this.#ruler = new Ruler(simulation);
  }

  measure(): void {
    this.#ruler.measure();
  }

  restart(): void {
    this.#ruler.restart();
  }

  /** Largest, mean and last value of each metric, and the energy that came out of nothing, J. */
  read(): Measures {
    const { metrics, energyDrift, steps } = this.#ruler.summarize();
    return {
      steps,
      energyDrift,
      metrics: Object.fromEntries(
        METRIC_NAMES.map((name) => [
          name,
          { max: metrics[name].max, mean: metrics[name].mean, last: metrics[name].last },
        ]),
      ),
    };
  }
}
