/**
 * How rows of a formulation over velocities depend on the state (velocity-builder.ts): y = J v − v̂ with v̂ = −C/(2h) of equalities and limits,
 * less where these are overrun (limit-recovery.ts). Regularisations follow the inverse mass w that a row sees, w = J A⁻¹ Jᵀ. With c = A⁻¹ Jᵀ
 *   δw = 2 δJ · c − c · δA c
 * of which the last part is one sweep over the trees of the row. Contacts are the formulation's own.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { RowWeights } from '../../contact/contact-adjoint.ts';
import { MotionAdjoint } from '../../dynamics/motion-adjoint.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { solveRows } from '../../linear-algebra/tree-ldl.ts';
import type { Model } from '../../model/model.ts';
import { SOURCE, ZONE } from '../../objective/convex-problem.ts';
import { measureRecoveryRate } from '../limit-recovery.ts';
import type { EqualityRates, InputBars, RateParts, RowInverseMass, RowRates } from '../row-rates.ts';
import type { VelocityBuilder } from './velocity-builder.ts';

/** A tree: its bodies and dofs. */
export interface TreeRange {
  readonly firstBody: number;
  readonly endBody: number;
  readonly firstDof: number;
  readonly endDof: number;
}

/** What a block depends on by w: ∂f/∂w of its rows, and ∂w/∂q of some dofs. */
export interface InverseMass {
  readonly forceRate: Float64Array;
  readonly dofs: Int32Array;
  readonly rate: Float64Array;
}

/** Of a block that does not depend on it. */
export const NO_INVERSE_MASS: InverseMass = {
  forceRate: new Float64Array(6),
  dofs: new Int32Array(0),
  rate: new Float64Array(0),
};

export abstract class VelocityRates implements RowRates {
  readonly knowsTendons: boolean = false;
  protected readonly model: Model;
  protected readonly contacts: ContactSet;
  readonly #work: Workspace;
  readonly #builder: VelocityBuilder;
  readonly #parts: RateParts;
  readonly #motion: MotionAdjoint;
  readonly #column: Float64Array;
  readonly #byPosition: Float64Array;
  readonly #byVelocity: Float64Array;
  #known: (InverseMass | undefined)[] = [];

