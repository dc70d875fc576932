/**
 * Twists of bodies at the velocities by which positions advance in a step,
 *   V_b = V_parent + Σ s_i u_i
 * u = v + h a + s, with the shift s of inertial-motion.ts; in the midpoint rule u = v + h/2 a but for dofs that an impact stops. Axes s_i are those in
 * the workspace, where the step begins.
 */
import { addScaled, copy6 } from '../linear-algebra/spatial.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { isLoneFreeBody } from './plan.ts';
import type { Workspace } from './workspace.ts';

/** Bodies that are not free with nothing hanging on them, the world left out. */
export function listJointedBodies(model: Model): number[] {
  const { body, size } = model;
  const isParent = new Uint8Array(size.body);
  for (let b = 1; b < size.body; b++) isParent[body.parent[b]] = 1;
  const out: number[] = [];
  for (let b = 1; b < size.body; b++) if (isParent[b] === 1 || !isLoneFreeBody(model, b)) out.push(b);
  return out;
}

export class WayTwists {
  readonly #model: Model;
  readonly #twist: Float64Array;
  /** All bodies but the world, and those of them in trees of joints. */
  readonly #bodies: Int32Array;
  readonly #jointed: Int32Array;

  constructor(model: Model) {
    this.#model = model;
    this.#twist = new Float64Array(6 * model.size.body);
    this.#bodies = Int32Array.from({ length: model.size.body - 1 }, (_, b) => b + 1);
    this.#jointed = Int32Array.from(listJointedBodies(model));
  }

  /**
   * V of all bodies, or of those in trees of joints, six numbers each, angular first, about the centre of the tree; with the acceleration of the step
   * in the workspace.
   */
  measure({ velocity }: State, work: Workspace, h: number, isTreeAlone: boolean): Float64Array {
    const { body, options } = this.#model;
    const { motionSubspace, acceleration, advanceShift, isImpact } = work;
    const twist = this.#twist;
    const isMidpoint = options.integrator === 'midpoint';
    const bodies = isTreeAlone ? this.#jointed : this.#bodies;
    for (let n = 0; n < bodies.length; n++) {
      const b = bodies[n];
      const t = 6 * b;
      copy6(twist, t, twist, 6 * body.parent[b]);
      const end = body.dofStart[b] + body.dofCount[b];
      for (let i = body.dofStart[b]; i < end; i++) {
        const share = isMidpoint && isImpact[i] === 0 ? 0.5 : 1;
        addScaled(twist, t, motionSubspace, 6 * i, velocity[i] + share * h * acceleration[i] + advanceShift[i]);
      }
    }
    return twist;
  }
}
