/** The passes of the smoothing Newton method over the laws of an island: the twin of objective/smoothed-cones.ts, in the same order. */
import { Doubles } from './doubles';
import { Island } from './island';
import { SPRING } from './laws';
import { OPEN, QUADRATIC, SLIDE } from './zones';

/** Entries of G below this share of ρ are left out. */
const LEAST_STIFFNESS: f64 = 1e-7;

/** Addresses, in the order in which the engine writes them. */
@unmanaged
export class SmoothedCones {
  island: Island;
  rate: Doubles;
  softness: Doubles;
  impulse: Doubles;
  velocity: Doubles;
  step: Doubles;
  push: Doubles;
  /** Written: error and size. */
  numbers: Doubles;
  /** Six numbers each: z₁, its direction, what is missing. */
  z: Doubles;
  u: Doubles;
  miss: Doubles;
}

// p_ε(x), its slope d and 1 − d
let value: f64 = 0;
let slope: f64 = 0;
let rest: f64 = 0;
// |z|²/ρ² of the block measured last
let whole: f64 = 0;

@inline
function smoothPart(x: f64, square: f64): void {
  const root: f64 = Math.sqrt(x * x + square);
  const size: f64 = Math.abs(x);
  const near: f64 = root > 0 ? (0.5 * square) / (root + size) : 0;
  const far: f64 = 0.5 * (root + size);
  value = x > 0 ? far : near;
  slope = root > 0 ? value / root : 0.5;
  rest = root > 0 ? (x > 0 ? near : far) / root : 0.5;
}

/** h, γ + h in `step`, and G in the problem; `smoothing` is ε/ρ. */
export function linearizeSmoothed(p: SmoothedCones, smoothing: f64): void {
  const a: Island = p.island;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const first: i32 = a.rowStart[b];
    const d: i32 = a.rowStart[b + 1] - first;
    if (a.law[b] == SPRING) linearizeSprings(p, a, b, first, d, smoothing);
    else linearizeCone(p, a, b, first, d, smoothing);
  }
}

function linearizeSprings(p: SmoothedCones, a: Island, b: i32, first: i32, d: i32, smoothing: f64): void {
  const rho: f64 = p.rate[b];
  const square: f64 = 4 * smoothing * smoothing * rho * rho;
  const at: i32 = a.hessianStart[b];
  if (d > 1) memory.fill(a.hessian.at(at), 0, (<usize>(d * d)) << 3);
  for (let k: i32 = 0; k < d; k++) {
    const r: i32 = first + k;
    const s: f64 = p.velocity[r] + p.softness[r] * p.impulse[r];
    const z: f64 = p.impulse[r] - rho * s;
    let missing: f64 = -rho * s;
    let along: f64 = 1;
    let left: f64 = 0;
    if (a.low[r] > -Infinity) {
      smoothPart(z - a.low[r], square);
      missing = a.low[r] + value - p.impulse[r];
      along = slope;
      left = rest;
    }
    if (a.high[r] < Infinity) {
      smoothPart(z - a.high[r], square);
      missing -= value;
      along -= slope;
      left += slope;
    }
    const all: f64 = left + along * rho * p.softness[r];
    const stiffness: f64 = (rho * along) / all;
    a.hessian[at + k * (d + 1)] = stiffness > LEAST_STIFFNESS * rho ? stiffness : 0;
    p.push[r] = missing / all;
    p.step[r] = p.impulse[r] + p.push[r];
    a.zone[r] = QUADRATIC;
  }
}

