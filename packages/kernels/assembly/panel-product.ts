/**
 * C ← C − X Yᵀ: the twin of the engine's linear-algebra/block-cholesky/panel-product.ts, sums over pairs as in panel-factor.ts.
 * Strides are in bytes.
 */
import { sumLanes } from './lanes';

const PIECE: i32 = 64;
const GROUP: i32 = 48;

/** C ← −X Xᵀ on the lower triangle (and parts of 3×3 tiles above the diagonal) of n × n numbers, rows first to end − 1; first is a multiple of 3, end too or n. */
export function writeNegativeSquare(c: usize, n: i32, x: usize, length: i32, first: i32, end: i32): void {
  const cStride: usize = (<usize>n) << 3;
  const stride: usize = (<usize>length) << 3;
  for (let k: i32 = 0; k < length; k += PIECE) {
    const piece: i32 = min<i32>(PIECE, length - k);
    const at: usize = x + ((<usize>k) << 3);
    for (let j: i32 = 0; j < end; j += GROUP) {
      const from: i32 = max<i32>(first, j);
      subtractGroup(c, cStride, from, end, j, min<i32>(n, j + GROUP), at, at, stride, piece, true, k == 0);
    }
  }
}

export function subtractProduct(
  c: usize,
  cStride: usize,
  rows: i32,
  columns: i32,
  x: usize,
  y: usize,
  stride: usize,
  length: i32,
  isSymmetric: bool,
): void {
  for (let k: i32 = 0; k < length; k += PIECE) {
    const piece: i32 = min<i32>(PIECE, length - k);
    const shift: usize = (<usize>k) << 3;
    for (let j: i32 = 0; j < columns; j += GROUP) {
      const end: i32 = j + min<i32>(GROUP, columns - j);
      subtractGroup(c, cStride, isSymmetric ? j : 0, rows, j, end, x + shift, y + shift, stride, piece, isSymmetric, false);
    }
  }
}

function subtractGroup(
  c: usize,
  cStride: usize,
  firstRow: i32,
  rows: i32,
  firstColumn: i32,
  endColumn: i32,
  xStart: usize,
  yStart: usize,
  stride: usize,
  length: i32,
  isSymmetric: bool,
  isFresh: bool,
): void {
  const fullRows: i32 = rows - (rows % 3);
  const stride2: usize = 2 * stride;
  let i: i32 = firstRow;
  for (; i < fullRows; i += 3) {
    const x: usize = xStart + <usize>i * stride;
    const end: i32 = isSymmetric && i + 3 < endColumn ? i + 3 : endColumn;
    const fullEnd: i32 = end - ((end - firstColumn) % 3);
    let p: usize = c + <usize>i * cStride + ((<usize>firstColumn) << 3);
    let y: usize = yStart + <usize>firstColumn * stride;
    let j: i32 = firstColumn;
    for (; j < fullEnd; j += 3, p += 24, y += 3 * stride) subtractTile(p, cStride, x, y, stride, stride2, length, isFresh);
    for (; j < end; j++, p += 8, y += stride) {
      subtractEntry(p, x, y, length, isFresh);
      subtractEntry(p + cStride, x + stride, y, length, isFresh);
      subtractEntry(p + 2 * cStride, x + stride2, y, length, isFresh);
    }
  }
  for (; i < rows; i++) {
    const x: usize = xStart + <usize>i * stride;
    const end: i32 = isSymmetric && i + 1 < endColumn ? i + 1 : endColumn;
    let p: usize = c + <usize>i * cStride + ((<usize>firstColumn) << 3);
    let y: usize = yStart + <usize>firstColumn * stride;
    for (let j: i32 = firstColumn; j < end; j++, p += 8, y += stride) subtractEntry(p, x, y, length, isFresh);
  }
}

@inline
function subtractTile(
  p: usize,
  cStride: usize,
  x: usize,
  y: usize,
  stride: usize,
  stride2: usize,
  length: i32,
  isFresh: bool,
): void {
  let s00: v128 = f64x2.splat(0);
  let s01: v128 = f64x2.splat(0);
  let s02: v128 = f64x2.splat(0);
  let s10: v128 = f64x2.splat(0);
  let s11: v128 = f64x2.splat(0);
  let s12: v128 = f64x2.splat(0);
  let s20: v128 = f64x2.splat(0);
  let s21: v128 = f64x2.splat(0);
  let s22: v128 = f64x2.splat(0);
  const pairs: usize = x + ((<usize>(length & ~1)) << 3);
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
  const q: usize = p + cStride;
  const r: usize = q + cStride;
  let a00: f64 = 0;
  let a01: f64 = 0;
  let a02: f64 = 0;
  let a10: f64 = 0;
  let a11: f64 = 0;
  let a12: f64 = 0;
  let a20: f64 = 0;
  let a21: f64 = 0;
  let a22: f64 = 0;
  if (!isFresh) {
    a00 = load<f64>(p);
    a01 = load<f64>(p, 8);
    a02 = load<f64>(p, 16);
    a10 = load<f64>(q);
    a11 = load<f64>(q, 8);
    a12 = load<f64>(q, 16);
    a20 = load<f64>(r);
    a21 = load<f64>(r, 8);
    a22 = load<f64>(r, 16);
  }
  a00 -= sumLanes(s00);
  a01 -= sumLanes(s01);
  a02 -= sumLanes(s02);
  a10 -= sumLanes(s10);
  a11 -= sumLanes(s11);
  a12 -= sumLanes(s12);
  a20 -= sumLanes(s20);
  a21 -= sumLanes(s21);
  a22 -= sumLanes(s22);
  if (length & 1) {
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
  store<f64>(p, a00);
  store<f64>(p, a01, 8);
  store<f64>(p, a02, 16);
  store<f64>(q, a10);
  store<f64>(q, a11, 8);
  store<f64>(q, a12, 16);
  store<f64>(r, a20);
  store<f64>(r, a21, 8);
  store<f64>(r, a22, 16);
}

function subtractEntry(p: usize, x: usize, y: usize, length: i32, isFresh: bool): void {
  let sum: v128 = f64x2.splat(0);
  let left: i32 = length;
  while (left >= 2) {
    sum = f64x2.add(sum, f64x2.mul(v128.load(x), v128.load(y)));
    x += 16;
    y += 16;
    left -= 2;
  }
  let s: f64 = (isFresh ? 0 : load<f64>(p)) - sumLanes(sum);
  if (left > 0) s -= load<f64>(x) * load<f64>(y);
  store<f64>(p, s);
}
