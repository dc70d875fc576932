/**
 * Which points, edges and triangles may come near each other: a superset of all contacts on the way of a step. It is built with
 * some slack and kept, over iterations and steps, until frames have moved by more than that:
 *   candidate  where boxes are nearer than d̂ + ξ + slack_A + slack_B
 *   valid      while Σ |moves since built| + |the move ahead| ≤ slack, for every carrier (carrier-moves.ts)
 * Parts of a soft body with a vertex in common do not touch, nor do parts with a vertex that is fixed to the other side's frame.
 * Candidates stand in the order of their numbers whatever the slack was, so that sums over contacts do not depend on it.
 */
import { createPairFilter, type PairFilter, pairKey } from '../../../collision/pair-filter.ts';
import { PairParameters } from '../../../collision/pair-parameters.ts';
import { classifySurfaces, type SurfaceClasses } from '../../../collision/surface-class.ts';
import { collectBoxOverlaps } from '../../../geometry/bounding-tree/box-overlap.ts';
import { IndexList } from '../../../geometry/bounding-tree/index-list.ts';
import { buildTree, createTreeBuilder, type TreeBuilder } from '../../../geometry/bounding-tree/tree-builder.ts';
import type { Model } from '../../../model/model.ts';
import type { ContactPair } from '../../../scene/contact-filter.ts';
import type { Frames } from '../frames.ts';
import { CarrierMoves } from './carrier-moves.ts';
import type { SoftCarriers } from './soft-carriers.ts';
import { maySurfacesTouch, mixSoftFriction } from './soft-pairs.ts';
import type { Surface, SurfaceSet } from './surface-set.ts';

/** Pairs of parts above which a tree pays. */
const TREE_FROM = 4096;
/** Numbers in lists of candidates that are many, and how many times farther than needed they have to reach to be found anew. */
const MANY_ENTRIES = 30000;
const SHRINK = 4;

export class ContactCandidates {
  /** Pairs of shapes that are near: shapes, separation ξ (m), coefficient of friction. */
  pairCount = 0;
  shape1: Int32Array = new Int32Array(64);
  shape2: Int32Array = new Int32Array(64);
  separation: Float64Array = new Float64Array(64);
  friction: Float64Array = new Float64Array(64);
  /** Plane, point, pair. */
  readonly planes: IndexList = new IndexList();
  /** Point, pair, how many triangles, and those. */
  readonly triangles: IndexList = new IndexList();
  /** Edge, edge, pair. */
  readonly edges: IndexList = new IndexList();
  /** Point, edge, pair; and point, point, pair: where the other side has no triangles. */
  readonly looseEdges: IndexList = new IndexList();
  readonly points: IndexList = new IndexList();
  readonly #model: Model;
  readonly #set: SurfaceSet;
  readonly #frames: Frames;
  readonly #filter: PairFilter;
  readonly #classes: SurfaceClasses;
  readonly #parameters = new PairParameters();
  readonly #explicit = new Map<number, ContactPair>();
  readonly #moves: CarrierMoves;
  readonly #slack: Float64Array;
  readonly #travel: Float64Array;
  /** Of soft bodies against themselves. */
  readonly #selfSlack: Float64Array;
  readonly #selfTravel: Float64Array;
  readonly #boxes: Float64Array;
  #isBuilt = false;
  readonly #near1 = new IndexList();
  readonly #near2 = new IndexList();
  readonly #found = new IndexList();
  readonly #builder: TreeBuilder = createTreeBuilder();
  readonly #surfaceBuilder: TreeBuilder = createTreeBuilder();
  #partBoxes: Float64Array = new Float64Array(384);

  constructor(model: Model, set: SurfaceSet, frames: Frames, carriers: SoftCarriers) {
    this.#model = model;
    this.#set = set;
    this.#frames = frames;
    this.#filter = createPairFilter(model);
    this.#classes = classifySurfaces(model);
    this.#moves = new CarrierMoves(model, frames, carriers, set.reach);
    this.#slack = new Float64Array(this.#moves.count);
    this.#travel = new Float64Array(this.#moves.count);
    this.#selfSlack = new Float64Array(model.size.softBody);
    this.#selfTravel = new Float64Array(model.size.softBody);
    this.#boxes = new Float64Array(6 * set.surfaces.length);
    (model.scene.contactPairs ?? []).forEach((pair, i) => {
      const { pairShapes } = model.contactFilter;
      this.#explicit.set(pairKey(pairShapes[2 * i], pairShapes[2 * i + 1], model.size.shape), pair);
    });
  }

