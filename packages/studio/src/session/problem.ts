import { NexdynError } from '@nexdyn/engine';
import type { Problem, SceneFiles } from './protocol.ts';

const LONGEST_EXCERPT = 160;

/** An error in the words of the page, with the line of the file it points at. */
export function describeProblem(error: unknown, files: SceneFiles): Problem {
  if (error instanceof NexdynError) {
    const { code, reason, file, line, column, path, hint } = error;
    return { code, reason, file, line, column, path, hint, excerpt: excerptLine(files, file, line) };
  }
  return {
    code: 'unexpected',
    reason: error instanceof Error ? error.message : String(error),
    file: undefined,
    line: undefined,
    column: undefined,
    path: undefined,
    hint: 'This is a fault of NexDyn, not of the file.',
    excerpt: undefined,
  };
}

function excerptLine(files: SceneFiles, file: string | undefined, line: number | undefined): string | undefined {
  if (file === undefined || line === undefined || !Object.hasOwn(files, file)) return undefined;
  const content = files[file]!;
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return text.split(/\r\n|\r|\n/, line)[line - 1]?.slice(0, LONGEST_EXCERPT);
}
