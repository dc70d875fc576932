/**
 * NexDyn and MuJoCo on one file: numbers of the compiled models that differ, the first step after which positions are apart, and where that
 * comes from. Both take every step up to it from the same state, MuJoCo's: of the one that differs most, contacts and forces are compared.
 */
import { comparePairs } from '../agree/contact-difference.ts';
import { type ModelRecord, planTimes, type StateRecord } from '../agree/model-record.ts';
import type { OwnModel } from '../agree/own-model.ts';
import type { Peer } from '../agree/peer.ts';
import type { SolverEnd } from './first-difference.ts';
import type { FieldDifference } from './model-difference.ts';

/** Relative difference below which numbers are the same. */
const SAME = 1e-9;

export interface EngineDifference {
  step: number;
  /** s. */
  time: number;
  joint: string;
  /** Of joint positions after the step, m or rad. */
  distance: number;
  /** Of the step that differs most where both start from the same state: its number, and how far apart it ends, m or rad. */
  source: { step: number; distance: number };
  /** `distance`: of points, m, normals or gaps, where both have as many. */
  pairs: { pair: string; first: string; second: string; distance?: number }[];
  /** Of joints, in the state before that step, N or N m. */
  forces: { joint: string; source: string; first: number; second: number }[];
  solver: SolverEnd;
}

export interface EngineComparison {
  engine: string;
  fields: FieldDifference[];
  difference: EngineDifference | undefined;
  /** Why motions were not compared. */
  note: string | undefined;
}

export interface ComparedFile {
  own: OwnModel;
  peer: Peer;
  file: string;
  root: string;
}

/** Runs both for so many seconds, coarsely first, then step by step where they part by more than a distance, m or rad. */
export async function explainEngines(
  { own, peer, file, root }: ComparedFile,
  seconds: number,
  tolerance: number,
): Promise<EngineComparison> {
  const coarse = { times: planTimes(seconds) };
  const record = await peer(file, root, coarse);
  const { engine } = record;
  const fields = listFields(own, record);
  const shared = ['nq', 'nv', 'nu', 'na', 'nmocap'] as const;
  if (shared.some((name) => own.sizes[name] !== record.sizes[name]))
    return { engine, fields, difference: undefined, note: 'positions differ in number, so motions were not compared' };
  const found = findApart(own.run(coarse), record.states, tolerance);
  if (found < 0) return { engine, fields, difference: undefined, note: undefined };
  // every step from the last state that was the same, and that one
  const h = record.timestep;
  const [from, to] = [record.states[found - 1]?.step ?? 0, record.states[found]!.step];
  const times = Array.from({ length: to - from + 1 }, (_, k) => (from + k) * h);
  const { states } = await peer(file, root, { times });
  const positions = own.run({ times });
  const first = Math.max(0, findApart(positions, states, tolerance));
  return { engine, fields, difference: describe(own, record, states, positions, first), note: undefined };
}

function findApart(ours: readonly number[][], states: readonly StateRecord[], tolerance: number): number {
  return states.findIndex(({ qpos }, k) => !(measure(ours[k]!, qpos).distance <= tolerance));
}

function measure(ours: readonly number[], theirs: readonly number[]): { distance: number; place: number } {
  let found = { distance: 0, place: 0 };
  for (const [place, value] of theirs.entries()) {
    const distance = Math.abs(ours[place]! - value);
    if (!(distance <= found.distance)) found = { distance, place };
  }
  return found;
}

