/**
 * Initial states by path, in the words of scenes and signals:
 *
 *   state.joints.NAME.position | velocity            one number or a list
 *   state.bodies.NAME.position | orientation | velocity | angularVelocity    of bodies that a free joint moves; one of its numbers: `.2`
 *   state.actuators.NAME.control
 *   state.FIELD                                      a whole field of the state, or one of its numbers: `state.velocity.3`
 */
import { NexdynError, type Simulation, STATE_FIELDS, type StateFieldName, type Vec3 } from '@nexdyn/engine/core';

const WORD = 'state';

/** Whether a path leads to the initial state, not into the scene. */
export function isStatePath(path: string): boolean {
  return path.startsWith(`${WORD}.`);
}

/** Whether a path leads to a joint of the initial state. */
export function isJointPath(path: string): boolean {
  return path.startsWith(`${WORD}.joints.`);
}

/** Whether a path leads to a part of the initial state by its name, which is the same in all coordinates. */
export function isNamedPath(path: string): boolean {
  return /^state\.(joints|bodies|actuators)\./.test(path);
}

/** Sets what the paths say in the state of a simulation. */
export function setInitialState(simulation: Simulation, values: Readonly<Record<string, unknown>>): void {
  const paths = Object.entries(values).filter(([path]) => isStatePath(path));
  if (paths.length === 0) return;
  for (const [path, value] of paths) setValue(simulation, path, value);
  // brings everything derived up to the state
  simulation.restore(simulation.snapshot());
}

function setValue(simulation: Simulation, path: string, value: unknown): void {
  const [, kind = '', ...words] = path.split('.');
  const field = words.at(-1) ?? '';
  const name = words.slice(0, -1).join('.');
  switch (kind) {
    case 'joints':
      if (field === 'position') simulation.setJointPosition(name, readNumbers(value, path));
      else if (field === 'velocity') simulation.setJointVelocity(name, readNumbers(value, path));
      else throw refuse(path, 'joints have position and velocity');
      break;
    case 'actuators':
      if (field !== 'control') throw refuse(path, 'actuators have control');
      simulation.setControl(name, readNumber(value, path));
      break;
    case 'bodies':
      setBody(simulation, words, value, path);
      break;
    default:
      setField(simulation, kind, words, value, path);
  }
}

function setBody(simulation: Simulation, words: readonly string[], value: unknown, path: string): void {
  const isComponent = /^\d$/.test(words.at(-1) ?? '');
  const parts = isComponent ? words.slice(0, -1) : words;
  const field = parts.at(-1) ?? '';
  const name = parts.slice(0, -1).join('.');
  const { position, orientation } = simulation.pose(name);
  const { linear, angular } = simulation.velocity(name);
  const fields: Record<string, ArrayLike<number>> = {
    position,
    orientation,
    velocity: linear,
    angularVelocity: angular,
  };
  const before = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (!before) throw refuse(path, `bodies have ${Object.keys(fields).join(', ')}`);
  const numbers = Array.from(before);
  const list = isComponent ? numbers : ([readNumbers(value, path)].flat() as number[]);
  const k = Number(words.at(-1));
  if (isComponent && k < list.length) list[k] = readNumber(value, path);
  else if (isComponent || list.length !== numbers.length) throw refuse(path, `${field} has ${numbers.length} numbers`);
  if (field === 'position') simulation.setPose(name, { position: list as unknown as Vec3 });
  else if (field === 'orientation') simulation.setPose(name, { orientation: list as [number, number, number, number] });
  else simulation.setVelocity(name, { [field === 'velocity' ? 'linear' : 'angular']: list });
}

function setField({ state }: Simulation, name: string, words: readonly string[], value: unknown, path: string): void {
  if (!Object.hasOwn(STATE_FIELDS, name)) {
    throw refuse(path, `choose from joints, bodies, actuators, ${Object.keys(STATE_FIELDS).join(', ')}`);
  }
  const field = state[name as StateFieldName];
  if (words.length === 0) {
    const numbers = [readNumbers(value, path)].flat() as number[];
    if (numbers.length !== field.length) throw refuse(path, `it has ${field.length} numbers`);
    field.set(numbers);
    return;
  }
  const k = /^\d+$/.test(words[0]!) ? Number(words[0]) : Number.NaN;
  if (words.length > 1 || !(k < field.length)) throw refuse(path, `its ${field.length} numbers are counted from 0`);
  field[k] = readNumber(value, path);
}

function readNumber(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new NexdynError('invalid-value', `'${path}' must be a number`, { hint: 'write it as 0.5' });
}

function readNumbers(value: unknown, path: string): number | number[] {
  return Array.isArray(value) ? value.map((part) => readNumber(part, path)) : readNumber(value, path);
}

function refuse(path: string, hint: string): NexdynError {
  return new NexdynError('unknown-reference', `'${path}' is no part of the initial state`, { hint });
}
