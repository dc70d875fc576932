/**
 * From a configuration to the rows of `ccp`. Every row says u = J v + b + E γ with an impulse γ (N s, N m s) along J:
 *   b stands in the problem as `reference` = −b, E as `regularization`, bounds of γ as `low` and `high`.
 * Nothing here depends on inertia.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { ContactRows } from '../../contact/contact-rows.ts';
import { SurfaceMotion } from '../../contact/surface-motion.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { createJointWorkspace, type JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import { ConvexProblem } from '../../objective/convex-problem.ts';
import type { CcpOptions } from '../../scene/options.ts';
import type { State } from '../../state/state.ts';
import { type DriveHost, DriveRows } from '../sap/drive-rows.ts';
import { addJointChains } from './chain-rows.ts';
import { addContacts } from './contact-blocks.ts';
import { JointRows } from './joint-rows.ts';

export class CcpBuilder implements DriveHost {
  readonly model: Model;
  /** Servos are as stiff as their gains. */
  readonly options: Readonly<Required<CcpOptions>> & { readonly nearRigidJoint: number };
  readonly problem: ConvexProblem;
  readonly joints: JointWorkspace;
  readonly contactRows: ContactRows = new ContactRows();
  readonly surfaceMotion: SurfaceMotion;
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

  constructor(model: Model, memory: Memory) {
    const { joint, dof, tendon, size, constraintJoint } = model;
    this.model = model;
    this.options = { ...model.options.ccp, nearRigidJoint: 0 };
    this.problem = new ConvexProblem(memory);
    this.joints = createJointWorkspace(model, memory);
    this.surfaceMotion = new SurfaceMotion(model);
    this.freeVelocity = memory.f64(size.velocity);
    this.drives = new DriveRows(this);
    this.#jointRows = new JointRows(this, memory);
    this.hasJointRows =
      size.equality > 0 ||
      this.drives.count > 0 ||
      constraintJoint.kind.length > 0 ||
      [joint.limited, tendon.limited, dof.frictionLoss, tendon.frictionLoss].some((flags) => flags.some(Boolean));
  }

  /** Expects h and both velocities in their places. */
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

  /** Rigid rows need no scale. */
  measureRow(): number {
    return 0;
  }

  /** b of a violation that is undone in one step, but not faster than the recovery speed. */
  recover(violation: number): number {
    const { recoverySpeed } = this.options;
    const speed = violation / this.h;
    return speed < -recoverySpeed ? -recoverySpeed : Math.min(speed, recoverySpeed);
  }
}
