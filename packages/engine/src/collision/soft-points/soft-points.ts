/**
 * Point contact of soft bodies: vertices of the surface against rigid shapes and against the surfaces of other soft bodies.
 * A vertex is a ball to the tests of rigid shapes: of a shell with half its thickness as radius, of a solid with none. Only pairs that touch at points are checked
 * (contact-choice.ts). Edges and triangles touch where they are deeper than their vertices (part-contacts.ts), and triangles of solids where points of a shape
 * are over them (face-contacts.ts). Vertices that come so fast that they might pass have their contact ahead of time (vertex-sweep.ts), also of pairs
 * that touch by pressure. Contacts come after those of rigid shapes, sorted by pair and feature.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeShapeBounds } from '../../geometry/bounds/shape-bounds.ts';
import { ContactPoints } from '../../geometry/contact-points.ts';
import type { PairTest } from '../../geometry/pair-test.ts';
import { type PlacedShape, placeShape } from '../../geometry/placed-shape.ts';
import { numberKind, SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import { sphere } from '../../geometry/shapes/sphere.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { writeContactFrame } from '../contact-frame.ts';
import { AHEAD, type ContactSet } from '../contact-set.ts';
import { findPairTest } from '../narrow-phase.ts';
import { PairMaterial } from '../pair-material.ts';
import { FaceContacts } from './face-contacts.ts';
import { type PairLook, PartContacts } from './part-contacts.ts';
import { isAtPoints, isByPressure } from './point-choice.ts';
import { beginRigidContact, type RigidPair, writeSoftVertex } from './rigid-contact.ts';
import { writeSoftMaterial } from './soft-material.ts';
import { SoftSoftPoints } from './soft-soft-points.ts';
import { listAttachedGroups, listSoftSurfaces, type SoftSurface } from './soft-surface.ts';
import { SurfaceCorners } from './surface-corners.ts';
import { listThinParts } from './thin-parts.ts';
import { HORIZON, type MeasureGap, VertexSweep } from './vertex-sweep.ts';
import { WayOut } from './way-out.ts';

const BALL = /* @__PURE__ */ numberKind(sphere);
const normal = /* @__PURE__ */ new Float64Array(3);

export class SoftPoints {
  /** Whether a soft body of the model has point contact, or one ahead of time. */
  readonly isActive: boolean;
  readonly #surfaces: SoftSurface[];
  readonly #boxes: Float64Array;
  readonly #shapeBox: Float64Array = new Float64Array(6);
  readonly #ball: PlacedShape = placeShape(BALL, [0, 0, 0]);
  readonly #points: ContactPoints = new ContactPoints();
  readonly #material: PairMaterial;
  readonly #softSoft: SoftSoftPoints;
  readonly #sweep: VertexSweep;
  /** Of edges and triangles, where a body may touch at points. */
  readonly #parts: PartContacts | undefined;
  readonly #faces: FaceContacts | undefined;
  readonly #corners: SurfaceCorners | undefined;
  /** Of each body: the largest speed of a vertex, m/s. */
  readonly #fastest: Float64Array;
  /** The shape that vertices are tested against, and the point of the last test that is deepest. */
  #shape: PlacedShape = this.#ball;
  #test: PairTest = () => {};
  /** How far vertices are looked for ahead, m; 0 where they are slow. */
  #ahead = 0;
  #h = 0;
  readonly #pair: RigidPair = { shape: 0, soft: 0, isSoftFirst: false };
  readonly #wayOut: WayOut = new WayOut();
  readonly #look: PairLook = { pair: this.#pair, box: this.#shapeBox, ahead: 0, h: 0 };
  /** Whether the pair touches at points, and not by pressure: then only vertices that come fast have contacts here. */
  #isAtPoints = true;
  #deepest = -1;

