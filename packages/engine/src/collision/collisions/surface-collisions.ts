/**
 * The contacts of one iterate: pairs of parts nearer than d̂ + ξ, found among the candidates.
 *   point over a plane, loose edge or point   once
 *   point and triangles                       by features, so that inner edges cause no force (point-features.ts)
 *   edge and edge                             m(x) times (edge-mollifier.ts)
 * Points and edges that several pairs of edges of rigid bodies have as their nearest features, with m = 1, are one contact with the sum
 * of the weights: of the forty pairs of parts of two boxes that lie on each other half are such.
 * A soft body against itself counts every triangle: triangles next to the point are left out, and a sum without them would not cancel.
 * Source: Li et al., Convergent Incremental Potential Contact (2023): weights by area.
 */

import type { FramePoses } from '../../dynamics/frames.ts';
import { classifyEdgeEdge, EDGE_EDGE, measureEdgeEdge } from '../../geometry/distance/edge-edge.ts';
import {
  MOLLIFIER_SHARE,
  measureMollifier,
  measureMollifierThreshold,
} from '../../geometry/distance/edge-mollifier.ts';
import { locateOnSegment, measurePointSegment } from '../../geometry/distance/point-edge.ts';
import { measurePointPoint } from '../../geometry/distance/point-point.ts';
import { classifyPointTriangle, measurePointTriangle } from '../../geometry/distance/point-triangle.ts';
import { copyInto } from '../../linear-algebra/growth.ts';
import type { SurfaceCandidates } from '../candidates/surface-candidates.ts';
import { placePlane } from '../surface/plane-surface.ts';
import type { SurfaceSet } from '../surface/surface-set.ts';
import { FeatureTable } from './feature-table.ts';
import { FEATURE, PointFeatures } from './point-features.ts';

/** Values of `kind`: a point over a plane, a point and a triangle, edge or point, two edges. */
export const COLLISION = { plane: 0, point: 1, edge: 2 } as const;

const x = /* @__PURE__ */ new Float64Array(12);

export class SurfaceCollisions {
  count = 0;
  kind: Uint8Array = new Uint8Array(64);
  /** Four points; of a plane the point and the number of the plane. */
  part: Int32Array = new Int32Array(256);
  type: Uint8Array = new Uint8Array(64);
  /** Area times multiplicity, m². */
  weight: Float64Array = new Float64Array(64);
  /** d², m². */
  square: Float64Array = new Float64Array(64);
  /** Pair of the candidates. */
  pair: Int32Array = new Int32Array(64);
  /** Of two edges: threshold of the mollifier, m⁴. */
  threshold: Float64Array = new Float64Array(64);
  /** Of two edges: m; else 1. */
  mollifier: Float64Array = new Float64Array(64);
  /** Least of d − ξ, over candidates; Infinity where nothing is near. Not above 0 where parts touch or have crossed a plane. */
  nearest: number = Infinity;
  /** Per plane: unit normal in the world and height, four numbers. */
  planeFrame: Float64Array = new Float64Array(0);
  readonly #features = new PointFeatures();
  /** Contacts of two points, or of a point and an edge, of rigid bodies. */
  readonly #reduced = new FeatureTable();

  /** Whether a soft body takes part in contact n. */
  isSoft(n: number, { vertexOf }: SurfaceSet): boolean {
    const { part } = this;
    return vertexOf[part[4 * n]] >= 0 || (this.kind[n] !== COLLISION.plane && vertexOf[part[4 * n + 3]] >= 0);
  }

  /** Finds all contacts for points in `set.world` and the poses they were placed by. */
  collect(candidates: SurfaceCandidates, set: SurfaceSet, poses: FramePoses, range: number): void {
    this.count = 0;
    this.nearest = Infinity;
    this.#reduced.clear();
    this.#placePlanes(set, poses);
    this.#collectPlanes(candidates, set, range);
    this.#collectPoints(candidates, set, range);
    this.#collectEdges(candidates, set, range);
    this.#collectLoose(candidates, set, range);
  }

