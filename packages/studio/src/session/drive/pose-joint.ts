/**
 * Puts a hinge or slide at a position, at rest. In joint coordinates that is one number of the state. In body coordinates all bodies
 * beyond the joint are moved along:
 *
 *   hinge   x' = p + R(a, δ)(x − p),  q' = R(a, δ) q
 *   slide   x' = x + δ a
 *
 * p anchor and a axis of the joint in the world, δ the change of its position (m or rad), x and q pose of a body. Where a body is held by
 * several joints in series, the axis of one is turned by those before it.
 */
import { JOINT, type Model, type Quaternion, type Simulation, type Vec3 } from '@nexdyn/engine';
import { listScalarJoints } from './driven-parts.ts';

/** `place`: of the joint among hinges and slides. */
export function poseJoint(simulation: Simulation, place: number, value: number): void {
  const { model } = simulation;
  const j = listScalarJoints(model)[place];
  if (j === undefined) return;
  if (j < model.size.joint) {
    simulation.setJointPosition(j, value);
    simulation.setJointVelocity(j, 0);
    return;
  }
  moveBodiesBeyond(simulation, j, value);
}

function moveBodiesBeyond(simulation: Simulation, j: number, value: number): void {
  const { model } = simulation;
  const c = j - model.size.joint;
  const { constraintJoint: joint } = model;
  const change = value - simulation.jointPosition(j);
  const axis = findAxis(simulation, c);
  const child = simulation.pose(joint.body2[c]!);
  const anchor = addScaled(child.position, rotate(child.orientation, triple(joint.anchor2, c)), 1);
  const turn = aboutAxis(axis, joint.kind[c] === JOINT.hinge ? change : 0);
  const shift = joint.kind[c] === JOINT.hinge ? 0 : change;
  for (const body of listBodiesBeyond(model, joint.body2[c]!)) {
    const { position, orientation } = simulation.pose(body);
    const turned = rotate(turn, addScaled(position, anchor, -1));
    simulation.setPose(body, {
      position: addScaled(addScaled(anchor, turned, 1), axis, shift),
      orientation: multiply(turn, orientation),
    });
    simulation.setVelocity(body, { linear: [0, 0, 0], angular: [0, 0, 0] });
  }
  // whole turns count from here
  simulation.state.hingeAngle[c] = value;
}

/** The axis of constraint joint c in the world. */
function findAxis(simulation: Simulation, c: number): Vec3 {
  const { constraintJoint: joint, size } = simulation.model;
  let turned = triple(joint.axis1, c);
  for (let before = c - 1; before >= 0 && joint.body2[before] === joint.body2[c]; before--) {
    if (joint.kind[before] !== JOINT.hinge) continue;
    const angle = simulation.jointPosition(size.joint + before) - joint.reference[before]!;
    turned = rotate(aboutAxis(triple(joint.axis1, before), angle), turned);
  }
  return rotate(simulation.pose(joint.body1[c]!).orientation, turned);
}

/** The topmost body of each rigid group that joints attach to a body, directly or by others; its own group first. */
function listBodiesBeyond({ body, constraintJoint }: Model, start: number): number[] {
  const found = [body.weld[start]!];
  for (const group of found) {
    constraintJoint.body1.forEach((parent, c) => {
      const next = body.weld[constraintJoint.body2[c]!]!;
      if (body.weld[parent] === group && !found.includes(next)) found.push(next);
    });
  }
  return found;
}

function triple(array: Float64Array, k: number): Vec3 {
  return [array[3 * k]!, array[3 * k + 1]!, array[3 * k + 2]!];
}

function addScaled(a: Vec3, b: Vec3, factor: number): Vec3 {
  return [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
}

function aboutAxis(axis: Vec3, angle: number): Quaternion {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]];
}

function multiply(p: Quaternion, q: Quaternion): Quaternion {
  const [a, b, c, d] = p;
  const [w, x, y, z] = q;
  return [
    a * w - b * x - c * y - d * z,
    a * x + b * w + c * z - d * y,
    a * y - b * z + c * w + d * x,
    a * z + b * y - c * x + d * w,
  ];
}

function rotate(q: Quaternion, v: Vec3): Vec3 {
  const [, x, y, z] = multiply(multiply(q, [0, ...v]), [q[0], -q[1], -q[2], -q[3]]);
  return [x, y, z];
}
