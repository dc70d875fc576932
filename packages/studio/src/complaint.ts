import type { Problem } from './session/protocol.ts';

/** What an error says, without the name of its class: it may have come from a worker, which sends only text. */
export function describeError(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/^(?:Uncaught )?(?:\w*Error: )+/, '');
}

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

/** The sentence of a problem: some reasons, such as 'must be above 0', speak of the field that their path names. */
export function sayProblem({ path, reason }: Pick<Problem, 'path' | 'reason'>): string {
  return path !== undefined && /^(?:has|is|must|needs) /.test(reason) ? `${path} ${reason}` : reason;
}
