import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { type BuiltInFormulationId, NexdynError } from '@nexdyn/engine';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { parseFormulations } from '../option-values.ts';
import { reportLeftovers } from '../output/leftovers.ts';
import { checkOutputFile, type OutputFileOptions, writeOutputFile } from '../output/output-file.ts';
import type { CommandResult } from '../program.ts';
import { createProgress } from '../progress.ts';
import { listClaims, selectCases } from '../validate/case-list.ts';
import { formatDerivatives } from '../validate/derivatives/derivative-table.ts';
import { formatElasticTable } from '../validate/elastic/elastic-table.ts';
import { formatFrictionCones } from '../validate/friction-cones.ts';
import { formatRateTable } from '../validate/game-rates/rate-table.ts';
import { formatIntegrators } from '../validate/integrator-table.ts';
import { formatJointGaps } from '../validate/joint-gap.ts';
import { judge, type ValidationCase, type Verdict } from '../validate/validation-case.ts';
import { formatValidationPage, formatVerdicts, summarizeVerdicts } from '../validate/validation-table.ts';

interface ValidateOptions {
  case?: string;
  formulations?: BuiltInFormulationId[];
  list?: boolean;
  quick?: boolean;
  json?: boolean;
  write?: string;
  quiet?: boolean;
}

/** A page may replace an earlier one. */
const PAGE: OutputFileOptions = { option: '--write', mark: /^# Validation\n/ };

export function addValidateCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('validate')
    .summary('Compare formulations with known values: closed forms, each other, and other programs.')
    .description(
      'Compare formulations with known values: closed forms, each other, and other programs. Prints a table of value, expected, tolerance and verdict. ' +
        'Exit codes: 0 all pass, 3 something fails (the table is printed).',
    )
    .option('--case <pattern>', 'only cases whose name or group matches; * matches anything, as in slope-*')
    .option('--formulations <names>', 'only these, separated by commas (default: all)', parseFormulations)
    .option('--list', 'list the cases and run nothing')
    .option('--quick', 'only the quick cases')
    .option('--json', 'print one JSON object per line: case, formulation, value, expected, tolerance, pass')
    .option('--write <file>', 'also write the page with all formulas and sources as Markdown')
    .option('--quiet', 'no progress')
    .action(async (options: ValidateOptions) => {
      result.exitCode = await validate(options, io);
    });
}

async function validate(options: ValidateOptions, io: CommandIo): Promise<ExitCode> {
  const cases = selectCases(options.case).filter(({ isQuick }) => isQuick || !options.quick);
  if (options.list) {
    for (const one of cases) io.writeData(formatListed(one, options));
    return EXIT.ok;
  }
  if (options.write !== undefined) {
    reportLeftovers(options.write, io);
    checkOutputFile(options.write, PAGE);
  }
  if (!cases.some((one) => listClaims(one, options.formulations).length > 0)) {
    throw new NexdynError('invalid-argument', 'there is nothing to run: no case is claimed by these formulations', {
      hint: 'nexdyn validate --list prints which formulations claim a case',
    });
  }
  // what cannot run here is named, not counted
  const skipped = new Set<string>();
  const jobs = cases.flatMap((one) => {
    const reason = one.isMissing?.();
    if (reason) skipped.add(`${one.name} (${reason})`);
    return reason ? [] : listClaims(one, options.formulations).map((formulation) => ({ one, formulation }));
  });
  for (const note of skipped) io.writeMessage(`not run: ${note}\n`);

  const progress = createProgress(io, options.quiet === true);
  const interrupt = listenForInterrupt();
  const verdicts: Verdict[] = [];
  for (const [k, { one, formulation }] of jobs.entries()) {
    progress.update(k / jobs.length, `${one.name} under ${formulation}`);
    await yieldToEvents();
    if (interrupt.signal.aborted) break;
    const verdict = judge(one, formulation);
    verdicts.push(verdict);
    if (options.json) io.writeData(`${JSON.stringify(verdict)}\n`);
  }
  interrupt.stop();
  progress.finish();
  if (!options.json) io.writeData(formatVerdicts(verdicts));
  const isCut = interrupt.signal.aborted;
  io.writeMessage(
    `${isCut ? `interrupted after ${verdicts.length} of ${jobs.length}: ` : ''}${summarizeVerdicts(verdicts)}\n`,
  );
  if (isCut) return EXIT.interrupted;
  if (options.write !== undefined) {
    // tables that are measured apart from the cases belong to the page of all of them
    const isWhole = options.case === undefined;
    const measured = isWhole ? [formatElasticTable, formatJointGaps, formatFrictionCones, formatIntegrators] : [];
    const tables = [
      isWhole ? formatDerivatives() : '',
      formatRateTable(verdicts),
      ...measured.map((format) => format()),
    ].filter(Boolean);
    writeOutputFile(options.write, formatValidationPage(cases, verdicts, [...skipped], tables), PAGE);
  }
  return verdicts.every(({ pass }) => pass) ? EXIT.ok : EXIT.notConverged;
}

function formatListed({ name, group, title, unit, formulations }: ValidationCase, { json }: ValidateOptions): string {
  if (json) return `${JSON.stringify({ case: name, group, title, unit, formulations })}\n`;
  return `${name.padEnd(26)}${formulations.join(',').padEnd(22)}${title}\n`;
}
