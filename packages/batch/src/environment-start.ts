import { NexdynError, type Simulation, type State } from '@nexdyn/engine/core';
import type { Environment } from './environment.ts';
import { requireStateField } from './state-field.ts';

/** Puts a simulation at the start of an environment. */
export function beginEnvironment(simulation: Simulation, { state, keyframe, set }: Environment): void {
  simulation.reset(keyframe);
  if (state) simulation.restore(state);
  for (const [name, values] of Object.entries(set ?? {})) writeField(simulation.state, name, values);
  // brings everything derived up to the state
  simulation.restore(simulation.snapshot());
}

function writeField(state: State, name: string, values: ArrayLike<number>): void {
  const path = `set.${name}`;
  const field = state[requireStateField(name, path)];
  if (values.length !== field.length) {
    const reason = `'${name}' has ${field.length} numbers, not ${values.length}`;
    throw new NexdynError('invalid-argument', reason, { path, hint: 'give all of them' });
  }
  field.set(values);
}
