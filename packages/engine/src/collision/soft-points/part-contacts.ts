/**
 * Edges and triangles of shells, rods and the surfaces of solids against rigid shapes, where they are deeper than their corners: over the edge
 * of a box, on its corner, on a pole between two vertices. The deepest point of an edge or triangle (part-depth.ts) is a contact that moves with its corners
 * by their barycentric weights. It counts where the shape turns by more than 37° between two corners and it is at least twice as deep as what
 * bounds the part: what lies flat or on a gentle curve is carried by its vertices, so that nothing touches twice. Shapes that are not convex are looked
 * at in four places of an edge and in the middle of a triangle. Parts that come so fast that they might pass have their contact ahead of
 * time, by conservative advancement as vertices do (vertex-sweep.ts). Edges of
 * solids touch where they are a ridge, and the way to the shape leads over it; their triangles have the contacts of face-contacts.ts, and those
 * ahead of time here.
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
/** Cosine of two normals of one flat face: 0.8°; the share of an edge up to which it is one point; halvings on the way to its end. */
const FLAT = 0.9999;
const SHORT = 0.05;
const BISECTIONS = 50;
/** Sine of the angle beside a triangle from which on a direction belongs to the ridge at its edge. */
const RIDGE = 1e-6;
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
  /** Whether the body has an inside, behind its triangles. */
  #isSolid = false;
  // the point of the part that was found last: whether it touches ahead of time, its gap, m, normal to the shape, and weights of the corners
  #isAhead = false;
  #gap = 0;
  readonly #normal = new Float64Array(3);
  readonly #weights = new Float64Array(3);
  readonly #toShape = new Float64Array(3);
  readonly #cornerNormal = new Float64Array(9);
  readonly #point = new Float64Array(3);
  readonly #wayOut = new WayOut();
  // normals of the shape at vertices, and for which pair they were measured last
  readonly #vertexNormal: Float64Array;
  readonly #measuredFor: Int32Array;
  #pairNumber = 0;
  /** A corner opposite the edge at hand in each of its triangles, −1 where there is none. */
  readonly #wing = new Int32Array(2);
  readonly #outward = new Float64Array(6);
  /** Where a flat part of the edge at hand begins and ends, share of its length. */
  readonly #flat = new Float64Array(2);

  constructor(
    model: Model,
    parts: readonly ThinParts[],
    attachedTo: Int32Array,
    material: PairMaterial,
    sweep: VertexSweep,
    measureGap: MeasureGap,
  ) {
    this.#parts = parts;
    this.#material = material;
    this.#sweep = sweep;
    this.#measureGap = measureGap;
    this.#vertexNormal = new Float64Array(3 * model.size.softVertex);
    this.#measuredFor = new Int32Array(model.size.softVertex);
    this.#attachedTo = attachedTo;
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
    if (isEndless) return;
    this.#isSolid = model.soft.dimension[soft] === 3;
    const { edge, wing, edgeArea, isRod, radius, firstTriangle, triangleCount, triangleArea } = this.#parts[soft];
    this.#isConvex = core !== CORE.none;
    this.#radius = radius;
    this.#pairNumber++;
    this.#corners = 2;
    // the edges of a shell share its surface three times over
    const share = isRod ? 1 : 1 / 3;
    for (let e = 0; e < edge.length / 2; e++) {
      for (let k = 0; k < 2; k++) this.#wing[k] = wing[2 * e + k];
      if (!this.#takePart(model, work, look, edge, 2 * e) || !this.#find(model, work, look)) continue;
      if (this.#isBlocked(model, plan, look)) continue;
      if (this.#isSolid && this.#isConvex && !this.#isAhead && this.#findFlatPart()) {
        for (let k = 0; k < 2; k++) {
          this.#takePlace(this.#flat[k]);
          this.#write(model, plan, contacts, look, (share * edgeArea[e]) / 2, EDGES + 2 * e + k);
        }
      } else this.#write(model, plan, contacts, look, share * edgeArea[e], EDGES + (this.#isSolid ? 2 * e : e));
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
    const isFace = this.#isSolid && this.#corners === 3;
    if (isFace && way <= slowest) return false;
    if (way <= slowest) return this.#mayCarry() && this.#measure(work, this.#x, margin) && this.#gap <= margin;
    const hasPoint = this.#measure(work, this.#x, way);
    if (this.#gap > margin) {
      this.#isAhead = true;
      return this.#advance(work, way, HORIZON * look.h);
    }
    if (isFace) return false;
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
  #advance(work: Workspace, way: number, horizon: number): boolean {
    const speed = way / horizon;
    let t = 0;
    for (let n = 0; n < MOST_STEPS; n++) {
      const left = way - t * speed;
      for (let k = 0; k < 9; k++) this.#moved[k] = this.#x[k] + t * this.#u[k];
      const hasPoint = this.#measure(work, this.#moved, left);
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
  #measure(work: Workspace, x: Float64Array, reach: number): boolean {
    const hasPoint = this.#isConvex ? this.#measureDepth(x, reach) : this.#measurePlaces(x, reach);
    return hasPoint && (!this.#isSolid || this.#isOutside(work.softPosition));
  }

  // whether a part that does not come fast may have a contact: not where a convex shape has much the same normal at all corners
  #mayCarry(): boolean {
    if (!this.#isConvex) return true;
    const x = this.#x;
    const n = this.#vertexNormal;
    for (let k = 0; k < this.#corners; k++) {
      const v = this.#corner[k];
      if (this.#measuredFor[v] !== this.#pairNumber) {
        this.#measuredFor[v] = this.#pairNumber;
        this.#measureGap(x[3 * k], x[3 * k + 1], x[3 * k + 2], Infinity, this.#toShape);
        n.set(this.#toShape, 3 * v);
      }
      for (let m = 0; m < k; m++) if (multiply(n, 3 * v, n, 3 * this.#corner[m]) < GENTLE) return true;
    }
    return false;
  }

  // where the edge at hand begins and ends to lie along a flat face around its deepest point; false where that is short
  #findFlatPart(): boolean {
    const at = this.#weights[1];
    for (let k = 0; k < 2; k++) {
      // gradients turn one way along an edge: bisection
      let inside = at;
      let outside = k;
      for (let n = 0; n < BISECTIONS; n++) {
        const middle = 0.5 * (inside + outside);
        if (this.#isFlatAt(middle)) inside = middle;
        else outside = middle;
      }
      this.#flat[k] = inside;
    }
    return this.#flat[1] - this.#flat[0] > SHORT;
  }

  #isFlatAt(s: number): boolean {
    this.#measureAt(s);
    return multiply(this.#toShape, 0, this.#normal, 0) > FLAT;
  }

  // the contact at hand at another place of the edge
  #takePlace(s: number): void {
    this.#gap = this.#measureAt(s);
    this.#weights[0] = 1 - s;
    this.#weights[1] = s;
  }

  #measureAt(s: number): number {
    const x = this.#x;
    for (let c = 0; c < 3; c++) this.#point[c] = (1 - s) * x[c] + s * x[3 + c];
    return this.#measureGap(this.#point[0], this.#point[1], this.#point[2], Infinity, this.#toShape);
  }

  // whether the normal at hand leads out of the solid: from a triangle on its front, from an edge between its two triangles
  #isOutside(x: Float64Array): boolean {
    const out = this.#outward;
    const n = this.#normal;
    const [a, b, c] = this.#corner;
    if (this.#corners === 3) {
      writeNormal(out, 0, x, a, b, c);
      return multiply(out, 0, n, 0) > 0;
    }
    const [one, two] = this.#wing;
    if (one < 0 || two < 0) return false;
    writeNormal(out, 0, x, a, b, one);
    writeNormal(out, 3, x, b, a, two);
    if (multiply(out, 0, n, 0) + multiply(out, 3, n, 0) <= 0) return false;
    // along each triangle, away from it
    const along = this.#point;
    for (let k = 0; k < 3; k++) along[k] = x[3 * b + k] - x[3 * a + k];
    const least = RIDGE * Math.sqrt(multiply(along, 0, along, 0));
    return measureTriple(along, 0, out, 0, n) > least && measureTriple(along, 0, out, 3, n) < -least;
  }

  #measureDepth(x: Float64Array, reach: number): boolean {
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
      for (let m = 0; m < 3 * k; m += 3) if (multiply(n, m, n, 3 * k) < GENTLE) return true;
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

function multiply(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

// (a × b)·n
function measureTriple(a: Float64Array, i: number, b: Float64Array, j: number, n: Float64Array): number {
  return (
    (a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1]) * n[0] +
    (a[i + 2] * b[j] - a[i] * b[j + 2]) * n[1] +
    (a[i] * b[j + 1] - a[i + 1] * b[j]) * n[2]
  );
}

// the unit normal of three vertices
function writeNormal(out: Float64Array, o: number, x: Float64Array, a: number, b: number, c: number): void {
  const [ux, uy, uz] = [x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]];
  const [wx, wy, wz] = [x[3 * c] - x[3 * a], x[3 * c + 1] - x[3 * a + 1], x[3 * c + 2] - x[3 * a + 2]];
  out[o] = uy * wz - uz * wy;
  out[o + 1] = uz * wx - ux * wz;
  out[o + 2] = ux * wy - uy * wx;
  const length = Math.sqrt(multiply(out, o, out, o));
  for (let k = o; k < o + 3; k++) out[k] /= length;
}

// whether a point inside a part carries more than its border, whose corners and edges have contacts of their own: it is twice as deep
function isDeeper(gap: number, border: number, x: Float64Array): boolean {
  const length = Math.sqrt((x[3] - x[0]) ** 2 + (x[4] - x[1]) ** 2 + (x[5] - x[2]) ** 2);
  return gap < border - Math.max(DEEPER * length, -border);
}
