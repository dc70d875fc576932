/** What can be recorded of an environment besides its state: places, and forces of the last step. */
import { type Model, NexdynError, type Simulation, STATE_FIELDS, type StateFieldName } from '@nexdyn/engine/core';
import type { RecordedField } from './environment.ts';

interface Readout {
  /** Numbers in a frame. */
  length(model: Model): number;
  write(out: Float64Array, at: number, simulation: Simulation): void;
}

const READOUTS: Readonly<Record<string, Readout>> = {
  bodyPosition: {
    length: ({ size }) => 3 * size.body,
    write: (out, at, { derived }) => out.set(derived.bodyPosition, at),
  },
  bodyOrientation: {
    length: ({ size }) => 4 * size.body,
    write: (out, at, { derived }) => out.set(derived.bodyOrientation, at),
  },
  bodyVelocity: { length: ({ size }) => 6 * size.body, write: writeVelocities },
  sitePosition: {
    length: ({ size }) => 3 * size.site,
    write: (out, at, { derived }) => out.set(derived.sitePosition, at),
  },
  actuatorForce: {
    length: ({ size }) => size.actuator,
    write: (out, at, { derived }) => out.set(derived.actuatorForce, at),
  },
  actuatorJointForce: {
    length: ({ size }) => size.velocity,
    write: (out, at, { derived }) => out.set(derived.actuatorJointForce, at),
  },
  sensorData: {
    length: ({ size }) => size.reading,
    write: (out, at, simulation) => out.set(simulation.sensorData, at),
  },
  contactForce: { length: ({ size }) => 3 * size.body, write: writeContactForces },
};

const SENSOR = 'sensors.';

/** A readout by name; undefined for fields of the state. */
function findReadout(name: string): Readout | undefined {
  if (Object.hasOwn(READOUTS, name)) return READOUTS[name];
  if (!name.startsWith(SENSOR)) return undefined;
  const sensor = name.slice(SENSOR.length);
  return {
    length: ({ sensor: { name: names, dimension } }) => {
      const s = names.indexOf(sensor);
      if (s >= 0) return dimension[s]!;
      const hint = names.length > 0 ? `there are ${names.join(', ')}` : 'the scene has none';
      throw new NexdynError('unknown-reference', `there is no sensor '${sensor}'`, { hint });
    },
    write: (out, at, simulation) => out.set(simulation.sensor(sensor), at),
  };
}

/** Velocity of the origin of each body and its angular velocity, world axes. */
function writeVelocities(out: Float64Array, at: number, simulation: Simulation): void {
  for (let b = 0; b < simulation.model.size.body; b++) {
    const { linear, angular } = simulation.velocity(b);
    out.set(linear, at + 6 * b);
    out.set(angular, at + 6 * b + 3);
  }
}

/** Sum of the contact forces on each body, world axes, N. */
function writeContactForces(out: Float64Array, at: number, simulation: Simulation): void {
  const { shape, size } = simulation.model;
  out.fill(0, at, at + 3 * size.body);
  for (const { shape1, shape2, force } of simulation.contactForces()) {
    for (const [s, sign] of [
      [shape1, -1],
      [shape2, 1],
    ] as const) {
      // soft bodies are numbered after all shapes
      if (s >= size.shape) continue;
      const first = at + 3 * shape.body[s]!;
      for (let k = 0; k < 3; k++) out[first + k]! += sign * force[k]!;
    }
  }
}

/** The name of something that can be recorded; an error where there is none. */
export function requireRecordedField(name: string, path: string): RecordedField {
  if (Object.hasOwn(STATE_FIELDS, name) || findReadout(name)) return name as RecordedField;
  const hint = `one of ${[...Object.keys(STATE_FIELDS), ...Object.keys(READOUTS)].join(', ')}, or sensors.NAME`;
  throw new NexdynError('invalid-argument', `'${name}' cannot be recorded`, { path, hint });
}

/** Numbers of a field in a frame. */
export function measureField(model: Model, name: RecordedField): number {
  return findReadout(name)?.length(model) ?? STATE_FIELDS[name as StateFieldName].length(model.size);
}

/** Writes a field of a simulation. Forces that an earlier environment has left are not of this one: before its first step there are none. */
export function writeField(
  out: Float64Array,
  at: number,
  simulation: Simulation,
  name: RecordedField,
  hasStepped: boolean,
): void {
  const readout = findReadout(name);
  if (!readout) out.set(simulation.state[name as StateFieldName], at);
  else if (hasStepped || !/Force$/.test(name)) readout.write(out, at, simulation);
  else out.fill(0, at, at + readout.length(simulation.model));
}
