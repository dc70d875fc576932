/** A comparison as one page without anything from outside: table, pictures, plots, differences, refinement. */
import {
  type FormulationId,
  METRIC_NAMES,
  METRICS,
  type MetricName,
  PHASES,
  type Phase,
  type Verdict,
} from '@nexdyn/engine';
import { listFormulationNames } from '../../option-values.ts';
import { VERSION } from '../../version.ts';
import type { ComparedRun, CompareRecord } from '../compare-record.ts';
import { formatGuarantee, formatShort, labelMetric, listNotes } from '../compare-table.ts';
import { hasBroken } from '../formulation-run.ts';
import { drawLinePlot, type Line } from './line-plot.ts';
import { drawPicture, placeCamera } from './picture.ts';
import { STYLE } from './style.ts';
import { escapeText } from './svg-text.ts';

export interface ReportInput {
  title: string;
  description: string;
  /** The command that gives the same report. */
  command: string;
  runs: readonly ComparedRun[];
  records: readonly CompareRecord[];
  verdict: Verdict;
}

/** What a phase of the step does. */
const PHASE_LABELS: Record<Phase, string> = {
  kinematics: '… of which kinematics',
  freeMotion: '… free motion',
  collision: '… collision',
  solve: '… the solve',
  integrate: '… integration',
};

/** A formulation has the same colour in every report; those after the sixth share its colour. */
function chooseColor(formulation: FormulationId): number {
  return Math.min(5, listFormulationNames().indexOf(formulation));
}

function formatKey(formulation: FormulationId): string {
  return `<span class="key c${chooseColor(formulation)}"></span>${formulation}`;
}

/** Metrics for which no formulation is better by having less. */
const NEUTRAL: ReadonlySet<MetricName> = new Set(['contacts', 'normalForce', 'iterations', 'residual']);

export function formatReport(input: ReportInput): string {
  const { title, description, command, records } = input;
  const ran = input.runs.filter((run) => run.result);
  const longest = Math.max(...ran.map(({ result }) => result!.time));
  const setup = ran[0]
    ? `${formatShort(longest)} s in steps of ${ran
        .map(({ result }) => formatShort(result!.timestep))
        .filter(isFirst)
        .join(', ')} s`
    : 'nothing ran';
  const notes = listNotes(records);
  const sections = [
    `<h1>${escapeText(title)}</h1>`,
    description ? `<p>${escapeText(description)}</p>` : '',
    `<p class="faint">${setup}; NexDyn ${VERSION}; <code>${escapeText(command)}</code></p>`,
    notes.length > 0 ? `<ul>${notes.map((note) => `<li>${escapeText(note)}</li>`).join('')}</ul>` : '',
    formatVerdict(input.verdict),
    '<h2>Metrics</h2>',
    '<p class="faint">The largest over all steps, and the mean; the least of a row stands out where less is better.</p>',
    formatTable(records, input.verdict),
    '<h2>At the end</h2>',
    drawPictures(ran),
    '<h2>Over time</h2>',
    formatLegend(ran),
    drawMetrics(ran),
    ...drawDifferences(ran),
    ...drawRefinement(ran),
    '<h2>What the numbers are</h2>',
    formatDefinitions(),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}: formulations compared</title><style>${STYLE}</style></head>
<body><main>${sections.filter(Boolean).join('\n')}</main></body></html>
`;
}

/** What it comes to, formulations in the type of code. */
function formatVerdict({ sentences }: Verdict): string {
  if (sentences.length === 0) return '';
  const items = sentences.map(
    (sentence) => `<li>${escapeText(sentence).replace(/`([^`]+)`/g, '<code>$1</code>')}</li>`,
  );
  return `<h2>What it comes to</h2><ul class="verdict">${items.join('')}</ul>`;
}

