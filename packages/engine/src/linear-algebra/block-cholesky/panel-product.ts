/**
 * C ← C − X Yᵀ on parts of row-major arrays: the work of a factor outside its triangles.
 *
 * Cᵢⱼ takes the product of row i of X and row j of Y, both contiguous. As in panel-factor.ts 3 rows of each are taken at
 * once. Long rows are cut into pieces and rows of Y into groups, so that a group of pieces stays in the nearest cache while
 * the rows of X pass.
 */

/** Length of a piece of a row, rows of Y in a group: 64 × 48 doubles are 24 KiB. */
const PIECE = 64;
const GROUP = 48;

/** C ← −X Xᵀ on the lower triangle of n × n numbers at cStart, and on parts of 3×3 tiles above the diagonal. */
export function writeNegativeSquare(
  c: Float64Array,
  cStart: number,
  n: number,
  a: Float64Array,
  xStart: number,
  length: number,
): void {
  for (let k = 0; k < length; k += PIECE) {
    const piece = Math.min(PIECE, length - k);
    for (let j = 0; j < n; j += GROUP) {
      const end = Math.min(n, j + GROUP);
      subtractGroup(c, cStart, n, n, j, end, a, xStart + k, xStart + k, length, piece, true, k === 0);
    }
  }
}

/**
 * C ← C − X Yᵀ on `rows` × `columns` numbers at cStart. When `isSymmetric`, C is square with X = Y, and only its lower
 * triangle (and parts of 3×3 tiles on the diagonal) is written.
 */
export function subtractProduct(
  c: Float64Array,
  cStart: number,
  cStride: number,
  rows: number,
  columns: number,
  a: Float64Array,
  xStart: number,
  yStart: number,
  stride: number,
  length: number,
  isSymmetric: boolean,
): void {
  for (let k = 0; k < length; k += PIECE) {
    const piece = Math.min(PIECE, length - k);
    for (let j = 0; j < columns; j += GROUP) {
      const group = Math.min(GROUP, columns - j);
      subtractGroup(
        c,
        cStart,
        cStride,
        rows,
        j,
        j + group,
        a,
        xStart + k,
        yStart + k,
        stride,
        piece,
        isSymmetric,
        false,
      );
    }
  }
}

/** Columns [firstColumn, endColumn) of one piece; when `isFresh`, C is taken as 0. */
function subtractGroup(
  c: Float64Array,
  cStart: number,
  cStride: number,
  rows: number,
  firstColumn: number,
  endColumn: number,
  a: Float64Array,
  xStart: number,
  yStart: number,
  stride: number,
  length: number,
  isSymmetric: boolean,
  isFresh: boolean,
): void {
  const fullRows = rows - (rows % 3);
  let i = isSymmetric ? firstColumn : 0;
  for (; i < fullRows; i += 3) {
    const x0 = xStart + i * stride;
    const x1 = x0 + stride;
    const x2 = x1 + stride;
    const end = isSymmetric && i + 3 < endColumn ? i + 3 : endColumn;
    const fullEnd = end - ((end - firstColumn) % 3);
    let p = cStart + i * cStride + firstColumn;
    let y0 = yStart + firstColumn * stride;
    let j = firstColumn;
    for (; j < fullEnd; j += 3) {
      const y1 = y0 + stride;
      const y2 = y1 + stride;
      const q = p + cStride;
      const r = q + cStride;
      let s00 = 0;
      let s01 = 0;
      let s02 = 0;
      let s10 = 0;
      let s11 = 0;
      let s12 = 0;
      let s20 = 0;
      let s21 = 0;
      let s22 = 0;
      if (!isFresh) {
        s00 = c[p];
        s01 = c[p + 1];
        s02 = c[p + 2];
        s10 = c[q];
        s11 = c[q + 1];
        s12 = c[q + 2];
        s20 = c[r];
        s21 = c[r + 1];
        s22 = c[r + 2];
      }
      for (let k = 0; k < length; k++) {
        const u0 = a[x0 + k];
        const u1 = a[x1 + k];
        const u2 = a[x2 + k];
        const v0 = a[y0 + k];
        s00 -= u0 * v0;
        s10 -= u1 * v0;
        s20 -= u2 * v0;
        const v1 = a[y1 + k];
        s01 -= u0 * v1;
        s11 -= u1 * v1;
        s21 -= u2 * v1;
        const v2 = a[y2 + k];
        s02 -= u0 * v2;
        s12 -= u1 * v2;
        s22 -= u2 * v2;
      }
      c[p] = s00;
      c[p + 1] = s01;
      c[p + 2] = s02;
      c[q] = s10;
      c[q + 1] = s11;
      c[q + 2] = s12;
      c[r] = s20;
      c[r + 1] = s21;
      c[r + 2] = s22;
      p += 3;
      y0 += 3 * stride;
    }
    for (; j < end; j++) {
      let s0 = isFresh ? 0 : c[p];
      let s1 = isFresh ? 0 : c[p + cStride];
      let s2 = isFresh ? 0 : c[p + 2 * cStride];
      for (let k = 0; k < length; k++) {
        const v = a[y0 + k];
        s0 -= a[x0 + k] * v;
        s1 -= a[x1 + k] * v;
        s2 -= a[x2 + k] * v;
      }
      c[p] = s0;
      c[p + cStride] = s1;
      c[p + 2 * cStride] = s2;
      p++;
      y0 += stride;
    }
  }
  for (; i < rows; i++) {
    const x = xStart + i * stride;
    const end = isSymmetric && i + 1 < endColumn ? i + 1 : endColumn;
    for (let j = firstColumn; j < end; j++) {
      const y = yStart + j * stride;
      let s = isFresh ? 0 : c[cStart + i * cStride + j];
      for (let k = 0; k < length; k++) s -= a[x + k] * a[y + k];
      c[cStart + i * cStride + j] = s;
    }
  }
}
