/** Poses from joint positions and back: the compiled twin of the engine's dynamics/poses.ts, in the same order of operations. */
import { BALL, FREE, HINGE, Mechanism, SLIDE } from './mechanism';
import {
  addRotated,
  integrateQuaternion,
  matrixFromQuaternion,
  multiplyQuaternions,
  normalizeQuaternion,
  rotateByQuaternion,
  turnByBall,
  turnQuaternion,
} from './quaternion';

/** Pose, rotation and centre of mass of body b. */
export function placeBody(m: Mechanism, b: i32): void {
  const at: usize = m.bodyPosition.at(3 * b);
  const orientation: usize = m.bodyOrientation.at(4 * b);
  const first: i32 = m.jointStart[b];
  const last: i32 = first + m.jointCount[b];
  if (last > first && m.kind[first] == FREE) placeFreeBody(m, first, at, orientation);
  else {
    placeInParent(m, b, at, orientation);
    for (let j: i32 = first; j < last; j++) moveByJoint(m, j, at, orientation);
    normalizeQuaternion(orientation, orientation);
  }
  matrixFromQuaternion(m.bodyRotation.at(9 * b), orientation);
  transformPoint(m.bodyCenter.at(3 * b), at, m.bodyRotation.at(9 * b), m.inertiaCenter.at(3 * b));
}

/** The pose is the joint position. */
function placeFreeBody(m: Mechanism, j: i32, at: usize, orientation: usize): void {
  const q: usize = m.position.at(m.positionStart[j]);
  const anchor: usize = m.jointAnchor.at(3 * j);
  copy3(anchor, q);
  copy3(m.jointAxis.at(3 * j), m.axis.at(3 * j));
  normalizeQuaternion(orientation, q + 24);
  addRotated(at, q, -1, orientation, m.anchor.at(3 * j));
}

@inline
function placeInParent(m: Mechanism, b: i32, at: usize, orientation: usize): void {
  const mocap: i32 = m.mocap[b];
  if (mocap >= 0) {
    copy3(at, m.mocapPosition.at(3 * mocap));
    normalizeQuaternion(orientation, m.mocapOrientation.at(4 * mocap));
    return;
  }
  const parent: i32 = m.parent[b];
  multiplyQuaternions(orientation, m.bodyOrientation.at(4 * parent), m.bodyTurn.at(4 * b));
  transformPoint(at, m.bodyPosition.at(3 * parent), m.bodyRotation.at(9 * parent), m.bodyOffset.at(3 * b));
}

@inline
function moveByJoint(m: Mechanism, j: i32, at: usize, orientation: usize): void {
  const axis: usize = m.jointAxis.at(3 * j);
  const anchor: usize = m.jointAnchor.at(3 * j);
  const i: i32 = m.positionStart[j];
  rotateByQuaternion(axis, orientation, m.axis.at(3 * j));
  addRotated(anchor, at, 1, orientation, m.anchor.at(3 * j));
  const kind: i32 = m.kind[j];
  if (kind == SLIDE) {
    const travel: f64 = m.position[i] - m.initialPosition[i];
    store<f64>(at, load<f64>(at) + load<f64>(axis) * travel);
    store<f64>(at, load<f64>(at, 8) + load<f64>(axis, 8) * travel, 8);
    store<f64>(at, load<f64>(at, 16) + load<f64>(axis, 16) * travel, 16);
    return;
  }
  if (kind == HINGE) turnQuaternion(orientation, m.axis.at(3 * j), m.position[i] - m.initialPosition[i]);
  else turnByBall(orientation, m.position.at(i));
  // keep the anchor where it was
  addRotated(at, anchor, -1, orientation, m.anchor.at(3 * j));
}

/** out = position + R point. */
function transformPoint(out: usize, position: usize, rotation: usize, point: usize): void {
  const x: f64 = load<f64>(point);
  const y: f64 = load<f64>(point, 8);
  const z: f64 = load<f64>(point, 16);
  store<f64>(out, load<f64>(position) + load<f64>(rotation) * x + load<f64>(rotation, 8) * y + load<f64>(rotation, 16) * z);
  store<f64>(
    out,
    load<f64>(position, 8) + load<f64>(rotation, 24) * x + load<f64>(rotation, 32) * y + load<f64>(rotation, 40) * z,
    8,
  );
  store<f64>(
    out,
    load<f64>(position, 16) + load<f64>(rotation, 48) * x + load<f64>(rotation, 56) * y + load<f64>(rotation, 64) * z,
    16,
  );
}

function copy3(out: usize, from: usize): void {
  store<f64>(out, load<f64>(from));
  store<f64>(out, load<f64>(from, 8), 8);
  store<f64>(out, load<f64>(from, 16), 16);
}

/** position ← position ⊕ h velocity. */
export function integratePositions(m: Mechanism, h: f64): void {
  for (let j: i32 = 0; j < m.joints; j++) {
    let q: usize = m.position.at(m.positionStart[j]);
    let v: usize = m.velocity.at(m.jointDof[j]);
    const kind: i32 = m.kind[j];
    if (kind == FREE) {
      store<f64>(q, load<f64>(q) + h * load<f64>(v));
      store<f64>(q, load<f64>(q, 8) + h * load<f64>(v, 8), 8);
      store<f64>(q, load<f64>(q, 16) + h * load<f64>(v, 16), 16);
      q += 24;
      v += 24;
    }
    if (kind == FREE || kind == BALL) integrateQuaternion(q, v, h);
    else store<f64>(q, load<f64>(q) + h * load<f64>(v));
  }
}