function formatTable(records: readonly CompareRecord[], verdict: Verdict): string {
  const columns = records.filter(({ metrics }) => metrics);
  const head = `<tr><th>metric</th><th>unit</th>${columns.map(({ formulation }) => `<th>${formatKey(formulation)}</th>`).join('')}</tr>`;
  const status = formatRow(
    'status',
    '',
    columns.map((record) => `<span class="status-${record.status}">${record.status}</span>`),
  );
  const guarantee = formatRow('guarantee', '', verdict.guarantees.map(formatGuarantee));
  const metrics = METRIC_NAMES.map((name) => {
    const isBest = findBest(
      name,
      columns.map((record) => (hasBroken(record.status) ? null : record.metrics![name].max)),
    );
    const cells = columns.map((record, k) => {
      const { max, mean } = record.metrics![name];
      const usual = mean === null ? '' : ` <span class="mean">(${formatShort(mean)})</span>`;
      const text = `${formatShort(max)}${usual}`;
      return isBest[k] ? `<span class="best">${text}</span>` : text;
    });
    return formatRow(labelMetric(name, verdict), METRICS[name].unit, cells, METRICS[name].formula);
  });
  const rest = [
    formatRow(
      'change of energy',
      'J',
      columns.map(({ energy }) => formatShort(energy!.drift)),
    ),
    formatRow(
      'time per step',
      'ms',
      columns.map(({ cost }) => formatShort(cost!.stepTime.value)),
    ),
    ...PHASES.map((phase) =>
      formatRow(
        PHASE_LABELS[phase],
        'ms',
        columns.map(({ cost }) => formatShort(Number(cost!.phases[phase]))),
      ),
    ),
    formatRow(
      'speed',
      'x real time',
      columns.map(({ cost }) => formatShort(cost!.realTimeFactor.value)),
    ),
    formatRow(
      'state at the end',
      'hash',
      columns.map(({ finalHash }) => `<code>${finalHash ?? '-'}</code>`),
    ),
  ];
  return `<div class="tile scroll"><table>${[head, status, guarantee, ...metrics, ...rest].join('')}</table></div>`;
}

/** Which of several values of a metric stand out: the least, where less is better and not all are as good. */
export function findBest(name: MetricName, values: readonly (number | null)[]): boolean[] {
  // losing energy is not better: all values of energy created up to zero are equally good
  const worth = values.map((value) => (value === null ? Number.POSITIVE_INFINITY : Math.max(0, value)));
  const best = Math.min(...worth);
  const isTold = worth.some((value) => Number.isFinite(value) && value > 1.05 * best + 1e-12);
  return worth.map((value) => isTold && !NEUTRAL.has(name) && value === best);
}

