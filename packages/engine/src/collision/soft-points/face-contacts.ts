/**
 * Rigid shapes against the triangles of solids: the points of the shape against the plane of a triangle, as plane and shape have them, that lie
 * over the triangle. A ball that is smaller than an element touches with its lowest point, a box with its corners, so that it neither falls
 * between vertices nor tips over. With x a point of the shape, n the outward normal of the triangle and a a corner of it,
 *   φ = n·(x − a),   x − φ n = Σ w_k x_k with w_k ≥ 0,   φ ≥ −½ V/(A/3)
 * where V/(A/3) is the height of the tetrahedron behind the triangle: deeper points belong to other faces, as do those
 * that came through another triangle that is half as far away or nearer, or are still before it. A point that presses a dent is
 * beside all triangles where it is under an edge of the dent: it then belongs to the first of the two triangles there. The contact moves with the corners by
 * their weights. Vertices of the body have contacts of their own, edges at a fold those of part-contacts.ts. Lengths m, A m², V m³.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { ContactPoints } from '../../geometry/contact-points.ts';
import type { PairTest } from '../../geometry/pair-test.ts';
import { type PlacedShape, placeShape } from '../../geometry/placed-shape.ts';
import { plane } from '../../geometry/shapes/plane.ts';
import { numberKind, SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import { FACE, findNearestOnTriangle, NearestOnTriangle } from '../../geometry/triangle-distance.ts';
import type { Model } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { writeContactFrame } from '../contact-frame.ts';
import type { ContactSet } from '../contact-set.ts';
import { findPairTest } from '../narrow-phase.ts';
import type { PairMaterial } from '../pair-material.ts';
import { beginRigidContact, type RigidPair, writeSoftVertex } from './rigid-contact.ts';
import { writeSoftMaterial } from './soft-material.ts';

const PLANE = /* @__PURE__ */ numberKind(plane);
/** Share of a triangle by which a point over one of its sides may be beside it: it belongs to both triangles there. */
const ROUND_OFF = 1e-9;
/** See `#side`. */
const ON = -1;
const FAR = -2;
/** Share of the height behind a triangle up to which a point belongs to it. */
const DEEPEST = 0.5;
/**
 * A point belongs to another triangle that is nearer than this share of its depth, where the whole shape is less deep: the end of a post under
 * a box is behind the sides of the box as well, but came through its lower side alone.
 */
const NEARER = 0.5;
/** Feature numbers of the points of a triangle are as far apart as this. */
const POINTS = 0x9e3779b1;

export class FaceContacts {
  readonly #material: PairMaterial;
  readonly #plane: PlacedShape = placeShape(PLANE, [0, 0]);
  readonly #points = new ContactPoints();
  /** The shape at hand, and the test of planes against it. */
  #shape: PlacedShape = this.#plane;
  #test: PairTest = () => {};
  readonly #otherPlane: PlacedShape = placeShape(PLANE, [0, 0]);
  readonly #otherPoints = new ContactPoints();
  /** Per triangle of all bodies: area, m², and depth up to which points belong to it, m; at rest. */
  readonly #area: Float64Array;
  readonly #deepest: Float64Array;
  /** Per vertex of all bodies: rigid group of the body it is attached to, or −1. */
  readonly #attachedTo: Int32Array;
  readonly #weights = new Float64Array(3);
  /** Per side of a triangle: the triangle beyond it. */
  readonly #beyond: Int32Array;
  /** The side over which the point at hand is beside the triangle; ON: none, FAR: more than one. */
  #side = 0;

  constructor(model: Model, attachedTo: Int32Array, material: PairMaterial) {
    this.#material = material;
    this.#attachedTo = attachedTo;
    const { soft } = model;
    this.#area = new Float64Array(soft.triangle.length / 3);
    this.#deepest = new Float64Array(soft.triangle.length / 3);
    this.#beyond = new Int32Array(soft.triangle.length).fill(-1);
    for (let n = 0; n < soft.dimension.length; n++) if (soft.dimension[n] === 3) this.#measureRest(model, n);
  }

