/**
 * Projection of a symmetric 3 × 3 matrix on the positive semidefinite ones: the twin of projectPsd of the engine's
 * linear-algebra/project-psd.ts for three rows, in its order of operations.
 */
import { Doubles } from './doubles';

const ROUND_OFF: f64 = 1.1102230246251565e-16;
const LEAST_SQUARE: f64 = 1e-290;
// places in the scratch: eigenvalues, entries beside the diagonal, eigenvectors by rows
const BESIDE: i32 = 3;
const VECTORS: i32 = 5;

/** Projects a, nine numbers row by row, of which the lower triangle is read. `w` is scratch of 14 numbers. */
export function projectSmall(a: Doubles, w: Doubles): void {
  let largest: f64 = 0;
  for (let i: i32 = 0; i < 3; i++) {
    for (let j: i32 = 0; j <= i; j++) {
      const size: f64 = abs<f64>(a[3 * i + j]);
      if (!(size < Infinity)) return;
      if (size > largest) largest = size;
    }
  }
  if (largest == 0) return;
  reduce(a, w, 1 / largest);
  diagonalize(w);
  for (let k: i32 = 0; k < 3; k++) {
    if (!(w[k] < 0)) continue;
    const weight: f64 = -1 * largest * w[k];
    for (let i: i32 = 0; i < 3; i++) {
      const part: f64 = weight * w[VECTORS + 3 * k + i];
      for (let j: i32 = 0; j <= i; j++) a[3 * i + j] = a[3 * i + j] + part * w[VECTORS + 3 * k + j];
    }
  }
  a[1] = a[3];
  a[2] = a[6];
  a[5] = a[7];
}

// one mirror makes three rows tridiagonal
@inline
function reduce(a: Doubles, w: Doubles, scale: f64): void {
  const a00: f64 = a[0] * scale;
  const head: f64 = a[3] * scale;
  let a11: f64 = a[4] * scale;
  const a20: f64 = a[6] * scale;
  let a21: f64 = a[7] * scale;
  let a22: f64 = a[8] * scale;
  for (let k: i32 = 0; k < 9; k++) w[VECTORS + k] = 0;
  w[VECTORS] = 1;
  w[VECTORS + 4] = 1;
  w[VECTORS + 8] = 1;
  w[0] = a00;
  w[BESIDE] = head;
  const tail: f64 = a20 * a20;
  if (!(tail < LEAST_SQUARE)) {
    const length: f64 = sqrt<f64>(head * head + tail);
    const alpha: f64 = head > 0 ? -length : length;
    w[BESIDE] = alpha;
    const m1: f64 = head - alpha;
    const m2: f64 = a20;
    const beta: f64 = 2 / (m1 * m1 + tail);
    let p1: f64 = beta * (a11 * m1 + a21 * m2);
    let p2: f64 = beta * (a21 * m1 + a22 * m2);
    const along: f64 = p1 * m1 + p2 * m2;
    const half: f64 = 0.5 * beta * along;
    p1 -= half * m1;
    p2 -= half * m2;
    a11 = a11 - m1 * p1 - p1 * m1;
    a21 = a21 - m2 * p1 - p2 * m1;
    a22 = a22 - m2 * p2 - p2 * m2;
    // rows of Q, from the mirror and the identity
    const s1: f64 = m1 * beta;
    w[VECTORS + 4] = 1 - s1 * m1;
    w[VECTORS + 5] = -(s1 * m2);
    const s2: f64 = m2 * beta;
    w[VECTORS + 7] = -(s2 * m1);
    w[VECTORS + 8] = 1 - s2 * m2;
  }
  w[1] = a11;
  w[BESIDE + 1] = a21;
  w[2] = a22;
}

@inline
function isNegligible(w: Doubles, k: i32): bool {
  const size: f64 = abs<f64>(w[BESIDE + k]);
  return size <= ROUND_OFF * (abs<f64>(w[k]) + abs<f64>(w[k + 1])) || size <= 0.01 * ROUND_OFF;
}

function diagonalize(w: Doubles): void {
  let last: i32 = 2;
  for (let step: i32 = 0; step < 180 && last > 0; step++) {
    if (isNegligible(w, last - 1)) {
      last--;
      continue;
    }
    let first: i32 = last - 1;
    while (first > 0 && !isNegligible(w, first - 1)) first--;
    const gap: f64 = 0.5 * (w[last - 1] - w[last]);
    const square: f64 = w[BESIDE + last - 1] * w[BESIDE + last - 1];
    const root: f64 = sqrt<f64>(gap * gap + square);
    const shift: f64 = w[last] - square / (gap + (gap < 0 ? -root : root));
    let x: f64 = w[first] - shift;
    let z: f64 = w[BESIDE + first];
    for (let k: i32 = first; k < last; k++) {
      const length: f64 = sqrt<f64>(x * x + z * z);
      const c: f64 = length > 0 ? x / length : 1;
      const s: f64 = length > 0 ? z / length : 0;
      if (k > first) w[BESIDE + k - 1] = length;
      const upper: f64 = w[k];
      const lower: f64 = w[k + 1];
      const beside: f64 = w[BESIDE + k];
      const turned: f64 = 2 * c * s * beside;
      w[k] = c * c * upper + turned + s * s * lower;
      w[k + 1] = s * s * upper - turned + c * c * lower;
      w[BESIDE + k] = c * s * (lower - upper) + (c * c - s * s) * beside;
      if (k < last - 1) {
        x = w[BESIDE + k];
        z = s * w[BESIDE + k + 1];
        w[BESIDE + k + 1] = w[BESIDE + k + 1] * c;
      }
      for (let i: i32 = VECTORS + 3 * k; i < VECTORS + 3 * k + 3; i++) {
        const v: f64 = w[i];
        const n: f64 = w[i + 3];
        w[i] = c * v + s * n;
        w[i + 3] = c * n - s * v;
      }
    }
  }
}
