/** The passes of the interior point over the cones of an island: the twin of objective/cone-path.ts, in the same order. */
import * as three from './cone-three';
import { Doubles, Integers } from './doubles';
import { Island } from './island';
import { QUADRATIC, SLIDE } from './zones';

/** Place in the scratch of what G is multiplied with. */
const RIGHT: i32 = 18;

/** Addresses, in the order in which the engine writes them. */
@unmanaged
export class ConePath {
  island: Island;
  isFree: Integers;
  /** Written: gap, error, drive, reach. */
  numbers: Doubles;
  scale: Doubles;
  gamma: Doubles;
  slack: Doubles;
  gammaStep: Doubles;
  slackStep: Doubles;
  point: Doubles;
  lambda: Doubles;
  rowResidual: Doubles;
  pull: Doubles;
  push: Doubles;
  rowVelocity: Doubles;
  rowStep: Doubles;
  eta: Doubles;
  inverseMass: Doubles;
  inverse: Doubles;
  scratch: Doubles;
  softness: Doubles;
}

function measureDeterminant(x: Doubles, at: i32, d: i32): f64 {
  let square: f64 = 0;
  for (let k: i32 = 1; k < d; k++) square += x[at + k] * x[at + k];
  const length: f64 = Math.sqrt(square);
  return (x[at] - length) * (x[at] + length);
}

function findScaling(p: ConePath, at: i32, d: i32): f64 {
  const gamma: Doubles = p.gamma;
  const s: Doubles = p.slack;
  const w: Doubles = p.point;
  const gammaRoot: f64 = Math.sqrt(measureDeterminant(gamma, at, d));
  const sRoot: f64 = Math.sqrt(measureDeterminant(s, at, d));
  let product: f64 = 0;
  for (let k: i32 = 0; k < d; k++) product += gamma[at + k] * s[at + k];
  const scale: f64 = 0.5 / Math.sqrt(0.5 * (1 + product / (gammaRoot * sRoot)));
  w[at] = scale * (s[at] / sRoot + gamma[at] / gammaRoot);
  for (let k: i32 = 1; k < d; k++) w[at + k] = scale * (s[at + k] / sRoot - gamma[at + k] / gammaRoot);
  return Math.sqrt(sRoot / gammaRoot);
}

function applyScaling(out: Doubles, to: i32, eta: f64, w: Doubles, at: i32, x: Doubles, from: i32, d: i32): void {
  let dot: f64 = 0;
  for (let k: i32 = 1; k < d; k++) dot += w[at + k] * x[from + k];
  const first: f64 = x[from];
  const along: f64 = first + dot / (1 + w[at]);
  out[to] = eta * (w[at] * first + dot);
  for (let k: i32 = 1; k < d; k++) out[to + k] = eta * (x[from + k] + along * w[at + k]);
}

function applyInverseScaling(out: Doubles, to: i32, eta: f64, w: Doubles, at: i32, x: Doubles, from: i32, d: i32): void {
  let dot: f64 = 0;
  for (let k: i32 = 1; k < d; k++) dot += w[at + k] * x[from + k];
  const first: f64 = x[from];
  const along: f64 = dot / (1 + w[at]) - first;
  out[to] = (w[at] * first - dot) / eta;
  for (let k: i32 = 1; k < d; k++) out[to + k] = (x[from + k] + along * w[at + k]) / eta;
}

function divide(r: Doubles, at: i32, lambda: Doubles, from: i32, d: i32): void {
  let along: f64 = 0;
  for (let k: i32 = 1; k < d; k++) along += lambda[from + k] * r[at + k];
  const first: f64 = (lambda[from] * r[at] - along) / measureDeterminant(lambda, from, d);
  r[at] = first;
  for (let k: i32 = 1; k < d; k++) r[at + k] = (r[at + k] - first * lambda[from + k]) / lambda[from];
}

function findReach(x: Doubles, dx: Doubles, at: i32, d: i32): f64 {
  let reach: f64 = dx[at] < 0 ? -x[at] / dx[at] : Infinity;
  if (d == 1) return reach;
  let a: f64 = dx[at] * dx[at];
  let b: f64 = x[at] * dx[at];
  for (let k: i32 = 1; k < d; k++) {
    a -= dx[at + k] * dx[at + k];
    b -= x[at + k] * dx[at + k];
  }
  const c: f64 = measureDeterminant(x, at, d);
  const discriminant: f64 = b * b - a * c;
  if (discriminant < 0) return reach;
  const root: f64 = Math.sqrt(discriminant);
  const q: f64 = -(b + (b >= 0 ? root : -root));
  const t1: f64 = q / a;
  const t2: f64 = c / q;
  if (t1 > 0 && t1 < reach) reach = t1;
  if (t2 > 0 && t2 < reach) reach = t2;
  return reach;
}

