import type { BenchScene } from './bench-scene.ts';
import type { Contender } from './contender.ts';

/** Steps compared before a race of smooth motion, and of one with contacts, whose bifurcations part any two runs in time. */
const STEPS = 100;
const CONTACT_STEPS = 5;
/** Largest difference of two double-precision runs of the same equations over this many steps, m or rad. */
const TOLERANCE = 1e-8;
/** The same where an iterative solver stops at its default tolerance: Newton leaves 4e-6, CG 1e-5 to 1e-4. */
const CONTACT_TOLERANCE = { newton: 1e-5, cg: 1e-4 };

/** Whether two engines do the same physics. */
export interface Agreement {
  /** Largest difference of a joint position, m or rad. */
  difference: number;
  agrees: boolean;
}

/** Runs both from the same state and compares where they end. */
export function compareMotion(ours: Contender, peer: Contender, { task, solver }: BenchScene): Agreement {
  for (const contender of [ours, peer]) {
    contender.rewind();
    contender.advance(task !== 'step' ? 1 : solver ? CONTACT_STEPS : STEPS);
  }
  const difference = findLargestDifference(ours.readResult(), peer.readResult());
  return { difference, agrees: difference <= (solver ? CONTACT_TOLERANCE[solver] : TOLERANCE) };
}

/** Largest |aᵢ − bᵢ|; infinite where lengths differ or a number is not finite. */
export function findLargestDifference(a: Float64Array, b: Float64Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i]! - b[i]!);
    if (!Number.isFinite(difference)) return Number.POSITIVE_INFINITY;
    largest = Math.max(largest, difference);
  }
  return largest;
}
