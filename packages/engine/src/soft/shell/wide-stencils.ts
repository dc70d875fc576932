/**
 * Triangles of a shell of which an edge turns against them (edge-turn.ts): their curvature depends on the angles around, so that up to twelve
 * vertices act on each other through one triangle,
 *   Σᵢⱼ Qᵢⱼ ∇βᵢ ∇βⱼᵀ,   ∇βᵢ = ∇θᵢ ± Σ bₖ ∇θₖ
 */
import { addPairBlock } from '../pair-block.ts';
import type { ShellShape } from './shell-triangles.ts';

/** Of Q: place of (i, j). */
export const PLATE_PLACE: readonly number[] = [0, 3, 4, 3, 1, 5, 4, 5, 2];

export interface WideStencils {
  /** Vertices of triangle t: start[t] .. start[t + 1]; none where no edge of it turns. */
  readonly start: Int32Array;
  readonly vertex: Int32Array;
  /** Pairs of them: pairStart[t] on, in the order 01, 02, …, 12, …; the place of their blocks in a matrix. */
  readonly pairStart: Int32Array;
  readonly pairFirst: Int32Array;
  readonly pairSecond: Int32Array;
  readonly place: Int32Array;
}

export function findWideStencils({ area, hingeOf, hinge, turns }: ShellShape): WideStencils {
  const count = area.length;
  const start = new Int32Array(count + 1);
  const pairStart = new Int32Array(count + 1);
  const vertex: number[] = [];
  const pairFirst: number[] = [];
  const pairSecond: number[] = [];
  for (let t = 0; t < count; t++) {
    const own = hingeOf.subarray(3 * t, 3 * t + 3).filter((e) => e >= 0);
    if (own.some((e) => turns.start[e] < turns.start[e + 1])) {
      const seen = new Set<number>();
      const see = (e: number): void => {
        for (let c = 0; c < 4; c++) seen.add(hinge[4 * e + c]);
      };
      for (const e of own) {
        see(e);
        for (let k = turns.start[e]; k < turns.start[e + 1]; k++) see(turns.hinge[k]);
      }
      const list = [...seen];
      vertex.push(...list);
      for (let a = 0; a < list.length; a++) {
        for (let b = a + 1; b < list.length; b++) {
          pairFirst.push(list[a]);
          pairSecond.push(list[b]);
        }
      }
    }
    start[t + 1] = vertex.length;
    pairStart[t + 1] = pairFirst.length;
  }
  return {
    start,
    vertex: Int32Array.from(vertex),
    pairStart,
    pairFirst: Int32Array.from(pairFirst),
    pairSecond: Int32Array.from(pairSecond),
    place: new Int32Array(pairFirst.length),
  };
}

/** Vertices of the nine hinges that a triangle can depend on, at most. */
const MOST = 36;
const bend = /* @__PURE__ */ new Float64Array(9 * MOST);
const moment = /* @__PURE__ */ new Float64Array(9 * MOST);
const block = /* @__PURE__ */ new Float64Array(9);

/** Adds weight · Σ Qᵢⱼ ∇βᵢ ∇βⱼᵀ of triangle t; `gradient` has ∇θ of all hinges, twelve numbers each. */
export function addWidePlate(
  values: Float64Array,
  { start, vertex, pairStart, place }: WideStencils,
  t: number,
  { hingeOf, hinge, part, plate, turns }: ShellShape,
  gradient: Float64Array,
  weight: number,
): void {
  const first = start[t];
  const size = start[t + 1] - first;
  const row = 3 * size;
  bend.fill(0, 0, 3 * row);
  const add = (k: number, e: number, scale: number): void => {
    for (let c = 0; c < 4; c++) {
      const v = hinge[4 * e + c];
      let at = 0;
      while (vertex[first + at] !== v) at++;
      for (let i = 0; i < 3; i++) bend[row * k + 3 * at + i] += scale * gradient[12 * e + 3 * c + i];
    }
  };
  for (let k = 0; k < 3; k++) {
    const e = hingeOf[3 * t + k];
    if (e < 0) continue;
    add(k, e, 1);
    for (let m = turns.start[e]; m < turns.start[e + 1]; m++) add(k, turns.hinge[m], part[3 * t + k] * turns.weight[m]);
  }
  for (let k = 0; k < 3; k++) {
    const q0 = weight * plate[6 * t + PLATE_PLACE[3 * k]];
    const q1 = weight * plate[6 * t + PLATE_PLACE[3 * k + 1]];
    const q2 = weight * plate[6 * t + PLATE_PLACE[3 * k + 2]];
    for (let i = 0; i < row; i++) moment[row * k + i] = q0 * bend[i] + q1 * bend[row + i] + q2 * bend[2 * row + i];
  }
  let p = pairStart[t];
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++, p++) {
      for (let i = 0; i < 3; i++) {
        const u = bend[3 * a + i];
        const v = bend[row + 3 * a + i];
        const w = bend[2 * row + 3 * a + i];
        for (let j = 0; j < 3; j++)
          block[3 * i + j] = u * moment[3 * b + j] + v * moment[row + 3 * b + j] + w * moment[2 * row + 3 * b + j];
      }
      addPairBlock(values, place[p], vertex[first + a], vertex[first + b], block, 0, 1);
    }
  }
}