function invertBlock(p: ConePath, r: i32, d: i32, at: i32, eta: f64): void {
  const a: Island = p.island;
  const inverse: Doubles = p.inverse;
  const hessian: Doubles = a.hessian;
  const point: Doubles = p.point;
  const scale: Doubles = p.scale;
  const squareEta: f64 = eta * eta;
  let square: f64 = 0;
  for (let k: i32 = r + 1; k < r + d; k++) square += point[k] * point[k];
  const length: f64 = Math.sqrt(square);
  const sum: f64 = point[r] + length;
  const large: f64 = squareEta * sum * sum;
  const small: f64 = squareEta / (sum * sum);
  const mean: f64 = 0.5 * (large + small);
  const normal: f64 = p.softness[r];
  const tangent: f64 = d > 1 ? p.softness[r + 1] : 0;
  const determinant: f64 = normal * tangent + (normal + tangent) * mean + squareEta * squareEta;
  const mixed: f64 = length > 0 ? (-0.5 * (large - small)) / (determinant * length) : 0;
  const across: f64 = 1 / (tangent + squareEta);
  const along: f64 = length > 0 ? ((normal + mean) / determinant - across) / square : 0;
  const first: f64 = (tangent + mean) / determinant;
  inverse[at] = first;
  hessian[at] = first;
  for (let i: i32 = 1; i < d; i++) {
    const si: f64 = scale[r + i];
    const side: f64 = mixed * point[r + i];
    const scaledSide: f64 = si * side;
    inverse[at + i] = side;
    inverse[at + i * d] = side;
    hessian[at + i] = scaledSide;
    hessian[at + i * d] = scaledSide;
    for (let j: i32 = 1; j <= i; j++) {
      const value: f64 = along * point[r + i] * point[r + j] + (i == j ? across : 0);
      const scaled: f64 = si * value * scale[r + j];
      inverse[at + i * d + j] = value;
      inverse[at + j * d + i] = value;
      hessian[at + i * d + j] = scaled;
      hessian[at + j * d + i] = scaled;
    }
  }
}

@inline
function measureSlack(p: ConePath, r: i32): f64 {
  return p.scale[r] * (p.rowVelocity[r] - p.island.reference[r]) + p.softness[r] * p.gamma[r];
}

function measureNatural(p: ConePath, r: i32, d: i32, w: f64): f64 {
  const gamma: Doubles = p.gamma;
  const s: Doubles = p.slack;
  const n: f64 = gamma[r] - s[r] / w;
  let square: f64 = 0;
  for (let k: i32 = 1; k < d; k++) {
    const t: f64 = gamma[r + k] - s[r + k] / w;
    square += t * t;
  }
  const t: f64 = Math.sqrt(square);
  let normal: f64 = n;
  let share: f64 = 1;
  if (t > n) {
    normal = t <= -n ? 0 : 0.5 * (n + t);
    share = t > 0 ? normal / t : 0;
  }
  let error: f64 = (gamma[r] - normal) * (gamma[r] - normal);
  for (let k: i32 = 1; k < d; k++) {
    const apart: f64 = gamma[r + k] - share * (gamma[r + k] - s[r + k] / w);
    error += apart * apart;
  }
  return Math.sqrt(error);
}

// the pull of a block: its inverse times the numbers in scratch
@inline
function writePull(p: ConePath, r: i32, d: i32, at: i32): void {
  for (let i: i32 = 0; i < d; i++) {
    let sum: f64 = 0;
    for (let j: i32 = 0; j < d; j++) sum += p.inverse[at + i * d + j] * p.scratch[RIGHT + j];
    p.pull[r + i] = sum;
    p.push[r + i] = p.scale[r + i] * sum;
  }
}

/** r_p, W, G and the pull of the predictor of every block. */
export function scaleCones(p: ConePath): void {
  const a: Island = p.island;
  const gamma: Doubles = p.gamma;
  const slack: Doubles = p.slack;
  const m: Doubles = p.scratch;
  let gap: f64 = 0;
  let cones: f64 = 0;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const r: i32 = a.rowStart[b];
    const d: i32 = a.rowStart[b + 1] - r;
    const at: i32 = a.hessianStart[b];
    if (p.isFree[b] == 1) {
      for (let k: i32 = 0; k < d * d; k++) {
        a.hessian[at + k] = 0;
        p.inverse[at + k] = 0;
      }
      for (let k: i32 = 0; k < d; k++) {
        const residual: f64 = measureSlack(p, r + k);
        const stiffness: f64 = 1 / p.softness[r + k];
        p.rowResidual[r + k] = residual;
        a.hessian[at + k * (d + 1)] = stiffness;
        p.inverse[at + k * (d + 1)] = stiffness;
        a.zone[r + k] = QUADRATIC;
        p.pull[r + k] = -residual * stiffness;
        p.push[r + k] = p.pull[r + k];
      }
      continue;
    }
    if (d == 3) {
      three.scaleThree(p, b, r, at, gap);
      gap = three.gap;
      for (let k: i32 = 0; k < 3; k++) a.zone[r + k] = SLIDE;
      cones += 1;
      continue;
    }
    for (let k: i32 = 0; k < d; k++) {
      p.rowResidual[r + k] = measureSlack(p, r + k) - slack[r + k];
      gap += gamma[r + k] * slack[r + k];
      a.zone[r + k] = SLIDE;
    }
    cones += 1;
    const eta: f64 = findScaling(p, r, d);
    p.eta[b] = eta;
    applyScaling(p.lambda, r, eta, p.point, r, gamma, r, d);
    invertBlock(p, r, d, at, eta);
    for (let k: i32 = 0; k < d; k++) m[RIGHT + k] = -slack[r + k] - p.rowResidual[r + k];
    writePull(p, r, d, at);
  }
  p.numbers[0] = cones > 0 ? gap / cones : 0;
}

