/**
 * The first columns of a Cholesky factor: a panel of `rows` rows and `columns` columns, row-major and without gaps, whose
 * top square holds the lower triangle of an SPD matrix H₁₁ and whose rest holds H₂₁, becomes L₁₁ and L₂₁ = H₂₁ L₁₁⁻ᵀ.
 *
 *   Lᵢⱼ = (Hᵢⱼ − Σ_{k<j} Lᵢₖ Lⱼₖ) / Lⱼⱼ,   Lᵢᵢ = √(Hᵢᵢ − Σ_{k<i} Lᵢₖ²)
 *
 * Both sums are products of row prefixes, contiguous in memory. They are taken for 3 rows and 3 columns at once: 6 loads
 * serve 9 products, and 3 divides 6 and 3, the sizes of a body and of a vertex (tiles of 2×2 took 1.2 to 1.3 times as
 * long, single sums 3 times). `inverse` receives 1 / Lᵢᵢ.
 */
import { subtractProduct } from './panel-product.ts';

/** Columns up to which a panel is factored at once, and beyond which it is cut into groups of that many. */
const GROUP = 48;
const LARGEST = 96;

/** Factors the panel at `start`. Returns the first column whose pivot is not positive, or -1. */
export function factorPanel(
  panel: Float64Array,
  start: number,
  inverse: Float64Array,
  inverseStart: number,
  columns: number,
  rows: number,
): number {
  if (columns <= LARGEST) return factorColumns(panel, start, columns, inverse, inverseStart, columns, rows);
  for (let j = 0; j < columns; j += GROUP) {
    const width = Math.min(GROUP, columns - j);
    const top = start + j * columns;
    // what the columns before owe to these, in the nearest cache
    subtractProduct(panel, top + j, columns, width, width, panel, top, top, columns, j, true);
    const below = top + width * columns;
    const rest = rows - j - width;
    subtractProduct(panel, below + j, columns, rest, width, panel, below, top, columns, j, false);
    const bad = factorColumns(panel, top + j, columns, inverse, inverseStart + j, width, rows - j);
    if (bad >= 0) return j + bad;
  }
  return -1;
}

/** As factorPanel, for rows that are `stride` apart. */
function factorColumns(
  panel: Float64Array,
  start: number,
  stride: number,
  inverse: Float64Array,
  inverseStart: number,
  columns: number,
  rows: number,
): number {
  const full = columns - (columns % 3);
  for (let i = 0; i < full; i += 3) {
    const p = start + i * stride;
    solveThreeRows(panel, start, p, inverse, inverseStart, stride, i);
    const bad = factorThreeRows(panel, p, inverse, inverseStart, stride, i);
    if (bad >= 0) return bad;
  }
  for (let i = full; i < columns; i++) {
    const p = start + i * stride;
    solveOneRow(panel, start, p, inverse, inverseStart, stride, i);
    let d = panel[p + i];
    for (let k = p; k < p + i; k++) d -= panel[k] * panel[k];
    if (!(d > 0)) return i;
    d = Math.sqrt(d);
    panel[p + i] = d;
    inverse[inverseStart + i] = 1 / d;
  }
  // rows below the square
  let i = columns;
  for (; i + 2 < rows; i += 3) {
    solveThreeRows(panel, start, start + i * stride, inverse, inverseStart, stride, columns);
  }
  for (; i < rows; i++) solveOneRow(panel, start, start + i * stride, inverse, inverseStart, stride, columns);
  return -1;
}

