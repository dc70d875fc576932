/** What can be recorded of an environment besides its state: places, and forces of the last step. */
import { type Model, NexdynError, type Simulation, STATE_FIELDS, type StateFieldName } from '@nexdyn/engine/core';
import type { ReadoutName, RecordedField } from './environment.ts';

interface Readout {
  /** Numbers in a frame. */
  length(model: Model): number;
  write(out: Float64Array, at: number, simulation: Simulation): void;
}

export const READOUTS: Readonly<Record<ReadoutName, Readout>> = {
  bodyPosition: {
    length: ({ size }) => 3 * size.body,
    write: (out, at, { derived }) => out.set(derived.bodyPosition, at),
  },
  bodyOrientation: {
    length: ({ size }) => 4 * size.body,
    write: (out, at, { derived }) => out.set(derived.bodyOrientation, at),
  },
  sitePosition: {
    length: ({ size }) => 3 * size.site,
    write: (out, at, { derived }) => out.set(derived.sitePosition, at),
  },
  actuatorForce: {
    length: ({ size }) => size.actuator,
    write: (out, at, { derived }) => out.set(derived.actuatorForce, at),
  },
  contactForce: { length: ({ size }) => 3 * size.body, write: writeContactForces },
};

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
  if (Object.hasOwn(STATE_FIELDS, name) || Object.hasOwn(READOUTS, name)) return name as RecordedField;
  const hint = `one of ${[...Object.keys(STATE_FIELDS), ...Object.keys(READOUTS)].join(', ')}`;
  throw new NexdynError('invalid-argument', `'${name}' cannot be recorded`, { path, hint });
}

export function isReadout(name: RecordedField): name is ReadoutName {
  return Object.hasOwn(READOUTS, name);
}

/** Numbers of a field in a frame. */
export function measureField(model: Model, name: RecordedField): number {
  return isReadout(name) ? READOUTS[name].length(model) : STATE_FIELDS[name as StateFieldName].length(model.size);
}
