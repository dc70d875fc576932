/**
 * Signals of what a model has besides bodies:
 *
 *   sensors.NAME, sensors.NAME.2, sensors.NAME.z      what a sensor reads
 *   actuators.NAME.control | force                    N or N m in the last step
 *   state.FIELD.3                                     a number of the state, as in `state.position.3`
 */
import { type Simulation, STATE_FIELDS, type StateFieldName } from '@nexdyn/engine/core';
import { readPlace, refuse, type SignalName, splitName } from './signal-name.ts';
import type { Signal } from './signals.ts';

export function findSensorSignal(simulation: Simulation, signal: SignalName): Signal {
  const { sensor } = simulation.model;
  const { name, tail } = splitName(sensor.name, signal);
  const width = sensor.dimension[sensor.name.indexOf(name)]!;
  const k = tail.length === 0 && width === 1 ? 0 : tail.length === 1 ? readPlace(tail[0]!, width) : undefined;
  if (k !== undefined) return () => simulation.sensor(name)[k]!;
  const own = width === 1 ? `sensors.${name} is one number` : `sensors.${name}.0 to sensors.${name}.${width - 1}`;
  throw refuse(signal, own);
}

export function findActuatorSignal(simulation: Simulation, signal: SignalName): Signal {
  const names = simulation.model.actuator.name;
  const { name, tail } = splitName(names, signal);
  const a = names.indexOf(name);
  if (tail.length === 1 && tail[0] === 'control') return () => simulation.state.control[a]!;
  if (tail.length === 1 && tail[0] === 'force') return () => simulation.derived.actuatorForce[a]!;
  throw refuse(signal, 'control or force');
}

export function findStateSignal({ state }: Simulation, signal: SignalName): Signal {
  const [, name = '', word = '', ...more] = signal.words;
  if (!Object.hasOwn(STATE_FIELDS, name)) {
    throw refuse(signal, `fields of the state are ${Object.keys(STATE_FIELDS).join(', ')}`);
  }
  const field = state[name as StateFieldName];
  const k = /^\d+$/.test(word) && more.length === 0 ? Number(word) : Number.NaN;
  if (k < field.length) return () => field[k]!;
  throw refuse(signal, field.length > 0 ? `state.${name}.0 to state.${name}.${field.length - 1}` : `it has no numbers`);
}
