/**
 * Vertices of one soft body against the surface of another, both as they are deformed. A vertex inside a tetrahedron of the other
 * touches the nearest point of its surface; the gap is minus the distance, the normal points out of the other. The point is
 * carried by the vertex on one side and by the three corners of the triangle, with barycentric weights, on the other.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { collectBoxOverlaps } from '../../geometry/bounding-tree/box-overlap.ts';
import { IndexList } from '../../geometry/bounding-tree/index-list.ts';
import { buildTree, createTreeBuilder, type TreeBuilder } from '../../geometry/bounding-tree/tree-builder.ts';
import type { Model } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { writeContactFrame } from '../contact-frame.ts';
import { CARRIER, type ContactSet } from '../contact-set.ts';
import type { PairMaterial } from '../pair-material.ts';
import { isAtPoints } from './point-choice.ts';
import { writeSoftMaterial } from './soft-material.ts';
import { softPairKey } from './soft-pair-key.ts';
import type { SoftSurface } from './soft-surface.ts';
import { ThinContacts } from './thin-contacts.ts';
import type { ThinParts } from './thin-parts.ts';
import { findClosestOnTriangle, isInTetrahedron } from './vertex-tests.ts';

// feature numbers of the vertices of the second body start here
const SECOND = 1 << 30;
/** Barycentric weights and square of the distance of the closest point. */
const closest = /* @__PURE__ */ new Float64Array(4);
const best = /* @__PURE__ */ new Float64Array(4);

export class SoftSoftPoints {
  readonly #surfaces: readonly SoftSurface[];
  readonly #material: PairMaterial;
  readonly #tetrahedra: TreeBuilder = createTreeBuilder();
  #boxes: Float64Array = new Float64Array(0);
  readonly #found: IndexList = new IndexList();
  readonly #query: Float64Array = new Float64Array(6);

  readonly #thin: ThinContacts | undefined;

  /** `parts` where a body is thin. */
  constructor(surfaces: readonly SoftSurface[], parts: readonly ThinParts[] | undefined, material: PairMaterial) {
    this.#surfaces = surfaces;
    this.#material = material;
    this.#thin = parts && new ThinContacts(surfaces, parts, material);
  }

  /** `boxes` bound the surfaces of the bodies. Contacts that the step, of length h, brings near are found as well where bodies are thin. */
  detect(
    model: Model,
    work: Workspace,
    plan: CollisionPlan,
    contacts: ContactSet,
    boxes: Float64Array,
    h: number,
  ): void {
    const { soft, size } = model;
    for (let a = 0; a < size.softBody; a++) {
      const isThin = soft.dimension[a] < 3;
      if (isThin && soft.touchesItself[a] === 1 && isAtPoints(model, plan, size.shape + a, size.shape + a)) {
        this.#material.mix(size.shape + a, size.shape + a);
        this.#thin?.touch(model, work, contacts, a, a, h);
      }
      for (let b = a + 1; b < size.softBody; b++) {
        if (((soft.groups[a] & soft.mask[b]) | (soft.groups[b] & soft.mask[a])) === 0) continue;
        if (!isAtPoints(model, plan, size.shape + a, size.shape + b)) continue;
        this.#material.mix(size.shape + a, size.shape + b);
        if (this.#thin && (isThin || soft.dimension[b] < 3)) {
          const reach = this.#thin.measureReach(a, b, work.softVelocity, h);
          if (!doOverlap(boxes, 6 * a, 6 * b, reach)) continue;
          this.#thin.touch(model, work, contacts, a, b, h);
        }
        if (!doOverlap(boxes, 6 * a, 6 * b, 0)) continue;
        this.#touch(model, work, contacts, a, b, a, b, boxes);
        this.#touch(model, work, contacts, b, a, a, b, boxes);
      }
    }
  }

