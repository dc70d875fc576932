/**
 * What bolt and nut share: a thread of twelve turns per metre, cones about the axis, and a hexagonal head of width 1.
 *
 *   thread   f = √½ (ρ − r − s t / 12),   t = |fract(12 z − θ / 2π) − ½|,   s = min(1, 2ρ / r)
 *   head     max(max over k of n_k · x − ½, |z + ¼| − ¼, √½ (z + ρ − r − 0.22)),   n_k at multiples of 60°
 *
 *   ρ, θ  distance from the z axis, m, and angle about it      r  radius at the bottom of the thread, m
 *   t     a triangle wave of height ½ that winds about the axis: flanks of 45°, 1/24 m deep
 *   s     1 in MuJoCo. There f jumps on the axis, where θ has no value. s lets the wave end there; as it is 1 from ρ = r / 2 on,
 *         the zeros and the sign of f are the same
 *
 * Slope: |∂f/∂ρ| ≤ √½ max(1, |1 − 1/(12 r)|), |∂f/∂z| ≤ √½ and the one across both is √½ s / (24 π ρ) ≤ √½ / (12 π r).
 * Source: MuJoCo, plugin/sdf (bolt and nut), after shadertoy.com/view/XtffzX.
 */
import { atan2 } from '../../linear-algebra/elementary.ts';
import type { SlopedValue } from './sloped-value.ts';

/** Turns of the thread, 1/m. */
const TURNS = 12;
/** Depth of the thread, m. */
export const THREAD_DEPTH: number = 1 / (2 * TURNS);
/** Distance of the corners of the head from the axis, 1/√3 m. */
export const HEAD_CORNER = 0.5773502691896258;

/** Largest slope of the thread. */
export function boundThreadSlope(r: number): number {
  const radial = Math.max(1, Math.abs(1 - 1 / (TURNS * r)));
  const around = 1 / (TURNS * Math.PI * r);
  return Math.SQRT1_2 * Math.sqrt(radial * radial + 1 + around * around);
}

/** A point by its distance from the axis, and the direction away from it. */
export class AxisPoint {
  rho: number = 0;
  ux: number = 1;
  uy: number = 0;

  set(x: number, y: number): void {
    this.rho = Math.sqrt(x * x + y * y);
    // lengths whose square vanishes count as zero
    const isOff = this.rho > 1e-150;
    this.ux = isOff ? x / this.rho : 1;
    this.uy = isOff ? y / this.rho : 0;
  }
}

export function setThread(out: SlopedValue, { rho, ux, uy }: AxisPoint, z: number, r: number): void {
  const phase = TURNS * z - atan2(uy, ux) / (2 * Math.PI);
  const wave = phase - Math.floor(phase) - 0.5;
  const rise = wave < 0 ? -1 : 1;
  const isNear = 2 * rho < r;
  const share = isNear ? (2 * rho) / r : 1;
  const radial = Math.SQRT1_2 * (isNear ? 1 - (2 * rise * wave) / (r * TURNS) : 1);
  // s / ρ, of which the limit on the axis is 2 / r
  const around = (Math.SQRT1_2 * rise * (isNear ? 2 / r : 1 / rho)) / (2 * Math.PI * TURNS);
  out.set(
    Math.SQRT1_2 * (rho - r - (share * rise * wave) / TURNS),
    radial * ux - around * uy,
    radial * uy + around * ux,
    -Math.SQRT1_2 * share * rise,
  );
}

export function setHead(out: SlopedValue, at: AxisPoint, x: number, y: number, z: number, r: number): void {
  const sx = x < 0 ? -1 : 1;
  const sy = y < 0 ? -1 : 1;
  out.set(sx * x - 0.5, sx, 0, 0);
  out.cut(0.5 * sx * x + SIXTY * sy * y - 0.5, 0.5 * sx, SIXTY * sy, 0);
  out.cut(Math.abs(z + 0.25) - 0.25, 0, 0, z < -0.25 ? -1 : 1);
  const { rho, ux, uy } = at;
  out.cut(Math.SQRT1_2 * (z + rho - r - 0.22), Math.SQRT1_2 * ux, Math.SQRT1_2 * uy, Math.SQRT1_2);
}

/** sin 60°. */
const SIXTY: number = /* @__PURE__ */ Math.sqrt(0.75);
