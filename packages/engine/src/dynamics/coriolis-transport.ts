/**
 * Coriolis and centrifugal forces of trees of joints: velocities are carried from the joint space of the start of a step to that of its
 * end. The solve of the step knows all other forces; it leads to u and to q⁺ = q ⊕ h u. Every body then continues by inertia: its
 * centre of mass moves with J(q) u, and it spins like a free body (spin-step.ts). V̂ is that motion. Two velocities at q⁺ contain the Coriolis
 * forces to first order:
 *   M⁺ (v_P − u) = J⁺ᵀ 𝓜 (V̂ − J⁺ u)     of all motions of the joints the one nearest to V̂; it loses kinetic energy
 *   M⁺ (v_E − u) = −h c(q⁺, u)             the explicit step; it mostly gains
 * The step ends with v⁺ = v_P + s (v_E − v_P), where s keeps the kinetic energy of u at q, changed by ½ h² f · M⁻¹ c, f the weight: Coriolis
 * forces belong to velocities that weight has pushed half a step further, and without this the energy drifts. What turns as one rigid body
 * has s = 1. Where no s within its bounds does, velocities are scaled. In trees that float, a common turn gives v_P the angular momentum
 * of u at q, v_E − v_P has none, nothing is scaled, and weight is no part of it: they fall as a whole, whatever their joints do. Where no
 * constraint holds them from outside, their centre of mass moves by h P/m, P the momentum of u at q, where the joints alone would carry it along
 * arcs that add up; the momentum of v_P sets how fast they turn and that of u the direction: the tree is turned about its
 * centre of mass until both agree. Velocities alone could only spin thin trees about their axis to get there.
 * M⁺, J⁺ at q⁺; 𝓜 the inertias of the bodies; c without weight. M⁺ has the implicit part of tensions (link-tension.ts).
 * Source of v_P: Gauss's principle of least constraint, over a step in place of an instant.
 */
import { addScaled, dot6, multiplyInertia } from '../linear-algebra/spatial.ts';
import { multiplyTree } from '../linear-algebra/tree-ldl.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { computeBiasForce, updateTwists } from './bias-force.ts';
import {
  aimMomentum,
  foreseeCenter,
  moveTree,
  turnTree,
  writeFloatingMomentum,
  writeRigidMotion,
} from './floating-momentum.ts';
import type { CoriolisTree } from './inertial-plan.ts';
import { updateConfiguration } from './kinematics.ts';
import { stepSpin } from './spin-step.ts';
import type { Workspace } from './workspace.ts';

/**
 * Rotation of a body in a step below which the force at the start is accurate enough, rad. Where a tree passes it, one force acts twice or not at all,
 * which is this share of the speed.
 */
const SLOW = 1e-4;
/** Rotation in a step that begins more slowly from which its end takes part all the same, rad: a stiff servo may turn a tree at rest that far. */
export const LEAP = 1e-3;
/** Rotation in a step above which the weight at the start no longer predicts its work, rad: the target is then the energy of the actual fall. */
const COARSE = 0.5;
/** Share of the energy that round-off may add. */
const ROUND_OFF = 1e-9;
/** Share of the forces of a tree that is round-off: of momentum over a step, in shares of the weight. */
const SLIGHT_FORCE = 1e-11;
/** Bounds of s: within them v⁺ has the Coriolis forces to first order. */
export const LEAST = -1;
export const MOST = 2;
/** Most of the kinetic energy that weight may add to the goal. */
export const MOST_LEAD = 0.1;
/** Most by which a step may scale velocities up. */
export const FASTEST_GROWTH = 1.03;
/** Most by which angular momentum may turn a tree, share of h ω²: thin trees would spin about their axis by round-off of the step. */
const GENTLE = 0.03;

const inertia = /* @__PURE__ */ new Float64Array(6);
const spin = /* @__PURE__ */ new Float64Array(3);
const result = /* @__PURE__ */ new Float64Array(6);
const gap = /* @__PURE__ */ new Float64Array(6);

