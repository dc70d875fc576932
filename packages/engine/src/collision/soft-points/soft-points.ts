/**
 * Point contact of soft bodies: vertices of the surface against rigid shapes and against the surfaces of other soft bodies.
 * A vertex is a ball to the tests of rigid shapes: of a shell with half its thickness as radius, of a solid with none. Only pairs that touch at points are checked
 * (contact-choice.ts). Contacts come after those of rigid shapes, sorted by pair and vertex.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeShapeBounds } from '../../geometry/bounds/shape-bounds.ts';
import { ContactPoints } from '../../geometry/contact-points.ts';
import { type PlacedShape, placeShape } from '../../geometry/placed-shape.ts';
import { numberKind } from '../../geometry/shapes/shape-table.ts';
import { sphere } from '../../geometry/shapes/sphere.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { writeContactFrame } from '../contact-frame.ts';
import { CARRIER, type ContactSet } from '../contact-set.ts';
import { findPairTest } from '../narrow-phase.ts';
import { PairMaterial } from '../pair-material.ts';
import { isAtPoints } from './point-choice.ts';
import { writeSoftMaterial } from './soft-material.ts';
import { softPairKey } from './soft-pair-key.ts';
import { SoftSoftPoints } from './soft-soft-points.ts';
import { listSoftSurfaces, type SoftSurface } from './soft-surface.ts';

const BALL = /* @__PURE__ */ numberKind(sphere);

export class SoftPoints {
  /** Whether a soft body of the model has point contact. */
  readonly isActive: boolean;
  readonly #surfaces: SoftSurface[];
  readonly #boxes: Float64Array;
  readonly #shapeBox: Float64Array = new Float64Array(6);
  readonly #ball: PlacedShape = placeShape(BALL, [0, 0, 0]);
  readonly #points: ContactPoints = new ContactPoints();
  readonly #material: PairMaterial;
  readonly #softSoft: SoftSoftPoints;

  constructor(model: Model) {
    this.#material = new PairMaterial(model);
    const { disabled } = model.options;
    const isOff = disabled.has('contact') || disabled.has('constraint');
    const hasKinds = model.options.contactKinds !== undefined;
    this.isActive =
      !isOff &&
      model.soft.contact.some((kind) => kind === SOFT_CONTACT.point || (hasKinds && kind !== SOFT_CONTACT.none));
    this.#surfaces = this.isActive ? listSoftSurfaces(model) : [];
    this.#boxes = new Float64Array(6 * model.size.softBody);
    this.#softSoft = new SoftSoftPoints(model, this.#surfaces, this.#material);
  }

  /** Appends the contacts of the vertices in `work` with the shapes of the plan, whose poses are up to date. */
  detect(model: Model, work: Workspace, plan: CollisionPlan, contacts: ContactSet, h: number): void {
    if (!this.isActive) return;
    this.#material.forget();
    for (let n = 0; n < this.#surfaces.length; n++) {
      if (model.soft.contact[n] !== SOFT_CONTACT.none) this.#boundBody(work, n);
    }
    // the lower number first: pairs come in the order of their keys
    for (let s = 0; s < model.size.shape; s++) {
      for (let n = 0; n < this.#surfaces.length; n++) {
        if (!mayTouchSoft(model, s, n) || !isAtPoints(model, plan, s, model.size.shape + n)) continue;
        this.#material.mix(s, model.size.shape + n);
        if (this.#reaches(plan.placed[s], n)) this.#touchShape(model, work, plan, contacts, s, n);
      }
    }
    this.#softSoft.detect(model, work, plan, contacts, this.#boxes, h);
  }

  #boundBody({ softPosition: x }: Workspace, n: number): void {
    const { vertex, radius } = this.#surfaces[n];
    const boxes = this.#boxes;
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

  #reaches(shape: PlacedShape, n: number): boolean {
    const box = this.#shapeBox;
    const boxes = this.#boxes;
    const { margin } = this.#material;
    writeShapeBounds(box, 0, shape, margin);
    for (let c = 0; c < 3; c++) {
      if (box[c] > boxes[6 * n + 3 + c] || box[3 + c] < boxes[6 * n + c]) return false;
    }
    return true;
  }

