/**
 * Which points, edges and triangles may come near each other: a superset of all contacts during a step. It is built with
 * some slack and kept, over iterations and steps, until frames have moved by more than that:
 *   candidate  where boxes are nearer than d̂ + ξ + slack_A + slack_B
 *   valid      while Σ |moves since built| + |the move ahead| ≤ slack, for every carrier (carrier-moves.ts)
 * Two rigid surfaces that are near have a slack of their own, by how much they come nearer to each other (pair-slack.ts).
 * The slack of a soft body against itself is one per vertex: a few that move far do not make all others candidates.
 * Candidates are in the order of their numbers whatever the slack was, so that sums over contacts do not depend on it.
 */

import type { Frames } from '../../dynamics/frames.ts';
import { collectBoxOverlaps } from '../../geometry/bounding-tree/box-overlap.ts';
import { IndexList } from '../../geometry/bounding-tree/index-list.ts';
import { buildTree, createTreeBuilder, type TreeBuilder } from '../../geometry/bounding-tree/tree-builder.ts';
import type { Model } from '../../model/model.ts';
import { createPairFilter, type PairFilter } from '../pair-filter.ts';
import { placePlane } from '../surface/plane-surface.ts';
import type { SoftCarriers } from '../surface/soft-carriers.ts';
import type { Surface, SurfaceSet } from '../surface/surface-set.ts';
import { CarrierMoves } from './carrier-moves.ts';
import { NearParts } from './near-parts.ts';
import { PairSlack } from './pair-slack.ts';
import { measureSelfGap } from './self-gap.ts';
import { maySurfacesTouch, type PairChoice } from './surface-filter.ts';
import { SurfacePairs } from './surface-pairs.ts';

/** Number of surfaces above which a tree is faster. */
const TREE_FROM = 24;
/** Length from which a list of candidates counts as long, and the excess of its reach from which it is rebuilt. */
const MANY_ENTRIES = 30000;
const SHRINK = 4;
/** How much farther than the step ahead parts of a soft body are looked for, at most, in ranges of the barrier. */
const FARTHER = 4;
/** The same of a rigid body, as a part of its reach. */
const ROOM = 1 / 8;

export class SurfaceCandidates {
  /** Pairs of surfaces that are near. */
  readonly pairs: SurfacePairs;
  /** Their parts that are. */
  readonly parts: NearParts;
  /** Plane, point, pair. */
  readonly planes: IndexList = new IndexList();
  /** How often they have been found anew or forgotten. */
  builds = 0;
  readonly #model: Model;
  readonly #set: SurfaceSet;
  readonly #frames: Frames;
  readonly #filter: PairFilter;
  readonly #choose: PairChoice | undefined;
  readonly #moves: CarrierMoves;
  readonly #slack: Float64Array;
  readonly #displacement: Float64Array;
  readonly #pairSlack: PairSlack;
  /** Of the vertices of soft bodies against their own body. */
  readonly #selfSlack: Float64Array;
  readonly #selfTravel: Float64Array;
  /** Per soft body: distance that it keeps from itself besides the separation, m. */
  readonly #selfGap: Float64Array;
  readonly #boxes: Float64Array;
  #isBuilt = false;
  readonly #near = new IndexList();
  readonly #builder: TreeBuilder = createTreeBuilder();
  readonly #plane = new Float64Array(4);

