/**
 * Contacts by pressure of soft bodies: with rigid shapes (half-spaces, tetrahedra, rigid triangles), with each other and with themselves. A
 * side that is soft is carried by the four vertices of the tetrahedron in which the face lies, weighted by the barycentric coordinates of
 * its centroid. Contacts come after all others, sorted by pair.
 *
 * Tetrahedra with a vertex that is attached to a rigid body do not touch that body; those of one body that share a vertex do not touch
 * each other; of a body that touches itself only those at its surface are checked.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { IndexPairs } from '../../geometry/bounding-tree/index-list.ts';
import { collectSelfOverlaps } from '../../geometry/bounding-tree/self-overlap.ts';
import { writeShapeBounds } from '../../geometry/bounds/shape-bounds.ts';
import { createPlacement } from '../../geometry/pressure-field/contact-faces.ts';
import type { PressureGeometry } from '../../geometry/pressure-field/pressure-geometry.ts';
import { MovingField } from '../../geometry/pressure-field/soft-field.ts';
import { addPairInFrame } from '../../geometry/pressure-field/solid-faces.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { writeContactFrame } from '../contact-frame.ts';
import { CARRIER, type ContactSet } from '../contact-set.ts';
import { PairMaterial } from '../pair-material.ts';
import { writeSoftMaterial } from '../soft-points/soft-material.ts';
import { softPairKey } from '../soft-points/soft-pair-key.ts';
import { listTiedBodies } from '../surface/tied-bodies.ts';
import { writeBarycentric } from './barycentric.ts';
import { type FaceRuns, faceFeature } from './face-runs.ts';
import { findFaces } from './face-test.ts';
import { takeGeometry } from './pressure-contacts.ts';

const WORLD = /* @__PURE__ */ createPlacement();

interface Body {
  readonly field: MovingField;
  readonly geometry: PressureGeometry;
  /** Per tetrahedron of the field: 1 where it has a vertex on the surface. */
  readonly isOuter: Uint8Array;
}

export class SoftPressure {
  /** Whether a soft body of the model may touch by pressure. */
  readonly isActive: boolean;
  readonly #bodies: readonly (Body | undefined)[];
  /** Per vertex: the rigid group of the body it is attached to, or −1. */
  readonly #attachedTo: Int32Array;
  /** Per vertex: the soft body it is attached to, −2 where there is none. */
  readonly #tiedTo: Int32Array;
  readonly #hasTies: boolean;
  readonly #material: PairMaterial;
  readonly #box: Float64Array = new Float64Array(6);
  readonly #pairs: IndexPairs = new IndexPairs();
  readonly #weight: Float64Array = new Float64Array(4);

  constructor(model: Model) {
    this.#material = new PairMaterial(model);
    const { soft, body, options, pressure, size } = model;
    const isOff = options.disabled.has('contact') || options.disabled.has('constraint');
    this.isActive = !isOff && pressure.soft.some((field) => field !== undefined);
    this.#bodies = this.isActive ? pressure.soft.map((field, n) => field && createBody(model, n)) : [];
    this.#attachedTo = new Int32Array(size.softVertex).fill(-1);
    soft.attachment.vertex.forEach((v, k) => {
      this.#attachedTo[v] = body.weld[soft.attachment.body[k]];
    });
    soft.tie.vertex.forEach((v, k) => {
      if (soft.tie.body[k] >= 0) this.#attachedTo[v] = body.weld[soft.tie.body[k]];
    });
    this.#hasTies = soft.tie.body.some((b) => b < 0);
    this.#tiedTo = this.#hasTies ? listTiedBodies(soft) : new Int32Array(0);
  }

