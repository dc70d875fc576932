/**
 * Three hinges on one body: the angles δ whose turns, one after another about a₁, a₂, a₃ (unit, at the initial pose, in the
 * parent's frame), make up the turn Q of the child from rest:
 *   a₁ · Q a₃ = K + L cos δ₂ + N sin δ₂      then δ₁ takes the turned a₃ to Q a₃, and δ₃ is the turn about a₃ that is left
 *   w = U δ̇,  U = [u₁ u₂ u₃] the turned axes;  δ̈ = U⁻¹ (ẇ − U̇ δ̇)
 * There are two triples of angles; they meet where the axes lie in one plane, and U⁻¹ is capped there. The middle of the second
 * hinge's range says which is taken: the choice does not change with the pose, so that angles jump nowhere else.
 * Source: Shuster and Markley, Generalization of the Euler angles, J. Astronaut. Sci. 51 (2003).
 */
import { acos, atan2, sin } from '../linear-algebra/elementary.ts';
import {
  multiplyQuaternions,
  quaternionFromAxisAngle,
  relativeQuaternion,
  rotateByQuaternion,
  rotationVector,
} from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { cosSinOfJet, JET, setConstantVector, turnJets } from './jet.ts';
import type { JointChain } from './joint-chain.ts';
import type { RelativeMotion } from './relative-motion.ts';
import { findMiddleAngle, unwrapAngle } from './whole-turns.ts';

const total = /* @__PURE__ */ new Float64Array(4);
const part = /* @__PURE__ */ new Float64Array(4);
const goal = /* @__PURE__ */ new Float64Array(3);
const middle = /* @__PURE__ */ new Float64Array(3);
const solution = /* @__PURE__ */ new Float64Array(3);
const error = /* @__PURE__ */ new Float64Array(3);
const axes = /* @__PURE__ */ new Float64Array(9 * JET);
const quaternion = /* @__PURE__ */ new Float64Array(4);
const cosSine = /* @__PURE__ */ new Float64Array(6 * JET);
const inverse = /* @__PURE__ */ new Float64Array(9);

/** Jets of the three angles. */
export function measureThreeHinges(
  out: Float64Array,
  model: Model,
  chain: JointChain,
  motion: RelativeMotion,
  near: Float64Array,
): void {
  const { axis1 } = model.constraintJoint;
  const { hinges } = chain;
  const i = 3 * hinges[0];
  const j = 3 * hinges[1];
  const k = 3 * hinges[2];
  // the turn from rest: total = q r*
  for (let n = 0; n < 4; n++) part[n] = n === 0 ? chain.restOrientation[0] : -chain.restOrientation[n];
  multiplyQuaternions(total, 0, motion.orientation, 0, part, 0);
  rotateByQuaternion(goal, 0, total, 0, axis1, k);
  // a₁ · total a₃ = K + L cos δ₂ + N sin δ₂
  const constant = dot(axis1, i, axis1, j) * dot(axis1, j, axis1, k);
  const cosine = dot(axis1, i, axis1, k) - constant;
  const sine = triple(axis1, i, axis1, j, axis1, k);
  const size = Math.sqrt(cosine * cosine + sine * sine);
  const center = atan2(sine, cosine);
  const opening = acos((dot(axis1, i, goal, 0) - constant) / size);
  // δ₂ lies on one side of the center: on that of the middle of its range
  const side = sin(findMiddleAngle(model, hinges[1]) - center) < 0 ? -1 : 1;
  completeAngles(model, chain, center + side * opening);
  for (let n = 0; n < 3; n++) solution[n] = unwrapAngle(model, hinges[n], solution[n], near);
  // one correction, since the arc cosine is coarse near where the branches meet
  const volume = turnAxes(out, model, chain, motion);
  if (Math.abs(volume) < 1e-6) return;
  composeTurns(model, chain);
  for (let n = 1; n < 4; n++) part[n] = -part[n];
  multiplyQuaternions(quaternion, 0, total, 0, part, 0);
  rotationVector(error, 0, quaternion, 0);
  for (let n = 0; n < 3; n++) solution[n] += dot(inverse, 3 * n, error, 0);
  turnAxes(out, model, chain, motion);
}

