import { setImmediate as yieldToEvents } from 'node:timers/promises';
import {
  type DeepContact,
  type DeepContacts,
  type RefusedStatus,
  type Simulation,
  type StepReport,
  type TakenStatus,
  wasTaken,
} from '@nexdyn/engine';
import type { Recorder } from '@nexdyn/formats';
import { type ContactTally, createTally, tallyContacts } from '@nexdyn/formats';
import type { Progress } from '../progress.ts';
import { collectNames } from './contradiction-list.ts';
import type { ProblemDump } from './problem-dump.ts';
import type { RunPlan } from './run-plan.ts';
import { type StepTally, tallySteps } from './step-tally.ts';

/** How a run ended. */
export type RunStatus = 'completed' | 'not-converged' | 'diverged' | 'unstable' | 'timed-out' | 'interrupted';

/** What happened during a run. */
export interface RunOutcome {
  status: RunStatus;
  /** Steps taken. */
  steps: number;
  /** Time spent in steps and recording, s. */
  wallTime: number;
  /** Steps that did not meet their tolerance. */
  unconvergedSteps: number;
  /** Steps taken, by how their solve ended. */
  statuses: Record<TakenStatus, number>;
  /** Sum of the iterations of all steps. */
  iterations: number;
  /** Most iterations of a step. */
  mostIterations: number;
  /** Largest residual of all steps. */
  worstResidual: number;
  /** Where steps are error-controlled. */
  controlled?: StepTally;
  /** Shortest of the longest stable time steps that the formulation estimated, s, where it does and something touched. */
  stableStep?: number;
  /** Of all steps: most contacts, deepest penetration (m), largest sum of normal forces (N). */
  contacts: ContactTally;
  /** Of the last step that was taken, or of the start. */
  lastContacts: ContactTally;
  /** The first number that was not finite, where the run diverged. */
  nonFinite?: NonNullable<StepReport['nonFinite']>;
  /** Energy without a cause, where the run became unstable. */
  energyGain?: NonNullable<StepReport['energyGain']>;
  /** What contradicted each other in steps that were infeasible. */
  contradiction?: string[];
  /** Joints, equalities and limits that steps left open which stalled for them. */
  open?: string[];
  /** Pairs that overlapped by more than a tenth of the thinner body, the worst first. */
  deepContacts?: DeepContact[];
  /** Attachments of soft bodies that broke, and when, s. */
  broken?: { attachment: string; time: number }[];
  /** What the last step was doing when its time was up. */
  timeout?: NonNullable<StepReport['timeout']>;
}

/** Keeps where a run stands, from time to time. */
export interface RunSaver {
  /** Time between two checkpoints, s. */
  interval: number;
  save(outcome: RunOutcome): void;
}

/** A checkpoint is followed by so many times the time that it took, at least: a slow disk, or very many frames, must not stop a run. */
const CHECKPOINT_REST = 10;

/** Time between two looks at signals, ms. */
const LOOK_INTERVAL = 50;

