import { updateKinematics } from '../dynamics/kinematics.ts';
import { createWorkspace, type Workspace } from '../dynamics/workspace.ts';
import { Arena } from '../kernels/arena.ts';
import { createState } from '../state/state.ts';
import type { Model } from './model.ts';

/** Poses, mass matrix, tendons and transmissions of a mechanism at rest, worked out at the first call. */
export type RestDynamics = () => Workspace;

/** Some numbers of a scene are relative to the mechanism as it stands; few scenes need them, so they are not made ahead. */
export function prepareRestDynamics(model: Model, position: Float64Array): RestDynamics {
  let work: Workspace | undefined;
  return () => {
    if (!work) {
      // address space is scarce where there are many simulations: more only for the largest scenes
      const maximumBytes = model.size.body > 100_000 ? 2 ** 32 : 2 ** 30;
      const arena = new Arena({ initialBytes: 1_310_720, maximumBytes });
      arena.user = `the initial pose of ${model.size.body} bodies`;
      const state = createState(model, arena);
      state.position.set(position);
      work = createWorkspace(model, arena, state.all.length);
      updateKinematics(model, state, work);
    }
    return work;
  };
}
