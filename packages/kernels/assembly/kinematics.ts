/** Everything that depends on positions alone: the compiled twin of computeConfiguration in the engine's dynamics/kinematics.ts. */
import { placeLoneBody } from './lone-body';
import { updateMassMatrix } from './mass-matrix';
import { Mechanism } from './mechanism';
import { placeBody } from './poses';
import { updateBodyInertia, updateJointSubspace, updateTreeCenters } from './spatial-inertia';

/** Poses, centres of trees, inertias, axes of dofs and M. */
export function computeConfiguration(m: Mechanism): void {
  placeWorld(m);
  let others: i32 = 0;
  for (let b: i32 = 1; b < m.bodies; b++) {
    if (m.isLone[b] != 0) placeLoneBody(m, b);
    else {
      placeBody(m, b);
      others++;
    }
  }
  memory.fill(m.treeCenter.at(0), 0, 24);
  memory.fill(m.bodyInertia.at(0), 0, 80);
  if (others == 0) {
    memory.copy(m.subtreeInertia.at(0), m.bodyInertia.at(0), 80 * m.bodies);
    return;
  }
  updateTreeCenters(m);
  for (let b: i32 = 1; b < m.bodies; b++) if (m.isLone[b] == 0) updateBodyInertia(m, b);
  for (let j: i32 = 0; j < m.joints; j++) if (m.isLone[m.jointBody[j]] == 0) updateJointSubspace(m, j);
  updateMassMatrix(m);
}

function placeWorld(m: Mechanism): void {
  memory.fill(m.bodyPosition.at(0), 0, 24);
  memory.fill(m.bodyCenter.at(0), 0, 24);
  memory.fill(m.bodyRotation.at(0), 0, 72);
  memory.fill(m.bodyOrientation.at(0), 0, 32);
  m.bodyOrientation[0] = 1;
  m.bodyRotation[0] = 1;
  m.bodyRotation[4] = 1;
  m.bodyRotation[8] = 1;
}
