/**
 * Momentum of a tree that floats on a free joint, about its centre of mass in the axes of the world, and the motion as one rigid body
 * that carries it:   ω = I⁻¹ L,   v = P/m;   six numbers, angular part first.
 * In the coordinates of the free joint, momentum is P in world axes and the angular momentum about its anchor in the axes of its body.
 */
import { multiplyQuaternions, normalizeQuaternion, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import { solveSmallSystem } from '../linear-algebra/small-system.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { CoriolisTree } from './inertial-plan.ts';
import type { Workspace } from './workspace.ts';

const matrix = /* @__PURE__ */ new Float64Array(9);
const turn = /* @__PURE__ */ new Float64Array(3);
/** Q of the tree that was aimed last. */
const turnBack = /* @__PURE__ */ new Float64Array(4);

/** Least cosine of the angle of Q. */
const MOST_TURN = 0.5;

/** out = momentum of the tree from M v. */
export function writeFloatingMomentum(
  out: Float64Array,
  o: number,
  product: Float64Array,
  model: Model,
  { bodyRotation, jointAnchor, treeCenter }: Workspace,
  { firstDof: i }: CoriolisTree,
): void {
  const b = model.dof.body[i];
  const a = 3 * model.dof.joint[i];
  const c = 3 * model.body.root[b];
  const r = 9 * b;
  const x = jointAnchor[a] - treeCenter[c];
  const y = jointAnchor[a + 1] - treeCenter[c + 1];
  const z = jointAnchor[a + 2] - treeCenter[c + 2];
  const px = product[i];
  const py = product[i + 1];
  const pz = product[i + 2];
  const lx = product[i + 3];
  const ly = product[i + 4];
  const lz = product[i + 5];
  out[o] = bodyRotation[r] * lx + bodyRotation[r + 1] * ly + bodyRotation[r + 2] * lz + y * pz - z * py;
  out[o + 1] = bodyRotation[r + 3] * lx + bodyRotation[r + 4] * ly + bodyRotation[r + 5] * lz + z * px - x * pz;
  out[o + 2] = bodyRotation[r + 6] * lx + bodyRotation[r + 7] * ly + bodyRotation[r + 8] * lz + x * py - y * px;
  out[o + 3] = px;
  out[o + 4] = py;
  out[o + 5] = pz;
}

/** Momentum ← velocities of the free joint that carry it; twice their kinetic energy. */
export function writeRigidMotion(
  motion: Float64Array,
  model: Model,
  { bodyRotation, jointAnchor, treeCenter, subtreeInertia }: Workspace,
  { firstDof }: CoriolisTree,
): number {
  const b = model.dof.body[firstDof];
  const root = model.body.root[b];
  const s = 10 * root;
  const mass = subtreeInertia[s + 9];
  matrix[0] = subtreeInertia[s];
  matrix[4] = subtreeInertia[s + 1];
  matrix[8] = subtreeInertia[s + 2];
  matrix[1] = matrix[3] = subtreeInertia[s + 3];
  matrix[2] = matrix[6] = subtreeInertia[s + 4];
  matrix[5] = matrix[7] = subtreeInertia[s + 5];
  for (let k = 0; k < 3; k++) turn[k] = motion[k];
  if (!(mass > 0) || !solveSmallSystem(matrix, turn, 3)) {
    motion.fill(0, 0, 6);
    return 0;
  }
  const a = 3 * model.dof.joint[firstDof];
  const x = jointAnchor[a] - treeCenter[3 * root];
  const y = jointAnchor[a + 1] - treeCenter[3 * root + 1];
  const z = jointAnchor[a + 2] - treeCenter[3 * root + 2];
  const [wx, wy, wz] = turn;
  let energy = motion[0] * wx + motion[1] * wy + motion[2] * wz;
  for (let k = 3; k < 6; k++) energy += (motion[k] * motion[k]) / mass;
  const vx = motion[3] / mass + wy * z - wz * y;
  const vy = motion[4] / mass + wz * x - wx * z;
  const vz = motion[5] / mass + wx * y - wy * x;
  motion[0] = vx;
  motion[1] = vy;
  motion[2] = vz;
  const r = 9 * b;
  for (let k = 0; k < 3; k++) {
    motion[3 + k] = bodyRotation[r + k] * wx + bodyRotation[r + 3 + k] * wy + bodyRotation[r + 6 + k] * wz;
  }
  return energy;
}

/**
 * Turns the goal of the angular momentum of tree t to the one that v_P has, and keeps the rotation Q back; false, with the goal as it was,
 * where they have no common direction.
 */
export function aimMomentum(model: Model, work: Workspace, t: number): boolean {
  const { momentum, product, rigid } = work.coriolis;
  writeFloatingMomentum(rigid, 0, product, model, work, work.plan.inertial.trees[t]);
  const o = 6 * t;
  const [x, y, z] = rigid;
  const gx = momentum[o];
  const gy = momentum[o + 1];
  const gz = momentum[o + 2];
  const own = Math.sqrt(x * x + y * y + z * z);
  const goal = Math.sqrt(gx * gx + gy * gy + gz * gz);
  const dot = x * gx + y * gy + z * gz;
  if (!(dot > MOST_TURN * own * goal)) return false;
  // half of the angle: the quaternion (|a||b| + a·b, a × b)
  turnBack[0] = own * goal + dot;
  turnBack[1] = y * gz - z * gy;
  turnBack[2] = z * gx - x * gz;
  turnBack[3] = x * gy - y * gx;
  normalizeQuaternion(turnBack, 0, turnBack, 0);
  momentum[o] = (x * goal) / own;
  momentum[o + 1] = (y * goal) / own;
  momentum[o + 2] = (z * goal) / own;
  return true;
}

/** Keeps where the centre of mass of tree t comes in a step, by its momentum; the workspace is at the start. */
export function foreseeCenter(
  model: Model,
  { treeCenter, subtreeInertia, coriolis, plan }: Workspace,
  t: number,
  h: number,
): void {
  const root = model.body.root[model.dof.body[plan.inertial.trees[t].firstDof]];
  const mass = subtreeInertia[10 * root + 9];
  for (let k = 0; k < 3; k++)
    coriolis.center[3 * t + k] = treeCenter[3 * root + k] + (h * coriolis.momentum[6 * t + 3 + k]) / mass;
}

/** Moves tree t there, with its poses in the workspace; axes and inertias are about its centre of mass and stay. */
export function moveTree(model: Model, { position }: State, work: Workspace, t: number): void {
  const { treeCenter, bodyPosition, bodyCenter, jointAnchor, coriolis, plan, configuration } = work;
  const { firstDof, endDof, firstBody, endBody } = plan.inertial.trees[t];
  const { body, joint, dof } = model;
  const root = body.root[dof.body[firstDof]];
  const q = joint.positionStart[dof.joint[firstDof]];
  for (let k = 0; k < 3; k++) {
    const shift = coriolis.center[3 * t + k] - treeCenter[3 * root + k];
    treeCenter[3 * root + k] += shift;
    position[q + k] += shift;
    configuration.position[q + k] = position[q + k];
    for (let b = firstBody; b < endBody; b++) {
      bodyPosition[3 * b + k] += shift;
      bodyCenter[3 * b + k] += shift;
    }
    for (let j = dof.joint[firstDof]; j <= dof.joint[endDof - 1]; j++) jointAnchor[3 * j + k] += shift;
  }
}

/** Turns tree t by Q about its centre of mass; its linear momentum stays. */
export function turnTree(model: Model, { position, velocity }: State, work: Workspace, t: number): void {
  const { treeCenter, subtreeInertia, coriolis, plan } = work;
  const { firstDof } = plan.inertial.trees[t];
  const root = model.body.root[model.dof.body[firstDof]];
  const q = model.joint.positionStart[model.dof.joint[firstDof]];
  const mass = subtreeInertia[10 * root + 9];
  for (let k = 0; k < 3; k++) turn[k] = position[q + k] - treeCenter[3 * root + k];
  rotateByQuaternion(turn, 0, turnBack, 0, turn, 0);
  for (let k = 0; k < 3; k++) position[q + k] = treeCenter[3 * root + k] + turn[k];
  for (let k = 0; k < 3; k++) turn[k] = velocity[firstDof + k] - coriolis.momentum[6 * t + 3 + k] / mass;
  rotateByQuaternion(turn, 0, turnBack, 0, turn, 0);
  for (let k = 0; k < 3; k++) velocity[firstDof + k] = coriolis.momentum[6 * t + 3 + k] / mass + turn[k];
  multiplyQuaternions(position, q + 3, turnBack, 0, position, q + 3);
}
