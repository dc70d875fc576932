/**
 * The passes of the interior point over a friction cone of three rows, the common one, with its numbers in locals: what the loops of
 * cone-path.ts do, in the same order.
 */
import { ConePath } from './cone-path';

/** Of the last cone: γᵀ s; how far the step stays in it; square of its error; square of the velocity its impulse makes. */
export let gap: f64 = 0;
export let reach: f64 = 0;
export let error: f64 = 0;
export let drive: f64 = 0;

@inline
function root(x0: f64, x1: f64, x2: f64): f64 {
  const length: f64 = Math.sqrt(x1 * x1 + x2 * x2);
  return (x0 - length) * (x0 + length);
}

// G times the vector to pull, and in units of the rows to push
@inline
function writePull(p: ConePath, r: i32, at: i32, m0: f64, m1: f64, m2: f64): void {
  const inverse: usize = p.inverse.at(at);
  const scale: usize = p.scale.at(r);
  const pull: usize = p.pull.at(r);
  const push: usize = p.push.at(r);
  const a: f64 = 0 + load<f64>(inverse) * m0 + load<f64>(inverse, 8) * m1 + load<f64>(inverse, 16) * m2;
  const b: f64 = 0 + load<f64>(inverse, 24) * m0 + load<f64>(inverse, 32) * m1 + load<f64>(inverse, 40) * m2;
  const c: f64 = 0 + load<f64>(inverse, 48) * m0 + load<f64>(inverse, 56) * m1 + load<f64>(inverse, 64) * m2;
  store<f64>(pull, a);
  store<f64>(pull, b, 8);
  store<f64>(pull, c, 16);
  store<f64>(push, load<f64>(scale) * a);
  store<f64>(push, load<f64>(scale, 8) * b, 8);
  store<f64>(push, load<f64>(scale, 16) * c, 16);
}

