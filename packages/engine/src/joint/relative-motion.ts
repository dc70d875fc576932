/**
 * The motion of a body 2 as seen from a body 1, in the axes of body 1: with R₁, R₂ the rotations, ω, α the angular velocities
 * and accelerations (at zero accelerations of the dofs), and x₂ a point fixed to body 2,
 *   R = R₁ᵀ R₂      w = R₁ᵀ (ω₂ − ω₁)            ẇ = R₁ᵀ (α₂ − α₁ − ω₁ × ω₂)
 *   x = R₁ᵀ (x₂ − p₁)   ẋ = R₁ᵀ (v₂ − v₁)        ẍ = R₁ᵀ (a₂ − a₁ − 2 ω₁ × (v₂ − v₁))
 * v₁, a₁ are those of the point of body 1 that is at x₂ just now. Source: Goldstein, Classical Mechanics, section 4.10.
 */
import { transformPoint } from '../dynamics/poses.ts';
import { addBodyRow } from '../dynamics/relative-rows.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import { matrixFromQuaternion, relativeQuaternion } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { JET } from './jet.ts';
import { computePointRate, computePointVelocity } from './point-motion.ts';

export interface RelativeMotion {
  /** Quaternion and matrix of R. */
  readonly orientation: Float64Array;
  readonly rotation: Float64Array;
  /** w, rad/s, and ẇ, rad/s². */
  readonly turn: Float64Array;
  readonly turnRate: Float64Array;
  /** x, m, as three jets. */
  readonly point: Float64Array;
  /** x₂ in the world. */
  readonly worldPoint: Float64Array;
}

export function createRelativeMotion(): RelativeMotion {
  return {
    orientation: new Float64Array(4),
    rotation: new Float64Array(9),
    turn: new Float64Array(3),
    turnRate: new Float64Array(3),
    point: new Float64Array(3 * JET),
    worldPoint: new Float64Array(3),
  };
}

const speed1 = /* @__PURE__ */ new Float64Array(3);
const speed2 = /* @__PURE__ */ new Float64Array(3);
const rate1 = /* @__PURE__ */ new Float64Array(3);
const rate2 = /* @__PURE__ */ new Float64Array(3);
const vector = /* @__PURE__ */ new Float64Array(3);
const torque = /* @__PURE__ */ new Float64Array(3);
const force = /* @__PURE__ */ new Float64Array(3);

/** Motion of body 2 with a point given in its frame. */
export function updateRelativeMotion(
  out: RelativeMotion,
  model: Model,
  work: Workspace,
  body1: number,
  body2: number,
  point2: Float64Array,
): void {
  const { bodyOrientation, bodyPosition, bodyRotation, bodyTwist, bodyAcceleration } = work;
  relativeQuaternion(out.orientation, 0, bodyOrientation, 4 * body1, bodyOrientation, 4 * body2);
  matrixFromQuaternion(out.rotation, 0, out.orientation, 0);
  transformPoint(out.worldPoint, 0, work, body2, point2, 0);
  computePointVelocity(speed1, 0, model, work, body1, out.worldPoint, 0);
  computePointVelocity(speed2, 0, model, work, body2, out.worldPoint, 0);
  computePointRate(rate1, 0, model, work, body1, out.worldPoint, 0);
  computePointRate(rate2, 0, model, work, body2, out.worldPoint, 0);
  const w = 6 * body1;
  for (let k = 0; k < 3; k++) {
    const m = (k + 1) % 3;
    const n = (k + 2) % 3;
    vector[k] = bodyTwist[6 * body2 + k] - bodyTwist[w + k];
    torque[k] =
      bodyAcceleration[6 * body2 + k] -
      bodyAcceleration[w + k] -
      (bodyTwist[w + m] * bodyTwist[6 * body2 + n] - bodyTwist[w + n] * bodyTwist[6 * body2 + m]);
  }
  const r = 9 * body1;
  for (let k = 0; k < 3; k++) {
    out.turn[k] =
      bodyRotation[r + k] * vector[0] + bodyRotation[r + 3 + k] * vector[1] + bodyRotation[r + 6 + k] * vector[2];
    out.turnRate[k] =
      bodyRotation[r + k] * torque[0] + bodyRotation[r + 3 + k] * torque[1] + bodyRotation[r + 6 + k] * torque[2];
  }
  out.point.fill(0);
  for (let i = 0; i < 3; i++) {
    const m = (i + 1) % 3;
    const n = (i + 2) % 3;
    const place = out.worldPoint[i] - bodyPosition[3 * body1 + i];
    const speed = speed2[i] - speed1[i];
    const swing = bodyTwist[w + m] * (speed2[n] - speed1[n]) - bodyTwist[w + n] * (speed2[m] - speed1[m]);
    const rate = rate2[i] - rate1[i] - 2 * swing;
    for (let k = 0; k < 3; k++) {
      const entry = bodyRotation[r + 3 * i + k];
      out.point[JET * k] += entry * place;
      out.point[JET * k + 1] += entry * speed;
      out.point[JET * k + 2] += entry * rate;
    }
    out.point[JET * i + 6 + i] = 1;
  }
}

/** out = a vector fixed to body 2, v[i] in its frame, as three jets in the axes of body 1. */
export function setChildVector(out: Float64Array, o: number, motion: RelativeMotion, v: Float64Array, i: number): void {
  const { rotation, turn, turnRate } = motion;
  out.fill(0, o, o + 3 * JET);
  for (let k = 0; k < 3; k++)
    out[o + JET * k] = rotation[3 * k] * v[i] + rotation[3 * k + 1] * v[i + 1] + rotation[3 * k + 2] * v[i + 2];
  for (let k = 0; k < 3; k++) {
    const m = (k + 1) % 3;
    const n = (k + 2) % 3;
    const at = o + JET * k;
    out[at + 1] = turn[m] * out[o + JET * n] - turn[n] * out[o + JET * m];
    out[at + 3 + m] = out[o + JET * n];
    out[at + 3 + n] = -out[o + JET * m];
  }
  for (let k = 0; k < 3; k++) {
    const m = o + JET * ((k + 1) % 3);
    const n = o + JET * ((k + 2) % 3);
    out[o + JET * k + 2] =
      turnRate[(k + 1) % 3] * out[n] -
      turnRate[(k + 2) % 3] * out[m] +
      turn[(k + 1) % 3] * out[n + 1] -
      turn[(k + 2) % 3] * out[m + 1];
  }
}

/** Fills row k of a block with the gradient of a jet. */
export function writeJetRow(
  rows: BlockRows,
  block: number,
  k: number,
  model: Model,
  work: Workspace,
  body1: number,
  body2: number,
  worldPoint: Float64Array,
  p: number,
  jet: Float64Array,
  j: number,
): void {
  const { bodyRotation } = work;
  for (let i = 0; i < 3; i++) {
    const r = 9 * body1 + 3 * i;
    torque[i] = bodyRotation[r] * jet[j + 3] + bodyRotation[r + 1] * jet[j + 4] + bodyRotation[r + 2] * jet[j + 5];
    force[i] = bodyRotation[r] * jet[j + 6] + bodyRotation[r + 1] * jet[j + 7] + bodyRotation[r + 2] * jet[j + 8];
  }
  addBodyRow(rows, block, k, model, work, body1, -1, worldPoint, p, force, 0, torque, 0);
  addBodyRow(rows, block, k, model, work, body2, 1, worldPoint, p, force, 0, torque, 0);
}
