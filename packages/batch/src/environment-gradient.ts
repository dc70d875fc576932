/**
 * The gradient of how far a body misses a goal at the end of an environment, by its first state, by its controls and by parameters of the scene.
 * It depends on the environment alone, so it is the same bytes on whatever thread it is computed.
 */
import type { Simulation } from '@nexdyn/engine/core';
import { measureMiss, rollout } from '@nexdyn/engine/derivatives';
import type { ControlRows, Environment, EnvironmentGradient, GradientOptions } from './environment.ts';

/** Differentiates the steps of an environment from the state of a simulation, which stays as it is. */
export function differentiate(
  simulation: Simulation,
  { controls, goal }: Environment,
  steps: number,
  options: GradientOptions,
): EnvironmentGradient {
  const { parameters, method } = options;
  const run = rollout(simulation, controls && ((step) => readControls(controls, step, simulation)), {
    steps,
    ...(parameters && { parameters }),
    ...(method && { method }),
  });
  const { distance, gradient } = measureMiss(run.simulation, goal ?? options.goal);
  const found = run.backward(gradient);
  return {
    loss: 0.5 * distance * distance,
    distance,
    state: found.state,
    controls: found.controls,
    parameters: found.parameters,
    kinks: found.kinks,
    unconverged: found.unconverged,
    margin: found.margin,
  };
}

/** Controls of a step: a row stays until the next. */
function readControls({ rows, every = 1 }: ControlRows, step: number, { state }: Simulation): Float64Array {
  const width = state.control.length;
  const row = Math.min(Math.floor(step / every), rows.length / width - 1);
  return rows.subarray(row * width, (row + 1) * width);
}
