import { runCommandLine } from '../command-line.ts';
import type { ExitCode } from '../exit-code.ts';

/** What a command did: its exit code, what it printed as data, and what it said. */
export interface CapturedRun {
  status: ExitCode;
  data: string;
  messages: string;
}

/** Runs the command line as if no terminal were there, and keeps what it prints. */
export async function captureRun(...args: string[]): Promise<CapturedRun> {
  const [data, messages]: [string[], string[]] = [[], []];
  const status = await runCommandLine(args, {
    writeData: (text) => data.push(text),
    writeMessage: (text) => messages.push(text),
    isTerminal: false,
    isDataTerminal: false,
    columns: 100,
  });
  return { status, data: data.join(''), messages: messages.join('') };
}