  #placePlanes({ planes }: SurfaceSet, poses: FramePoses): void {
    if (this.planeFrame.length < 4 * planes.length) this.planeFrame = new Float64Array(4 * planes.length);
    for (let p = 0; p < planes.length; p++) placePlane(this.planeFrame, 4 * p, planes[p], poses);
  }

  #collectPlanes({ planes: list, pairs: { separation } }: SurfaceCandidates, set: SurfaceSet, range: number): void {
    const { world, pointArea } = set;
    const frame = this.planeFrame;
    for (let i = 0; i < list.count; i += 3) {
      const p = list.values[i];
      const v = list.values[i + 1];
      const pair = list.values[i + 2];
      const o = 4 * p;
      const height =
        frame[o] * world[3 * v] + frame[o + 1] * world[3 * v + 1] + frame[o + 2] * world[3 * v + 2] - frame[o + 3];
      const gap = height - separation[pair];
      if (gap < this.nearest) this.nearest = gap;
      if (gap < range) this.#add(COLLISION.plane, 0, pointArea[v], height * height, pair, v, p, p, p, 0);
    }
  }

  #collectPoints(candidates: SurfaceCandidates, set: SurfaceSet, range: number): void {
    const { triangles: list } = candidates.parts;
    const { separation, shape1, shape2 } = candidates.pairs;
    const { world, triangle, pointArea } = set;
    const { values } = list;
    const features = this.#features;
    for (let i = 0; i < list.count; ) {
      const v = values[i];
      const pair = values[i + 1];
      const end = i + 3 + values[i + 2];
      const limit = (separation[pair] + range) ** 2;
      const isSelf = shape1[pair] === shape2[pair];
      // farther than this a triangle neither presses nor is the nearest
      const reach = separation[pair] + Math.max(range, this.nearest);
      features.clear();
      let least = Infinity;
      load(0, world, v);
      for (let k = i + 3; k < end; k++) {
        const t = values[k];
        for (let c = 0; c < 3; c++) load(3 + 3 * c, world, triangle[3 * t + c]);
        if (isFarFromTriangle(reach)) continue;
        const type = classifyPointTriangle(x, 0);
        const square = measurePointTriangle(x, 0, type);
        if (square < least) least = square;
        if (square >= limit) continue;
        features.addNearest(set, t, type, square);
        if (!isSelf) features.addInner(set, t, x, limit);
      }
      const gap = Math.sqrt(least) - separation[pair];
      if (gap < this.nearest) this.nearest = gap;
      this.#addFeatures(set, v, pointArea[v], pair);
      i = end;
    }
  }

  // features of a point v become contacts
  #addFeatures({ triangle, edge, frameOf, vertexOf }: SurfaceSet, v: number, area: number, pair: number): void {
    const features = this.#features;
    const isRigid = vertexOf[v] < 0;
    for (let f = 0; f < features.count; f++) {
      const weight = area * features.weight[f];
      if (weight === 0) continue;
      const n = features.number[f];
      const square = features.square[f];
      if (features.kind[f] === FEATURE.face) {
        const t = 3 * n;
        this.#add(COLLISION.point, 6, weight, square, pair, v, triangle[t], triangle[t + 1], triangle[t + 2], 0);
      } else if (features.kind[f] === FEATURE.edge) {
        if (isRigid && vertexOf[edge[2 * n]] < 0) this.#reduced.findOrAdd(v, frameOf.length + n, this.count);
        this.#add(COLLISION.point, 3, weight, square, pair, v, edge[2 * n], edge[2 * n + 1], edge[2 * n + 1], 0);
      } else if (isRigid && vertexOf[n] < 0) {
        this.#addEnds(v, n, weight, square, pair);
      } else {
        this.#add(COLLISION.point, 0, weight, square, pair, v, n, n, n, 0);
      }
    }
  }

  #collectEdges({ parts, pairs: { separation } }: SurfaceCandidates, set: SurfaceSet, range: number): void {
    const { edges: list } = parts;
    const { world, edge, edgeArea, edgeSquare, vertexOf } = set;
    const { values } = list;
    for (let i = 0; i < list.count; i += 3) {
      const a = values[i];
      const b = values[i + 1];
      const pair = values[i + 2];
      load(0, world, edge[2 * a]);
      load(3, world, edge[2 * a + 1]);
      load(6, world, edge[2 * b]);
      load(9, world, edge[2 * b + 1]);
      const limit = separation[pair] + range;
      if (isFarApart(limit)) continue;
      const type = classifyEdgeEdge(x, 0);
      const square = measureEdgeEdge(x, 0, type);
      if (square >= limit * limit) continue;
      const gap = Math.sqrt(square) - separation[pair];
      if (gap < this.nearest) this.nearest = gap;
      const area = 0.25 * (edgeArea[a] + edgeArea[b]);
      // lengths of soft edges change, those at rest do not
      const isSoft = vertexOf[edge[2 * a]] >= 0 || vertexOf[edge[2 * b]] >= 0;
      const threshold = isSoft ? MOLLIFIER_SHARE * edgeSquare[a] * edgeSquare[b] : measureMollifierThreshold(x, 0);
      const m = measureMollifier(x, 0, threshold);
      if (!isSoft && type !== EDGE_EDGE.ab && m === 1) {
        this.#addReduced(set, type, a, b, square, pair);
        continue;
      }
      const n = this.count;
      const e = 2 * a;
      const f = 2 * b;
      this.#add(COLLISION.edge, type, area, square, pair, edge[e], edge[e + 1], edge[f], edge[f + 1], threshold);
      this.mollifier[n] = m;
    }
  }

  // edges a and b whose nearest features are two ends, or an end and an edge
  #addReduced(set: SurfaceSet, type: number, a: number, b: number, square: number, pair: number): void {
    const { edge, edgeArea, frameOf } = set;
    const area = 0.25 * (edgeArea[a] + edgeArea[b]);
    if (type < EDGE_EDGE.ab0) {
      this.#addEnds(edge[2 * a + (type >> 1)], edge[2 * b + (type & 1)], area, square, pair);
      return;
    }
    const isOfB = type < EDGE_EDGE.a0b;
    const v = isOfB ? edge[2 * b + type - EDGE_EDGE.ab0] : edge[2 * a + type - EDGE_EDGE.a0b];
    const e = isOfB ? a : b;
    const n = this.#reduced.findOrAdd(v, frameOf.length + e, this.count);
    if (n < this.count) this.weight[n] += area;
    else this.#add(COLLISION.point, 3, area, square, pair, v, edge[2 * e], edge[2 * e + 1], edge[2 * e + 1], 0);
  }

  // two points of rigid bodies
  #addEnds(v: number, w: number, weight: number, square: number, pair: number): void {
    const n = this.#reduced.findOrAdd(Math.min(v, w), Math.max(v, w), this.count);
    if (n < this.count) this.weight[n] += weight;
    else this.#add(COLLISION.point, 0, weight, square, pair, v, w, w, w, 0);
  }

  #collectLoose(candidates: SurfaceCandidates, set: SurfaceSet, range: number): void {
    const { world, edge, pointArea } = set;
    const { looseEdges, points } = candidates.parts;
    const { separation } = candidates.pairs;
    for (let i = 0; i < looseEdges.count; i += 3) {
      const v = looseEdges.values[i];
      const e = looseEdges.values[i + 1];
      const pair = looseEdges.values[i + 2];
      const p = edge[2 * e];
      const q = edge[2 * e + 1];
      load(0, world, v);
      load(3, world, p);
      load(6, world, q);
      const s = locateOnSegment(x, 0, 3, 6);
      const square = measurePointSegment(x, 0, 3, 6, s);
      this.#see(square, separation[pair]);
      if (square >= (separation[pair] + range) ** 2) continue;
      if (s > 0 && s < 1) this.#add(COLLISION.point, 3, pointArea[v], square, pair, v, p, q, q, 0);
      else this.#add(COLLISION.point, 0, pointArea[v], square, pair, v, s > 0 ? q : p, s > 0 ? q : p, s > 0 ? q : p, 0);
    }
    for (let i = 0; i < points.count; i += 3) {
      const v = points.values[i];
      const w = points.values[i + 1];
      const pair = points.values[i + 2];
      load(0, world, v);
      load(3, world, w);
      const square = measurePointPoint(x, 0, 3);
      this.#see(square, separation[pair]);
      if (square >= (separation[pair] + range) ** 2) continue;
      this.#add(COLLISION.point, 0, Math.min(pointArea[v], pointArea[w]), square, pair, v, w, w, w, 0);
    }
  }

  #see(square: number, separation: number): void {
    const gap = Math.sqrt(square) - separation;
    if (gap < this.nearest) this.nearest = gap;
  }

  #add(
    kind: number,
    type: number,
    weight: number,
    square: number,
    pair: number,
    p: number,
    q: number,
    r: number,
    s: number,
    threshold: number,
  ): void {
    const n = this.count++;
    if (n === this.kind.length) this.#grow();
    this.kind[n] = kind;
    this.type[n] = type;
    this.weight[n] = weight;
    this.square[n] = square;
    this.pair[n] = pair;
    this.part[4 * n] = p;
    this.part[4 * n + 1] = q;
    this.part[4 * n + 2] = r;
    this.part[4 * n + 3] = s;
    this.threshold[n] = threshold;
    this.mollifier[n] = 1;
  }

  #grow(): void {
    const n = 2 * this.kind.length;
    this.kind = copyInto(this.kind, new Uint8Array(n));
    this.type = copyInto(this.type, new Uint8Array(n));
    this.weight = copyInto(this.weight, new Float64Array(n));
    this.square = copyInto(this.square, new Float64Array(n));
    this.pair = copyInto(this.pair, new Int32Array(n));
    this.part = copyInto(this.part, new Int32Array(4 * n));
    this.threshold = copyInto(this.threshold, new Float64Array(n));
    this.mollifier = copyInto(this.mollifier, new Float64Array(n));
  }
}

function load(o: number, world: Float64Array, v: number): void {
  x[o] = world[3 * v];
  x[o + 1] = world[3 * v + 1];
  x[o + 2] = world[3 * v + 2];
}

// whether the point in x is farther than a limit from the box of the triangle along some axis
function isFarFromTriangle(limit: number): boolean {
  for (let k = 0; k < 3; k++) {
    const low = x[k] - limit;
    const high = x[k] + limit;
    const a = x[3 + k];
    const b = x[6 + k];
    const c = x[9 + k];
    if ((a < low && b < low && c < low) || (a > high && b > high && c > high)) return true;
  }
  return false;
}

// whether the boxes of the two edges in x are farther apart than a limit along some axis
function isFarApart(limit: number): boolean {
  for (let k = 0; k < 3; k++) {
    const lowA = Math.min(x[k], x[3 + k]);
    const highA = Math.max(x[k], x[3 + k]);
    const lowB = Math.min(x[6 + k], x[9 + k]);
    const highB = Math.max(x[6 + k], x[9 + k]);
    if (lowA - highB > limit || lowB - highA > limit) return true;
  }
  return false;
}
