import { formatCount } from '../counted-noun.ts';
import { formatMarkdownTable } from '../markdown-table.ts';
import { ANALYTIC, CASES } from './case-list.ts';
import { ALL, type ValidationCase, type Verdict } from './validation-case.ts';

const HEADINGS = ['case', 'formulation', 'value', 'expected', 'tolerance', 'unit', 'used', 'verdict'];

/** Five digits; powers of ten where they are shorter. */
export function formatValue(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) return String(Number(value.toPrecision(5)));
  return value.toExponential(2).replace('e+', 'e');
}

/** One row per verdict. */
export function formatVerdicts(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((verdict) => [
    verdict.case,
    verdict.formulation,
    formatValue(verdict.value),
    formatValue(verdict.expected),
    formatValue(verdict.tolerance),
    verdict.unit,
    formatShare(verdict),
    verdict.pass ? 'pass' : `**fail**${verdict.failure ? `: ${verdict.failure}` : ''}`,
  ]);
  return formatMarkdownTable(HEADINGS, rows, (column) => (column >= 2 && column <= 4) || column === 6);
}

/** Part of the tolerance that the error takes. */
function formatShare({ value, expected, tolerance }: Verdict): string {
  const share = Math.abs(value - expected) / tolerance;
  if (!Number.isFinite(share)) return '-';
  return share < 0.001 ? '0 %' : `${Number((100 * share).toPrecision(2))} %`;
}

/** One row per case, one column per formulation. */
export function formatOverview(cases: readonly ValidationCase[], verdicts: readonly Verdict[]): string {
  const rows = cases
    .filter(({ name }) => verdicts.some((verdict) => verdict.case === name))
    .map(({ name }) => [
      name,
      ...ALL.map((formulation) => {
        const verdict = verdicts.find((one) => one.case === name && one.formulation === formulation);
        return verdict ? (verdict.pass ? 'pass' : '**fail**') : '';
      }),
    ]);
  return formatMarkdownTable(['case', ...ALL], rows);
}

/** `161 of 163 pass: 61 analytic cases, ...`. */
export function summarizeVerdicts(verdicts: readonly Verdict[]): string {
  const passed = verdicts.filter(({ pass }) => pass).length;
  const names = new Set(verdicts.map((verdict) => verdict.case));
  const analytic = CASES.filter(({ name, group }) => names.has(name) && ANALYTIC.has(group)).length;
  return `${passed} of ${verdicts.length} pass: ${formatCount(names.size, 'case')}, ${analytic} of them known in closed form`;
}

const INTRODUCTION = `# Validation

The results of each formulation beside known values: closed forms, other coordinates and formulations, other programs. \`npm run validate\`
writes this page and also runs the long tests; \`npx nexdyn validate\` only prints the table.

- A case passes if |value − expected| is at most the tolerance. Tolerances come from the method, as the line **tolerance** explains, not from the
  results of the code. Failures are shown.
- A case lists the formulations that claim it: restitution is defined under \`ccp\`, moving surfaces are not resolved under \`ipc\`, and so on.
- Artefacts (dilation gaps, hops, creep) are part of a formulation. They are stated with their formulas and checked like everything else.
- **used** is the error as a share of the tolerance. An empty cell of the [overview](#overview) is a case that the formulation does not claim.
- Steps are 1 ms and solvers run to convergence, unless a case says otherwise.
`;

/** The page with every case, its formula, source and verdicts; `tables` are sections that stand before the overview. */
export function formatValidationPage(
  cases: readonly ValidationCase[],
  verdicts: readonly Verdict[],
  skipped: readonly string[],
  tables: readonly string[] = [],
): string {
  const groups = [...new Set(cases.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const own = cases.filter((one) => one.group === group);
    const names = new Set(own.map(({ name }) => name));
    const table = formatVerdicts(verdicts.filter((verdict) => names.has(verdict.case)));
    const lines = own.map(
      ({ name, title, source, basis }) => `- \`${name}\`: ${title}. **Source**: ${source}. **Tolerance**: ${basis}.`,
    );
    return `## ${group[0]!.toUpperCase()}${group.slice(1)}\n\n${table}\n${lines.join('\n')}\n`;
  });
  const missing = skipped.length > 0 ? `\nNot run: ${skipped.join('; ')}.\n` : '';
  return `${INTRODUCTION}\n**${summarizeVerdicts(verdicts)}.**\n${missing}\n${[...sections, ...tables].join('\n')}\n## Overview\n\n${formatOverview(cases, verdicts)}`;
}

/** Names of the cases and formulations that a page has rows for, as in `free-fall sap`. */
export function listPageRows(page: string): string[] {
  const rows = page.matchAll(/^\| (?!case )([a-z0-9.-]+) +\| (mujoco|sap|ccp|ipc) +\|/gm);
  return [...rows].map((match) => `${match[1]} ${match[2]}`);
}
