/**
 * The first columns of a Cholesky factor: a panel of `rows` rows and `columns` columns, row-major and without gaps, whose
 * top square holds the lower triangle of an SPD matrix H₁₁ and whose rest holds H₂₁, becomes L₁₁ and L₂₁ = H₂₁ L₁₁⁻ᵀ.
 *
 *   Lᵢⱼ = (Hᵢⱼ − Σ_{k<j} Lᵢₖ Lⱼₖ) / Lⱼⱼ,   Lᵢᵢ = √(Hᵢᵢ − Σ_{k<i} Lᵢₖ²)
 *
 * Both sums are products of row prefixes, contiguous in memory, up to a multiple of three; the triangle of three columns
 * follows. They run over even and odd indices separately, two lanes of the compiled twin, which takes 3 rows and 3 columns
 * at once: 6 loads serve 9 products, and 3 divides 6 and 3, the sizes of a body and of a vertex. `inverse` receives 1 / Lᵢᵢ.
 */
import { subtractPairs, subtractProduct, subtractThree } from './panel-product.ts';

/** Columns up to which a panel is factored at once, and beyond which it is cut into groups of that many. */
const GROUP = 48;
const LARGEST = 96;

const sums = /* @__PURE__ */ new Float64Array(3);

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
    for (let k = 0; k < 3; k++) solveRow(panel, start, p + k * stride, inverse, inverseStart, stride, i);
    const bad = factorThreeRows(panel, p, inverse, inverseStart, stride, i);
    if (bad >= 0) return bad;
  }
  for (let i = full; i < columns; i++) {
    const p = start + i * stride;
    solveRow(panel, start, p, inverse, inverseStart, stride, i);
    const square = subtractPairs(panel[p + i], panel, p, p, i);
    if (!(square > 0)) return i;
    const d = Math.sqrt(square);
    panel[p + i] = d;
    inverse[inverseStart + i] = 1 / d;
  }
  // rows below the square
  for (let i = columns; i < rows; i++) {
    solveRow(panel, start, start + i * stride, inverse, inverseStart, stride, columns);
  }
  return -1;
}

/** The row at p: its first `limit` entries become those of L. */
function solveRow(
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
    sums[0] = a[p + j];
    sums[1] = a[p + j + 1];
    sums[2] = a[p + j + 2];
    subtractThree(sums, a, p, u, stride, j);
    // the triangle of the three columns
    const s0 = sums[0] * inverse[inverseStart + j];
    const s1 = (sums[1] - s0 * a[v + j]) * inverse[inverseStart + j + 1];
    a[p + j] = s0;
    a[p + j + 1] = s1;
    a[p + j + 2] = (sums[2] - s0 * a[w + j] - s1 * a[w + j + 1]) * inverse[inverseStart + j + 2];
  }
  for (let j = full; j < limit; j++) {
    a[p + j] = subtractPairs(a[p + j], a, p, start + j * stride, j) * inverse[inverseStart + j];
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
  let d00 = subtractPairs(a[p + i], a, p, p, i);
  let d10 = subtractPairs(a[q + i], a, q, p, i);
  let d11 = subtractPairs(a[q + i + 1], a, q, q, i);
  let d20 = subtractPairs(a[r + i], a, r, p, i);
  let d21 = subtractPairs(a[r + i + 1], a, r, q, i);
  let d22 = subtractPairs(a[r + i + 2], a, r, r, i);
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
