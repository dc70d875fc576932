/**
 * The position of a child in its parent, read as what its slides have moved: with x the point of the chain as the child
 * carries it, c where it would be without slides (turned by the hinges of the chain), and d₁, d₂, .. the sliding directions
 * (turned by the hinges before them),
 *   z = x − c,   slides δ from (D ᵀD) δ = Dᵀ z, D = [d₁ d₂ ..]
 *   residual −t · z for directions t across all d: the axes of the parent, two vectors across d₁, or d₁ × d₂
 * m, in the axes of the parent; minus, so that it is parent − child as in connect.
 */
import { unrotateByQuaternion } from '../linear-algebra/pose.ts';
import type { Model } from '../model/model.ts';
import {
  addJet,
  addProduct,
  crossJets,
  divideJet,
  dotJets,
  JET,
  setConstant,
  setConstantVector,
  turnJets,
} from './jet.ts';
import type { JointChain } from './joint-chain.ts';
import { type RelativeMotion, setChildVector } from './relative-motion.ts';
import type { Turning } from './turning.ts';

const VECTOR = 3 * JET;
const offset = /* @__PURE__ */ new Float64Array(VECTOR);
const direction = /* @__PURE__ */ new Float64Array(3 * VECTOR);
const across = /* @__PURE__ */ new Float64Array(VECTOR);
const product = /* @__PURE__ */ new Float64Array(3 * JET);
const divisor = /* @__PURE__ */ new Float64Array(JET);
const local = /* @__PURE__ */ new Float64Array(3);

/** Fills jets of the slides δ, and of the residual from number `at`; returns how many of the latter. */
export function measureSliding(
  slide: Float64Array,
  residual: Float64Array,
  at: number,
  model: Model,
  chain: JointChain,
  motion: RelativeMotion,
  turning: Turning,
): number {
  const { slides } = chain;
  const { axis1 } = model.constraintJoint;
  writeOffset(model, chain, motion, turning);
  for (let s = 0; s < slides.length; s++)
    carryVector(direction, VECTOR * s, model, chain, motion, turning, slides[s], axis1, 3 * slides[s]);

  switch (slides.length) {
    case 0:
      for (let k = 0; k < 3; k++) {
        residual.fill(0, JET * (at + k), JET * (at + k + 1));
        addJet(residual, JET * (at + k), offset, JET * k, -1);
      }
      return 3;
    case 1:
      dotJets(slide, 0, direction, 0, offset, 0);
      for (let k = 0; k < 2; k++) {
        carryVector(across, 0, model, chain, motion, turning, slides[0], chain.acrossSlide, 3 * k);
        dotJets(residual, JET * (at + k), across, 0, offset, 0);
        negate(residual, JET * (at + k));
      }
      return 2;
    case 2:
      solveTwo(slide);
      crossJets(across, 0, direction, 0, direction, VECTOR, 1 / chain.slideSine);
      dotJets(residual, JET * at, across, 0, offset, 0);
      negate(residual, JET * at);
      return 1;
    default:
      solveThree(slide);
      return 0;
  }
}

// z: the point against where hinges alone would have it, the last turn leaves it in place
function writeOffset(model: Model, chain: JointChain, motion: RelativeMotion, turning: Turning): void {
  const { anchor1, axis1 } = model.constraintJoint;
  const { hinges } = chain;
  setConstantVector(across, 0, chain.point1, 0);
  for (let n = hinges.length - 2; n >= 0; n--) {
    const a = 3 * hinges[n];
    for (let k = 0; k < 3; k++) across[JET * k] -= anchor1[a + k];
    turnJets(across, 0, axis1, a, turning.cosSine, 2 * JET * n);
    for (let k = 0; k < 3; k++) across[JET * k] += anchor1[a + k];
  }
  offset.set(motion.point);
  for (let k = 0; k < 3; k++) addJet(offset, JET * k, across, JET * k, -1);
}

// a vector that is v[i] at the initial pose, turned by the joints that stand before joint c
function carryVector(
  out: Float64Array,
  o: number,
  model: Model,
  chain: JointChain,
  motion: RelativeMotion,
  turning: Turning,
  c: number,
  v: Float64Array,
  i: number,
): void {
  if (chain.ball >= 0 && chain.ball < c) {
    unrotateByQuaternion(local, 0, chain.restOrientation, 0, v, i);
    setChildVector(out, o, motion, local, 0);
    return;
  }
  setConstantVector(out, o, v, i);
  for (let n = chain.hinges.length - 1; n >= 0; n--) {
    const h = chain.hinges[n];
    if (h < c) turnJets(out, o, model.constraintJoint.axis1, 3 * h, turning.cosSine, 2 * JET * n);
  }
}

// δ₁ = (b₁ − g b₂)/(1 − g²), g = d₁ · d₂, b = d · z
function solveTwo(slide: Float64Array): void {
  dotJets(product, 0, direction, 0, direction, VECTOR);
  dotJets(product, JET, direction, 0, offset, 0);
  dotJets(product, 2 * JET, direction, VECTOR, offset, 0);
  setConstant(divisor, 0, 1);
  addProduct(divisor, 0, product, 0, product, 0, -1);
  for (let s = 0; s < 2; s++) {
    slide.fill(0, JET * s, JET * (s + 1));
    addJet(slide, JET * s, product, JET * (1 + s), 1);
    addProduct(slide, JET * s, product, 0, product, JET * (2 - s), -1);
    divideJet(slide, JET * s, divisor, 0);
  }
}

// Cramer's rule: δ₁ = (d₂ × d₃) · z / (d₂ × d₃) · d₁, and so on
function solveThree(slide: Float64Array): void {
  for (let s = 0; s < 3; s++) {
    crossJets(across, 0, direction, VECTOR * ((s + 1) % 3), direction, VECTOR * ((s + 2) % 3), 1);
    dotJets(slide, JET * s, across, 0, offset, 0);
    dotJets(divisor, 0, across, 0, direction, VECTOR * s);
    divideJet(slide, JET * s, divisor, 0);
  }
}

function negate(jet: Float64Array, o: number): void {
  for (let k = o; k < o + JET; k++) jet[k] = -jet[k];
}
