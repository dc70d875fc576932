/**
 * The orientation of a child in its parent, read as what its joints turn: angles δ from the initial pose, and what is left over
 * as a residual. With a₁, a₂, .. the hinge axes, the first fixed to the parent and the last to the child,
 *   no hinge     residual 2 vec(q* r), three rows: twice the vector of the quaternion from the child to its rest orientation r
 *   one hinge    δ = angle(m · l', l · l'); residual l · a', m · a', where l, m are across the axis in the parent and a', l' the
 *                axis and l as the child carries them. A flipped axis would be a zero, too, but lies beyond 90° of tilt, where
 *                the residual is largest: from less than that, nothing leads there
 *   two hinges   the angle between the axes stays: residual (a₁ · a₂ − cos γ)/sin γ; δ₁ is the turn of a₂ about a₁ and δ₂ that
 *                of the child against a₁ about a₂
 *   three        any orientation can be reached, no residual: two triples of angles, of which the one nearer to the middles of
 *                the ranges is taken. Their rates are w = Σ uᵢ δ̇ᵢ with uᵢ the turned axes (capped where the axes lie in one plane)
 *   ball         no residual
 * An angle is known up to whole turns; the one nearest to the middle of its range is taken, or to the initial position
 * where it has no range.
 */
import { acos, atan2 } from '../linear-algebra/elementary.ts';
import {
  multiplyQuaternions,
  quaternionFromAxisAngle,
  relativeQuaternion,
  rotateByQuaternion,
  rotationVector,
} from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { addJet, angleOfJets, cosSinOfJet, dotJets, JET, setConstantVector, turnJets } from './jet.ts';
import type { JointChain } from './joint-chain.ts';
import { type RelativeMotion, setChildVector } from './relative-motion.ts';

/** Angles of the hinges of one chain, as jets, and their cosines and sines. */
export interface Turning {
  readonly angle: Float64Array;
  readonly cosSine: Float64Array;
}

export function createTurning(): Turning {
  return { angle: new Float64Array(3 * JET), cosSine: new Float64Array(6 * JET) };
}

const fixed = /* @__PURE__ */ new Float64Array(6 * JET);
const carried = /* @__PURE__ */ new Float64Array(6 * JET);
const x = /* @__PURE__ */ new Float64Array(JET);
const y = /* @__PURE__ */ new Float64Array(JET);
const quaternion = /* @__PURE__ */ new Float64Array(4);

/** Fills `out`, and jets of the residual from number `at`; returns how many. */
export function measureTurning(
  out: Turning,
  residual: Float64Array,
  at: number,
  model: Model,
  chain: JointChain,
  motion: RelativeMotion,
): number {
  const { hinges } = chain;
  const { axis1, axis2 } = model.constraintJoint;
  let rows = 0;
  if (hinges.length === 1) {
    // l and m of the parent, l and the axis of the child
    setConstantVector(fixed, 0, chain.across1, 0);
    setConstantVector(fixed, 3 * JET, chain.across1, 3);
    setChildVector(carried, 0, motion, chain.across2, 0);
    setChildVector(carried, 3 * JET, motion, axis2, 3 * hinges[0]);
    dotJets(x, 0, fixed, 0, carried, 0);
    dotJets(y, 0, fixed, 3 * JET, carried, 0);
    angleOfJets(out.angle, 0, y, 0, x, 0);
    dotJets(residual, JET * at, fixed, 0, carried, 3 * JET);
    dotJets(residual, JET * (at + 1), fixed, 3 * JET, carried, 3 * JET);
    rows = 2;
  } else if (hinges.length === 2) {
    const a = hinges[0];
    const b = hinges[1];
    // the second axis about the first
    setConstantVector(fixed, 0, chain.across1, 0);
    setConstantVector(fixed, 3 * JET, chain.across1, 3);
    setChildVector(carried, 0, motion, axis2, 3 * b);
    dotJets(x, 0, fixed, 0, carried, 0);
    dotJets(y, 0, fixed, 3 * JET, carried, 0);
    angleOfJets(out.angle, 0, y, 0, x, 0);
    // what the angle between them has changed by
    setConstantVector(fixed, 0, axis1, 3 * a);
    dotJets(x, 0, fixed, 0, carried, 0);
    x[0] -= chain.angle[0];
    residual.fill(0, JET * at, JET * (at + 1));
    addJet(residual, JET * at, x, 0, 1 / chain.angle[1]);
    rows = 1;
    // the first axis about the second, seen from the child: it turns the other way
    setChildVector(carried, 0, motion, chain.across2, 0);
    setChildVector(carried, 3 * JET, motion, chain.across2, 3);
    dotJets(x, 0, fixed, 0, carried, 0);
    dotJets(y, 0, fixed, 0, carried, 3 * JET);
    for (let k = 0; k < JET; k++) y[k] = -y[k];
    angleOfJets(out.angle, JET, y, 0, x, 0);
  } else if (hinges.length === 3) {
    measureThreeAngles(out, model, chain, motion);
  } else if (chain.ball < 0) {
    rows = writeMisalignment(residual, at, chain, motion);
  }
  for (let k = 0; k < hinges.length; k++) {
    out.angle[JET * k] = unwrap(model, hinges[k], out.angle[JET * k]);
    cosSinOfJet(out.cosSine, 2 * JET * k, out.angle, JET * k);
  }
  return rows;
}

/** out = the quaternion of the ball of a chain: of the child against its rest orientation, in its own axes. */
export function writeBallOrientation(out: Float64Array, o: number, chain: JointChain, motion: RelativeMotion): void {
  relativeQuaternion(out, o, chain.restOrientation, 0, motion.orientation, 0);
}

