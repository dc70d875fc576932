import type { Simulation } from '@nexdyn/engine';

/** The contacts of one step, in three numbers. */
export interface ContactTally {
  /** Contact points, near ones included. */
  count: number;
  /** How deep the deepest is, m; 0 where none penetrates. */
  penetration: number;
  /** Sum of the normal forces, N. */
  normalForce: number;
}

/** The part of a simulation that is counted. */
export type Touching = Pick<Simulation, 'formulation' | 'solvedContacts'>;

/** Counts the contacts of the last step, where they were before it, into `tally`; none where the formulation leaves them out. */
export function tallyContacts({ formulation, solvedContacts }: Touching, tally: ContactTally): ContactTally {
  tally.count = 0;
  tally.penetration = 0;
  tally.normalForce = 0;
  if (!formulation.usesContacts) return tally;
  const { count, gap, force } = solvedContacts;
  tally.count = count;
  for (let i = 0; i < count; i++) {
    tally.penetration = Math.max(tally.penetration, -gap[i]!);
    tally.normalForce += force[6 * i]!;
  }
  return tally;
}

/** No contacts. */
export function createTally(): ContactTally {
  return { count: 0, penetration: 0, normalForce: 0 };
}
