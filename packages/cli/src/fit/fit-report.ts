/** A fit as one page without anything from outside: values with intervals, residuals over time, and what the data can tell. */
import type { Fit } from '@nexdyn/engine/derivatives';
import { formatShort } from '../compare/compare-table.ts';
import { drawLinePlot, type Line } from '../compare/report/line-plot.ts';
import { STYLE } from '../compare/report/style.ts';
import { escapeText } from '../compare/report/svg-text.ts';
import { formatNumber } from '../run/summary.ts';
import { VERSION } from '../version.ts';

export interface FitReportInput {
  title: string;
  /** The command that gives the same report. */
  command: string;
  found: Fit;
  /** Times of the recorded frames, s. */
  time: ArrayLike<number>;
  /** Names of the dofs, in the order of residuals. */
  dofs: readonly string[];
}

/** Curves of single dofs at most. */
const CURVES = 5;

export function formatFitReport({ title, command, found, time, dofs }: FitReportInput): string {
  const { isConverged, iterations, rms, rmsBefore } = found;
  const outcome = isConverged
    ? `converged after ${iterations} iterations`
    : `<strong>not converged</strong> after ${iterations} iterations: the values below are no answer yet`;
  const sections = [
    `<h1>${escapeText(title)}: fitted parameters</h1>`,
    `<p class="faint">NexDyn ${VERSION}; <code>${escapeText(command)}</code></p>`,
    `<p>The fit ${outcome}. Positions differ from the recording by ${formatShort(rms)} m or rad (root mean square); with the values of the scene it was ${formatShort(rmsBefore)}.</p>`,
    '<h2>Values</h2>',
    formatValues(found),
    '<h2>Residuals</h2>',
    '<p class="faint">Simulated less recorded position. If the model is right, what is left looks like noise: no trend, no jump at a contact.</p>',
    drawResiduals(found, time, dofs),
    '<h2>What the data can tell</h2>',
    formatIdentifiability(found),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}: fitted parameters</title><style>${STYLE}
td.bar { width: 40%; min-width: 160px; } .interval { position: relative; height: 14px; background: var(--rule); border-radius: 3px; }
.interval i { position: absolute; top: 0; bottom: 0; background: var(--c0); opacity: 0.45; border-radius: 3px; } .interval b { position: absolute; top: -2px; bottom: -2px; width: 2px; background: var(--c0); } .interval u { position: absolute; top: -2px; bottom: -2px; width: 2px; background: var(--faint); }
</style></head>
<body><main>${sections.join('\n')}</main></body></html>
`;
}

function formatValues({ parameters }: Fit): string {
  const rows = parameters.map(({ path, start, value, error, interval, isAtBound }) => {
    const range =
      error < Infinity ? `${formatNumber(interval[0])} to ${formatNumber(interval[1])}` : 'the data cannot tell';
    const note = isAtBound ? ' <span class="status-diverged">at its bound</span>' : '';
    const cells = [formatNumber(value) + note, formatNumber(start), error < Infinity ? formatShort(error) : '∞', range];
    return `<tr><td><code>${escapeText(path)}</code></td><td>${cells.join('</td><td>')}</td><td class="bar">${drawInterval(start, value, interval)}</td></tr>`;
  });
  return `<div class="tile scroll"><table><tr><th>parameter</th><th>value</th><th>start</th><th>standard error</th><th>95 % interval</th><th>interval, value and start</th></tr>${rows.join('')}</table></div>`;
}

/** The interval as a bar, the value as a bold mark and the start as a faint one. */
function drawInterval(start: number, value: number, [low, high]: readonly [number, number]): string {
  if (!Number.isFinite(low + high)) return '<span class="faint">unbounded</span>';
  const [least, most] = [Math.min(low, start), Math.max(high, start)];
  const width = most - least || 1;
  const place = (x: number): string => `${(4 + (92 * (x - least)) / width).toFixed(2)}%`;
  const bar = `left:${place(low)};width:${((92 * (high - low)) / width).toFixed(2)}%`;
  return `<div class="interval"><i style="${bar}"></i><u style="left:${place(start)}" title="start"></u><b style="left:${place(value)}" title="value"></b></div>`;
}

function drawResiduals({ residual, residualBefore }: Fit, time: ArrayLike<number>, dofs: readonly string[]): string {
  const n = dofs.length;
  const times = Array.from(time).slice(1);
  const rootMean = (values: Float64Array): number[] =>
    times.map((_, k) => Math.hypot(...values.subarray(k * n, (k + 1) * n)) / Math.sqrt(n));
  const whole = drawLinePlot({
    title: 'Root mean square over all joints',
    unit: 'm, rad',
    xLabel: 'time, s',
    lines: [
      { name: 'before', color: 1, x: times, y: rootMean(residualBefore) },
      { name: 'after', color: 0, x: times, y: rootMean(residual) },
    ],
  });
  const size = (i: number): number => times.reduce((sum, _, k) => sum + residual[k * n + i]! ** 2, 0);
  const worst = dofs
    .map((_, i) => i)
    .sort((a, b) => size(b) - size(a))
    .slice(0, CURVES);
  const lines = worst.map(
    (i, c): Line => ({ name: dofs[i]!, color: c, x: times, y: times.map((_, k) => residual[k * n + i]!) }),
  );
  const single = drawLinePlot({ title: 'The largest, after the fit', unit: 'm, rad', xLabel: 'time, s', lines });
  const legend = (all: readonly { name: string; color: number }[]): string =>
    all.map(({ name, color }) => `<span><span class="key c${color}"></span>${escapeText(name)}</span>`).join(' ');
  return `<div class="tiles"><figure class="tile"><h3>All joints, root mean square</h3><p>${legend([
    { name: 'start', color: 1 },
    { name: 'fitted', color: 0 },
  ])}</p>${whole}</figure><figure class="tile"><h3>Those with the largest residual, fitted</h3><p>${legend(lines)}</p>${single}</figure></div>`;
}

function formatIdentifiability({ directions, parameters, correlation, blind, condition }: Fit): string {
  const rows = directions.map(({ shares, uncertainty }) => {
    const combination = Object.entries(shares)
      .filter(([, share]) => Math.abs(share) > 1e-3)
      .map(
        ([path, share]) =>
          `${share < 0 ? '−' : '+'} ${formatNumber(Number(Math.abs(share).toPrecision(3)))} <code>${escapeText(path)}</code>`,
      )
      .join(' ');
    const told = uncertainty < Infinity ? `${formatShort(100 * uncertainty)} %` : '<strong>not told</strong>';
    return `<tr><td>${combination}</td><td></td><td>${told}</td></tr>`;
  });
  const warning =
    blind.length > 0
      ? `<p><strong>${blind.length === 1 ? 'One combination' : `${blind.length} combinations`} of parameters cannot be told:</strong> changed together in these proportions they leave the motion as it is. Fix one of them, or record a motion in which they act differently.</p>`
      : '';
  const names = parameters.map(({ path }) => path);
  const head = names.map((path) => `<th>${escapeText(path)}</th>`).join('');
  const table = names
    .map(
      (path, i) =>
        `<tr><td><code>${escapeText(path)}</code></td><td></td>${names.map((_, j) => `<td>${formatShort(correlation[i]![j])}</td>`).join('')}</tr>`,
    )
    .join('');
  return `${warning}<p class="faint">Combinations of relative changes, the best known first, each with its standard error; ratio of the best and worst known ${formatShort(condition)}.</p>
<div class="tile scroll"><table><tr><th>combination</th><th></th><th>standard error</th></tr>${rows.join('')}</table></div>
<h3>Correlation</h3><p class="faint">Near ±1: the data fixes a combination of the two much better than each of them.</p>
<div class="tile scroll"><table><tr><th></th><th></th>${head}</tr>${table}</table></div>`;
}
