/** Steps, and the state before and after them. */
import { Ruler, type StepReport } from '@nexdyn/engine';
import { Interrupt } from '../interrupt.ts';
import type { OpenSimulation, Session } from '../session.ts';
import type { Operation } from './operations.ts';

/** A request that may bring a state that the client has changed. */
export interface StateRequest {
  readonly sim: number;
  readonly state?: Float64Array;
}

interface StepRequest extends StateRequest {
  readonly n: number;
  /** File by which the client asks to end early. */
  readonly interrupt?: string;
}

/** The simulation of a request, with the state that it brings. */
export function enter(session: Session, { sim, state }: StateRequest): OpenSimulation {
  const opened = session.get('simulation', sim);
  if (state) {
    const { simulation } = opened;
    const snapshot = simulation.snapshot();
    snapshot.set(state);
    simulation.restore(snapshot);
  }
  return opened;
}

function step(session: Session, request: StepRequest): object {
  const { simulation, ruler } = enter(session, request);
  const interrupt = new Interrupt(request.interrupt);
  let done = 0;
  let report = simulation.report;
  // one call where nothing is measured between steps and nobody may interrupt
  if (request.n === 1 && !ruler) report = simulation.step();
  else {
    for (; done < request.n; done++) {
      report = simulation.step();
      ruler?.measure();
      if (!isTaken(report) || interrupt.isDue()) break;
    }
  }
  const steps = request.n === 1 ? 1 : Math.min(done + 1, request.n);
  return describeStep(report, steps, simulation.state.all);
}

/** What a client learns of steps: the report of the last, how many there were, and the state after them. */
export function describeStep(report: StepReport, steps: number, stateAfter: Float64Array): object {
  return { ...describeReport(report), steps, stateAfter };
}

function isTaken({ status }: StepReport): boolean {
  return status !== 'diverged' && status !== 'unstable' && status !== 'timed-out';
}

/** A report without its trace. */
function describeReport(report: StepReport): object {
  const { trace: _, steps, ...rest } = report;
  return { ...rest, ...(steps && { history: steps }) };
}

function reset(session: Session, request: StateRequest & { keyframe?: string | number | null }): object {
  const { simulation } = enter(session, request);
  simulation.reset(request.keyframe);
  return { stateAfter: simulation.state.all };
}

export const STEP_OPERATIONS: Readonly<Record<string, Operation>> = {
  step,
  reset,
  forward(session, request: StateRequest) {
    const { simulation } = enter(session, request);
    simulation.forward();
    return { stateAfter: simulation.state.all };
  },
  snapshot: (session, request: StateRequest) => enter(session, request).simulation.snapshot(),
  restore(session, request: StateRequest & { snapshot: Float64Array }) {
    const { simulation } = enter(session, request);
    // the bytes of a request are overwritten by the next
    simulation.restore(Float64Array.from(request.snapshot));
    return { stateAfter: simulation.state.all };
  },
  hash: (session, request: StateRequest) => enter(session, request).simulation.hash(),
  measure(session, request: StateRequest & { on: boolean }) {
    const opened = enter(session, request);
    opened.ruler = request.on ? new Ruler(opened.simulation) : undefined;
  },
  metrics(session, request: StateRequest) {
    const { ruler } = enter(session, request);
    return ruler && { last: ruler.last, summary: ruler.summarize() };
  },
};
