/**
 * Two hinges about parallel axes, apart from each other, as between the links of a roller chain: the child turns by both and its anchor
 * goes round the first. With u the axes, p₁ the anchor of the first in the parent, x that of the second as the child carries it, z = x − p₁
 * and e, u × e the directions across u of z at rest (length r),
 *   δ₁ = angle of z about u,   δ₁ ± δ₂ = turn of the child about u (minus where the axes are opposed)
 *   residual  −(u · z − u · z₀),  −(|z across u| − r),  l · u', m · u'  with l, m across u in the parent and u' as the child carries it
 * m and rad; the last two extended where the axis is far off (misalignment.ts). There is no other branch: a parallelogram needs a second body.
 */
import type { Model } from '../model/model.ts';
import { addJet, addProduct, angleOfJets, cosSinOfJet, dotJets, JET, setConstantVector } from './jet.ts';
import type { JointChain } from './joint-chain.ts';
import { type RelativeMotion, setChildVector } from './relative-motion.ts';
import { writeTilt } from './turning.ts';
import { unwrapAngle } from './whole-turns.ts';

const offset = /* @__PURE__ */ new Float64Array(3 * JET);
const fixed = /* @__PURE__ */ new Float64Array(6 * JET);
const carried = /* @__PURE__ */ new Float64Array(3 * JET);
const x = /* @__PURE__ */ new Float64Array(JET);
const y = /* @__PURE__ */ new Float64Array(JET);
const cosSine = /* @__PURE__ */ new Float64Array(2 * JET);

/** Jets of the two angles, and of the four rows of the residual. */
export function measureParallelHinges(
  angle: Float64Array,
  residual: Float64Array,
  model: Model,
  chain: JointChain,
  motion: RelativeMotion,
  near: Float64Array,
): void {
  const { axis1, axis2, anchor1 } = model.constraintJoint;
  const [a, b] = chain.hinges;
  residual.fill(0, 0, 4 * JET);
  offset.set(motion.point);
  for (let k = 0; k < 3; k++) offset[JET * k] -= anchor1[3 * a + k];
  // along the axes nothing moves
  setConstantVector(fixed, 0, axis1, 3 * a);
  dotJets(x, 0, fixed, 0, offset, 0);
  addJet(residual, 0, x, 0, -1);
  for (let k = 0; k < 3; k++) residual[0] += axis1[3 * a + k] * (chain.point1[k] - anchor1[3 * a + k]);
  // round the first: angle, and the part of z in that direction
  setConstantVector(fixed, 0, chain.across1, 0);
  setConstantVector(fixed, 3 * JET, chain.across1, 3);
  dotJets(x, 0, fixed, 0, offset, 0);
  dotJets(y, 0, fixed, 3 * JET, offset, 0);
  angleOfJets(angle, 0, y, 0, x, 0);
  cosSinOfJet(cosSine, 0, angle, 0);
  addProduct(residual, JET, x, 0, cosSine, 0, -1);
  addProduct(residual, JET, y, 0, cosSine, JET, -1);
  residual[JET] += chain.distance;
  // the turn of the child, and how its axis leans
  setChildVector(carried, 0, motion, axis2, 3 * a);
  dotJets(residual, 2 * JET, fixed, 0, carried, 0);
  dotJets(residual, 3 * JET, fixed, 3 * JET, carried, 0);
  writeTilt(residual, 2, axis1, 3 * a, carried, 0);
  setChildVector(carried, 0, motion, chain.across2, 0);
  dotJets(x, 0, fixed, 0, carried, 0);
  dotJets(y, 0, fixed, 3 * JET, carried, 0);
  angleOfJets(angle, JET, y, 0, x, 0);
  // what the first has not turned
  addJet(angle, JET, angle, 0, -1);
  if (chain.angle[0] < 0) for (let k = JET; k < 2 * JET; k++) angle[k] = -angle[k];
  angle[0] = unwrapAngle(model, a, angle[0], near);
  angle[JET] = unwrapAngle(model, b, angle[JET], near);
}
