/**
 * From a configuration to the problem of `sap`: rows of equalities, dry friction, limits, servos and contacts, each with
 * regularisation R and reference velocity v̂. All scales come from the matrix A of this step.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { ContactRows } from '../../contact/contact-rows.ts';
import { SurfaceMotion } from '../../contact/surface-motion.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { createJointWorkspace, type JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import { ConvexProblem } from '../../objective/convex-problem.ts';
import type { Forest } from '../../objective/forest.ts';
import type { SapOptions } from '../../scene/options.ts';
import type { State } from '../../state/state.ts';
import { addJointChains } from './chain-rows.ts';
import { addContacts } from './contact-blocks.ts';
import { Delassus } from './delassus.ts';
import { DriveRows } from './drive-rows.ts';
import { JointRows } from './joint-rows.ts';

export class SapBuilder {
  readonly model: Model;
  readonly options: Readonly<Required<SapOptions>>;
  readonly problem: ConvexProblem;
  readonly joints: JointWorkspace;
  readonly contactRows: ContactRows = new ContactRows();
  readonly surfaceMotion: SurfaceMotion;
  readonly delassus: Delassus;
  readonly drives: DriveRows;
  /** Whether the model may have rows without any contact. */
  readonly hasJointRows: boolean;
  /** Time step, s. */
  h = 0;
  /** v at the start of the step. */
  startVelocity: Float64Array = new Float64Array(0);
  /** v*. */
  readonly freeVelocity: Float64Array;
  readonly #jointRows: JointRows;

  constructor(model: Model, forest: Forest, memory: Memory) {
    const { joint, dof, tendon, size, constraintJoint } = model;
    this.model = model;
    this.surfaceMotion = new SurfaceMotion(model);
    this.options = model.options.sap;
    this.problem = new ConvexProblem(memory);
    this.joints = createJointWorkspace(model, memory);
    this.delassus = new Delassus(forest, model.massMatrix, memory);
    this.freeVelocity = memory.f64(size.velocity);
    this.drives = new DriveRows(this);
    this.#jointRows = new JointRows(this, memory);
    this.hasJointRows =
      size.equality > 0 ||
      this.drives.count > 0 ||
      constraintJoint.kind.length > 0 ||
      [joint.limited, tendon.limited, dof.frictionLoss, tendon.frictionLoss].some((flags) => flags.some(Boolean));
  }

  /** Expects h, both velocities and the factor of A in their places. */
  build(state: State, work: Workspace, contacts: ContactSet): void {
    const { disabled } = this.model.options;
    this.problem.clear();
    addJointChains(this, work);
    if (disabled.has('constraint')) return;
    if (!disabled.has('equality')) this.#jointRows.addEqualities(state, work);
    if (!disabled.has('frictionLoss')) this.#jointRows.addFriction(work);
    if (!disabled.has('limit')) this.#jointRows.addLimits(state, work);
    this.drives.add(state, work);
    if (!disabled.has('contact')) addContacts(this, work, contacts);
  }

  /** w of the last block, which has one row. */
  measureRow(): number {
    const { rows } = this.problem;
    this.delassus.measure(rows, rows.blockCount - 1, 1);
    return this.delassus.matrix[0];
  }
}
