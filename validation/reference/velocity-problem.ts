/**
 * A problem of `sap` put together by hand: dense blocks of A, one per tree, and constraints given by their Jacobians. What the
 * formulation computes from a scene (w, R, v̂, laws) is computed here by the same functions, and solved by the same solver.
 */
import { Arena, CONSTRAINT_LAW, OUTCOME, SOURCE, ZONE } from '@nexdyn/engine/solvers';
import { ContactSet } from '../../packages/engine/src/collision/contact-set.ts';
import { describeContact } from '../../packages/engine/src/formulation/sap/contact-blocks.ts';
import { SAP } from '../../packages/engine/src/formulation/sap/sap-traits.ts';
import { regularizeRigid, regularizeSpring } from '../../packages/engine/src/formulation/velocity-rows/near-rigid.ts';
import { Delassus } from '../../packages/engine/src/formulation/velocity-solve/delassus.ts';
import { VelocitySolver } from '../../packages/engine/src/formulation/velocity-solve/velocity-solver.ts';
import { factorTree } from '../../packages/engine/src/linear-algebra/tree-ldl.ts';
import { SolveTrace } from '../../packages/engine/src/minimize/solve-trace.ts';
import type { TreeSparsity } from '../../packages/engine/src/model/model.ts';
import { ConvexProblem } from '../../packages/engine/src/objective/convex-problem.ts';
import type { Forest } from '../../packages/engine/src/objective/forest.ts';
import { InteriorPoint } from '../../packages/engine/src/objective/interior-point.ts';
import { IslandHessian } from '../../packages/engine/src/objective/island-hessian.ts';
import type { SapOptions } from '../../packages/engine/src/scene/options.ts';

/** Square matrix, row by row. */
export type Matrix = readonly (readonly number[])[];

/** A contact by the rows normal, tangent, tangent of its Jacobian over all dofs. */
export interface ContactNumbers {
  readonly jacobian: Matrix;
  /** m, N/m, s. */
  readonly gap: number;
  readonly stiffness: number;
  readonly dissipation: number;
  readonly friction: number;
}

/** What a solve came to. */
export interface Solution {
  readonly velocity: Float64Array;
  /** Jᵀ γ over all dofs. */
  readonly impulse: Float64Array;
  readonly iterations: number;
  readonly residual: number;
  readonly hasConverged: boolean;
}

export class VelocityProblem {
  readonly problem: ConvexProblem;
  readonly options: Readonly<Required<SapOptions>>;
  readonly delassus: Delassus;
  readonly h: number;
  readonly size: number;
  startVelocity: Float64Array;
  /** Nothing is held. */
  readonly heldApproach = 0;
  readonly mocapParting = 0;
  readonly sharedInverse = 0;
  readonly loadShare = 1;
  /** w of every contact. */
  readonly weights: number[] = [];
  readonly trace: SolveTrace = new SolveTrace();
  readonly #solver: VelocitySolver;
  readonly #arena: Arena;
  readonly #contacts: ContactSet = new ContactSet();

