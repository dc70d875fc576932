import { NexdynError } from '@nexdyn/engine';
import type { Excerpt, Problem, SceneFiles } from './protocol.ts';

/** Characters shown before and after the place. */
const BEFORE = 40;
const AFTER = 32;

const LEFT_BEHIND =
  'Drop the whole folder of the model, or a zip file of it, so that the files it refers to come along.';

/** An error in the words of the page, with the line of the file it points at. */
export function describeProblem(error: unknown, files: SceneFiles): Problem {
  if (error instanceof NexdynError) {
    const { code, reason, file, line, column, path } = error;
    // a page sees only what it was given: what is missing was left behind
    const hint = code === 'file-not-found' ? LEFT_BEHIND : error.hint;
    return { code, reason, file, line, column, path, hint, excerpt: excerptLine(files, file, line, column) };
  }
  return {
    code: 'unexpected',
    reason: error instanceof Error ? error.message : String(error),
    file: undefined,
    line: undefined,
    column: undefined,
    path: undefined,
    hint: 'This is a bug in NexDyn, not a fault of the file.',
    excerpt: undefined,
  };
}

function excerptLine(
  files: SceneFiles,
  file: string | undefined,
  line: number | undefined,
  column: number | undefined,
): Excerpt | undefined {
  if (file === undefined || line === undefined || !Object.hasOwn(files, file)) return undefined;
  const content = files[file]!;
  const all = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const full = all.split(/\r\n|\r|\n/, line)[line - 1];
  if (full === undefined) return undefined;

  // cut the indentation, then what is far from the place
  const place = column === undefined ? 0 : Math.min(column - 1, full.length);
  const indent = Math.min(full.length - full.trimStart().length, place);
  const start = Math.max(place - BEFORE, indent);
  const end = Math.min(full.length, place + AFTER);
  const lead = start > indent ? '…' : '';
  const text = `${lead}${full.slice(start, end)}${end < full.length ? '…' : ''}`.replaceAll('\t', ' ');
  return { text, caret: column === undefined ? undefined : lead.length + place - start };
}
