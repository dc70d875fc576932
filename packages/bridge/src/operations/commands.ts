/** Commands of the command line, with what they print. */
import { type CommandIo, runCommandLine } from '@nexdyn/cli';
import type { Operation } from './operations.ts';

/** Runs a command; its exit code and its output. */
async function runCommand(_: unknown, { args }: { args: string[] }): Promise<object> {
  const text = { data: '', messages: '' };
  const io: CommandIo = {
    writeData: (part) => {
      text.data += part;
    },
    writeMessage: (part) => {
      text.messages += part;
    },
    redrawLine: () => {},
    isTerminal: false,
    isDataTerminal: false,
    columns: 120,
  };
  return { exitCode: await runCommandLine(args, io), ...text };
}

export const COMMAND_OPERATIONS: Readonly<Record<string, Operation>> = { command: runCommand };
