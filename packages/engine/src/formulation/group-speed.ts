/**
 * How fast bodies may be after a step that stops some of them, and how heavy the heaviest that they may carry is. Bodies that fall together have no velocity relative to each other, so
 * nothing closes the gaps between them, until the lowest one lands: then the next one meets it in the same step. Contacts at a gap connect
 * bodies and mechanisms into groups, and within a group no gap may be left out that its fastest point can close:
 *   φ < h u,   u = max over the group of |v| + h |g|
 * An impact without bounce makes no body faster than the fastest one was.
 * A contact of a light body may bear the weight of the heaviest of its group, and its softness, in units of its own inverse mass, is to be less then:
 *   share = 2⁻ⁿ,   the largest with share M ≤ 10 m
 * m the lighter mechanism of the contact, M the heaviest of the group, kg. A power of two: it stays as it is where masses change a little.
 * Symbols: φ gap m, h time step s, v velocity of a body at one of its contacts m/s, g gravity m/s².
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';

/** Loads up to so many times their own mass are usual for bodies. */
const USUAL_LOAD = 10;

export class GroupSpeed {
  readonly #model: Model;
  /** Per body: the body above it in the tree of its group. */
  readonly #above: Int32Array;
  /** The same where nothing touches: mechanisms alone. */
  readonly #mechanism: Int32Array;
  /** Of the topmost body of a group: u, m/s. */
  readonly #speed: Float64Array;
  /** The same: M, kg. */
  readonly #mass: Float64Array;

  constructor(model: Model, memory: Memory) {
    const { body, size, constraintJoint } = model;
    this.#model = model;
    this.#above = memory.i32(size.body);
    this.#mechanism = memory.i32(size.body);
    this.#speed = memory.f64(size.body);
    this.#mass = memory.f64(size.body);
    for (let b = 0; b < size.body; b++) this.#above[b] = body.lastDof[b] < 0 ? b : body.root[b];
    for (let j = 0; j < constraintJoint.body1.length; j++)
      this.#join(constraintJoint.body1[j], constraintJoint.body2[j]);
    this.#mechanism.set(this.#above);
  }

  /** Takes the groups and speeds of a contact set; the workspace has the velocities at the start of the step. */
  measure(work: Workspace, contacts: ContactSet, h: number): void {
    const { carrier1, carrier2, count } = contacts;
    this.#above.set(this.#mechanism);
    for (let i = 0; i < count; i++) if (isRigid(contacts, i)) this.#join(carrier1[i], carrier2[i]);
    const { gravity, disabled } = this.#model.options;
    const fall = disabled.has('gravity') ? 0 : h * Math.hypot(gravity[0], gravity[1], gravity[2]);
    this.#speed.fill(fall);
    this.#mass.fill(0);
    for (let i = 0; i < count; i++) {
      if (!isRigid(contacts, i)) continue;
      this.#raise(work, contacts, i, carrier1[i], fall);
      this.#raise(work, contacts, i, carrier2[i], fall);
    }
  }

  /** u of the group of contact i, m/s; 0 for contacts of soft bodies. */
  of(contacts: ContactSet, i: number): number {
    if (!isRigid(contacts, i)) return 0;
    const { lastDof } = this.#model.body;
    const b = lastDof[contacts.carrier1[i]] >= 0 ? contacts.carrier1[i] : contacts.carrier2[i];
    return this.#speed[this.#findTop(b)];
  }

  /** Share of the usual softness that contact i has, 1 for contacts of soft bodies. */
  loadShare(contacts: ContactSet, i: number): number {
    if (!isRigid(contacts, i)) return 1;
    const { lastDof, root, subtreeMass } = this.#model.body;
    const one = contacts.carrier1[i];
    const two = contacts.carrier2[i];
    let light = Infinity;
    if (lastDof[one] >= 0) light = subtreeMass[root[one]];
    if (lastDof[two] >= 0) light = Math.min(light, subtreeMass[root[two]]);
    const heavy = this.#mass[this.#findTop(lastDof[one] >= 0 ? one : two)];
    let share = 1;
    while (share * heavy > USUAL_LOAD * light && light > 0) share *= 0.5;
    return share;
  }

  #raise({ bodyTwist, treeCenter }: Workspace, { position }: ContactSet, i: number, b: number, fall: number): void {
    const { lastDof, root, subtreeMass } = this.#model.body;
    if (lastDof[b] < 0) return;
    const t = 6 * b;
    const c = 3 * root[b];
    // velocity of the point that is at the contact: twists are about the centre of the tree
    const x = position[3 * i] - treeCenter[c];
    const y = position[3 * i + 1] - treeCenter[c + 1];
    const z = position[3 * i + 2] - treeCenter[c + 2];
    const vx = bodyTwist[t + 3] + bodyTwist[t + 1] * z - bodyTwist[t + 2] * y;
    const vy = bodyTwist[t + 4] + bodyTwist[t + 2] * x - bodyTwist[t] * z;
    const vz = bodyTwist[t + 5] + bodyTwist[t] * y - bodyTwist[t + 1] * x;
    const top = this.#findTop(b);
    this.#speed[top] = Math.max(this.#speed[top], Math.sqrt(vx * vx + vy * vy + vz * vz) + fall);
    this.#mass[top] = Math.max(this.#mass[top], subtreeMass[root[b]]);
  }

  // what does not move connects nothing
  #join(one: number, two: number): void {
    const { lastDof } = this.#model.body;
    if (lastDof[one] < 0 || lastDof[two] < 0) return;
    const a = this.#findTop(one);
    const b = this.#findTop(two);
    if (a < b) this.#above[b] = a;
    else this.#above[a] = b;
  }

  #findTop(b: number): number {
    const above = this.#above;
    let top = b;
    while (above[top] !== top) {
      above[top] = above[above[top]];
      top = above[top];
    }
    return top;
  }
}

function isRigid({ carrierKind1, carrierKind2 }: ContactSet, i: number): boolean {
  return carrierKind1[i] !== CARRIER.soft && carrierKind2[i] !== CARRIER.soft;
}