  /** Vertices of body `from` against body `to`; side 1 is body one, side 2 body two. */
  #touch(
    model: Model,
    work: Workspace,
    contacts: ContactSet,
    from: number,
    to: number,
    one: number,
    two: number,
    boxes: Float64Array,
  ): void {
    const { softPosition: x } = work;
    const { vertex, area, tiedTo, radius } = this.#surfaces[from];
    if (model.soft.dimension[to] < 3) return;
    const o = 6 * to;
    let isBuilt = false;
    for (let k = 0; k < vertex.length; k++) {
      const v = 3 * vertex[k];
      if (tiedTo[k] === to) continue;
      if (x[v] < boxes[o] || x[v + 1] < boxes[o + 1] || x[v + 2] < boxes[o + 2]) continue;
      if (x[v] > boxes[o + 3] || x[v + 1] > boxes[o + 4] || x[v + 2] > boxes[o + 5]) continue;
      if (!isBuilt) this.#buildTetrahedra(model, x, to);
      isBuilt = true;
      if (!this.#isInside(model, x, to, v)) continue;
      const triangle = this.#findNearest(model, x, to, v);
      if (triangle >= 0 && this.#isTied(model, to, from, triangle)) continue;
      if (triangle >= 0) this.#write(model, x, contacts, vertex[k], area[k], triangle, from === one, one, two, radius);
    }
  }

  // whether a triangle of body n has a corner that is attached to the other body
  #isTied({ soft }: Model, n: number, other: number, triangle: number): boolean {
    if (soft.tie.vertex.length === 0) return false;
    const { vertex, tiedTo } = this.#surfaces[n];
    for (let k = 3 * triangle; k < 3 * triangle + 3; k++)
      if (tiedTo[vertex.indexOf(soft.triangle[k])] === other) return true;
    return false;
  }

  #buildTetrahedra({ soft }: Model, x: Float64Array, n: number): void {
    const first = soft.tetrahedronStart[n];
    const count = soft.tetrahedronStart[n + 1] - first;
    if (6 * count > this.#boxes.length) this.#boxes = new Float64Array(6 * count);
    const boxes = this.#boxes;
    for (let t = 0; t < count; t++) {
      for (let c = 0; c < 3; c++) {
        let low = Infinity;
        let high = -Infinity;
        for (let k = 4 * (first + t); k < 4 * (first + t) + 4; k++) {
          const value = x[3 * soft.tetrahedron[k] + c];
          if (value < low) low = value;
          if (value > high) high = value;
        }
        boxes[6 * t + c] = low;
        boxes[6 * t + 3 + c] = high;
      }
    }
    buildTree(this.#tetrahedra, boxes, count);
  }

  #isInside({ soft }: Model, x: Float64Array, n: number, v: number): boolean {
    const found = this.#found;
    found.clear();
    for (let c = 0; c < 3; c++) this.#query[c] = this.#query[3 + c] = x[v + c];
    collectBoxOverlaps(found, this.#tetrahedra.tree, this.#query);
    for (let k = 0; k < found.count; k++) {
      if (isInTetrahedron(x, v, soft.tetrahedron, 4 * (soft.tetrahedronStart[n] + found.values[k]))) return true;
    }
    return false;
  }

  /** The nearest triangle of the surface; leaves weights and square of the distance in `best`. */
  #findNearest({ soft }: Model, x: Float64Array, n: number, v: number): number {
    let nearest = -1;
    best[3] = Infinity;
    for (let t = soft.triangleStart[n]; t < soft.triangleStart[n + 1]; t++) {
      findClosestOnTriangle(closest, x, v, soft.triangle, 3 * t);
      if (!(closest[3] < best[3])) continue;
      best.set(closest);
      nearest = t;
    }
    return nearest;
  }

  #write(
    model: Model,
    x: Float64Array,
    contacts: ContactSet,
    vertex: number,
    area: number,
    triangle: number,
    isOne: boolean,
    one: number,
    two: number,
    radius: number,
  ): void {
    const corner = model.soft.triangle;
    const t = 3 * triangle;
    const v = 3 * vertex;
    // from the vertex, which is inside, out to the surface
    let nx = -x[v];
    let ny = -x[v + 1];
    let nz = -x[v + 2];
    for (let k = 0; k < 3; k++) {
      const c = 3 * corner[t + k];
      nx += best[k] * x[c];
      ny += best[k] * x[c + 1];
      nz += best[k] * x[c + 2];
    }
    const distance = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // on the surface itself nothing acts
    if (distance === 0) return;
    const i = contacts.reserve(1);
    contacts.position[3 * i] = x[v] + 0.5 * nx;
    contacts.position[3 * i + 1] = x[v + 1] + 0.5 * ny;
    contacts.position[3 * i + 2] = x[v + 2] + 0.5 * nz;
    // out of the other body: from side 1 to side 2 where the other is side 1
    const sign = (isOne ? -1 : 1) / distance;
    writeContactFrame(contacts.frame, 9 * i, sign * nx, sign * ny, sign * nz, 0, 0, 0);
    contacts.gap[i] = -distance - radius;
    contacts.shape1[i] = model.size.shape + one;
    contacts.shape2[i] = model.size.shape + two;
    contacts.carrierKind1[i] = contacts.carrierKind2[i] = CARRIER.soft;
    contacts.carrier1[i] = one;
    contacts.carrier2[i] = two;
    writeSides(contacts, i, vertex, corner, t, isOne);
    contacts.pair[i] = softPairKey(model, model.size.shape + one, model.size.shape + two);
    contacts.feature[i] = isOne ? vertex : SECOND + vertex;
    writeSoftMaterial(contacts, i, this.#material, area);
  }
}

/** The vertex on its side, the corners of the triangle with their weights on the other. */
function writeSides(
  contacts: ContactSet,
  i: number,
  vertex: number,
  corner: Int32Array,
  t: number,
  isOne: boolean,
): void {
  const own = isOne ? contacts.vertex1 : contacts.vertex2;
  const ownWeight = isOne ? contacts.weight1 : contacts.weight2;
  const other = isOne ? contacts.vertex2 : contacts.vertex1;
  const otherWeight = isOne ? contacts.weight2 : contacts.weight1;
  own.fill(-1, 4 * i, 4 * i + 4);
  other.fill(-1, 4 * i, 4 * i + 4);
  ownWeight.fill(0, 4 * i, 4 * i + 4);
  otherWeight.fill(0, 4 * i, 4 * i + 4);
  own[4 * i] = vertex;
  ownWeight[4 * i] = 1;
  for (let k = 0; k < 3; k++) {
    other[4 * i + k] = corner[t + k];
    otherWeight[4 * i + k] = best[k];
  }
}

function doOverlap(boxes: Float64Array, a: number, b: number, reach: number): boolean {
  for (let c = 0; c < 3; c++) {
    if (boxes[a + c] > boxes[b + 3 + c] + reach || boxes[b + c] > boxes[a + 3 + c] + reach) return false;
  }
  return true;
}
