/**
 * Cells of a grid field whose values are certified by the samples f to be close enough to the exact distance φ.
 *
 * φ has the Lipschitz constant 1, so f_i − |x − x_i| ≤ φ(x) ≤ f_i + |x − x_i| for every sample i. The distance |x − x_i| is
 * convex along each axis, so its quadratic Bernstein form lies above it, and with b_j the control values of the spline φ̃ in a
 * cell and ξ_j their nodes
 *
 *   max (φ − φ̃) ≤ max_j (f_i + |ξ_j − x_i| − b_j),   max (φ̃ − φ) ≤ max_j (b_j − f_i + |ξ_j − x_i|)
 *
 * over the cell, whatever the sample. Good samples lie some spacings down the gradient for the first, up for the second: there
 * the cone is nearly flat, and the bound is some tenths of a spacing where φ is smooth.
 *
 * In the same way |φ| ≥ |φ̃| − E ≥ min |b_j| − E with E the bound so found.
 */
import { readControlNet } from './bezier-cell.ts';
import type { GridField } from './grid-field.ts';
import { computeMargin, FREE_PART } from './surface-exact-field.ts';

/** Distances of the samples asked, in spacings. */
const REACHES = [1, 2, 3, 4];
/** Room for rounding, in spacings. */
const ROUNDING = 1e-9;

const net = /* @__PURE__ */ new Float64Array(27);

/**
 * @param values samples of the true distance, x fastest, m
 * @param counts number of samples along x, y, z
 * @returns per cell of the spline, x fastest: 0 where the grid is certain, else 1
 */
export function findUncertainCells(grid: GridField, values: Float64Array, counts: ArrayLike<number>): Uint8Array {
  const [nx, ny, nz] = [counts[0], counts[1], counts[2]];
  const nxy = nx * ny;
  const { coefficients, spacing: h } = grid;
  const isUncertain = new Uint8Array((nx - 2) * (ny - 2) * (nz - 2));
  const bound = grid.errorBound / h;
  for (let k = 1, cell = 0; k < nz - 1; k++) {
    for (let j = 1; j < ny - 1; j++) {
      for (let i = 1; i < nx - 1; i++, cell++) {
        const n = i + j * nx + k * nxy;
        // far from the surface the bound of the whole grid is enough
        const least = Math.abs(values[n]) / h - Math.sqrt(0.75);
        if (bound <= FREE_PART * computeMargin(least)) continue;
        readControlNet(net, coefficients, n - 1 - nx - nxy, nx, nxy);
        const error = Math.min(bound, boundError(values, counts, h, i, j, k)) + ROUNDING;
        const margin = computeMargin(Math.max(least, findLeastControl() / h - error));
        if (error > FREE_PART * margin) isUncertain[cell] = 1;
      }
    }
  }
  return isUncertain;
}

// E of the cell around sample i, j, k in spacings, from its control values
function boundError(
  values: Float64Array,
  counts: ArrayLike<number>,
  h: number,
  i: number,
  j: number,
  k: number,
): number {
  const [nx, ny, nz] = [counts[0], counts[1], counts[2]];
  const gx = net[14] - net[12];
  const gy = net[16] - net[10];
  const gz = net[22] - net[4];
  const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
  if (!(length > 0)) return Infinity;
  let above = Infinity;
  let below = Infinity;
  for (const reach of REACHES) {
    for (let side = -1; side <= 1; side += 2) {
      // the sample nearest to the point that far up or down, seen from the centre of the cell
      const t = (side * reach) / length;
      const di = clamp(Math.round(t * gx), -i, nx - 1 - i);
      const dj = clamp(Math.round(t * gy), -j, ny - 1 - j);
      const dk = clamp(Math.round(t * gz), -k, nz - 1 - k);
      const f = values[i + di + nx * (j + dj + ny * (k + dk))];
      const worst = findWorstControl(f / h, h, di, dj, dk, side);
      if (side < 0) above = Math.min(above, worst);
      else below = Math.min(below, worst);
    }
  }
  return Math.max(above, below);
}

function clamp(x: number, low: number, high: number): number {
  return Math.min(Math.max(x, low), high);
}

// max_j of the header in spacings: side −1 for φ − φ̃, +1 for φ̃ − φ
function findWorstControl(f: number, h: number, di: number, dj: number, dk: number, side: number): number {
  let worst = -Infinity;
  for (let l = 0; l < 27; l++) {
    const x = 0.5 * ((l % 3) - 1) - di;
    const y = 0.5 * ((Math.floor(l / 3) % 3) - 1) - dj;
    const z = 0.5 * (Math.floor(l / 9) - 1) - dk;
    worst = Math.max(worst, side * (net[l] / h - f) + Math.sqrt(x * x + y * y + z * z));
  }
  return worst;
}

// least |b_j|, 0 if their signs differ
function findLeastControl(): number {
  let least = Infinity;
  for (let l = 0; l < 27; l++) {
    if (net[l] > 0 !== net[0] > 0) return 0;
    least = Math.min(least, Math.abs(net[l]));
  }
  return least;
}
