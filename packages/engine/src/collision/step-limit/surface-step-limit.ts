/**
 * How much of a step all candidates allow: the least time of impact on the curves of the frames (geometry/motion), found by
 * conservative advancement. Candidates whose boxes are farther apart than both frames can move are skipped, and so are those that cannot
 * use up half of their gap before the least time so far, which among many the near ones show first: with the moves up to time t no more than
 *   t (|Δx_a − Δx_b| + r_a |Δθ_a| + r_b |Δθ_b|)      Δx, Δθ the step of a frame, m and rad; r its reach, m
 * or as seen from one of them (relative-approach.ts).
 */

import type { Frames } from '../../dynamics/frames.ts';
import {
  ADVANCE_DEFAULTS,
  type AdvanceOptions,
  createTimeOfImpact,
  type TimeOfImpact,
} from '../../geometry/motion/conservative-advancement.ts';
import { MovingStencil } from '../../geometry/motion/moving-stencil.ts';
import { advancePointPlane } from '../../geometry/motion/plane-approach.ts';
import {
  advanceEdgeEdge,
  advancePointEdge,
  advancePointPoint,
  advancePointTriangle,
} from '../../geometry/motion/primitive-approach.ts';
import { checkDeadlineSometimes } from '../../step-deadline.ts';
import type { SurfaceCandidates } from '../candidates/surface-candidates.ts';
import type { SurfaceSet } from '../surface/surface-set.ts';
import { measureRelativeApproach } from './relative-approach.ts';

type Advance = (
  out: TimeOfImpact,
  stencil: MovingStencil,
  separation: number,
  options: Readonly<AdvanceOptions>,
) => boolean;

/** Numbers of candidates that are many, and the distance up to which they are near, in ranges of the barrier. */
const MANY = 20000;
const NEAR = 4;

export class SurfaceStepLimit {
  readonly #set: SurfaceSet;
  readonly #frames: Frames;
  /** m. */
  readonly #near: number;
  readonly #stencil = new MovingStencil();
  readonly #impact: TimeOfImpact = createTimeOfImpact();
  // a step uses up half of a gap: nearer to the wall the barrier is so steep that coming back takes more iterations than are saved
  readonly #query: AdvanceOptions = { ...ADVANCE_DEFAULTS, fraction: 0.5, rest: 0.5 };
  /** Per frame: how far its points go, and how far by turning, m. */
  readonly #moves: Float64Array;
  readonly #turns: Float64Array;
  readonly #part = new Int32Array(4);
  readonly #own = new Int32Array(4);
  /** Frames and end for which the approach was measured last, and it, m: many candidates in a row have the same. */
  #approachA = -1;
  #approachB = -1;
  #approachEnd = 0;
  #approach = 0;
  #queries = 0;
  /** Distance beyond which candidates are left out, m. */
  #farthest = Infinity;

  constructor(set: SurfaceSet, frames: Frames, range: number) {
    this.#set = set;
    this.#near = NEAR * range;
    this.#frames = frames;
    this.#moves = new Float64Array(frames.count);
    this.#turns = new Float64Array(frames.count);
    this.#stencil.paths = frames.paths;
  }

  /** The largest part of the paths that is free, in [0, 1]; points of the set are at the current poses. */
  measure(candidates: SurfaceCandidates): number {
    const { step, count } = this.#frames;
    const { reach } = this.#set;
    for (let f = 0; f < count; f++) {
      const i = 6 * f;
      this.#turns[f] = reach[f] * Math.sqrt(step[i + 3] ** 2 + step[i + 4] ** 2 + step[i + 5] ** 2);
      this.#moves[f] = Math.sqrt(step[i] ** 2 + step[i + 1] ** 2 + step[i + 2] ** 2) + this.#turns[f];
    }
    this.#query.end = 1;
    this.#approachA = -1;
    this.#limitPlanes(candidates);
    const { triangles, edges } = candidates.parts;
    if (triangles.count + edges.count > MANY) {
      this.#farthest = this.#near;
      this.#limitTriangles(candidates);
      this.#limitEdges(candidates);
      this.#farthest = Infinity;
    }
    this.#limitTriangles(candidates);
    this.#limitEdges(candidates);
    this.#limitLoose(candidates);
    return this.#query.end;
  }

  #limitPlanes({ planes: list, pairs: { separation } }: SurfaceCandidates): void {
    const { planes, local, frameOf } = this.#set;
    const { local: x } = this.#stencil;
    for (let i = 0; i < list.count; i += 3) {
      const { frame, normal, offset } = planes[list.values[i]];
      const v = list.values[i + 1];
      this.#stencil.a = frameOf[v];
      this.#stencil.b = frame;
      if (this.#moves[frameOf[v]] + this.#moves[frame] === 0) continue;
      for (let k = 0; k < 3; k++) {
        x[k] = local[3 * v + k];
        x[3 + k] = offset * normal[k];
        x[6 + k] = normal[k];
      }
      this.#limit(advancePointPlane, separation[list.values[i + 2]]);
    }
  }