  /** Of all pairs that may touch, or of those that are chosen. */
  constructor(model: Model, set: SurfaceSet, frames: Frames, carriers: SoftCarriers, choose?: PairChoice) {
    this.#model = model;
    this.#choose = choose;
    this.#set = set;
    this.#frames = frames;
    this.#filter = createPairFilter(model);
    this.#moves = new CarrierMoves(model, frames, carriers, set.reach);
    this.#slack = new Float64Array(this.#moves.count);
    this.#displacement = new Float64Array(this.#moves.count);
    this.#pairSlack = new PairSlack(frames, set.reach, this.#moves.ahead);
    this.#selfSlack = new Float64Array(model.size.softVertex);
    this.#selfTravel = new Float64Array(model.size.softVertex);
    this.#selfGap = Float64Array.from({ length: model.size.softBody }, (_, n) => measureSelfGap(model, n));
    this.#boxes = new Float64Array(6 * set.surfaces.length);
    this.pairs = new SurfacePairs(model);
    this.parts = new NearParts(set, this.#boxes, frames.current);
  }

  /** Rebuilds the candidates if the step of the frames may exceed their slack; points of the set are at the current poses. */
  cover(): void {
    const moves = this.#moves;
    const { ahead, spread, count } = moves;
    const displacement = this.#displacement;
    const slack = this.#slack;
    moves.measure();
    let isCovered = this.#isBuilt;
    for (let c = 0; c < count && isCovered; c++) isCovered = displacement[c] + ahead[c] <= slack[c];
    for (let v = 0; v < spread.length && isCovered; v++)
      isCovered = this.#selfTravel[v] + spread[v] <= this.#selfSlack[v];
    if (isCovered && this.#pairSlack.isCovered() && !this.#isOversized()) return;
    const { barrierDistance } = this.#model.options.clearance;
    for (let c = 0; c < count; c++) slack[c] = this.#chooseSlack(c);
    for (let v = 0; v < spread.length; v++)
      this.#selfSlack[v] = spread[v] + Math.min(spread[v], FARTHER * barrierDistance) + barrierDistance;
    displacement.fill(0);
    this.#selfTravel.fill(0);
    this.#build();
  }

  // the move ahead and room for more: as much again, but no more than a part of the size of a body, since pairs of parts grow with it
  #chooseSlack(c: number): number {
    const { moving, firstSoft } = this.#frames;
    const { barrierDistance } = this.#model.options.clearance;
    const ahead = this.#moves.ahead[c];
    // the world mostly stays where it is
    if (c === moving && ahead === 0) return 0;
    const most = c < firstSoft ? this.#chooseRoom(c) : Infinity;
    return ahead + Math.min(ahead, most) + barrierDistance;
  }

  // most room of a rigid frame beyond the move ahead
  #chooseRoom(c: number): number {
    return Math.max(FARTHER * this.#model.options.clearance.barrierDistance, ROOM * this.#set.reach[c]);
  }

  // many candidates, of a step far longer than the one ahead: to look at them all is more work than to find fewer
  #isOversized(): boolean {
    if (this.parts.count + this.planes.count < MANY_ENTRIES) return false;
    const { ahead, spread } = this.#moves;
    const { barrierDistance } = this.#model.options.clearance;
    let selfSlack = 0;
    let selfNeeded = 0;
    for (let v = 0; v < spread.length; v++) {
      selfSlack += this.#selfSlack[v];
      selfNeeded += spread[v] + Math.min(spread[v], FARTHER * barrierDistance) + barrierDistance;
    }
    if (SHRINK * selfNeeded < selfSlack) return true;
    let slack = 0;
    let needed = 0;
    for (let c = 0; c < ahead.length; c++) {
      slack = Math.max(slack, this.#slack[c]);
      needed = Math.max(needed, this.#chooseSlack(c));
    }
    return SHRINK * needed < slack;
  }

  /** Rebuilds at the next query. */
  forget(): void {
    this.#isBuilt = false;
    this.builds++;
  }

  /** Says that frames have moved by α of their step. */
  move(alpha: number): void {
    const { ahead, spread, count } = this.#moves;
    this.#moves.measure();
    for (let c = 0; c < count; c++) this.#displacement[c] += alpha * ahead[c];
    for (let v = 0; v < spread.length; v++) this.#selfTravel[v] += alpha * spread[v];
    this.#pairSlack.move(alpha);
  }

  /** Compares the start of a step with where carriers were known to be: what moved in between counts, too. */
  displace(carrier: number, distance: number): void {
    this.#displacement[carrier] += distance;
    this.#pairSlack.displace(carrier, distance);
    const soft = carrier - this.#frames.firstSoft;
    if (soft < 0) return;
    const { vertexStart } = this.#model.soft;
    for (let v = vertexStart[soft]; v < vertexStart[soft + 1]; v++) this.#selfTravel[v] += 2 * distance;
  }

  #build(): void {
    const { surfaces, planes } = this.#set;
    this.#isBuilt = true;
    this.builds++;
    this.pairs.clear();
    this.#pairSlack.clear();
    this.parts.clear();
    this.planes.clear();
    for (let s = 0; s < surfaces.length; s++) this.#writeBox(surfaces[s], s);
    for (let p = 0; p < planes.length; p++) for (let s = 0; s < surfaces.length; s++) this.#addPlane(p, s);
    if (surfaces.length <= TREE_FROM) this.#addAllPairs();
    else this.#addOverlappingPairs();
    this.#addSelves();
  }

  #addAllPairs(): void {
    const { length } = this.#set.surfaces;
    for (let a = 0; a < length; a++) for (let b = a + 1; b < length; b++) this.#addSurfaces(a, b);
  }

