/**
 * Cholesky factor of a panel: the twin of the engine's linear-algebra/block-cholesky/panel-factor.ts. Products of row prefixes
 * are taken over pairs: entry − (sum over even places + sum over odd places) − what an odd length leaves over.
 */
import { sumLanes } from './lanes';
import { subtractProduct } from './panel-product';

const GROUP: i32 = 48;
const LARGEST: i32 = 96;
/** Rows that are one piece of work. */
export const PIECE_ROWS: i32 = 48;

/** Factors `columns` columns of `rows` rows. Returns the first column whose pivot is not positive, or −1. */
export function factorPanel(panel: usize, inverse: usize, columns: i32, rows: i32): i32 {
  const stride: usize = (<usize>columns) << 3;
  if (columns <= LARGEST) return factorColumns(panel, stride, inverse, columns, rows);
  for (let j: i32 = 0; j < columns; j += GROUP) {
    const width: i32 = min<i32>(GROUP, columns - j);
    const shift: usize = (<usize>j) << 3;
    const top: usize = panel + <usize>j * stride;
    subtractProduct(top + shift, stride, width, width, top, top, stride, j, true);
    const below: usize = top + <usize>width * stride;
    subtractProduct(below + shift, stride, rows - j - width, width, below, top, stride, j, false);
    const bad: i32 = factorColumns(top + shift, stride, inverse + shift, width, rows - j);
    if (bad >= 0) return j + bad;
  }
  return -1;
}

/** Columns from j on that are factored together. */
export function countColumns(columns: i32, j: i32): i32 {
  return columns <= LARGEST ? columns : min<i32>(GROUP, columns - j);
}

/** The triangle of the columns from j on, as factorPanel does it; the rows below are left. Returns the column that fails, or −1. */
export function factorTriangle(panel: usize, inverse: usize, columns: i32, j: i32): i32 {
  const stride: usize = (<usize>columns) << 3;
  const width: i32 = countColumns(columns, j);
  const shift: usize = (<usize>j) << 3;
  const top: usize = panel + <usize>j * stride;
  subtractProduct(top + shift, stride, width, width, top, top, stride, j, true);
  const bad: i32 = factorColumns(top + shift, stride, inverse + shift, width, width);
  return bad >= 0 ? j + bad : -1;
}

/** The columns from j on of `count` rows from `first` on, as factorPanel does them; first counts from below the triangle, in threes. */
export function solveRows(panel: usize, inverse: usize, columns: i32, j: i32, first: i32, count: i32): void {
  const stride: usize = (<usize>columns) << 3;
  const width: i32 = countColumns(columns, j);
  const shift: usize = (<usize>j) << 3;
  const top: usize = panel + <usize>j * stride;
  const rows: usize = top + <usize>(width + first) * stride;
  subtractProduct(rows + shift, stride, count, width, rows, top, stride, j, false);
  solveBelow(top + shift, rows + shift, inverse + shift, stride, width, count);
}

function factorColumns(panel: usize, stride: usize, inverse: usize, columns: i32, rows: i32): i32 {
  const full: i32 = columns - (columns % 3);
  const step: usize = 3 * stride;
  let p: usize = panel;
  for (let i: i32 = 0; i < full; i += 3, p += step) {
    solveThreeRows(panel, p, inverse, stride, i);
    const bad: i32 = factorThreeRows(p, inverse, stride, i);
    if (bad >= 0) return bad;
  }
  for (let i: i32 = full; i < columns; i++, p += stride) {
    solveOneRow(panel, p, inverse, stride, i);
    const at: usize = p + ((<usize>i) << 3);
    let d: f64 = subtractDot(load<f64>(at), p, p, i);
    if (!(d > 0)) return i;
    d = sqrt<f64>(d);
    store<f64>(at, d);
    store<f64>(inverse + ((<usize>i) << 3), 1 / d);
  }
  solveBelow(panel, p, inverse, stride, columns, rows - columns);
  return -1;
}

