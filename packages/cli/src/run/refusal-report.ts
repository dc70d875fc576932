import type { StepReport } from '@nexdyn/engine';
import { formatNumber } from './summary.ts';

/** Why a step was not taken: what the report says of it. */
export type Refusal = Partial<Pick<StepReport, 'nonFinite' | 'energyGain' | 'timeout'>>;

/** What can be done about a motion that gains energy. */
export const UNSTABLE_HINT = 'a smaller time step, integrator semiImplicit or more damping';
/** What can be done about a step that takes too long. */
export const TIMEOUT_HINT = 'a longer --max-step-time, a looser tolerance or a simpler scene';

/** Why a step was not taken, and when, s: `the acceleration of 'knee' is not finite at 1.25 s`. */
export function describeRefusal({ nonFinite, energyGain, timeout }: Refusal, time: number): string {
  const at = `at ${formatNumber(time)} s`;
  if (timeout) {
    return `the step ${at} was given up after ${formatNumber(timeout.elapsed)} s (${timeout.activity}); try ${TIMEOUT_HINT}`;
  }
  if (energyGain) {
    const { name, created, reference } = energyGain;
    const amounts = `${formatShort(created)} J appeared where ${formatShort(reference)} J can be explained`;
    return `energy without a cause in '${name}' ${at}: ${amounts}; try ${UNSTABLE_HINT}`;
  }
  if (!nonFinite) return `numbers are not finite ${at}`;
  const { quantity, name, index } = nonFinite;
  return `the ${quantity} of ${name ? `'${name}'` : `number ${index}`} is not finite ${at}`;
}

function formatShort(value: number): string {
  return String(Number(value.toPrecision(3)));
}
