/**
 * Contact of shells and rods with each other, with themselves and with soft solids, at points:
 *   vertex and triangle   the nearest point of each sheet that the vertex is near, one per side
 *   vertex and rod edge   where the nearest point is inside the edge, or at an end of the rod
 *   edge and edge         where both nearest points are inside; of shells and solids only edges at a border or a fold, since the vertices
 *                         of flat parts have contacts of their own
 * The gap is the distance less both radii (half the thickness of a shell, nothing of a solid). Surfaces that come nearer than that in
 * the step get their contact ahead of time, so that thin sheets do not pass through each other. Parts of one body that are as near as
 * that in its rest shape do not touch.
 * A thin vertex inside a solid belongs to soft-soft-points.ts.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { collectBoxOverlaps } from '../../geometry/bounding-tree/box-overlap.ts';
import { IndexList } from '../../geometry/bounding-tree/index-list.ts';
import { buildTree, createTreeBuilder, type TreeBuilder } from '../../geometry/bounding-tree/tree-builder.ts';
import type { Model } from '../../model/model.ts';
import { writeContactFrame } from '../contact-frame.ts';
import { CARRIER, type ContactSet } from '../contact-set.ts';
import type { PairMaterial } from '../pair-material.ts';
import { findClosestOnSegments } from './segment-pair.ts';
import { writeSoftMaterial } from './soft-material.ts';
import { softPairKey } from './soft-pair-key.ts';
import type { SoftSurface } from './soft-surface.ts';
import type { ThinParts } from './thin-parts.ts';
import { findClosestOnTriangle } from './vertex-tests.ts';

/** Contacts of a vertex with one body at most, and the cosine of two normals from which they are one side. */
const MOST_SIDES = 4;
const SAME_SIDE = 0.5;
/** Sine of the angle from which an edge is a fold. */
const FOLD = 0.1;
/** Part of an edge at its ends that belongs to its vertices. */
const END = 1e-6;

const closest = /* @__PURE__ */ new Float64Array(4);
const rest = /* @__PURE__ */ new Float64Array(4);

export class ThinContacts {
  readonly #surfaces: readonly SoftSurface[];
  readonly #parts: readonly ThinParts[];
  readonly #material: PairMaterial;
  /** Velocities of all vertices, m/s, and the step, s, of the bodies at hand. */
  #velocity: Float64Array = new Float64Array(0);
  #h = 0;
  readonly #triangleTree: TreeBuilder = createTreeBuilder();
  readonly #edgeTree: TreeBuilder = createTreeBuilder();
  #triangleBoxes = new Float64Array(0);
  #edgeBoxes = new Float64Array(0);
  readonly #found = new IndexList();
  readonly #query = new Float64Array(6);
  // contacts of the vertex at hand, by distance: normal and distance, vertices and weights of the other side
  #sides = 0;
  readonly #normal = new Float64Array(3 * MOST_SIDES);
  readonly #distance = new Float64Array(MOST_SIDES);
  readonly #vertex = new Int32Array(3 * MOST_SIDES);
  readonly #weight = new Float64Array(3 * MOST_SIDES);

  constructor(surfaces: readonly SoftSurface[], parts: readonly ThinParts[], material: PairMaterial) {
    this.#surfaces = surfaces;
    this.#parts = parts;
    this.#material = material;
  }

  /** Bodies a and b, which may be the same, with their material mixed, in a step of length h. */
  touch(model: Model, work: Workspace, contacts: ContactSet, a: number, b: number, h: number): void {
    const { softPosition: x } = work;
    this.#velocity = work.softVelocity;
    this.#h = h;
    const reach = this.measureReach(a, b, work.softVelocity, h);
    this.#buildTriangles(model, x, b, reach);
    this.#buildEdges(x, b, reach);
    this.#touchVertices(model, x, contacts, a, b, reach, true);
    this.#touchEdges(model, x, contacts, a, b, reach);
    if (a === b) return;
    this.#buildTriangles(model, x, a, reach);
    this.#buildEdges(x, a, reach);
    this.#touchVertices(model, x, contacts, b, a, reach, false);
  }