/** Rows at p, p + stride, p + 2 stride: their first `limit` entries become those of L. */
function solveThreeRows(
  a: Float64Array,
  start: number,
  p: number,
  inverse: Float64Array,
  inverseStart: number,
  stride: number,
  limit: number,
): void {
  const q = p + stride;
  const r = q + stride;
  const full = limit - (limit % 3);
  for (let j = 0; j < full; j += 3) {
    const u = start + j * stride;
    const v = u + stride;
    const w = v + stride;
    let s00 = a[p + j];
    let s01 = a[p + j + 1];
    let s02 = a[p + j + 2];
    let s10 = a[q + j];
    let s11 = a[q + j + 1];
    let s12 = a[q + j + 2];
    let s20 = a[r + j];
    let s21 = a[r + j + 1];
    let s22 = a[r + j + 2];
    for (let k = 0; k < j; k++) {
      const x0 = a[p + k];
      const x1 = a[q + k];
      const x2 = a[r + k];
      const y0 = a[u + k];
      s00 -= x0 * y0;
      s10 -= x1 * y0;
      s20 -= x2 * y0;
      const y1 = a[v + k];
      s01 -= x0 * y1;
      s11 -= x1 * y1;
      s21 -= x2 * y1;
      const y2 = a[w + k];
      s02 -= x0 * y2;
      s12 -= x1 * y2;
      s22 -= x2 * y2;
    }
    // the triangle of the three columns
    const i0 = inverse[inverseStart + j];
    const i1 = inverse[inverseStart + j + 1];
    const i2 = inverse[inverseStart + j + 2];
    const l10 = a[v + j];
    const l20 = a[w + j];
    const l21 = a[w + j + 1];
    s00 *= i0;
    s01 = (s01 - s00 * l10) * i1;
    a[p + j] = s00;
    a[p + j + 1] = s01;
    a[p + j + 2] = (s02 - s00 * l20 - s01 * l21) * i2;
    s10 *= i0;
    s11 = (s11 - s10 * l10) * i1;
    a[q + j] = s10;
    a[q + j + 1] = s11;
    a[q + j + 2] = (s12 - s10 * l20 - s11 * l21) * i2;
    s20 *= i0;
    s21 = (s21 - s20 * l10) * i1;
    a[r + j] = s20;
    a[r + j + 1] = s21;
    a[r + j + 2] = (s22 - s20 * l20 - s21 * l21) * i2;
  }
  for (let j = full; j < limit; j++) {
    const u = start + j * stride;
    let s0 = a[p + j];
    let s1 = a[q + j];
    let s2 = a[r + j];
    for (let k = 0; k < j; k++) {
      const y = a[u + k];
      s0 -= a[p + k] * y;
      s1 -= a[q + k] * y;
      s2 -= a[r + k] * y;
    }
    const scale = inverse[inverseStart + j];
    a[p + j] = s0 * scale;
    a[q + j] = s1 * scale;
    a[r + j] = s2 * scale;
  }
}

/** The row at p alone, with three columns at once. */
function solveOneRow(
  a: Float64Array,
  start: number,
  p: number,
  inverse: Float64Array,
  inverseStart: number,
  stride: number,
  limit: number,
): void {
  const full = limit - (limit % 3);
  for (let j = 0; j < full; j += 3) {
    const u = start + j * stride;
    const v = u + stride;
    const w = v + stride;
    let s0 = a[p + j];
    let s1 = a[p + j + 1];
    let s2 = a[p + j + 2];
    for (let k = 0; k < j; k++) {
      const x = a[p + k];
      s0 -= x * a[u + k];
      s1 -= x * a[v + k];
      s2 -= x * a[w + k];
    }
    s0 *= inverse[inverseStart + j];
    s1 = (s1 - s0 * a[v + j]) * inverse[inverseStart + j + 1];
    a[p + j] = s0;
    a[p + j + 1] = s1;
    a[p + j + 2] = (s2 - s0 * a[w + j] - s1 * a[w + j + 1]) * inverse[inverseStart + j + 2];
  }
  for (let j = full; j < limit; j++) {
    const u = start + j * stride;
    let s = a[p + j];
    for (let k = 0; k < j; k++) s -= a[p + k] * a[u + k];
    a[p + j] = s * inverse[inverseStart + j];
  }
}

/** The 3×3 square on the diagonal at row i, whose rows begin at p and are L before column i. */
function factorThreeRows(
  a: Float64Array,
  p: number,
  inverse: Float64Array,
  inverseStart: number,
  stride: number,
  i: number,
): number {
  const q = p + stride;
  const r = q + stride;
  let d00 = a[p + i];
  let d10 = a[q + i];
  let d11 = a[q + i + 1];
  let d20 = a[r + i];
  let d21 = a[r + i + 1];
  let d22 = a[r + i + 2];
  for (let k = 0; k < i; k++) {
    const x0 = a[p + k];
    const x1 = a[q + k];
    const x2 = a[r + k];
    d00 -= x0 * x0;
    d10 -= x1 * x0;
    d11 -= x1 * x1;
    d20 -= x2 * x0;
    d21 -= x2 * x1;
    d22 -= x2 * x2;
  }
  if (!(d00 > 0)) return i;
  d00 = Math.sqrt(d00);
  const i0 = 1 / d00;
  d10 *= i0;
  d20 *= i0;
  d11 -= d10 * d10;
  if (!(d11 > 0)) return i + 1;
  d11 = Math.sqrt(d11);
  const i1 = 1 / d11;
  d21 = (d21 - d20 * d10) * i1;
  d22 = d22 - d20 * d20 - d21 * d21;
  if (!(d22 > 0)) return i + 2;
  d22 = Math.sqrt(d22);
  a[p + i] = d00;
  a[q + i] = d10;
  a[q + i + 1] = d11;
  a[r + i] = d20;
  a[r + i + 1] = d21;
  a[r + i + 2] = d22;
  inverse[inverseStart + i] = i0;
  inverse[inverseStart + i + 1] = i1;
  inverse[inverseStart + i + 2] = 1 / d22;
  return -1;
}
