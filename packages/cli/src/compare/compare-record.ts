import { type FormulationId, METRIC_NAMES, METRICS, type MetricName, PHASES } from '@nexdyn/engine';
import type { StepTally } from '../run/step-tally.ts';
import type { CompareStatus, FormulationRun } from './formulation-run.ts';
import type { RefinementLevel } from './refinement.ts';
import type { Difference } from './trajectory-difference.ts';

/** One formulation of a comparison, as a program reads it. Numbers that have no meaning are null. */
export interface CompareRecord {
  scene: string;
  formulation: FormulationId;
  status: CompareStatus;
  /** Why it does not apply, or why a step could not be taken. */
  reason: string | null;
  unresolved: readonly string[];
  /** What contradicted each other in infeasible steps. */
  contradiction: readonly string[] | null;
  coordinates: string | null;
  /** s. */
  timestep: number | null;
  /** Simulated, s. */
  time: number | null;
  steps: number;
  /** Error-controlled steps, where there are. */
  controlled?: StepTally;
  /** Steps by how their solve ended. */
  statuses: Record<string, number>;
  metrics: Record<MetricName, MetricRecord> | null;
  cost: CostRecord | null;
  /** J. */
  energy: EnergyRecord | null;
  /** Options of the formulation, as it ran. */
  formulationOptions: Readonly<Record<string, unknown>>;
  /** Distance to the first formulation that ran. */
  difference: { unit: 'm'; from: FormulationId; max: number | null; final: number | null } | null;
  refinement: { unit: 'm'; levels: { timestep: number; error: number | null; order: number | null }[] } | null;
  finalHash: string | null;
}

export interface MetricRecord {
  label: string;
  unit: string;
  max: number | null;
  mean: number | null;
  last: number | null;
}

export interface EnergyRecord {
  unit: 'J';
  placed: number;
  start: number;
  end: number;
  /** Change from the start. */
  drift: number;
  /** The same less the work of actuators, applied forces and moving surfaces: above 0, it came from nothing. */
  unexplained: number;
}

export interface CostRecord {
  /** Per step. */
  stepTime: { unit: 'ms'; value: number };
  realTimeFactor: { unit: '1'; value: number };
  phases: { unit: 'ms' } & Record<string, number | string>;
}

/** A run with what was found by comparing it. */
export interface ComparedRun extends FormulationRun {
  difference?: Difference & { from: FormulationId };
  refinement?: RefinementLevel[];
}

export function describeRun(scene: string, run: ComparedRun): CompareRecord {
  const { result, difference, refinement } = run;
  const none = { coordinates: null, timestep: null, time: null, steps: 0, statuses: {}, metrics: null, cost: null };
  return {
    scene,
    formulation: run.formulation,
    status: run.status,
    reason: run.reason ?? null,
    unresolved: run.unresolved,
    contradiction: run.contradiction ?? null,
    ...(result
      ? {
          coordinates: result.coordinates,
          timestep: result.timestep,
          time: result.time,
          steps: result.summary.steps,
          statuses: result.summary.statuses,
          metrics: describeMetrics(result.summary.metrics),
          ...(result.controlled && { controlled: result.controlled }),
          cost: describeCost(result),
        }
      : none),
    energy: result
      ? {
          unit: 'J',
          ...result.energy,
          drift: result.energy.end - result.energy.start,
          unexplained: result.summary.energyDrift,
        }
      : null,
    formulationOptions: { ...result?.simulation.model.options.formulations[run.formulation] },
    difference: difference
      ? { unit: 'm', from: difference.from, max: orNull(difference.max), final: orNull(difference.final) }
      : null,
    refinement: refinement
      ? {
          unit: 'm',
          levels: refinement.map(({ timestep, error, order }) => ({
            timestep,
            error: orNull(error),
            order: orNull(order),
          })),
        }
      : null,
    finalHash: result?.simulation.hash() ?? null,
  };
}

function describeMetrics(
  metrics: NonNullable<FormulationRun['result']>['summary']['metrics'],
): Record<MetricName, MetricRecord> {
  const entries = METRIC_NAMES.map((name) => {
    const { unit, max, mean, last } = metrics[name];
    return [name, { label: METRICS[name].label, unit, max: orNull(max), mean: orNull(mean), last: orNull(last) }];
  });
  return Object.fromEntries(entries) as Record<MetricName, MetricRecord>;
}

function describeCost({ stepTime, time, summary }: NonNullable<FormulationRun['result']>): CostRecord {
  return {
    stepTime: { unit: 'ms', value: (1000 * stepTime) / Math.max(1, summary.steps) },
    realTimeFactor: { unit: '1', value: stepTime > 0 ? time / stepTime : 0 },
    phases: { unit: 'ms', ...Object.fromEntries(PHASES.map((phase) => [phase, summary.phases[phase]])) },
  };
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
