/**
 * Edges and triangles of shells and rods against rigid shapes, where they are deeper than their corners: over the edge of a box, on its
 * corner, on a pole between two vertices. The deepest point of an edge or triangle (part-depth.ts) is a contact that moves with its corners
 * by their barycentric weights. It counts where the shape turns by more than 37° between two corners and it is at least twice as deep as what
 * bounds the part: what lies flat or on a gentle curve is carried by its vertices, so that nothing touches twice. Shapes that are not convex are looked
 * at in four places of an edge and in the middle of a triangle. Parts that come so fast that they might pass have their contact ahead of
 * time, by conservative advancement as vertices do (vertex-sweep.ts).
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { CORE } from '../../geometry/convex/core-kind.ts';
import { SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import type { Model } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { writeContactFrame } from '../contact-frame.ts';
import { AHEAD, type ContactSet } from '../contact-set.ts';
import type { PairMaterial } from '../pair-material.ts';
import { PartDepth } from './part-depth.ts';
import { beginRigidContact, type RigidPair, writeSoftVertex } from './rigid-contact.ts';
import { writeSoftMaterial } from './soft-material.ts';
import type { SoftSurface } from './soft-surface.ts';
import type { ThinParts } from './thin-parts.ts';
import { HORIZON, type MeasureGap, MOST_STEPS, TOUCH, type VertexSweep } from './vertex-sweep.ts';
import { WayOut } from './way-out.ts';

/** By how much a part must be deeper than its corners or edges at least, share of its length. */
const DEEPER = 1e-4;
/**
 * Cosine of the normals at two corners from which on the shape between them is a gentle curve, which the vertices carry: an edge then cuts it by at
 * most a twelfth of its length. Contacts at edges as well would come and go as cloth creeps, and shake it.
 */
const GENTLE = 0.8;
/** Length of a mixed gradient below which no direction leads out: a part that goes right through a thin shape. */
const LEAST_GRADIENT = 0.2;
/** Places along an edge that are looked at in shapes that are not convex. */
const PLACES = 4;
/** Feature numbers of edges and of triangles start here, those of vertices at 0. */
const EDGES = 1 << 28;
const TRIANGLES = 1 << 29;

/** What is looked for between a shape and a soft body. */
export interface PairLook {
  readonly pair: RigidPair;
  /** Around the shape and whatever may touch it in the step. */
  readonly box: Float64Array;
  /** How far parts are looked for ahead, m; 0 where they are slow. */
  ahead: number;
  h: number;
}

export class PartContacts {
  readonly #parts: readonly ThinParts[];
  readonly #material: PairMaterial;
  readonly #sweep: VertexSweep;
  readonly #depth: PartDepth;
  readonly #measureGap: MeasureGap;
  /** Per vertex of all bodies: rigid group of the body it is attached to, or −1. */
  readonly #attachedTo: Int32Array;
  // the part at hand: its corners, how many and where they are, m, their velocities against the shape, m/s, and a place ahead
  readonly #corner = new Int32Array(3);
  #corners = 0;
  readonly #x = new Float64Array(9);
  readonly #u = new Float64Array(9);
  readonly #moved = new Float64Array(9);
  /** Half the thickness of the body at hand, m; whether the shape is convex. */
  #radius = 0;
  #isConvex = true;
  // the point of the part that was found last: whether it touches ahead of time, its gap, m, normal to the shape, and weights of the corners
  #isAhead = false;
  #gap = 0;
  readonly #normal = new Float64Array(3);
  readonly #weights = new Float64Array(3);
  readonly #toShape = new Float64Array(3);
  readonly #cornerNormal = new Float64Array(9);
  readonly #point = new Float64Array(3);
  readonly #wayOut = new WayOut();

