/** What derivatives of a step are taken by: the state before it, controls, applied forces, and parameters of the scene. */
import { NexdynError } from '../error.ts';
import { findSource } from '../model/model-source.ts';
import type { Simulation } from '../simulation.ts';
import { type Parameter, resolveParameter } from './parameter.ts';

/** `state`, `control`, `appliedForce` (the generalised forces that the user sets), or the path of a parameter. */
export type Input = 'state' | 'control' | 'appliedForce' | (string & {});

/** The inputs of a linearization, resolved. */
export interface StepInputs {
  readonly hasState: boolean;
  /** Numbers of controls, 0 where they were not asked for. */
  readonly controls: number;
  /** Numbers of applied forces, 0 where they were not asked for. */
  readonly forces: number;
  readonly parameters: readonly Parameter[];
}

/** Resolves inputs; unknown paths are errors that name what is near. */
export function resolveInputs(simulation: Simulation, inputs: readonly Input[]): StepInputs {
  const { model } = simulation;
  const own = new Set<string>(['state', 'control', 'appliedForce']);
  const paths = inputs.filter((input) => !own.has(input));
  return {
    hasState: inputs.includes('state'),
    controls: inputs.includes('control') ? model.size.actuator : 0,
    forces: inputs.includes('appliedForce') ? model.size.velocity : 0,
    parameters: paths.flatMap((path) => resolveParameter(path, requireSource(simulation).scene, model)),
  };
}

/** The scene of a simulation and how it was compiled. */
export function requireSource({ model }: Simulation): NonNullable<ReturnType<typeof findSource>> {
  const source = findSource(model);
  if (source) return source;
  throw new NexdynError('invalid-argument', 'the scene of this model is not known', {
    hint: 'derivatives by parameters need a model that compileModel has made',
  });
}
