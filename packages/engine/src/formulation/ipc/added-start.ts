/**
 * How the user's terms depend on where a step starts, for derivatives: a damper measures from there how far its points have gone. The matrix
 * G = ∂²ψ/∂x∂x⁰, x the solution of the step and x⁰ its start, by centred differences of the gradient alone, without a solve.
 * Frames on which no frame depends together, by the blocks of the Hessian, are shifted together; where one difference of all frames shows
 * that ψ depends on more of the start than on the end, each frame is shifted by itself.
 */
import type { FramePoses, Frames } from '../../dynamics/frames.ts';
import { integrateQuaternion, matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import type { AddedTerms } from './terms/added-terms.ts';

/** Length of differences, m or rad. */
const LENGTH = 2e-7;
/** Share of the largest number of a difference of all frames up to which it is the sum of those of each. */
const ALIKE = 1e-5;

/** Rows of some frames, six each, by number `axis` of the start of one: along the world, or about the axes of its body. */
interface StartColumn {
  readonly start: number;
  readonly axis: number;
  readonly rows: readonly number[];
  readonly values: Float64Array;
}

const unit = /* @__PURE__ */ new Float64Array(3);

export class AddedStart {
  readonly #added: AddedTerms;
  readonly #frames: Frames;
  #columns: StartColumn[] = [];

  constructor(added: AddedTerms, frames: Frames) {
    this.#added = added;
    this.#frames = frames;
  }

  /** Measures G at the current poses. */
  measure(): void {
    this.#columns = [];
    if (this.#added.isEmpty || !this.#added.readsStart) return;
    const near = this.#added.listNear(this.#frames.current);
    for (const members of paint(near)) this.#differentiate(members, near);
    if (!this.#isWhole()) {
      this.#columns = [];
      const all = [...near.keys()];
      for (const f of all) this.#differentiate([f], new Map([[f, all]]));
    }
    this.#added.beginFrom(this.#frames.start);
  }

  /** Adds the derivatives of λ · ∂ψ/∂x by the start, six numbers per frame. */
  addRate(out: Float64Array, lambda: Float64Array): void {
    for (const { start, axis, rows, values } of this.#columns) {
      let sum = 0;
      rows.forEach((f, n) => {
        for (let k = 0; k < 6; k++) sum += lambda[6 * f + k] * values[6 * n + k];
      });
      out[6 * start + axis] += sum;
    }
  }

  #differentiate(members: readonly number[], near: ReadonlyMap<number, readonly number[]>): void {
    for (let axis = 0; axis < 6; axis++) {
      const moved = axis < 3 ? members : members.filter((f) => f < this.#frames.moving);
      if (moved.length === 0) continue;
      const rate = this.#measureRate(moved, axis, () => 1);
      for (const start of moved) {
        const rows = near.get(start)!;
        const values = new Float64Array(6 * rows.length);
        rows.forEach((f, n) => {
          values.set(rate.subarray(6 * f, 6 * f + 6), 6 * n);
        });
        if (values.some((value) => value !== 0)) this.#columns.push({ start, axis, rows, values });
      }
    }
  }

  // whether the columns say what all frames do together
  #isWhole(): boolean {
    const { moving, count } = this.#frames;
    const weigh = (f: number): number => Math.sin(1 + f);
    const all = Array.from({ length: count }, (_, f) => f).filter((f) => f !== moving);
    for (let axis = 0; axis < 6; axis++) {
      const moved = axis < 3 ? all : all.filter((f) => f < moving);
      const rate = this.#measureRate(moved, axis, weigh);
      const largest = rate.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      for (const { start, axis: own, rows, values } of this.#columns) {
        if (own !== axis) continue;
        rows.forEach((f, n) => {
          for (let k = 0; k < 6; k++) rate[6 * f + k] -= weigh(start) * values[6 * n + k];
        });
      }
      if (rate.some((value) => Math.abs(value) > ALIKE * largest)) return false;
    }
    return true;
  }

  // ∂(∂ψ/∂x) by shifts of the start of some frames
  #measureRate(moved: readonly number[], axis: number, weigh: (f: number) => number): Float64Array {
    const plus = this.#evaluate(moved, axis, (f) => LENGTH * weigh(f));
    const minus = this.#evaluate(moved, axis, (f) => -LENGTH * weigh(f));
    return plus.map((value, i) => (value - minus[i]) / (2 * LENGTH));
  }

  #evaluate(moved: readonly number[], axis: number, amountOf: (f: number) => number): Float64Array {
    const start = copyOf(this.#frames.start);
    unit.fill(0);
    unit[axis % 3] = 1;
    for (const f of moved) {
      if (axis < 3) start.position[3 * f + axis] += amountOf(f);
      else {
        integrateQuaternion(start.orientation, 4 * f, unit, 0, amountOf(f));
        matrixFromQuaternion(start.rotation, 9 * f, start.orientation, 4 * f);
      }
    }
    this.#added.beginFrom(start);
    const out = new Float64Array(6 * this.#frames.count);
    this.#added.writeGradient(out, this.#frames.current);
    return out;
  }
}

// frames in groups, of which no two are near to the same one
function paint(near: ReadonlyMap<number, readonly number[]>): number[][] {
  const groups: { members: number[]; reached: Set<number> }[] = [];
  for (const [f, others] of near) {
    let group = groups.find(({ reached }) => others.every((other) => !reached.has(other)));
    if (!group) {
      group = { members: [], reached: new Set() };
      groups.push(group);
    }
    group.members.push(f);
    for (const other of others) group.reached.add(other);
  }
  return groups.map(({ members }) => members);
}

function copyOf({ position, orientation, rotation }: FramePoses): FramePoses {
  return { position: position.slice(), orientation: orientation.slice(), rotation: rotation.slice() };
}
