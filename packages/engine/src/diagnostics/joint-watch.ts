/**
 * Whether joints that are constraints (body coordinates) hold where a step has led to. Formulations over velocities close them at the
 * velocity: a body that turns far in a step, or a load beyond all measure, opens them all the same, and the solve does not notice.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { JointDrift } from './joint-drift.ts';

/** Drift up to which a step counts as converged, m or rad. */
export const MOST_DRIFT = 0.01;

export class JointWatch {
  readonly #model: Model;
  readonly #drift: JointDrift;

  constructor(model: Model, joints: JointWorkspace, memory: Memory) {
    this.#model = model;
    this.#drift = new JointDrift(model, joints, memory);
  }

  /** Reads joints and poses of the state after the step from workspaces that are up to date. */
  areClosed(work: Workspace): boolean {
    return this.#drift.measureJoints(this.#model, work) <= MOST_DRIFT;
  }
}
