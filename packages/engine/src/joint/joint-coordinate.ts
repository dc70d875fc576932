/**
 * Joints that are constraints (body coordinates): from the poses of their bodies come the residual C of every chain of joints
 * (see joint-chain.ts), and the joints' positions q, velocities q̇ = J v and rates q̈ = J a + rate, which limits, dry friction,
 * springs, dampers, drives, joint equalities and fixed tendons act on. In joint coordinates there are none.
 *
 * Everything is a function of the poses, except for the whole turns of hinges: those are the nearest to angles of the state
 * (whole-turns.ts).
 */
import { addRelativeBlock } from '../dynamics/relative-rows.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { normalizeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import { JET } from './jet.ts';
import { type JointChain, listJointChains } from './joint-chain.ts';
import { measureParallelHinges } from './parallel-hinges.ts';
import { createRelativeMotion, type RelativeMotion, updateRelativeMotion, writeJetRow } from './relative-motion.ts';
import type { Residual } from './residual.ts';
import { measureSliding } from './sliding.ts';
import { createTurning, measureTurning, type Turning, writeBallDirections, writeBallOrientation } from './turning.ts';
import { findMiddleAngle } from './whole-turns.ts';
import { dropZeroBlock } from './zero-block.ts';

export interface JointCoordinates {
  /** The joints between a body and its parent. */
  readonly chains: readonly JointChain[];
  /** Jacobians of the joint positions: one block per chain, a row per free direction. */
  readonly rows: BlockRows;
  /** Per constraint joint: its block, and its first row in it (a ball has three: relative angular velocity in child axes). */
  readonly block: Int32Array;
  readonly row: Int32Array;
  /** Per constraint joint: m or rad; of a ball the angle of its rotation, the shorter way round. */
  readonly position: Float64Array;
  /** Per constraint joint: the angle that a hinge is nearest to, rad; of a simulation its state's, else the middle of its range. */
  near: Float64Array;
  /** Per constraint joint, three numbers: q̇, m/s or rad/s; of a ball all three, in child axes. */
  readonly velocity: Float64Array;
  /** Per constraint joint, three numbers: J̇ v of its rows. */
  readonly rate: Float64Array;
  /** Per constraint joint, balls alone: quaternion w x y z, as in joint coordinates. */
  readonly orientation: Float64Array;
  /** Per chain: six jets of the residual, and the world point at which their forces act. */
  readonly residual: Float64Array;
  readonly point: Float64Array;
  readonly scratch: Scratch;
}

interface Scratch {
  readonly motion: RelativeMotion;
  readonly turning: Turning;
  readonly slide: Float64Array;
  readonly residual: Float64Array;
  readonly ball: Float64Array;
}

export function createJointCoordinates(model: Model, memory: Memory): JointCoordinates {
  const chains = listJointChains(model);
  const count = model.constraintJoint.kind.length;
  const block = memory.i32(count);
  const row = memory.i32(count);
  chains.forEach((chain, b) => {
    for (let c = chain.first, next = 0; c < chain.first + chain.count; c++) {
      block[c] = b;
      row[c] = next;
      next += model.constraintJoint.kind[c] === JOINT.ball ? 3 : 1;
    }
  });
  return {
    chains,
    rows: new BlockRows(memory),
    block,
    row,
    position: memory.f64(count),
    near: Float64Array.from(model.constraintJoint.reference, (angle, c) => angle + findMiddleAngle(model, c)),
    velocity: memory.f64(3 * count),
    rate: memory.f64(3 * count),
    orientation: memory.f64(4 * count),
    residual: memory.f64(6 * JET * chains.length),
    point: memory.f64(3 * chains.length),
    scratch: {
      motion: createRelativeMotion(),
      turning: createTurning(),
      slide: new Float64Array(3 * JET),
      residual: new Float64Array(6 * JET),
      ball: new Float64Array(3 * JET),
    },
  };
}

/** Brings all joints up to the poses, velocities and accelerations of the workspace (after the kinematics and free motion). */
export function updateJointCoordinates(model: Model, work: Workspace, out: JointCoordinates): void {
  const { chains, rows, scratch, near } = out;
  const { motion, turning, slide, residual } = scratch;
  rows.clear();
  for (let b = 0; b < chains.length; b++) {
    const chain = chains[b];
    updateRelativeMotion(motion, model, work, chain.body1, chain.body2, chain.point2);
    // the residual: the translation first, though it needs the angles
    if (chain.distance > 0) measureParallelHinges(turning.angle, residual, model, chain, motion, near);
    else {
      measureTurning(turning, residual, chain.lengths, model, chain, motion, near);
      measureSliding(slide, residual, 0, model, chain, motion, turning);
    }
    out.residual.set(residual, 6 * JET * b);
    out.point.set(motion.worldPoint, 3 * b);
    // the free directions
    addRelativeBlock(rows, model, chain.body1, chain.body2, chain.freedom, true);
    for (let n = 0; n < chain.hinges.length; n++)
      setScalar(model, work, out, b, chain.hinges[n], turning.angle, JET * n);
    for (let n = 0; n < chain.slides.length; n++) setScalar(model, work, out, b, chain.slides[n], slide, JET * n);
    if (chain.ball >= 0) setBall(model, work, out, b);
  }
}

/** Adds the block of a chain of joints: 6 − (free directions) rows; -1 where there are none. */
export function writeJointChain(
  rows: BlockRows,
  model: Model,
  work: Workspace,
  coordinates: JointCoordinates,
  b: number,
  out: Residual,
): number {
  const { body1, body2, freedom } = coordinates.chains[b];
  const { residual, point } = coordinates;
  out.dimension = 6 - freedom;
  if (out.dimension === 0) return -1;
  const block = addRelativeBlock(rows, model, body1, body2, out.dimension, true);
  for (let k = 0; k < out.dimension; k++) {
    const jet = JET * (6 * b + k);
    out.value[k] = residual[jet];
    out.rate[k] = residual[jet + 2];
    writeJetRow(rows, block, k, model, work, body1, body2, point, 3 * b, residual, jet);
  }
  return dropZeroBlock(rows, block);
}

function setScalar(
  model: Model,
  work: Workspace,
  out: JointCoordinates,
  b: number,
  c: number,
  jet: Float64Array,
  j: number,
): void {
  const { body1, body2 } = out.chains[b];
  out.position[c] = jet[j] + model.constraintJoint.reference[c];
  out.velocity[3 * c] = jet[j + 1];
  out.rate[3 * c] = jet[j + 2];
  writeJetRow(out.rows, b, out.row[c], model, work, body1, body2, out.point, 3 * b, jet, j);
}

function setBall(model: Model, work: Workspace, out: JointCoordinates, b: number): void {
  const { motion, ball } = out.scratch;
  const chain = out.chains[b];
  const c = chain.ball;
  writeBallOrientation(out.orientation, 4 * c, chain, motion);
  normalizeQuaternion(out.orientation, 4 * c, out.orientation, 4 * c);
  rotationVector(ball, 0, out.orientation, 4 * c);
  out.position[c] = Math.sqrt(ball[0] * ball[0] + ball[1] * ball[1] + ball[2] * ball[2]);
  writeBallDirections(ball, 0, motion);
  for (let k = 0; k < 3; k++) {
    out.velocity[3 * c + k] = ball[JET * k + 1];
    out.rate[3 * c + k] = ball[JET * k + 2];
    writeJetRow(out.rows, b, out.row[c] + k, model, work, chain.body1, chain.body2, out.point, 3 * b, ball, JET * k);
  }
}
