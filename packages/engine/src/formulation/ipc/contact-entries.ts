/**
 * Contacts of a list of collisions as entries of a contact set: sides, frame, gap, place. The normal points from shape 1 to shape 2.
 * The list is that of a step (contact-report.ts), or of any other state (near-contacts.ts).
 */
import { CollisionGeometry } from '../../collision/collisions/collision-geometry.ts';
import { COLLISION } from '../../collision/collisions/surface-collisions.ts';
import { WitnessPoints } from '../../collision/collisions/witness-points.ts';
import { writeContactFrame } from '../../collision/contact-frame.ts';
import { CARRIER, CONTACT_MODE, type ContactSet } from '../../collision/contact-set.ts';
import type { Model } from '../../model/model.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { PairBlocks } from './terms/pair-blocks.ts';

/** Where collisions were found. */
export type CollisionSource = Pick<IpcObjective, 'contacts' | 'candidates' | 'surfaces' | 'fields' | 'frames'>;

const witness = /* @__PURE__ */ new WitnessPoints();

export class ContactEntries {
  /** Of the contact that was added last. */
  readonly key: Int32Array = witness.key;
  readonly #model: Model;
  readonly #source: CollisionSource;
  readonly #geometry = new CollisionGeometry();
  readonly #blocks = new PairBlocks();

  constructor(model: Model, source: CollisionSource) {
    this.#model = model;
    this.#source = source;
  }

  /** Adds collision n of samples in fields with the normal force that it has, N; its number in the set. */
  addField(out: ContactSet, n: number, force: number): number {
    const { fields } = this.#source;
    const { samples, shape, frame, target, friction } = fields.pairs[fields.pair[n]];
    const i = out.reserve(1);
    this.setSides(out, i, shape, samples.shape, frame, samples.frame);
    fields.writeWitnessPoints(witness, n);
    writeContactFrame(out.frame, 9 * i, witness.normal[0], witness.normal[1], witness.normal[2], 0, 0, 0);
    out.gap[i] = fields.gap[n] + target.level - samples.radius;
    out.pair[i] = fields.pair[n];
    out.feature[i] = fields.sample[n];
    for (let k = 0; k < 3; k++)
      out.position[3 * i + k] = fields.point[3 * n + k] - (samples.radius + 0.5 * out.gap[i]) * witness.normal[k];
    this.setForce(out, i, force, friction, witness.anisotropy);
    return i;
  }

  /** Shapes of both sides with their carriers, and the constants of every contact. */
  setSides(out: ContactSet, i: number, one: number, two: number, frame1: number, frame2: number): void {
    const { shape, options, size } = this.#model;
    const { moving } = this.#source.frames;
    out.shape1[i] = one;
    out.shape2[i] = two;
    out.carrier1[i] = one < size.shape ? shape.body[one] : one - size.shape;
    out.carrier2[i] = two < size.shape ? shape.body[two] : two - size.shape;
    out.carrierKind1[i] = one >= size.shape ? CARRIER.soft : frame1 < moving ? CARRIER.body : CARRIER.world;
    out.carrierKind2[i] = two >= size.shape ? CARRIER.soft : frame2 < moving ? CARRIER.body : CARRIER.world;
    out.area[i] = out.pressure[i] = 0;
    out.margin[i] = options.ipc.barrierDistance;
    out.condim[i] = 3;
    out.previous[i] = -1;
  }

  /** The normal force and the coefficients of friction. */
  setForce(out: ContactSet, i: number, force: number, mu: number, anisotropy: Float64Array): void {
    const { friction, force: forces } = out;
    friction[5 * i] = anisotropy[0] * mu;
    friction[5 * i + 1] = anisotropy[1] * mu;
    friction[5 * i + 2] = friction[5 * i + 3] = friction[5 * i + 4] = 0;
    forces[6 * i] = force;
    for (let k = 1; k < 6; k++) forces[6 * i + k] = 0;
    out.mode[i] = CONTACT_MODE.slide;
  }

