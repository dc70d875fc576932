/**
 * The field of a mesh with the right sign everywhere: a smooth grid field φ̃ (grid-field.ts) that approaches the exact distance φ
 * (exact-mesh-field.ts) towards the surface.
 *
 *   v = φ + m S((φ̃ − φ) / m),   m = σ s² / (s + a),   s = max(|φ| − r, 0)
 *
 *   S(u)  u up to ¾, then u − (u − ¾)², 1 from 5/4 on; odd. Limits the error u of the grid to ±1, with a continuous slope
 *   m     by how much v may differ from φ, m: nothing within r of the surface, at the slope σ = ½ farther out
 *   r, a  a quarter of the spacing each, m
 *
 * Sign: |v − φ| ≤ m ≤ σ |φ| ≤ ½ |φ|, so v has the sign of φ, and the zeros of v are those of φ. (A field of continuous and
 * nowhere vanishing gradient cannot have this: its zeros have no sharp edge. So near edges the gradient of v jumps as that of φ.)
 * Error: |S(u)| ≤ |u|, so |v − φ| ≤ |φ̃ − φ|: the error bound of the grid holds, and |φ| / 2 where that is less.
 * Lipschitz bound: with u > 0 (else likewise),
 *
 *   ∇v = S' ∇φ̃ + (1 − S') ∇φ + (S − u S') ∇m,   0 ≤ S' ≤ 1,   |∇m| ≤ σ,
 *
 * and the tangent of S at any u is at most 1 at u = 1, that is S − u S' ≤ 1 − S'. So |∇v| ≤ S' L̃ + (1 − S') (1 + σ), at most
 * the larger of L̃, the bound of the grid, and 1.5.
 *
 * Where the samples show |φ̃ − φ| ≤ ¾ m for a whole cell, v = φ̃ and no triangle is searched (certain-cells.ts); in most other
 * cells a short list of triangles will do (nearby-triangles.ts). A blend w φ + (1 − w) φ̃ with a weight w(φ̃) is not used: its
 * slope grows by |w'| times the error bound, to twice this one, and it searches triangles in the whole band.
 *
 * All this in the box of the spline, which holds the solid; beyond it v is extended from its boundary (box-extension.ts), where
 * it is positive.
 */
import { extendGradient, extendValue } from './box-extension.ts';
import type { ExactMeshField } from './exact-mesh-field.ts';
import type { SignedDistanceField } from './field.ts';
import type { GridField } from './grid-field.ts';
import type { NearbyTriangles } from './nearby-triangles.ts';

/** Slope of the margin. */
const SLOPE = 0.5;
/** Part of the margin up to which the grid is left as it is. */
export const FREE_PART = 0.75;
/** Where S is 1. */
const FULL = 2 - FREE_PART;
/** r and a, in spacings. */
const EXACT_REACH = 0.25;
const ONSET = 0.25;

/** m of the header at the distance |φ|, both in spacings. */
export function computeMargin(distance: number): number {
  const s = distance - EXACT_REACH;
  return s > 0 ? (SLOPE * s * s) / (s + ONSET) : 0;
}

function differentiateMargin(distance: number): number {
  const s = distance - EXACT_REACH;
  const q = ONSET / (s + ONSET);
  return s > 0 ? SLOPE * (1 - q * q) : 0;
}

// S of the header, u ≥ 0
function limitError(u: number): number {
  if (u <= FREE_PART) return u;
  return u < FULL ? u - (u - FREE_PART) * (u - FREE_PART) : 1;
}