function formatRow(label: string, unit: string, cells: readonly string[], hint = ''): string {
  const title = hint ? ` title="${escapeText(hint)}"` : '';
  return `<tr${title}><td>${escapeText(label)}</td><td>${escapeText(unit)}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function formatLegend(ran: readonly ComparedRun[]): string {
  const items = ran.map(({ formulation }) => `<span>${formatKey(formulation)}</span>`);
  return `<div class="legend">${items.join('')}</div>`;
}

function drawPictures(ran: readonly ComparedRun[]): string {
  // bodies that flew off do not determine the view, as long as others stayed
  const stayed = ran.filter(({ status }) => !hasBroken(status));
  const camera = placeCamera((stayed.length > 0 ? stayed : ran).map(({ result }) => result!.simulation));
  const pictures = ran.map(({ formulation, result, difference }) => {
    const apart = difference ? `, ${formatShort(difference.final)} m from ${difference.from}` : '';
    const caption = `${formatKey(formulation)} after ${formatShort(result!.time)} s${apart}`;
    const picture = drawPicture(result!.simulation, camera, `${formulation} at the end`);
    return `<figure class="tile">${picture}<figcaption>${caption}</figcaption></figure>`;
  });
  return `<div class="tiles pictures">${pictures.join('')}</div>`;
}

function drawMetrics(ran: readonly ComparedRun[]): string {
  const lines = (read: (run: ComparedRun) => readonly number[]): Line[] =>
    ran.map((run) => ({
      name: run.formulation,
      color: chooseColor(run.formulation),
      x: run.result!.series.time,
      y: read(run),
    }));
  const plots = METRIC_NAMES.map((name) => {
    const { label, unit, doc } = METRICS[name];
    return drawTile(
      label,
      unit,
      doc,
      lines((run) => run.result!.series.metrics[name]),
    );
  });
  // relative to the start: the constant part of the potential energy would hide all changes
  const energy = drawTile(
    'change of energy',
    'J',
    'kinetic and potential energy since the start; what friction, damping and impacts take out is lost',
    lines(({ result }) => result!.series.energy.map((value) => value - result!.energy.start)),
  );
  return `<div class="tiles">${[...plots, energy].filter(Boolean).join('')}</div>`;
}

// curves that are always zero are not drawn
function drawTile(title: string, unit: string, doc: string, lines: readonly Line[]): string {
  if (!lines.some(({ y }) => y.some((value) => Number.isFinite(value) && value !== 0))) return '';
  const plot = drawLinePlot({ title, unit, xLabel: 'time, s', lines });
  return `<figure class="tile"><h3>${escapeText(title)}, ${escapeText(unit)}</h3>${plot}<figcaption>${escapeText(doc)}</figcaption></figure>`;
}

function drawDifferences(ran: readonly ComparedRun[]): string[] {
  const from = ran.find(({ difference }) => difference)?.difference?.from;
  if (!from) return [];
  const lines = ran.flatMap(({ formulation, difference, result }) =>
    difference
      ? [{ name: formulation, color: chooseColor(formulation), x: result!.series.time, y: difference.distance }]
      : [],
  );
  const doc = `largest distance between the places of a mark on a body (centre of mass, or at the radius of gyration) under a formulation and under ${from}`;
  const tile = drawTile(`distance from ${from}`, 'm', doc, lines);
  return [
    '<h2>Difference of trajectories</h2>',
    tile ? `<div class="tiles">${tile}</div>` : '<p>All run the same way.</p>',
  ];
}

function drawRefinement(ran: readonly ComparedRun[]): string[] {
  const studied = ran.filter((run) => (run.refinement?.length ?? 0) > 1);
  if (studied.length === 0) return [];
  const lines = studied.map((run) => {
    const levels = run.refinement!.filter(({ error }) => error > 0);
    return {
      name: run.formulation,
      color: chooseColor(run.formulation),
      x: levels.map(({ timestep }) => timestep),
      y: levels.map(({ error }) => error),
    };
  });
  // a single step beside the finest makes no curve
  const isCurve = lines.some(({ x }) => x.length > 1);
  const plot = drawLinePlot({
    title: 'distance to the finest',
    unit: 'm',
    xLabel: 'time step, s',
    lines,
    isLogLog: true,
  });
  const figure = `<figure class="tile"><h3>distance to the finest, m</h3>${plot}</figure>`;
  const head = '<tr><th>formulation</th><th>time step, s</th><th>apart, m</th><th>order</th></tr>';
  const rows = studied.flatMap((run) =>
    run.refinement!.map(({ timestep, error, order }, level) => {
      const name = level === 0 ? formatKey(run.formulation) : '';
      return `<tr><td>${name}</td><td>${formatShort(timestep)}</td><td>${formatShort(error)}</td><td>${formatShort(order)}</td></tr>`;
    }),
  );
  const text =
    'The same run with smaller steps: how far the bodies end from where the finest run leaves them, and the order at which that shrinks. Contact is of order one at best; motion that is chaotic has none. Where bodies rest, what changes is no more than what the tolerance of the solver leaves, and its order says nothing.';
  return [
    '<h2>Refinement in the time step</h2>',
    `<p class="faint">${text}</p>`,
    `<div class="tiles">${isCurve ? figure : ''}<div class="tile scroll"><table>${head}${rows.join('')}</table></div></div>`,
  ];
}

function formatDefinitions(): string {
  const rows = METRIC_NAMES.map((name) => {
    const { label, unit, formula, doc } = METRICS[name];
    return `<li><b>${escapeText(label)}</b> (${escapeText(unit)}): <code>${escapeText(formula)}</code>; ${escapeText(doc)}.</li>`;
  });
  const symbols =
    'f force of one side of a contact on the other, f_N along the normal, f_T across; u their relative velocity after the step; φ⁺ the gap after it; μ friction; h time step.';
  return `<p class="faint">${escapeText(symbols)}</p><ul>${rows.join('')}</ul>`;
}

function isFirst(value: string, index: number, list: readonly string[]): boolean {
  return list.indexOf(value) === index;
}