  /** Builds anew where the step of the frames may leave what is known; points of the set stand at the current poses. */
  cover(): void {
    const moves = this.#moves;
    const { ahead, spread, count } = moves;
    const travel = this.#travel;
    const slack = this.#slack;
    moves.measure();
    let isCovered = this.#isBuilt;
    for (let c = 0; c < count && isCovered; c++) isCovered = travel[c] + ahead[c] <= slack[c];
    for (let n = 0; n < spread.length && isCovered; n++)
      isCovered = this.#selfTravel[n] + spread[n] <= this.#selfSlack[n];
    if (isCovered && !this.#isOversized()) return;
    const { barrierDistance } = this.#model.options.ipc;
    for (let c = 0; c < count; c++) slack[c] = c === this.#frames.moving ? 0 : 2 * ahead[c] + barrierDistance;
    for (let n = 0; n < spread.length; n++) this.#selfSlack[n] = 2 * spread[n] + barrierDistance;
    travel.fill(0);
    this.#selfTravel.fill(0);
    this.#build();
  }

  // many candidates, of a step far longer than the one ahead: to look at them all is more work than to find fewer
  #isOversized(): boolean {
    if (this.edges.count + this.triangles.count + this.planes.count < MANY_ENTRIES) return false;
    const { ahead } = this.#moves;
    const { barrierDistance } = this.#model.options.ipc;
    let slack = 0;
    let needed = 0;
    for (let c = 0; c < ahead.length; c++) {
      slack = Math.max(slack, this.#slack[c]);
      needed = Math.max(needed, 2 * ahead[c] + barrierDistance);
    }
    return SHRINK * needed < slack;
  }

  /** Builds anew at the next question. */
  forget(): void {
    this.#isBuilt = false;
  }

  /** Says that frames have moved by α of their step. */
  move(alpha: number): void {
    const { ahead, spread, count } = this.#moves;
    this.#moves.measure();
    for (let c = 0; c < count; c++) this.#travel[c] += alpha * ahead[c];
    for (let n = 0; n < spread.length; n++) this.#selfTravel[n] += alpha * spread[n];
  }

  /** Compares the start of a step with where carriers were known to be: what moved in between counts, too. */
  displace(carrier: number, distance: number): void {
    this.#travel[carrier] += distance;
    const soft = carrier - this.#frames.firstSoft;
    if (soft >= 0) this.#selfTravel[soft] += 2 * distance;
  }

  #build(): void {
    const { surfaces, planes } = this.#set;
    this.#isBuilt = true;
    this.pairCount = 0;
    for (const list of [this.planes, this.triangles, this.edges, this.looseEdges, this.points]) list.clear();
    for (let s = 0; s < surfaces.length; s++) this.#writeBox(surfaces[s], s);
    for (let p = 0; p < planes.length; p++) for (let s = 0; s < surfaces.length; s++) this.#addPlane(p, s);
    if (surfaces.length <= 24) {
      for (let a = 0; a < surfaces.length; a++) for (let b = a + 1; b < surfaces.length; b++) this.#addSurfaces(a, b);
      this.#addSelves();
      return;
    }
    const tree = buildTree(this.#surfaceBuilder, this.#boxes, surfaces.length);
    const near = this.#near1;
    for (let a = 0; a < surfaces.length; a++) {
      near.clear();
      collectBoxOverlaps(near, tree, this.#boxes, 6 * a);
      const others = Array.from(near.values.subarray(0, near.count)).filter((b) => b > a);
      for (const b of others.sort((x, y) => x - y)) this.#addSurfaces(a, b);
    }
    this.#addSelves();
  }

  // soft bodies against themselves
  #addSelves(): void {
    const { surfaces } = this.#set;
    const { barrierDistance, separation } = this.#model.options.ipc;
    for (let a = 0; a < surfaces.length; a++) {
      const { soft, shape } = surfaces[a];
      if (soft < 0 || !maySurfacesTouch(this.#model, this.#filter, shape, shape)) continue;
      const reach = barrierDistance + separation + 2 * this.#selfSlack[soft];
      const pair = this.#addPair(shape, shape, separation);
      this.#addTriangles(surfaces[a], surfaces[a], a, pair, reach);
      this.#addEdges(surfaces[a], a, surfaces[a], a, pair, reach);
    }
  }

  // the box of a surface, grown by its radius, its slack and half of d̂ and of the separation
  #writeBox({ firstVertex, endVertex, radius, carrier }: Surface, n: number): void {
    const { world } = this.#set;
    const { barrierDistance, separation } = this.#model.options.ipc;
    const grow = radius + this.#slack[carrier] + 0.5 * (barrierDistance + separation);
    const boxes = this.#boxes;
    boxes.fill(Infinity, 6 * n, 6 * n + 3);
    boxes.fill(-Infinity, 6 * n + 3, 6 * n + 6);
    for (let v = 3 * firstVertex; v < 3 * endVertex; v += 3) {
      for (let k = 0; k < 3; k++) {
        if (world[v + k] < boxes[6 * n + k]) boxes[6 * n + k] = world[v + k];
        if (world[v + k] > boxes[6 * n + 3 + k]) boxes[6 * n + 3 + k] = world[v + k];
      }
    }
    for (let k = 0; k < 3; k++) {
      boxes[6 * n + k] -= grow;
      boxes[6 * n + 3 + k] += grow;
    }
  }

  #addPlane(p: number, s: number): void {
    const { planes, surfaces, world } = this.#set;
    const plane = planes[p];
    const surface = surfaces[s];
    if (!maySurfacesTouch(this.#model, this.#filter, plane.shape, surface.shape)) return;
    const { position, rotation } = this.#frames.current;
    const f = plane.frame;
    const [a, b, c] = plane.normal;
    const m = 9 * f;
    const nx = rotation[m] * a + rotation[m + 1] * b + rotation[m + 2] * c;
    const ny = rotation[m + 3] * a + rotation[m + 4] * b + rotation[m + 5] * c;
    const nz = rotation[m + 6] * a + rotation[m + 7] * b + rotation[m + 8] * c;
    const height = plane.offset + nx * position[3 * f] + ny * position[3 * f + 1] + nz * position[3 * f + 2];
    const { barrierDistance, separation } = this.#model.options.ipc;
    const reach = barrierDistance + separation + surface.radius + this.#slack[surface.carrier] + this.#slack[f];
    let pair = -1;
    for (let v = surface.firstVertex; v < surface.endVertex; v++) {
      if (this.#set.anchor[v] === f) continue;
      if (nx * world[3 * v] + ny * world[3 * v + 1] + nz * world[3 * v + 2] - height > reach) continue;
      if (pair < 0) pair = this.#addPair(plane.shape, surface.shape, surface.radius + separation);
      this.planes.add(p);
      this.planes.add(v);
      this.planes.add(pair);
    }
  }

  #addSurfaces(a: number, b: number): void {
    const { surfaces } = this.#set;
    const boxes = this.#boxes;
    for (let k = 0; k < 3; k++) {
      if (boxes[6 * a + k] > boxes[6 * b + 3 + k] || boxes[6 * b + k] > boxes[6 * a + 3 + k]) return;
    }
    const one = surfaces[a];
    const two = surfaces[b];
    if (!maySurfacesTouch(this.#model, this.#filter, one.shape, two.shape)) return;
    const { barrierDistance, separation } = this.#model.options.ipc;
    const gap = one.radius + two.radius + separation;
    const reach = barrierDistance + gap + this.#slack[one.carrier] + this.#slack[two.carrier];
    const pair = this.#addPair(one.shape, two.shape, gap);
    this.#addTriangles(one, two, b, pair, reach);
    this.#addTriangles(two, one, a, pair, reach);
    this.#addEdges(one, a, two, b, pair, reach);
    this.#addLoose(one, two, pair, reach);
    this.#addLoose(two, one, pair, reach);
    if (one.isPoint && two.isPoint) this.#addPoints(one, two, pair, reach);
  }

  #add(list: IndexList, first: number, second: number, pair: number): void {
    list.add(first);
    list.add(second);
    list.add(pair);
  }

  // points of one near triangles of two
  #addTriangles(one: Surface, two: Surface, twoNumber: number, pair: number, reach: number): void {
    if (two.endTriangle === two.firstTriangle) return;
    const { world, triangle } = this.#set;
    const points = this.#near1;
    const found = this.#found;
    this.#collectPoints(points, one, twoNumber, reach);
    if (points.count === 0) return;
    const boxes = this.#boxParts(triangle, 3, two.firstTriangle, two.endTriangle);
    const count = two.endTriangle - two.firstTriangle;
    const isSoft = one.soft >= 0 || two.soft >= 0;
    const isTree = count * points.count > TREE_FROM;
    const tree = isTree ? buildTree(this.#builder, boxes, count) : undefined;
    for (let i = 0; i < points.count; i++) {
      const v = points.values[i];
      this.#writeQuery(world, 3 * v, 3 * v, reach);
      found.clear();
      if (tree) {
        collectBoxOverlaps(found, tree, query);
        found.values.subarray(0, found.count).sort();
      } else {
        for (let t = 0; t < count; t++) if (meetsQuery(boxes, 6 * t)) found.add(t);
      }
      if (isSoft) this.#dropJoined(found, v, -1, triangle, 3, two.firstTriangle);
      if (found.count === 0) continue;
      this.triangles.add(v);
      this.triangles.add(pair);
      this.triangles.add(found.count);
      for (let k = 0; k < found.count; k++) this.triangles.add(two.firstTriangle + found.values[k]);
    }
  }

  #addEdges(one: Surface, a: number, two: Surface, b: number, pair: number, reach: number): void {
    const { world, edge } = this.#set;
    const mine = this.#near1;
    const theirs = this.#near2;
    const found = this.#found;
    this.#collectEdges(mine, one, b, reach);
    this.#collectEdges(theirs, two, a, reach);
    if (mine.count === 0 || theirs.count === 0) return;
    const boxes = this.#boxEdges(theirs);
    const isSoft = one.soft >= 0 || two.soft >= 0;
    const tree = mine.count * theirs.count > TREE_FROM ? buildTree(this.#builder, boxes, theirs.count) : undefined;
    for (let i = 0; i < mine.count; i++) {
      const e = mine.values[i];
      this.#writeQuery(world, 3 * edge[2 * e], 3 * edge[2 * e + 1], reach);
      found.clear();
      if (tree) {
        collectBoxOverlaps(found, tree, query);
        found.values.subarray(0, found.count).sort();
      } else {
        for (let t = 0; t < theirs.count; t++) if (meetsQuery(boxes, 6 * t)) found.add(t);
      }
      for (let k = 0; k < found.count; k++) {
        const other = theirs.values[found.values[k]];
        // of a body with itself every pair once
        if (a === b && other <= e) continue;
        if (isSoft && this.#set.areJoined(edge[2 * e], edge[2 * e + 1], edge, 2 * other, 2)) continue;
        this.#add(this.edges, e, other, pair);
      }
    }
  }

  // takes parts out of a list that have a vertex in common with the points v and w or are fixed to each other
  #dropJoined(list: IndexList, v: number, w: number, corner: Int32Array, corners: number, first: number): void {
    const { values } = list;
    let kept = 0;
    for (let k = 0; k < list.count; k++) {
      if (this.#set.areJoined(v, w, corner, corners * (first + values[k]), corners)) continue;
      values[kept++] = values[k];
    }
    list.count = kept;
  }

  // points of two clouds
  #addPoints(one: Surface, two: Surface, pair: number, reach: number): void {
    const { world } = this.#set;
    for (let v = one.firstVertex; v < one.endVertex; v++) {
      this.#writeQuery(world, 3 * v, 3 * v, reach);
      for (let w = two.firstVertex; w < two.endVertex; w++) {
        writeSpan(span, world, 3 * w, 3 * w);
        if (meetsQuery(span, 0)) this.#add(this.points, v, w, pair);
      }
    }
  }

  // points of one against edges of two that have no triangles
  #addLoose(one: Surface, two: Surface, pair: number, reach: number): void {
    if (!two.isLoose) return;
    const { world, edge, isExposed } = this.#set;
    for (let v = one.firstVertex; v < one.endVertex; v++) {
      if (isExposed[v] === 0) continue;
      this.#writeQuery(world, 3 * v, 3 * v, reach);
      for (let e = two.firstEdge; e < two.endEdge; e++) {
        writeSpan(span, world, 3 * edge[2 * e], 3 * edge[2 * e + 1]);
        if (!meetsQuery(span, 0) || this.#set.areJoined(v, -1, edge, 2 * e, 2)) continue;
        this.#add(this.looseEdges, v, e, pair);
      }
    }
  }

  // points of a surface within reach of the box of another (which is grown already: only more than enough)
  #collectPoints(out: IndexList, { firstVertex, endVertex }: Surface, other: number, reach: number): void {
    const { world, isExposed } = this.#set;
    const boxes = this.#boxes;
    out.clear();
    for (let v = firstVertex; v < endVertex; v++) {
      let isNear = isExposed[v] === 1;
      for (let k = 0; k < 3 && isNear; k++) {
        const x = world[3 * v + k];
        isNear = x >= boxes[6 * other + k] - reach && x <= boxes[6 * other + 3 + k] + reach;
      }
      if (isNear) out.add(v);
    }
  }

  #collectEdges(out: IndexList, { firstEdge, endEdge }: Surface, other: number, reach: number): void {
    const { world, edge, isSharp } = this.#set;
    const boxes = this.#boxes;
    out.clear();
    for (let e = firstEdge; e < endEdge; e++) {
      if (isSharp[e] === 0) continue;
      writeSpan(span, world, 3 * edge[2 * e], 3 * edge[2 * e + 1]);
      let isNear = true;
      for (let k = 0; k < 3 && isNear; k++)
        isNear = span[3 + k] >= boxes[6 * other + k] - reach && span[k] <= boxes[6 * other + 3 + k] + reach;
      if (isNear) out.add(e);
    }
  }

  #boxParts(corner: Int32Array, corners: number, first: number, end: number): Float64Array {
    const { world } = this.#set;
    const boxes = this.#fit(6 * (end - first));
    for (let n = first, o = 0; n < end; n++, o += 6) {
      for (let k = 0; k < 3; k++) {
        let low = Infinity;
        let high = -Infinity;
        for (let c = 0; c < corners; c++) {
          const x = world[3 * corner[corners * n + c] + k];
          if (x < low) low = x;
          if (x > high) high = x;
        }
        boxes[o + k] = low;
        boxes[o + 3 + k] = high;
      }
    }
    return boxes;
  }

  #boxEdges(list: IndexList): Float64Array {
    const { world, edge } = this.#set;
    const boxes = this.#fit(6 * list.count);
    for (let n = 0; n < list.count; n++) {
      const e = list.values[n];
      writeSpan(span, world, 3 * edge[2 * e], 3 * edge[2 * e + 1]);
      boxes.set(span, 6 * n);
    }
    return boxes;
  }

