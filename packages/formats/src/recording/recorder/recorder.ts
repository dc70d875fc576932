import { JOINT, type JointForce, type Model, type Simulation, type SolveStatus } from '@nexdyn/engine';
import { nameTerms, type TermEnergy } from '@nexdyn/engine/terms';
import type { Recording } from '../recording.ts';
import { ContactRows, type SavedRows } from './contact-rows.ts';
import { createTally, tallyContacts } from './contact-tally.ts';
import { type FrameHash, hashFrame } from './frame-hashes.ts';
import { labelControls, labelPositions, labelReadings, labelVelocities, type StateLabel } from './state-labels.ts';

/** Numbers that represent the status of a solve in a recording. */
export const STATUS_NUMBER: Readonly<Record<SolveStatus, number>> = {
  converged: 0,
  'iteration-limit': 1,
  stalled: 2,
  diverged: 3,
  infeasible: 4,
  unstable: 5,
  'timed-out': 6,
};

type Column = Recording['columns'][number];

/** One quantity of a frame: where its numbers come from. */
interface Channel {
  name: string;
  unit: string;
  units?: string[];
  width: number;
  labels?: string[];
  read(simulation: Simulation): ArrayLike<number>;
}

/** The frames of a recorder so far, for a checkpoint. */
export interface RecordedFrames {
  /** s. */
  time: Float64Array;
  /** Numbers of each quantity. */
  data: Float64Array[];
  /** Of the states. */
  hashes: FrameHash[];
  /** Contacts with their forces. */
  contacts: SavedRows;
}

/** Keeps frames of a simulation in memory. */
export interface Recorder {
  /** Keeps the present state, so many steps after the start. */
  record(simulation: Simulation, step: number): void;
  /** What was kept so far; poses of bodies and vertices of soft bodies only where asked for. */
  finish(options: { bodies: boolean }): Recording;
  /** What was kept so far. */
  save(): RecordedFrames;
  /** Goes on from what was kept before. */
  load(frames: RecordedFrames): void;
  /** Hash of the state of each frame. */
  readonly hashes: readonly FrameHash[];
}

/** Numbers in one frame, time included. */
export function countFrameNumbers(model: Model): number {
  return 1 + listChannels(model).reduce((sum, channel) => sum + channel.width, 0);
}

/** A recorder with room for so many frames. */
export function createRecorder(model: Model, frames: number): Recorder {
  const channels = listChannels(model);
  const time = new Float64Array(frames);
  const data = channels.map((channel) => new Float64Array(frames * channel.width));
  const hashes: FrameHash[] = [];
  const contacts = new ContactRows();
  let count = 0;
  return {
    hashes,
    record(simulation, step) {
      hashes.push(hashFrame(simulation, step));
      time[count] = simulation.time;
      channels.forEach((channel, index) => {
        data[index]!.set(channel.read(simulation), count * channel.width);
      });
      contacts.add(simulation);
      count++;
    },
    save: () => ({
      time: time.subarray(0, count),
      data: data.map((rows, index) => rows.subarray(0, count * channels[index]!.width)),
      hashes: [...hashes],
      contacts: contacts.save(),
    }),
    load(frames) {
      count = frames.time.length;
      time.set(frames.time);
      for (const [index, rows] of frames.data.entries()) data[index]!.set(rows);
      hashes.splice(0, hashes.length, ...frames.hashes);
      contacts.load(frames.contacts);
    },
    finish({ bodies }) {
      const columns = channels.map((channel, index): Column => {
        const { name, unit, units, width, labels } = channel;
        const rows = data[index]!.subarray(0, count * width);
        return { name, unit, ...(units && { units }), width, data: rows, ...(labels && { labels }) };
      });
      const kept = bodies ? columns : columns.filter((column) => !/^(body|soft)[A-Z]/.test(column.name));
      return {
        name: model.name,
        time: time.subarray(0, count),
        columns: kept,
        ...(model.size.shape + model.size.softBody > 0 && { ragged: [contacts.finish()] }),
      };
    },
  };
}

/** Names and units of numbers; a unit each where they differ. */
function describeLabels(labels: readonly StateLabel[]): Pick<Channel, 'unit' | 'units' | 'labels'> {
  const units = labels.map(({ unit }) => unit);
  const distinct = [...new Set(units)];
  return {
    unit: distinct.join(' or '),
    ...(distinct.length > 1 && { units }),
    labels: labels.map(({ name }) => name),
  };
}

