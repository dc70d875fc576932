/** A sweep as one page without anything from outside. It has no times, so that it is the same bytes wherever the runs were made. */
import { createRunScene, type Sweep } from '@nexdyn/sweep';
import { STYLE } from '../../compare/report/style.ts';
import { escapeText } from '../../compare/report/svg-text.ts';
import { formatNumber } from '../../run/summary.ts';
import { formatStudioLink } from './studio-link.ts';
import { findRange, listSound, type ReportData } from './sweep-data.ts';
import { drawHeatMap, drawParallel, drawResponse, drawScale, styleGroup } from './sweep-plots.ts';

/** Numbers that lines pass behind. */
const HALO = '.halo text { paint-order: stroke; stroke: var(--panel); stroke-width: 4px; stroke-linejoin: round; }';

/** Groups for which there is no colour of their own. */
const DASHES =
  '.line.d1 { stroke-dasharray: 6 3; } .key.d1 { border-style: dashed; } .line.d2 { stroke-dasharray: 1.5 3; } .key.d2 { border-style: dotted; }';

/** Runs in the lists of the best and the worst. */
const LISTED = 5;
/** Maps of pairs of axes, at most. */
const MOST_PAIRS = 6;

export function formatSweepReport(sweep: Sweep, data: ReportData): string {
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
<title>${escapeText(title)}</title><style>${STYLE}${HALO}${DASHES}</style></head>
<body><main>${sections.join('\n')}</main></body></html>
`;
}

function describeRuns({ count, statuses, status }: ReportData): string {
  const counts = new Array<number>(statuses.length).fill(0);
  for (const n of status) counts[n]!++;
  return `${count} runs: ${statuses.map((name, n) => `${counts[n]} ${name}`).join(', ')}`;
}

function formatLegend({ groups }: ReportData): string {
  const named = groups.filter((group) => group !== '');
  if (named.length === 0) return '';
  const keys = named.map(
    (group) => `<span><span class="key ${styleGroup(groups.indexOf(group))}"></span>${escapeText(group)}</span>`,
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
  const sections: string[] = [];
  for (const pair of data.pairs.slice(0, MOST_PAIRS)) {
    for (const measure of data.measures) {
      const [low, high] = findRange(data.values[measure]!, listSound(data, [measure]));
      if (low > high) continue;
      const tiles = data.groups.map((group, n) => frame(group || measure, drawHeatMap(data, pair, measure, n)));
      sections.push(`<h3>${escapeText(measure)} ${drawScale(low, high)}</h3>`);
      sections.push(`<div class="tiles">${tiles.join('')}</div>`);
    }
  }
  if (sections.length === 0) return [];
  const more = data.pairs.length - MOST_PAIRS;
  if (more > 0) sections.push(`<p class="faint">and ${more} more pairs of axes, which are in the table</p>`);
  return ['<h2>Maps</h2>', ...sections];
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
  const column = data.values[measure]!;
  const sorted = listSound(data, [measure]).filter((run) => !data.failed[run]);
  sorted.sort((a, b) => sign * (column[a]! - column[b]!) || a - b);
  const order = sign > 0 ? 'smallest' : 'largest';
  return [
    `<h2>Best and worst</h2>`,
    `<p class="faint">By ${escapeText(measure)}, ${order} first. Links open the scene of a run in the studio while <code>nexdyn studio</code> serves it; <code>nexdyn sweep scene FOLDER RUN &gt; run.json</code> writes it to a file.</p>`,
    formatRuns(sweep, data, sorted.slice(0, LISTED)),
    ...(sorted.length > LISTED ? [formatRuns(sweep, data, sorted.slice(-LISTED).reverse())] : []),
  ];
}

function formatRuns(sweep: Sweep, data: ReportData, runs: Uint32Array): string {
  const { measures, values, groups } = data;
  const columns = sweep.runs.columns.filter((name) => !data.repeated.includes(name));
  const { formulations, keyframes } = sweep.plan;
  const isGrouped = groups.some((group) => group !== '');
  const group = isGrouped ? [keyframes ? (formulations ? 'group' : 'keyframe') : 'formulation'] : [];
  const head = ['run', ...group, ...columns, ...measures, 'status', 'studio'];
  const body = Array.from(runs, (index) => {
    const run = sweep.runs.run(index);
    const link = formatStudioLink(createRunScene(sweep.scene, run), `run-${index}`);
    const status = data.statuses[data.status[index]!]!;
    const cells = [
      String(index),
      ...(isGrouped ? [escapeText(groups[data.group[index]!]!)] : []),
      ...columns.map((name) => escapeText(formatParameter(run.parameters[name]))),
      ...measures.map((name) => formatNumber(values[name]![index]!)),
      `<span class="status-${status}">${status}</span>`,
      link === undefined ? '' : `<a href="${link}">open</a>`,
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const titles = head.map((name) => `<th>${escapeText(name)}</th>`).join('');
  return `<div class="tile scroll" style="margin-bottom:12px"><table><tr>${titles}</tr>${body.join('')}</table></div>`;
}

function formatParameter(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function listFailed({ failures, failureCount }: ReportData): string[] {
  if (failureCount === 0) return [];
  const shown = failures.map(({ run, status, error }) => `<li>run ${run}: ${status} ${escapeText(error)}</li>`);
  const more = failureCount > shown.length ? `<p class="faint">and ${failureCount - shown.length} more</p>` : '';
  return ['<h2>Failed</h2>', `<ul>${shown.join('')}</ul>${more}`];
}

function frame(caption: string, drawing: string): string {
  return `<figure class="tile"><h3>${escapeText(caption)}</h3>${drawing}</figure>`;
}