function describe(
  own: OwnModel,
  record: ModelRecord,
  states: readonly StateRecord[],
  positions: readonly number[][],
  k: number,
): EngineDifference {
  const { joint, size, dof } = own.model;
  const after = states[k]!;
  const { distance, place } = measure(positions[k]!, after.qpos);
  const steps = own.stepFrom(states.slice(0, Math.max(1, k)));
  const apart = steps.map(({ position }, i) => (k === 0 ? 0 : measure(position, states[i + 1]!.qpos).distance));
  const worst = apart.reduce((most, value, i) => (value > apart[most]! ? i : most), 0);
  const before = states[worst]!;
  const [evaluation] = own.evaluate([before]);
  const nameJoint = (j: number): string => joint.name[j] || `joint ${j}`;
  const owner = Array.from({ length: size.joint }, (_, j) => j).findLast((j) => joint.positionStart[j]! <= place) ?? 0;
  const nameGeom = (geom: number): string => record.geoms[geom] || `${record.geomKinds[geom] ?? 'flex'} ${geom}`;
  const pairs = comparePairs(evaluation!.contacts, before.contacts)
    .filter(({ agrees }) => !agrees)
    .sort((a, b) => b.difference - a.difference)
    .map(({ geom1, geom2, difference }) => ({
      pair: `${nameGeom(geom1)} and ${nameGeom(geom2)}`,
      first: describeContacts(evaluation!.contacts, geom1, geom2),
      second: describeContacts(before.contacts, geom1, geom2),
      ...(Number.isFinite(difference) && { distance: difference }),
    }));
  const nameDof = (d: number): string => {
    const j = dof.joint[d]!;
    const isOnly = dof.joint[d - 1] !== j && dof.joint[d + 1] !== j;
    return isOnly ? nameJoint(j) : `${nameJoint(j)}, dof ${d - joint.dofStart[j]!}`;
  };
  const forces = (['smoothForce', 'constraintForce'] as const).flatMap((key) => {
    const [ours, theirs] = [evaluation![key], before[key]];
    const scale = Math.max(...theirs.map(Math.abs), 1e-12);
    return theirs
      .map((second, d) => ({ joint: nameDof(d), source: SOURCES[key], first: ours[d]!, second }))
      .filter(({ first, second }) => !(Math.abs(first - second) <= SAME * scale))
      .sort((a, b) => Math.abs(b.first - b.second) - Math.abs(a.first - a.second));
  });
  return {
    step: after.step,
    time: after.time,
    joint: nameJoint(owner),
    distance,
    source: { step: before.step + 1, distance: apart[worst]! },
    pairs,
    forces,
    solver: steps[worst]!.solver,
  };
}

const SOURCES = { smoothForce: 'all but contacts and limits', constraintForce: 'contacts and limits' } as const;

function describeContacts(contacts: StateRecord['contacts'], geom1: number, geom2: number): string {
  const own = contacts.filter(({ geom1: a, geom2: b }) => (a === geom1 && b === geom2) || (a === geom2 && b === geom1));
  if (own.length === 0) return 'no contact';
  const deepest = own.reduce((least, { distance }) => Math.min(least, distance), Infinity);
  const points = own.length === 1 ? '1 point' : `${own.length} points`;
  return `${points}, the deepest at ${Number(deepest.toPrecision(4))} m`;
}

function listFields(own: OwnModel, record: ModelRecord): FieldDifference[] {
  const found: FieldDifference[] = [];
  for (const [name, theirs] of Object.entries(record.sizes)) {
    const ours = own.sizes[name as keyof ModelRecord['sizes']];
    if (ours !== theirs) found.push({ field: name, first: String(ours), second: String(theirs) });
  }
  const { model } = own;
  const bodies = (i: number): string => model.body.name[i] || `body ${i}`;
  compare('mass', own.mass, record.mass, bodies, 1, found);
  compare('principal inertia', own.inertia, record.inertia, bodies, 3, found);
  const names: Record<string, (i: number) => string> = {
    jnt: (i) => model.joint.name[i] || `joint ${i}`,
    dof: (i) => model.joint.name[model.dof.joint[i]!] || `dof ${i}`,
    geom: (i) => model.shape.name[i] || `geom ${i}`,
    actuator: (i) => model.actuator.name[i] || `actuator ${i}`,
  };
  const counts: Record<string, number> = {
    jnt: model.size.joint,
    dof: model.size.velocity,
    geom: model.size.shape,
    actuator: model.size.actuator,
  };
  for (const [name, ours] of Object.entries(own.fields)) {
    const theirs = record.fields[name as keyof ModelRecord['fields']];
    const group = name.split('_')[0]!;
    // free joints and balls have no axis, joints without limits no range
    const isMeant = (i: number): boolean =>
      (name !== 'jnt_axis' || model.joint.kind[i]! >= 2) && (name !== 'jnt_range' || model.joint.limited[i] === 1);
    if (theirs?.length === ours.length)
      compare(name, ours, theirs, names[group]!, ours.length / counts[group]!, found, isMeant);
  }
  return found;
}

function compare(
  field: string,
  ours: readonly number[],
  theirs: readonly number[],
  nameOwner: (i: number) => string,
  width: number,
  found: FieldDifference[],
  isMeant: (i: number) => boolean = () => true,
): void {
  if (ours.length !== theirs.length) return;
  for (let i = 0; i < ours.length; i += width) {
    const [a, b] = [ours.slice(i, i + width), theirs.slice(i, i + width)];
    const scale = Math.max(...b.map(Math.abs), 1e-15);
    if (!isMeant(i / width) || a.every((value, k) => Math.abs(value - b[k]!) <= SAME * scale)) continue;
    found.push({ field: `${field} of ${nameOwner(i / width)}`, first: show(a), second: show(b) });
  }
}

function show(values: readonly number[]): string {
  return values.map((value) => String(Number(value.toPrecision(9)))).join(' ');
}