/** r_p, W, G and the pull of the predictor; η to its place; γᵀ s added to the gap. */
export function scaleThree(p: ConePath, b: i32, r: i32, at: i32, before: f64): void {
  const scale: usize = p.scale.at(r);
  const soft: usize = p.softness.at(r);
  const velocity: usize = p.rowVelocity.at(r);
  const reference: usize = p.island.reference.at(r);
  const residual: usize = p.rowResidual.at(r);
  const gamma: usize = p.gamma.at(r);
  const slack: usize = p.slack.at(r);
  const c0: f64 = load<f64>(scale);
  const c1: f64 = load<f64>(scale, 8);
  const c2: f64 = load<f64>(scale, 16);
  const normal: f64 = load<f64>(soft);
  const tangent: f64 = load<f64>(soft, 8);
  const g0: f64 = load<f64>(gamma);
  const g1: f64 = load<f64>(gamma, 8);
  const g2: f64 = load<f64>(gamma, 16);
  const s0: f64 = load<f64>(slack);
  const s1: f64 = load<f64>(slack, 8);
  const s2: f64 = load<f64>(slack, 16);
  const r0: f64 = c0 * (load<f64>(velocity) - load<f64>(reference)) + normal * g0 - s0;
  const r1: f64 = c1 * (load<f64>(velocity, 8) - load<f64>(reference, 8)) + tangent * g1 - s1;
  const r2: f64 = c2 * (load<f64>(velocity, 16) - load<f64>(reference, 16)) + load<f64>(soft, 16) * g2 - s2;
  store<f64>(residual, r0);
  store<f64>(residual, r1, 8);
  store<f64>(residual, r2, 16);
  gap = before + g0 * s0 + g1 * s1 + g2 * s2;
  // W
  const gammaRoot: f64 = Math.sqrt(root(g0, g1, g2));
  const slackRoot: f64 = Math.sqrt(root(s0, s1, s2));
  const product: f64 = g0 * s0 + g1 * s1 + g2 * s2;
  const unit: f64 = 0.5 / Math.sqrt(0.5 * (1 + product / (gammaRoot * slackRoot)));
  const w0: f64 = unit * (s0 / slackRoot + g0 / gammaRoot);
  const w1: f64 = unit * (s1 / slackRoot - g1 / gammaRoot);
  const w2: f64 = unit * (s2 / slackRoot - g2 / gammaRoot);
  const eta: f64 = Math.sqrt(slackRoot / gammaRoot);
  const point: usize = p.point.at(r);
  store<f64>(point, w0);
  store<f64>(point, w1, 8);
  store<f64>(point, w2, 16);
  p.eta[b] = eta;
  // λ = W γ
  const dot: f64 = 0 + w1 * g1 + w2 * g2;
  const sum: f64 = g0 + dot / (1 + w0);
  const lambda: usize = p.lambda.at(r);
  store<f64>(lambda, eta * (w0 * g0 + dot));
  store<f64>(lambda, eta * (g1 + sum * w1), 8);
  store<f64>(lambda, eta * (g2 + sum * w2), 16);
  // G
  const squareEta: f64 = eta * eta;
  const square: f64 = w1 * w1 + w2 * w2;
  const length: f64 = Math.sqrt(square);
  const whole: f64 = w0 + length;
  const large: f64 = squareEta * whole * whole;
  const small: f64 = squareEta / (whole * whole);
  const mean: f64 = 0.5 * (large + small);
  const determinant: f64 = normal * tangent + (normal + tangent) * mean + squareEta * squareEta;
  const mixed: f64 = length > 0 ? (-0.5 * (large - small)) / (determinant * length) : 0;
  const across: f64 = 1 / (tangent + squareEta);
  const along: f64 = length > 0 ? ((normal + mean) / determinant - across) / square : 0;
  const i00: f64 = (tangent + mean) / determinant;
  const i10: f64 = mixed * w1;
  const i20: f64 = mixed * w2;
  const i11: f64 = along * w1 * w1 + across;
  const i21: f64 = along * w2 * w1 + 0;
  const i22: f64 = along * w2 * w2 + across;
  const inverse: usize = p.inverse.at(at);
  const hessian: usize = p.island.hessian.at(at);
  store<f64>(inverse, i00);
  store<f64>(inverse, i10, 8);
  store<f64>(inverse, i20, 16);
  store<f64>(inverse, i10, 24);
  store<f64>(inverse, i11, 32);
  store<f64>(inverse, i21, 40);
  store<f64>(inverse, i20, 48);
  store<f64>(inverse, i21, 56);
  store<f64>(inverse, i22, 64);
  const h10: f64 = c1 * i10;
  const h20: f64 = c2 * i20;
  const h21: f64 = c2 * i21 * c1;
  store<f64>(hessian, i00);
  store<f64>(hessian, h10, 8);
  store<f64>(hessian, h20, 16);
  store<f64>(hessian, h10, 24);
  store<f64>(hessian, c1 * i11 * c1, 32);
  store<f64>(hessian, h21, 40);
  store<f64>(hessian, h20, 48);
  store<f64>(hessian, h21, 56);
  store<f64>(hessian, c2 * i22 * c2, 64);
  writePull(p, r, at, -s0 - r0, -s1 - r1, -s2 - r2);
}

// largest t with x + t d in the cone
@inline
function findReach(x0: f64, x1: f64, x2: f64, d0: f64, d1: f64, d2: f64): f64 {
  let far: f64 = d0 < 0 ? -x0 / d0 : Infinity;
  const a: f64 = d0 * d0 - d1 * d1 - d2 * d2;
  const b: f64 = x0 * d0 - x1 * d1 - x2 * d2;
  const c: f64 = root(x0, x1, x2);
  const discriminant: f64 = b * b - a * c;
  if (discriminant < 0) return far;
  const side: f64 = Math.sqrt(discriminant);
  const q: f64 = -(b + (b >= 0 ? side : -side));
  const t1: f64 = q / a;
  const t2: f64 = c / q;
  if (t1 > 0 && t1 < far) far = t1;
  if (t2 > 0 && t2 < far) far = t2;
  return far;
}

