import type { Status } from '../session/solve-frame.ts';

/** How a solve ended, in words. */
export const STATUS_WORDS: Readonly<Record<Status, { label: string; title: string }>> = {
  converged: { label: 'converged', title: 'The last step reached its tolerance' },
  'iteration-limit': {
    label: 'iteration limit',
    title: 'The last step reached the iteration limit; it was still taken',
  },
  stalled: { label: 'stalled', title: 'The last step could not make progress; it was still taken' },
  diverged: { label: 'diverged', title: 'The numbers of the last step were not finite; it was not taken' },
};