function solveBelow(panel: usize, rows: usize, inverse: usize, stride: usize, columns: i32, count: i32): void {
  let p: usize = rows;
  let left: i32 = count;
  for (; left > 2; left -= 3, p += 3 * stride) solveThreeRows(panel, p, inverse, stride, columns);
  for (; left > 0; left--, p += stride) solveOneRow(panel, p, inverse, stride, columns);
}

/** s − Σ over a prefix. */
function subtractDot(s: f64, x: usize, y: usize, length: i32): f64 {
  let sum: v128 = f64x2.splat(0);
  let left: i32 = length;
  while (left >= 2) {
    sum = f64x2.add(sum, f64x2.mul(v128.load(x), v128.load(y)));
    x += 16;
    y += 16;
    left -= 2;
  }
  s -= sumLanes(sum);
  if (left > 0) s -= load<f64>(x) * load<f64>(y);
  return s;
}

function solveThreeRows(panel: usize, p: usize, inverse: usize, stride: usize, limit: i32): void {
  const full: i32 = limit - (limit % 3);
  const stride2: usize = 2 * stride;
  let u: usize = panel;
  for (let j: i32 = 0; j < full; j += 3, u += 3 * stride) {
    let s00: v128 = f64x2.splat(0);
    let s01: v128 = f64x2.splat(0);
    let s02: v128 = f64x2.splat(0);
    let s10: v128 = f64x2.splat(0);
    let s11: v128 = f64x2.splat(0);
    let s12: v128 = f64x2.splat(0);
    let s20: v128 = f64x2.splat(0);
    let s21: v128 = f64x2.splat(0);
    let s22: v128 = f64x2.splat(0);
    let x: usize = p;
    let y: usize = u;
    const pairs: usize = p + ((<usize>(j & ~1)) << 3);
    for (; x < pairs; x += 16, y += 16) {
      const x0: v128 = v128.load(x);
      const x1: v128 = v128.load(x + stride);
      const x2: v128 = v128.load(x + stride2);
      const y0: v128 = v128.load(y);
      s00 = f64x2.add(s00, f64x2.mul(x0, y0));
      s10 = f64x2.add(s10, f64x2.mul(x1, y0));
      s20 = f64x2.add(s20, f64x2.mul(x2, y0));
      const y1: v128 = v128.load(y + stride);
      s01 = f64x2.add(s01, f64x2.mul(x0, y1));
      s11 = f64x2.add(s11, f64x2.mul(x1, y1));
      s21 = f64x2.add(s21, f64x2.mul(x2, y1));
      const y2: v128 = v128.load(y + stride2);
      s02 = f64x2.add(s02, f64x2.mul(x0, y2));
      s12 = f64x2.add(s12, f64x2.mul(x1, y2));
      s22 = f64x2.add(s22, f64x2.mul(x2, y2));
    }
    const at: usize = p + ((<usize>j) << 3);
    const triangle: usize = u + ((<usize>j) << 3);
    let a00: f64 = load<f64>(at) - sumLanes(s00);
    let a01: f64 = load<f64>(at, 8) - sumLanes(s01);
    let a02: f64 = load<f64>(at, 16) - sumLanes(s02);
    let a10: f64 = load<f64>(at + stride) - sumLanes(s10);
    let a11: f64 = load<f64>(at + stride, 8) - sumLanes(s11);
    let a12: f64 = load<f64>(at + stride, 16) - sumLanes(s12);
    let a20: f64 = load<f64>(at + stride2) - sumLanes(s20);
    let a21: f64 = load<f64>(at + stride2, 8) - sumLanes(s21);
    let a22: f64 = load<f64>(at + stride2, 16) - sumLanes(s22);
    if (j & 1) {
      const x0: f64 = load<f64>(x);
      const x1: f64 = load<f64>(x + stride);
      const x2: f64 = load<f64>(x + stride2);
      const y0: f64 = load<f64>(y);
      const y1: f64 = load<f64>(y + stride);
      const y2: f64 = load<f64>(y + stride2);
      a00 -= x0 * y0;
      a01 -= x0 * y1;
      a02 -= x0 * y2;
      a10 -= x1 * y0;
      a11 -= x1 * y1;
      a12 -= x1 * y2;
      a20 -= x2 * y0;
      a21 -= x2 * y1;
      a22 -= x2 * y2;
    }
    const i0: f64 = load<f64>(inverse + ((<usize>j) << 3));
    const i1: f64 = load<f64>(inverse + ((<usize>j) << 3), 8);
    const i2: f64 = load<f64>(inverse + ((<usize>j) << 3), 16);
    const l10: f64 = load<f64>(triangle + stride);
    const l20: f64 = load<f64>(triangle + stride2);
    const l21: f64 = load<f64>(triangle + stride2, 8);
    a00 *= i0;
    a01 = (a01 - a00 * l10) * i1;
    store<f64>(at, a00);
    store<f64>(at, a01, 8);
    store<f64>(at, (a02 - a00 * l20 - a01 * l21) * i2, 16);
    a10 *= i0;
    a11 = (a11 - a10 * l10) * i1;
    store<f64>(at + stride, a10);
    store<f64>(at + stride, a11, 8);
    store<f64>(at + stride, (a12 - a10 * l20 - a11 * l21) * i2, 16);
    a20 *= i0;
    a21 = (a21 - a20 * l10) * i1;
    store<f64>(at + stride2, a20);
    store<f64>(at + stride2, a21, 8);
    store<f64>(at + stride2, (a22 - a20 * l20 - a21 * l21) * i2, 16);
  }
  for (let j: i32 = full; j < limit; j++, u += stride) {
    const shift: usize = (<usize>j) << 3;
    const scale: f64 = load<f64>(inverse + shift);
    store<f64>(p + shift, subtractDot(load<f64>(p + shift), p, u, j) * scale);
    const q: usize = p + stride;
    store<f64>(q + shift, subtractDot(load<f64>(q + shift), q, u, j) * scale);
    const r: usize = p + stride2;
    store<f64>(r + shift, subtractDot(load<f64>(r + shift), r, u, j) * scale);
  }
}