/** dγ and ds of the velocities in rowStep; the reach of the cone. */
export function stepThree(p: ConePath, r: i32, at: i32, before: f64): void {
  const inverse: usize = p.inverse.at(at);
  const scale: usize = p.scale.at(r);
  const rowStep: usize = p.rowStep.at(r);
  const pull: usize = p.pull.at(r);
  const soft: usize = p.softness.at(r);
  const residual: usize = p.rowResidual.at(r);
  const gamma: usize = p.gamma.at(r);
  const slack: usize = p.slack.at(r);
  const gammaStep: usize = p.gammaStep.at(r);
  const slackStep: usize = p.slackStep.at(r);
  const v0: f64 = load<f64>(scale) * load<f64>(rowStep);
  const v1: f64 = load<f64>(scale, 8) * load<f64>(rowStep, 8);
  const v2: f64 = load<f64>(scale, 16) * load<f64>(rowStep, 16);
  const d0: f64 =
    load<f64>(pull) - (0 + load<f64>(inverse) * v0 + load<f64>(inverse, 8) * v1 + load<f64>(inverse, 16) * v2);
  const d1: f64 =
    load<f64>(pull, 8) - (0 + load<f64>(inverse, 24) * v0 + load<f64>(inverse, 32) * v1 + load<f64>(inverse, 40) * v2);
  const d2: f64 =
    load<f64>(pull, 16) - (0 + load<f64>(inverse, 48) * v0 + load<f64>(inverse, 56) * v1 + load<f64>(inverse, 64) * v2);
  const e0: f64 = v0 + load<f64>(soft) * d0 + load<f64>(residual);
  const e1: f64 = v1 + load<f64>(soft, 8) * d1 + load<f64>(residual, 8);
  const e2: f64 = v2 + load<f64>(soft, 16) * d2 + load<f64>(residual, 16);
  store<f64>(gammaStep, d0);
  store<f64>(gammaStep, d1, 8);
  store<f64>(gammaStep, d2, 16);
  store<f64>(slackStep, e0);
  store<f64>(slackStep, e1, 8);
  store<f64>(slackStep, e2, 16);
  reach = before;
  const ofGamma: f64 = findReach(load<f64>(gamma), load<f64>(gamma, 8), load<f64>(gamma, 16), d0, d1, d2);
  if (!(ofGamma >= reach)) reach = ofGamma;
  const ofSlack: f64 = findReach(load<f64>(slack), load<f64>(slack, 8), load<f64>(slack, 16), e0, e1, e2);
  if (!(ofSlack >= reach)) reach = ofSlack;
}

/** The pull of the corrector, towards a complementarity of `target`. */
export function correctThree(p: ConePath, b: i32, r: i32, at: i32, target: f64): void {
  const point: usize = p.point.at(r);
  const lambda: usize = p.lambda.at(r);
  const gammaStep: usize = p.gammaStep.at(r);
  const slackStep: usize = p.slackStep.at(r);
  const residual: usize = p.rowResidual.at(r);
  const eta: f64 = p.eta[b];
  const w0: f64 = load<f64>(point);
  const w1: f64 = load<f64>(point, 8);
  const w2: f64 = load<f64>(point, 16);
  const l0: f64 = load<f64>(lambda);
  const l1: f64 = load<f64>(lambda, 8);
  const l2: f64 = load<f64>(lambda, 16);
  const g0: f64 = load<f64>(gammaStep);
  const g1: f64 = load<f64>(gammaStep, 8);
  const g2: f64 = load<f64>(gammaStep, 16);
  const s0: f64 = load<f64>(slackStep);
  const s1: f64 = load<f64>(slackStep, 8);
  const s2: f64 = load<f64>(slackStep, 16);
  // x = W dγ, y = W⁻¹ ds
  let dot: f64 = 0 + w1 * g1 + w2 * g2;
  let along: f64 = g0 + dot / (1 + w0);
  const x0: f64 = eta * (w0 * g0 + dot);
  const x1: f64 = eta * (g1 + along * w1);
  const x2: f64 = eta * (g2 + along * w2);
  dot = 0 + w1 * s1 + w2 * s2;
  along = dot / (1 + w0) - s0;
  const y0: f64 = (w0 * s0 - dot) / eta;
  const y1: f64 = (s1 + along * w1) / eta;
  const y2: f64 = (s2 + along * w2) / eta;
  // λ \ (μ e − λ ∘ λ − x ∘ y)
  const z0: f64 = target - (l0 * l0 + x0 * y0) - (l1 * l1 + x1 * y1) - (l2 * l2 + x2 * y2);
  const z1: f64 = -2 * l0 * l1 - x0 * y1 - y0 * x1;
  const z2: f64 = -2 * l0 * l2 - x0 * y2 - y0 * x2;
  const q0: f64 = (l0 * z0 - (0 + l1 * z1 + l2 * z2)) / root(l0, l1, l2);
  const q1: f64 = (z1 - q0 * l1) / l0;
  const q2: f64 = (z2 - q0 * l2) / l0;
  dot = 0 + w1 * q1 + w2 * q2;
  along = q0 + dot / (1 + w0);
  const m0: f64 = eta * (w0 * q0 + dot) - load<f64>(residual);
  const m1: f64 = eta * (q1 + along * w1) - load<f64>(residual, 8);
  const m2: f64 = eta * (q2 + along * w2) - load<f64>(residual, 16);
  writePull(p, r, at, m0, m1, m2);
}

