/**
 * A signed-distance field from samples on a regular grid, continuous with its gradient.
 *
 *   φ̃(x) = Σ c_i B(x / h − i),   c = f − ⅛ Σ_k δ_k² f
 *
 * B the product of three quadratic B-splines, f the samples, h their spacing (m), δ_k² the second difference along axis k. The
 * correction makes φ̃ exact for quadratic φ: where φ is smooth the error is of order h³. In general, with φ of Lipschitz
 * constant 1 and B non-negative of sum 1 and variance ¼ h² per axis,
 *
 *   |φ̃ − φ| ≤ Σ B |x_i − x| + max |f − c| ≤ ½√3 h + max |f − c|   (at most ½√3 h + ¾ h, below √3 h)
 *   |∇φ̃| ≤ the longest control vector of its Bézier form
 *
 * and both maxima are taken over the samples when the field is built. Trilinear interpolation is not used: its gradient
 * jumps from cell to cell and stalls Newton's method. Interpolating splines (c so that φ̃ = f) are not used: they oscillate around
 * kinks and lose the bound.
 *
 * The spline is defined half a cell inside the grid; beyond, see box-extension.ts.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { findSteepestControl, readControlNet } from './bezier-cell.ts';
import { extendGradient, extendValue } from './box-extension.ts';
import type { SignedDistanceField } from './field.ts';

/** Most samples of one grid: 256 in each direction. */
export const MAX_SAMPLES = 16777216;

/** Samples on a regular grid. */
export interface Grid {
  /** Position of the first sample, m. */
  readonly origin: ArrayLike<number>;
  /** Distance of neighbouring samples, m. */
  readonly spacing: number;
  /** Number of samples along x, y, z. */
  readonly counts: ArrayLike<number>;
  /** Signed distances, x fastest, m. */
  readonly values: ArrayLike<number>;
}

/** The field of samples taken as true distances. Its outermost samples must lie outside of the solid. */
export function buildGridField(grid: Grid, subject = 'the grid', place: ErrorPlace = {}): SignedDistanceField {
  checkGrid(grid, subject, place);
  return new GridField(grid);
}

/** Raises an error unless a grid of these counts can be held. */
export function checkCounts(counts: ArrayLike<number>, subject: string, place: ErrorPlace): void {
  const [nx, ny, nz] = [counts[0], counts[1], counts[2]];
  if (![nx, ny, nz].every((n) => Number.isInteger(n) && n >= 3)) {
    const reason = `${subject} has ${nx} by ${ny} by ${nz} samples: it needs three in each direction`;
    throw new NexdynError('invalid-value', reason, { hint: 'use a smaller spacing or more samples', ...place });
  }
  if (nx * ny * nz <= MAX_SAMPLES) return;
  throw new NexdynError('too-large', `${subject} has ${nx} by ${ny} by ${nz} samples, more than ${MAX_SAMPLES}`, {
    hint: 'use a larger spacing',
    ...place,
  });
}

function checkGrid(grid: Grid, subject: string, place: ErrorPlace): void {
  const { origin, spacing, counts, values } = grid;
  const fail = (reason: string, hint?: string): never => {
    throw new NexdynError('invalid-value', reason, hint === undefined ? place : { hint, ...place });
  };
  checkCounts(counts, subject, place);
  if (!(spacing > 0 && spacing < Infinity)) fail(`${subject} has a spacing of ${spacing}: it must be positive`);
  for (let k = 0; k < 3; k++) if (!Number.isFinite(origin[k])) fail(`${subject} has no finite origin`);
  const [nx, ny, nz] = [counts[0], counts[1], counts[2]];
  if (values.length !== nx * ny * nz) {
    fail(`${subject} has ${values.length} samples instead of ${nx} by ${ny} by ${nz}`);
  }
  let isSolid = false;
  for (let k = 0, n = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, n++) {
        if (!Number.isFinite(values[n])) fail(`sample ${i}, ${j}, ${k} of ${subject} is not a finite number`);
        if (values[n] > 0) continue;
        isSolid = true;
        if (i > 0 && j > 0 && k > 0 && i < nx - 1 && j < ny - 1 && k < nz - 1) continue;
        fail(
          `${subject} is cut off at its border: sample ${i}, ${j}, ${k} is ${values[n]}`,
          'add a layer of samples outside of the solid',
        );
      }
    }
  }
  if (!isSolid) fail(`${subject} has no sample inside the solid`, 'use a smaller spacing');
}