  constructor(
    model: Model,
    surfaces: readonly SoftSurface[],
    parts: readonly ThinParts[],
    material: PairMaterial,
    sweep: VertexSweep,
    measureGap: MeasureGap,
  ) {
    this.#parts = parts;
    this.#material = material;
    this.#sweep = sweep;
    this.#measureGap = measureGap;
    this.#attachedTo = new Int32Array(model.size.softVertex).fill(-1);
    for (const { vertex, attachedTo } of surfaces)
      for (let k = 0; k < vertex.length; k++) this.#attachedTo[vertex[k]] = attachedTo[k];
    this.#depth = new PartDepth((p, out) => {
      out[3] = measureGap(p[0], p[1], p[2], Infinity, this.#toShape) + this.#radius;
      for (let c = 0; c < 3; c++) out[c] = -this.#toShape[c];
    });
  }

  /** Appends the contacts of edges, then of triangles. `measureGap` measures against the shape of the pair, the material is mixed. */
  touch(model: Model, work: Workspace, plan: CollisionPlan, contacts: ContactSet, look: PairLook): void {
    const { shape, soft } = look.pair;
    const { isEndless, core } = SHAPE_TABLE[model.shape.kind[shape]];
    // over a plane corners are the deepest
    if (isEndless || model.soft.dimension[soft] === 3) return;
    const { edge, edgeArea, isRod, radius, firstTriangle, triangleCount, triangleArea } = this.#parts[soft];
    this.#isConvex = core !== CORE.none;
    this.#radius = radius;
    this.#corners = 2;
    // the edges of a shell share its surface three times over
    const share = isRod ? 1 : 1 / 3;
    for (let e = 0; e < edge.length / 2; e++) {
      if (!this.#takePart(model, work, look, edge, 2 * e) || !this.#find(model, work, look)) continue;
      if (!this.#isBlocked(model, plan, look)) this.#write(model, plan, contacts, look, share * edgeArea[e], EDGES + e);
    }
    this.#corners = 3;
    for (let t = 0; t < triangleCount; t++) {
      if (!this.#takePart(model, work, look, model.soft.triangle, 3 * (firstTriangle + t))) continue;
      if (!this.#find(model, work, look) || this.#isBlocked(model, plan, look)) continue;
      this.#write(model, plan, contacts, look, triangleArea[t], TRIANGLES + t);
    }
  }

  // takes the corners at list[o]; false where the part is far, or attached to the body of the shape
  #takePart(model: Model, { softPosition: x }: Workspace, look: PairLook, list: Int32Array, o: number): boolean {
    const { box, pair } = look;
    const corner = this.#corner;
    const r = this.#radius;
    const group = model.body.weld[model.shape.body[pair.shape]];
    for (let k = 0; k < this.#corners; k++) {
      corner[k] = list[o + k];
      if (this.#attachedTo[corner[k]] === group) return false;
      for (let c = 0; c < 3; c++) this.#x[3 * k + c] = x[3 * corner[k] + c];
    }
    for (let c = 0; c < 3; c++) {
      let low = this.#x[c];
      let high = low;
      for (let k = 1; k < this.#corners; k++) {
        low = Math.min(low, this.#x[3 * k + c]);
        high = Math.max(high, this.#x[3 * k + c]);
      }
      if (high + r < box[c] || low - r > box[3 + c]) return false;
    }
    return true;
  }

  // the contact of the part at hand, now or ahead of time
  #find(model: Model, work: Workspace, look: PairLook): boolean {
    this.#isAhead = false;
    const { margin } = this.#material;
    const slowest = this.#sweep.slowestOf(look.pair.shape);
    const way = look.ahead > 0 ? this.#follow(model, work, look) : 0;
    if (way <= slowest) return this.#measure(this.#x, margin) && this.#gap <= margin;
    const hasPoint = this.#measure(this.#x, way);
    if (this.#gap > margin) {
      this.#isAhead = true;
      return this.#advance(way, HORIZON * look.h);
    }
    this.#isAhead = hasPoint && look.h * this.#measureClosing() > slowest;
    return hasPoint;
  }

  // whether another shape is in the way of a part that is pushed out: its vertices look for another one
  #isBlocked(model: Model, plan: CollisionPlan, { pair }: PairLook): boolean {
    const radius = this.#radius;
    if (this.#isAhead || this.#gap >= -radius) return false;
    const at = this.#point;
    at.fill(0);
    for (let k = 0; k < this.#corners; k++) for (let c = 0; c < 3; c++) at[c] += this.#weights[k] * this.#x[3 * k + c];
    return this.#wayOut.isBlocked(model, plan, pair.shape, pair.soft, at, 0, this.#normal, this.#gap, radius);
  }

  // velocities of the corners against the shape; how far the fastest comes
  #follow(model: Model, work: Workspace, { pair, h }: PairLook): number {
    const body = model.shape.body[pair.shape];
    let way = 0;
    for (let k = 0; k < this.#corners; k++) {
      way = Math.max(way, this.#sweep.follow(model, work, body, this.#corner[k], h));
      this.#u.set(this.#sweep.velocity, 3 * k);
    }
    return way;
  }

  // the first touch of the part at hand on its way
  #advance(way: number, horizon: number): boolean {
    const speed = way / horizon;
    let t = 0;
    for (let n = 0; n < MOST_STEPS; n++) {
      const left = way - t * speed;
      for (let k = 0; k < 9; k++) this.#moved[k] = this.#x[k] + t * this.#u[k];
      const hasPoint = this.#measure(this.#moved, left);
      if (this.#gap > left) return false;
      if (this.#gap <= TOUCH * way) {
        const closing = this.#measureClosing();
        this.#gap += t * closing;
        return hasPoint && closing > 0;
      }
      t += this.#gap / speed;
    }
    return false;
  }

  // speed at which the point that was found comes towards the shape, m/s
  #measureClosing(): number {
    let sum = 0;
    for (let k = 0; k < this.#corners; k++)
      for (let c = 0; c < 3; c++) sum += this.#weights[k] * this.#u[3 * k + c] * this.#normal[c];
    return sum;
  }

  // the least gap of the part with corners at x, as far as `reach`; whether it is inside the part, and deeper there than at its border
  #measure(x: Float64Array, reach: number): boolean {
    if (!this.#isConvex) return this.#measurePlaces(x, reach);
    const depth = this.#depth;
    depth.limit = reach + this.#radius;
    const isInside = this.#corners === 2 ? depth.findOnSegment(x, 0, 3) : depth.findOnTriangle(x, 0, 3, 6);
    const g = depth.gradient;
    const size = Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    this.#gap = (isInside && size > 0 ? depth.distance / size : depth.distance) - this.#radius;
    if (!isInside || size < LEAST_GRADIENT || !this.#isBent(x, Infinity)) return false;
    for (let k = 0; k < 3; k++) {
      this.#normal[k] = -g[k] / size;
      this.#weights[k] = depth.weights[k];
    }
    const { distance } = depth;
    return isDeeper(distance - this.#radius, this.#measureBorder(x) - this.#radius, x);
  }

  // whether the shape turns between the corners, or one of them is out of reach
  #isBent(x: Float64Array, reach: number): boolean {
    const n = this.#cornerNormal;
    for (let k = 0; k < this.#corners; k++) {
      const gap = this.#measureGap(x[3 * k], x[3 * k + 1], x[3 * k + 2], reach, this.#toShape);
      if (gap === Infinity) return true;
      n.set(this.#toShape, 3 * k);
      for (let m = 0; m < 3 * k; m += 3) {
        const cosine = n[m] * n[3 * k] + n[m + 1] * n[3 * k + 1] + n[m + 2] * n[3 * k + 2];
        if (cosine < GENTLE) return true;
      }
    }
    return false;
  }

  // φ of the lowest point of the ends of an edge or the edges of a triangle, m
  #measureBorder(x: Float64Array): number {
    const depth = this.#depth;
    let least = Infinity;
    for (let k = 0; k < this.#corners; k++) {
      if (this.#corners === 2) {
        const gap = this.#measureGap(x[3 * k], x[3 * k + 1], x[3 * k + 2], Infinity, this.#toShape);
        least = Math.min(least, gap + this.#radius);
      } else {
        depth.findOnSegment(x, 3 * k, 3 * ((k + 1) % 3));
        least = Math.min(least, depth.distance);
      }
    }
    return least;
  }

  // the same in fixed places
  #measurePlaces(x: Float64Array, reach: number): boolean {
    this.#gap = Infinity;
    let border = Infinity;
    for (let k = 0; k < this.#corners; k++)
      border = Math.min(border, this.#measureGap(x[3 * k], x[3 * k + 1], x[3 * k + 2], reach, this.#toShape));
    const isBent = this.#isBent(x, reach);
    const places = this.#corners === 2 ? PLACES : 2;
    for (let p = 1; p < places; p++) {
      const share = this.#corners === 2 ? p / PLACES : 1 / 3;
      const first = this.#corners === 2 ? 1 - share : 1 / 3;
      for (let c = 0; c < 3; c++) {
        this.#point[c] = first * x[c] + share * x[3 + c];
        if (this.#corners === 3) this.#point[c] += share * x[6 + c];
      }
      const gap = this.#measureGap(this.#point[0], this.#point[1], this.#point[2], reach, this.#toShape);
      if (gap >= this.#gap) continue;
      this.#gap = gap;
      this.#normal.set(this.#toShape);
      this.#weights[0] = first;
      this.#weights[1] = share;
      this.#weights[2] = this.#corners === 3 ? share : 0;
    }
    if (isBent && isDeeper(this.#gap, border, x)) return true;
    this.#gap = Math.min(this.#gap, border);
    return false;
  }

  #write(
    model: Model,
    plan: CollisionPlan,
    contacts: ContactSet,
    { pair }: PairLook,
    area: number,
    feature: number,
  ): void {
    const i = beginRigidContact(model, plan, contacts, pair);
    const n = this.#normal;
    const weights = this.#weights;
    for (let k = 0; k < this.#corners; k++) writeSoftVertex(contacts, i, pair, k, this.#corner[k], weights[k]);
    // half way between the surfaces
    const along = this.#radius + 0.5 * this.#gap;
    for (let c = 0; c < 3; c++) {
      let at = along * n[c];
      for (let k = 0; k < this.#corners; k++) at += weights[k] * this.#x[3 * k + c];
      contacts.position[3 * i + c] = at;
    }
    const sign = pair.isSoftFirst ? 1 : -1;
    writeContactFrame(contacts.frame, 9 * i, sign * n[0], sign * n[1], sign * n[2], 0, 0, 0);
    contacts.gap[i] = this.#gap;
    if (this.#isAhead) contacts.ahead[i] = AHEAD.fast;
    contacts.feature[i] = feature;
    writeSoftMaterial(contacts, i, this.#material, area);
  }
}

// whether a point inside a part carries more than its border, whose corners and edges have contacts of their own: it is twice as deep
function isDeeper(gap: number, border: number, x: Float64Array): boolean {
  const length = Math.sqrt((x[3] - x[0]) ** 2 + (x[4] - x[1]) ** 2 + (x[5] - x[2]) ** 2);
  return gap < border - Math.max(DEEPER * length, -border);
}
