import { runCommandLine } from '../command-line.ts';
import type { ExitCode } from '../exit-code.ts';

/** The result of a command: exit code, stdout and stderr. */
export interface CapturedRun {
  status: ExitCode;
  data: string;
  messages: string;
}

/** Runs the command line without a terminal and captures its output. */
export async function captureRun(...args: string[]): Promise<CapturedRun> {
  const [data, messages]: [string[], string[]] = [[], []];
  const status = await runCommandLine(args, {
    writeData: (text) => data.push(text),
    writeMessage: (text) => messages.push(text),
    redrawLine: (text) => messages.push(text),
    isTerminal: false,
    isDataTerminal: false,
    columns: 100,
  });
  return { status, data: data.join(''), messages: messages.join('') };
}
