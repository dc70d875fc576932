/**
 * Joints of body coordinates as rows of `ccp`.
 *   what holds   6 − freedom rows per chain of joints, any impulse, b = Ψ/h within ± the recovery speed
 *   armature     γ = −m (q̇⁺ − q̇₀), q̇ = J v: E = 1/m, b = −q̇₀
 *   damper       γ = −h d q̇⁺: E = 1/(h d), b = 0
 * Both join two bodies and cannot be part of A, which knows each body alone.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { hasImplicitDampers } from '../../joint/articulation.ts';
import { updateJointCoordinates, writeJointChain } from '../../joint/joint-coordinate.ts';
import { createResidual } from '../../joint/residual.ts';
import { JOINT } from '../../model/model.ts';
import { LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { CcpBuilder } from './ccp-builder.ts';

const residual = /* @__PURE__ */ createResidual();

export function addJointChains(builder: CcpBuilder, work: Workspace): void {
  const { model, problem, joints } = builder;
  const { chains } = joints.coordinates;
  if (chains.length === 0) return;
  updateJointCoordinates(model, work, joints.coordinates);
  for (let c = 0; c < chains.length; c++) {
    if (writeJointChain(problem.rows, model, work, joints.coordinates, c, residual) < 0) continue;
    const first = problem.describe(LAW.spring, SOURCE.constraintJoint, chains[c].first);
    for (let k = 0; k < residual.dimension; k++) {
      problem.setRow(first + k, -builder.recover(residual.value[k]), 0, -Infinity, Infinity);
    }
  }
  addJointDynamics(builder);
}

function addJointDynamics(builder: CcpBuilder): void {
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

// γ = −stiffness (J v − reference) along direction k of joint c
function addDirection(builder: CcpBuilder, c: number, k: number, stiffness: number, reference: number): void {
  const { problem, joints } = builder;
  const { coordinates, row } = joints;
  row.clear();
  row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c] + k, 1);
  if (row.write(problem.rows, 1) < 0) return;
  const at = problem.describe(LAW.spring, SOURCE.constraintJoint, c);
  problem.setRow(at, reference, 1 / stiffness, -Infinity, Infinity);
}
