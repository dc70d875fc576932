/** A model with its state and workspace, for tests that look inside a step. */
import { computeFreeMotion } from '../dynamics/free-motion.ts';
import { updateKinematics } from '../dynamics/kinematics.ts';
import { integratePositions } from '../dynamics/poses.ts';
import { createWorkspace, type Workspace } from '../dynamics/workspace.ts';
import { Arena } from '../kernels/arena.ts';
import { compileModel } from '../model/compile.ts';
import type { Model } from '../model/model.ts';
import type { Scene } from '../scene/scene.ts';
import { createState, type State } from '../state/state.ts';
import { createRandom } from './forest.ts';

export interface Evaluation {
  model: Model;
  state: State;
  work: Workspace;
  /** Kinematics and free motion of the current state. */
  evaluate(): void;
  /** Value of a function after moving by h along a unit velocity of dof i. */
  displaced<T>(i: number, h: number, read: () => T): T;
}

export function createEvaluation(scene: Scene, options: Parameters<typeof compileModel>[1] = {}): Evaluation {
  // forces of the differential equation, where scenes name no integrator: those of a step differ by its order
  const model = compileModel({ ...scene, options: { integrator: 'rk4', ...scene.options } }, options);
  const arena = new Arena();
  const state = createState(model, arena);
  const work = createWorkspace(model, arena, state.all.length);
  const evaluate = (): void => {
    updateKinematics(model, state, work);
    computeFreeMotion(model, state, work, model.options.timestep);
  };
  return {
    model,
    state,
    work,
    evaluate,
    displaced(i, h, read) {
      const before = state.position.slice();
      const direction = new Float64Array(model.size.velocity);
      direction[i] = 1;
      integratePositions(model, state.position, direction, 0, h);
      evaluate();
      const value = read();
      state.position.set(before);
      return value;
    },
  };
}

/** Moves a state to a random place with random velocities, controls and activations. */
export function randomizeState(model: Model, state: State, seed: number, scale = 1): void {
  const random = createRandom(seed);
  const draw = (): number => scale * 2 * (random() - 0.5);
  const direction = Float64Array.from({ length: model.size.velocity }, draw);
  integratePositions(model, state.position, direction, 0, 1);
  for (let i = 0; i < model.size.velocity; i++) state.velocity[i] = draw();
  for (let i = 0; i < model.size.actuator; i++) state.control[i] = draw();
  for (let i = 0; i < model.size.activation; i++) state.activation[i] = draw();
}
