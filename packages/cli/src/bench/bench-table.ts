import { formatMarkdownTable } from '../markdown-table.ts';
import type { Machine } from '../run/manifest.ts';
import type { BenchRow } from './bench-row.ts';

const HEADINGS = [
  'scene',
  'dofs',
  'NexDyn ms',
  'peer ms',
  'ratio',
  'target',
  'met',
  'native ms',
  'ratio to native',
  'native target',
  'native met',
  'median ratio',
  'growth',
  'peer growth',
];

/** The results as aligned columns. */
export function formatTable(rows: readonly BenchRow[]): string {
  const cells = [HEADINGS, ...rows.map(formatCells)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const align = (text: string, column: number): string =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return cells.map((row) => `${row.map(align).join('  ').trimEnd()}\n`).join('');
}

/** The results as a page for the repository. */
export function formatPage(rows: readonly BenchRow[], machine: Machine, nodeVersion: string): string {
  const memory = `${Math.round(machine.memoryBytes / 2 ** 30)} GB`;
  return `# Benchmark results

Written by \`npm run bench -- --write benchmarks/results.md\`. How it is measured: [README](README.md).

- Machine: ${machine.processor}, ${machine.cores} cores, ${memory}, ${machine.platform} ${machine.arch}, Node ${nodeVersion}
- Peer: ${rows[0]?.peer ?? 'none'}
- Times are the least of many interleaved blocks, ms per step (per compilation for \`compile-...\`).
- Ratio is NexDyn's time over the peer's: below 1 NexDyn is faster. Absolute times move from machine to machine.
- Targets are ratios to the peer and to its native library that are aimed at, where they are set; the next column says whether they are met.
- Native: ${findNative(rows)}.
- Growth is p in time ~ sizeᵖ against the next smaller scene of the family.

${formatMarkdownTable(HEADINGS, rows.map(formatCells), (column) => column > 0)}`;
}

function formatCells(row: BenchRow): string[] {
  return [
    row.scene,
    String(row.dofs),
    formatTime(row.oursMs),
    formatTime(row.peerMs),
    row.ratio.toFixed(2),
    row.target === undefined ? '' : String(row.target),
    formatMet(row.ratio, row.target),
    row.nativeMs === undefined ? '' : formatTime(row.nativeMs),
    row.nativeRatio?.toFixed(2) ?? '',
    row.nativeTarget === undefined ? '' : String(row.nativeTarget),
    formatMet(row.nativeRatio, row.nativeTarget),
    (row.oursMedianMs / row.peerMedianMs).toFixed(2),
    row.oursGrowth?.toFixed(2) ?? '',
    row.peerGrowth?.toFixed(2) ?? '',
  ];
}

function formatMet(ratio: number | undefined, target: number | undefined): string {
  if (ratio === undefined || target === undefined) return '';
  return ratio <= target ? 'yes' : 'no';
}

function findNative(rows: readonly BenchRow[]): string {
  const version = rows.find(({ native }) => native !== undefined)?.native;
  return version ? `${version}, one thread, in a process of its own before and after the race` : 'none was given';
}

/** Three digits. */
function formatTime(milliseconds: number): string {
  return Number(milliseconds.toPrecision(3)).toString();
}
