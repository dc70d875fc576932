/**
 * The orientation of a child in its parent, as the rotations of its joints: angles δ from the initial pose, and the remainder
 * as a residual. With a₁, a₂, .. the hinge axes, the first fixed to the parent and the last to the child,
 *   no hinge     residual 2 vec(q* r), three rows: twice the vector of the quaternion from the child to its rest orientation r
 *   one hinge    δ = angle(m · l', l · l'); residual l · a', m · a', where l, m are across the axis in the parent and a', l' the
 *                axis and l as the child carries them
 *   both         far from alignment the rows are extended so that a flipped joint is no zero (see misalignment.ts)
 *   two hinges   the angle between the axes stays: residual (a₁ · a₂ − cos γ)/sin γ; δ₁ is the turn of a₂ about a₁ and δ₂ that
 *                of the child against a₁ about a₂
 *   three        any orientation can be reached, no residual (see three-hinges.ts)
 *   ball         no residual
 * Angles are known up to whole turns, which are counted (see whole-turns.ts).
 */
import { relativeQuaternion } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { addJet, angleOfJets, cosSinOfJet, dotJets, JET, setConstantVector } from './jet.ts';
import type { JointChain } from './joint-chain.ts';
import { extendMisalignment, isFarOff } from './misalignment.ts';
import { type RelativeMotion, setChildVector } from './relative-motion.ts';
import { measureThreeHinges } from './three-hinges.ts';
import { unwrapAngle } from './whole-turns.ts';

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
const parentAxis = /* @__PURE__ */ new Float64Array(3 * JET);
const cosine = /* @__PURE__ */ new Float64Array(JET);

/** Fills `out`, and jets of the residual from number `at`; returns how many. */
export function measureTurning(
  out: Turning,
  residual: Float64Array,
  at: number,
  model: Model,
  chain: JointChain,
  motion: RelativeMotion,
  near: Float64Array,
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
    writeTilt(residual, at, axis1, 3 * hinges[0], carried, 3 * JET);
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
    measureThreeHinges(out.angle, model, chain, motion, near);
  } else if (chain.ball < 0) {
    rows = writeMisalignment(residual, at, chain, motion);
  }
  for (let k = 0; k < hinges.length; k++) {
    out.angle[JET * k] = unwrapAngle(model, hinges[k], out.angle[JET * k], near);
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

/** Extends the two rows l · a', m · a' at `at` where the carried axis a' is far from the parent's axis u[i]. */
export function writeTilt(
  residual: Float64Array,
  at: number,
  u: Float64Array,
  i: number,
  axis: Float64Array,
  a: number,
): void {
  if (!isFarOff(u[i] * axis[a] + u[i + 1] * axis[a + JET] + u[i + 2] * axis[a + 2 * JET])) return;
  setConstantVector(parentAxis, 0, u, i);
  dotJets(cosine, 0, parentAxis, 0, axis, a);
  extendMisalignment(residual, at, 2, 1, cosine);
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
  if (!isFarOff(e0)) return 3;
  // Ė₀ = ½ (Rᵀ w) · vec E
  cosine.fill(0);
  cosine[0] = e0;
  cosine[2] = -0.25 * square * e0;
  for (let i = 0; i < 3; i++) {
    let entry = 0;
    for (let k = 0; k < 3; k++) entry += 0.5 * sign * rotation[3 * i + k] * quaternion[1 + k];
    cosine[3 + i] = entry;
    cosine[1] += entry * turn[i];
    cosine[2] += entry * turnRate[i];
  }
  extendMisalignment(residual, at, 3, 2, cosine);
  return 3;
}
