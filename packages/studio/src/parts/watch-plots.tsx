import type { JSX } from 'preact';
import { styleRun } from '../comparison/run-style.ts';
import { roomyRange } from '../log-ticks.ts';
import { Icon } from '../panels/icon.tsx';
import { Swatch } from '../panels/swatch.tsx';
import { TimePlot } from '../panels/time-plot.tsx';
import { formatRound, formatShort } from '../quantity.ts';
import type { Quantity } from '../session/inspect/quantity-key.ts';
import type { Studio } from '../studio.ts';

/** Plots of numbers that the user chose, each over all runs side by side. */
export function WatchPlots({ studio }: { studio: Studio }): JSX.Element {
  // what a lesson measures has a plot of its own
  const watches = studio.watches.value.filter(({ key }) => !key.startsWith('formula:'));
  return (
    <section class="watches" aria-label="Plots of parts">
      <h2>Plots of parts</h2>
      {watches.map((quantity) => (
        <WatchPlot key={quantity.key} studio={studio} quantity={quantity} />
      ))}
    </section>
  );
}

function WatchPlot({ studio, quantity }: { studio: Studio; quantity: Quantity }): JSX.Element {
  void studio.historyVersion.value;
  const { key, label, unit } = quantity;
  const { watchCurves } = studio;
  const runs = studio.comparison.value?.runs.filter(({ scene }) => scene).map(({ formulation }) => formulation) ?? [''];
  const curves = runs.map((run) => ({
    label: run || label,
    ...(run ? styleRun(run) : { color: '--accent', dash: [] }),
  }));
  const at = studio.hoverTime.value ?? studio.frame.value?.time ?? 0;
  const place = watchCurves.times.findLastIndex((time) => time <= at + 1e-9);
  const format = (value: number): string => (value === 0 ? `0 ${unit}`.trim() : formatRound(value, unit));
  return (
    <div class="chosen-plot" data-watched={key}>
      <h3>
        {label} <span class="unit">{unit}</span>
        <button
          type="button"
          class="button plain"
          title={`Remove the plot of ${label}`}
          aria-label={`Remove the plot of ${label}`}
          onClick={() => studio.toggleWatch(quantity)}
        >
          <Icon name="close" />
        </button>
      </h3>
      <ul class="legend compared">
        {runs.map((run, i) => {
          const value = watchCurves.column(key, run)[place];
          return (
            <li
              key={run}
              title={`${label}${run && ` under ${run}`}, at the time under the pointer, or at the time shown`}
            >
              <Swatch {...curves[i]!} />
              <span>{run || 'value'}</span>
              <output data-role={`watch-${key}${run && `-${run}`}`}>
                {typeof value === 'number' ? formatShort(value, unit).trim() : '–'}
              </output>
            </li>
          );
        })}
      </ul>
      <TimePlot
        key={runs.join()}
        studio={studio}
        name={label}
        label={label}
        title={`${label} over simulated time`}
        height={118}
        curves={curves}
        data={() => [watchCurves.times, ...runs.map((run) => watchCurves.column(key, run))]}
        range={roomyRange}
        formatTick={format}
      />
    </div>
  );
}
