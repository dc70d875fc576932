/**
 * Refinement in the time step: where the marks of bodies (`readMarks` of the engine) are at the end, x_h, for steps h, h/r, h/r², ...
 *   change e_k = |x_k − x_{k+1}|       observed order p = log(e_k/e_{k+1})/log r      distance to the finest |x_k − x_last|
 * A method of order p halves 2^p-fold; contact is of order 1 at best where bodies hit each other.
 */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { type FormulationId, NexdynError, readMarks, wasTaken } from '@nexdyn/engine';
import { type CompareSetting, countSteps, type RunHooks, startFormulation } from './formulation-run.ts';
import { measureDistance } from './trajectory-difference.ts';

export interface RefinementLevel {
  /** s. */
  timestep: number;
  /** Distance to the finest level at the end, m; NaN where a run could not go on. */
  error: number;
  /** Order observed from this level and the two finer ones; NaN where there are none or nothing changes. */
  order: number;
}

/** Distances below this are round-off, m. */
const ROUND_OFF = 1e-12;
const LOOK_INTERVAL = 50;

/** Runs all steps sizes but the first, whose end is known. */
export async function refine(
  formulation: FormulationId,
  setting: CompareSetting,
  timesteps: readonly number[],
  firstEnd: Float64Array,
  hooks: RunHooks,
): Promise<RefinementLevel[]> {
  const ends: (Float64Array | undefined)[] = [firstEnd];
  const seconds = findEndTime(setting.seconds, timesteps[0]!);
  const work = timesteps.slice(1).map((timestep) => 1 / timestep);
  const total = work.reduce((sum, part) => sum + part, 0);
  let done = 0;
  for (const [k, timestep] of timesteps.slice(1).entries()) {
    const share = work[k]! / total;
    const end = await findEnd(formulation, { ...setting, seconds }, timestep, {
      ...hooks,
      update: (fraction) => hooks.update(done + share * fraction),
    });
    ends.push(end);
    done += share;
    if (hooks.signal.aborted) break;
  }
  return listLevels(timesteps.slice(0, ends.length), ends);
}

/** When the run with the coarsest step ends, s: all others end there, or they would be apart by where time took them. */
export function findEndTime(seconds: number, coarsest: number): number {
  return countSteps(seconds, coarsest) * coarsest;
}

/** The first step that does not lead to the end of the coarsest run. */
export function findMisfit(seconds: number, timesteps: readonly number[]): number | undefined {
  const end = findEndTime(seconds, timesteps[0]!);
  return timesteps.find((timestep) => Math.abs(countSteps(end, timestep) * timestep - end) > 1e-6 * timestep);
}

/** Errors and orders from the ends of all levels, coarsest first. */
export function listLevels(
  timesteps: readonly number[],
  ends: readonly (Float64Array | undefined)[],
): RefinementLevel[] {
  const finest = ends.at(-1);
  const apart = (a: Float64Array | undefined, b: Float64Array | undefined): number =>
    a && b ? measureDistance(a, b) : Number.NaN;
  return timesteps.map((timestep, k) => {
    const ratio = timestep / timesteps[k + 1]!;
    const next = timesteps[k + 1]! / timesteps[k + 2]!;
    const coarse = apart(ends[k], ends[k + 1]);
    const fine = apart(ends[k + 1], ends[k + 2]);
    const isMeaningful = Math.abs(ratio / next - 1) < 1e-6 && coarse > ROUND_OFF && fine > ROUND_OFF;
    return {
      timestep,
      error: k === timesteps.length - 1 ? Number.NaN : apart(ends[k], finest),
      order: isMeaningful ? Math.log(coarse / fine) / Math.log(ratio) : Number.NaN,
    };
  });
}

async function findEnd(
  formulation: FormulationId,
  setting: CompareSetting,
  timestep: number,
  hooks: RunHooks,
): Promise<Float64Array | undefined> {
  try {
    const simulation = startFormulation(formulation, setting, timestep);
    const steps = countSteps(setting.seconds, timestep);
    let lastLook = performance.now();
    for (let n = 1; n <= steps; n++) {
      if (!wasTaken(simulation.step().status)) return undefined;
      const now = performance.now();
      if (now - lastLook < LOOK_INTERVAL) continue;
      lastLook = now;
      hooks.update(n / steps);
      await yieldToEvents();
      if (hooks.signal.aborted) return undefined;
    }
    return readMarks(simulation);
  } catch (error) {
    if (error instanceof NexdynError) return undefined;
    throw error;
  }
}