  #touchShape(model: Model, work: Workspace, plan: CollisionPlan, contacts: ContactSet, s: number, n: number): void {
    const { vertex, area, attachedTo, radius } = this.#surfaces[n];
    const { softPosition: x } = work;
    const kind = model.shape.kind[s];
    const isFirst = BALL <= kind;
    const test = isFirst ? findPairTest(BALL, kind) : findPairTest(kind, BALL);
    if (!test) return;
    const shape = plan.placed[s];
    const group = model.body.weld[model.shape.body[s]];
    const ball = this.#ball;
    const box = this.#shapeBox;
    const points = this.#points;
    ball.size[0] = radius;
    for (let k = 0; k < vertex.length; k++) {
      const v = 3 * vertex[k];
      if (attachedTo[k] === group) continue;
      if (x[v] + radius < box[0] || x[v] - radius > box[3]) continue;
      if (x[v + 1] + radius < box[1] || x[v + 1] - radius > box[4]) continue;
      if (x[v + 2] + radius < box[2] || x[v + 2] - radius > box[5]) continue;
      for (let c = 0; c < 3; c++) ball.position[c] = x[v + c];
      points.clear();
      if (isFirst) test(points, ball, shape, this.#material.margin);
      else test(points, shape, ball, this.#material.margin);
      // a vertex has one contact with a shape: the deepest
      let deepest = points.count > 0 ? 0 : -1;
      for (let p = 1; p < points.count; p++) if (points.gap[p] < points.gap[deepest]) deepest = p;
      if (deepest < 0) continue;
      this.#write(model, plan, contacts, s, n, vertex[k], area[k], isFirst, deepest);
    }
  }

  #write(
    model: Model,
    plan: CollisionPlan,
    contacts: ContactSet,
    s: number,
    n: number,
    vertex: number,
    area: number,
    isFirst: boolean,
    p: number,
  ): void {
    const { position, normal, gap } = this.#points;
    const i = contacts.reserve(1);
    const rigidKind = plan.filter.isMoving[s] === 1 ? CARRIER.body : CARRIER.world;
    const body = model.shape.body[s];
    const soft = model.size.shape + n;
    contacts.shape1[i] = isFirst ? soft : s;
    contacts.shape2[i] = isFirst ? s : soft;
    contacts.carrierKind1[i] = isFirst ? CARRIER.soft : rigidKind;
    contacts.carrierKind2[i] = isFirst ? rigidKind : CARRIER.soft;
    contacts.carrier1[i] = isFirst ? n : body;
    contacts.carrier2[i] = isFirst ? body : n;
    writeVertices(contacts, i, isFirst ? vertex : -1, isFirst ? -1 : vertex);
    for (let c = 0; c < 3; c++) contacts.position[3 * i + c] = position[3 * p + c];
    writeContactFrame(contacts.frame, 9 * i, normal[3 * p], normal[3 * p + 1], normal[3 * p + 2], 0, 0, 0);
    contacts.gap[i] = gap[p];
    contacts.pair[i] = softPairKey(model, s, soft);
    contacts.feature[i] = vertex;
    writeSoftMaterial(contacts, i, this.#material, area);
  }
}

/** Vertices of both sides of a contact at single vertices; −1 where a side has none. */
function writeVertices({ vertex1, vertex2, weight1, weight2 }: ContactSet, i: number, one: number, two: number): void {
  vertex1.fill(-1, 4 * i, 4 * i + 4);
  vertex2.fill(-1, 4 * i, 4 * i + 4);
  weight1.fill(0, 4 * i, 4 * i + 4);
  weight2.fill(0, 4 * i, 4 * i + 4);
  vertex1[4 * i] = one;
  vertex2[4 * i] = two;
  weight1[4 * i] = one < 0 ? 0 : 1;
  weight2[4 * i] = two < 0 ? 0 : 1;
}

/** Whether the groups of a rigid shape and a soft body let them touch. */
function mayTouchSoft({ shape, soft }: Model, s: number, n: number): boolean {
  return ((shape.groups[s] & soft.mask[n]) | (soft.groups[n] & shape.mask[s])) !== 0;
}
