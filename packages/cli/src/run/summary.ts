import type { DeepContact, Simulation } from '@nexdyn/engine';
import type { ContactTally, UnsupportedItem } from '@nexdyn/formats';
import { formatCount } from '../counted-noun.ts';
import { escapeName } from '../terminal-text.ts';
import type { Balance } from './balance.ts';
import type { RunOutcome, RunStatus } from './stepping.ts';

/** Energy in joules. */
export interface Energy {
  kinetic: number;
  potential: number;
  total: number;
}

/** What a run came to. */
export interface Summary {
  scene: string;
  formulation: string;
  status: RunStatus;
  /** Simulated time at the end, s. */
  time: number;
  steps: number;
  /** s. */
  wallTime: number;
  stepsPerSecond: number;
  /** Simulated seconds per second of wall time. */
  realTimeFactor: number;
  energy: {
    start: Energy;
    end: Energy;
    /** Change of the total, J. */
    drift: number;
  };
  unconvergedSteps: number;
  /** Steps by how their solve ended. */
  statuses: RunOutcome['statuses'];
  /** Error-controlled steps; null where steps are as long as the time step. */
  controlled: RunOutcome['controlled'] | null;
  /** Estimate of the longest stable time step, the shortest of the run, s; null where the formulation has no such bound, or nothing touched. */
  stableStep: number | null;
  /** Sum over all steps. */
  iterations: number;
  mostIterations: number;
  worstResidual: number;
  /** Numbers of contacts, penetration (m) and sum of normal forces (N); null where the formulation does not resolve contacts. */
  contacts: {
    /** The largest of each over all steps. */
    most: ContactTally;
    /** Of the last step. */
    end: ContactTally;
  } | null;
  /** Sum of forces in a further step against weight and momentum; null where the formulation gives no contact forces. */
  balance: Balance | null;
  /** Hash of the final state; the same on every machine. */
  finalHash: string;
  /** What is not finite, where the run diverged. */
  nonFinite: RunOutcome['nonFinite'] | null;
  /** Energy without a cause and where it is, where the run became unstable. */
  energyGain: RunOutcome['energyGain'] | null;
  /** Joints, equalities, limits and contacts that contradicted each other in infeasible steps. */
  contradiction: readonly string[] | null;
  /** Joints, equalities and limits that steps left open which stalled for them. */
  open: readonly string[] | null;
  /** Pairs that overlapped by more than a tenth of the thinner body, the worst first: depth m, when s. */
  deepContacts: readonly DeepContact[];
  /** Attachments of soft bodies that broke, and when, s. */
  broken: NonNullable<RunOutcome['broken']>;
  /** What the last step was doing when its time was up. */
  timeout: RunOutcome['timeout'] | null;
  /** Physics of the scene that this version does not resolve. */
  unresolved: readonly string[];
  /** What the file holds that the scene does not. */
  unsupported: readonly UnsupportedItem[];
}

export function createSummary(
  simulation: Simulation,
  run: {
    outcome: RunOutcome;
    startTime: number;
    startEnergy: Energy;
    unresolved: readonly string[];
    unsupported: readonly UnsupportedItem[];
    balance?: Balance | undefined;
  },
): Summary {
  const { outcome } = run;
  const end = simulation.energy();
  const rate = (amount: number): number => (outcome.wallTime > 0 ? amount / outcome.wallTime : 0);
  return {
    scene: simulation.model.name,
    formulation: simulation.formulation.id,
    status: outcome.status,
    time: simulation.time,
    steps: outcome.steps,
    wallTime: outcome.wallTime,
    stepsPerSecond: rate(outcome.steps),
    realTimeFactor: rate(simulation.time - run.startTime),
    energy: { start: run.startEnergy, end, drift: end.total - run.startEnergy.total },
    unconvergedSteps: outcome.unconvergedSteps,
    statuses: outcome.statuses,
    controlled: outcome.controlled ?? null,
    stableStep: outcome.stableStep ?? null,
    iterations: outcome.iterations,
    mostIterations: outcome.mostIterations,
    worstResidual: outcome.worstResidual,
    contacts: simulation.formulation.usesContacts ? { most: outcome.contacts, end: outcome.lastContacts } : null,
    finalHash: simulation.hash(),
    balance: run.balance ?? null,
    nonFinite: outcome.nonFinite ?? null,
    energyGain: outcome.energyGain ?? null,
    contradiction: outcome.contradiction ?? null,
    open: outcome.open ?? null,
    deepContacts: outcome.deepContacts ?? [],
    broken: outcome.broken ?? [],
    timeout: outcome.timeout ?? null,
    unresolved: run.unresolved,
    unsupported: run.unsupported,
  };
}