  #addOverlappingPairs(): void {
    const { length } = this.#set.surfaces;
    const near = this.#near;
    const tree = buildTree(this.#builder, this.#boxes, length);
    for (let a = 0; a < length; a++) {
      near.clear();
      collectBoxOverlaps(near, tree, this.#boxes, 6 * a);
      near.values.subarray(0, near.count).sort();
      for (let i = 0; i < near.count; i++) if (near.values[i] > a) this.#addSurfaces(a, near.values[i]);
    }
  }

  #takes(a: number, b: number): boolean {
    if (!maySurfacesTouch(this.#model, this.#filter, a, b)) return false;
    return this.#choose === undefined || this.#choose(a, b);
  }

  // soft bodies against themselves
  #addSelves(): void {
    const { surfaces } = this.#set;
    const { barrierDistance, separation } = this.#model.options.clearance;
    for (let a = 0; a < surfaces.length; a++) {
      const { soft, shape } = surfaces[a];
      if (soft < 0 || !this.#takes(shape, shape)) continue;
      const gap = this.#selfGap[soft] + separation;
      this.parts.add(a, a, this.pairs.add(shape, shape, gap), barrierDistance + gap, this.#selfSlack);
    }
  }

  // the box of a surface, grown by its radius, its slack and half of d̂ and of the separation
  #writeBox({ firstVertex, endVertex, radius, carrier }: Surface, n: number): void {
    const { world } = this.#set;
    const { barrierDistance, separation } = this.#model.options.clearance;
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
    if (!this.#takes(plane.shape, surface.shape)) return;
    const f = plane.frame;
    placePlane(this.#plane, 0, plane, this.#frames.current);
    const nx = this.#plane[0];
    const ny = this.#plane[1];
    const nz = this.#plane[2];
    const height = this.#plane[3];
    const { barrierDistance, separation } = this.#model.options.clearance;
    const reach = barrierDistance + separation + surface.radius + this.#slack[surface.carrier] + this.#slack[f];
    let pair = -1;
    for (let v = surface.firstVertex; v < surface.endVertex; v++) {
      if (this.#set.anchor[v] === f) continue;
      if (nx * world[3 * v] + ny * world[3 * v + 1] + nz * world[3 * v + 2] - height > reach) continue;
      if (pair < 0) pair = this.pairs.add(plane.shape, surface.shape, surface.radius + separation);
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
    if (!this.#takes(one.shape, two.shape)) return;
    const { barrierDistance, separation } = this.#model.options.clearance;
    const gap = one.radius + two.radius + separation;
    let slack = this.#slack[one.carrier] + this.#slack[two.carrier];
    if (one.soft < 0 && two.soft < 0) {
      const own = this.#addSlack(one.carrier, two.carrier);
      if (own < slack && this.#overlap(a, b) < slack - own) return;
      slack = Math.min(slack, own);
    }
    this.parts.add(a, b, this.pairs.add(one.shape, two.shape, gap), barrierDistance + gap + slack);
  }

  // by how much the boxes of two surfaces overlap along the axis on which they do so least, m
  #overlap(a: number, b: number): number {
    const boxes = this.#boxes;
    let least = Infinity;
    for (let k = 0; k < 3; k++)
      least = Math.min(least, boxes[6 * b + 3 + k] - boxes[6 * a + k], boxes[6 * a + 3 + k] - boxes[6 * b + k]);
    return least;
  }

  #addSlack(a: number, b: number): number {
    const { barrierDistance } = this.#model.options.clearance;
    return this.#pairSlack.add(a, b, this.#chooseRoom(a) + this.#chooseRoom(b), 2 * barrierDistance);
  }
}