/** Goes along the step; squares of the error and of the drive. */
export function moveThree(p: ConePath, b: i32, r: i32, alpha: f64): void {
  const gamma: usize = p.gamma.at(r);
  const slack: usize = p.slack.at(r);
  const gammaStep: usize = p.gammaStep.at(r);
  const slackStep: usize = p.slackStep.at(r);
  const velocity: usize = p.rowVelocity.at(r);
  const rowStep: usize = p.rowStep.at(r);
  const scale: usize = p.scale.at(r);
  const push: usize = p.push.at(r);
  const g0: f64 = load<f64>(gamma) + alpha * load<f64>(gammaStep);
  const g1: f64 = load<f64>(gamma, 8) + alpha * load<f64>(gammaStep, 8);
  const g2: f64 = load<f64>(gamma, 16) + alpha * load<f64>(gammaStep, 16);
  const s0: f64 = load<f64>(slack) + alpha * load<f64>(slackStep);
  const s1: f64 = load<f64>(slack, 8) + alpha * load<f64>(slackStep, 8);
  const s2: f64 = load<f64>(slack, 16) + alpha * load<f64>(slackStep, 16);
  store<f64>(gamma, g0);
  store<f64>(gamma, g1, 8);
  store<f64>(gamma, g2, 16);
  store<f64>(slack, s0);
  store<f64>(slack, s1, 8);
  store<f64>(slack, s2, 16);
  store<f64>(push, load<f64>(scale) * g0);
  store<f64>(push, load<f64>(scale, 8) * g1, 8);
  store<f64>(push, load<f64>(scale, 16) * g2, 16);
  store<f64>(velocity, load<f64>(velocity) + alpha * load<f64>(rowStep));
  store<f64>(velocity, load<f64>(velocity, 8) + alpha * load<f64>(rowStep, 8), 8);
  store<f64>(velocity, load<f64>(velocity, 16) + alpha * load<f64>(rowStep, 16), 16);
  const w: f64 = p.inverseMass[b];
  // natural map
  const n: f64 = g0 - s0 / w;
  const t1: f64 = g1 - s1 / w;
  const t2: f64 = g2 - s2 / w;
  const t: f64 = Math.sqrt(t1 * t1 + t2 * t2);
  let normal: f64 = n;
  let share: f64 = 1;
  if (t > n) {
    normal = t <= -n ? 0 : 0.5 * (n + t);
    share = t > 0 ? normal / t : 0;
  }
  const a1: f64 = g1 - share * t1;
  const a2: f64 = g2 - share * t2;
  const natural: f64 = w * Math.sqrt((g0 - normal) * (g0 - normal) + a1 * a1 + a2 * a2);
  const own: f64 = w * g0;
  error = natural * natural;
  drive = own * own;
}
