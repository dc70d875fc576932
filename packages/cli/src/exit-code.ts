import { NexdynError } from '@nexdyn/engine';

/** What the process tells its caller. */
export const EXIT = {
  ok: 0,
  /** The command was called wrongly, or its output could not be written. */
  usage: 1,
  /** The file or the scene in it is bad. */
  badScene: 2,
  /** A step ended without meeting its tolerance. */
  notConverged: 3,
  /** A step could not be taken: numbers were not finite, energy appeared without a cause, its time was up, or a thread was lost. */
  diverged: 4,
  /** A run was repeated and came out differently. */
  different: 5,
  /** A defect of NexDyn itself. */
  internal: 70,
  /** Stopped by ctrl-C; what existed was written. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of an error that ended a command. */
export function findExitCode(error: unknown): ExitCode {
  if (!(error instanceof NexdynError)) return EXIT.internal;
  if (error.code === 'thread-lost') return EXIT.diverged;
  const isUsage = ['invalid-argument', 'incompatible-snapshot', 'connection-failed'].includes(error.code);
  return isUsage ? EXIT.usage : EXIT.badScene;
}
