/**
 * How rows of `sap` depend on the state: y = J v − v̂ with v̂ = −φ/(h + τ) of contacts and −C/(2h) of limits, less where they are overrun
 * (limit-recovery.ts). Regularisations follow the inverse mass w that a block sees, w = |W|_F/3 of contacts and W of single rows, W = J A⁻¹ Jᵀ. With c_k = A⁻¹ J_kᵀ
 *   δw = (2 Σ δJ_k · e_k − Σ c_k · δA e_k)/s,   e_k = Σ W_kl c_l        contacts: s = 9 w;  single rows: e = c, s = 1
 * of which each k is one sweep over the trees of the block.
 */
import type { ContactMotion } from '../../collision/contact-motion.ts';
import { AHEAD, type ContactSet } from '../../collision/contact-set.ts';
import type { ContactAdjoint } from '../../contact/contact-adjoint.ts';
import { MotionAdjoint } from '../../dynamics/motion-adjoint.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { solveRows } from '../../linear-algebra/tree-ldl.ts';
import type { Model } from '../../model/model.ts';
import { SOURCE, ZONE } from '../../objective/convex-problem.ts';
import { evaluateLaw } from '../../objective/law-table.ts';
import { measureRecoveryRate } from '../limit-recovery.ts';
import type { InputBars, RateParts, RowRates } from '../row-rates.ts';
import { refitContact } from './contact-blocks.ts';
import { dissipationTime } from './contact-material.ts';
import type { SapBuilder } from './sap-builder.ts';

/** Share of w by which laws are varied. */
const SHARE = 1e-5;

/** What a block depends on by w: ∂f/∂w of its rows, and ∂w/∂q of some dofs. */
interface InverseMass {
  readonly forceRate: Float64Array;
  readonly dofs: Int32Array;
  readonly rate: Float64Array;
}

export class SapRates implements RowRates {
  readonly #model: Model;
  readonly #work: Workspace;
  readonly #builder: SapBuilder;
  readonly #contacts: ContactSet;
  readonly #adjoint: ContactAdjoint;
  readonly #rates: ContactMotion;
  readonly #motion: MotionAdjoint;
  readonly #columns: Float64Array[];
  readonly #mixed: Float64Array[];
  readonly #rows: Float64Array[];
  readonly #byPosition: Float64Array;
  readonly #byVelocity: Float64Array;
  readonly #weights = { virtual: new Float64Array(6), motion: new Float64Array(6), twist: new Float64Array(6) };
  #known: (InverseMass | undefined)[] = [];

  constructor(builder: SapBuilder, { model, work, contacts, contactAdjoint, contactMotion }: RateParts) {
    const nv = model.size.velocity;
    this.#model = model;
    this.#work = work;
    this.#builder = builder;
    this.#contacts = contacts;
    this.#adjoint = contactAdjoint;
    this.#rates = contactMotion;
    this.#motion = new MotionAdjoint(model, work);
    this.#columns = [0, 1, 2].map(() => new Float64Array(nv));
    this.#mixed = [0, 1, 2].map(() => new Float64Array(nv));
    this.#rows = [0, 1, 2].map(() => new Float64Array(nv));
    this.#byPosition = new Float64Array(nv);
    this.#byVelocity = new Float64Array(nv);
  }

  begin(): boolean {
    this.#known = new Array(this.#builder.problem.blockCount).fill(undefined);
    return true;
  }

  speedRate(): number {
    return 0;
  }