/** The summary for people. */
export function formatSummary(summary: Summary): string {
  const { energy } = summary;
  const rows: [string, string][] = [
    ['scene', `${summary.scene || '(unnamed)'}, formulation ${summary.formulation}`],
    ['status', summary.status],
    ['time', `${formatNumber(summary.time)} s in ${formatCount(summary.steps, 'step')}`],
    ['speed', `${formatNumber(summary.stepsPerSecond)} steps/s, ${formatNumber(summary.realTimeFactor)} x real time`],
    ['energy', `${formatNumber(energy.start.total)} J -> ${formatNumber(energy.end.total)} J`],
    ['drift', `${formatNumber(energy.drift)} J`],
    ['solver', describeSolver(summary)],
    ...describeControl(summary),
    ...describeStability(summary),
    ...describeContacts(summary),
    ...describeBalance(summary),
    ['hash', summary.finalHash],
  ];
  return rows.map(([name, value]) => `${name.padEnd(10)}${escapeName(value)}\n`).join('');
}

/** Iterations, residual and how many steps did not converge. */
function describeSolver({ steps, iterations, mostIterations, worstResidual, statuses }: Summary): string {
  if (steps === 0) return 'no step was taken';
  const mean = iterations / steps;
  const missed = (['iteration-limit', 'stalled', 'infeasible'] as const)
    .filter((status) => statuses[status] > 0)
    .map((status) => `${statuses[status]} ${status}`);
  return [
    `${formatNumber(mean)} iterations per step, at most ${mostIterations}`,
    `residual at most ${formatNumber(worstResidual)}`,
    missed.length > 0 ? missed.join(', ') : steps === 1 ? '1 step converged' : `all ${steps} steps converged`,
  ].join('; ');
}

function describeControl({ controlled }: Summary): [string, string][] {
  if (!controlled) return [];
  const { steps, rejected, shortest, longest, error, unmet } = controlled;
  const missed = unmet > 0 ? `; not met in ${formatCount(unmet, 'interval')}` : '';
  const lengths = `${formatNumber(shortest)} to ${formatNumber(longest)} s`;
  return [
    ['accuracy', `error at most ${formatNumber(error)} m or rad in a step${missed}`],
    ['lengths', `${formatCount(steps, 'step')} of ${lengths}, ${rejected} taken back`],
  ];
}

function describeStability({ stableStep }: Summary): [string, string][] {
  return stableStep === null ? [] : [['stable', `time steps up to ${formatNumber(stableStep)} s, by estimate`]];
}

function describeContacts({ contacts }: Summary): [string, string][] {
  if (!contacts) return [['contacts', 'not resolved']];
  const { most, end } = contacts;
  return [
    ['contacts', `${end.count} at the end, at most ${most.count}`],
    [
      'depth',
      `${formatNumber(1000 * end.penetration)} mm at the end, at most ${formatNumber(1000 * most.penetration)} mm`,
    ],
    [
      'force',
      `${formatNumber(end.normalForce)} N at the end, at most ${formatNumber(most.normalForce)} N (sum of normal forces)`,
    ],
  ];
}

function describeBalance({ balance }: Summary): [string, string][] {
  if (!balance) return [];
  const show = (force: readonly number[]): string =>
    force.map((value) => formatNumber(Number(value.toFixed(6)))).join(' ');
  const { contacts, weight, momentum, rest } = balance;
  const sums = `contacts with the world ${show(contacts)} N, weight ${show(weight)} N, momentum ${show(momentum)} N`;
  return [['balance', `${sums}; carried otherwise ${show(rest)} N`]];
}

/** Six digits, without trailing zeros. */
export function formatNumber(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);
}
