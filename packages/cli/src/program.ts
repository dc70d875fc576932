import { Command } from 'commander';
import type { CommandIo } from './command-io.ts';
import { addAgreeCommand } from './commands/agree.ts';
import { addBenchCommand } from './commands/bench.ts';
import { addCleanCommand } from './commands/clean.ts';
import { addCompareCommand } from './commands/compare.ts';
import { addConvertCommand } from './commands/convert.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addFitCommand } from './commands/fit.ts';
import { addInspectCommand } from './commands/inspect.ts';
import { addLessonCommand } from './commands/lesson.ts';
import { addLinearizeCommand } from './commands/linearize.ts';
import { addRenderCommand } from './commands/render.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addRunCommand } from './commands/run.ts';
import { addSiteCommand } from './commands/site.ts';
import { addSolveCommand } from './commands/solve.ts';
import { addStudioCommand } from './commands/studio.ts';
import { addSweepCommand } from './commands/sweep.ts';
import { addValidateCommand } from './commands/validate.ts';
import { addWorkerCommand } from './commands/worker.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { VERSION } from './version.ts';

/** What a command leaves behind besides its output. */
export interface CommandResult {
  exitCode: ExitCode;
}

const EXIT_CODES = `
Exit codes: 0 ok, 1 invalid usage, 2 bad file or scene, 3 not converged, 4 diverged, unstable or timed out, 5 different, 130 interrupted.
Data goes to stdout, messages and progress to stderr.`;

/** The parser with all commands; commands write to \`io\` and set the exit code in \`result\`. */
export function createProgram(io: CommandIo): { program: Command; result: CommandResult } {
  const result: CommandResult = { exitCode: EXIT.ok };
  const program = new Command('nexdyn')
    .description(
      'Simulate rigid, articulated and soft bodies in contact, from MJCF, URDF or JSON files, under four contact formulations.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    // options after a command are the command's
    .enablePositionalOptions()
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => io.writeData(text),
      writeErr: (text) => io.writeMessage(text),
      // errors are printed in one place, by the caller
      outputError: () => {},
      getOutHelpWidth: () => 110,
      getErrHelpWidth: () => 110,
    })
    .exitOverride();
  for (const add of [
    addRunCommand,
    addCompareCommand,
    addExplainCommand,
    addSweepCommand,
    addWorkerCommand,
    addValidateCommand,
    addLessonCommand,
    addReplayCommand,
    addRenderCommand,
    addInspectCommand,
    addAgreeCommand,
    addConvertCommand,
    addSolveCommand,
    addLinearizeCommand,
    addFitCommand,
    addBenchCommand,
    addStudioCommand,
    addSiteCommand,
    addCleanCommand,
  ]) {
    add(program, io, result);
  }
  return { program, result };
}
