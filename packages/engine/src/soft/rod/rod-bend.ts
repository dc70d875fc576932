/**
 * Energy of bending and twist at a vertex of a rod as a function of the unit tangents t₁, t₂ of its two edges and their angles θ₁, θ₂:
 *   W = ½ B (|κ|² − κ·(k₁ + k₂) + |κ̄|²) + ½ T (τ − τ̄)²
 *   κ = 2 t₁ × t₂/(1 + t₁·t₂), the curvature binormal, |κ| = 2 tan(angle/2);   τ the angle about t₂ from P u₁ to u₂
 * u are the directors of the edges, k₁ and k₂ the curvature binormal at rest κ̄ as fixed to either edge, P the rotation without twist
 * that takes t₁ to t₂. Where the rod is straight at rest, the first part is ½ B |κ|². Directors follow their tangents from the start of a step, s, by
 * rotation without twist and turn by θ:   δu = −(u·δt) t + (t × u)(δθ + a·δt),   a = −h(s, t),   h(a, b) = a × b/(1 + a·b),
 * so that ∂τ/∂θ₂ = −∂τ/∂θ₁ = 1, ∂τ/∂t₁ = h(t₁, t₂) − a₁ and ∂τ/∂t₂ = h(t₁, t₂) + a₂: gradient and Hessian are exact for steps of any
 * size, not only for small turns. B = E I/l̄, T = G J/l̄, N m; l̄ half the length of both edges at rest.
 * Source: Bergou, Wardetzky, Robinson, Audoly and Grinspun, Discrete elastic rods (2008); Bergou et al., Discrete viscous threads
 * (2010), sections 4 and 5, with the holonomy of finite steps added.
 */
import { atan2 } from '../../linear-algebra/elementary.ts';

/** What a vertex has: tangents at the start (s) and now (t), directors u and rest curvatures k now, three numbers per edge. */
export interface RodVertex {
  readonly s: Float64Array;
  readonly t: Float64Array;
  readonly u: Float64Array;
  readonly k: Float64Array;
  /** B, T, |κ̄|², τ̄. */
  bend: number;
  twist: number;
  restSquare: number;
  restTwist: number;
}

export function createRodVertex(): RodVertex {
  return {
    s: new Float64Array(6),
    t: new Float64Array(6),
    u: new Float64Array(6),
    k: new Float64Array(6),
    bend: 0,
    twist: 0,
    restSquare: 0,
    restTwist: 0,
  };
}

/** Unknowns: t₁, t₂, θ₁, θ₂. */
const SIZE = 8;
/** h(t₁, t₂); a of both edges; gradients of c = t₁·t₂, of τ and of N. */
const between = /* @__PURE__ */ new Float64Array(3);
const turning = /* @__PURE__ */ new Float64Array(6);
const gradC = /* @__PURE__ */ new Float64Array(SIZE);
const gradTau = /* @__PURE__ */ new Float64Array(SIZE);
const gradN = /* @__PURE__ */ new Float64Array(SIZE);
const hessN = /* @__PURE__ */ new Float64Array(SIZE * SIZE);
const lift = /* @__PURE__ */ new Float64Array(3);
const across = /* @__PURE__ */ new Float64Array(3);
const side = /* @__PURE__ */ new Float64Array(3);

/** τ − τ̄, within half a turn. */
export function measureTwist({ t, u, restTwist }: RodVertex): number {
  const share = dot(t, 3, u, 0) / (1 + dot(t, 0, t, 3));
  // P u₁
  for (let i = 0; i < 3; i++) lift[i] = u[i] - share * (t[i] + t[3 + i]);
  const cosine = dot(lift, 0, u, 3);
  const sine =
    t[3] * (lift[1] * u[5] - lift[2] * u[4]) +
    t[4] * (lift[2] * u[3] - lift[0] * u[5]) +
    t[5] * (lift[0] * u[4] - lift[1] * u[3]);
  const angle = atan2(sine, cosine) - restTwist;
  return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}

