import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatPower, formatScientific, logRange, logTicks } from '../log-ticks.ts';
import type { Status } from '../session/solve-frame.ts';
import type { Studio } from '../studio.ts';
import { ConvergenceFold } from './convergence-fold.tsx';
import { ConvergenceView } from './convergence-view.tsx';
import { CurveValue } from './curve-value.tsx';
import { STATUS_WORDS } from './status-words.ts';
import { Swatch } from './swatch.tsx';
import { TimePlot } from './time-plot.tsx';

/** Iterations and residual over time, how the last step ended, and on demand its course. */
export function SolverPanel({ studio }: { studio: Studio }): JSX.Element {
  const { history } = studio;
  return (
    <section class="solver" aria-label="Solver">
      <h2>
        Solver <StatusBadge studio={studio} />
      </h2>
      <ul class="legend">
        <li title="Iterations of the last step, the largest of all islands">
          <Swatch color="--plot-iterations" />
          <span>Iterations</span>
          <CurveValue
            studio={studio}
            mark="iterations"
            column={() => history.columns.iterations}
            now={() => studio.frame.value?.solve.iterations}
            format={String}
          />
        </li>
        <li title="Residual at which the last step stopped, as its solver defines it; the worst of all islands">
          <Swatch color="--plot-residual" />
          <span>Residual</span>
          <CurveValue
            studio={studio}
            mark="residual"
            column={() => history.columns.residual}
            now={() => studio.frame.value?.solve.residual}
            format={formatScientific}
          />
        </li>
        <li title="Steps of this run that ended before reaching their tolerance">
          <i class="dot" style={{ background: 'var(--bad)' }} />
          <span>Not converged</span>
          <Unconverged studio={studio} />
        </li>
      </ul>
      <TimePlot
        studio={studio}
        title="Iterations per step over simulated time; dots are steps that did not converge"
        height={104}
        label="Iterations"
        curves={[
          { label: 'Iterations', color: '--plot-iterations' },
          { label: 'Not converged', color: '--bad', dots: true },
        ]}
        data={() => [history.time, history.columns.iterations, history.unconverged]}
        range={(_, max) => [0, Math.max(4, Math.ceil(1.1 * (max ?? 0)))]}
        ticks={countTicks}
        formatTick={String}
      />
      <TimePlot
        studio={studio}
        title="Worst residual over simulated time, logarithmic; gaps mean that there was nothing to solve"
        height={116}
        label="Residual"
        curves={[{ label: 'Residual', color: '--plot-residual' }]}
        data={() => [history.time, history.columns.residual]}
        range={logRange}
        ticks={logTicks}
        formatTick={formatPower}
        isLogarithmic
      />
      <ConvergenceFold studio={studio} open="This step, iteration by iteration" close="Hide the iterations">
        <ConvergenceView studio={studio} />
      </ConvergenceFold>
    </section>
  );
}

/** How the last step ended. */
function StatusBadge({ studio }: { studio: Studio }): JSX.Element | null {
  const status = useComputed<Status | undefined>(() => studio.stop.value?.reason ?? studio.frame.value?.solve.status);
  if (!status.value) return null;
  const { label, title } = STATUS_WORDS[status.value];
  return (
    <output class={`status ${status.value}`} title={title} data-role="status">
      {label}
    </output>
  );
}

function Unconverged({ studio }: { studio: Studio }): JSX.Element {
  const text = useComputed(() => String(studio.frame.value?.unconverged ?? 0));
  return <output data-role="unconverged">{text}</output>;
}

/** Whole numbers, at most four. */
function countTicks(_: number, high: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => high / size <= 3.5) ?? 1000;
  return Array.from({ length: Math.floor(high / step) + 1 }, (_, i) => i * step);
}