/** Call after the bias force of the state: removes from it the Coriolis forces of trees that rotate. */
export function removeCoriolisForce(model: Model, work: Workspace, h: number): void {
  const { trees } = work.plan.inertial;
  const { coriolis, biasForce } = work;
  coriolis.isMoving = false;
  for (let t = 0; t < trees.length; t++) {
    const { firstDof, endDof } = trees[t];
    const isTurning = h * findFastestTurn(work, trees[t]) > SLOW;
    coriolis.isCarried[t] = isTurning ? 1 : 0;
    coriolis.isRemoved[t] = isTurning ? 1 : 0;
    coriolis.force.fill(0, firstDof, endDof);
    if (!isTurning) continue;
    coriolis.isMoving = true;
    for (let i = firstDof; i < endDof; i++) {
      const weight = measureWeight(model, work, i);
      coriolis.force[i] = biasForce[i] - weight;
      biasForce[i] = weight;
    }
  }
}

/** Has trees carried, too, that forces of the step turn far by u from a slow start: their Coriolis forces at the start are next to nothing. */
export function noticeLeaps(model: Model, u: Float64Array, work: Workspace, h: number): void {
  const { coriolis, plan } = work;
  const { trees } = plan.inertial;
  for (let t = 0; t < trees.length; t++) {
    if (coriolis.isCarried[t] === 1 || !(h * measureTurns(model, u, trees[t]) > LEAP)) continue;
    coriolis.isCarried[t] = 1;
    coriolis.isMoving = true;
  }
}

// Σ |u| of rotations: no body turns faster
function measureTurns({ dof, joint }: Model, u: Float64Array, { firstDof, endDof }: CoriolisTree): number {
  let sum = 0;
  for (let i = firstDof; i < endDof; i++) {
    const j = dof.joint[i];
    const kind = joint.kind[j];
    if (kind === JOINT.slide || (kind === JOINT.free && i < joint.dofStart[j] + 3)) continue;
    sum += Math.abs(u[i]);
  }
  return sum;
}

/** The state has u and the positions of the end of the step, the workspace everything at its start. Leaves v⁺ and M⁺. */
export function carryVelocities(model: Model, state: State, work: Workspace, h: number): void {
  const { coriolis } = work;
  const { trees } = work.plan.inertial;
  const { rowStart, column } = model.massMatrix;
  const u = state.velocity;
  updateTwists(model, state, work);
  multiplyTree(coriolis.product, work.massMatrix, u, rowStart, column);
  for (let t = 0; t < trees.length; t++) {
    if (coriolis.isCarried[t] === 0) continue;
    coriolis.energy[t] = 0.5 * dotRange(u, coriolis.product, trees[t]);
    coriolis.isCoarse[t] = !trees[t].isFree && h * findFastestTurn(work, trees[t]) > COARSE ? 1 : 0;
    if (coriolis.isCoarse[t] === 1)
      coriolis.energy[t] -= measureWeightWork(state, work, trees[t], h) + measureFall(model, work, trees[t]);
    coriolis.isFlying[t] = floatsFreely(work, trees[t]) ? 1 : 0;
    if (trees[t].isFree) writeFloatingMomentum(coriolis.momentum, 6 * t, coriolis.product, model, work, trees[t]);
    if (coriolis.isFlying[t] === 1) foreseeCenter(model, work, t, h);
    for (let b = trees[t].firstBody; b < trees[t].endBody; b++) writeFreeMotion(model, work, b, h);
  }
  updateConfiguration(model, state, work);
  for (let t = 0; t < trees.length; t++)
    if (coriolis.isCarried[t] === 1 && coriolis.isFlying[t] === 1) moveTree(model, state, work, t);
  for (let t = 0; t < trees.length; t++)
    if (coriolis.isCarried[t] === 1 && coriolis.isCoarse[t] === 1)
      coriolis.energy[t] = Math.max(0, coriolis.energy[t] + measureFall(model, work, trees[t]));
  updateTwists(model, state, work);
  writeExplicitImpulse(model, state, work, h);
  writeCarriedImpulse(model, work);
  const { tension } = work;
  if (!solveBoth(model, state, work, tension.isActive) && tension.isActive) {
    // tensions can keep the velocity from the one of least energy
    writeExplicitImpulse(model, state, work, h);
    writeCarriedImpulse(model, work);
    solveBoth(model, state, work, false);
  }
  let isTurned = false;
  for (let t = 0; t < trees.length; t++) {
    if (coriolis.isCarried[t] === 0) continue;
    const isFlying = floatsFreely(work, trees[t]) && aimMomentum(model, work, t);
    blend(model, state, work, t, isFlying ? Infinity : GENTLE * h * findFastestTurn(work, trees[t]) ** 2);
    if (!isFlying) continue;
    turnTree(model, state, work, t);
    isTurned = true;
  }
  if (isTurned) updateConfiguration(model, state, work);
}

