import type { JSX } from 'preact';
import { formatPower, logRange, logTicks } from '../log-ticks.ts';
import { ENTRY_WIDTH, ISLAND_WIDTH, type TraceFrame } from '../session/solve-frame.ts';
import type { Comparison } from './comparison.ts';
import { RUN_STYLE } from './run-style.ts';

const BOX = { width: 360, height: 150, left: 46, right: 8, top: 8, bottom: 24 };

/** Residual against iteration of the last step, all formulations over each other; each relative to its first. */
export function CompareConvergence({ comparison }: { comparison: Comparison }): JSX.Element {
  const curves = comparison.runs.flatMap(({ formulation, frame }) => {
    const residuals = frame?.trace ? readHardest(frame.trace) : [];
    return residuals.some((value) => value > 0) ? [{ formulation, residuals }] : [];
  });
  const all = curves.flatMap(({ residuals }) => residuals.filter((value) => value > 0));
  if (all.length === 0) return <p class="remark">Nothing was left to solve in the last step.</p>;
  const [low, high] = logRange(Math.min(...all), Math.max(...all));
  const longest = Math.max(...curves.map(({ residuals }) => residuals.length));
  const { width, height, left, right, top, bottom } = BOX;
  const x = (k: number): number => left + ((width - left - right) * k) / Math.max(longest - 1, 1);
  const y = (value: number): number =>
    top + ((height - top - bottom) * Math.log10(high / value)) / Math.log10(high / low);
  return (
    <svg
      class="course compared"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label="Residual after each iteration of the last step, for each formulation"
    >
      {logTicks(low, high, 4).map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 4}>
            {formatPower(tick)}
          </text>
        </g>
      ))}
      <text x={width - right} y={height - 6}>
        iteration {longest}
      </text>
      {curves.map(({ formulation, residuals }) => {
        const points = residuals.flatMap((value, k) => (value > 0 ? [[x(k), y(value)] as const] : []));
        const { color, dash } = RUN_STYLE[formulation];
        return (
          <g key={formulation} style={{ stroke: `var(${color})`, fill: `var(${color})` }} data-curve={formulation}>
            <polyline points={points.map((point) => point.join(',')).join(' ')} stroke-dasharray={dash.join(' ')} />
            {points.length <= 30 && points.map(([px, py]) => <circle key={px} cx={px} cy={py} r="2.5" />)}
          </g>
        );
      })}
    </svg>
  );
}

/** Residuals of the hardest island, iteration by iteration, as parts of the first. */
function readHardest({ islands, entries }: TraceFrame): number[] {
  const count = islands[1] ?? 0;
  if (islands.length < ISLAND_WIDTH || count === 0) return [];
  const residuals = Array.from({ length: count }, (_, k) => entries[ENTRY_WIDTH * k + 1]!);
  const first = residuals.find((value) => value > 0) ?? 1;
  return residuals.map((value) => value / first);
}
