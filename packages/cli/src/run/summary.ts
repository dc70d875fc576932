import type { Simulation } from '@nexdyn/engine';
import type { UnsupportedItem } from '@nexdyn/formats';
import type { RunOutcome, RunStatus } from './stepping.ts';

/** Energy in joules. */
export interface Energy {
  kinetic: number;
  potential: number;
  total: number;
}

/** What a run came to. */
export interface Summary {
  scene: string;
  status: RunStatus;
  /** Simulated time at the end, s. */
  time: number;
  steps: number;
  /** s. */
  wallTime: number;
  stepsPerSecond: number;
  /** Simulated seconds per second of wall time. */
  realTimeFactor: number;
  energy: {
    start: Energy;
    end: Energy;
    /** Change of the total, J. */
    drift: number;
  };
  unconvergedSteps: number;
  iterations: number;
  worstResidual: number;
  /** Hash of the final state; the same on every machine. */
  finalHash: string;
  /** What is not finite, where the run diverged. */
  nonFinite: RunOutcome['nonFinite'] | null;
  /** Physics of the scene that this version does not resolve. */
  unresolved: readonly string[];
  /** What the file holds that the scene does not. */
  unsupported: readonly UnsupportedItem[];
}

export function createSummary(
  simulation: Simulation,
  run: { outcome: RunOutcome; startTime: number; startEnergy: Energy; unsupported: readonly UnsupportedItem[] },
): Summary {
  const { outcome } = run;
  const end = simulation.energy();
  const rate = (amount: number): number => (outcome.wallTime > 0 ? amount / outcome.wallTime : 0);
  return {
    scene: simulation.model.name,
    status: outcome.status,
    time: simulation.time,
    steps: outcome.steps,
    wallTime: outcome.wallTime,
    stepsPerSecond: rate(outcome.steps),
    realTimeFactor: rate(simulation.time - run.startTime),
    energy: { start: run.startEnergy, end, drift: end.total - run.startEnergy.total },
    unconvergedSteps: outcome.unconvergedSteps,
    iterations: outcome.iterations,
    worstResidual: outcome.worstResidual,
    finalHash: simulation.hash(),
    nonFinite: outcome.nonFinite ?? null,
    unresolved: simulation.unresolved,
    unsupported: run.unsupported,
  };
}

/** The summary for people. */
export function formatSummary(summary: Summary): string {
  const { energy } = summary;
  const rows: [string, string][] = [
    ['scene', summary.scene || '(unnamed)'],
    ['status', summary.status],
    ['time', `${formatNumber(summary.time)} s in ${summary.steps} steps`],
    ['speed', `${formatNumber(summary.stepsPerSecond)} steps/s, ${formatNumber(summary.realTimeFactor)} x real time`],
    ['energy', `${formatNumber(energy.start.total)} J -> ${formatNumber(energy.end.total)} J`],
    ['drift', `${formatNumber(energy.drift)} J`],
    ['hash', summary.finalHash],
  ];
  return rows.map(([name, value]) => `${name.padEnd(8)}${value}\n`).join('');
}

/** Six digits, without trailing zeros. */
export function formatNumber(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);
}