/** Whether a tree floats and no constraint holds it from outside. Solves that take forces from momentum leave round-off on its free joint. */
export function floatsFreely(
  { constraintForce, biasForce }: Workspace,
  { isFree, firstDof, endDof }: CoriolisTree,
): boolean {
  if (!isFree) return false;
  let outside = 0;
  for (let i = firstDof; i < firstDof + 6; i++) outside += Math.abs(constraintForce[i]);
  if (outside === 0) return true;
  let all = 0;
  for (let i = firstDof; i < endDof; i++) all += Math.abs(constraintForce[i]) + Math.abs(biasForce[i]);
  return outside <= SLIGHT_FORCE * all;
}

// ½ h f · (v + u) with the weight f at q: the work of weight as the solve assumed it
function measureWeightWork(
  { all, velocity: u }: State,
  { stateBefore, biasForce }: Workspace,
  tree: CoriolisTree,
  h: number,
): number {
  const offset = (u.byteOffset - all.byteOffset) / 8;
  let sum = 0;
  for (let i = tree.firstDof; i < tree.endDof; i++) sum -= biasForce[i] * (stateBefore[offset + i] + u[i]);
  return 0.5 * h * sum;
}

// Σ m g · x of the bodies: its growth is the work of weight
function measureFall(model: Model, { bodyCenter, plan }: Workspace, { firstBody, endBody }: CoriolisTree): number {
  const { mass } = model.body;
  const [gx, gy, gz] = plan.gravity;
  let sum = 0;
  for (let b = firstBody; b < endBody; b++)
    sum += mass[b] * (gx * bodyCenter[3 * b] + gy * bodyCenter[3 * b + 1] + gz * bodyCenter[3 * b + 2]);
  return sum;
}

// largest angular velocity of a body, rad/s
function findFastestTurn({ bodyTwist }: Workspace, { firstBody, endBody }: CoriolisTree): number {
  let most = 0;
  for (let o = 6 * firstBody; o < 6 * endBody; o += 6) {
    const square = bodyTwist[o] ** 2 + bodyTwist[o + 1] ** 2 + bodyTwist[o + 2] ** 2;
    if (square > most) most = square;
  }
  return Math.sqrt(most);
}

// c(q, 0) of a dof: s_i · I [0; −g] of the subtree that it moves
function measureWeight(model: Model, { motionSubspace: s, subtreeInertia, plan }: Workspace, i: number): number {
  const o = 10 * model.dof.body[i];
  const k = 6 * i;
  const gx = -plan.gravity[0];
  const gy = -plan.gravity[1];
  const gz = -plan.gravity[2];
  const x = subtreeInertia[o + 6];
  const y = subtreeInertia[o + 7];
  const z = subtreeInertia[o + 8];
  return (
    s[k] * (y * gz - z * gy) +
    s[k + 1] * (z * gx - x * gz) +
    s[k + 2] * (x * gy - y * gx) +
    subtreeInertia[o + 9] * (s[k + 3] * gx + s[k + 4] * gy + s[k + 5] * gz)
  );
}

