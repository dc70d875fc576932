import type { Problem } from './session/protocol.ts';

/** A problem that the page itself found. */
export function describeComplaint(code: string, reason: string, hint: string | undefined): Problem {
  return {
    code,
    reason,
    hint,
    file: undefined,
    line: undefined,
    column: undefined,
    path: undefined,
    excerpt: undefined,
  };
}