  constructor(builder: VelocityBuilder, parts: RateParts) {
    const { model, work, contacts } = parts;
    const nv = model.size.velocity;
    this.model = model;
    this.contacts = contacts;
    this.#work = work;
    this.#builder = builder;
    this.#parts = parts;
    this.#motion = new MotionAdjoint(model, work);
    this.#column = new Float64Array(nv);
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

  abstract gapBar(block: number, contact: number, eta: Float64Array, curved: Float64Array, speed: Float64Array): number;

  /** What a contact depends on by w. */
  protected abstract readContact(block: number, dimension: number): InverseMass;

  limitBar(block: number, _distance: number, _eta: number, curved: number): number {
    const { problem, h } = this.#builder;
    return curved * measureRecoveryRate(problem.reference[problem.rows.rowStart[block]], h);
  }

  readEquality(): EqualityRates {
    return { spring: 1 / (2 * this.#builder.h), damping: 0, logRegularization: 0, bend: 0, isShifted: false };
  }

  addInverseMass(out: InputBars, block: number, eta: Float64Array, dimension: number): void {
    const { problem } = this.#builder;
    let known = this.#known[block];
    if (!known) {
      known = problem.source[block] === SOURCE.contact ? this.readContact(block, dimension) : this.#readRow(block);
      this.#known[block] = known;
    }
    let bar = 0;
    for (let k = 0; k < dimension; k++) bar -= eta[k] * known.forceRate[k];
    if (bar === 0) return;
    for (let n = 0; n < known.dofs.length; n++) out.position[known.dofs[n]] += bar * known.rate[n];
  }

  // a limit or dry friction: f = −y/R with R in proportion to w where it is not at a bound
  #readRow(block: number): InverseMass {
    const { rows, source, sourceIndex } = this.#builder.problem;
    const { zone, force } = this.#builder.problem.data;
    const row = rows.rowStart[block];
    if (zone[row] !== ZONE.quadratic) return NO_INVERSE_MASS;
    const { joint, dof: dofs } = this.model;
    const dof = source[block] === SOURCE.jointLimit ? joint.dofStart[sourceIndex[block]] : sourceIndex[block];
    const column = this.#column;
    const range = this.findTree(dofs.body[dof]);
    this.clear(column, [range]);
    column[dof] = 1;
    this.solveTree(column, range);
    const w = column[dof];
    this.startSweep([range]);
    this.sweep(column, column);
    return { forceRate: Float64Array.of(-force[row] * this.#builder.measureLogRate(w)), ...this.readSweep([range]) };
  }

  /** What R of a row over all dofs depends on. */
  measureInverseMass(row: Float64Array): RowInverseMass {
    const { dof } = this.model;
    const trees: TreeRange[] = [];
    for (let i = 0; i < row.length; i++)
      if (row[i] !== 0 && !(trees.length > 0 && i < trees[trees.length - 1].endDof))
        trees.push(this.findTree(dof.body[i]));
    const column = row.slice();
    for (const tree of trees) this.solveTree(column, tree);
    let inverse = 0;
    for (let i = 0; i < row.length; i++) inverse += row[i] * column[i];
    const byPosition = new Float64Array(row.length);
    this.startSweep(trees);
    this.sweep(column, column);
    for (const { firstDof, endDof } of trees)
      for (let d = firstDof; d < endDof; d++) byPosition[d] = this.#byPosition[d];
    return { column, byPosition, logRate: this.#builder.measureLogRate(inverse) };
  }

  protected findTree(body: number): TreeRange {
    const { body: bodies, dof } = this.model;
    const root = bodies.root[body];
    const endBody = this.#work.plan.subtreeEnd[root];
    // dofs of a tree stand together
    let firstDof = bodies.lastDof[body];
    let endDof = firstDof + 1;
    while (firstDof > 0 && bodies.root[dof.body[firstDof - 1]] === root) firstDof--;
    while (endDof < dof.body.length && bodies.root[dof.body[endDof]] === root) endDof++;
    return { firstBody: root, endBody, firstDof, endDof };
  }

  protected clear(x: Float64Array, trees: readonly TreeRange[]): void {
    for (const { firstDof, endDof } of trees) x.fill(0, firstDof, endDof);
  }

  protected solveTree(x: Float64Array, { firstDof, endDof }: TreeRange): void {
    const { factor, inverseDiagonal } = this.#builder.delassus;
    const { rowStart, column } = this.#work.plan;
    solveRows(x, 0, factor, inverseDiagonal, rowStart, column, firstDof, endDof);
  }

  protected startSweep(trees: readonly TreeRange[]): void {
    this.#motion.ranges = trees.flatMap(({ firstBody, endBody }) => [firstBody, endBody]);
    this.clear(this.#byPosition, trees);
    this.clear(this.#byVelocity, trees);
  }

  /** Adds the derivative of −λᵀ M a, and where a contact is given of its weighted rows along λ. */
  protected sweep(lambda: Float64Array, acceleration: Float64Array, contact = -1, weights?: RowWeights): void {
    const motion = this.#motion;
    const { contactAdjoint, contactMotion } = this.#parts;
    motion.begin(lambda, acceleration, this.#byVelocity);
    motion.addInertia({ acceleration, scale: -1, hasCoriolis: false, hasWeight: false });
    if (weights) contactAdjoint.add(motion, contactMotion, this.contacts, contact, 3, weights, 0);
    // nothing depends on velocities
    motion.finish(this.#byPosition, this.#byVelocity);
  }

  protected readSweep(trees: readonly TreeRange[]): { dofs: Int32Array; rate: Float64Array } {
    const count = trees.reduce((sum, { firstDof, endDof }) => sum + endDof - firstDof, 0);
    const dofs = new Int32Array(count);
    const rate = new Float64Array(count);
    let n = 0;
    for (const { firstDof, endDof } of trees) {
      for (let d = firstDof; d < endDof; d++, n++) {
        dofs[n] = d;
        rate[n] = this.#byPosition[d];
      }
    }
    return { dofs, rate };
  }

  protected get work(): Workspace {
    return this.#work;
  }
}