function solveOneRow(panel: usize, p: usize, inverse: usize, stride: usize, limit: i32): void {
  const full: i32 = limit - (limit % 3);
  const stride2: usize = 2 * stride;
  let u: usize = panel;
  for (let j: i32 = 0; j < full; j += 3, u += 3 * stride) {
    let s0: v128 = f64x2.splat(0);
    let s1: v128 = f64x2.splat(0);
    let s2: v128 = f64x2.splat(0);
    let x: usize = p;
    let y: usize = u;
    const pairs: usize = p + ((<usize>(j & ~1)) << 3);
    for (; x < pairs; x += 16, y += 16) {
      const value: v128 = v128.load(x);
      s0 = f64x2.add(s0, f64x2.mul(value, v128.load(y)));
      s1 = f64x2.add(s1, f64x2.mul(value, v128.load(y + stride)));
      s2 = f64x2.add(s2, f64x2.mul(value, v128.load(y + stride2)));
    }
    const at: usize = p + ((<usize>j) << 3);
    const triangle: usize = u + ((<usize>j) << 3);
    const scale: usize = inverse + ((<usize>j) << 3);
    let a0: f64 = load<f64>(at) - sumLanes(s0);
    let a1: f64 = load<f64>(at, 8) - sumLanes(s1);
    let a2: f64 = load<f64>(at, 16) - sumLanes(s2);
    if (j & 1) {
      const value: f64 = load<f64>(x);
      a0 -= value * load<f64>(y);
      a1 -= value * load<f64>(y + stride);
      a2 -= value * load<f64>(y + stride2);
    }
    a0 *= load<f64>(scale);
    a1 = (a1 - a0 * load<f64>(triangle + stride)) * load<f64>(scale, 8);
    store<f64>(at, a0);
    store<f64>(at, a1, 8);
    a2 = (a2 - a0 * load<f64>(triangle + stride2) - a1 * load<f64>(triangle + stride2, 8)) * load<f64>(scale, 16);
    store<f64>(at, a2, 16);
  }
  for (let j: i32 = full; j < limit; j++, u += stride) {
    const shift: usize = (<usize>j) << 3;
    store<f64>(p + shift, subtractDot(load<f64>(p + shift), p, u, j) * load<f64>(inverse + shift));
  }
}

