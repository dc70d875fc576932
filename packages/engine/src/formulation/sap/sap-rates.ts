/**
 * How contacts of `sap` depend on the state: v̂ = −φ/(h + τ). With w = |W|_F/3, W = J A⁻¹ Jᵀ over normal and tangents, and c_k = A⁻¹ J_kᵀ
 *   δw = (2 Σ δJ_k · e_k − Σ c_k · δA e_k)/(9 w),   e_k = Σ W_kl c_l
 * of which each k is one sweep over the trees of the contact; in closed form between free bodies (free-inverse-mass.ts). Other rows:
 * velocity-rates.ts.
 */
import { AHEAD } from '../../collision/contact-set.ts';
import { evaluateLaw } from '../../objective/law-table.ts';
import type { RateParts } from '../row-rates.ts';
import { type InverseMass, NO_INVERSE_MASS, type TreeRange, VelocityRates } from '../velocity-solve/velocity-rates.ts';
import { refitContact } from './contact-blocks.ts';
import { dissipationTime } from './contact-material.ts';
import { FreeInverseMass } from './free-inverse-mass.ts';
import type { SapBuilder } from './sap-builder.ts';

/** Share of w by which laws are varied. */
const SHARE = 1e-5;

export class SapRates extends VelocityRates {
  readonly #builder: SapBuilder;
  readonly #columns: Float64Array[];
  readonly #mixed: Float64Array;
  readonly #rows: Float64Array[];
  readonly #free: FreeInverseMass;
  readonly #weights = { virtual: new Float64Array(6), motion: new Float64Array(6), twist: new Float64Array(6) };

  constructor(builder: SapBuilder, parts: RateParts) {
    super(builder, parts);
    const nv = parts.model.size.velocity;
    this.#builder = builder;
    this.#columns = [0, 1, 2].map(() => new Float64Array(nv));
    this.#rows = [0, 1, 2].map(() => new Float64Array(nv));
    this.#mixed = new Float64Array(nv);
    this.#free = new FreeInverseMass(parts);
  }

  override begin(): boolean {
    return super.begin() && !this.#builder.rolling.isActive;
  }

  gapBar(_block: number, contact: number, _eta: Float64Array, curved: Float64Array): number {
    const { options, h } = this.#builder;
    if (this.contacts.ahead[contact] === AHEAD.byImpact) return curved[0] / h;
    return curved[0] / (h + dissipationTime(options, this.contacts, contact));
  }

  protected readContact(block: number, dimension: number): InverseMass {
    const { rows: problemRows } = this.#builder.problem;
    const { force } = this.#builder.problem.data;
    const first = problemRows.rowStart[block];
    // an open contact stays without force whatever w is
    let isOpen = true;
    for (let r = first; r < first + dimension; r++) if (force[r] !== 0) isOpen = false;
    if (isOpen) return NO_INVERSE_MASS;
    const i = this.#builder.problem.sourceIndex[block];
    if (this.#free.knows(this.contacts, i)) {
      const w = this.#free.measure(this.contacts, i);
      const forceRate = this.#differentiateLaw(block, i, dimension, w);
      if (forceRate.every((rate) => rate === 0)) return NO_INVERSE_MASS;
      return { forceRate, ...this.#free.differentiate(this.contacts, i) };
    }
    const trees = this.#listTrees(i);
    const rows = this.#rows;
    const columns = this.#columns;
    for (let k = 0; k < 3; k++) {
      this.clear(rows[k], trees);
      this.#writeRow(rows[k], i, k);
      for (const { firstDof, endDof } of trees) columns[k].set(rows[k].subarray(firstDof, endDof), firstDof);
      for (const tree of trees) this.solveTree(columns[k], tree);
    }
    const gram = new Float64Array(9);
    let square = 0;
    for (let k = 0; k < 3; k++) {
      for (let l = 0; l < 3; l++) {
        let sum = 0;
        for (const { firstDof, endDof } of trees)
          for (let d = firstDof; d < endDof; d++) sum += rows[k][d] * columns[l][d];
        gram[3 * k + l] = sum;
        square += sum * sum;
      }
    }
    const w = Math.sqrt(square) / 3;
    const forceRate = this.#differentiateLaw(block, i, dimension, w);
    if (forceRate.every((rate) => rate === 0)) return NO_INVERSE_MASS;
    this.startSweep(trees);
    for (let k = 0; k < 3; k++) {
      const mixed = this.#mixed;
      for (const { firstDof, endDof } of trees) {
        for (let d = firstDof; d < endDof; d++) {
          let sum = 0;
          for (let l = 0; l < 3; l++) sum += gram[3 * k + l] * columns[l][d];
          mixed[d] = sum / (9 * w);
        }
      }
      this.#weights.virtual.fill(0);
      this.#weights.virtual[k] = 2;
      this.sweep(mixed, columns[k], i, this.#weights);
    }
    return { forceRate, ...this.readSweep(trees) };
  }

  #listTrees(i: number): TreeRange[] {
    const { carrier1, carrier2 } = this.contacts;
    const { lastDof } = this.model.body;
    const trees: TreeRange[] = [];
    for (const b of [carrier1[i], carrier2[i]]) {
      if (lastDof[b] < 0) continue;
      const tree = this.findTree(b);
      if (trees[0]?.firstBody !== tree.firstBody) trees.push(tree);
    }
    return trees;
  }

  // ∂f/∂w with y as it is
  #differentiateLaw(block: number, i: number, dimension: number, w: number): Float64Array {
    const { problem } = this.#builder;
    const { rows } = problem;
    const { force } = problem.data;
    const first = rows.rowStart[block];
    const rate = new Float64Array(dimension);
    this.#builder.loadShare = this.#builder.groupSpeed.loadShare(this.contacts, i);
    for (const sign of [1, -1]) {
      refitContact(this.#builder, this.contacts, i, block, w * (1 + sign * SHARE));
      evaluateLaw(problem, block);
      for (let k = 0; k < dimension; k++) rate[k] += (0.5 * sign * force[first + k]) / (SHARE * w);
    }
    refitContact(this.#builder, this.contacts, i, block, w);
    // its Hessian depends on the numbers that were changed
    problem.data.zone.fill(-1, first, first + dimension);
    evaluateLaw(problem, block);
    return rate;
  }

  // row k of a contact, over the dofs of its trees
  #writeRow(out: Float64Array, i: number, k: number): void {
    const { body, dof } = this.model;
    const { motionSubspace, treeCenter } = this.work;
    const { frame, position, carrier1, carrier2 } = this.contacts;
    const f = 9 * i + 3 * k;
    for (let side = 0; side < 2; side++) {
      const b = side === 0 ? carrier1[i] : carrier2[i];
      const sign = side === 0 ? -1 : 1;
      const c = 3 * body.root[b];
      const x = position[3 * i] - treeCenter[c];
      const y = position[3 * i + 1] - treeCenter[c + 1];
      const z = position[3 * i + 2] - treeCenter[c + 2];
      const fx = sign * frame[f];
      const fy = sign * frame[f + 1];
      const fz = sign * frame[f + 2];
      const mx = y * fz - z * fy;
      const my = z * fx - x * fz;
      const mz = x * fy - y * fx;
      for (let d = body.lastDof[b]; d >= 0; d = dof.parent[d]) {
        const s = 6 * d;
        out[d] +=
          motionSubspace[s] * mx +
          motionSubspace[s + 1] * my +
          motionSubspace[s + 2] * mz +
          motionSubspace[s + 3] * fx +
          motionSubspace[s + 4] * fy +
          motionSubspace[s + 5] * fz;
      }
    }
  }
}
