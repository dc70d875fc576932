import { NexdynError } from '@nexdyn/engine';
import { CommanderError } from 'commander';
import { type CommandIo, createProcessIo } from './command-io.ts';
import { describeError, formatError } from './error-report.ts';
import { EXIT, type ExitCode, findExitCode } from './exit-code.ts';
import { loadExtensions } from './extensions.ts';
import { createProgram } from './program.ts';
import { suggestWord } from './spelling.ts';
import { protectTerminal } from './terminal-text.ts';

/** Runs one command and returns the exit code of the process. */
export async function runCommandLine(
  args: readonly string[],
  streams: CommandIo = createProcessIo(),
): Promise<ExitCode> {
  const io = protectTerminal(streams);
  try {
    await loadExtensions(args);
    const { program, result } = createProgram(io);
    await program.parseAsync(args, { from: 'user' });
    return result.exitCode;
  } catch (error) {
    // help and version end the parser by an error that is none
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    const failure = error instanceof CommanderError ? toUsageError(error, args) : error;
    io.writeMessage(formatError(failure));
    if (args.includes('--json')) io.writeData(`${JSON.stringify({ error: describeError(failure) })}\n`);
    return findExitCode(failure);
  }
}

/** The parser's complaint as the one error of the project. */
function toUsageError(error: CommanderError, args: readonly string[]): NexdynError {
  const [reason = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  // commander shows the help by itself when no command is given
  if (error.code === 'commander.help')
    return new NexdynError('invalid-argument', 'no command given', { hint: 'see nexdyn --help' });
  const command = args.find((argument) => !argument.startsWith('-'));
  const help = `nexdyn ${command && error.code !== 'commander.unknownCommand' ? `${command} ` : ''}--help`;
  const choice = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(reason);
  const meant = choice ? suggestWord(choice[1]!, choice[2]!.split(', ')) : suggestion?.replace(/^\(|\)$/g, '');
  // a formulation may also be one that a module adds
  const extension = /^option '--formulations? /.test(reason) ? '; or load the module that adds it: --import FILE' : '';
  return new NexdynError('invalid-argument', reason, { hint: meant ?? `see ${help}${extension}` });
}