  constructor(
    blocks: readonly Matrix[],
    h: number,
    options: SapOptions = {},
    isSeparate = true,
    arena: Arena = new Arena(),
  ) {
    this.#arena = arena;
    const { forest, pattern, metric } = stack(blocks);
    this.h = h;
    this.size = forest.start[forest.count];
    this.options = { ...SAP.options.defaults(0, options), ...options };
    this.problem = new ConvexProblem(arena);
    // what compiled functions read lies in the arena
    this.problem.metric = arena.f64(metric.length);
    this.problem.metric.set(metric);
    this.problem.target = arena.f64(this.size);
    this.startVelocity = new Float64Array(this.size);
    this.delassus = new Delassus(forest, pattern, arena);
    this.delassus.factor = metric.slice();
    this.delassus.inverseDiagonal = new Float64Array(this.size);
    factorTree(this.delassus.factor, this.delassus.inverseDiagonal, pattern.rowStart, pattern.column);
    this.#solver = new VelocitySolver({
      problem: this.problem,
      forest,
      pattern,
      options: this.options,
      isSeparate,
      memory: arena,
    });
  }

  /** Removes all constraints and sets v*. */
  begin(freeVelocity: ArrayLike<number>): void {
    this.problem.clear();
    this.problem.target.set(freeVelocity);
    this.#contacts.count = 0;
    this.weights.length = 0;
  }

  /** Returns the first row of its block. */
  addContact(contact: ContactNumbers): number {
    this.#addRows(contact.jacobian);
    const contacts = this.#contacts;
    const i = contacts.reserve(1);
    contacts.gap[i] = contact.gap;
    contacts.stiffness[i] = contact.stiffness;
    contacts.dissipation[i] = contact.dissipation;
    contacts.condim[i] = 3;
    contacts.friction.fill(contact.friction, 5 * i, 5 * i + 2);
    describeContact(this, contacts, i);
    this.weights.push(this.delassus.meanOfThree());
    return this.problem.rows.rowStart[this.problem.blockCount - 1];
  }

  /** A limit: the velocity along the row must make up for the distance. */
  addLimit(jacobian: readonly number[], distance: number): void {
    const { rows } = this.problem;
    this.#addRows([jacobian]);
    this.delassus.measure(rows, rows.blockCount - 1, 1);
    const row = this.problem.describe(CONSTRAINT_LAW.spring, SOURCE.jointLimit, 0);
    const r = regularizeRigid(this.delassus.matrix[0] ?? NaN, this.options.nearRigidJoint, this.h);
    this.problem.setRow(row, -distance / (2 * this.h), r, 0, Infinity);
  }

  /** A spring and damper along a row, at `offset` from where it is relaxed. */
  addSpring(jacobian: readonly number[], offset: number, stiffness: number, dissipation: number): void {
    const { rows } = this.problem;
    this.#addRows([jacobian]);
    this.delassus.measure(rows, rows.blockCount - 1, 1);
    const row = this.problem.describe(CONSTRAINT_LAW.spring, SOURCE.equality, 0);
    const { nearRigidJoint } = this.options;
    const r = regularizeSpring(this.delassus.matrix[0] ?? NaN, nearRigidJoint, this.h, stiffness, dissipation);
    this.problem.setRow(row, -offset / (this.h + dissipation), r, -Infinity, Infinity);
  }

  solve(guess: ArrayLike<number>): Solution {
    const velocity = this.problem.target.slice();
    const impulse = new Float64Array(this.size);
    const { trace } = this;
    trace.clear();
    this.#solver.solve(Float64Array.from(guess), velocity, impulse, trace);
    let iterations = 0;
    let residual = 0;
    let hasConverged = true;
    for (let n = 0; n < trace.solveCount; n++) {
      iterations = Math.max(iterations, trace.start[n + 1] - trace.start[n]);
      residual = Math.max(residual, trace.finalResidual[n]);
      if (trace.outcome[n] !== OUTCOME.converged) hasConverged = false;
    }
    return { velocity, impulse, iterations, residual, hasConverged };
  }

  /** The same by the interior point alone, until its error is small; velocities of all islands and their longest run. */
  solveInside(guess: ArrayLike<number>, error: number): { velocity: Float64Array; iterations: number; error: number } {
    const { objective, islands } = this.#solver;
    const velocity = this.problem.target.slice();
    const hessian = new IslandHessian(objective, 'auto', this.#arena);
    const interior = new InteriorPoint(objective, this.#arena);
    let iterations = 0;
    let worst = 0;
    islands.split(this.problem, true);
    for (let island = 0; island < islands.count; island++) {
      objective.enter(island, Float64Array.from(guess));
      if (!interior.fits(6)) throw new Error('not made of cones');
      hessian.enter();
      interior.begin(false);
      let k = 0;
      do k++;
      while (interior.iterate(hessian) > 0 && interior.error > error && k < 60);
      const { dof, dofStart } = islands;
      for (let i = 0; i < objective.size; i++) velocity[dof[dofStart[island] + i]] = interior.velocity[i];
      iterations = Math.max(iterations, k);
      worst = Math.max(worst, interior.error);
    }
    return { velocity, iterations, error: worst };
  }

  /** Cost of the last solve, all islands. */
  get cost(): number {
    let sum = 0;
    for (let n = 0; n < this.trace.solveCount; n++) sum += this.trace.finalCost[n];
    return sum;
  }

  /** What each contact does after a solve. */
  readModes(): string[] {
    const { rows } = this.problem;
    const { force, zone } = this.problem.data;
    return this.weights.map((_, block) => {
      const first = rows.rowStart[block];
      if (!(force[first] > 0)) return 'none';
      // without friction whatever pushes, slides
      if (rows.rowStart[block + 1] - first === 1) return 'slide';
      return zone[first] === ZONE.slide ? 'slide' : 'stick';
    });
  }

  #addRows(jacobian: Matrix): void {
    const { rows } = this.problem;
    const columns: number[] = [];
    for (let i = 0; i < this.size; i++) if (jacobian.some((row) => row[i] !== 0)) columns.push(i);
    const block = rows.add(jacobian.length, columns.length);
    columns.forEach((column, c) => {
      rows.column[rows.columnStart[block] + c] = column;
      jacobian.forEach((row, k) => {
        rows.value[rows.valueStart[block] + k * columns.length + c] = row[column] ?? 0;
      });
    });
  }
}

// every block is a chain of dofs, so that its lower triangle is full
function stack(blocks: readonly Matrix[]): { forest: Forest; pattern: TreeSparsity; metric: Float64Array } {
  const start = [0];
  const treeOf: number[] = [];
  const rowStart = [0];
  const column: number[] = [];
  const metric: number[] = [];
  for (const [t, block] of blocks.entries()) {
    const first = start[t] ?? 0;
    for (const [i, row] of block.entries()) {
      treeOf.push(t);
      for (let j = 0; j <= i; j++) {
        column.push(first + j);
        metric.push(row[j] ?? 0);
      }
      rowStart.push(column.length);
    }
    start.push(first + block.length);
  }
  return {
    forest: {
      count: blocks.length,
      rigidCount: blocks.length,
      start: Int32Array.from(start),
      treeOf: Int32Array.from(treeOf),
    },
    pattern: { rowStart: Int32Array.from(rowStart), column: Int32Array.from(column) },
    metric: Float64Array.from(metric),
  };
}