export class SurfaceExactField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number;
  readonly lipschitz: number;
  readonly spacing: number;
  readonly #grid: GridField;
  readonly #exact: ExactMeshField;
  /** Where the list of a cell begins; −1 where the grid is certain. */
  readonly #starts: Int32Array;
  readonly #lists: Int32Array;
  readonly #cellsX: number;
  readonly #cellsY: number;
  readonly #cellsZ: number;
  /** The box of the spline, half a spacing inside the samples, m. */
  readonly #box: Float64Array;

  /** @param nearby triangles of the cells in which the grid is not certain */
  constructor(grid: GridField, exact: ExactMeshField, nearby: NearbyTriangles) {
    const { bounds, spacing: h } = grid;
    this.bounds = bounds;
    this.errorBound = grid.errorBound;
    this.lipschitz = Math.max(grid.lipschitz, 1 + SLOPE);
    this.spacing = h;
    this.#grid = grid;
    this.#exact = exact;
    this.#starts = nearby.starts;
    this.#lists = nearby.lists;
    this.#box = bounds.map((x, k) => (k < 3 ? x + h / 2 : x - h / 2));
    this.#cellsX = Math.round((bounds[3] - bounds[0]) / h) - 1;
    this.#cellsY = Math.round((bounds[4] - bounds[1]) / h) - 1;
    this.#cellsZ = Math.round((bounds[5] - bounds[2]) / h) - 1;
  }

  distance(x: number, y: number, z: number): number {
    // into the box of the spline
    const b = this.#box;
    const px = x < b[0] ? b[0] : Math.min(x, b[3]);
    const py = y < b[1] ? b[1] : Math.min(y, b[4]);
    const pz = z < b[2] ? b[2] : Math.min(z, b[5]);
    let value = this.#grid.distance(px, py, pz);
    const start = this.#starts[this.#findCell(px, py, pz)];
    if (start >= 0) value = this.#limit(value, this.#exact.distanceAmong(this.#lists, start, px, py, pz));
    return extendValue(value, x - px, y - py, z - pz);
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const b = this.#box;
    const px = x < b[0] ? b[0] : Math.min(x, b[3]);
    const py = y < b[1] ? b[1] : Math.min(y, b[4]);
    const pz = z < b[2] ? b[2] : Math.min(z, b[5]);
    let value = this.#grid.gradient(out, px, py, pz);
    const start = this.#starts[this.#findCell(px, py, pz)];
    if (start >= 0) {
      const exact = this.#exact.gradientAmong(slope, this.#lists, start, px, py, pz);
      value = this.#limitGradient(out, value, exact);
    }
    return extendGradient(out, value, x - px, y - py, z - pz);
  }

  #findCell(x: number, y: number, z: number): number {
    const h = this.spacing;
    const b = this.#box;
    const i = Math.min(Math.floor((x - b[0]) / h), this.#cellsX - 1);
    const j = Math.min(Math.floor((y - b[1]) / h), this.#cellsY - 1);
    const k = Math.min(Math.floor((z - b[2]) / h), this.#cellsZ - 1);
    return i + this.#cellsX * (j + this.#cellsY * k);
  }

  // v of the header
  #limit(rough: number, exact: number): number {
    const margin = this.spacing * computeMargin(Math.abs(exact) / this.spacing);
    const error = Math.abs(rough - exact);
    if (error <= FREE_PART * margin) return rough;
    const part = margin * limitError(error / margin);
    return rough > exact ? exact + part : exact - part;
  }

  // v, and its gradient from those of the grid in `out` and of the exact field in `slope`
  #limitGradient(out: Float64Array, rough: number, exact: number): number {
    const distance = Math.abs(exact) / this.spacing;
    const margin = this.spacing * computeMargin(distance);
    const error = Math.abs(rough - exact);
    if (margin > 0 && error <= FREE_PART * margin) return rough;
    const u = error / margin;
    const limited = margin > 0 ? limitError(u) : 1;
    // S' and S − u S', which are 0 and 1 once S is
    const rise = u < FULL ? 1 - 2 * (u - FREE_PART) : 0;
    const rest = u < FULL ? limited - u * rise : 1;
    // ∇m = ± m' ∇φ: |φ| and φ run against each other inside, and so do v and m where the grid is below
    const side = rough > exact === exact > 0 ? 1 : -1;
    const share = 1 - rise + side * rest * differentiateMargin(distance);
    out[0] = rise * out[0] + share * slope[0];
    out[1] = rise * out[1] + share * slope[1];
    out[2] = rise * out[2] + share * slope[2];
    return rough > exact ? exact + margin * limited : exact - margin * limited;
  }
}

const slope = /* @__PURE__ */ new Float64Array(3);