export class GridField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number;
  readonly lipschitz: number;
  readonly spacing: number;
  /** c of the header, x fastest. */
  readonly coefficients: Float64Array;
  readonly #countX: number;
  readonly #countXY: number;
  readonly #low: Float64Array;
  /** Largest coordinate in units of the spacing, from `low`. */
  readonly #highX: number;
  readonly #highY: number;
  readonly #highZ: number;

  constructor(grid: Grid) {
    const { origin, spacing: h, counts } = grid;
    const [nx, ny, nz] = [counts[0], counts[1], counts[2]];
    this.spacing = h;
    this.#countX = nx;
    this.#countXY = nx * ny;
    this.#low = Float64Array.of(origin[0] + h / 2, origin[1] + h / 2, origin[2] + h / 2);
    this.#highX = nx - 2;
    this.#highY = ny - 2;
    this.#highZ = nz - 2;
    const values = Float64Array.from(grid.values);
    this.coefficients = correctSamples(values, nx, ny, nz);

    // the two bounds of the header; samples of a steeper field widen the first
    let correction = 0;
    for (let n = 0; n < values.length; n++) {
      correction = Math.max(correction, Math.abs(values[n] - this.coefficients[n]));
    }
    const steepness = Math.max(1, findSteepestDifference(values, nx, ny, nz) / h);
    this.errorBound = Math.sqrt(0.75) * h * steepness + correction;
    this.lipschitz = Math.max(1, boundSlope(this.coefficients, nx, ny, nz) / h);
    this.bounds = new Float64Array(6);
    for (let k = 0; k < 3; k++) {
      this.bounds[k] = origin[k];
      this.bounds[3 + k] = origin[k] + h * (counts[k] - 1);
    }
  }

  distance(x: number, y: number, z: number): number {
    const h = this.spacing;
    const low = this.#low;
    // into the box of the spline, in units of the spacing
    const u = (x - low[0]) / h;
    const v = (y - low[1]) / h;
    const w = (z - low[2]) / h;
    const cu = u < 0 ? 0 : Math.min(u, this.#highX);
    const cv = v < 0 ? 0 : Math.min(v, this.#highY);
    const cw = w < 0 ? 0 : Math.min(w, this.#highZ);
    const f = this.#interpolate(cu, cv, cw);
    return extendValue(f, h * (u - cu), h * (v - cv), h * (w - cw));
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const h = this.spacing;
    const low = this.#low;
    const u = (x - low[0]) / h;
    const v = (y - low[1]) / h;
    const w = (z - low[2]) / h;
    const cu = u < 0 ? 0 : Math.min(u, this.#highX);
    const cv = v < 0 ? 0 : Math.min(v, this.#highY);
    const cw = w < 0 ? 0 : Math.min(w, this.#highZ);
    const f = this.#differentiate(out, cu, cv, cw);
    return extendGradient(out, f, h * (u - cu), h * (v - cv), h * (w - cw));
  }

  // 3 × 3 × 3 coefficients around the nearest sample; weights ½(½ − t)², ¾ − t², ½(½ + t)² with t from −½ to ½
  #interpolate(u: number, v: number, w: number): number {
    const i = Math.min(Math.floor(u), this.#highX - 1);
    const j = Math.min(Math.floor(v), this.#highY - 1);
    const k = Math.min(Math.floor(w), this.#highZ - 1);
    const s = u - i;
    const t = v - j;
    const r = w - k;
    const ax = 0.5 * (1 - s) * (1 - s);
    const cx = 0.5 * s * s;
    const bx = 1 - ax - cx;
    const ay = 0.5 * (1 - t) * (1 - t);
    const cy = 0.5 * t * t;
    const by = 1 - ay - cy;
    const az = 0.5 * (1 - r) * (1 - r);
    const cz = 0.5 * r * r;
    const c = this.coefficients;
    const ny = this.#countX;
    const nz = this.#countXY;
    let n = i + j * ny + k * nz;
    let value = 0;
    for (let l = 0; l < 3; l++) {
      const row0 = ax * c[n] + bx * c[n + 1] + cx * c[n + 2];
      const row1 = ax * c[n + ny] + bx * c[n + ny + 1] + cx * c[n + ny + 2];
      const row2 = ax * c[n + 2 * ny] + bx * c[n + 2 * ny + 1] + cx * c[n + 2 * ny + 2];
      value += (l === 0 ? az : l === 1 ? 1 - az - cz : cz) * (ay * row0 + by * row1 + cy * row2);
      n += nz;
    }
    return value;
  }

  #differentiate(out: Float64Array, u: number, v: number, w: number): number {
    const i = Math.min(Math.floor(u), this.#highX - 1);
    const j = Math.min(Math.floor(v), this.#highY - 1);
    const k = Math.min(Math.floor(w), this.#highZ - 1);
    const s = u - i;
    const t = v - j;
    const r = w - k;
    const ax = 0.5 * (1 - s) * (1 - s);
    const cx = 0.5 * s * s;
    const bx = 1 - ax - cx;
    const ay = 0.5 * (1 - t) * (1 - t);
    const cy = 0.5 * t * t;
    const by = 1 - ay - cy;
    const az = 0.5 * (1 - r) * (1 - r);
    const cz = 0.5 * r * r;
    const c = this.coefficients;
    const ny = this.#countX;
    const nz = this.#countXY;
    let n = i + j * ny + k * nz;
    let value = 0;
    let gx = 0;
    let gy = 0;
    let gz = 0;
    for (let l = 0; l < 3; l++) {
      const m = n + ny;
      const o = n + 2 * ny;
      const row0 = ax * c[n] + bx * c[n + 1] + cx * c[n + 2];
      const row1 = ax * c[m] + bx * c[m + 1] + cx * c[m + 2];
      const row2 = ax * c[o] + bx * c[o + 1] + cx * c[o + 2];
      // slopes of the rows: linear between the two differences
      const slope0 = (1 - s) * (c[n + 1] - c[n]) + s * (c[n + 2] - c[n + 1]);
      const slope1 = (1 - s) * (c[m + 1] - c[m]) + s * (c[m + 2] - c[m + 1]);
      const slope2 = (1 - s) * (c[o + 1] - c[o]) + s * (c[o + 2] - c[o + 1]);
      const sheet = ay * row0 + by * row1 + cy * row2;
      const weight = l === 0 ? az : l === 1 ? 1 - az - cz : cz;
      value += weight * sheet;
      gx += weight * (ay * slope0 + by * slope1 + cy * slope2);
      gy += weight * ((1 - t) * (row1 - row0) + t * (row2 - row1));
      gz += (l === 0 ? r - 1 : l === 1 ? 1 - 2 * r : r) * sheet;
      n += nz;
    }
    const h = this.spacing;
    out[0] = gx / h;
    out[1] = gy / h;
    out[2] = gz / h;
    return value;
  }
}

// c = f − ⅛ Σ δ² f; at a border the second difference across it counts as zero
function correctSamples(f: Float64Array, nx: number, ny: number, nz: number): Float64Array {
  const c = new Float64Array(f.length);
  const nxy = nx * ny;
  for (let k = 0, n = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, n++) {
        let sum = 0;
        if (i > 0 && i < nx - 1) sum += f[n - 1] - 2 * f[n] + f[n + 1];
        if (j > 0 && j < ny - 1) sum += f[n - nx] - 2 * f[n] + f[n + nx];
        if (k > 0 && k < nz - 1) sum += f[n - nxy] - 2 * f[n] + f[n + nxy];
        c[n] = f[n] - sum / 8;
      }
    }
  }
  return c;
}

// largest difference of neighbours
function findSteepestDifference(f: Float64Array, nx: number, ny: number, nz: number): number {
  let largest = 0;
  for (let axis = 0; axis < 3; axis++) {
    const differences = differ(f, nx, ny, nz, axis);
    for (let n = 0; n < differences.length; n++) largest = Math.max(largest, differences[n]);
  }
  return largest;
}

const net = /* @__PURE__ */ new Float64Array(27);

// largest slope times the spacing: in each cell of the spline the gradient is a mean of 27 control vectors (its Bézier form)
function boundSlope(c: Float64Array, nx: number, ny: number, nz: number): number {
  const nxy = nx * ny;
  let largest = 0;
  for (let k = 0; k + 2 < nz; k++) {
    for (let j = 0; j + 2 < ny; j++) {
      for (let i = 0; i + 2 < nx; i++) {
        readControlNet(net, c, i + j * nx + k * nxy, nx, nxy);
        largest = Math.max(largest, findSteepestControl(net));
      }
    }
  }
  return Math.sqrt(largest);
}

// |difference| of each sample and the next along an axis; 0 where there is no next
function differ(f: Float64Array, nx: number, ny: number, nz: number, axis: number): Float64Array {
  const differences = new Float64Array(f.length);
  const step = axis === 0 ? 1 : axis === 1 ? nx : nx * ny;
  for (let k = 0, n = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, n++) {
        const hasNext = axis === 0 ? i < nx - 1 : axis === 1 ? j < ny - 1 : k < nz - 1;
        if (hasNext) differences[n] = Math.abs(f[n + step] - f[n]);
      }
    }
  }
  return differences;
}
