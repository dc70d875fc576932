import { type FormulationAbilities, findFormulation } from '@nexdyn/engine';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { formatPower, logRange, logTicks } from '../log-ticks.ts';
import { formatRound, formatShort } from '../quantity.ts';
import type { SampleField } from '../session/sample.ts';
import type { Studio } from '../studio.ts';
import { CurveValue } from './curve-value.tsx';
import { saveCurves, savePlots } from './plot-export.ts';
import { Swatch } from './swatch.tsx';
import { type Curve, TimePlot } from './time-plot.tsx';

interface PlotKind {
  id: string;
  label: string;
  /** Hover text. */
  title: string;
  /** Empty for pure numbers. */
  unit: string;
  /** What a formulation must do to have it. */
  needs?: keyof FormulationAbilities;
  /** What a value is multiplied by before it is shown in its unit. */
  scale?: number;
  /** `unit` where it is not that of the plot. */
  curves: readonly (Curve & { field: SampleField; unit?: string })[];
}

/** Curves that not everybody looks at, in colours and dashes that are told apart without colours. */
const PLOTS: readonly PlotKind[] = [
  {
    id: 'momentum',
    label: 'Momentum',
    title: 'Size of the linear momentum (N s = kg m/s) and of the angular momentum about the origin (N m s = kg m²/s)',
    unit: '',
    curves: [
      { field: 'momentum', label: 'Linear', color: '--plot-kinetic', unit: 'N s' },
      { field: 'angularMomentum', label: 'Angular', color: '--plot-potential', dash: [6, 4], unit: 'N m s' },
    ],
  },
  {
    id: 'penetration',
    label: 'Worst penetration',
    title: 'Worst penetration of a step, in metres',
    unit: 'm',
    curves: [{ field: 'depth', label: 'Worst penetration', color: '--plot-residual' }],
  },
  {
    id: 'distance',
    label: 'Distance',
    title: 'Smallest gap between surfaces, in metres (ipc)',
    unit: 'm',
    needs: 'keepsDistance',
    curves: [{ field: 'distance', label: 'Distance', color: '--plot-residual' }],
  },
  {
    id: 'collisionFreeStep',
    label: 'Collision-free step',
    title: 'Collision-free fraction of the last Newton step (ipc); 1 is the full step',
    unit: '',
    needs: 'keepsDistance',
    curves: [{ field: 'collisionFreeStep', label: 'Collision-free step', color: '--plot-iterations' }],
  },
  {
    id: 'contacts',
    label: 'Contacts',
    title: 'Largest number of contact points of a step',
    unit: '',
    curves: [{ field: 'contacts', label: 'Contacts', color: '--plot-iterations' }],
  },
  {
    id: 'phases',
    label: 'Time per phase',
    title: 'Computation time per step in each phase, in seconds',
    unit: 's',
    scale: 1e-3,
    curves: [
      { field: 'kinematics', label: 'Kinematics', color: '--run-mujoco' },
      { field: 'freeMotion', label: 'Free motion', color: '--run-sap', dash: [8, 3] },
      { field: 'collision', label: 'Collision', color: '--run-ccp', dash: [2, 3] },
      { field: 'solve', label: 'Solve', color: '--run-ipc', width: 2 },
      { field: 'integrate', label: 'Integrate', color: '--plot-total', dash: [8, 3, 2, 3] },
    ],
  },
];

/** Plots to choose from, with a linear or a logarithmic axis, and files of what is plotted. */
export function PlotPanel({ studio }: { studio: Studio }): JSX.Element {
  const open = useSignal<ReadonlySet<string>>(new Set());
  const isLogarithmic = useSignal(false);
  const toggle = (id: string): void => {
    const next = new Set(open.value);
    if (!next.delete(id)) next.add(id);
    open.value = next;
  };
  const { facts } = studio.scene.value ?? {};
  const abilities = facts && findFormulation(facts.formulation).resolves;
  const plots = PLOTS.filter(({ needs }) => needs === undefined || abilities?.[needs]);
  return (
    <div class="plots">
      <div class="chips">
        {plots.map(({ id, label, title }) => (
          <button
            key={id}
            type="button"
            class="chip"
            data-plot-choice={id}
            title={title}
            aria-pressed={open.value.has(id)}
            onClick={() => toggle(id)}
          >
            {label}
          </button>
        ))}
      </div>
      {plots
        .filter(({ id }) => open.value.has(id))
        .map((plot) => (
          <ChosenPlot key={plot.id} studio={studio} plot={plot} isLogarithmic={isLogarithmic.value} />
        ))}
      <div class="chips tools">
        <button
          type="button"
          class="chip"
          title="Logarithmic value axes"
          aria-pressed={isLogarithmic.value}
          data-role="log-scale"
          onClick={() => {
            isLogarithmic.value = !isLogarithmic.value;
          }}
        >
          Log scale
        </button>
        <button
          type="button"
          class="chip"
          title="Save all curves of the run as a CSV file, with units"
          data-role="save-csv"
          onClick={() => saveCurves(studio)}
        >
          Save CSV
        </button>
        <button
          type="button"
          class="chip"
          title="Save all visible plots as one picture"
          data-role="save-png"
          onClick={() => void savePlots(studio)}
        >
          Save PNG
        </button>
      </div>
    </div>
  );
}

interface ChosenPlotProps {
  studio: Studio;
  plot: PlotKind;
  isLogarithmic: boolean;
}

function ChosenPlot({ studio, plot, isLogarithmic }: ChosenPlotProps): JSX.Element {
  const { history } = studio;
  const { id, label, title, unit, scale = 1, curves } = plot;
  const read = (field: SampleField): (number | null)[] =>
    history.columns[field].map((value) => (value === null || (isLogarithmic && value <= 0) ? null : value * scale));
  return (
    <div class="chosen-plot">
      <h3 title={title}>
        {label} <span class="unit">{unit}</span>
      </h3>
      <ul class="legend">
        {curves.map((curve) => (
          <li key={curve.field} title={`${curve.label}: at the time under the pointer, or now`}>
            <Swatch color={curve.color} dash={curve.dash} />
            <span>{curve.label}</span>
            <CurveValue
              studio={studio}
              column={() => history.columns[curve.field]}
              format={(value) => describeValue(value * scale, curve.unit ?? unit)}
            />
          </li>
        ))}
      </ul>
      <TimePlot
        studio={studio}
        name={id}
        label={unit ? `${label}, ${unit}` : label}
        title={`${title}, over simulated time in seconds`}
        height={120}
        curves={curves.map((curve) => (curve.unit ? { ...curve, label: `${curve.label}, ${curve.unit}` } : curve))}
        data={() => [history.time, ...curves.map(({ field }) => read(field))]}
        range={isLogarithmic ? logRange : linearRange}
        formatTick={isLogarithmic ? formatPower : (value) => (value === 0 ? `0 ${unit}` : formatRound(value, unit))}
        isLogarithmic={isLogarithmic}
        {...(isLogarithmic && { ticks: logTicks })}
      />
    </div>
  );
}

function describeValue(value: number, unit: string): string {
  if (unit !== '') return formatShort(value, unit);
  // counts are shown to the last one
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(3)));
}

/** From zero up where nothing is negative; room above the curves. */
function linearRange(min: number, max: number): [number, number] {
  if (min === null || max === null || !(max > 0 || min < 0)) return [0, 1];
  return [Math.min(0, 1.06 * min), Math.max(1.06 * max, 1e-12)];
}