  gapBar(_block: number, contact: number, _eta: Float64Array, curved: Float64Array): number {
    const { options, h } = this.#builder;
    if (this.#contacts.ahead[contact] === AHEAD.byImpact) return curved[0] / h;
    return curved[0] / (h + dissipationTime(options, this.#contacts, contact));
  }

  readonly knowsTendons: boolean = false;

  limitBar(block: number, _distance: number, _eta: number, curved: number): number {
    const { problem, h } = this.#builder;
    return curved * measureRecoveryRate(problem.reference[problem.rows.rowStart[block]], h);
  }

  addInverseMass(out: InputBars, block: number, eta: Float64Array, dimension: number): void {
    const { problem } = this.#builder;
    let known = this.#known[block];
    if (!known) {
      known = problem.source[block] === SOURCE.contact ? this.#readContact(block, dimension) : this.#readRow(block);
      this.#known[block] = known;
    }
    let bar = 0;
    for (let k = 0; k < dimension; k++) bar -= eta[k] * known.forceRate[k];
    if (bar === 0) return;
    for (let n = 0; n < known.dofs.length; n++) out.position[known.dofs[n]] += bar * known.rate[n];
  }

  // a limit or dry friction: f = −y/R with R in proportion to w where it is not at a bound
  #readRow(block: number): InverseMass {
    const { problem } = this.#builder;
    const { rows, zone, force, source, sourceIndex } = problem;
    const row = rows.rowStart[block];
    const { joint } = this.#model;
    const dof = source[block] === SOURCE.jointLimit ? joint.dofStart[sourceIndex[block]] : sourceIndex[block];
    const [column] = this.#columns;
    const range = this.#findTree(this.#model.dof.body[dof]);
    this.#clear(column, [range]);
    column[dof] = 1;
    this.#solveTree(column, range);
    const w = column[dof];
    const isFree = zone[row] === ZONE.quadratic;
    if (!isFree) return { forceRate: new Float64Array(1), dofs: new Int32Array(0), rate: new Float64Array(0) };
    this.#motion.ranges = [range.firstBody, range.endBody];
    this.#startSweep([range]);
    this.#sweep(column, column, -1);
    return { forceRate: Float64Array.of(-force[row] / w), ...this.#readSweep([range]) };
  }

  #readContact(block: number, dimension: number): InverseMass {
    const contacts = this.#contacts;
    const i = this.#builder.problem.sourceIndex[block];
    const ranges = [contacts.carrier1[i], contacts.carrier2[i]]
      .filter((b) => this.#model.body.lastDof[b] >= 0)
      .map((b) => this.#findTree(b));
    const trees = ranges.length === 2 && ranges[0].firstBody === ranges[1].firstBody ? ranges.slice(1) : ranges;
    const gram = new Float64Array(9);
    for (let k = 0; k < 3; k++) {
      const column = this.#columns[k];
      this.#clear(column, trees);
      this.#writeRow(column, i, k);
    }
    const rows = this.#rows;
    for (let k = 0; k < 3; k++)
      for (const { firstDof, endDof } of trees)
        for (let d = firstDof; d < endDof; d++) rows[k][d] = this.#columns[k][d];
    for (const column of this.#columns) for (const tree of trees) this.#solveTree(column, tree);
    let square = 0;
    for (let k = 0; k < 3; k++) {
      for (let l = 0; l < 3; l++) {
        let sum = 0;
        for (const { firstDof, endDof } of trees)
          for (let d = firstDof; d < endDof; d++) sum += rows[k][d] * this.#columns[l][d];
        gram[3 * k + l] = sum;
        square += sum * sum;
      }
    }
    const w = Math.sqrt(square) / 3;
    const forceRate = this.#differentiateLaw(block, i, dimension, w);
    if (forceRate.every((rate) => rate === 0)) return { forceRate, dofs: new Int32Array(0), rate: new Float64Array(0) };
    this.#motion.ranges = trees.flatMap(({ firstBody, endBody }) => [firstBody, endBody]);
    this.#startSweep(trees);
    for (let k = 0; k < 3; k++) {
      const mixed = this.#mixed[k];
      for (const { firstDof, endDof } of trees) {
        for (let d = firstDof; d < endDof; d++) {
          let sum = 0;
          for (let l = 0; l < 3; l++) sum += gram[3 * k + l] * this.#columns[l][d];
          mixed[d] = sum / (9 * w);
        }
      }
      this.#weights.virtual.fill(0);
      this.#weights.virtual[k] = 2;
      this.#sweep(mixed, this.#columns[k], -1, i);
    }
    return { forceRate, ...this.#readSweep(trees) };
  }

  // ∂f/∂w with y as it is
  #differentiateLaw(block: number, i: number, dimension: number, w: number): Float64Array {
    const { problem } = this.#builder;
    const { rows, force } = problem;
    const first = rows.rowStart[block];
    const rate = new Float64Array(dimension);
    for (const sign of [1, -1]) {
      refitContact(this.#builder, this.#contacts, i, block, w * (1 + sign * SHARE));
      evaluateLaw(problem, block);
      for (let k = 0; k < dimension; k++) rate[k] += (0.5 * sign * force[first + k]) / (SHARE * w);
    }
    refitContact(this.#builder, this.#contacts, i, block, w);
    // its Hessian depends on the numbers that were changed
    problem.zone.fill(-1, first, first + dimension);
    evaluateLaw(problem, block);
    return rate;
  }

  #findTree(body: number): TreeRange {
    const { body: bodies, dof } = this.#model;
    const root = bodies.root[body];
    const endBody = this.#work.plan.subtreeEnd[root];
    // dofs of a tree stand together
    let firstDof = bodies.lastDof[body];
    let endDof = firstDof + 1;
    while (firstDof > 0 && bodies.root[dof.body[firstDof - 1]] === root) firstDof--;
    while (endDof < dof.body.length && bodies.root[dof.body[endDof]] === root) endDof++;
    return { firstBody: root, endBody, firstDof, endDof };
  }

  #clear(x: Float64Array, trees: readonly TreeRange[]): void {
    for (const { firstDof, endDof } of trees) x.fill(0, firstDof, endDof);
  }

  #solveTree(x: Float64Array, { firstDof, endDof }: TreeRange): void {
    const { factor, inverseDiagonal } = this.#builder.delassus;
    const { rowStart, column } = this.#work.plan;
    solveRows(x, 0, factor, inverseDiagonal, rowStart, column, firstDof, endDof);
  }

  // row k of a contact, over the dofs of its trees
  #writeRow(out: Float64Array, i: number, k: number): void {
    const { body, dof } = this.#model;
    const { motionSubspace, treeCenter } = this.#work;
    const { frame, position, carrier1, carrier2 } = this.#contacts;
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

  #startSweep(trees: readonly TreeRange[]): void {
    this.#clear(this.#byPosition, trees);
    this.#clear(this.#byVelocity, trees);
  }

  // adds the derivative of scale · λᵀ M a, and where a contact is given of its weighted rows along λ
  #sweep(lambda: Float64Array, acceleration: Float64Array, scale: number, contact = -1): void {
    const motion = this.#motion;
    motion.begin(lambda, acceleration, this.#byVelocity);
    motion.addInertia({ acceleration, scale, hasCoriolis: false, hasWeight: false });
    if (contact >= 0) this.#adjoint.add(motion, this.#rates, this.#contacts, contact, 3, this.#weights, 0);
    // nothing depends on velocities
    motion.finish(this.#byPosition, this.#byVelocity);
  }

  #readSweep(trees: readonly TreeRange[]): { dofs: Int32Array; rate: Float64Array } {
    const dofs = trees.flatMap(({ firstDof, endDof }) =>
      Array.from({ length: endDof - firstDof }, (_, k) => firstDof + k),
    );
    return { dofs: Int32Array.from(dofs), rate: Float64Array.from(dofs, (d) => this.#byPosition[d]) };
  }
}

/** A tree: its bodies and dofs. */
interface TreeRange {
  readonly firstBody: number;
  readonly endBody: number;
  readonly firstDof: number;
  readonly endDof: number;
}
