import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { formatPower, formatScientific, logRange, logTicks } from '../log-ticks.ts';
import { ENTRY_WIDTH, ISLAND_WIDTH, STATUSES, type TraceFrame } from '../session/solve-frame.ts';
import type { Studio } from '../studio.ts';
import { STATUS_WORDS } from './status-words.ts';

/** Time between two drawings while the scene runs, ms: numbers that change with each picture cannot be read. */
const REFRESH = 300;
/** Iterations that are listed; of more the last ones are. */
const ROWS = 30;

/** The course of the last step: its islands, and cost, residual and step length of each iteration of one of them. */
export function ConvergenceView({ studio }: { studio: Studio }): JSX.Element {
  const trace = useSlowTrace(studio);
  const [chosen, setChosen] = useState(0);
  if (!trace || trace.total === 0) return <p class="remark">Nothing was left to solve in the last step.</p>;
  const count = trace.islands.length / ISLAND_WIDTH;
  const rank = Math.min(chosen, count - 1);
  const entries = readEntries(trace, rank);
  return (
    <div class="convergence">
      <IslandTable trace={trace} chosen={rank} onChoose={setChosen} />
      {trace.total > count && (
        <p class="remark">
          The {count} hardest of {trace.total} islands.
        </p>
      )}
      <ResidualCurve residuals={entries.map(([, residual]) => residual)} />
      <EntryTable entries={entries} />
    </div>
  );
}

function useSlowTrace(studio: Studio): TraceFrame | undefined {
  const [trace, setTrace] = useState<TraceFrame | undefined>(undefined);
  const changedAt = useRef(0);
  useSignalEffect(() => {
    const next = studio.frame.value?.trace;
    const now = performance.now();
    if (!next || (studio.playing.value && now - changedAt.current < REFRESH)) return;
    changedAt.current = now;
    setTrace(next);
  });
  return trace;
}

interface IslandTableProps {
  trace: TraceFrame;
  chosen: number;
  onChoose: (rank: number) => void;
}

/** Islands, hardest first; one is chosen. */
function IslandTable({ trace, chosen, onChoose }: IslandTableProps): JSX.Element {
  const count = trace.islands.length / ISLAND_WIDTH;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col" title="Bodies that push or pull each other are solved together">
            Island
          </th>
          <th scope="col" title="Velocities that are solved for">
            DoF
          </th>
          <th scope="col" title="Iterations">
            Iter.
          </th>
          <th scope="col">Residual</th>
          <th scope="col">Ended</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: count }, (_, rank) => {
          const [size, iterations, outcome, residual, , number] = trace.islands.subarray(ISLAND_WIDTH * rank);
          const status = STATUSES[outcome!]!;
          return (
            <tr
              key={rank}
              class={rank === chosen ? 'chosen' : ''}
              tabIndex={0}
              title="Show the iterations of this island"
              onClick={() => onChoose(rank)}
              onKeyDown={({ key }) => key === 'Enter' && onChoose(rank)}
            >
              <td>{number! + 1}</td>
              <td>{size}</td>
              <td>{iterations}</td>
              <td>{formatScientific(residual!)}</td>
              <td class={`ended ${status}`}>{STATUS_WORDS[status].label}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const CURVE = { width: 272, height: 84, left: 46, right: 8, top: 8, bottom: 8 };

/** Residual after each iteration, in powers of ten. */
function ResidualCurve({ residuals }: { residuals: readonly number[] }): JSX.Element | null {
  const drawn = residuals.filter((residual) => residual > 0);
  if (drawn.length === 0) return null;
  const [low, high] = logRange(Math.min(...drawn), Math.max(...drawn));
  const { width, height, left, right, top, bottom } = CURVE;
  const x = (k: number): number => left + ((width - left - right) * k) / Math.max(residuals.length - 1, 1);
  const y = (value: number): number =>
    top + ((height - top - bottom) * Math.log10(high / value)) / Math.log10(high / low);
  const points = residuals.flatMap((residual, k) => (residual > 0 ? [[x(k), y(residual)] as const] : []));
  return (
    <svg class="course" viewBox={`0 0 ${width} ${height}`} role="img" aria-label="Residual after each iteration">
      {logTicks(low, high, 3).map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 4}>
            {formatPower(tick)}
          </text>
        </g>
      ))}
      <polyline points={points.map((point) => point.join(',')).join(' ')} />
      {points.length <= 40 && points.map(([px, py]) => <circle key={px} cx={px} cy={py} r="2.5" />)}
    </svg>
  );
}

/** One row per iteration. */
function EntryTable({ entries }: { entries: readonly [number, number, number][] }): JSX.Element | null {
  if (entries.length === 0) return <p class="remark">The state before was a solution already: no iteration.</p>;
  const first = Math.max(0, entries.length - ROWS);
  return (
    <table class="entries">
      <thead>
        <tr>
          <th scope="col" title="Iteration">
            #
          </th>
          <th scope="col" title="Value of the objective after the iteration">
            Cost
          </th>
          <th scope="col" title="Residual after the iteration, in the measure of the solver">
            Residual
          </th>
          <th scope="col" title="Length of the step along the direction; 1 is the whole of it">
            Step
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.slice(first).map(([cost, residual, step], k) => (
          <tr key={first + k}>
            <td>{first + k + 1}</td>
            <td>{formatCost(cost)}</td>
            <td>{formatScientific(residual)}</td>
            <td>{formatScientific(step)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Costs differ in their last digits: eight of them. */
function formatCost(cost: number): string {
  return cost.toPrecision(8).replace('e+', 'e').replaceAll('-', '−');
}

/** Cost, residual and step of each iteration of an island. */
function readEntries({ islands, entries }: TraceFrame, rank: number): [number, number, number][] {
  let before = 0;
  for (let k = 0; k < rank; k++) before += islands[ISLAND_WIDTH * k + 1]!;
  return Array.from({ length: islands[ISLAND_WIDTH * rank + 1] ?? 0 }, (_, k) => {
    const o = ENTRY_WIDTH * (before + k);
    return [entries[o]!, entries[o + 1]!, entries[o + 2]!];
  });
}