/** V̂ of a body: ω̂ in its own axes, and the velocity of its centre of mass. The workspace has the twists of u at q. */
function writeFreeMotion(model: Model, work: Workspace, b: number, h: number): void {
  const { bodyTwist, bodyInertia, bodyCenter, bodyRotation: rotation, treeCenter, coriolis } = work;
  const o = 6 * b;
  const s = 10 * b;
  const c = 3 * model.body.root[b];
  const wx = bodyTwist[o];
  const wy = bodyTwist[o + 1];
  const wz = bodyTwist[o + 2];
  const x = bodyCenter[3 * b] - treeCenter[c];
  const y = bodyCenter[3 * b + 1] - treeCenter[c + 1];
  const z = bodyCenter[3 * b + 2] - treeCenter[c + 2];
  coriolis.carried[o + 3] = bodyTwist[o + 3] + wy * z - wz * y;
  coriolis.carried[o + 4] = bodyTwist[o + 4] + wz * x - wx * z;
  coriolis.carried[o + 5] = bodyTwist[o + 5] + wx * y - wy * x;
  const m = bodyInertia[s + 9];
  inertia[0] = bodyInertia[s] - m * (y * y + z * z);
  inertia[1] = bodyInertia[s + 1] - m * (x * x + z * z);
  inertia[2] = bodyInertia[s + 2] - m * (x * x + y * y);
  inertia[3] = bodyInertia[s + 3] + m * x * y;
  inertia[4] = bodyInertia[s + 4] + m * x * z;
  inertia[5] = bodyInertia[s + 5] + m * y * z;
  spin[0] = wx;
  spin[1] = wy;
  spin[2] = wz;
  if (!stepSpin(result, inertia, 0, spin, 0, h)) result.set(spin);
  const r = 9 * b;
  for (let k = 0; k < 3; k++) {
    coriolis.carried[o + k] =
      rotation[r + k] * result[0] + rotation[r + 3 + k] * result[1] + rotation[r + 6 + k] * result[2];
  }
}

/** explicit ← −h c(q⁺, u); the workspace has the twists of u at q⁺. */
function writeExplicitImpulse(model: Model, state: State, work: Workspace, h: number): void {
  const { coriolis, biasForce } = work;
  computeBiasForce(model, state, work);
  for (let i = 0; i < biasForce.length; i++) {
    const weight = measureWeight(model, work, i);
    coriolis.explicit[i] = -h * (biasForce[i] - weight);
    coriolis.weightImpulse[i] = -0.5 * h * weight;
  }
}

/** projected ← J⁺ᵀ 𝓜 (V̂ − J⁺ u). */
function writeCarriedImpulse(model: Model, work: Workspace): void {
  const { bodyTwist, bodyInertia, bodyCenter, bodyRotation: rotation, bodyForce, treeCenter, coriolis } = work;
  const { motionSubspace } = work;
  const { trees } = work.plan.inertial;
  const { carried, projected } = coriolis;
  projected.fill(0);
  for (let t = 0; t < trees.length; t++) {
    if (coriolis.isCarried[t] === 0) continue;
    const { firstBody, endBody, firstDof, endDof } = trees[t];
    for (let b = firstBody; b < endBody; b++) {
      const o = 6 * b;
      const r = 9 * b;
      const c = 3 * model.body.root[b];
      const x = bodyCenter[3 * b] - treeCenter[c];
      const y = bodyCenter[3 * b + 1] - treeCenter[c + 1];
      const z = bodyCenter[3 * b + 2] - treeCenter[c + 2];
      for (let k = 0; k < 3; k++) {
        const n = r + 3 * k;
        spin[k] = rotation[n] * carried[o] + rotation[n + 1] * carried[o + 1] + rotation[n + 2] * carried[o + 2];
        gap[k] = spin[k] - bodyTwist[o + k];
      }
      // V̂ at the centre of the tree
      gap[3] = carried[o + 3] - spin[1] * z + spin[2] * y - bodyTwist[o + 3];
      gap[4] = carried[o + 4] - spin[2] * x + spin[0] * z - bodyTwist[o + 4];
      gap[5] = carried[o + 5] - spin[0] * y + spin[1] * x - bodyTwist[o + 5];
      multiplyInertia(bodyForce, o, bodyInertia, 10 * b, gap, 0);
    }
    for (let b = endBody - 1; b > firstBody; b--) addScaled(bodyForce, 6 * model.body.parent[b], bodyForce, 6 * b, 1);
    for (let i = firstDof; i < endDof; i++) {
      projected[i] = dot6(motionSubspace, 6 * i, bodyForce, 6 * model.dof.body[i]);
    }
  }
}

