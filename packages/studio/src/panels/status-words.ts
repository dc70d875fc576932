import type { Status } from '../session/solve-frame.ts';

/** How a solve ended, in words. */
export const STATUS_WORDS: Readonly<Record<Status, { label: string; title: string }>> = {
  converged: { label: 'converged', title: 'The last step met its tolerance' },
  'iteration-limit': {
    label: 'iteration limit',
    title: 'The last step ran out of iterations; it was taken all the same',
  },
  stalled: { label: 'stalled', title: 'The last step found no way to go on; it was taken all the same' },
  diverged: { label: 'diverged', title: 'The numbers of the last step were not finite; it was not taken' },
};