/** dγ and ds of the velocities in rowStep, and how far they stay in the cones. */
export function stepCones(p: ConePath): void {
  const a: Island = p.island;
  let reach: f64 = Infinity;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const r: i32 = a.rowStart[b];
    const d: i32 = a.rowStart[b + 1] - r;
    const at: i32 = a.hessianStart[b];
    if (d == 3 && p.isFree[b] == 0) {
      three.stepThree(p, r, at, reach);
      reach = three.reach;
      continue;
    }
    for (let i: i32 = 0; i < d; i++) {
      let sum: f64 = 0;
      for (let j: i32 = 0; j < d; j++) sum += p.inverse[at + i * d + j] * (p.scale[r + j] * p.rowStep[r + j]);
      p.gammaStep[r + i] = p.pull[r + i] - sum;
    }
    if (p.isFree[b] == 1) continue;
    for (let i: i32 = 0; i < d; i++) {
      const push: f64 = p.softness[r + i] * p.gammaStep[r + i];
      p.slackStep[r + i] = p.scale[r + i] * p.rowStep[r + i] + push + p.rowResidual[r + i];
    }
    const ofGamma: f64 = findReach(p.gamma, p.gammaStep, r, d);
    const ofSlack: f64 = findReach(p.slack, p.slackStep, r, d);
    if (!(ofGamma >= reach)) reach = ofGamma;
    if (!(ofSlack >= reach)) reach = ofSlack;
  }
  p.numbers[3] = reach;
}

/** The pull of the corrector, towards a complementarity of `target`. */
export function correctCones(p: ConePath, target: f64): void {
  const a: Island = p.island;
  const lambda: Doubles = p.lambda;
  const m: Doubles = p.scratch;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    if (p.isFree[b] == 1) continue;
    const r: i32 = a.rowStart[b];
    const d: i32 = a.rowStart[b + 1] - r;
    if (d == 3) {
      three.correctThree(p, b, r, a.hessianStart[b], target);
      continue;
    }
    const eta: f64 = p.eta[b];
    applyScaling(m, 0, eta, p.point, r, p.gammaStep, r, d);
    applyInverseScaling(m, 6, eta, p.point, r, p.slackStep, r, d);
    let first: f64 = target;
    for (let k: i32 = 0; k < d; k++) first -= lambda[r + k] * lambda[r + k] + m[k] * m[6 + k];
    m[12] = first;
    for (let k: i32 = 1; k < d; k++) m[12 + k] = -2 * lambda[r] * lambda[r + k] - m[0] * m[6 + k] - m[6] * m[k];
    divide(m, 12, lambda, r, d);
    applyScaling(m, 0, eta, p.point, r, m, 12, d);
    for (let k: i32 = 0; k < d; k++) m[RIGHT + k] = m[k] - p.rowResidual[r + k];
    writePull(p, r, d, a.hessianStart[b]);
  }
}

/** Goes along the step; measures the error. */
export function moveCones(p: ConePath, alpha: f64): void {
  const a: Island = p.island;
  let error: f64 = 0;
  let drive: f64 = 0;
  let cones: f64 = 0;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const isFree: bool = p.isFree[b] == 1;
    const first: i32 = a.rowStart[b];
    const end: i32 = a.rowStart[b + 1];
    if (!isFree && end - first == 3) {
      three.moveThree(p, b, first, alpha);
      error += three.error;
      drive += three.drive;
      cones += 1;
      continue;
    }
    for (let r: i32 = first; r < end; r++) {
      p.gamma[r] += alpha * p.gammaStep[r];
      p.rowVelocity[r] += alpha * p.rowStep[r];
      p.push[r] = p.scale[r] * p.gamma[r];
      if (!isFree) p.slack[r] += alpha * p.slackStep[r];
    }
    if (isFree) continue;
    const w: f64 = p.inverseMass[b];
    const natural: f64 = w * measureNatural(p, first, end - first, w);
    const own: f64 = w * p.gamma[first];
    error += natural * natural;
    drive += own * own;
    cones += 1;
  }
  p.numbers[1] = cones > 0 ? Math.sqrt(error / cones) : 0;
  p.numbers[2] = cones > 0 ? Math.sqrt(drive / cones) : 0;
}