/** out = jets whose speeds are the relative angular velocity in the axes of the child; they have no value. */
export function writeBallDirections(out: Float64Array, o: number, motion: RelativeMotion): void {
  const { rotation, turn, turnRate } = motion;
  out.fill(0, o, o + 3 * JET);
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < 3; i++) {
      const entry = rotation[3 * i + k];
      out[o + JET * k + 1] += entry * turn[i];
      // the axes turn along with w, which leaves w as it is
      out[o + JET * k + 2] += entry * turnRate[i];
      out[o + JET * k + 3 + i] = entry;
    }
  }
}

// δ + whole turns: the one nearest to the middle of the range
function unwrap(model: Model, c: number, angle: number): number {
  return angle + 2 * Math.PI * Math.round((findMiddle(model, c) - angle) / (2 * Math.PI));
}

function findMiddle(model: Model, c: number): number {
  const { limited, range, reference } = model.constraintJoint;
  return limited[c] === 0 ? 0 : 0.5 * (range[2 * c] + range[2 * c + 1]) - reference[c];
}

// 2 vec E, E = q* r: Ė = −½ q* w r = −½ (q* w q) E
function writeMisalignment(residual: Float64Array, at: number, chain: JointChain, motion: RelativeMotion): number {
  const { rotation, turn, turnRate } = motion;
  relativeQuaternion(quaternion, 0, motion.orientation, 0, chain.restOrientation, 0);
  const sign = quaternion[0] < 0 ? -1 : 1;
  const e0 = sign * quaternion[0];
  const square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
  for (let k = 0; k < 3; k++) {
    const m = (k + 1) % 3;
    const n = (k + 2) % 3;
    const o = JET * (at + k);
    const value = sign * quaternion[1 + k];
    residual.fill(0, o, o + JET);
    residual[o] = 2 * value;
    residual[o + 2] = -0.5 * square * value;
    for (let i = 0; i < 3; i++) {
      // −(E₀ y + y × vec E), y = Rᵀ w
      const entry = -(
        e0 * rotation[3 * i + k] +
        rotation[3 * i + m] * sign * quaternion[1 + n] -
        rotation[3 * i + n] * sign * quaternion[1 + m]
      );
      residual[o + 3 + i] = entry;
      residual[o + 1] += entry * turn[i];
      residual[o + 2] += entry * turnRate[i];
    }
  }
  return 3;
}

const total = /* @__PURE__ */ new Float64Array(4);
const part = /* @__PURE__ */ new Float64Array(4);
const goal = /* @__PURE__ */ new Float64Array(3);
const middle = /* @__PURE__ */ new Float64Array(3);
const trial = /* @__PURE__ */ new Float64Array(3);
const best = /* @__PURE__ */ new Float64Array(3);
const error = /* @__PURE__ */ new Float64Array(3);
const axes = /* @__PURE__ */ new Float64Array(9 * JET);
const inverse = /* @__PURE__ */ new Float64Array(9);

function measureThreeAngles(out: Turning, model: Model, chain: JointChain, motion: RelativeMotion): void {
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
  let least = Infinity;
  for (let branch = -1; branch <= 1; branch += 2) {
    completeAngles(model, chain, center + branch * opening);
    let distance = 0;
    for (let n = 0; n < 3; n++) {
      trial[n] = unwrap(model, hinges[n], trial[n]);
      distance += (trial[n] - findMiddle(model, hinges[n])) ** 2;
    }
    if (distance < least) {
      least = distance;
      best.set(trial);
    }
  }
  // one correction, since the arc cosine is coarse near where the branches meet
  const volume = turnAxes(out, model, chain, motion);
  if (Math.abs(volume) < 1e-6) return;
  composeTurns(model, chain);
  for (let n = 1; n < 4; n++) part[n] = -part[n];
  multiplyQuaternions(quaternion, 0, total, 0, part, 0);
  rotationVector(error, 0, quaternion, 0);
  for (let n = 0; n < 3; n++) best[n] += dot(inverse, 3 * n, error, 0);
  turnAxes(out, model, chain, motion);
}

// δ₁ and δ₃ for a given δ₂, into `trial`
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
  trial[0] = first;
  trial[1] = second;
  trial[2] = 2 * atan2(dot(axis1, k, quaternion, 1), quaternion[0]);
}

// part = the turns of `best`, one after another
function composeTurns(model: Model, chain: JointChain): void {
  part[0] = 1;
  part.fill(0, 1);
  for (let n = 0; n < 3; n++) {
    quaternionFromAxisAngle(quaternion, 0, model.constraintJoint.axis1, 3 * chain.hinges[n], best[n]);
    multiplyQuaternions(part, 0, part, 0, quaternion, 0);
  }
}

// jets of the angles in `best`: δ̇ = U⁻¹ w, δ̈ = U⁻¹ (ẇ − U̇ δ̇); returns det U
function turnAxes(out: Turning, model: Model, chain: JointChain, motion: RelativeMotion): number {
  const { angle } = out;
  const { turn, turnRate } = motion;
  angle.fill(0);
  for (let n = 0; n < 3; n++) angle[JET * n] = best[n];
  placeAxes(out, model, chain);
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
  placeAxes(out, model, chain);
  for (let k = 0; k < 3; k++) {
    error[k] = turnRate[k];
    for (let n = 0; n < 3; n++) error[k] -= axes[3 * JET * n + JET * k + 1] * angle[JET * n + 1];
  }
  for (let n = 0; n < 3; n++) angle[JET * n + 2] = dot(inverse, 3 * n, error, 0);
  return volume;
}

function placeAxes({ angle, cosSine }: Turning, model: Model, { hinges }: JointChain): void {
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
