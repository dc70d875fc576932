/**
 * Friction pyramids with n edges in the tangent plane, n even. Edges are n ± μ_j d_j for j = 0 … n/2 − 1,
 *   μ_j d_j = μ₁ cos θ_j t₁ + μ₂ sin θ_j t₂,   θ_j = 2π j/n,   |d_j| = 1
 * with normal n and tangents t₁, t₂ of the contact frame, μ₁ and μ₂ their friction. MuJoCo's pyramid is n = 4: its edges lie on the
 * cone, so a pyramid is inscribed in the cone. In the direction of an edge friction is μ, halfway between two μ cos(π/n).
 * Spin and roll have a pair of edges each, as with n = 4.
 *
 * A block has the rows normal, d_0 … d_(n/2−1), spin, roll, roll: the law of friction-pyramid.ts takes any number of pairs.
 */
import { CONTACT_MODE, type ContactSet } from '../../collision/contact-set.ts';
import type { BlockRows } from '../../linear-algebra/block-rows.ts';
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';

/** Tangents of a contact frame. */
const TANGENTS = 2;

export class PyramidDirections {
  /** n/2. */
  readonly count: number;
  /** Parts of d_j along t₁ and t₂, and μ_j. */
  readonly along1: Float64Array;
  readonly along2: Float64Array;
  readonly friction: Float64Array;
  readonly #cosine: Float64Array;
  readonly #sine: Float64Array;

  constructor(edges: number) {
    this.count = edges / 2;
    this.along1 = new Float64Array(this.count);
    this.along2 = new Float64Array(this.count);
    this.friction = new Float64Array(this.count);
    this.#cosine = Float64Array.from({ length: this.count }, (_, j) => Math.cos((2 * Math.PI * j) / edges));
    this.#sine = Float64Array.from({ length: this.count }, (_, j) => Math.sin((2 * Math.PI * j) / edges));
  }

  /** Takes the friction along both tangents. */
  set(friction1: number, friction2: number): void {
    for (let j = 0; j < this.count; j++) {
      const a = friction1 * this.#cosine[j];
      const b = friction2 * this.#sine[j];
      const mu = Math.sqrt(a * a + b * b);
      this.friction[j] = mu;
      this.along1[j] = a / mu;
      this.along2[j] = b / mu;
    }
  }

  /** Turns the rows of the last block, normal, t₁, t₂, spin, roll, roll as far as it has them, into those of the pyramid. */
  expandRows(rows: BlockRows): void {
    const { count } = this;
    const block = rows.blockCount - 1;
    const more = count - TANGENTS;
    const before = rows.rowCount - rows.rowStart[block];
    rows.extend(more);
    const { value } = rows;
    const n = rows.columnCount[block];
    const first = rows.valueStart[block];
    // spin and roll move back
    value.copyWithin(first + (count + 1) * n, first + (TANGENTS + 1) * n, first + before * n);
    for (let i = first; i < first + n; i++) {
      const a = value[i + n];
      const b = value[i + 2 * n];
      for (let j = 0; j < count; j++) value[i + (j + 1) * n] = this.along1[j] * a + this.along2[j] * b;
    }
  }

  /** Forces of a block in the contact frame, to `out` from `o` on: normal, tangents, spin, roll, roll. */
  readForce(out: Float64Array, o: number, force: Float64Array, first: number, rowCount: number): void {
    const { count } = this;
    let a = 0;
    let b = 0;
    for (let j = 0; j < count; j++) {
      a += this.along1[j] * force[first + 1 + j];
      b += this.along2[j] * force[first + 1 + j];
    }
    out[o] = force[first];
    out[o + 1] = a;
    out[o + 2] = b;
    for (let k = count + 1; k < rowCount; k++) out[o + k - count + TANGENTS] = force[first + k];
  }

  /** How much of the polygon a tangential force uses: 1 on its boundary. Sides have normals halfway between two edges. */
  measureUse(tangent1: number, tangent2: number, friction1: number, friction2: number): number {
    const { count } = this;
    let most = 0;
    for (let j = 0; j < count; j++) {
      const next = j + 1 < count ? j + 1 : 0;
      const sign = j + 1 < count ? 1 : -1;
      // the normal of the side is the sum of the two edges, of length 2 cos(π/n)
      const c = this.#cosine[j] + sign * this.#cosine[next];
      const s = this.#sine[j] + sign * this.#sine[next];
      const apothem = 0.5 * (c * c + s * s);
      most = Math.max(most, Math.abs((c * tangent1) / friction1 + (s * tangent2) / friction2) / apothem);
    }
    return most;
  }
}

/** Forces and modes of contacts with more than four edges, from the rows of their pyramids; `friction` reads μ of a row. */
export function readPyramidForces(
  directions: PyramidDirections,
  problem: ConvexProblem,
  contacts: ContactSet,
  friction: (contacts: ContactSet, i: number, row: number) => number,
): void {
  const { rows, law, source, sourceIndex } = problem;
  const { force } = problem.data;
  for (let b = 0; b < rows.blockCount; b++) {
    if (source[b] !== SOURCE.contact || law[b] !== CONSTRAINT_LAW.pyramid) continue;
    const i = sourceIndex[b];
    const first = rows.rowStart[b];
    const rowCount = rows.rowStart[b + 1] - first;
    const mu1 = friction(contacts, i, 1);
    const mu2 = friction(contacts, i, 2);
    contacts.force.fill(0, 6 * i, 6 * i + 6);
    directions.set(mu1, mu2);
    directions.readForce(contacts.force, 6 * i, force, first, rowCount);
    if (!(force[first] > 0)) continue;
    let used = directions.measureUse(contacts.force[6 * i + 1], contacts.force[6 * i + 2], mu1, mu2);
    for (let k = 3; k < rowCount - directions.count + 2; k++)
      used += Math.abs(contacts.force[6 * i + k]) / friction(contacts, i, k);
    contacts.mode[i] = used >= (1 - 1e-9) * force[first] ? CONTACT_MODE.slide : CONTACT_MODE.stick;
  }
}