function linearizeCone(p: SmoothedCones, a: Island, b: i32, first: i32, d: i32, smoothing: f64): void {
  const rho: f64 = p.rate[b];
  const at: i32 = a.hessianStart[b];
  const impulse: usize = p.impulse.at(first);
  const velocity: usize = p.velocity.at(first);
  const softness: usize = p.softness.at(first);
  const friction: usize = a.friction.at(first);
  const z1: usize = p.z.at(0);
  const u: usize = p.u.at(0);
  const miss: usize = p.miss.at(0);
  const end: usize = (<usize>d) << 3;
  // z
  const g0: f64 = load<f64>(impulse);
  const z0: f64 = g0 - rho * (load<f64>(velocity) + load<f64>(softness) * g0);
  let lengthSquare: f64 = 0;
  for (let k: usize = 8; k < end; k += 8) {
    const mu: f64 = load<f64>(friction + k);
    const g: f64 = load<f64>(impulse + k);
    const z: f64 = g / mu - rho * mu * (load<f64>(velocity + k) + load<f64>(softness + k) * g);
    store<f64>(z1 + k, z);
    lengthSquare += z * z;
  }
  const length: f64 = Math.sqrt(lengthSquare);
  // eigenvalues
  const square: f64 = 4 * smoothing * smoothing * rho * rho;
  const high: f64 = z0 + length;
  const low: f64 = z0 - length;
  const highRoot: f64 = Math.sqrt(high * high + square);
  const lowRoot: f64 = Math.sqrt(low * low + square);
  const highFar: f64 = 0.5 * (highRoot + Math.abs(high));
  const lowFar: f64 = 0.5 * (lowRoot + Math.abs(low));
  const highNear: f64 = highFar > 0 ? (0.25 * square) / highFar : 0;
  const lowNear: f64 = lowFar > 0 ? (0.25 * square) / lowFar : 0;
  const highValue: f64 = high > 0 ? highFar : highNear;
  const lowValue: f64 = low > 0 ? lowFar : lowNear;
  const highRest: f64 = high > 0 ? highNear : highFar;
  const lowRest: f64 = low > 0 ? lowNear : lowFar;
  const dp: f64 = highRoot > 0 ? highValue / highRoot : 0.5;
  const dm: f64 = lowRoot > 0 ? lowValue / lowRoot : 0.5;
  const ep: f64 = highRoot > 0 ? highRest / highRoot : 0.5;
  const em: f64 = lowRoot > 0 ? lowRest / lowRoot : 0.5;
  const roots: f64 = highRoot + lowRoot;
  const mid: f64 = roots > 0 ? (highValue + lowValue) / roots : 0.5;
  const notMid: f64 = roots > 0 ? (highRest + lowRest) / roots : 0.5;
  // the plane of the normal and of z₁, and across it
  const n: f64 = rho * load<f64>(softness);
  const mu1: f64 = load<f64>(friction, 8);
  const t: f64 = rho * mu1 * mu1 * load<f64>(softness, 8);
  const both: f64 = dp * dm;
  const q: f64 = 0.5 * (dp * em + dm * ep);
  const c: f64 = 0.5 * (dp - dm);
  const determinant: f64 = ep * em + (n + t) * q + n * t * both;
  const inverse: f64 = 1 / determinant;
  const across: f64 = 1 / (notMid + mid * t);
  const normal: f64 = rho * inverse * (q + t * both);
  const mixed: f64 = rho * inverse * c;
  const along: f64 = rho * inverse * (q + n * both);
  const aside: f64 = rho * across * mid;
  // h
  const f0: f64 = 0.5 * (highValue + lowValue) - g0;
  const scale: f64 = length > 0 ? 1 / length : 0;
  const radial: f64 = 0.5 * (highValue - lowValue);
  let fu: f64 = 0;
  for (let k: usize = 8; k < end; k += 8) {
    const uk: f64 = load<f64>(z1 + k) * scale;
    const missing: f64 = radial * uk - load<f64>(impulse + k) / load<f64>(friction + k);
    store<f64>(u + k, uk);
    store<f64>(miss + k, missing);
    fu += missing * uk;
  }
  const mean: f64 = 0.5 * (ep + em);
  const b1: f64 = 0.5 * (dp + dm);
  const h0: f64 = inverse * ((mean + b1 * t) * f0 + c * (1 - t) * fu);
  const hu: f64 = inverse * (c * (1 - n) * f0 + (mean + b1 * n) * fu);
  // what is next to open has no part in the matrix
  const isOpen: bool = normal < LEAST_STIFFNESS * rho && aside < LEAST_STIFFNESS * rho;
  const push: usize = p.push.at(first);
  const step: usize = p.step.at(first);
  const hessian: usize = a.hessian.at(at);
  store<f64>(push, h0);
  store<f64>(step, g0 + h0);
  for (let r: i32 = first; r < first + d; r++) a.zone[r] = isOpen ? OPEN : SLIDE;
  if (isOpen) memory.fill(hessian, 0, (<usize>(d * d)) << 3);
  else store<f64>(hessian, normal);
  for (let i: usize = 8; i < end; i += 8) {
    const si: f64 = load<f64>(friction + i);
    const ui: f64 = load<f64>(u + i);
    const h: f64 = si * (hu * ui + across * (load<f64>(miss + i) - fu * ui));
    store<f64>(push + i, h);
    store<f64>(step + i, load<f64>(impulse + i) + h);
    if (isOpen) continue;
    const side: f64 = si * mixed * ui;
    store<f64>(hessian + i, side);
    store<f64>(hessian + i * d, side);
    for (let j: usize = 8; j <= i; j += 8) {
      const entry: f64 = (along - aside) * ui * load<f64>(u + j) + (i == j ? aside : 0);
      const scaled: f64 = si * load<f64>(friction + j) * entry;
      store<f64>(hessian + i * d + j, scaled);
      store<f64>(hessian + j * d + i, scaled);
    }
  }
}

