import { NexdynError } from '@nexdyn/engine';
import { escapeControls, escapeName } from './terminal-text.ts';

/** An error as a program reads it. */
export interface ErrorRecord {
  code: string;
  reason: string;
  file?: string;
  line?: number;
  column?: number;
  path?: string;
  hint?: string;
}

/** The fields of an error that are known. */
export function describeError(error: unknown): ErrorRecord {
  if (!(error instanceof NexdynError)) {
    return { code: 'internal', reason: error instanceof Error ? error.message : String(error) };
  }
  const { code, reason, file, line, column, path, hint } = error;
  return {
    code,
    reason,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(path !== undefined && { path }),
    ...(hint !== undefined && { hint }),
  };
}

/** `error[code] file:line:column path: reason`, and the hint on its own line. */
export function formatError(error: unknown): string {
  const { code, reason, file, line, column, path, hint } = describeError(error);
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const where = [place, path].filter((part) => part).join(' ');
  const lines = [escapeName(`error[${code}] ${where ? `${where}: ` : ''}${reason}`)];
  if (hint) lines.push(escapeName(`hint: ${hint}`));
  // a defect is only found with the place in the code where it showed
  if (code === 'internal' && error instanceof Error && error.stack) lines.push(error.stack);
  return escapeControls(`${lines.join('\n')}\n`);
}
