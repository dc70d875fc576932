/**
 * Second derivatives Σ_k w_k ∇²C_k of the residual of a chain by the relative motion of its bodies: a 6 × 6 matrix H over (w, ẋ) in the axes
 * of body 1, C̈ = (w, ẋ)ᵀ H (w, ẋ) while w and ẋ stay as they are.
 *   ball                    C = c − x: none
 *   hinge                   rows l · a', m · a' beside those: t · (w × (w × a')) = (t · w)(w · a') − |w|² t · a'
 *   anything else           by polarisation of the rate that the jets carry: H_ij = (Q(e_i + e_j) − Q(e_i) − Q(e_j))/2
 */
import type { Model } from '../model/model.ts';
import { JET } from './jet.ts';
import type { JointChain } from './joint-chain.ts';
import { isFarOff } from './misalignment.ts';
import { measureParallelHinges } from './parallel-hinges.ts';
import type { RelativeMotion } from './relative-motion.ts';
import { measureSliding } from './sliding.ts';
import { createTurning, measureTurning } from './turning.ts';

const turning = /* @__PURE__ */ createTurning();
const slide = /* @__PURE__ */ new Float64Array(3 * JET);
const residual = /* @__PURE__ */ new Float64Array(6 * JET);
const axis = /* @__PURE__ */ new Float64Array(3);

/** Fills out[36]; false where it is zero. Overwrites the velocities of `motion`. */
export function writeRelativeCurvature(
  out: Float64Array,
  model: Model,
  chain: JointChain,
  motion: RelativeMotion,
  weight: Float64Array,
): boolean {
  const isSingle = chain.count === 1 && chain.slides.length === 0;
  if (isSingle && chain.ball >= 0) return false;
  out.fill(0);
  if (isSingle && writeHinge(out, model, chain, motion, weight)) return true;
  polarize(out, model, chain, motion, weight);
  return true;
}

// one hinge that is not far off its axis
function writeHinge(
  out: Float64Array,
  { constraintJoint }: Model,
  { hinges, across1 }: JointChain,
  { rotation }: RelativeMotion,
  weight: Float64Array,
): boolean {
  const { axis1, axis2 } = constraintJoint;
  const c = 3 * hinges[0];
  let cosine = 0;
  for (let k = 0; k < 3; k++) {
    const r = 3 * k;
    axis[k] = rotation[r] * axis2[c] + rotation[r + 1] * axis2[c + 1] + rotation[r + 2] * axis2[c + 2];
    cosine += axis1[c + k] * axis[k];
  }
  if (isFarOff(cosine)) return false;
  for (let n = 0; n < 2; n++) {
    const w = weight[3 + n];
    let along = 0;
    for (let k = 0; k < 3; k++) along += across1[3 * n + k] * axis[k];
    for (let i = 0; i < 3; i++) {
      out[7 * i] -= w * along;
      for (let j = 0; j < 3; j++)
        out[6 * i + j] += 0.5 * w * (across1[3 * n + i] * axis[j] + across1[3 * n + j] * axis[i]);
    }
  }
  return true;
}

function polarize(
  out: Float64Array,
  model: Model,
  chain: JointChain,
  motion: RelativeMotion,
  weight: Float64Array,
): void {
  motion.turnRate.fill(0);
  for (let i = 0; i < 6; i++) {
    setVelocity(motion, i, i);
    out[7 * i] = measureRate(model, chain, motion, weight);
  }
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < i; j++) {
      setVelocity(motion, i, j);
      const both = measureRate(model, chain, motion, weight);
      out[6 * i + j] = out[6 * j + i] = 0.5 * (both - out[7 * i] - out[7 * j]);
    }
  }
}

// a unit velocity along direction i, and j where that is another
function setVelocity({ turn, point }: RelativeMotion, i: number, j: number): void {
  for (let k = 0; k < 3; k++) {
    turn[k] = k === i || k === j ? 1 : 0;
    point[JET * k + 1] = k + 3 === i || k + 3 === j ? 1 : 0;
    point[JET * k + 2] = 0;
  }
}

function measureRate(model: Model, chain: JointChain, motion: RelativeMotion, weight: Float64Array): number {
  // residuals do not change with whole turns
  const { reference } = model.constraintJoint;
  if (chain.distance > 0) measureParallelHinges(turning.angle, residual, model, chain, motion, reference);
  else {
    measureTurning(turning, residual, chain.lengths, model, chain, motion, reference);
    measureSliding(slide, residual, 0, model, chain, motion, turning);
  }
  let sum = 0;
  for (let k = 0; k < 6 - chain.freedom; k++) sum += weight[k] * residual[JET * k + 2];
  return sum;
}
