import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { formatScientific } from '../log-ticks.ts';
import { ISLAND_WIDTH, STATUSES, type TraceFrame } from '../session/solve-frame.ts';
import type { Studio } from '../studio.ts';
import { CourseChart } from './course-chart.tsx';
import { type Iteration, readIterations, relateCosts, relateResiduals } from './solve-course.ts';
import { STATUS_WORDS } from './status-words.ts';
import { Swatch } from './swatch.tsx';

/** Time between two drawings while the scene runs, ms: numbers that change with each picture cannot be read. */
const REFRESH = 300;
/** Iterations that are listed; of more the last ones are. */
const ROWS = 30;

/** The course of the last step: its islands, and cost, residual and step length of each iteration of one of them. */
export function ConvergenceView({ studio }: { studio: Studio }): JSX.Element {
  const trace = useSlowTrace(studio);
  const [chosen, setChosen] = useState(0);
  if (!trace || trace.total === 0) return <p class="remark">The last step had nothing to solve.</p>;
  const count = trace.islands.length / ISLAND_WIDTH;
  const rank = Math.min(chosen, count - 1);
  const entries = readIterations(trace, rank);
  return (
    <div class="convergence">
      <IslandTable trace={trace} chosen={rank} onChoose={setChosen} />
      {trace.total > count && (
        <p class="remark">
          The {count} hardest of {trace.total} islands.
        </p>
      )}
      <IslandCourse iterations={entries} />
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
          <th scope="col" title="Groups of bodies that constraints connect; each is solved separately">
            Island
          </th>
          <th scope="col" title="Number of unknowns">
            DoF
          </th>
          <th scope="col" title="Iterations">
            Iter.
          </th>
          <th scope="col" title="Residual at the end, as the solver defines it">
            Residual
          </th>
          <th scope="col" title="How the solve of the island ended">
            Ended
          </th>
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

/** Residual and cost after each iteration, as parts of the first. */
function IslandCourse({ iterations }: { iterations: readonly Iteration[] }): JSX.Element | null {
  if (iterations.length < 2) return null;
  const numbers = iterations.map(({ number }) => number);
  return (
    <>
      <ul class="legend">
        <li title="Residual after the iteration, relative to the first">
          <Swatch color="--plot-residual" />
          <span>Residual</span>
        </li>
        <li title="Cost above the lowest value of the solve, relative to the first">
          <Swatch color="--plot-iterations" dash={COST_DASH} />
          <span>Cost above minimum</span>
        </li>
      </ul>
      <CourseChart
        width={280}
        height={120}
        label="Residual, and cost above the lowest value, after each iteration, relative to the first"
        courses={[
          { key: 'residual', color: '--plot-residual', iterations: numbers, values: relateResiduals(iterations) },
          {
            key: 'cost',
            color: '--plot-iterations',
            dash: COST_DASH,
            iterations: numbers,
            values: relateCosts(iterations),
          },
        ]}
      />
    </>
  );
}

const COST_DASH = [5, 3];

/** One row per iteration. */
function EntryTable({ entries }: { entries: readonly Iteration[] }): JSX.Element | null {
  if (entries.length === 0) return <p class="remark">The warm start was already a solution: no iterations.</p>;
  const rows = entries.slice(-ROWS);
  return (
    <table class="entries">
      {rows.length < entries.length && (
        <caption>
          Iterations {rows[0]!.number} to {rows.at(-1)!.number}; the plot shows all.
        </caption>
      )}
      <thead>
        <tr>
          <th scope="col" title="Iteration">
            #
          </th>
          <th scope="col" title="Value of the objective after the iteration">
            Cost
          </th>
          <th scope="col" title="Residual after the iteration, as the solver defines it">
            Residual
          </th>
          <th scope="col" title="Step length along the direction; 1 is the full step">
            Step
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ number, cost, residual, step }) => (
          <tr key={number} title={`Iteration ${number}: cost, residual and length of the step`}>
            <td>{number}</td>
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
