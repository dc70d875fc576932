import { copyInto } from '../linear-algebra/growth.ts';

/**
 * The contacts of one configuration, structure of arrays, sorted by pair of shapes and then by feature.
 *
 * Each contact has two sides, shape 1 and shape 2, and on each side a carrier: what moves with the contact point. The normal
 * points from side 1 to side 2; gap is negative in penetration; the point lies half way between the surfaces.
 */
export class ContactSet {
  /** Contacts in use. */
  count = 0;
  /** Numbers of the two shapes; soft body s counts as shape `size.shape` + s. */
  shape1: Int32Array = new Int32Array(0);
  /** Number of the second shape. */
  shape2: Int32Array = new Int32Array(0);
  /** What carries each side: see CARRIER; the number is that of the body or soft body. */
  carrierKind1: Uint8Array = new Uint8Array(0);
  /** The same of side 2. */
  carrierKind2: Uint8Array = new Uint8Array(0);
  /** Number of the body or soft body of side 1. */
  carrier1: Int32Array = new Int32Array(0);
  /** Number of the body or soft body of side 2. */
  carrier2: Int32Array = new Int32Array(0);
  /** Carriers that are soft: four vertices (−1 where there are fewer) and their weights, which sum to 1. */
  vertex1: Int32Array = new Int32Array(0);
  /** The same of side 2. */
  vertex2: Int32Array = new Int32Array(0);
  /** Weights of the four vertices of side 1. */
  weight1: Float64Array = new Float64Array(0);
  /** Weights of the four vertices of side 2. */
  weight2: Float64Array = new Float64Array(0);
  /** Faces of a pressure field: area, m², and pressure at the start of the step, Pa; zero at single points. */
  area: Float64Array = new Float64Array(0);
  /** Pressure of a face at the start of the step, Pa. */
  pressure: Float64Array = new Float64Array(0);
  /** World, m. */
  position: Float64Array = new Float64Array(0);
  /** Rows normal, first tangent, second tangent; world axes. */
  frame: Float64Array = new Float64Array(0);
  /** m. */
  gap: Float64Array = new Float64Array(0);
  /** Gap below which the contact acts; contacts above it are only detected, m. */
  margin: Float64Array = new Float64Array(0);
  /** Two sliding coefficients, spin (m), two rolling (m). */
  friction: Float64Array = new Float64Array(0);
  /** Dimension under `mujoco`: 1, 3, 4 or 6. */
  condim: Uint8Array = new Uint8Array(0);
  /** Time constant (s) and damping ratio under `mujoco`; two numbers. */
  solref: Float64Array = new Float64Array(0);
  /** Of the friction directions; zeros mean as `solref`. */
  solrefFriction: Float64Array = new Float64Array(0);
  /** Impedance under `mujoco`: at zero depth, at the width, width (m), midpoint, power; five numbers. */
  solimp: Float64Array = new Float64Array(0);
  /** N/m; 0 leaves it to the formulation. */
  stiffness: Float64Array = new Float64Array(0);
  /** s; negative leaves it to the formulation. */
  dissipation: Float64Array = new Float64Array(0);
  /** Coefficient of restitution, 0 to 1. */
  restitution: Float64Array = new Float64Array(0);
  /** Force by which the contact holds on under `mujoco`, N. */
  adhesion: Float64Array = new Float64Array(0);
  /** One number per pair of shapes, ascending over the set. */
  pair: Float64Array = new Float64Array(0);
  /** Stays with a contact while the same features of the same shapes touch. */
  feature: Int32Array = new Int32Array(0);
  /** Number of the same contact in the detection before, or −1. */
  previous: Int32Array = new Int32Array(0);
  /** Written by the solve: force of side 1 on side 2 in the contact frame, N, and spin and roll torques, N m; six numbers. */
  force: Float64Array = new Float64Array(0);
  /** Written by the solve: see CONTACT_MODE. */
  mode: Uint8Array = new Uint8Array(0);

  #capacity = 0;

  /** Makes room for some more contacts and returns the number of the first. */
  reserve(more: number): number {
    const first = this.count;
    this.count += more;
    if (this.count > this.#capacity) this.#grow();
    return first;
  }

  #grow(): void {
    const n = Math.max(64, 2 * this.count);
    this.shape1 = copyInto(this.shape1, new Int32Array(n));
    this.shape2 = copyInto(this.shape2, new Int32Array(n));
    this.carrierKind1 = copyInto(this.carrierKind1, new Uint8Array(n));
    this.carrierKind2 = copyInto(this.carrierKind2, new Uint8Array(n));
    this.carrier1 = copyInto(this.carrier1, new Int32Array(n));
    this.carrier2 = copyInto(this.carrier2, new Int32Array(n));
    this.vertex1 = copyInto(this.vertex1, new Int32Array(4 * n));
    this.vertex2 = copyInto(this.vertex2, new Int32Array(4 * n));
    this.weight1 = copyInto(this.weight1, new Float64Array(4 * n));
    this.weight2 = copyInto(this.weight2, new Float64Array(4 * n));
    this.area = copyInto(this.area, new Float64Array(n));
    this.pressure = copyInto(this.pressure, new Float64Array(n));
    this.position = copyInto(this.position, new Float64Array(3 * n));
    this.frame = copyInto(this.frame, new Float64Array(9 * n));
    this.gap = copyInto(this.gap, new Float64Array(n));
    this.margin = copyInto(this.margin, new Float64Array(n));
    this.friction = copyInto(this.friction, new Float64Array(5 * n));
    this.condim = copyInto(this.condim, new Uint8Array(n));
    this.solref = copyInto(this.solref, new Float64Array(2 * n));
    this.solrefFriction = copyInto(this.solrefFriction, new Float64Array(2 * n));
    this.solimp = copyInto(this.solimp, new Float64Array(5 * n));
    this.stiffness = copyInto(this.stiffness, new Float64Array(n));
    this.dissipation = copyInto(this.dissipation, new Float64Array(n));
    this.restitution = copyInto(this.restitution, new Float64Array(n));
    this.adhesion = copyInto(this.adhesion, new Float64Array(n));
    this.pair = copyInto(this.pair, new Float64Array(n));
    this.feature = copyInto(this.feature, new Int32Array(n));
    this.previous = copyInto(this.previous, new Int32Array(n));
    this.force = copyInto(this.force, new Float64Array(6 * n));
    this.mode = copyInto(this.mode, new Uint8Array(n));
    this.#capacity = n;
  }
}

/** Values of `carrierKind`: the world, a rigid body with the point fixed to it, or vertices of a soft body with weights. */
export const CARRIER = { world: 0, body: 1, soft: 2 } as const;

/** Values of `mode`: no force, a force inside the friction cone, a force on it (or no friction). */
export const CONTACT_MODE = { open: 0, stick: 1, slide: 2 } as const;
