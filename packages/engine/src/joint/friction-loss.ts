/**
 * Dry friction of joints and tendons: one row per direction, the velocity itself. C has no value (0); the force along the row
 * is bounded by the loss, N or N m. Order as in MuJoCo: dofs, then tendons.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import { JOINT, type Model } from '../model/model.ts';
import { writeJointDirection } from './joint-direction.ts';
import type { JointWorkspace } from './joint-workspace.ts';

/** Where rows of dry friction go; an object made once. */
export interface FrictionReceiver {
  /** A row with the bound of its force; `source` is the number of the dof, constraint joint or tendon. */
  add(block: number, loss: number, source: number): void;
}

/** Adds unit rows of dofs with dry friction. */
export function writeDofFriction(rows: BlockRows, model: Model, { plan }: Workspace, receiver: FrictionReceiver): void {
  const { frictionLoss } = model.dof;
  const { frictionDofs } = plan;
  for (let n = 0; n < frictionDofs.length; n++) {
    const i = frictionDofs[n];
    const block = rows.add(1, 1);
    rows.column[rows.columnStart[block]] = i;
    rows.value[rows.valueStart[block]] = 1;
    receiver.add(block, frictionLoss[i], i);
  }
}

/** Adds the rows of joints of body coordinates; a ball has three, as its dofs have in joint coordinates. */
export function writeJointFriction(
  rows: BlockRows,
  model: Model,
  joints: JointWorkspace,
  receiver: FrictionReceiver,
): void {
  const { kind, frictionLoss } = model.constraintJoint;
  for (let c = 0; c < kind.length; c++) {
    if (!(frictionLoss[c] > 0)) continue;
    const count = kind[c] === JOINT.ball ? 3 : 1;
    for (let k = 0; k < count; k++) {
      const block = writeJointDirection(rows, joints, c, k);
      if (block >= 0) receiver.add(block, frictionLoss[c], c);
    }
  }
}

/** Adds the rows of tendons. */
export function writeTendonFriction(
  rows: BlockRows,
  model: Model,
  work: Workspace,
  joints: JointWorkspace,
  receiver: FrictionReceiver,
): void {
  const { tendon, size } = model;
  for (let t = 0; t < size.tendon; t++) {
    if (!(tendon.frictionLoss[t] > 0)) continue;
    joints.row.clear();
    joints.row.addTendon(work.tendonJacobian, size.velocity, work.plan.tendon, t, 1);
    const block = joints.row.write(rows, 1);
    if (block >= 0) receiver.add(block, tendon.frictionLoss[t], t);
  }
}
