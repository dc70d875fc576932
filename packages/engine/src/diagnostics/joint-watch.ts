/**
 * Whether joints and equalities hold where a step has led to, and which of them do not.
 *
 * Formulations over velocities close joints that are constraints (body coordinates) at the velocity: a body that rotates far in a
 * step, or an extreme load, still opens them, and the solve does not notice. Nor does it notice an equality that nothing can
 * close: if no joint moves the bodies it connects, it has no row.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { namePair } from '../collision/initial-state/overlap-limit.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { JointDrift } from '../joint/joint-drift.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { type ConvexProblem, SOURCE } from '../objective/convex-problem.ts';
import type { State } from '../state/state.ts';

/** Drift up to which a step counts as converged, m or rad. */
export const MOST_DRIFT = 0.01;
/** The same where a formulation closes joints at the positions. */
export const MOST_CLOSED_DRIFT = 1e-3;
/** Drift from which constraints of a contradiction are named where none is open by more, m or rad. */
const HARDLY_OPEN = 1e-5;
/** Depth from which a contact is named, m. */
const DEEP = 5e-4;

export class JointWatch {
  readonly #model: Model;
  readonly #drift: JointDrift;

  constructor(model: Model, joints: JointWorkspace, memory: Memory) {
    this.#model = model;
    this.#drift = new JointDrift(model, joints, memory);
  }

  /** Reads joints and poses of the state after the step from workspaces that are up to date. */
  areClosed(work: Workspace): boolean {
    if (this.#model.size.constraintJoint === 0) return true;
    return this.#drift.measureJoints(this.#model, work) <= MOST_DRIFT;
  }

  /** Whether some of the equalities had no row in the problem of the step. */
  lacksRows({ rows, source }: ConvexProblem, state: State): boolean {
    const { size, options } = this.#model;
    if (size.equality === 0 || options.disabled.has('equality') || options.disabled.has('constraint')) return false;
    let missing = 0;
    for (let e = 0; e < size.equality; e++) if (state.equalityActive[e] !== 0) missing++;
    for (let b = 0; b < rows.blockCount; b++) if (source[b] === SOURCE.equality && hasAllRows(rows, b)) missing--;
    return missing > 0;
  }

  /** Whether an equality is open that nothing can close. */
  hasFixedOpen(state: State, work: Workspace): boolean {
    return this.#drift.hasFixedOpen(this.#model, state, work);
  }

  /** Joints, equalities and limits that are open. */
  nameOpen(state: State, work: Workspace): string[] {
    return this.#drift.nameOpen(this.#model, state, work);
  }

  /** What contradicts something else: joints, equalities and limits that are open, and pairs that overlap. */
  nameContradiction(state: State, work: Workspace, contacts: ContactSet): string[] {
    const model = this.#model;
    const names = this.nameOpen(state, work);
    for (let i = 0; i < contacts.count; i++) {
      if (contacts.gap[i] > -DEEP || contacts.pair[i] === contacts.pair[i - 1]) continue;
      names.push(`contact of ${namePair(model, contacts.shape1[i], contacts.shape2[i])}`);
    }
    // what contradicts each other by little is shared among many
    if (names.length === 0) names.push(...this.#drift.nameOpen(model, state, work, HARDLY_OPEN));
    return [...new Set(names)];
  }
}

// no row of the block is zero
function hasAllRows({ rowStart, columnCount, value, valueStart }: ConvexProblem['rows'], b: number): boolean {
  for (let k = 0; k < rowStart[b + 1] - rowStart[b]; k++) {
    const at = valueStart[b] + k * columnCount[b];
    let c = 0;
    while (c < columnCount[b] && value[at + c] === 0) c++;
    if (c === columnCount[b]) return false;
  }
  return true;
}