/** Steps a simulation through a plan; a signal or a step that could not be taken ends it early, at the end of a frame. */
export async function stepThrough(
  simulation: Simulation,
  plan: RunPlan,
  {
    recorder,
    progress,
    signal,
    dump,
    saver,
    pictures,
    deep,
    from,
  }: {
    recorder?: Recorder;
    progress: Progress;
    signal: AbortSignal;
    dump?: ProblemDump;
    saver?: RunSaver;
    pictures?: { take(): void };
    deep?: DeepContacts;
    /** What had happened before the checkpoint from which the run goes on. */
    from?: RunOutcome;
  },
): Promise<RunOutcome> {
  const outcome: RunOutcome = from ?? {
    status: 'completed',
    steps: 0,
    wallTime: 0,
    unconvergedSteps: 0,
    statuses: { converged: 0, 'iteration-limit': 0, stalled: 0, infeasible: 0 },
    iterations: 0,
    mostIterations: 0,
    worstResidual: 0,
    contacts: createTally(),
    lastContacts: tallyContacts(simulation, createTally()),
  };
  const start = performance.now() - 1000 * outcome.wallTime;
  let lastLook = performance.now();
  let nextSave = lastLook + 1000 * (saver?.interval ?? 0);
  let refusal: RefusedStatus | undefined;
  let isInterrupted = false;
  if (!from) recorder?.record(simulation, 0);
  pictures?.take();
  while (outcome.steps < plan.steps && !refusal && !isInterrupted) {
    // one frame
    const begin = outcome.steps;
    const end = Math.min(begin + plan.every, plan.steps);
    while (outcome.steps < end) {
      refusal = countStep(outcome, simulation.step(), simulation);
      if (refusal) break;
      deep?.look();
      dump?.afterStep(outcome.steps);
      pictures?.take();
      countContacts(outcome.contacts, tallyContacts(simulation, outcome.lastContacts));
    }
    if (outcome.steps > begin) recorder?.record(simulation, outcome.steps);
    // let signals in, and tell how far it is
    const now = performance.now();
    if (now - lastLook > LOOK_INTERVAL) {
      lastLook = now;
      await yieldToEvents();
      progress.update(outcome.steps / plan.steps, `${simulation.time.toFixed(2)} s simulated`);
    }
    isInterrupted = signal.aborted && outcome.steps < plan.steps;
    if (saver && !refusal && (isInterrupted || now >= nextSave)) {
      outcome.wallTime = (now - start) / 1000;
      if (deep) keepDeepest(outcome, deep.found);
      saver.save(outcome);
      const end = performance.now();
      nextSave = Math.max(now + 1000 * saver.interval, end + CHECKPOINT_REST * (end - now));
    }
  }
  outcome.wallTime = (performance.now() - start) / 1000;
  if (deep) keepDeepest(outcome, deep.found);
  const end = isInterrupted ? 'interrupted' : outcome.unconvergedSteps > 0 ? 'not-converged' : 'completed';
  outcome.status = refusal ?? end;
  progress.finish();
  return outcome;
}

/** Adds a step to the outcome; why it was not taken, where it was not. */
function countStep(
  outcome: RunOutcome,
  report: StepReport,
  { time }: Pick<Simulation, 'time'>,
): RefusedStatus | undefined {
  const { stableStep = Infinity } = report;
  if (stableStep < (outcome.stableStep ?? Infinity)) outcome.stableStep = stableStep;
  if (!wasTaken(report.status)) {
    const { nonFinite, energyGain, timeout } = report;
    Object.assign(outcome, nonFinite && { nonFinite }, energyGain && { energyGain }, timeout && { timeout });
    return report.status;
  }
  outcome.steps++;
  const controlled = tallySteps(outcome.controlled, report);
  if (controlled) outcome.controlled = controlled;
  const contradiction = collectNames(outcome.contradiction, report.contradiction);
  if (contradiction) outcome.contradiction = contradiction;
  const open = collectNames(outcome.open, report.open);
  if (open) outcome.open = open;
  for (const attachment of report.broken ?? []) {
    outcome.broken ??= [];
    outcome.broken.push({ attachment, time });
  }
  outcome.statuses[report.status]++;
  outcome.iterations += report.iterations;
  outcome.mostIterations = Math.max(outcome.mostIterations, report.iterations);
  outcome.worstResidual = Math.max(outcome.worstResidual, report.residual);
  if (report.status !== 'converged') outcome.unconvergedSteps++;
  return undefined;
}

/** Adds pairs to those that were found before, as before a checkpoint. */
function keepDeepest(outcome: RunOutcome, found: readonly DeepContact[]): void {
  const deepest = new Map(outcome.deepContacts?.map((contact) => [contact.names, contact]));
  for (const contact of found) {
    if (contact.share > (deepest.get(contact.names)?.share ?? 0)) deepest.set(contact.names, contact);
  }
  if (deepest.size > 0) outcome.deepContacts = [...deepest.values()].sort((a, b) => b.share - a.share);
}

/** Keeps the largest of each number. */
function countContacts(worst: ContactTally, step: ContactTally): void {
  worst.count = Math.max(worst.count, step.count);
  worst.penetration = Math.max(worst.penetration, step.penetration);
  worst.normalForce = Math.max(worst.normalForce, step.normalForce);
}
