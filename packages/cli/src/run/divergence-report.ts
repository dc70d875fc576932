import type { NonFinite } from '@nexdyn/engine';
import { formatNumber } from './summary.ts';

/** What stopped being a number, and when, s: `the acceleration of 'knee' is not finite at 1.25 s`. */
export function describeDivergence(nonFinite: NonFinite | undefined, time: number): string {
  const at = `at ${formatNumber(time)} s`;
  if (!nonFinite) return `numbers are not finite ${at}`;
  const { quantity, name, index } = nonFinite;
  return `the ${quantity} of ${name ? `'${name}'` : `number ${index}`} is not finite ${at}`;
}
