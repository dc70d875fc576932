/** Controls and joints that a user sets, as changes of the state: with these a run is repeated to the last bit. */
import type { Simulation, StateFieldName } from '@nexdyn/engine';
import { listScalarJoints } from './driven-parts.ts';
import { poseJoint } from './pose-joint.ts';

/** A number that the user sets. */
export interface Drive {
  kind: 'control' | 'joint';
  /** Of the actuator; of the joint among hinges and slides. */
  index: number;
  value: number;
}

/** Numbers of the state that are set before a step; they stay until something changes them. */
export interface Write {
  kind: 'write';
  /** Steps taken before it. */
  step: number;
  field: StateFieldName;
  /** Place of the first number in the field. */
  start: number;
  values: number[];
}

/** A drive as it was noted: when, and what it did to the state. */
export interface NotedDrive extends Drive {
  step: number;
  writes: readonly Write[];
}

/** What controls and joints are at. */
export interface DriveReadout {
  controls: number[];
  joints: number[];
}

/** Fields that a joint may change. */
const POSED: readonly StateFieldName[] = ['position', 'velocity', 'hingeAngle'];

/** What a drive does to the state before a step. The state itself is left as it is. */
export function planDrive(simulation: Simulation, { kind, index, value }: Drive, step: number): Write[] {
  const { state } = simulation;
  if (kind === 'control') {
    return index < state.control.length
      ? [{ kind: 'write', step, field: 'control', start: index, values: [value] }]
      : [];
  }
  const before = simulation.snapshot();
  const old = POSED.map((field) => state[field].slice());
  poseJoint(simulation, index, value);
  const writes = POSED.flatMap((field, k) =>
    listChanges(old[k]!, state[field]).map((change) => ({ kind: 'write' as const, step, field, ...change })),
  );
  simulation.restore(before);
  return writes;
}

/** Makes changes of the state, so that everything derived from it is brought up to date. */
export function applyWrites(simulation: Simulation, writes: readonly Write[]): void {
  if (writes.length === 0) return;
  for (const { field, start, values } of writes) simulation.state[field].set(values, start);
  simulation.restore(simulation.snapshot());
}

export function readDrives(simulation: Simulation): DriveReadout {
  return {
    controls: Array.from(simulation.state.control),
    joints: listScalarJoints(simulation.model).map((joint) => simulation.jointPosition(joint)),
  };
}

/** Runs of numbers that differ. */
function listChanges(before: Float64Array, after: Float64Array): Run[] {
  const changed = Array.from(after, (value, i) => [i, value] as const);
  return listRuns(changed.filter(([i, value]) => !Object.is(before[i], value)));
}

interface Run {
  start: number;
  values: number[];
}

/** Places and numbers, ascending, as runs without gaps. */
function listRuns(numbers: readonly (readonly [number, number])[]): Run[] {
  const runs: Run[] = [];
  for (const [i, value] of numbers) {
    const last = runs.at(-1);
    if (last && last.start + last.values.length === i) last.values.push(value);
    else runs.push({ start: i, values: [value] });
  }
  return runs;
}
