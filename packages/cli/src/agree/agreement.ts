/** One model in two engines: what is the same, what is not, and the first difference. */
import { comparePairs } from './contact-difference.ts';
import { type ModelRecord, type RecordPlan, SIZES } from './model-record.ts';
import type { OwnModel } from './own-model.ts';

/**
 * Largest differences that count as agreement: relative, of compiled numbers and of forces that an iteration finds (MuJoCo stops it when the
 * cost falls by less than 1e-8, which leaves the square root of that); m or rad, of positions.
 */
const TOLERANCE = { compiled: 1e-9, solver: 1e-4, position: 1e-6 } as const;

/** One line of the comparison. */
export interface AgreementRow {
  what: string;
  ours: string;
  theirs: string;
  /** Largest difference, relative to the largest number or in the unit that is named; undefined where it was not measured. */
  difference: number | undefined;
  unit: string;
  agrees: boolean;
  /** Where the difference is largest, or why there is none. */
  note: string;
}

/** How often pairs of two kinds of geoms have the same contacts. */
export interface PairCount {
  pairs: number;
  same: number;
}

/** The comparison of one file. */
export interface Agreement {
  engine: string;
  rows: AgreementRow[];
  /** By kinds of geoms, as in `box-mesh`. */
  pairs: Record<string, PairCount>;
  /** Largest differences of joint positions, m or rad; undefined where they cannot be compared. */
  early: number | undefined;
  late: number | undefined;
}

/** Compares a model with the record of another engine. */
export function compareModels(own: OwnModel, peer: ModelRecord, plan: RecordPlan): Agreement {
  const rows = [compareSizes(own, peer)];
  const agreement: Agreement = { engine: peer.engine, rows, pairs: {}, early: undefined, late: undefined };
  const { sizes } = own;
  if (sizes.nbody === peer.sizes.nbody) {
    rows.push(compareBodies('masses', 'kg', own.mass, peer.mass, peer.bodies, 1));
    rows.push(compareBodies('principal inertias', 'kg m²', own.inertia, peer.inertia, peer.bodies, 3));
  }
  const isSame = (['nq', 'nv', 'nu', 'na', 'nmocap'] as const).every((name) => sizes[name] === peer.sizes[name]);
  if (!isSame) return agreement;

  const run = own.run(plan);
  rows.push(comparePositions('start', run[0]!, peer.states[0]!.qpos));
  const evaluated = own.evaluate(peer.states);
  if (sizes.ngeom === peer.sizes.ngeom) rows.push(compareContacts(evaluated, peer, agreement.pairs));
  const collect = (key: 'smoothForce' | 'constraintForce'): [number[], number[]] => [
    evaluated.flatMap((state) => state[key]),
    peer.states.flatMap((state) => state[key]),
  ];
  rows.push(compareScaled('smooth forces', ...collect('smoothForce'), TOLERANCE.compiled, sizes.nv));
  rows.push(compareScaled('constraint forces', ...collect('constraintForce'), TOLERANCE.solver, sizes.nv));
  if (sizes.nsensordata > 0 && sizes.nsensordata === peer.sizes.nsensordata) rows.push(compareSensors(evaluated, peer));
  const last = plan.times.length - 1;
  const tenth = plan.times.findIndex((time) => time >= 0.1 - 1e-12);
  for (const index of new Set([tenth < 0 ? last : tenth, last])) {
    const row = comparePositions(`position at ${plan.times[index]} s`, run[index]!, peer.states[index]!.qpos);
    rows.push(row);
    if (index === tenth) agreement.early = row.difference;
    if (index === last) agreement.late = row.difference;
  }
  return agreement;
}

/** The first line that does not agree, in a few words; '' where all agree. */
export function nameFirstDifference({ rows }: Pick<Agreement, 'rows'>): string {
  const row = rows.find(({ agrees }) => !agrees);
  return row ? `${row.what}: ${row.note}` : '';
}

function compareSizes({ sizes }: OwnModel, peer: ModelRecord): AgreementRow {
  const different = SIZES.filter((name) => sizes[name] !== peer.sizes[name]);
  const list = (values: ModelRecord['sizes']): string =>
    (different.length > 0 ? different : (['nq', 'nv', 'nu', 'nbody', 'ngeom'] as const))
      .map((name) => `${name} ${values[name]}`)
      .join(', ');
  return {
    what: 'sizes',
    ours: list(sizes),
    theirs: list(peer.sizes),
    difference: different.length,
    unit: '',
    agrees: different.length === 0,
    note: different.map((name) => `${name} ${sizes[name]}, not ${peer.sizes[name]}`).join('; '),
  };
}

function compareBodies(
  what: string,
  unit: string,
  ours: readonly number[],
  theirs: readonly number[],
  names: readonly string[],
  width: number,
): AgreementRow {
  let worst = 0;
  let place = 0;
  for (const [i, value] of theirs.entries()) {
    // each against the largest of its own body
    const body = theirs.slice(i - (i % width), i - (i % width) + width);
    const scale = Math.max(...body.map(Math.abs), 1e-15);
    const error = Math.abs(ours[i]! - value) / scale;
    if (error > worst) [worst, place] = [error, i];
  }
  const sum = (values: readonly number[]): string => format(values.reduce((total, value) => total + value, 0));
  const body = Math.floor(place / width);
  const agrees = worst <= TOLERANCE.compiled;
  const note = agrees
    ? ''
    : `body ${names[body] || body} has ${format(ours[place]!)} ${unit}, not ${format(theirs[place]!)}`;
  return { what, ours: sum(ours), theirs: sum(theirs), difference: worst, unit: 'relative', agrees, note };
}