/** W, J. */
export function evaluateRodVertex(vertex: RodVertex): number {
  const { t, k, bend, twist, restSquare } = vertex;
  const c = dot(t, 0, t, 3);
  if (!(1 + c > 1e-12)) return Infinity;
  cross(between, 0, t, 0, t, 3);
  const pulled = (2 * (dot(between, 0, k, 0) + dot(between, 0, k, 3))) / (1 + c);
  const tau = measureTwist(vertex);
  return 0.5 * bend * ((4 * (1 - c)) / (1 + c) - pulled + restSquare) + 0.5 * twist * tau * tau;
}

/** W; writes its gradient by t₁, t₂, θ₁, θ₂ and, where `hessian` is given, the second derivatives, 8 × 8. */
export function differentiateRodVertex(
  gradient: Float64Array,
  hessian: Float64Array | undefined,
  vertex: RodVertex,
): number {
  const { s, t, bend, twist, restSquare } = vertex;
  const c = dot(t, 0, t, 3);
  const inverse = 1 / (1 + c);
  cross(between, 0, t, 0, t, 3);
  for (let i = 0; i < 3; i++) between[i] *= inverse;
  for (let j = 0; j < 2; j++) {
    cross(turning, 3 * j, s, 3 * j, t, 3 * j);
    const scale = -1 / (1 + dot(s, 3 * j, t, 3 * j));
    for (let i = 3 * j; i < 3 * j + 3; i++) turning[i] *= scale;
  }
  const tau = measureTwist(vertex);
  gradC.fill(0);
  for (let i = 0; i < 3; i++) {
    gradC[i] = t[3 + i];
    gradC[3 + i] = t[i];
    gradTau[i] = between[i] - turning[i];
    gradTau[3 + i] = between[i] + turning[3 + i];
  }
  gradTau[6] = -1;
  gradTau[7] = 1;
  const slope = -8 * inverse * inverse;
  for (let i = 0; i < SIZE; i++) gradient[i] = 0.5 * bend * slope * gradC[i] + twist * tau * gradTau[i];
  if (hessian) {
    const curvature = 0.5 * bend * 16 * inverse ** 3;
    for (let i = 0; i < SIZE; i++)
      for (let j = 0; j < SIZE; j++)
        hessian[SIZE * i + j] = curvature * gradC[i] * gradC[j] + twist * gradTau[i] * gradTau[j];
    addIdentity(hessian, 0.5 * bend * slope);
    addTwistHessian(hessian, vertex, inverse, twist * tau);
  }
  let pulled = 0;
  if (restSquare > 0) {
    for (let j = 0; j < 2; j++) pulled += addPull(gradient, hessian, vertex, j, inverse);
  }
  return 0.5 * bend * (4 * (1 - c) * inverse - pulled + restSquare) + 0.5 * twist * tau * tau;
}

// scale · ∂²c
function addIdentity(hessian: Float64Array, scale: number): void {
  for (let i = 0; i < 3; i++) {
    hessian[SIZE * i + 3 + i] += scale;
    hessian[SIZE * (3 + i) + i] += scale;
  }
}

// scale · ∂²τ, from ∂h(a, b)/∂b = ([a]× − h aᵀ)/(1 + a·b) and ∂h/∂a = −([b]× + h bᵀ)/(1 + a·b)
function addTwistHessian(hessian: Float64Array, { s, t }: RodVertex, inverse: number, scale: number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const own1 = -inverse * (skew(t, 3, i, j) + between[i] * t[3 + j]) - turningSlope(s, t, 0, i, j);
      const own2 = inverse * (skew(t, 0, i, j) - between[i] * t[j]) + turningSlope(s, t, 3, i, j);
      const cross12 = inverse * (skew(t, 0, i, j) - between[i] * t[j]);
      // antisymmetric parts of the two sums cancel in the planes across the tangents
      hessian[SIZE * i + j] += 0.5 * scale * own1;
      hessian[SIZE * j + i] += 0.5 * scale * own1;
      hessian[SIZE * (3 + i) + 3 + j] += 0.5 * scale * own2;
      hessian[SIZE * (3 + j) + 3 + i] += 0.5 * scale * own2;
      hessian[SIZE * i + 3 + j] += scale * cross12;
      hessian[SIZE * (3 + j) + i] += scale * cross12;
    }
  }
}

// ∂aᵢ/∂tⱼ of the edge at o
function turningSlope(s: Float64Array, t: Float64Array, o: number, i: number, j: number): number {
  const inverse = 1 / (1 + dot(s, o, t, o));
  return -inverse * (skew(s, o, i, j) + turning[o + i] * s[o + j]);
}

