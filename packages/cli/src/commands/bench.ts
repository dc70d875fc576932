import type { Command } from 'commander';
import { type BenchOutcome, benchScene, selectScenes } from '../bench/bench.ts';
import { addGrowth, type BenchRow } from '../bench/bench-row.ts';
import { BENCH_SCENES } from '../bench/bench-scene.ts';
import { formatPage, formatTable } from '../bench/bench-table.ts';
import { loadMujoco } from '../bench/mujoco-contender.ts';
import { timePythonDoor } from '../bench/python-door.ts';
import { RACE } from '../bench/race.ts';
import type { CommandIo } from '../command-io.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { reportLeftovers } from '../output/leftovers.ts';
import { checkOutputFile, type OutputFileOptions, writeOutputFile } from '../output/output-file.ts';
import type { CommandResult } from '../program.ts';
import { describeMachine } from '../run/manifest.ts';

interface BenchOptions {
  json?: boolean;
  list?: boolean;
  processorTime?: boolean;
  quick?: boolean;
  quiet?: boolean;
  write?: string;
}

/** A page may replace an earlier one. */
const PAGE: OutputFileOptions = { option: '--write', mark: /^# Benchmark results\n/ };

export function addBenchCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('bench')
    .description('Time NexDyn against MuJoCo (WebAssembly) on the same scenes, interleaved in one process.')
    .argument('[names...]', 'scenes to run (default: all)')
    .option('--list', 'list the scenes and run nothing')
    .option('--quick', 'shorter and less accurate')
    .option('--processor-time', 'take processor time, where other programs run on the machine')
    .option('--json', 'print one JSON object per scene and line')
    .option('--write <file>', 'also write the table as Markdown')
    .option('--quiet', 'no progress')
    .action(async (names: string[], options: BenchOptions) => {
      result.exitCode = await runBench(names, options, io);
    });
}

async function runBench(names: string[], options: BenchOptions, io: CommandIo): Promise<ExitCode> {
  const scenes = selectScenes(names, BENCH_SCENES);
  if (options.list) {
    for (const { name, description } of scenes) {
      io.writeData(options.json ? `${JSON.stringify({ name, description })}\n` : `${name.padEnd(20)}${description}\n`);
    }
    return EXIT.ok;
  }
  if (options.write !== undefined) {
    reportLeftovers(options.write, io);
    checkOutputFile(options.write, PAGE);
  }
  const race = { ...(options.quick ? RACE.quick : RACE.full), isProcessorTime: options.processorTime === true };
  const mujoco = await loadMujoco();
  const rows: BenchRow[] = [];
  let exitCode: ExitCode = EXIT.ok;
  for (const [index, scene] of scenes.entries()) {
    if (!options.quiet) io.writeMessage(`${index + 1} of ${scenes.length}: ${scene.name} ...\n`);
    const outcome = tryScene(() => benchScene(scene, mujoco, race));
    if ('row' in outcome) {
      const row = addGrowth(outcome.row, rows);
      rows.push(row);
      if (options.json) io.writeData(`${JSON.stringify(row)}\n`);
    } else if ('skipped' in outcome) {
      io.writeMessage(`${scene.name} skipped: ${outcome.skipped}\n`);
    } else {
      io.writeMessage(`${scene.name} failed: ${outcome.failure}\n`);
      exitCode = EXIT.notConverged;
    }
  }
  if (!options.json) io.writeData(formatTable(rows));
  if (names.length === 0) {
    const door = timePythonDoor(options.quick === true, options.json === true);
    if ('text' in door) io.writeData(options.json ? door.text : `\nFrom Python:\n\n${door.text}`);
    else io.writeMessage(`the Python package is not timed: ${door.missing}\n`);
  }
  if (options.write !== undefined)
    writeOutputFile(options.write, formatPage(rows, describeMachine(), process.versions.node), PAGE);
  return exitCode;
}

/** One scene that breaks does not cost the others their times. */
function tryScene(run: () => BenchOutcome): BenchOutcome {
  try {
    return run();
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
