/**
 * Mollifier of edge pairs: lets an edge-edge energy vanish smoothly as the edges become parallel.
 *
 *   s = |u × v|², u = a₁ − a₀, v = b₁ − b₀, m⁴;   m = (2 − s/ε)(s/ε) for s < ε, else 1;   ε = 1e-3 |u_rest|²|v_rest|²
 *   ∂s/∂u = 2 v × n, ∂s/∂v = 2 n × u, n = u × v
 *   ∂²s/∂u² = 2(|v|² I − vvᵀ), ∂²s/∂v² = 2(|u|² I − uuᵀ), ∂²s/∂u∂v = 2(2uvᵀ − vuᵀ − (u·v) I)
 *
 * m is C¹ at s = ε (m' = 0 there). The energy m b(D) uses the true distance type. Edges without rest length have ε = 0
 * and m = 1, because they have no direction. Stencil x[o..o+12) = a₀, a₁, b₀, b₁.
 * Source: Li et al., Incremental Potential Contact (2020), section 4 (edge-edge mollifier).
 */
import { frame, frameDirections } from './two-directions.ts';

/** Share of |u|²|v|² below which the mollifier acts: sine of the angle below 0.032. */
export const MOLLIFIER_SHARE: number = 1e-3;

/** ε of the edges of a stencil at rest, m⁴. */
export function measureMollifierThreshold(rest: Float64Array, o: number): number {
  let u = 0;
  let v = 0;
  for (let a = 0; a < 3; a++) {
    u += (rest[o + 3 + a] - rest[o + a]) ** 2;
    v += (rest[o + 9 + a] - rest[o + 6 + a]) ** 2;
  }
  return MOLLIFIER_SHARE * u * v;
}

/** m, between 0 and 1. */
export function measureMollifier(x: Float64Array, o: number, epsilon: number): number {
  frameDirections(x, o, o + 3, o + 6, o + 9);
  if (!(frame[15] < epsilon)) return 1;
  const y = frame[15] / epsilon;
  return (2 - y) * y;
}

/** ∂m/∂x at out[g..g+12), 1/m. */
export function writeMollifierGradient(
  out: Float64Array,
  g: number,
  x: Float64Array,
  o: number,
  epsilon: number,
): void {
  frameDirections(x, o, o + 3, o + 6, o + 9);
  const f = frame;
  // 2 m'(s) times v × n and n × u; zero beyond ε
  const scale = f[15] < epsilon ? (4 / epsilon) * (1 - f[15] / epsilon) : 0;
  for (let a = 0; a < 3; a++) {
    const b = a < 2 ? a + 1 : 0;
    const c = b < 2 ? b + 1 : 0;
    const byFirst = scale * (f[3 + b] * f[6 + c] - f[3 + c] * f[6 + b]);
    const bySecond = scale * (f[6 + b] * f[c] - f[6 + c] * f[b]);
    out[g + a] = -byFirst;
    out[g + 3 + a] = byFirst;
    out[g + 6 + a] = -bySecond;
    out[g + 9 + a] = bySecond;
  }
}

/** ∂²m/∂x² at out[h..h+144), row by row, 1/m². */
export function writeMollifierHessian(out: Float64Array, h: number, x: Float64Array, o: number, epsilon: number): void {
  frameDirections(x, o, o + 3, o + 6, o + 9);
  const f = frame;
  if (!(f[15] < epsilon)) {
    out.fill(0, h, h + 144);
    return;
  }
  const first = (2 / epsilon) * (1 - f[15] / epsilon);
  const second = -2 / (epsilon * epsilon);
  const uu = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
  const vv = f[3] * f[3] + f[4] * f[4] + f[5] * f[5];
  const uv = f[0] * f[3] + f[1] * f[4] + f[2] * f[5];
  // ½ ∂s/∂(u, v)
  for (let a = 0; a < 3; a++) {
    const b = a < 2 ? a + 1 : 0;
    const c = b < 2 ? b + 1 : 0;
    slope[a] = f[3 + b] * f[6 + c] - f[3 + c] * f[6 + b];
    slope[3 + a] = f[6 + b] * f[c] - f[6 + c] * f[b];
  }
  // blocks in (u, v): m' ∂²s + m'' ∂s ∂sᵀ, spread over the ends with signs −, +
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) {
      const one = a === b ? 1 : 0;
      const rank = 4 * second * slope[a];
      spread(out, h, 0, 0, a, b, 2 * first * (vv * one - f[3 + a] * f[3 + b]) + rank * slope[b]);
      spread(out, h, 6, 6, a, b, 2 * first * (uu * one - f[a] * f[b]) + 4 * second * slope[3 + a] * slope[3 + b]);
      const mixed = 2 * first * (2 * f[a] * f[3 + b] - f[3 + a] * f[b] - uv * one) + rank * slope[3 + b];
      spread(out, h, 0, 6, a, b, mixed);
      spread(out, h, 6, 0, b, a, mixed);
    }
  }
}

const slope = /* @__PURE__ */ new Float64Array(6);

// a second derivative by two edge vectors, at its four places: each vector is its end minus its start
function spread(out: Float64Array, h: number, i: number, j: number, a: number, b: number, value: number): void {
  const at = h + (i + a) * 12 + j + b;
  out[at] = value;
  out[at + 39] = value;
  out[at + 3] = -value;
  out[at + 36] = -value;
}