/** dγ of the velocities in `step`, to `push`. */
export function findSmoothedImpulses(p: SmoothedCones): void {
  const a: Island = p.island;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const first: i32 = a.rowStart[b];
    const end: usize = (<usize>(a.rowStart[b + 1] - first)) << 3;
    const step: usize = p.step.at(first);
    const push: usize = p.push.at(first);
    let g: usize = a.hessian.at(a.hessianStart[b]);
    for (let i: usize = 0; i < end; i += 8) {
      let sum: f64 = load<f64>(push + i);
      for (let j: usize = 0; j < end; j += 8, g += 8) sum -= load<f64>(g) * load<f64>(step + j);
      store<f64>(push + i, sum);
    }
  }
}

/** Goes along the step and measures the error. */
export function moveSmoothed(p: SmoothedCones, alpha: f64): void {
  const a: Island = p.island;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const end: i32 = a.rowStart[b + 1];
    for (let r: i32 = a.rowStart[b]; r < end; r++) {
      p.impulse[r] += alpha * p.push[r];
      p.velocity[r] += alpha * p.step[r];
    }
  }
  measureSmoothed(p);
}

/** The error at the velocities and impulses. */
export function measureSmoothed(p: SmoothedCones): void {
  const a: Island = p.island;
  let error: f64 = 0;
  let size: f64 = 0;
  let count: f64 = 0;
  for (let s: i32 = a.firstBlock; s < a.endBlock; s++) {
    const b: i32 = a.block[s];
    const first: i32 = a.rowStart[b];
    const d: i32 = a.rowStart[b + 1] - first;
    count += d;
    error += a.law[b] == SPRING ? measureSprings(p, a, b, first, d) : measureCone(p, a, b, first, d);
    size += whole;
  }
  p.numbers[0] = count > 0 ? Math.sqrt(error / count) : 0;
  p.numbers[1] = count > 0 ? Math.sqrt(size / count) : 0;
}

// |P_0(z) − γ|²/ρ² of a cone
function measureCone(p: SmoothedCones, a: Island, b: i32, first: i32, d: i32): f64 {
  const impulse: usize = p.impulse.at(first);
  const velocity: usize = p.velocity.at(first);
  const softness: usize = p.softness.at(first);
  const friction: usize = a.friction.at(first);
  const z1: usize = p.z.at(0);
  const end: usize = (<usize>d) << 3;
  const rho: f64 = p.rate[b];
  const g0: f64 = load<f64>(impulse);
  const z0: f64 = g0 - rho * (load<f64>(velocity) + load<f64>(softness) * g0);
  let square: f64 = 0;
  for (let k: usize = 8; k < end; k += 8) {
    const mu: f64 = load<f64>(friction + k);
    const g: f64 = load<f64>(impulse + k);
    const z: f64 = g / mu - rho * mu * (load<f64>(velocity + k) + load<f64>(softness + k) * g);
    store<f64>(z1 + k, z);
    square += z * z;
  }
  const length: f64 = Math.sqrt(square);
  whole = (z0 * z0 + square) / (rho * rho);
  const high: f64 = Math.max(0, z0 + length);
  const low: f64 = Math.max(0, z0 - length);
  const along: f64 = length > 0 ? (0.5 * (high - low)) / length : 0;
  let sum: f64 = 0.5 * (high + low) - g0;
  sum *= sum;
  for (let k: usize = 8; k < end; k += 8) {
    const missing: f64 = along * load<f64>(z1 + k) - load<f64>(impulse + k) / load<f64>(friction + k);
    sum += missing * missing;
  }
  return sum / (rho * rho);
}

function measureSprings(p: SmoothedCones, a: Island, b: i32, first: i32, d: i32): f64 {
  const rho: f64 = p.rate[b];
  let sum: f64 = 0;
  let size: f64 = 0;
  for (let r: i32 = first; r < first + d; r++) {
    const g: f64 = p.impulse[r];
    const z: f64 = g - rho * (p.velocity[r] + p.softness[r] * g);
    const missing: f64 = Math.min(Math.max(z, a.low[r]), a.high[r]) - g;
    sum += missing * missing;
    size += z * z;
  }
  whole = size / (rho * rho);
  return sum / (rho * rho);
}