/** What a frame holds; quantities the model does not have are left out. */
function listChannels(model: Model): Channel[] {
  const { size } = model;
  const names = nameTerms(model);
  const terms = new TermColumns(names);
  const tally = createTally();
  const channels: Channel[] = [
    {
      name: 'position',
      width: size.position,
      ...describeLabels(labelPositions(model)),
      read: ({ state }) => state.position,
    },
    {
      name: 'velocity',
      width: size.velocity,
      ...describeLabels(labelVelocities(model)),
      read: ({ state }) => state.velocity,
    },
    {
      name: 'sensors',
      width: size.reading,
      ...describeLabels(labelReadings(model)),
      read: ({ sensorData }) => sensorData,
    },
    { name: 'activation', unit: '1', width: size.activation, read: ({ state }) => state.activation },
    {
      name: 'control',
      unit: '1',
      width: size.actuator,
      labels: labelControls(model),
      read: ({ state }) => state.control,
    },
    // of the step that led to the frame
    {
      name: 'actuatorForce',
      unit: 'N or N m',
      width: size.actuator,
      labels: labelControls(model),
      read: ({ solvedActuatorForce }) => solvedActuatorForce,
    },
    ...listJointChannels(model),
    {
      name: 'energy',
      unit: 'J',
      width: 2,
      labels: ['kinetic', 'potential'],
      read: (simulation) => {
        const { kinetic, potential } = simulation.energy();
        return [kinetic, potential];
      },
    },
    {
      name: 'termEnergy',
      unit: 'J',
      width: names.length,
      labels: names,
      // the first of the columns of terms: measured once per frame
      read: (simulation) => terms.measure(simulation).read('energy'),
    },
    {
      name: 'termForce',
      unit: 'N',
      width: names.length,
      labels: names,
      read: () => terms.read('force'),
    },
    {
      name: 'termTorque',
      unit: 'N m',
      width: names.length,
      labels: names,
      read: () => terms.read('torque'),
    },
    { name: 'iterations', unit: '1', width: 1, read: ({ report }) => [report.iterations] },
    { name: 'residual', unit: 'varies', width: 1, read: ({ report }) => [report.residual] },
    { name: 'status', unit: '1', width: 1, read: ({ report }) => [STATUS_NUMBER[report.status]] },
    { name: 'contactCount', unit: '1', width: 1, read: (simulation) => [tallyContacts(simulation, tally).count] },
    { name: 'penetration', unit: 'm', width: 1, read: (simulation) => [tallyContacts(simulation, tally).penetration] },
    { name: 'normalForce', unit: 'N', width: 1, read: (simulation) => [tallyContacts(simulation, tally).normalForce] },
    ...listRegionChannels(model),
    { name: 'bodyPosition', unit: 'm', width: 3 * size.body, read: ({ bodyPosition }) => bodyPosition },
    { name: 'bodyOrientation', unit: '1', width: 4 * size.body, read: ({ bodyOrientation }) => bodyOrientation },
    { name: 'softPosition', unit: 'm', width: 3 * size.softVertex, read: ({ state }) => state.softPosition },
    { name: 'softVelocity', unit: 'm/s', width: 3 * size.softVertex, read: ({ state }) => state.softVelocity },
  ];
  return channels.filter((channel) => channel.width > 0);
}

/** What joints transmitted in the step that led to the frame: force and torque of the parent on the child, world axes. */
function listJointChannels({ joint, constraintJoint }: Model): Channel[] {
  const kinds = [...joint.kind, ...constraintJoint.kind];
  const names = [...joint.name, ...constraintJoint.name].filter((_, j) => kinds[j] !== JOINT.free);
  const labels = names.flatMap((name, j) => ['x', 'y', 'z'].map((axis) => `${name || `joint ${j}`}.${axis}`));
  let forces: JointForce[] = [];
  return [
    {
      name: 'jointForce',
      unit: 'N',
      width: labels.length,
      labels,
      // the first of the two: measured once per frame
      read: (simulation) => {
        forces = simulation.jointForces();
        return forces.flatMap(({ force }) => force);
      },
    },
    {
      name: 'jointTorque',
      unit: 'N m',
      width: labels.length,
      labels,
      read: () => forces.flatMap(({ torque }) => torque),
    },
  ];
}

/** Forces on the named regions of soft bodies. */
function listRegionChannels({ soft }: Model): Channel[] {
  const regions = soft.regions.flatMap((list, body) =>
    list.map(({ name }) => ({ body, name, label: `${soft.name[body] || body}.${name}` })),
  );
  const labels = regions.flatMap(({ label }) => ['x', 'y', 'z'].map((axis) => `${label}.${axis}`));
  const channel = (name: string, field: 'contactForce' | 'supportForce'): Channel => ({
    name,
    unit: 'N',
    width: 3 * regions.length,
    labels,
    read: (simulation) => regions.flatMap(({ body, name: region }) => simulation.softRegion(body, region)[field]),
  });
  return [
    channel('regionContactForce', 'contactForce'),
    channel('regionSupportForce', 'supportForce'),
    {
      name: 'regionPressure',
      unit: 'Pa',
      width: regions.length,
      labels: regions.map(({ label }) => label),
      read: (simulation) => regions.map(({ body, name: region }) => simulation.softRegion(body, region).pressure),
    },
  ];
}

/** The terms of one frame, from which its columns are read. */
class TermColumns {
  readonly #names: readonly string[];
  #terms = new Map<string, TermEnergy>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Takes the terms of the present state. */
  measure(simulation: Simulation): this {
    this.#terms = new Map(simulation.termEnergies().map((term) => [term.name, term]));
    return this;
  }

  /** One number of each term; 0 where it has none, as forces of a step before the first. */
  read(field: 'energy' | 'force' | 'torque'): number[] {
    return this.#names.map((name) => this.#terms.get(name)?.[field] ?? 0);
  }
}
