/** The scenes at game rates as one table: the error of each formulation beside that of the best JavaScript engine. */
import { formatMarkdownTable } from '../../markdown-table.ts';
import { RATE_CASES, RATES } from '../cases/game-rates.ts';
import { ALL, type Verdict } from '../validation-case.ts';
import { formatValue } from '../validation-table.ts';

/** A section of the validation page; empty where none of the cases was run. */
export function formatRateTable(verdicts: readonly Verdict[]): string {
  const rows = RATE_CASES.flatMap(({ name, unit, best }) =>
    RATES.map((rate) => {
      const errors = ALL.map((formulation) => {
        const found = verdicts.find((one) => one.case === `${name}-${rate}` && one.formulation === formulation);
        return found ? formatValue(Math.abs(found.value - found.expected)) : '';
      });
      return [name, `1/${rate} s`, ...errors, formatValue(best[rate]), unit];
    }),
  ).filter((row) => row.slice(2, 6).some((cell) => cell !== ''));
  if (rows.length === 0) return '';
  const headings = ['scene', 'step', ...ALL, 'best JavaScript engine', 'unit'];
  const table = formatMarkdownTable(headings, rows, (column) => column >= 2 && column <= 6);
  return `## Errors at game rates, beside the best JavaScript engine

Errors with default options. The last column is the smallest error of Rapier, Jolt, Havok, PhysX, Ammo, crashcat and cannon at their
defaults, measured on the same scenes; at 1/240 s with raised iterations. A scene that none of them survives has the size of the failure.
Where a formulation has a larger error, the case of the same name above gives its formula.

${table}`;
}
