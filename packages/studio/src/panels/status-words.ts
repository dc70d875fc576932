import type { Status } from '../session/solve-frame.ts';

/** How a solve ended, in words. */
export const STATUS_WORDS: Readonly<Record<Status, { label: string; title: string }>> = {
  converged: { label: 'converged', title: 'The last step reached its tolerance' },
  'iteration-limit': {
    label: 'iteration limit',
    title: 'The last step reached the iteration limit; it was still accepted',
  },
  stalled: { label: 'stalled', title: 'The last step could not make progress; it was still accepted' },
  infeasible: {
    label: 'infeasible',
    title: 'Constraints of the last step contradict each other; it was still accepted',
  },
  unstable: { label: 'unstable', title: 'The last step created energy from nowhere; it was rejected' },
  'timed-out': { label: 'timed out', title: 'The last step took longer than allowed; it was rejected' },
  diverged: { label: 'diverged', title: 'The numbers of the last step were not finite; it was rejected' },
};