  /**
   * Distance at which parts of two bodies are looked at, m: where they touch, and as far as they may come nearer in the step, up to the
   * size of their edges.
   */
  measureReach(a: number, b: number, velocity: Float64Array, h: number): number {
    const one = this.#parts[a];
    const two = this.#parts[b];
    const near = one.radius + two.radius + this.#material.margin;
    if (h === 0) return near;
    const spread = measureSpread(mean, this.#surfaces[a].vertex, velocity);
    let speed = 2 * spread;
    if (a !== b) {
      speed = spread + measureSpread(other, this.#surfaces[b].vertex, velocity);
      speed += Math.hypot(mean[0] - other[0], mean[1] - other[1], mean[2] - other[2]);
    }
    return near + Math.min(h * speed, Math.max(one.edgeLength, two.edgeLength));
  }

  #buildTriangles({ soft }: Model, x: Float64Array, n: number, reach: number): void {
    const { firstTriangle, triangleCount } = this.#parts[n];
    if (triangleCount === 0) return;
    if (this.#triangleBoxes.length < 6 * triangleCount) this.#triangleBoxes = new Float64Array(12 * triangleCount);
    for (let t = 0; t < triangleCount; t++)
      writeBox(this.#triangleBoxes, 6 * t, x, soft.triangle, 3 * (firstTriangle + t), 3, reach);
    buildTree(this.#triangleTree, this.#triangleBoxes, triangleCount);
  }

  #buildEdges(x: Float64Array, n: number, reach: number): void {
    const { edge } = this.#parts[n];
    const count = edge.length / 2;
    if (this.#edgeBoxes.length < 6 * count) this.#edgeBoxes = new Float64Array(12 * count);
    for (let e = 0; e < count; e++) writeBox(this.#edgeBoxes, 6 * e, x, edge, 2 * e, 2, reach);
    buildTree(this.#edgeTree, this.#edgeBoxes, count);
  }

  // vertices of body `from` against triangles or rod edges of body `to`; `isFirst`: `from` is side 1
  #touchVertices(
    model: Model,
    x: Float64Array,
    contacts: ContactSet,
    from: number,
    to: number,
    reach: number,
    isFirst: boolean,
  ): void {
    const { vertex, area, tiedTo } = this.#surfaces[from];
    const radii = this.#parts[from].radius + this.#parts[to].radius;
    for (let k = 0; k < vertex.length; k++) {
      if (tiedTo[k] === to) continue;
      this.#sides = 0;
      if (this.#parts[to].isRod) this.#lookAtEdges(model, x, from, to, vertex[k], reach, radii);
      else this.#lookAtTriangles(model, x, from, to, vertex[k], reach, radii);
      for (let s = 0; s < this.#sides; s++)
        this.#writeVertex(model, x, contacts, from, to, vertex[k], area[k], s, isFirst);
    }
  }

  #lookAtTriangles(
    model: Model,
    x: Float64Array,
    from: number,
    to: number,
    v: number,
    reach: number,
    radii: number,
  ): void {
    const { triangle } = model.soft;
    const { firstTriangle } = this.#parts[to];
    const found = this.#find(this.#triangleTree, x, v);
    for (let i = 0; i < found.count; i++) {
      const t = 3 * (firstTriangle + found.values[i]);
      if (triangle[t] === v || triangle[t + 1] === v || triangle[t + 2] === v) continue;
      findClosestOnTriangle(closest, x, 3 * v, triangle, t);
      if (closest[3] >= reach * reach || closest[3] === 0) continue;
      if (this.#isTied(model, to, from, triangle, t, 3)) continue;
      // behind the surface of a solid is its inside
      if (model.soft.dimension[to] === 3 && isBehind(x, v, triangle, t)) continue;
      if (from === to) {
        findClosestOnTriangle(rest, model.soft.rest, 3 * v, triangle, t);
        if (rest[3] <= radii * radii) continue;
      }
      this.#offer(x, v, triangle, t, 3, closest, Math.sqrt(closest[3]));
    }
  }

  #lookAtEdges(model: Model, x: Float64Array, from: number, to: number, v: number, reach: number, radii: number): void {
    const { edge } = this.#parts[to];
    const found = this.#find(this.#edgeTree, x, v);
    for (let i = 0; i < found.count; i++) {
      const e = 2 * found.values[i];
      if (edge[e] === v || edge[e + 1] === v) continue;
      const square = findOnSegment(closest, x, 3 * v, 3 * edge[e], 3 * edge[e + 1]);
      if (square >= reach * reach || square === 0 || this.#isTied(model, to, from, edge, e, 2)) continue;
      if (from === to && findOnSegment(rest, model.soft.rest, 3 * v, 3 * edge[e], 3 * edge[e + 1]) <= radii * radii)
        continue;
      this.#offer(x, v, edge, e, 2, closest, Math.sqrt(square));
    }
  }

  #find({ tree }: TreeBuilder, x: Float64Array, v: number): IndexList {
    const found = this.#found;
    for (let c = 0; c < 3; c++) this.#query[c] = this.#query[3 + c] = x[3 * v + c];
    found.clear();
    collectBoxOverlaps(found, tree, this.#query);
    found.values.subarray(0, found.count).sort();
    return found;
  }

  // keeps a contact of vertex v where none on the same side is nearer
  #offer(
    x: Float64Array,
    v: number,
    corner: Int32Array,
    o: number,
    corners: number,
    weights: Float64Array,
    distance: number,
  ): void {
    let [nx, ny, nz] = [x[3 * v], x[3 * v + 1], x[3 * v + 2]];
    for (let k = 0; k < corners; k++) {
      nx -= weights[k] * x[3 * corner[o + k]];
      ny -= weights[k] * x[3 * corner[o + k] + 1];
      nz -= weights[k] * x[3 * corner[o + k] + 2];
    }
    nx /= distance;
    ny /= distance;
    nz /= distance;
    let at = this.#sides;
    for (let s = 0; s < this.#sides; s++) {
      const n = this.#normal;
      if (nx * n[3 * s] + ny * n[3 * s + 1] + nz * n[3 * s + 2] <= SAME_SIDE) continue;
      if (this.#distance[s] <= distance) return;
      at = s;
      break;
    }
    if (at === MOST_SIDES) return;
    if (at === this.#sides) this.#sides++;
    this.#normal[3 * at] = nx;
    this.#normal[3 * at + 1] = ny;
    this.#normal[3 * at + 2] = nz;
    this.#distance[at] = distance;
    for (let k = 0; k < 3; k++) {
      this.#vertex[3 * at + k] = k < corners ? corner[o + k] : -1;
      this.#weight[3 * at + k] = k < corners ? weights[k] : 0;
    }
  }

  #touchEdges(model: Model, x: Float64Array, contacts: ContactSet, a: number, b: number, reach: number): void {
    const one = this.#parts[a];
    const two = this.#parts[b];
    const found = this.#found;
    const radii = one.radius + two.radius;
    for (let e = 0; e < one.edge.length / 2; e++) {
      if (!two.isRod && !isOuter(one, x, e)) continue;
      writeBox(this.#query, 0, x, one.edge, 2 * e, 2, 0);
      found.clear();
      collectBoxOverlaps(found, this.#edgeTree.tree, this.#query);
      found.values.subarray(0, found.count).sort();
      for (let i = 0; i < found.count; i++) {
        const f = found.values[i];
        if (a === b && f <= e) continue;
        if (!one.isRod && !isOuter(two, x, f)) continue;
        this.#touchEdge(model, x, contacts, a, b, e, f, reach, radii);
      }
    }
  }

  #touchEdge(
    model: Model,
    x: Float64Array,
    contacts: ContactSet,
    a: number,
    b: number,
    e: number,
    f: number,
    reach: number,
    radii: number,
  ): void {
    const { edge: ends, edgeArea } = this.#parts[a];
    const { edge: others, edgeArea: otherArea } = this.#parts[b];
    const [p, q, r, s] = [ends[2 * e], ends[2 * e + 1], others[2 * f], others[2 * f + 1]];
    if (p === r || p === s || q === r || q === s) return;
    findClosestOnSegments(closest, x, 3 * p, 3 * q, 3 * r, 3 * s);
    const [along, across, square] = closest;
    if (square >= reach * reach || square === 0) return;
    // ends belong to vertices
    if (along < END || along > 1 - END || across < END || across > 1 - END) return;
    if (this.#isTied(model, a, b, ends, 2 * e, 2) || this.#isTied(model, b, a, others, 2 * f, 2)) return;
    if (a === b) {
      findClosestOnSegments(rest, model.soft.rest, 3 * p, 3 * q, 3 * r, 3 * s);
      if (rest[2] <= radii * radii) return;
    }
    const distance = Math.sqrt(square);
    for (let c = 0; c < 3; c++) {
      const mine = (1 - along) * x[3 * p + c] + along * x[3 * q + c];
      const other = (1 - across) * x[3 * r + c] + across * x[3 * s + c];
      normal[c] = (other - mine) / distance;
      middle[c] = 0.5 * (mine + other);
    }
    for (let c = 0; c < 3; c++) {
      const v = this.#velocity;
      closing[c] =
        (1 - across) * v[3 * r + c] + across * v[3 * s + c] - (1 - along) * v[3 * p + c] - along * v[3 * q + c];
    }
    const i = this.#begin(model, contacts, a, b, Math.min(edgeArea[e], otherArea[f]), distance - radii);
    if (i < 0) return;
    contacts.feature[i] = hash(EDGES, e, f);
    contacts.vertex1[4 * i] = p;
    contacts.vertex1[4 * i + 1] = q;
    contacts.weight1[4 * i] = 1 - along;
    contacts.weight1[4 * i + 1] = along;
    contacts.vertex2[4 * i] = r;
    contacts.vertex2[4 * i + 1] = s;
    contacts.weight2[4 * i] = 1 - across;
    contacts.weight2[4 * i + 1] = across;
  }

  // contact of side s of the vertex at hand
  #writeVertex(
    model: Model,
    x: Float64Array,
    contacts: ContactSet,
    from: number,
    to: number,
    v: number,
    area: number,
    s: number,
    isFirst: boolean,
  ): void {
    const distance = this.#distance[s];
    // from side 1 to side 2; the normal of the vertex points to it
    const sign = isFirst ? -1 : 1;
    for (let c = 0; c < 3; c++) {
      normal[c] = sign * this.#normal[3 * s + c];
      middle[c] = x[3 * v + c] - 0.5 * distance * this.#normal[3 * s + c];
    }
    const radii = this.#parts[from].radius + this.#parts[to].radius;
    for (let c = 0; c < 3; c++) {
      let speed = this.#velocity[3 * v + c];
      for (let k = 3 * s; k < 3 * s + 3; k++)
        if (this.#vertex[k] >= 0) speed -= this.#weight[k] * this.#velocity[3 * this.#vertex[k] + c];
      closing[c] = isFirst ? -speed : speed;
    }
    const i = this.#begin(model, contacts, isFirst ? from : to, isFirst ? to : from, area, distance - radii);
    if (i < 0) return;
    const own = isFirst ? contacts.vertex1 : contacts.vertex2;
    const ownWeight = isFirst ? contacts.weight1 : contacts.weight2;
    const other = isFirst ? contacts.vertex2 : contacts.vertex1;
    const otherWeight = isFirst ? contacts.weight2 : contacts.weight1;
    contacts.feature[i] = hash(isFirst ? FIRST : SECOND, v, s);
    own[4 * i] = v;
    ownWeight[4 * i] = 1;
    for (let k = 0; k < 3; k++) {
      other[4 * i + k] = this.#vertex[3 * s + k];
      otherWeight[4 * i + k] = this.#weight[3 * s + k];
    }
  }

  // a contact of bodies a and b at `middle` along `normal`, without vertices; −1 where they do not come that near in the step
  #begin(model: Model, contacts: ContactSet, a: number, b: number, area: number, gap: number): number {
    const approach = -this.#h * (closing[0] * normal[0] + closing[1] * normal[1] + closing[2] * normal[2]);
    if (gap > this.#material.margin + Math.max(0, approach)) return -1;
    const i = contacts.reserve(1);
    // what would come through by half is stopped where it touches
    const radii = this.#parts[a].radius + this.#parts[b].radius;
    contacts.ahead[i] = approach > Math.max(0, gap) + 0.5 * radii ? 1 : 0;
    for (let c = 0; c < 3; c++) contacts.position[3 * i + c] = middle[c];
    writeContactFrame(contacts.frame, 9 * i, normal[0], normal[1], normal[2], 0, 0, 0);
    contacts.gap[i] = gap;
    contacts.shape1[i] = model.size.shape + a;
    contacts.shape2[i] = model.size.shape + b;
    contacts.carrierKind1[i] = contacts.carrierKind2[i] = CARRIER.soft;
    contacts.carrier1[i] = a;
    contacts.carrier2[i] = b;
    contacts.vertex1.fill(-1, 4 * i, 4 * i + 4);
    contacts.vertex2.fill(-1, 4 * i, 4 * i + 4);
    contacts.weight1.fill(0, 4 * i, 4 * i + 4);
    contacts.weight2.fill(0, 4 * i, 4 * i + 4);
    contacts.pair[i] = softPairKey(model, model.size.shape + a, model.size.shape + b);
    writeSoftMaterial(contacts, i, this.#material, area);
    return i;
  }

  // whether a part of body n has a vertex that is attached to the other body
  #isTied(model: Model, n: number, other: number, corner: Int32Array, o: number, corners: number): boolean {
    if (n === other || model.soft.tie.vertex.length === 0) return false;
    const { vertex, tiedTo } = this.#surfaces[n];
    for (let k = o; k < o + corners; k++) {
      const at = findSorted(vertex, corner[k]);
      if (at >= 0 && tiedTo[at] === other) return true;
    }
    return false;
  }
}

const closing = /* @__PURE__ */ new Float64Array(3);
const mean = /* @__PURE__ */ new Float64Array(3);
const other = /* @__PURE__ */ new Float64Array(3);

// the mean velocity of some vertices, and the largest deviation from it, m/s
function measureSpread(out: Float64Array, vertex: Int32Array, velocity: Float64Array): number {
  out.fill(0);
  for (let k = 0; k < vertex.length; k++)
    for (let c = 0; c < 3; c++) out[c] += velocity[3 * vertex[k] + c] / vertex.length;
  let square = 0;
  for (let k = 0; k < vertex.length; k++) {
    const v = 3 * vertex[k];
    const [x, y, z] = [velocity[v] - out[0], velocity[v + 1] - out[1], velocity[v + 2] - out[2]];
    square = Math.max(square, x * x + y * y + z * z);
  }
  return Math.sqrt(square);
}

// whether vertex v is behind triangle t, whose corners go round counter-clockwise as seen from before it
function isBehind(x: Float64Array, v: number, triangle: Int32Array, t: number): boolean {
  const a = 3 * triangle[t];
  writeNormal(left, x, a, 3 * triangle[t + 1], 3 * triangle[t + 2]);
  return left[0] * (x[3 * v] - x[a]) + left[1] * (x[3 * v + 1] - x[a + 1]) + left[2] * (x[3 * v + 2] - x[a + 2]) < 0;
}

const EDGES = 1;
const FIRST = 2;
const SECOND = 3;
const normal = /* @__PURE__ */ new Float64Array(3);
const middle = /* @__PURE__ */ new Float64Array(3);

// one number for a contact that stays while the same parts touch
function hash(kind: number, a: number, b: number): number {
  return (Math.imul(Math.imul(a, 0x9e3779b1) + b, 0x85ebca6b) + kind) | 0;
}

// whether an edge of triangles is at a border or a fold; edges of rods always count
function isOuter({ isRod, edge, wing }: ThinParts, x: Float64Array, e: number): boolean {
  if (isRod || wing[2 * e + 1] < 0) return true;
  const [a, b, c, d] = [3 * edge[2 * e], 3 * edge[2 * e + 1], 3 * wing[2 * e], 3 * wing[2 * e + 1]];
  writeNormal(left, x, a, b, c);
  writeNormal(right, x, b, a, d);
  const sine = Math.hypot(
    left[1] * right[2] - left[2] * right[1],
    left[2] * right[0] - left[0] * right[2],
    left[0] * right[1] - left[1] * right[0],
  );
  return sine > FOLD || left[0] * right[0] + left[1] * right[1] + left[2] * right[2] < 0;
}

const left = /* @__PURE__ */ new Float64Array(3);
const right = /* @__PURE__ */ new Float64Array(3);

function writeNormal(out: Float64Array, x: Float64Array, a: number, b: number, c: number): void {
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  const size = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  if (size > 0) for (let k = 0; k < 3; k++) out[k] /= size;
}

// weights of the ends of the segment a b for the point nearest to v; the square of its distance
function findOnSegment(out: Float64Array, x: Float64Array, v: number, a: number, b: number): number {
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [px, py, pz] = [x[v] - x[a], x[v + 1] - x[a + 1], x[v + 2] - x[a + 2]];
  const s = Math.min(1, Math.max(0, (ux * px + uy * py + uz * pz) / (ux * ux + uy * uy + uz * uz)));
  out[0] = 1 - s;
  out[1] = s;
  return (px - s * ux) ** 2 + (py - s * uy) ** 2 + (pz - s * uz) ** 2;
}

function findSorted(list: Int32Array, value: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low <= high) {
    const half = (low + high) >> 1;
    if (list[half] === value) return half;
    if (list[half] < value) low = half + 1;
    else high = half - 1;
  }
  return -1;
}

function writeBox(
  out: Float64Array,
  o: number,
  x: Float64Array,
  corner: Int32Array,
  from: number,
  count: number,
  reach: number,
): void {
  for (let c = 0; c < 3; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let k = from; k < from + count; k++) {
      const value = x[3 * corner[k] + c];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    out[o + c] = low - reach;
    out[o + 3 + c] = high + reach;
  }
}