  constructor(model: Model) {
    this.#material = new PairMaterial(model);
    const { contactKinds, disabled } = model.options;
    const isOff = disabled.has('contact') || disabled.has('constraint');
    const hasKinds = contactKinds !== undefined || model.options.looksAhead;
    this.isActive =
      !isOff &&
      model.soft.contact.some((kind) => kind === SOFT_CONTACT.point || (hasKinds && kind !== SOFT_CONTACT.none));
    this.#surfaces = this.isActive ? listSoftSurfaces(model) : [];
    this.#boxes = new Float64Array(6 * model.size.softBody);
    const hasParts =
      this.isActive &&
      model.soft.dimension.some(
        (dimension, n) =>
          dimension < 3 ||
          model.soft.contact[n] === SOFT_CONTACT.point ||
          (contactKinds !== undefined && model.soft.contact[n] !== SOFT_CONTACT.none),
      );
    const parts = hasParts ? listThinParts(model, this.#surfaces) : undefined;
    const attachedTo = listAttachedGroups(model, this.#surfaces);
    this.#softSoft = new SoftSoftPoints(this.#surfaces, parts, this.#material);
    this.#sweep = new VertexSweep(model);
    this.#parts = parts && new PartContacts(model, parts, attachedTo, this.#material, this.#sweep, this.#measureGap);
    this.#corners = parts && new SurfaceCorners(model);
    this.#faces = parts && new FaceContacts(model, attachedTo, this.#material);
    this.#fastest = new Float64Array(model.size.softBody);
  }

  /** Appends the contacts of the vertices in `work` with the shapes of the plan, whose poses are up to date. */
  detect(model: Model, work: Workspace, plan: CollisionPlan, contacts: ContactSet, h: number): void {
    if (!this.isActive) return;
    this.#material.forget();
    this.#h = h;
    for (let n = 0; n < this.#surfaces.length; n++) {
      if (model.soft.contact[n] !== SOFT_CONTACT.none) this.#boundBody(work, n);
    }
    // the lower number first: pairs come in the order of their keys
    for (let s = 0; s < model.size.shape; s++) {
      for (let n = 0; n < this.#surfaces.length; n++) {
        if (!mayTouchSoft(model, s, n)) continue;
        this.#isAtPoints = isAtPoints(model, plan, s, model.size.shape + n);
        if (!this.#isAtPoints && !isByPressure(model, plan, s, n)) continue;
        // beyond half its thickness in a step, vertices might pass
        const way = model.options.looksAhead ? this.#boundWay(model, work, s, n) : 0;
        this.#ahead = way > this.#sweep.slowestOf(s) ? way : 0;
        if (!this.#isAtPoints && this.#ahead === 0) continue;
        this.#material.mix(s, model.size.shape + n);
        if (this.#reaches(plan.placed[s], n)) this.#touchShape(model, work, plan, contacts, s, n);
      }
    }
    this.#softSoft.detect(model, work, plan, contacts, this.#boxes, h);
  }

  #boundBody({ softPosition: x, softVelocity: u }: Workspace, n: number): void {
    const { vertex, radius } = this.#surfaces[n];
    const boxes = this.#boxes;
    let fastest = 0;
    for (let k = 0; k < vertex.length; k++) {
      const i = 3 * vertex[k];
      fastest = Math.max(fastest, u[i] * u[i] + u[i + 1] * u[i + 1] + u[i + 2] * u[i + 2]);
    }
    this.#fastest[n] = Math.sqrt(fastest);
    for (let c = 0; c < 3; c++) {
      let low = Infinity;
      let high = -Infinity;
      for (let k = 0; k < vertex.length; k++) {
        const value = x[3 * vertex[k] + c];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      boxes[6 * n + c] = low - radius;
      boxes[6 * n + 3 + c] = high + radius;
    }
  }

  // how far a vertex comes against the shape in the time looked ahead at most, m
  #boundWay({ shape, body }: Model, { bodyTwist: twist, treeCenter }: Workspace, s: number, n: number): number {
    const b = shape.body[s];
    const t = 6 * b;
    let arm = 0;
    for (let c = 0; c < 3; c++) {
      const center = treeCenter[3 * body.root[b] + c];
      const low = this.#boxes[6 * n + c];
      const high = this.#boxes[6 * n + 3 + c];
      arm += Math.max(Math.abs(low - center), Math.abs(high - center)) ** 2;
    }
    const spin = Math.sqrt(twist[t] ** 2 + twist[t + 1] ** 2 + twist[t + 2] ** 2);
    const speed = Math.sqrt(twist[t + 3] ** 2 + twist[t + 4] ** 2 + twist[t + 5] ** 2);
    return HORIZON * this.#h * (this.#fastest[n] + speed + spin * Math.sqrt(arm));
  }

  #reaches(shape: PlacedShape, n: number): boolean {
    const box = this.#shapeBox;
    const boxes = this.#boxes;
    const { margin } = this.#material;
    writeShapeBounds(box, 0, shape, margin + this.#ahead);
    for (let c = 0; c < 3; c++) {
      if (box[c] > boxes[6 * n + 3 + c] || box[3 + c] < boxes[6 * n + c]) return false;
    }
    return true;
  }

  #touchShape(model: Model, work: Workspace, plan: CollisionPlan, contacts: ContactSet, s: number, n: number): void {
    const h = this.#h;
    const { vertex, area, attachedTo, radius } = this.#surfaces[n];
    const { softPosition: x } = work;
    const kind = model.shape.kind[s];
    const isFirst = BALL <= kind;
    const test = isFirst ? findPairTest(BALL, kind) : findPairTest(kind, BALL);
    if (!test) return;
    this.#test = test;
    this.#shape = plan.placed[s];
    const pair = this.#pair;
    pair.shape = s;
    pair.soft = n;
    pair.isSoftFirst = isFirst;
    const sweep = this.#sweep;
    const { margin } = this.#material;
    const body = model.shape.body[s];
    const group = model.body.weld[body];
    const slowest = sweep.slowestOf(s);
    const box = this.#shapeBox;
    const corners = this.#corners;
    const isSolid = model.soft.dimension[n] === 3 && !SHAPE_TABLE[kind].isEndless;
    this.#ball.size[0] = radius;
    for (let k = 0; k < vertex.length; k++) {
      const v = 3 * vertex[k];
      if (attachedTo[k] === group) continue;
      if (x[v] + radius < box[0] || x[v] - radius > box[3]) continue;
      if (x[v + 1] + radius < box[1] || x[v + 1] - radius > box[4]) continue;
      if (x[v + 2] + radius < box[2] || x[v + 2] - radius > box[5]) continue;
      let gap = this.#measureGap(x[v], x[v + 1], x[v + 2], margin, normal);
      // pressure acts from where they touch
      if (!this.#isAtPoints && gap < Infinity) continue;
      let isAhead = false;
      if (this.#ahead > 0 && sweep.follow(model, work, body, vertex[k], h) > slowest) {
        isAhead = gap === Infinity || h * sweep.measureClosing(normal) > slowest;
        if (gap === Infinity) gap = sweep.find(x, vertex[k], h, this.#measureGap);
      }
      if (gap === Infinity) continue;
      const isDeep = !isAhead && gap < -radius;
      let other = isDeep ? this.#findOtherWay(model, plan, x, v, gap, radius) : Infinity;
      if (isDeep && isSolid && !corners?.leadsOut(x, vertex[k], other < Infinity ? this.#wayOut.normal : normal)) {
        // along its own surface: another way, or none, where its triangles and edges touch
        other = this.#findAnotherFace(x, v, gap, radius);
        if (other === Infinity || !corners?.leadsOut(x, vertex[k], this.#wayOut.normal)) continue;
      }
      const i = this.#write(model, plan, contacts, vertex[k], area[k]);
      contacts.gap[i] = gap;
      if (isAhead) contacts.ahead[i] = AHEAD.fast;
      if (other < Infinity) this.#turn(contacts, i, x, v, other, radius);
    }
    if (!this.#parts || !this.#isAtPoints) return;
    this.#look.ahead = this.#ahead;
    this.#look.h = h;
    this.#parts.touch(model, work, plan, contacts, this.#look);
    if (model.soft.dimension[n] === 3) this.#faces?.touch(model, work, plan, contacts, pair, box);
  }

  // a vertex has one contact with a shape: the deepest. Its normal points from the vertex to the shape
  readonly #measureGap: MeasureGap = (x, y, z, reach, out) => {
    const points = this.#points;
    const ball = this.#ball;
    ball.position[0] = x;
    ball.position[1] = y;
    ball.position[2] = z;
    points.clear();
    if (this.#pair.isSoftFirst) this.#test(points, ball, this.#shape, reach);
    else this.#test(points, this.#shape, ball, reach);
    let deepest = points.count > 0 ? 0 : -1;
    for (let p = 1; p < points.count; p++) if (points.gap[p] < points.gap[deepest]) deepest = p;
    this.#deepest = deepest;
    if (deepest < 0) return Infinity;
    for (let c = 0; c < 3; c++) out[c] = (this.#pair.isSoftFirst ? 1 : -1) * points.normal[3 * deepest + c];
    return points.gap[deepest];
  };

  // the gap of a vertex that the nearest face would push into another shape, by another face; else Infinity. Leaves the last test as it is
  #findOtherWay(model: Model, plan: CollisionPlan, x: Float64Array, v: number, gap: number, radius: number): number {
    const { shape, soft } = this.#pair;
    const out = this.#wayOut;
    if (!out.isBlocked(model, plan, shape, soft, x, v, normal, gap, radius)) return Infinity;
    return this.#findAnotherFace(x, v, gap, radius);
  }

  #findAnotherFace(x: Float64Array, v: number, gap: number, radius: number): number {
    const other = this.#wayOut.findOther(this.#measureGap, x, v, normal, gap, radius);
    this.#measureGap(x[v], x[v + 1], x[v + 2], this.#material.margin, normal);
    return other;
  }

  // the other way for the contact of the vertex at x[v]
  #turn(contacts: ContactSet, i: number, x: Float64Array, v: number, gap: number, radius: number): void {
    const n = this.#wayOut.normal;
    const sign = this.#pair.isSoftFirst ? 1 : -1;
    for (let c = 0; c < 3; c++) contacts.position[3 * i + c] = x[v + c] + (radius + 0.5 * gap) * n[c];
    writeContactFrame(contacts.frame, 9 * i, sign * n[0], sign * n[1], sign * n[2], 0, 0, 0);
    contacts.gap[i] = gap;
  }

  // at the point of the last test
  #write(model: Model, plan: CollisionPlan, contacts: ContactSet, vertex: number, area: number): number {
    const { position, normal } = this.#points;
    const p = 3 * this.#deepest;
    const i = beginRigidContact(model, plan, contacts, this.#pair);
    writeSoftVertex(contacts, i, this.#pair, 0, vertex, 1);
    for (let c = 0; c < 3; c++) contacts.position[3 * i + c] = position[p + c];
    writeContactFrame(contacts.frame, 9 * i, normal[p], normal[p + 1], normal[p + 2], 0, 0, 0);
    contacts.feature[i] = vertex;
    writeSoftMaterial(contacts, i, this.#material, area);
    return i;
  }
}

/** Whether the groups of a rigid shape and a soft body let them touch. */
function mayTouchSoft({ shape, soft }: Model, s: number, n: number): boolean {
  return ((shape.groups[s] & soft.mask[n]) | (soft.groups[n] & shape.mask[s])) !== 0;
}
