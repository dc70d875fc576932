import { NexdynError } from '@nexdyn/engine';
import { formatError } from './error-report.ts';
import { EXIT } from './exit-code.ts';

/** Where a command writes: data to stdout, everything said to a person to stderr. */
export interface CommandIo {
  /** Writes data. */
  writeData(text: string): void;
  /** Writes a message. */
  writeMessage(text: string): void;
  /** Writes a line of messages in the place of the one before; an empty one removes it. */
  redrawLine(text: string): void;
  /** Whether messages go to a terminal that can redraw a line. */
  readonly isTerminal: boolean;
  /** Whether data goes to a terminal. */
  readonly isDataTerminal: boolean;
  /** Width of the terminal, in characters. */
  readonly columns: number;
}

// usually a full disk
function formatWriteFailure({ code, message }: NodeJS.ErrnoException): string {
  const reason = `what goes to stdout cannot be written (${code ?? message})`;
  return formatError(new NexdynError('invalid-argument', reason, { hint: 'check free space and permissions' }));
}

/** The streams of this process. */
export function createProcessIo(): CommandIo {
  // a reader that closes the pipe early, as `head` does, is no failure
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(formatWriteFailure(error));
    process.exit(EXIT.usage);
  });
  return {
    writeData: (text) => void process.stdout.write(text),
    writeMessage: (text) => void process.stderr.write(text),
    redrawLine: (text) => void process.stderr.write(`\r\u001b[K${text}`),
    isTerminal: process.stderr.isTTY === true,
    isDataTerminal: process.stdout.isTTY === true,
    // some terminals say 0
    columns: process.stderr.columns || 80,
  };
}
