/**
 * Contacts of bodies that roll and spin: friction asks for no slip in the middle of the step,
 *   J_t u = −σ b        b of contact-roll.ts
 * in place of J_t u = 0 at its start. In steady motion the velocity by which the body has come has the slip J_t (v + s) = b here, s of
 * inertial-motion.ts: so friction does no work over both. σ is at most 1 and such that it gives no more than the step before has
 * brought, σ |b| ≤ |J_t (v + s)|: what comes to rest gets no speed. Friction with a damping B in place of a velocity, −B J_t v, goes the same
 * way from b to −b with   a_ref = −B J_t (v + s) − (2/h − B) σ b.
 */
import { AHEAD, type ContactSet, isSoftContact } from '../collision/contact-set.ts';
import { ContactRoll } from '../contact/contact-roll.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Model } from '../model/model.ts';
import { type ConvexProblem, SOURCE } from '../objective/convex-problem.ts';
import { multiplyRow } from './contact-reach.ts';

/** Turn in a step below which the contact of a body counts as at rest on it, and from which it rolls, rad. */
const SLOW = 0.02;
const FAST = 0.05;

export class RollingContacts {
  /** Whether any contact of the last step rolls. */
  isActive = false;
  readonly #model: Model;
  readonly #roll: ContactRoll;
  /** Per body: ω in world axes, rad/s, and how much of b it takes. */
  readonly #spin: Float64Array;
  readonly #share: Float64Array;

  constructor(model: Model) {
    this.#model = model;
    this.#roll = new ContactRoll(model);
    this.#spin = new Float64Array(3 * model.size.body);
    this.#share = new Float64Array(model.size.body);
  }

  /**
   * Takes σ b from the references of the tangents of all contacts, velocities; or from accelerations with the damping B of each row.
   * `velocity` is v at the start of the step.
   */
  add(
    problem: ConvexProblem,
    work: Workspace,
    contacts: ContactSet,
    velocity: Float64Array,
    h: number,
    damping?: Float64Array,
  ): void {
    this.isActive = false;
    if (contacts.count === 0 || !this.#listFast(work, velocity, h)) return;
    const { rows, source, sourceIndex, reference } = problem;
    const { advanceShift } = work;
    const { frame } = contacts;
    const { slip } = this.#roll;
    for (let b = 0; b < rows.blockCount; b++) {
      const first = rows.rowStart[b];
      if (source[b] !== SOURCE.contact || rows.rowStart[b + 1] - first < 3) continue;
      const i = sourceIndex[b];
      const share = this.#measure(work, contacts, i, h);
      if (share === 0) continue;
      const f = 9 * i;
      let square = 0;
      let before = 0;
      for (let k = 1; k < 3; k++) {
        const t = f + 3 * k;
        const along = frame[t] * slip[0] + frame[t + 1] * slip[1] + frame[t + 2] * slip[2];
        square += along * along;
        before += (multiplyRow(problem, b, k, velocity) + multiplyRow(problem, b, k, advanceShift)) ** 2;
      }
      if (!(square > 0)) continue;
      const scale = share * Math.min(1, Math.sqrt(before / square));
      if (scale === 0) continue;
      this.isActive = true;
      for (let k = 1; k < 3; k++) {
        const t = f + 3 * k;
        const along = frame[t] * slip[0] + frame[t + 1] * slip[1] + frame[t + 2] * slip[2];
        if (damping) {
          const rate = damping[first + k];
          const lead = share * multiplyRow(problem, b, k, advanceShift);
          reference[first + k] -= Math.max(0, 2 / h - rate) * scale * along + rate * lead;
        } else reference[first + k] -= scale * along;
      }
    }
  }

  /** Measures b of contact i; how much of it is taken. */
  #measure(work: Workspace, contacts: ContactSet, i: number, h: number): number {
    if (isSoftContact(contacts, i) || contacts.ahead[i] !== AHEAD.no) return 0;
    const one = this.#share[contacts.carrier1[i]];
    const two = this.#share[contacts.carrier2[i]];
    // on a side that does not turn
    if (one > 0 === two > 0) return 0;
    const isSecond = two > 0;
    return this.#roll.measure(work, contacts, i, isSecond, this.#spin, h) ? one + two : 0;
  }

  #listFast(
    { plan, bodyRotation: rotation, inertialChange, advanceShift }: Workspace,
    velocity: Float64Array,
    h: number,
  ): boolean {
    const { spinningBodies, takesMeanVelocity } = plan.inertial;
    if (!takesMeanVelocity) return false;
    const { dofStart, dofCount } = this.#model.body;
    let isAny = false;
    for (let n = 0; n < spinningBodies.length; n++) {
      const b = spinningBodies[n];
      const i = dofStart[b] + dofCount[b] - 3;
      const x = velocity[i] + inertialChange[i] + advanceShift[i];
      const y = velocity[i + 1] + inertialChange[i + 1] + advanceShift[i + 1];
      const z = velocity[i + 2] + inertialChange[i + 2] + advanceShift[i + 2];
      const angle = h * Math.sqrt(x * x + y * y + z * z);
      this.#share[b] = Math.max(0, Math.min(1, (angle - SLOW) / (FAST - SLOW)));
      if (this.#share[b] === 0) continue;
      isAny = true;
      for (let k = 0; k < 3; k++) {
        const r = 9 * b + 3 * k;
        this.#spin[3 * b + k] = rotation[r] * x + rotation[r + 1] * y + rotation[r + 2] * z;
      }
    }
    return isAny;
  }
}
