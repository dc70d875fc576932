/**
 * Parts of two rigid surfaces that come within reach of each other, in the frame of the second one, whose boxes stay (framed-parts.ts):
 * what moves are the points of the first one that are near the box of the second.
 *   x₂ = R₂ᵀ (x − p₂)         x a point in the world, R₂ and p₂ the pose of the second frame, m
 */
import type { FramePoses } from '../../dynamics/frames.ts';
import { IndexList } from '../../geometry/bounding-tree/index-list.ts';
import { checkDeadlineSometimes } from '../../step-deadline.ts';
import type { Surface, SurfaceSet } from '../surface/surface-set.ts';
import { type BoxedParts, collectParts, FramedParts } from './framed-parts.ts';

const query = /* @__PURE__ */ new Float64Array(6);
const p = /* @__PURE__ */ new Float64Array(3);
const q = /* @__PURE__ */ new Float64Array(3);

export class RigidParts {
  readonly #set: SurfaceSet;
  readonly #poses: FramePoses;
  /** Per surface, once asked for. */
  readonly #framed: (FramedParts | undefined)[] = [];
  /** Form of the set that they are of. */
  #form = 0;
  readonly #mine = new IndexList();
  readonly #found = new IndexList();

  /** Points of the set are where the poses have them. */
  constructor(set: SurfaceSet, poses: FramePoses) {
    this.#set = set;
    this.#poses = poses;
  }

  /** Appends points of surface a near triangles of surface b: point, pair, how many triangles, and those. */
  addTriangles(out: IndexList, a: number, b: number, pair: number, reach: number): void {
    const { triangles } = this.#frame(b);
    if (triangles.number.length === 0) return;
    const two = this.#set.surfaces[b];
    const mine = this.#mine;
    const found = this.#found;
    this.#collectNear(a, b, this.#frame(a).points, reach);
    for (let i = 0; i < mine.count; i++) {
      const v = mine.values[i];
      checkDeadlineSometimes('search for candidates');
      this.#bring(p, v, two);
      if (!this.#writeQuery(p, p, b, reach)) continue;
      collectParts(found, triangles, query);
      if (found.count === 0) continue;
      out.add(v);
      out.add(pair);
      out.add(found.count);
      for (let k = 0; k < found.count; k++) out.add(found.values[k]);
    }
  }

  /** Appends edges of surface a near edges of surface b: edge, edge, pair. */
  addEdges(out: IndexList, a: number, b: number, pair: number, reach: number): void {
    const { edges } = this.#frame(b);
    if (edges.number.length === 0) return;
    const { edge, surfaces } = this.#set;
    const two = surfaces[b];
    const mine = this.#mine;
    const found = this.#found;
    this.#collectNear(a, b, this.#frame(a).edges, reach);
    for (let i = 0; i < mine.count; i++) {
      const e = mine.values[i];
      checkDeadlineSometimes('search for candidates');
      this.#bring(p, edge[2 * e], two);
      this.#bring(q, edge[2 * e + 1], two);
      if (!this.#writeQuery(p, q, b, reach)) continue;
      collectParts(found, edges, query);
      for (let k = 0; k < found.count; k++) {
        out.add(e);
        out.add(found.values[k]);
        out.add(pair);
      }
    }
  }

  #frame(a: number): FramedParts {
    if (this.#form !== this.#set.forms) {
      this.#form = this.#set.forms;
      this.#framed.length = 0;
    }
    const framed = this.#framed[a] ?? new FramedParts(this.#set, this.#set.surfaces[a]);
    this.#framed[a] = framed;
    return framed;
  }

  // parts of a whose boxes meet that of b, in the frame of a
  #collectNear(a: number, b: number, parts: BoxedParts, reach: number): void {
    const { position, rotation } = this.#poses;
    const { surfaces } = this.#set;
    const f = surfaces[a].frame;
    const g = surfaces[b].frame;
    const { box } = this.#frame(b);
    for (let k = 0; k < 3; k++) {
      // axis k of a, in the world: the middle of the box along it, and how far the box goes from there
      const x = rotation[9 * f + k];
      const y = rotation[9 * f + 3 + k];
      const z = rotation[9 * f + 6 + k];
      let middle =
        x * (position[3 * g] - position[3 * f]) +
        y * (position[3 * g + 1] - position[3 * f + 1]) +
        z * (position[3 * g + 2] - position[3 * f + 2]);
      let half = reach;
      for (let c = 0; c < 3; c++) {
        const along = x * rotation[9 * g + c] + y * rotation[9 * g + 3 + c] + z * rotation[9 * g + 6 + c];
        middle += 0.5 * along * (box[c] + box[3 + c]);
        half += 0.5 * Math.abs(along) * (box[3 + c] - box[c]);
      }
      query[k] = middle - half;
      query[3 + k] = middle + half;
    }
    collectParts(this.#mine, parts, query);
  }

  // point v in the frame of a surface
  #bring(out: Float64Array, v: number, { frame }: Surface): void {
    const { position, rotation } = this.#poses;
    const { world } = this.#set;
    const m = 9 * frame;
    const x = world[3 * v] - position[3 * frame];
    const y = world[3 * v + 1] - position[3 * frame + 1];
    const z = world[3 * v + 2] - position[3 * frame + 2];
    out[0] = rotation[m] * x + rotation[m + 3] * y + rotation[m + 6] * z;
    out[1] = rotation[m + 1] * x + rotation[m + 4] * y + rotation[m + 7] * z;
    out[2] = rotation[m + 2] * x + rotation[m + 5] * y + rotation[m + 8] * z;
  }

  // the box of two points grown by the reach; whether it meets that of surface b
  #writeQuery(one: Float64Array, two: Float64Array, b: number, reach: number): boolean {
    const { box } = this.#frame(b);
    let meets = true;
    for (let k = 0; k < 3; k++) {
      query[k] = Math.min(one[k], two[k]) - reach;
      query[3 + k] = Math.max(one[k], two[k]) + reach;
      meets &&= query[k] <= box[3 + k] && query[3 + k] >= box[k];
    }
    return meets;
  }
}
