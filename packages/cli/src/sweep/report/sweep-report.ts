/** A sweep as one page without anything from outside. It has no times, so that it is the same bytes wherever the runs were made. */
import { applyRun, type Sweep, type SweepFolder } from '@nexdyn/sweep';
import { STYLE } from '../../compare/report/style.ts';
import { escapeText } from '../../compare/report/svg-text.ts';
import { formatNumber } from '../../run/summary.ts';
import { formatStudioLink } from './studio-link.ts';
import { type ReportData, type ReportRow, readReportData } from './sweep-data.ts';
import { drawHeatMap, drawParallel, drawResponse, drawScale } from './sweep-plots.ts';

/** Numbers that lines pass behind. */
const HALO = '.halo text { paint-order: stroke; stroke: var(--panel); stroke-width: 4px; stroke-linejoin: round; }';

/** Runs in the lists of the best and the worst. */
const LISTED = 5;
/** Maps of pairs of axes, at most. */
const MOST_PAIRS = 6;

export function formatSweepReport(sweep: Sweep, folder: SweepFolder): string {
  const data = readReportData(sweep, folder);
  const title = sweep.plan.name ?? sweep.scene.name ?? 'Sweep';
  const sections = [
    `<h1>${escapeText(title)}</h1>`,
    `<p class="faint">${describeRuns(data)}; ${formatNumber(sweep.plan.seconds)} s each; NexDyn ${sweep.version}</p>`,
    formatLegend(data),
    ...drawResponses(data),
    ...drawMaps(data),
    ...drawLines(sweep, data),
    ...listRanked(sweep, data),
    ...listFailed(data),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title><style>${STYLE}${HALO}</style></head>
<body><main>${sections.join('\n')}</main></body></html>
`;
}

function describeRuns({ rows }: ReportData): string {
  const counts = new Map<string, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return `${rows.length} runs: ${[...counts].map(([status, count]) => `${count} ${status}`).join(', ')}`;
}

function formatLegend({ groups }: ReportData): string {
  const named = groups.filter((group) => group !== '');
  if (named.length === 0) return '';
  const keys = named.map(
    (group) => `<span><span class="key c${groups.indexOf(group) % 5}"></span>${escapeText(group)}</span>`,
  );
  return `<div class="legend">${keys.join('')}</div>`;
}

function drawResponses(data: ReportData): string[] {
  const tiles = data.measures.flatMap((measure) =>
    data.axes.map((axis) => frame(`${measure} over ${axis}`, drawResponse(data, axis, measure))),
  );
  if (tiles.length === 0) return [];
  const note = 'A dot is a run; lines are means where several runs share a value of the axis.';
  return ['<h2>Responses</h2>', `<p class="faint">${note}</p>`, `<div class="tiles">${tiles.join('')}</div>`];
}

function drawMaps(data: ReportData): string[] {
  const names = [...data.grids.keys()];
  const pairs = names.flatMap((first, n) => names.slice(n + 1).map((second) => [first, second] as const));
  const sections: string[] = [];
  for (const pair of pairs.slice(0, MOST_PAIRS)) {
    for (const measure of data.measures) {
      const numbers = data.rows.map(({ values }) => values[measure]!).filter(Number.isFinite);
      if (numbers.length === 0) continue;
      const [low, high] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
      const tiles = data.groups.map((group) => frame(group || measure, drawHeatMap(data, pair, measure, group)));
      sections.push(`<h3>${escapeText(measure)} ${drawScale(low, high)}</h3>`);
      sections.push(`<div class="tiles">${tiles.join('')}</div>`);
    }
  }
  return sections.length > 0 ? ['<h2>Maps</h2>', ...sections] : [];
}

function drawLines(sweep: Sweep, data: ReportData): string[] {
  const columns = [...data.axes, ...data.measures];
  const ranked = chooseRank(sweep);
  if (columns.length < 3 || ranked === undefined) return [];
  const note = `A line is a run, coloured by ${ranked.measure}.`;
  return [
    '<h2>Parallel coordinates</h2>',
    `<p class="faint">${escapeText(note)}</p>`,
    `<div class="tile scroll">${drawParallel(data, columns, ranked.measure)}</div>`,
  ];
}

/** What runs are ranked by. */
function chooseRank({ plan }: Sweep): { measure: string; sign: number } | undefined {
  const measure = plan.best?.measure ?? Object.keys(plan.measure ?? {})[0];
  return measure === undefined ? undefined : { measure, sign: plan.best?.order === 'largest' ? -1 : 1 };
}

function listRanked(sweep: Sweep, data: ReportData): string[] {
  const rank = chooseRank(sweep);
  if (!rank) return [];
  const { measure, sign } = rank;
  const sound = data.rows.filter((row) => !row.hasFailed && Number.isFinite(row.values[measure]));
  const sorted = [...sound].sort((a, b) => sign * (a.values[measure]! - b.values[measure]!) || a.run - b.run);
  const order = sign > 0 ? 'smallest' : 'largest';
  return [
    `<h2>Best and worst</h2>`,
    `<p class="faint">By ${escapeText(measure)}, ${order} first. Links open the scene of a run in the studio while <code>nexdyn studio</code> serves it; <code>nexdyn sweep scene FOLDER RUN &gt; run.json</code> writes it to a file.</p>`,
    formatRuns(sweep, data, sorted.slice(0, LISTED)),
    ...(sorted.length > LISTED ? [formatRuns(sweep, data, sorted.slice(-LISTED).reverse())] : []),
  ];
}

function formatRuns(sweep: Sweep, { measures }: ReportData, rows: readonly ReportRow[]): string {
  const head = ['run', 'group', ...sweep.runs.columns, ...measures, 'status', 'studio'];
  const body = rows.map((row) => {
    const link = formatStudioLink(applyRun(sweep.scene, sweep.runs.run(row.run)), `run-${row.run}`);
    const cells = [
      String(row.run),
      escapeText(row.group),
      ...sweep.runs.columns.map((name) => escapeText(formatLabel(row, name))),
      ...measures.map((name) => formatNumber(row.values[name]!)),
      `<span class="status-${row.status}">${row.status}</span>`,
      link === undefined ? '' : `<a href="${link}">open</a>`,
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const titles = head.map((name) => `<th>${escapeText(name)}</th>`).join('');
  return `<div class="tile scroll" style="margin-bottom:12px"><table><tr>${titles}</tr>${body.join('')}</table></div>`;
}

function formatLabel(row: ReportRow, name: string): string {
  const value = row.values[name]!;
  return Number.isFinite(value) ? formatNumber(value) : (row.labels[name] ?? '');
}

function listFailed({ rows }: ReportData): string[] {
  const failed = rows.filter((row) => row.hasFailed);
  if (failed.length === 0) return [];
  const shown = failed
    .slice(0, 20)
    .map(({ run, status, error }) => `<li>run ${run}: ${status} ${escapeText(error)}</li>`);
  const more = failed.length > shown.length ? `<p class="faint">and ${failed.length - shown.length} more</p>` : '';
  return ['<h2>Failed</h2>', `<ul>${shown.join('')}</ul>${more}`];
}

function frame(caption: string, drawing: string): string {
  return `<figure class="tile"><h3>${escapeText(caption)}</h3>${drawing}</figure>`;
}
