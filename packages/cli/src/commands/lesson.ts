import type { FormulationId, Lesson } from '@nexdyn/engine';
import type { ReadLimits } from '@nexdyn/formats';
import { type Command, Option } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { checkLesson, type LessonRun } from '../lesson/lesson-check.ts';
import { formatMarkdownTable } from '../markdown-table.ts';
import { createLimitOption, parseFormulations } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { formatNumber } from '../run/summary.ts';
import { loadSceneFile } from '../scene-file.ts';
import { escapeName } from '../terminal-text.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface LessonOptions {
  formulations?: FormulationId[];
  limit?: Partial<ReadLimits>;
  json?: boolean;
}

export function addLessonCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('lesson')
    .summary('Check a lesson: run it and compare it with its closed form.')
    .description(
      'Check the lesson of a scene. Its paths and formulas must be valid, it must run, and under each formulation it names, the measurement must stay within the stated bound of the closed form, for every slider setting it lists. Formulations shown without a bound are listed, too. Exit codes: 0 all within bounds, 2 bad file, 4 a step failed, 5 a bound was exceeded.',
    )
    .argument('<file>', 'JSON file with a lesson, or the name of one that comes with NexDyn')
    .addOption(
      new Option('--formulations <names>', 'only these, separated by commas (default: all of the lesson)').argParser(
        parseFormulations,
      ),
    )
    .addOption(createLimitOption())
    .option('--json', 'print one JSON object')
    .action((file: string, options: LessonOptions) => {
      result.exitCode = showLesson(file, options, io);
    });
}

function showLesson(argument: string, options: LessonOptions, io: CommandIo): ExitCode {
  const { file, scene, unsupported } = loadSceneFile(argument, options);
  reportUnsupported(unsupported, io);
  const runs = [...checkLesson(file, scene, options.formulations)];
  const lesson = scene.lesson!;
  io.writeData(
    options.json
      ? `${JSON.stringify({ title: lesson.title, unit: lesson.measure.unit ?? '', runs })}\n`
      : `${escapeName(lesson.title)}\n\n${formatRuns(runs, lesson)}`,
  );
  if (runs.some(({ verdict }) => verdict === 'refused')) return EXIT.diverged;
  return runs.some(({ verdict }) => verdict === 'fail') ? EXIT.different : EXIT.ok;
}

/** A row per run. */
function formatRuns(runs: readonly LessonRun[], lesson: Lesson): string {
  const { sliders, measure } = lesson;
  const unit = measure.unit ? `, ${measure.unit}` : '';
  const headings = [
    ...sliders.map(({ label, unit: own }) => (own ? `${label}, ${own}` : label)),
    'formulation',
    `${measure.label} at the end${unit}`,
    'closed form',
    'largest difference',
    'bound',
    'verdict',
  ];
  const show = (value: number): string => (Number.isNaN(value) ? '' : formatNumber(value));
  const rows = runs.map((run) => [
    ...run.values.map((value, i) => sliders[i]!.choices?.[value] ?? String(value)),
    run.formulation,
    show(run.measured),
    show(run.expected),
    show(run.difference),
    show(run.bound),
    run.unconverged > 0 ? `${run.verdict}, ${run.unconverged} of ${run.steps} steps not converged` : run.verdict,
  ]);
  return formatMarkdownTable(headings, rows);
}