function factorThreeRows(p: usize, inverse: usize, stride: usize, i: i32): i32 {
  const q: usize = p + stride;
  const r: usize = q + stride;
  let s00: v128 = f64x2.splat(0);
  let s10: v128 = f64x2.splat(0);
  let s11: v128 = f64x2.splat(0);
  let s20: v128 = f64x2.splat(0);
  let s21: v128 = f64x2.splat(0);
  let s22: v128 = f64x2.splat(0);
  let x: usize = p;
  const pairs: usize = p + ((<usize>(i & ~1)) << 3);
  for (; x < pairs; x += 16) {
    const x0: v128 = v128.load(x);
    const x1: v128 = v128.load(x + stride);
    const x2: v128 = v128.load(x + 2 * stride);
    s00 = f64x2.add(s00, f64x2.mul(x0, x0));
    s10 = f64x2.add(s10, f64x2.mul(x1, x0));
    s11 = f64x2.add(s11, f64x2.mul(x1, x1));
    s20 = f64x2.add(s20, f64x2.mul(x2, x0));
    s21 = f64x2.add(s21, f64x2.mul(x2, x1));
    s22 = f64x2.add(s22, f64x2.mul(x2, x2));
  }
  const shift: usize = (<usize>i) << 3;
  let d00: f64 = load<f64>(p + shift) - sumLanes(s00);
  let d10: f64 = load<f64>(q + shift) - sumLanes(s10);
  let d11: f64 = load<f64>(q + shift, 8) - sumLanes(s11);
  let d20: f64 = load<f64>(r + shift) - sumLanes(s20);
  let d21: f64 = load<f64>(r + shift, 8) - sumLanes(s21);
  let d22: f64 = load<f64>(r + shift, 16) - sumLanes(s22);
  if (i & 1) {
    const x0: f64 = load<f64>(x);
    const x1: f64 = load<f64>(x + stride);
    const x2: f64 = load<f64>(x + 2 * stride);
    d00 -= x0 * x0;
    d10 -= x1 * x0;
    d11 -= x1 * x1;
    d20 -= x2 * x0;
    d21 -= x2 * x1;
    d22 -= x2 * x2;
  }
  if (!(d00 > 0)) return i;
  d00 = sqrt<f64>(d00);
  const i0: f64 = 1 / d00;
  d10 *= i0;
  d20 *= i0;
  d11 -= d10 * d10;
  if (!(d11 > 0)) return i + 1;
  d11 = sqrt<f64>(d11);
  const i1: f64 = 1 / d11;
  d21 = (d21 - d20 * d10) * i1;
  d22 = d22 - d20 * d20 - d21 * d21;
  if (!(d22 > 0)) return i + 2;
  d22 = sqrt<f64>(d22);
  store<f64>(p + shift, d00);
  store<f64>(q + shift, d10);
  store<f64>(q + shift, d11, 8);
  store<f64>(r + shift, d20);
  store<f64>(r + shift, d21, 8);
  store<f64>(r + shift, d22, 16);
  store<f64>(inverse + shift, i0);
  store<f64>(inverse + shift, i1, 8);
  store<f64>(inverse + shift, 1 / d22, 16);
  return -1;
}