function comparePositions(what: string, ours: readonly number[], theirs: readonly number[]): AgreementRow {
  const { worst, place } = findWorst(ours, theirs);
  const agrees = worst <= TOLERANCE.position;
  const show = (values: readonly number[]): string => (values.length > 0 ? format(values[place]!) : '');
  const note = agrees ? '' : `qpos[${place}] is off by ${format(worst)} m or rad`;
  return { what, ours: show(ours), theirs: show(theirs), difference: worst, unit: 'm, rad', agrees, note };
}

function compareScaled(
  what: string,
  ours: readonly number[],
  theirs: readonly number[],
  tolerance: number,
  width: number,
): AgreementRow {
  const { worst, place } = findWorst(ours, theirs);
  const scale = Math.max(1e-15, ...theirs.map(Math.abs));
  const difference = worst / scale;
  const agrees = difference <= tolerance;
  const show = (values: readonly number[]): string => (values.length > 0 ? format(values[place]!) : '');
  const where = width > 0 ? `dof ${place % width} in state ${Math.floor(place / width)}` : '';
  const note = agrees ? '' : `${where}: ${show(ours)}, not ${show(theirs)}`;
  return { what, ours: show(ours), theirs: show(theirs), difference, unit: 'relative', agrees, note };
}

/** Each sensor against the largest number that it reads in all states. */
function compareSensors(evaluated: readonly { sensors: number[] }[], peer: ModelRecord): AgreementRow {
  let worst = 0;
  let note = '';
  let start = 0;
  let differing = 0;
  for (const [s, { name, dimension }] of peer.sensors.entries()) {
    const read = (states: readonly { sensors: number[] }[]): number[] =>
      states.flatMap(({ sensors }) => sensors.slice(start, start + dimension));
    const [ours, theirs] = [read(evaluated), read(peer.states)];
    start += dimension;
    const { worst: error, place } = findWorst(ours, theirs);
    const difference = error / Math.max(1e-9, ...theirs.map(Math.abs));
    if (difference > TOLERANCE.solver) {
      differing++;
      note ||= `${name || `sensor ${s}`} in state ${Math.floor(place / dimension)}: ${format(ours[place]!)}, not ${format(theirs[place]!)}`;
    }
    worst = Math.max(worst, difference);
  }
  return {
    what: 'sensors',
    ours: `${peer.sensors.length - differing} agree`,
    theirs: `${peer.sensors.length}`,
    difference: worst,
    unit: 'relative',
    agrees: differing === 0,
    note,
  };
}

function compareContacts(
  evaluated: readonly Pick<ModelRecord['states'][number], 'contacts'>[],
  peer: ModelRecord,
  counts: Record<string, PairCount>,
): AgreementRow {
  let ours = 0;
  let theirs = 0;
  let total = 0;
  let same = 0;
  let worst = 0;
  let note = '';
  const nameGeom = (geom: number): string => peer.geoms[geom] || `${peer.geomKinds[geom]} ${geom}`;
  for (const [k, state] of peer.states.entries()) {
    for (const pair of comparePairs(evaluated[k]!.contacts, state.contacts)) {
      const kinds = [pair.geom1, pair.geom2].map((geom) => peer.geomKinds[geom] ?? 'flex').sort();
      const count = (counts[kinds.join('-')] ??= { pairs: 0, same: 0 });
      count.pairs++;
      total++;
      ours += pair.ours;
      theirs += pair.theirs;
      if (pair.difference < Infinity) worst = Math.max(worst, pair.difference);
      if (pair.agrees) {
        count.same++;
        same++;
        continue;
      }
      const how =
        pair.ours === pair.theirs
          ? `points differ by ${format(pair.difference)}`
          : `${pair.ours} contacts, not ${pair.theirs}`;
      note ||= `${nameGeom(pair.geom1)} and ${nameGeom(pair.geom2)} at ${format(state.time)} s: ${how}`;
    }
  }
  return {
    what: `contacts in ${peer.states.length} states`,
    ours: `${ours}`,
    theirs: `${theirs}`,
    difference: total - same,
    unit: `of ${total} pairs`,
    agrees: same === total,
    note: same === total ? '' : `${note}; largest ${format(worst)}`,
  };
}

function findWorst(ours: readonly number[], theirs: readonly number[]): { worst: number; place: number } {
  let worst = 0;
  let place = 0;
  for (const [i, value] of theirs.entries()) {
    const difference = Math.abs(ours[i]! - value);
    // not a number is the worst there is
    if (difference > worst || Number.isNaN(difference)) {
      [worst, place] = [Number.isNaN(difference) ? Infinity : difference, i];
      if (worst === Infinity) break;
    }
  }
  return { worst, place };
}

/** A number with four digits. */
export function format(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return String(Number(value.toPrecision(4)));
}
