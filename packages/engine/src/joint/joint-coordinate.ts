/**
 * Positions q, velocities q̇ = J v and rates q̈ = J a + rate of the joints that are constraints (body coordinates), worked out
 * from the poses of their bodies: what limits, dry friction, springs, dampers, drives, joint equalities and fixed tendons act
 * on. In joint coordinates there are none, and the arrays are empty.
 */
import { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';

export interface JointCoordinates {
  /** Jacobians: one block per body that joints hold, a row per free direction. */
  readonly rows: BlockRows;
  /** Per constraint joint: its block, and its first row in it (a ball has three: relative angular velocity in child axes). */
  readonly block: Int32Array;
  readonly row: Int32Array;
  /** Per constraint joint: m or rad; of a ball the angle of its rotation. */
  readonly position: Float64Array;
  /** Per constraint joint, balls alone: quaternion w x y z, as in joint coordinates. */
  readonly orientation: Float64Array;
  /** Per constraint joint, three numbers: J̇ v of its rows. */
  readonly rate: Float64Array;
}

export function createJointCoordinates(model: Model, memory: Memory): JointCoordinates {
  const count = model.constraintJoint.kind.length;
  return {
    rows: new BlockRows(memory),
    block: memory.i32(count).fill(-1),
    row: memory.i32(count),
    position: memory.f64(count),
    orientation: memory.f64(4 * count),
    rate: memory.f64(3 * count),
  };
}
