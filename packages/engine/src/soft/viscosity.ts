/**
 * Kelvin-Voigt viscosity of a solid: a stress 2η Ė beside the elastic one, with the rate of Green's strain in the shape Fₙ at the start
 * of a step. A step of length h then has ½ h (x − xₙ)ᵀ C (x − xₙ) in its objective, with
 *
 *   C_ab = Σ w η ((gₐ·g_b) F Fᵀ + (F g_b)(F gₐ)ᵀ),   F = Fₙ; I with the linear law
 *
 * from R = Σ w η |Ė|², Ė = sym(Fₙᵀ Ḟ). η is the viscosity of shear, Pa s; points as in element-points.ts. C costs nothing to
 * translations and to infinitesimal turns from xₙ. Source: Holzapfel, Nonlinear solid mechanics (2000), 6.10.
 */
import type { BlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ElementPoints } from './element-points.ts';

const f = /* @__PURE__ */ new Float64Array(9);
const left = /* @__PURE__ */ new Float64Array(9);

export class Viscosity {
  readonly #points: ElementPoints;
  #viscosity: number;
  readonly #isLinear: boolean;
  readonly #place: Int32Array;
  /** F g of the vertices of one element. */
  readonly #pushed: Float64Array;

  constructor(points: ElementPoints, viscosity: number, isLinear: boolean, pattern: BlockSparseMatrix, memory: Memory) {
    this.#points = points;
    this.#viscosity = viscosity;
    this.#isLinear = isLinear;
    const { vertexStart, vertex } = points;
    const place: number[] = [];
    let most = 0;
    for (let e = 0; e + 1 < vertexStart.length; e++) {
      most = Math.max(most, vertexStart[e + 1] - vertexStart[e]);
      for (let a = vertexStart[e]; a < vertexStart[e + 1]; a++)
        for (let b = vertexStart[e]; b < a; b++) place.push(findPlace(pattern, vertex[a], vertex[b]));
    }
    this.#place = memory.i32(place.length);
    this.#place.set(place);
    this.#pushed = memory.f64(3 * most);
  }

  /** Takes η of another body of the same mesh. */
  takeConstants(other: Viscosity): void {
    this.#viscosity = other.#viscosity;
  }

  /** C at x into a matrix with the pattern of the body. */
  assemble({ values }: BlockSparseMatrix, x: Float64Array): void {
    const { vertexStart, pointStart, vertex, weight, law, shapeStart, shape } = this.#points;
    const pushed = this.#pushed;
    values.fill(0);
    let pair = 0;
    for (let e = 0; e + 1 < vertexStart.length; e++) {
      const from = vertexStart[e];
      const n = vertexStart[e + 1] - from;
      for (let k = pointStart[e]; k < pointStart[e + 1]; k++) {
        if (law[k] !== 0) continue;
        const s = shapeStart[k];
        this.#deform(from, n, s, x);
        const size = weight[k] * this.#viscosity;
        for (let a = 0; a < n; a++) {
          for (let i = 0; i < 3; i++) {
            pushed[3 * a + i] =
              f[3 * i] * shape[s + 3 * a] + f[3 * i + 1] * shape[s + 3 * a + 1] + f[3 * i + 2] * shape[s + 3 * a + 2];
          }
        }
        for (let a = 0, p = pair; a < n; a++) {
          for (let b = 0; b < a; b++, p++) {
            const va = vertex[from + a];
            const vb = vertex[from + b];
            const dot =
              shape[s + 3 * a] * shape[s + 3 * b] +
              shape[s + 3 * a + 1] * shape[s + 3 * b + 1] +
              shape[s + 3 * a + 2] * shape[s + 3 * b + 2];
            for (let i = 0; i < 3; i++) {
              for (let j = 0; j < 3; j++) {
                const straight = size * (dot * left[3 * i + j] + pushed[3 * b + i] * pushed[3 * a + j]);
                // diagonal blocks are minus the sums of the others
                values[this.#place[p] + (va > vb ? 3 * i + j : 3 * j + i)] += straight;
                values[9 * va + 3 * i + j] -= straight;
                values[9 * vb + 3 * j + i] -= straight;
              }
            }
          }
        }
      }
      pair += (n * (n - 1)) / 2;
    }
  }

  // F and F Fᵀ
  #deform(from: number, n: number, s: number, x: Float64Array): void {
    const { vertex, shape } = this.#points;
    f.fill(0);
    if (this.#isLinear) f[0] = f[4] = f[8] = 1;
    else {
      const o = 3 * vertex[from];
      for (let a = 1; a < n; a++) {
        const v = 3 * vertex[from + a];
        for (let i = 0; i < 3; i++)
          for (let j = 0; j < 3; j++) f[3 * i + j] += (x[v + i] - x[o + i]) * shape[s + 3 * a + j];
      }
    }
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        left[3 * i + j] = f[3 * i] * f[3 * j] + f[3 * i + 1] * f[3 * j + 1] + f[3 * i + 2] * f[3 * j + 2];
  }
}

/** Place of the block of two vertices in the values of a matrix. */
function findPlace({ count, start, high }: BlockSparseMatrix, a: number, b: number): number {
  const low = Math.min(a, b);
  const target = Math.max(a, b);
  for (let p = start[low]; p < start[low + 1]; p++) if (high[p] === target) return 9 * (count + p);
  throw new RangeError(`vertices ${a} and ${b} share no element`);
}
