/**
 * Joints of body coordinates as rows of `sap`.
 *   what holds   6 − freedom rows per chain of joints, springs as stiff as the step resolves, v̂ = −C/(2h)
 *   armature     ½ m (q̇ − q̇₀)², q̇ = J v: a spring row with D = m and v̂ = q̇₀
 *   damper       impulse −h d q̇: a spring row with D = h d and v̂ = 0
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { hasImplicitDampers } from '../../joint/articulation.ts';
import { updateJointCoordinates, writeJointChain } from '../../joint/joint-coordinate.ts';
import { createResidual } from '../../joint/residual.ts';
import { JOINT } from '../../model/model.ts';
import { LAW, SOURCE } from '../../objective/convex-problem.ts';
import { regularizeRigid } from './near-rigid.ts';
import type { SapBuilder } from './sap-builder.ts';

const residual = /* @__PURE__ */ createResidual();

export function addJointChains(builder: SapBuilder, work: Workspace): void {
  const { model, problem, joints, delassus, options, h } = builder;
  const { chains } = joints.coordinates;
  if (chains.length === 0) return;
  updateJointCoordinates(model, work, joints.coordinates);
  for (let b = 0; b < chains.length; b++) {
    const block = writeJointChain(problem.rows, model, work, joints.coordinates, b, residual);
    if (block < 0) continue;
    const first = problem.describe(LAW.spring, SOURCE.constraintJoint, chains[b].first);
    delassus.measure(problem.rows, block, residual.dimension);
    for (let k = 0; k < residual.dimension; k++) {
      const regularization = regularizeRigid(delassus.matrix[7 * k], options.nearRigidJoint, h);
      const reference = -residual.value[k] / (2 * h);
      problem.setRow(first + k, reference, regularization, -Infinity, Infinity);
    }
  }
  addJointDynamics(builder);
}

function addJointDynamics(builder: SapBuilder): void {
  const { model, joints, h } = builder;
  const { velocity } = joints.coordinates;
  const { kind, armature, damping } = model.constraintJoint;
  const hasDampers = hasImplicitDampers(model) && !model.options.disabled.has('damper');
  for (let c = 0; c < kind.length; c++) {
    const directions = kind[c] === JOINT.ball ? 3 : 1;
    for (let k = 0; k < directions; k++) {
      if (armature[c] > 0) addDirection(builder, c, k, armature[c], velocity[3 * c + k]);
      if (hasDampers && damping[c] > 0) addDirection(builder, c, k, h * damping[c], 0);
    }
  }
}

// a spring along direction k of joint c
function addDirection(builder: SapBuilder, c: number, k: number, stiffness: number, reference: number): void {
  const { problem, joints } = builder;
  const { coordinates, row } = joints;
  row.clear();
  row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c] + k, 1);
  if (row.write(problem.rows, 1) < 0) return;
  const at = problem.describe(LAW.spring, SOURCE.constraintJoint, c);
  problem.setRow(at, reference, 1 / stiffness, -Infinity, Infinity);
}