  /** Appends the contacts of the vertices in `work` with the shapes of the plan, whose poses are up to date. */
  detect(model: Model, work: Workspace, plan: CollisionPlan, contacts: ContactSet, runs: FaceRuns): void {
    if (!this.isActive) return;
    this.#material.forget();
    const { size, soft } = model;
    this.#bodies.forEach((body, n) => {
      body?.field.update(work.softPosition, soft.vertexStart[n]);
    });
    for (let s = 0; s < size.shape; s++) {
      for (let n = 0; n < size.softBody; n++) this.#touchShape(model, work, plan, contacts, runs, s, n);
    }
    for (let a = 0; a < size.softBody; a++) {
      for (let b = a; b < size.softBody; b++) this.#touchSoft(model, work, plan, contacts, runs, a, b);
    }
  }

  #touchShape(
    model: Model,
    work: Workspace,
    plan: CollisionPlan,
    contacts: ContactSet,
    runs: FaceRuns,
    s: number,
    n: number,
  ): void {
    const { shape, soft, size } = model;
    const body = this.#bodies[n];
    const b = size.shape + n;
    if (!body || plan.choice!.choose(s, b) !== SOFT_CONTACT.hydroelastic) return;
    if (((shape.groups[s] & soft.mask[n]) | (soft.groups[n] & shape.mask[s])) === 0) return;
    const geometry = takeGeometry(model, plan.choice!, s, b);
    if (!geometry || !this.#meets(plan, s, body, geometry)) return;
    const start = runs.faces.count;
    findFaces(runs, geometry, plan.placed[s], body.geometry, WORLD);
    this.#append(model, work, plan, contacts, runs, start, s, b);
  }

  #touchSoft(
    model: Model,
    work: Workspace,
    plan: CollisionPlan,
    contacts: ContactSet,
    runs: FaceRuns,
    a: number,
    b: number,
  ): void {
    const { soft, size } = model;
    const one = this.#bodies[a];
    const two = this.#bodies[b];
    if (!one || !two) return;
    if (plan.choice!.choose(size.shape + a, size.shape + b) !== SOFT_CONTACT.hydroelastic) return;
    if (
      a === b ? soft.touchesItself[a] === 0 : ((soft.groups[a] & soft.mask[b]) | (soft.groups[b] & soft.mask[a])) === 0
    )
      return;
    const start = runs.faces.count;
    if (a === b) this.#touchSelf(one, runs);
    else findFaces(runs, one.geometry, WORLD, two.geometry, WORLD);
    this.#append(model, work, plan, contacts, runs, start, size.shape + a, size.shape + b);
  }

  #touchSelf({ field, isOuter }: Body, runs: FaceRuns): void {
    const { mesh } = field;
    const pairs = this.#pairs;
    pairs.clear();
    collectSelfOverlaps(pairs, mesh.tree);
    for (let i = 0; i < pairs.count; i++) {
      const a = pairs.values[2 * i];
      const b = pairs.values[2 * i + 1];
      if (isOuter[a] + isOuter[b] < 2 || haveCommonVertex(field, a, b)) continue;
      addPairInFrame(runs.faces, mesh, WORLD, a, b);
    }
  }

  #meets(plan: CollisionPlan, s: number, { field }: Body, geometry: PressureGeometry): boolean {
    if (geometry.kind === 'halfSpace') return true;
    const { bounds } = field.mesh.tree;
    const box = this.#box;
    writeShapeBounds(box, 0, plan.placed[s], geometry.kind === 'solid' ? geometry.margin : 0);
    for (let k = 0; k < 3; k++) if (box[k] > bounds[3 + k] || box[3 + k] < bounds[k]) return false;
    return true;
  }

  // faces from `start` on as contacts of colliders a and b, the second of them soft
  #append(
    model: Model,
    work: Workspace,
    plan: CollisionPlan,
    contacts: ContactSet,
    runs: FaceRuns,
    start: number,
    a: number,
    b: number,
  ): void {
    const { faces } = runs;
    if (faces.count === start) return;
    const { shape, size, body } = model;
    runs.add(a, b, start);
    const total = size.shape + size.softBody;
    const key = total * total + softPairKey(model, a, b);
    const isSoft1 = a >= size.shape;
    const group = isSoft1 ? -2 : body.weld[shape.body[a]];
    const rigidKind = isSoft1 || plan.filter.isMoving[a] === 0 ? CARRIER.world : CARRIER.body;
    this.#material.mix(a, b);
    for (let f = start; f < faces.count; f++) {
      const isLeftOut = isSoft1
        ? this.#hasTies && this.#isTied(model, a - size.shape, b - size.shape, faces.item, 2 * f)
        : this.#isAttached(model, b - size.shape, faces.item[2 * f + 1], group);
      if (isLeftOut) {
        // nothing presses there
        faces.pressure[f] = 0;
        continue;
      }
      const i = contacts.reserve(1);
      const { position: x, normal: n } = faces;
      for (let k = 0; k < 3; k++) contacts.position[3 * i + k] = x[3 * f + k];
      writeContactFrame(contacts.frame, 9 * i, n[3 * f], n[3 * f + 1], n[3 * f + 2], 0, 0, 0);
      contacts.shape1[i] = a;
      contacts.shape2[i] = b;
      contacts.carrierKind1[i] = isSoft1 ? CARRIER.soft : rigidKind;
      contacts.carrierKind2[i] = CARRIER.soft;
      contacts.carrier1[i] = isSoft1 ? a - size.shape : shape.body[a];
      contacts.carrier2[i] = b - size.shape;
      this.#writeVertices(
        contacts.vertex1,
        contacts.weight1,
        i,
        model,
        work,
        isSoft1 ? a : -1,
        faces.item[2 * f],
        x,
        f,
      );
      this.#writeVertices(contacts.vertex2, contacts.weight2, i, model, work, b, faces.item[2 * f + 1], x, f);
      contacts.pair[i] = key;
      contacts.feature[i] = faceFeature(faces.item, f);
      writeSoftMaterial(contacts, i, this.#material, faces.area[f]);
      contacts.gap[i] = -faces.pressure[f] / faces.slope[f];
      contacts.margin[i] = 0;
      contacts.pressure[i] = faces.pressure[f];
      contacts.stiffness[i] = faces.area[f] * faces.slope[f];
    }
  }

  #parent(model: Model, n: number, tetrahedron: number): number {
    const { field } = this.#bodies[n]!;
    return model.soft.tetrahedronStart[n] + field.field.parent[field.mesh.source[tetrahedron]];
  }

  #isAttached(model: Model, n: number, tetrahedron: number, group: number): boolean {
    const t = 4 * this.#parent(model, n, tetrahedron);
    for (let k = t; k < t + 4; k++) if (this.#attachedTo[model.soft.tetrahedron[k]] === group) return true;
    return false;
  }

  // whether one of two tetrahedra has a vertex that is attached to the body of the other
  #isTied(model: Model, a: number, b: number, item: Int32Array, at: number): boolean {
    const one = 4 * this.#parent(model, a, item[at]);
    const two = 4 * this.#parent(model, b, item[at + 1]);
    for (let k = 0; k < 4; k++) {
      if (this.#tiedTo[model.soft.tetrahedron[one + k]] === b) return true;
      if (this.#tiedTo[model.soft.tetrahedron[two + k]] === a) return true;
    }
    return false;
  }

  // vertices of the tetrahedron of collider b around the centroid of face f; none where it is −1
  #writeVertices(
    vertex: Int32Array,
    weight: Float64Array,
    i: number,
    model: Model,
    work: Workspace,
    b: number,
    tetrahedron: number,
    x: Float64Array,
    f: number,
  ): void {
    if (b < 0) {
      vertex.fill(-1, 4 * i, 4 * i + 4);
      weight.fill(0, 4 * i, 4 * i + 4);
      return;
    }
    const t = 4 * this.#parent(model, b - model.size.shape, tetrahedron);
    writeBarycentric(this.#weight, work.softPosition, model.soft.tetrahedron, t, x, 3 * f);
    for (let k = 0; k < 4; k++) {
      vertex[4 * i + k] = model.soft.tetrahedron[t + k];
      weight[4 * i + k] = this.#weight[k];
    }
  }
}

function createBody({ soft, pressure }: Model, n: number): Body {
  const field = new MovingField(pressure.soft[n]!);
  const { mesh } = field;
  const first = soft.vertexStart[n];
  const isSurface = new Uint8Array(mesh.vertices.length / 3);
  for (let k = 3 * soft.triangleStart[n]; k < 3 * soft.triangleStart[n + 1]; k++)
    isSurface[soft.triangle[k] - first] = 1;
  const isOuter = Uint8Array.from(mesh.source, (_, t) =>
    mesh.tetrahedra.subarray(4 * t, 4 * t + 4).some((v) => isSurface[v] === 1) ? 1 : 0,
  );
  return { field, geometry: { kind: 'solid', mesh, margin: field.field.margin }, isOuter };
}

// by the tetrahedra of the body in which they lie
function haveCommonVertex({ field, mesh }: MovingField, a: number, b: number): boolean {
  const { body } = field;
  const one = 4 * field.parent[mesh.source[a]];
  const two = 4 * field.parent[mesh.source[b]];
  for (let i = one; i < one + 4; i++) {
    for (let j = two; j < two + 4; j++) if (body.tetrahedra[i] === body.tetrahedra[j]) return true;
  }
  return false;
}