/** Impulses to changes of velocity; false where v_P of a tree has more energy than u had at q. */
function solveBoth(model: Model, state: State, work: Workspace, takesTension: boolean): boolean {
  const { kernels, rowStart, column, inertial } = work.plan;
  const { coriolis, massMatrix, tension } = work;
  const { factor, inverseDiagonal, projected, explicit, velocity, product } = coriolis;
  factor.set(massMatrix);
  if (takesTension) for (let k = 0; k < factor.length; k++) factor[k] += tension.metric[k];
  kernels.factorTree(factor, inverseDiagonal, rowStart, column);
  kernels.solveTree(projected, factor, inverseDiagonal, rowStart, column);
  kernels.solveTree(explicit, factor, inverseDiagonal, rowStart, column);
  const u = state.velocity;
  for (let i = 0; i < u.length; i++) {
    velocity[i] = u[i] + projected[i];
    explicit[i] -= projected[i];
  }
  multiplyTree(product, massMatrix, velocity, model.massMatrix.rowStart, model.massMatrix.column);
  multiplyTree(coriolis.explicitProduct, massMatrix, explicit, model.massMatrix.rowStart, model.massMatrix.column);
  for (let t = 0; t < inertial.trees.length; t++) {
    if (coriolis.isCarried[t] === 0) continue;
    if (0.5 * dotRange(velocity, product, inertial.trees[t]) > (1 + ROUND_OFF) * coriolis.energy[t]) return false;
  }
  return true;
}

/** v⁺ of a tree from v_P and v_E − v_P; momentum may turn one that floats by no more than `mostTurn`, rad/s. */
function blend(model: Model, state: State, work: Workspace, t: number, mostTurn: number): void {
  const { coriolis } = work;
  const { velocity, product, explicit, explicitProduct } = coriolis;
  const tree = work.plan.inertial.trees[t];
  if (tree.isFree) removeMomentum(model, work, tree);
  const slope = dotRange(velocity, explicitProduct, tree);
  const curvature = 0.5 * dotRange(explicit, explicitProduct, tree);
  const lead = tree.isFree || work.tension.isActive ? 0 : measureLead(work, tree, coriolis.energy[t]);
  let room = coriolis.energy[t] + lead - 0.5 * dotRange(velocity, product, tree);
  if (tree.isFree) room -= keepMomentum(model, work, t, room - findLowest(slope, curvature), mostTurn);
  const s = findShare(room, slope, curvature);
  // what the blend cannot reach
  const scale = tree.isFree
    ? 1
    : findScale(coriolis.energy[t] + lead, room - s * (slope + s * curvature), work.tension.isActive);
  for (let i = tree.firstDof; i < tree.endDof; i++) state.velocity[i] = scale * (velocity[i] + s * explicit[i]);
}

/** ½ h² f · M⁻¹ c, a small part of the energy where the step resolves the motion. */
function measureLead({ coriolis }: Workspace, { firstDof, endDof }: CoriolisTree, energy: number): number {
  const { weightImpulse, projected } = coriolis;
  let sum = 0;
  for (let i = firstDof; i < endDof; i++) sum -= weightImpulse[i] * projected[i];
  const most = MOST_LEAD * energy;
  return Math.max(-most, Math.min(most, sum));
}

