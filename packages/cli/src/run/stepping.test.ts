import type { Simulation, StepReport } from '@nexdyn/engine';
import type { Recorder, Touching } from '@nexdyn/formats';
import { describe, expect, test, vi } from 'vitest';
import { stepThrough } from './stepping.ts';

const REPORT: Omit<StepReport, 'trace'> = {
  status: 'converged',
  iterations: 2,
  residual: 1e-9,
  nonFinite: undefined,
  energyGain: undefined,
  timeout: undefined,
  contradiction: undefined,
};

/** Step n has n contacts, of which the first is n mm deep and carries n newtons, and the rest nothing. */
function touch(n: number): Touching {
  const set = { count: n, gap: new Float64Array(n + 3), force: new Float64Array(6 * (n + 3)) };
  set.gap.fill(-99, n);
  set.force.fill(99, 6 * n);
  if (n > 0) set.gap[0] = -0.001 * n;
  if (n > 0) set.force[0] = n;
  return { formulation: { usesContacts: true }, solvedContacts: set } as unknown as Touching;
}

/** A simulation that only counts, with a report of choice for each step, and a recorder of its times. */
function createFake(reportOf: (step: number) => Partial<StepReport>) {
  const fake = { time: 0, calls: 0 };
  const simulation = {
    get time() {
      return fake.time;
    },
    formulation: { usesContacts: true },
    get solvedContacts() {
      return touch(fake.calls % 8).solvedContacts;
    },
    step() {
      const report = { ...REPORT, ...reportOf(fake.calls++) };
      if (report.status !== 'diverged') fake.time += 1;
      return report;
    },
  } as unknown as Simulation;
  const times: number[] = [];
  const recorder: Recorder = {
    record: ({ time }) => void times.push(time),
    finish: () => ({ name: '', time: new Float64Array(times), columns: [] }),
    save: () => ({
      time: new Float64Array(0),
      data: [],
      hashes: [],
      contacts: { splits: new Float64Array(1), rows: new Float64Array(0) },
    }),
    load: () => {},
    hashes: [],
  };
  return { simulation, recorder, times };
}

const progress = { update: () => {}, finish: () => {} };
const { signal } = new AbortController();

describe('stepping', () => {
  test('records the start, every n-th step and the end', async () => {
    const { simulation, recorder, times } = createFake(() => ({}));
    const plan = { steps: 10, every: 4, frames: 4 };
    const outcome = await stepThrough(simulation, plan, { recorder, progress, signal });
    expect(times).toEqual([0, 4, 8, 10]);
    expect(outcome).toMatchObject({ status: 'completed', steps: 10, iterations: 20, worstResidual: 1e-9 });
    expect(outcome.statuses).toEqual({ converged: 10, 'iteration-limit': 0, stalled: 0, infeasible: 0 });
  });

  test('checkpoints that take long are rare: a tenth of the time, whatever their interval', async () => {
    let clock = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
    try {
      // a step of 1 ms, a checkpoint of 100 ms every 5 ms: the next one comes 1 s after the end of the last
      const { simulation } = createFake(() => {
        clock++;
        return {};
      });
      const saved: number[] = [];
      const save = ({ steps }: { steps: number }): void => {
        saved.push(steps);
        clock += 100;
      };
      await stepThrough(
        simulation,
        { steps: 3500, every: 1, frames: 3501 },
        { progress, signal, saver: { interval: 0.005, save } },
      );
      expect(saved).toEqual([5, 1005, 2005, 3005]);
    } finally {
      now.mockRestore();
    }
  });

  test('of the contacts of all steps the largest numbers are kept', async () => {
    const { simulation } = createFake(() => ({}));
    const outcome = await stepThrough(simulation, { steps: 5, every: 1, frames: 6 }, { progress, signal });
    expect(outcome.contacts).toEqual({ count: 5, penetration: 0.005, normalForce: 5 });
    const longer = await stepThrough(simulation, { steps: 10, every: 1, frames: 11 }, { progress, signal });
    expect(longer.contacts).toEqual({ count: 7, penetration: 0.007, normalForce: 7 });
  });

  test('iterations are summed, and the most of a step is kept', async () => {
    const { simulation } = createFake((step) => ({ iterations: step === 3 ? 9 : 1 }));
    const outcome = await stepThrough(simulation, { steps: 6, every: 1, frames: 7 }, { progress, signal });
    expect(outcome).toMatchObject({ iterations: 14, mostIterations: 9 });
  });

  test('a step that does not converge is counted and the run goes on', async () => {
    const { simulation } = createFake((step) => (step % 5 === 0 ? { status: 'iteration-limit', residual: 0.1 } : {}));
    const outcome = await stepThrough(simulation, { steps: 10, every: 1, frames: 11 }, { progress, signal });
    expect(outcome).toMatchObject({ status: 'not-converged', steps: 10, unconvergedSteps: 2, worstResidual: 0.1 });
    expect(outcome.statuses).toEqual({ converged: 8, 'iteration-limit': 2, stalled: 0, infeasible: 0 });
  });

  test('a step that diverges is not taken, not recorded, and ends the run', async () => {
    const nonFinite = { quantity: 'velocity', index: 3, name: 'hip' };
    const diverge = (at: number) => createFake((step) => (step === at ? { status: 'diverged', nonFinite } : {}));
    const middle = diverge(6);
    const plan = { steps: 10, every: 4, frames: 4 };
    const outcome = await stepThrough(middle.simulation, plan, { recorder: middle.recorder, progress, signal });
    expect(outcome).toMatchObject({ status: 'diverged', steps: 6, nonFinite });
    // contacts at the end are those of the sixth step, not of the one that was not taken
    expect(outcome.lastContacts).toEqual({ count: 6, penetration: 0.006, normalForce: 6 });
    expect(middle.times).toEqual([0, 4, 6]);
    const border = diverge(8);
    await stepThrough(border.simulation, plan, { recorder: border.recorder, progress, signal });
    expect(border.times).toEqual([0, 4, 8]);
  });

  test('an interrupt ends the run at the end of a frame', async () => {
    const controller = new AbortController();
    const { simulation, recorder, times } = createFake((step) => {
      if (step === 5) controller.abort();
      return {};
    });
    const plan = { steps: 100, every: 4, frames: 26 };
    const outcome = await stepThrough(simulation, plan, { recorder, progress, signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'interrupted', steps: 8 });
    expect(times).toEqual([0, 4, 8]);
  });
});
