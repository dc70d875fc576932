/**
 * Squared distance of two points of a stencil: D = |xᵢ − xⱼ|², m².
 * In the terms of closest-pair.ts: no free parameter, c = (1, −1), W = 0, P = I.
 */
import { pair } from './closest-pair.ts';

/** D of the points whose three numbers are at x[i] and x[j], m². */
export function measurePointPoint(x: Float64Array, i: number, j: number): number {
  const rx = x[i] - x[j];
  const ry = x[i + 1] - x[j + 1];
  const rz = x[i + 2] - x[j + 2];
  return rx * rx + ry * ry + rz * rz;
}

/** Sets `pair` to points i (first feature) and j (second) of the stencil x[o..o+12). */
export function pairPointPoint(x: Float64Array, o: number, i: number, j: number): void {
  const { weights, duals, projector, offset } = pair;
  // loops, because a call of `fill` costs more than so few numbers
  for (let k = 0; k < 4; k++) weights[k] = 0;
  for (let k = 0; k < 12; k++) duals[k] = 0;
  for (let k = 0; k < 9; k++) projector[k] = 0;
  weights[i] = 1;
  weights[j] = -1;
  for (let a = 0; a < 3; a++) {
    offset[a] = x[o + 3 * i + a] - x[o + 3 * j + a];
    projector[4 * a] = 1;
  }
}