  #fit(length: number): Float64Array {
    if (length > this.#partBoxes.length) this.#partBoxes = new Float64Array(2 * length);
    return this.#partBoxes;
  }

  #writeQuery(x: Float64Array, p: number, q: number, reach: number): void {
    writeSpan(query, x, p, q);
    for (let k = 0; k < 3; k++) {
      query[k] -= reach;
      query[3 + k] += reach;
    }
  }

  #addPair(shape1: number, shape2: number, separation: number): number {
    const n = this.pairCount++;
    if (n === this.shape1.length) this.#growPairs();
    this.shape1[n] = shape1;
    this.shape2[n] = shape2;
    this.separation[n] = separation;
    const model = this.#model;
    if (Math.max(shape1, shape2) >= model.size.shape) {
      this.friction[n] = mixSoftFriction(model, shape1, shape2);
      return n;
    }
    const parameters = this.#parameters;
    parameters.mix(model, this.#classes, shape1, shape2);
    const explicit = this.#explicit.get(pairKey(shape1, shape2, model.size.shape));
    if (explicit) parameters.override(explicit, model.scene.options?.contactOverride);
    // the least friction that parameters give is none
    const slide = parameters.friction[0];
    this.friction[n] = parameters.condim === 1 || slide <= 1e-5 ? 0 : slide;
    return n;
  }

  #growPairs(): void {
    const n = 2 * this.shape1.length;
    const grow = <T extends Int32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.shape1 = grow(this.shape1, new Int32Array(n));
    this.shape2 = grow(this.shape2, new Int32Array(n));
    this.separation = grow(this.separation, new Float64Array(n));
    this.friction = grow(this.friction, new Float64Array(n));
  }
}

const query = /* @__PURE__ */ new Float64Array(6);
const span = /* @__PURE__ */ new Float64Array(6);

function writeSpan(out: Float64Array, x: Float64Array, p: number, q: number): void {
  for (let k = 0; k < 3; k++) {
    out[k] = Math.min(x[p + k], x[q + k]);
    out[3 + k] = Math.max(x[p + k], x[q + k]);
  }
}

function meetsQuery(boxes: Float64Array, o: number): boolean {
  return (
    boxes[o] <= query[3] &&
    boxes[o + 3] >= query[0] &&
    boxes[o + 1] <= query[4] &&
    boxes[o + 4] >= query[1] &&
    boxes[o + 2] <= query[5] &&
    boxes[o + 5] >= query[2]
  );
}
