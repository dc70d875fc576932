import { updateKinematics } from '../dynamics/kinematics.ts';
import { createWorkspace, updateMasses, type Workspace } from '../dynamics/workspace.ts';
import { Arena } from '../kernels/arena.ts';
import { createState } from '../state/state.ts';
import type { Model } from './model.ts';

/** Poses, mass matrix, tendons and transmissions of a mechanism at rest, worked out at the first call. */
export type RestDynamics = () => Workspace;

/** Bytes up to which memory is kept for the next mechanism: making it takes longer than using it. */
const MOST_KEPT = 4_194_304;
let kept: Arena | undefined;

/** Some numbers of a scene are relative to the mechanism as it stands; few scenes need them, so they are not made ahead. */
export function prepareRestDynamics(model: Model, position: Float64Array): RestDynamics {
  let work: Workspace | undefined;
  return () => {
    if (!work) {
      const arena = takeArena(model);
      arena.user = `the initial pose of ${model.size.body} bodies`;
      const state = createState(model, arena);
      state.position.set(position);
      work = createWorkspace(model, arena, state.all.length);
      updateKinematics(model, state, work);
    }
    return work;
  };
}

/** The same for a mechanism whose masses change from call to call: each works it out anew, in memory of its own. */
export function keepRestDynamics(model: Model, position: Float64Array): RestDynamics {
  const arena = new Arena({ initialBytes: 1_310_720 });
  const state = createState(model, arena);
  state.position.set(position);
  const work = createWorkspace(model, arena, state.all.length);
  return () => {
    updateMasses(work, model);
    updateKinematics(model, state, work);
    return work;
  };
}

/** Memory for one mechanism. Compiling reads one after the other, never two at once. */
function takeArena({ size }: Model): Arena {
  if (kept && kept.memory.buffer.byteLength <= MOST_KEPT) {
    kept.clear();
    return kept;
  }
  // address space is scarce where there are many simulations: more only for the largest scenes
  const maximumBytes = size.body > 100_000 ? 2 ** 32 : 2 ** 30;
  kept = new Arena({ initialBytes: 1_310_720, maximumBytes });
  return kept;
}