// δ₁ and δ₃ for a given δ₂, into `solution`
function completeAngles(model: Model, chain: JointChain, second: number): void {
  const { axis1 } = model.constraintJoint;
  const i = 3 * chain.hinges[0];
  const j = 3 * chain.hinges[1];
  const k = 3 * chain.hinges[2];
  quaternionFromAxisAngle(part, 0, axis1, j, second);
  rotateByQuaternion(middle, 0, part, 0, axis1, k);
  const opposite = triple(axis1, i, middle, 0, goal, 0);
  const adjacent = dot(middle, 0, goal, 0) - dot(axis1, i, middle, 0) * dot(axis1, i, goal, 0);
  // where the first and third axis are one, all of the turn is the third's
  const first = opposite * opposite + adjacent * adjacent < 1e-24 ? 0 : atan2(opposite, adjacent);
  quaternionFromAxisAngle(quaternion, 0, axis1, i, first);
  multiplyQuaternions(part, 0, quaternion, 0, part, 0);
  relativeQuaternion(quaternion, 0, part, 0, total, 0);
  solution[0] = first;
  solution[1] = second;
  solution[2] = 2 * atan2(dot(axis1, k, quaternion, 1), quaternion[0]);
}

// part = the turns of `solution`, one after another
function composeTurns(model: Model, chain: JointChain): void {
  part[0] = 1;
  part.fill(0, 1);
  for (let n = 0; n < 3; n++) {
    quaternionFromAxisAngle(quaternion, 0, model.constraintJoint.axis1, 3 * chain.hinges[n], solution[n]);
    multiplyQuaternions(part, 0, part, 0, quaternion, 0);
  }
}

// jets of the angles in `solution`: δ̇ = U⁻¹ w, δ̈ = U⁻¹ (ẇ − U̇ δ̇); returns det U
function turnAxes(angle: Float64Array, model: Model, chain: JointChain, motion: RelativeMotion): number {
  const { turn, turnRate } = motion;
  angle.fill(0);
  for (let n = 0; n < 3; n++) angle[JET * n] = solution[n];
  placeAxes(angle, model, chain);
  for (let n = 0; n < 3; n++) {
    const m = 3 * JET * ((n + 1) % 3);
    const l = 3 * JET * ((n + 2) % 3);
    for (let k = 0; k < 3; k++) {
      const p = JET * ((k + 1) % 3);
      const q = JET * ((k + 2) % 3);
      inverse[3 * n + k] = axes[m + p] * axes[l + q] - axes[m + q] * axes[l + p];
    }
  }
  const volume = axes[0] * inverse[0] + axes[JET] * inverse[1] + axes[2 * JET] * inverse[2];
  const scale = volume / (volume * volume + 1e-18);
  for (let n = 0; n < 9; n++) inverse[n] *= scale;
  for (let n = 0; n < 3; n++) {
    angle[JET * n + 1] = dot(inverse, 3 * n, turn, 0);
    for (let k = 0; k < 3; k++) angle[JET * n + 3 + k] = inverse[3 * n + k];
  }
  // speeds of the axes, now that those of the angles are known
  placeAxes(angle, model, chain);
  for (let k = 0; k < 3; k++) {
    error[k] = turnRate[k];
    for (let n = 0; n < 3; n++) error[k] -= axes[3 * JET * n + JET * k + 1] * angle[JET * n + 1];
  }
  for (let n = 0; n < 3; n++) angle[JET * n + 2] = dot(inverse, 3 * n, error, 0);
  return volume;
}

function placeAxes(angle: Float64Array, model: Model, { hinges }: JointChain): void {
  const { axis1 } = model.constraintJoint;
  for (let n = 0; n < 3; n++) {
    cosSinOfJet(cosSine, 2 * JET * n, angle, JET * n);
    setConstantVector(axes, 3 * JET * n, axis1, 3 * hinges[n]);
    for (let m = n - 1; m >= 0; m--) turnJets(axes, 3 * JET * n, axis1, 3 * hinges[m], cosSine, 2 * JET * m);
  }
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

// a · (b × c)
function triple(a: Float64Array, i: number, b: Float64Array, j: number, c: Float64Array, k: number): number {
  return (
    a[i] * (b[j + 1] * c[k + 2] - b[j + 2] * c[k + 1]) +
    a[i + 1] * (b[j + 2] * c[k] - b[j] * c[k + 2]) +
    a[i + 2] * (b[j] * c[k + 1] - b[j + 1] * c[k])
  );
}