// −½ B f with f = κ·k of edge j, N = (t₁ × t₂)·k, f = 2 N/(1 + c); gives f
function addPull(
  gradient: Float64Array,
  hessian: Float64Array | undefined,
  { s, t, k, bend }: RodVertex,
  j: number,
  inverse: number,
): number {
  const o = 3 * j;
  const other = 3 - o;
  const sign = j === 0 ? -1 : 1;
  // k⊥ = t × k of the edge; M = (t₁ × t₂)·k⊥, N = (t₁ × t₂)·k
  cross(side, 0, t, o, k, o);
  const n = dot(between, 0, k, o) / inverse;
  const m = dot(between, 0, side, 0) / inverse;
  // the part of ∂N/∂t of the own edge without its turning: k × t₁ of the second, t₂ × k of the first
  cross(across, 0, k, o, t, other);
  gradN.fill(0);
  for (let i = 0; i < 3; i++) {
    gradN[o + i] = sign * across[i] + m * turning[o + i];
    gradN[other + i] = sign * side[i];
  }
  gradN[6 + j] = m;
  const f = 2 * n * inverse;
  const weight = -0.5 * bend;
  for (let i = 0; i < SIZE; i++) gradient[i] += weight * (2 * gradN[i] - f * gradC[i]) * inverse;
  if (!hessian) return f;
  fillPullHessian(s, t, k, o, other, sign, n, m);
  const w = weight * inverse;
  for (let i = 0; i < SIZE; i++) {
    for (let l = 0; l < SIZE; l++) {
      hessian[SIZE * i + l] +=
        w *
        (2 * hessN[SIZE * i + l] -
          2 * inverse * (gradN[i] * gradC[l] + gradC[i] * gradN[l]) +
          2 * f * inverse * gradC[i] * gradC[l]);
    }
  }
  addIdentity(hessian, -w * f);
  return f;
}

// ∂²N
function fillPullHessian(
  s: Float64Array,
  t: Float64Array,
  k: Float64Array,
  o: number,
  other: number,
  sign: number,
  n: number,
  m: number,
): void {
  const angle = 6 + o / 3;
  hessN.fill(0);
  // k⊥ × t of the other edge
  cross(lift, 0, side, 0, t, other);
  // t₂ × t₁ as seen from either edge: t × t of the other
  cross(across, 0, t, o, t, other);
  for (let i = 0; i < 3; i++) {
    const mixed = sign * lift[i] - n * turning[o + i];
    hessN[SIZE * (o + i) + angle] = hessN[SIZE * angle + o + i] = mixed;
    hessN[SIZE * (other + i) + angle] = hessN[SIZE * angle + other + i] = -sign * k[o + i];
    for (let j = 0; j < 3; j++) {
      const a = turning[o + i];
      const b = turning[o + j];
      const own =
        -sign * across[i] * k[o + j] + sign * (lift[i] * b + a * lift[j]) - n * a * b + m * turningSlope(s, t, o, i, j);
      hessN[SIZE * (o + i) + o + j] += 0.5 * own;
      hessN[SIZE * (o + j) + o + i] += 0.5 * own;
      const far = -sign * (t[o + i] * side[j] + k[o + i] * b);
      hessN[SIZE * (other + i) + o + j] = far;
      hessN[SIZE * (o + j) + other + i] = far;
    }
  }
  hessN[SIZE * angle + angle] = -n;
}

function skew(a: Float64Array, o: number, i: number, j: number): number {
  if (i === j) return 0;
  const value = a[o + 3 - i - j];
  return (j - i + 3) % 3 === 1 ? -value : value;
}

function cross(out: Float64Array, o: number, a: Float64Array, p: number, b: Float64Array, q: number): void {
  const x = a[p + 1] * b[q + 2] - a[p + 2] * b[q + 1];
  const y = a[p + 2] * b[q] - a[p] * b[q + 2];
  const z = a[p] * b[q + 1] - a[p + 1] * b[q];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

function dot(a: Float64Array, p: number, b: Float64Array, q: number): number {
  return a[p] * b[q] + a[p + 1] * b[q + 1] + a[p + 2] * b[q + 2];
}
