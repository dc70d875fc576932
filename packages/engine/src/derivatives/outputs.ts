/**
 * What a linearization may be asked for besides the next state: numbers that are read after a step.
 *   contactForces   force of shape 1 on shape 2 of every contact of the step, world axes, N: three numbers each
 *   jointForces     force and torque that every joint transmits, world axes, N and N m: six numbers each
 *   sensors         readings of all sensors: positions and velocities where the step began, with its forces and accelerations
 *   energy          kinetic and potential energy after the step, J
 *   termEnergies    energy of every term after the step, J
 *   momentum        kg m/s and kg m²/s: six numbers
 * or a function of the simulation after the step that gives as many numbers each time.
 */
import { NexdynError } from '../error.ts';
import { suggestSpelling } from '../scene/spelling.ts';
import type { Simulation } from '../simulation.ts';

/** Names of outputs that are built in. */
export type OutputName = 'contactForces' | 'jointForces' | 'sensors' | 'energy' | 'termEnergies' | 'momentum';

/** An output of one's own: names of its numbers, and how to read them after a step. */
export interface OutputReader {
  /** What it is called in the names of the outputs. */
  name: string;
  /** Reads its numbers from the simulation that has taken the step. */
  read(simulation: Simulation): ArrayLike<number>;
}

/** What can be asked for. */
export type Output = OutputName | OutputReader;

/** Numbers of a step with their names. Contacts are matched by name between steps that differ a little. */
export interface OutputValues {
  readonly names: string[];
  readonly values: number[];
}

const READERS: Readonly<Record<OutputName, (simulation: Simulation, out: OutputValues) => void>> = {
  contactForces: readContactForces,
  jointForces(simulation, out) {
    for (const { joint, force, torque } of simulation.jointForces()) {
      addVector(out, `force of ${joint}`, force);
      addVector(out, `torque of ${joint}`, torque);
    }
  },
  sensors(simulation, out) {
    for (const [s, { name, kind, value }] of simulation.sensors().entries())
      for (let i = 0; i < value.length; i++) add(out, `${name || `${kind} ${s}`} ${i}`, value[i]);
  },
  energy(simulation, out) {
    const { kinetic, potential } = simulation.energy();
    add(out, 'kinetic energy', kinetic);
    add(out, 'potential energy', potential);
  },
  termEnergies(simulation, out) {
    for (const { name, energy } of simulation.termEnergies())
      if (energy !== undefined) add(out, `energy of ${name}`, energy);
  },
  momentum(simulation, out) {
    const { linear, angular } = simulation.momentum();
    addVector(out, 'momentum', linear);
    addVector(out, 'angular momentum', angular);
  },
};

/** Reads all outputs after a step. */
export function readOutputs(simulation: Simulation, outputs: readonly Output[]): OutputValues {
  const out: OutputValues = { names: [], values: [] };
  for (const output of outputs) {
    if (typeof output === 'string') READERS[output](simulation, out);
    else Array.from(output.read(simulation), (value, i) => add(out, `${output.name} ${i}`, value));
  }
  return out;
}

/** Raises an error for outputs that do not exist. */
export function checkOutputs(outputs: readonly Output[]): void {
  for (const output of outputs) {
    if (typeof output !== 'string' || Object.hasOwn(READERS, output)) continue;
    throw new NexdynError('invalid-argument', `there is no output '${output}'`, {
      path: 'outputs',
      hint: suggestSpelling(output, Object.keys(READERS), 'there are'),
    });
  }
}

function readContactForces(simulation: Simulation, out: OutputValues): void {
  const { solvedContacts: contacts, model } = simulation;
  const { name } = model.shape;
  const nameOf = (shape: number): string => name[shape] || `shape ${shape}`;
  const seen = new Map<string, number>();
  const { frame, force } = contacts;
  for (let i = 0; i < contacts.count; i++) {
    const pair = `${nameOf(contacts.shape1[i])} on ${nameOf(contacts.shape2[i])} (${contacts.feature[i]}`;
    const times = seen.get(pair) ?? 0;
    seen.set(pair, times + 1);
    const along = (k: number): number =>
      frame[9 * i + k] * force[6 * i] +
      frame[9 * i + 3 + k] * force[6 * i + 1] +
      frame[9 * i + 6 + k] * force[6 * i + 2];
    addVector(out, `force of ${pair}${times > 0 ? `, ${times}` : ''})`, [along(0), along(1), along(2)]);
  }
}

function add(out: OutputValues, name: string, value: number): void {
  out.names.push(name);
  out.values.push(value);
}

function addVector(out: OutputValues, name: string, vector: ArrayLike<number>): void {
  for (const [k, axis] of ['x', 'y', 'z'].entries()) add(out, `${name} ${axis}`, vector[k]);
}