/** Takes out of v_E − v_P what moves the tree as a whole. */
function removeMomentum(model: Model, work: Workspace, tree: CoriolisTree): void {
  const { rigid, explicit, explicitProduct } = work.coriolis;
  const { rowStart, column } = model.massMatrix;
  writeFloatingMomentum(rigid, 0, explicitProduct, model, work, tree);
  writeRigidMotion(rigid, model, work, tree);
  for (let k = 0; k < 6; k++) explicit[tree.firstDof + k] -= rigid[k];
  multiplyTree(explicitProduct, work.massMatrix, explicit, rowStart, column);
}

/** Gives v_P the momentum of u at q, as far as there is energy for it; the energy that it has taken. */
function keepMomentum(model: Model, work: Workspace, t: number, room: number, mostTurn: number): number {
  const { velocity, product, momentum, rigid } = work.coriolis;
  const tree = work.plan.inertial.trees[t];
  const { firstDof } = tree;
  writeFloatingMomentum(rigid, 0, product, model, work, tree);
  for (let k = 0; k < 6; k++) rigid[k] = momentum[6 * t + k] - rigid[k];
  const curvature = 0.5 * writeRigidMotion(rigid, model, work, tree);
  let slope = 0;
  for (let k = 0; k < 6; k++) slope += rigid[k] * product[firstDof + k];
  const turn = Math.sqrt(rigid[3] ** 2 + rigid[4] ** 2 + rigid[5] ** 2);
  const share = Math.min(findLargest(room, slope, curvature), turn > mostTurn ? mostTurn / turn : 1);
  for (let k = 0; k < 6; k++) velocity[firstDof + k] += share * rigid[k];
  return share * (slope + share * curvature);
}

/** Factor on velocities that brings their energy to the goal, of which `rest` is missing; light links under tension are not sped up. */
export function findScale(goal: number, rest: number, isTaut: boolean): number {
  if (!(Math.abs(rest) > ROUND_OFF * goal) || !(goal > rest)) return 1;
  const scale = Math.sqrt(goal / (goal - rest));
  return Math.min(scale, isTaut ? 1 : FASTEST_GROWTH);
}

// the largest s ≤ 1 with s slope + s² curvature ≤ room, 0 where there is none
function findLargest(room: number, slope: number, curvature: number): number {
  if (slope + curvature <= room) return 1;
  if (!(room > 0)) return 0;
  const root = Math.sqrt(slope * slope + 4 * curvature * room);
  // of two forms the one without cancellation
  const s = slope > 0 ? (2 * room) / (slope + root) : (root - slope) / (2 * curvature);
  return Math.min(s, 1);
}

// the least of s slope + s² curvature within [LEAST, MOST]
function findLowest(slope: number, curvature: number): number {
  if (!(curvature > 0)) return 0;
  const s = Math.max(LEAST, Math.min(MOST, (-0.5 * slope) / curvature));
  return s * (slope + s * curvature);
}

/** The s of least size with s slope + s² curvature = room, within [LEAST, MOST]. */
export function findShare(room: number, slope: number, curvature: number): number {
  if (!(curvature > 0)) return 0;
  const square = slope * slope + 4 * curvature * room;
  // the least that can be had
  if (!(square > 0)) return Math.max(LEAST, Math.min(MOST, (-0.5 * slope) / curvature));
  const root = Math.sqrt(square);
  const s = slope > 0 ? (2 * room) / (slope + root) : (2 * room) / (slope - root);
  return Math.max(LEAST, Math.min(MOST, s));
}

export function dotRange(a: Float64Array, b: Float64Array, { firstDof, endDof }: CoriolisTree): number {
  let sum = 0;
  for (let i = firstDof; i < endDof; i++) sum += a[i] * b[i];
  return sum;
}