  // place of a contact with soft sides, and the area that a point or edge represents
  #setSoftSides(out: ContactSet, i: number, n: number, force: number): void {
    const { contacts: list } = this.#source;
    const { weights, split, offset, x } = this.#geometry;
    const isPlane = list.kind[n] === COLLISION.plane;
    if (list.weight[n] > 0) {
      out.area[i] = list.weight[n];
      out.pressure[i] = force / list.weight[n];
    }
    if (!isPlane) {
      for (let k = 0; k < 3; k++) out.position[3 * i + k] = -0.5 * offset[k];
      for (let p = 0; p < split; p++) for (let k = 0; k < 3; k++) out.position[3 * i + k] += weights[p] * x[3 * p + k];
    }
    this.setVertices(out, i, list.part, 4 * n, weights, split);
  }

  /** Vertices and weights of soft sides; `split` points belong to side 2. */
  setVertices(out: ContactSet, i: number, part: Int32Array, o: number, weights: Float64Array, split: number): void {
    const { vertexOf } = this.#source.surfaces;
    out.vertex1.fill(-1, 4 * i, 4 * i + 4);
    out.vertex2.fill(-1, 4 * i, 4 * i + 4);
    out.weight1.fill(0, 4 * i, 4 * i + 4);
    out.weight2.fill(0, 4 * i, 4 * i + 4);
    for (let p = 0; p < 4; p++) {
      if (weights[p] === 0) continue;
      const vertex = vertexOf[part[o + p]];
      if (!(vertex >= 0)) continue;
      const at = 4 * i + (p < split ? p : p - split);
      if (p < split) {
        out.vertex2[at] = vertex;
        out.weight2[at] = weights[p];
      } else {
        out.vertex1[at] = vertex;
        out.weight1[at] = -weights[p];
      }
    }
  }

  /**
   * Adds collisions that have their point in common with collision n as one, with the sum of their forces, N: it acts on a line through the
   * point. Its number in the set.
   */
  addPoint(out: ContactSet, n: number, force: Float64Array): number {
    const size = Math.hypot(force[0], force[1], force[2]);
    const i = this.addSurface(out, n, size);
    const { contacts, surfaces } = this.#source;
    const v = 3 * contacts.part[4 * n];
    const { frame, position } = out;
    let depth = 0;
    for (let k = 0; k < 3; k++) depth += frame[9 * i + k] * (surfaces.world[v + k] - position[3 * i + k]);
    const hint = witness.tangentHint;
    writeContactFrame(frame, 9 * i, force[0] / size, force[1] / size, force[2] / size, hint[0], hint[1], hint[2]);
    for (let k = 0; k < 3; k++) position[3 * i + k] = surfaces.world[v + k] - depth * frame[9 * i + k];
    return i;
  }

  /** Adds collision n of surfaces with the normal force that it has, N; its number in the set. */
  addSurface(out: ContactSet, n: number, force: number): number {
    const { contacts: list, candidates, surfaces, frames } = this.#source;
    const i = out.reserve(1);
    const pair = list.pair[n];
    this.#geometry.read(this.#blocks, list, n, surfaces, frames.current);
    const length = Math.sqrt(list.square[n]);
    const two = surfaces.surfaces[surfaces.surfaceOf[list.part[4 * n]]].shape;
    const one = two === candidates.pairs.shape1[pair] ? candidates.pairs.shape2[pair] : candidates.pairs.shape1[pair];
    this.setSides(out, i, one, two, this.#blocks.frameB, this.#blocks.frameA);
    out.gap[i] = length - candidates.pairs.separation[pair];
    out.pair[i] = pair;
    out.feature[i] = n;
    for (let k = 0; k < 2; k++) witness.anisotropy[k] = candidates.pairs.anisotropy[2 * pair + k];
    this.#geometry.writeWitnessPoints(witness, this.#blocks, list, n, surfaces, frames.current);
    const { normal, tangentHint: hint } = witness;
    writeContactFrame(out.frame, 9 * i, normal[0], normal[1], normal[2], hint[0], hint[1], hint[2]);
    // half way between the surfaces
    for (let k = 0; k < 3; k++) out.position[3 * i + k] = 0.5 * (witness.pointA[k] + witness.pointB[k]);
    if (list.isSoft(n, surfaces)) this.#setSoftSides(out, i, n, force);
    this.setForce(out, i, force, candidates.pairs.friction[pair], witness.anisotropy);
    return i;
  }
}