  #limitTriangles({ parts, pairs: { separation } }: SurfaceCandidates): void {
    const { triangles: list } = parts;
    const { triangle } = this.#set;
    const part = this.#part;
    for (let i = 0; i < list.count; ) {
      part[0] = list.values[i];
      const gap = separation[list.values[i + 1]];
      const end = i + 3 + list.values[i + 2];
      for (let k = i + 3; k < end; k++) {
        const t = 3 * list.values[k];
        part[1] = triangle[t];
        part[2] = triangle[t + 1];
        part[3] = triangle[t + 2];
        this.#limitParts(advancePointTriangle, 1, 4, gap);
      }
      i = end;
    }
  }

  #limitEdges({ parts, pairs: { separation } }: SurfaceCandidates): void {
    const { edges: list } = parts;
    const { edge } = this.#set;
    const part = this.#part;
    for (let i = 0; i < list.count; i += 3) {
      const a = 2 * list.values[i];
      const b = 2 * list.values[i + 1];
      part[0] = edge[a];
      part[1] = edge[a + 1];
      part[2] = edge[b];
      part[3] = edge[b + 1];
      this.#limitParts(advanceEdgeEdge, 2, 4, separation[list.values[i + 2]]);
    }
  }

  #limitLoose({ parts, pairs: { separation } }: SurfaceCandidates): void {
    const { looseEdges, points } = parts;
    const { edge } = this.#set;
    const part = this.#part;
    for (let i = 0; i < looseEdges.count; i += 3) {
      const e = 2 * looseEdges.values[i + 1];
      part[0] = looseEdges.values[i];
      part[1] = edge[e];
      part[2] = edge[e + 1];
      this.#limitParts(advancePointEdge, 1, 3, separation[looseEdges.values[i + 2]]);
    }
    for (let i = 0; i < points.count; i += 3) {
      part[0] = points.values[i];
      part[1] = points.values[i + 1];
      this.#limitParts(advancePointPoint, 1, 2, separation[points.values[i + 2]]);
    }
  }

  // points 0 to split − 1 of `part` against the rest
  #limitParts(advance: Advance, split: number, count: number, separation: number): void {
    const { local, world, frameOf, vertexOf } = this.#set;
    const part = this.#part;
    const a = frameOf[part[0]];
    const b = frameOf[part[split]];
    const isSoft = vertexOf[part[0]] >= 0 || vertexOf[part[split]] >= 0;
    const ahead = isSoft ? this.#measureAhead(split, count) : this.#measureApproach(a, b);
    if (ahead === 0 || areApart(world, part, split, count, Math.min(ahead, this.#farthest) + separation)) return;
    const stencil = this.#stencil;
    stencil.a = a;
    stencil.b = b;
    // points of a soft body have separate paths
    stencil.own = isSoft ? this.#own : undefined;
    for (let i = 0; i < count; i++) {
      const v = 3 * part[i];
      this.#own[i] = frameOf[part[i]];
      for (let k = 0; k < 3; k++) stencil.local[3 * i + k] = local[v + k];
    }
    this.#limit(advance, separation);
    stencil.own = undefined;
  }

  // how near points of frames a and b may come, m: by all of the step, or by half of the gap before the least time so far
  #measureApproach(a: number, b: number): number {
    const { end } = this.#query;
    if (a === this.#approachA && b === this.#approachB && end === this.#approachEnd) return this.#approach;
    const { step } = this.#frames;
    const i = 6 * a;
    const j = 6 * b;
    const x = step[i] - step[j];
    const y = step[i + 1] - step[j + 1];
    const z = step[i + 2] - step[j + 2];
    const plain = Math.sqrt(x * x + y * y + z * z) + this.#turns[a] + this.#turns[b];
    const { position } = this.#frames.current;
    const { reach } = this.#set;
    const together = Math.min(
      measureRelativeApproach(step, position, reach, a, b),
      measureRelativeApproach(step, position, reach, b, a),
    );
    const relative = Math.min(plain, together);
    this.#approachA = a;
    this.#approachB = b;
    this.#approachEnd = end;
    this.#approach = Math.min(this.#moves[a] + this.#moves[b], together, 2 * end * relative);
    return this.#approach;
  }

  // the farthest moves of both sides beside the mean of all, m
  #measureAhead(split: number, count: number): number {
    const { frameOf, reach } = this.#set;
    const { step } = this.#frames;
    const part = this.#part;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < count; i++) {
      const s = 6 * frameOf[part[i]];
      x += step[s];
      y += step[s + 1];
      z += step[s + 2];
    }
    x /= count;
    y /= count;
    z /= count;
    let one = 0;
    let two = 0;
    for (let i = 0; i < count; i++) {
      const f = frameOf[part[i]];
      const s = 6 * f;
      const dx = step[s] - x;
      const dy = step[s + 1] - y;
      const dz = step[s + 2] - z;
      const turn = step[s + 3] ** 2 + step[s + 4] ** 2 + step[s + 5] ** 2;
      const move = Math.sqrt(dx * dx + dy * dy + dz * dz) + (turn > 0 ? reach[f] * Math.sqrt(turn) : 0);
      if (i < split) one = Math.max(one, move);
      else two = Math.max(two, move);
    }
    return one + two;
  }

  #limit(advance: Advance, separation: number): void {
    // one takes a microsecond, less than some clocks
    if ((++this.#queries & 15) === 0) checkDeadlineSometimes('collision-free step');
    const query = this.#query;
    if (!(query.end > 0)) return;
    if (advance(this.#impact, this.#stencil, separation, query)) query.end = this.#impact.time;
  }
}

// whether the boxes of both sides are farther apart than a distance along some axis
function areApart(world: Float64Array, part: Int32Array, split: number, count: number, distance: number): boolean {
  const p = 3 * part[0];
  const q = 3 * part[1];
  const r = count > 2 ? 3 * part[2] : q;
  const s = count > 3 ? 3 * part[3] : r;
  for (let k = 0; k < 3; k++) {
    const a = world[p + k];
    const b = world[q + k];
    const c = world[r + k];
    const d = world[s + k];
    if (split === 2) {
      if (a - c > distance && a - d > distance && b - c > distance && b - d > distance) return true;
      if (c - a > distance && c - b > distance && d - a > distance && d - b > distance) return true;
    } else {
      if (a - b > distance && a - c > distance && a - d > distance) return true;
      if (b - a > distance && c - a > distance && d - a > distance) return true;
    }
  }
  return false;
}
