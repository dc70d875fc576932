/** How a report says that a step was not taken, and why. Each returns false, which is what a step returns that was not taken. */
import type { EnergyGain, NonFinite, StepReport } from './formulation/formulation.ts';
import type { StepTimeoutError } from './step-deadline.ts';

/** Nothing failed so far. */
export function clearRefusal(report: StepReport): void {
  report.nonFinite = undefined;
  report.energyGain = undefined;
  report.timeout = undefined;
  report.contradiction = undefined;
}

export function reportDivergence(report: StepReport, nonFinite: NonFinite | undefined): false {
  report.status = 'diverged';
  report.nonFinite = nonFinite;
  return false;
}

export function reportGain(report: StepReport, gain: EnergyGain): false {
  report.status = 'unstable';
  report.energyGain = gain;
  return false;
}

export function reportTimeout(report: StepReport, { activity, elapsed }: StepTimeoutError): false {
  report.status = 'timed-out';
  report.timeout = { activity, elapsed };
  return false;
}
