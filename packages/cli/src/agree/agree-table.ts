/** The tables that `nexdyn agree` prints. */
import { formatMarkdownTable } from '../markdown-table.ts';
import { type Agreement, format, nameFirstDifference, type PairCount } from './agreement.ts';

/** One file of several. */
export interface FileAgreement {
  file: string;
  /** What each engine says where it does not load or run the file. */
  refusedHere?: string;
  refusedThere?: string;
  agreement?: Agreement;
  /** What of the file is not read and changes the motion. */
  unsupported: readonly string[];
}

/** Everything about one file. */
export function formatAgreement({ rows }: Agreement): string {
  const cells = rows.map(({ what, ours, theirs, difference, unit, agrees }) => [
    what,
    ours,
    theirs,
    difference === undefined ? '' : `${format(difference)} ${unit}`.trim(),
    agrees ? 'yes' : 'no',
  ]);
  return formatMarkdownTable(['what', 'NexDyn', 'MuJoCo', 'difference', 'agrees'], cells);
}

/** A line per file, then totals and contacts by kinds of shapes. */
export function formatSummary(files: readonly FileAgreement[]): string {
  const rows = files.map((entry) => {
    const { agreement } = entry;
    return [
      entry.file,
      entry.refusedHere === undefined ? 'yes' : 'no',
      entry.refusedThere === undefined ? 'yes' : 'no',
      agreement ? (agreement.rows[0]!.agrees ? 'yes' : 'no') : '',
      formatDifference(agreement?.early),
      formatDifference(agreement?.late),
      describe(entry),
    ];
  });
  const headings = ['file', 'loads', 'in MuJoCo', 'sizes', 'dq early', 'dq late', 'first difference'];
  return `${formatMarkdownTable(headings, rows)}\n${formatTotals(files)}\n${formatPairs(files)}`;
}

function describe({ refusedHere, refusedThere, agreement, unsupported }: FileAgreement): string {
  if (refusedHere !== undefined) return shorten(refusedHere);
  if (refusedThere !== undefined) return refusedHere === undefined ? shorten(refusedThere) : '';
  const first = agreement ? nameFirstDifference(agreement) : '';
  const missing = unsupported.length > 0 && first !== '' ? ` (not read: ${[...new Set(unsupported)].join(', ')})` : '';
  return shorten(first + missing);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '/');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function formatDifference(value: number | undefined): string {
  return value === undefined ? '' : value.toExponential(1);
}

function formatTotals(files: readonly FileAgreement[]): string {
  const count = (test: (entry: FileAgreement) => boolean): number => files.filter(test).length;
  const isWithin = (value: number | undefined): boolean => value !== undefined && value <= 1e-6;
  const both = files.filter(({ agreement }) => agreement);
  return formatMarkdownTable(
    ['files', 'load here', 'load there', 'load there, not here', 'sizes equal', 'early <= 1e-6', 'late <= 1e-6'],
    [
      [
        files.length,
        count(({ refusedHere }) => refusedHere === undefined),
        count(({ refusedThere }) => refusedThere === undefined),
        count(({ refusedHere, refusedThere }) => refusedHere !== undefined && refusedThere === undefined),
        `${both.filter(({ agreement }) => agreement!.rows[0]!.agrees).length} of ${both.length}`,
        `${both.filter(({ agreement }) => isWithin(agreement!.early)).length} of ${both.length}`,
        `${both.filter(({ agreement }) => isWithin(agreement!.late)).length} of ${both.length}`,
      ].map(String),
    ],
  );
}

/** Share of pairs with the same contacts, by kinds of shapes. */
function formatPairs(files: readonly FileAgreement[]): string {
  const counts = new Map<string, PairCount>();
  for (const { agreement } of files) {
    for (const [kinds, { pairs, same }] of Object.entries(agreement?.pairs ?? {})) {
      const sum = counts.get(kinds) ?? { pairs: 0, same: 0 };
      counts.set(kinds, { pairs: sum.pairs + pairs, same: sum.same + same });
    }
  }
  if (counts.size === 0) return '';
  const rows = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kinds, { pairs, same }]) => [kinds, String(pairs), String(same), `${Math.round((100 * same) / pairs)} %`]);
  return formatMarkdownTable(['contact of', 'pairs in states', 'same contacts', 'share'], rows);
}