  #measureRest({ soft }: Model, n: number): void {
    const { rest, triangle, tetrahedron } = soft;
    const behind = new Map<string, number>();
    for (let t = soft.tetrahedronStart[n]; t < soft.tetrahedronStart[n + 1]; t++) {
      const corners = Array.from(tetrahedron.subarray(4 * t, 4 * t + 4));
      for (const corner of corners) behind.set(nameFace(corners.filter((v) => v !== corner)), corner);
    }
    const sides = new Map<string, number>();
    for (let t = soft.triangleStart[n]; t < soft.triangleStart[n + 1]; t++) {
      for (let k = 0; k < 3; k++) {
        const name = nameFace([triangle[3 * t + ((k + 1) % 3)], triangle[3 * t + ((k + 2) % 3)]]);
        const first = sides.get(name);
        if (first === undefined) sides.set(name, 3 * t + k);
        else {
          this.#beyond[first] = t;
          this.#beyond[3 * t + k] = Math.trunc(first / 3);
        }
      }
      const length = writeNormal(normal, rest, triangle, 3 * t);
      this.#area[t] = 0.5 * length;
      const inner = behind.get(nameFace(Array.from(triangle.subarray(3 * t, 3 * t + 3))));
      // middles of edges have smaller tetrahedra of their own: half an edge
      const height =
        inner === undefined
          ? Math.sqrt(0.5 * length)
          : -measureHeight(normal, rest.subarray(3 * inner), rest, 3 * triangle[3 * t]);
      this.#deepest[t] = DEEPEST * height;
    }
  }

  /** Appends the contacts of a pair; `box` is around the shape and whatever may touch it. */
  touch(
    model: Model,
    work: Workspace,
    plan: CollisionPlan,
    contacts: ContactSet,
    pair: RigidPair,
    box: Float64Array,
  ): void {
    const { soft, shape, body } = model;
    const kind = shape.kind[pair.shape];
    const test = SHAPE_TABLE[kind].isEndless ? undefined : findPairTest(PLANE, kind);
    if (!test) return;
    const x = work.softPosition;
    const group = body.weld[shape.body[pair.shape]];
    const { margin } = this.#material;
    const { triangle } = soft;
    const points = this.#points;
    this.#test = test;
    this.#shape = plan.placed[pair.shape];
    for (let t = soft.triangleStart[pair.soft]; t < soft.triangleStart[pair.soft + 1]; t++) {
      const o = 3 * t;
      if (!isNear(x, triangle, o, box) || this.#isAttached(triangle, o, group)) continue;
      if (!this.#takePoints(x, triangle, o, margin)) continue;
      for (let p = 0; p < points.count; p++) {
        const gap = points.gap[p];
        if (gap < -this.#deepest[t]) continue;
        this.#weigh(x, triangle, o, p);
        if (this.#side !== ON && !(gap < 0 && this.#isUnderEdge(x, triangle, t, p))) continue;
        if (gap < 0 && this.#isNearOther(model, x, pair.soft, t, p)) continue;
        this.#write(plan, model, contacts, pair, t, p);
      }
    }
  }

  // the points of the shape against the plane of a triangle
  #takePoints(x: Float64Array, triangle: Int32Array, o: number, margin: number): boolean {
    if (!(writeNormal(normal, x, triangle, o) > 0)) return false;
    placePlane(this.#plane, x, 3 * triangle[o], normal);
    this.#points.clear();
    this.#test(this.#points, this.#plane, this.#shape, margin);
    return this.#points.count > 0;
  }

  // whether a point beside triangle t is under the edge of a dent with a later triangle, behind both and beside both
  #isUnderEdge(x: Float64Array, triangle: Int32Array, t: number, p: number): boolean {
    if (this.#side === FAR) return false;
    const other = this.#beyond[3 * t + this.#side];
    if (other <= t || !(writeNormal(otherNormal, x, triangle, 3 * other) > 0)) return false;
    // the side runs backwards in the other triangle
    const from = 3 * triangle[3 * t + ((this.#side + 2) % 3)];
    const to = 3 * triangle[3 * t + ((this.#side + 1) % 3)];
    const { position, gap } = this.#points;
    let depth = 0;
    for (let k = 0; k < 3; k++) {
      deep[k] = position[3 * p + k] + 0.5 * gap[p] * normal[k] - x[from + k];
      along[k] = x[to + k] - x[from + k];
      depth += deep[k] * otherNormal[k];
    }
    // (along × other normal) leads out of the other triangle
    const [nx, ny, nz] = otherNormal;
    const out =
      deep[0] * (along[1] * nz - along[2] * ny) +
      deep[1] * (along[2] * nx - along[0] * nz) +
      deep[2] * (along[0] * ny - along[1] * nx);
    return depth < 0 && out > 0;
  }

  // whether point p of the shape, which is behind triangle t, is much nearer to another one: it came through that one, or is still before it
  #isNearOther({ soft }: Model, x: Float64Array, body: number, t: number, p: number): boolean {
    const { position, gap } = this.#points;
    const reach = -NEARER * gap[p];
    for (let k = 0; k < 3; k++) {
      inside[k] = position[3 * p + k] + 0.5 * gap[p] * normal[k];
      around[k] = inside[k] - reach;
      around[3 + k] = inside[k] + reach;
    }
    const [qx, qy, qz] = inside;
    const { triangle } = soft;
    for (let other = soft.triangleStart[body]; other < soft.triangleStart[body + 1]; other++) {
      if (other === t || !isNear(x, triangle, 3 * other, around)) continue;
      for (let k = 0; k < 9; k++) corners[k] = x[3 * triangle[3 * other + Math.trunc(k / 3)] + (k % 3)];
      if (findNearestOnTriangle(nearest, corners, 0, qx, qy, qz) >= reach * reach) continue;
      if (!(writeNormal(otherNormal, x, triangle, 3 * other) > 0)) continue;
      const isBefore = measureHeight(otherNormal, inside, corners, 0) >= 0;
      if (isBefore ? nearest.feature === FACE : this.#measureDepth() < -gap[p]) return true;
    }
    return false;
  }

  // how deep the shape is behind the plane of the other triangle, whose first corner is at hand, m
  #measureDepth(): number {
    placePlane(this.#otherPlane, corners, 0, otherNormal);
    const points = this.#otherPoints;
    points.clear();
    this.#test(points, this.#otherPlane, this.#shape, 0);
    let depth = 0;
    for (let p = 0; p < points.count; p++) depth = Math.max(depth, -points.gap[p]);
    return depth;
  }

  #isAttached(triangle: Int32Array, o: number, group: number): boolean {
    for (let k = o; k < o + 3; k++) if (this.#attachedTo[triangle[k]] === group) return true;
    return false;
  }

  // weights of the corners of a triangle at point p, and beside which of its sides it is
  #weigh(x: Float64Array, triangle: Int32Array, o: number, p: number): void {
    const [a, b, c] = [3 * triangle[o], 3 * triangle[o + 1], 3 * triangle[o + 2]];
    const at = this.#points.position;
    let [uu, uw, ww, pu, pw] = [0, 0, 0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const u = x[b + k] - x[a + k];
      const w = x[c + k] - x[a + k];
      // sides are square to n: how high the point is does not matter
      const q = at[3 * p + k] - x[a + k];
      uu += u * u;
      uw += u * w;
      ww += w * w;
      pu += q * u;
      pw += q * w;
    }
    const square = uu * ww - uw * uw;
    const weights = this.#weights;
    weights[1] = (ww * pu - uw * pw) / square;
    weights[2] = (uu * pw - uw * pu) / square;
    weights[0] = 1 - weights[1] - weights[2];
    let sum = 0;
    this.#side = ON;
    for (let k = 0; k < 3; k++) {
      if (weights[k] < -ROUND_OFF) this.#side = this.#side === ON ? k : FAR;
      weights[k] = Math.max(0, weights[k]);
      sum += weights[k];
    }
    for (let k = 0; k < 3; k++) weights[k] /= sum;
  }

  #write(plan: CollisionPlan, model: Model, contacts: ContactSet, pair: RigidPair, t: number, p: number): void {
    const i = beginRigidContact(model, plan, contacts, pair);
    const points = this.#points;
    for (let k = 0; k < 3; k++) writeSoftVertex(contacts, i, pair, k, model.soft.triangle[3 * t + k], this.#weights[k]);
    for (let c = 0; c < 3; c++) contacts.position[3 * i + c] = points.position[3 * p + c];
    const sign = pair.isSoftFirst ? 1 : -1;
    writeContactFrame(contacts.frame, 9 * i, sign * normal[0], sign * normal[1], sign * normal[2], 0, 0, 0);
    contacts.gap[i] = points.gap[p];
    contacts.feature[i] = (Math.imul(t + 1, POINTS) + points.feature[p]) | 0;
    writeSoftMaterial(contacts, i, this.#material, this.#area[t]);
  }
}

const normal = /* @__PURE__ */ new Float64Array(3);
const otherNormal = /* @__PURE__ */ new Float64Array(3);
const inside = /* @__PURE__ */ new Float64Array(3);
const corners = /* @__PURE__ */ new Float64Array(9);
const nearest = /* @__PURE__ */ new NearestOnTriangle();
const around = /* @__PURE__ */ new Float64Array(6);
const deep = /* @__PURE__ */ new Float64Array(3);
const along = /* @__PURE__ */ new Float64Array(3);

function nameFace(corners: readonly number[]): string {
  return [...corners].sort((a, b) => a - b).join();
}

// the outward normal of the triangle at o; gives twice its area
function writeNormal(out: Float64Array, x: Float64Array, triangle: Int32Array, o: number): number {
  const [a, b, c] = [3 * triangle[o], 3 * triangle[o + 1], 3 * triangle[o + 2]];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [wx, wy, wz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  out[0] = uy * wz - uz * wy;
  out[1] = uz * wx - ux * wz;
  out[2] = ux * wy - uy * wx;
  const length = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (let k = 0; k < 3; k++) out[k] /= length;
  return length;
}

function placePlane({ position, rotation }: PlacedShape, x: Float64Array, a: number, normal: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    position[c] = x[a + c];
    rotation[3 * c + 2] = normal[c];
  }
}

// of point p over the plane of a unit normal through x[a]
function measureHeight(normal: Float64Array, p: Float64Array, x: Float64Array, a: number): number {
  let height = 0;
  for (let k = 0; k < 3; k++) height += normal[k] * (p[k] - x[a + k]);
  return height;
}

function isNear(x: Float64Array, triangle: Int32Array, o: number, box: Float64Array): boolean {
  const [a, b, c] = [3 * triangle[o], 3 * triangle[o + 1], 3 * triangle[o + 2]];
  for (let k = 0; k < 3; k++) {
    if (x[a + k] < box[k] && x[b + k] < box[k] && x[c + k] < box[k]) return false;
    const high = box[3 + k];
    if (x[a + k] > high && x[b + k] > high && x[c + k] > high) return false;
  }
  return true;
}
