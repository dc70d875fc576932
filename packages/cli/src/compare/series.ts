import { METRIC_NAMES, type Measurement, type MetricName } from '@nexdyn/engine';

/** Metrics over time, at most some hundred samples: each is the largest of the steps it represents, so that no peak is lost. */
export interface Series {
  /** s, at the end of the steps. */
  time: number[];
  metrics: Record<MetricName, number[]>;
  /** Per sample: where the marks of bodies and the vertices of soft bodies are, three numbers each, m. */
  positions: Float64Array[];
  /** J. */
  energy: number[];
}

/** Steps per sample for about `most` samples. */
export function chooseStride(steps: number, most = 240): number {
  return Math.max(1, Math.ceil(steps / most));
}

export function createSeries(): Series {
  const metrics = Object.fromEntries(METRIC_NAMES.map((name) => [name, [] as number[]]));
  return { time: [], metrics: metrics as Record<MetricName, number[]>, positions: [], energy: [] };
}

/** The largest of several measurements. */
export class PeakHold {
  readonly #held = new Map<MetricName, number>();

  add(measurement: Measurement): void {
    for (const name of METRIC_NAMES) {
      const before = this.#held.get(name) ?? Number.NaN;
      const value = measurement[name];
      if (Number.isNaN(before) || value > before) this.#held.set(name, value);
    }
  }

  /** Ends a sample. */
  flush(series: Series): void {
    for (const name of METRIC_NAMES) series.metrics[name].push(this.#held.get(name) ?? Number.NaN);
    this.#held.clear();
  }
}
