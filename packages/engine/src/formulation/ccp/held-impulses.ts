/**
 * Newton steps on the final partition of the cones of `ccp` (contact-partition.ts): to round-off where a first-order method has ended, and
 * from the solution of another step, for derivatives (HeldSolution in formulation.ts):
 *   K dγ = −F(γ, u),   K = ∂F/∂γ + ∂F/∂u (N + ε),   u = N γ + p
 * Joints are solved for exactly (bilateral-constraints.ts). Four contacts under a box are one more than it needs, and N has no inverse: with a
 * little compliance ε the impulses are those nearest to where they were, and the motion, which is unique, is met by repetition. K of a
 * solution serves all steps that start from it. Rows are recognised by name, since contacts without force come and go.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { BlockRows } from '../../linear-algebra/block-rows.ts';
import { DenseLu } from '../../linear-algebra/dense-lu.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { CONE } from '../../minimize/cone/cone-set.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { Islands } from '../../objective/islands.ts';
import { choosePartition, evaluatePartition, PART, type PartitionBlock } from './contact-partition.ts';
import type { IslandProgram, ProgramOptions } from './island-program.ts';
import { PartitionFactor, type RowFactor } from './partition-factor.ts';
import type { ShareRule } from './row-curvature.ts';

/** ε, share of the diagonal of N; and where K serves other steps too, whose contacts are too many in another way. */
const COMPLIANCE = 1e-7;
const SHARED_COMPLIANCE = 1e-5;
/** Rows up to which K is made anew in every step. */
const FEW_ROWS = 64;
/** Newton steps to a solution and from one, and the share of the largest impulse that is round-off. */
const MOST_STEPS = 12;
const MOST_NEAR_STEPS = 12;
const ROUND_OFF = 1e-15;
/** The same share where it does not get less any more: impulses then go along what contacts that are too many leave open. */
const SLIGHT = 1e-9;
/** That of a step after which K serves the next ones. */
const NEAR = 1e-6;
/** F of a solution, share of the largest velocity of its rows: contacts that are too many contradict each other at second order. */
const SOLVED = 1e-8;
/** Rows of an island up to which a matrix over them is made, and dofs up to which one without symmetry is. */
const MOST_ROWS = 1500;
const MOST_DOFS = 1000;
/** 1 − cosine of two rows that is round-off. */
const SAME = 1e-12;
const BLOCK = 6;

const ELIMINATED: ProgramOptions = { eliminates: true, scaling: false };

/** Rows of an island that push, at the solution. */
interface HeldIsland {
  readonly lu: RowFactor | undefined;
  readonly size: number;
}

/** What Newton steps from a solution need of it. */
export interface ImpulseSolution {
  readonly blocks: Map<string, HeldBlock>;
  readonly matrices: HeldIsland[];
  /** Cones with rows that push. */
  readonly cones: KeptCone[];
  /** What decided the share of curvature of islands (row-curvature.ts). */
  shareRules: Map<number, ShareRule>;
  /** Least change of velocity that changes the partition, m/s. */
  margin: number;
  /** The same beyond which the share of curvature follows another rule. */
  sideMargin: number;
  /** Estimate of the condition of K. */
  condition: number;
  /** The largest of F, over the largest velocity. */
  residual: number;
}

/** Derivatives of a cone at the solution, for its reverse. */
export interface KeptCone {
  /** Place among the matrices of islands; first row in the problem; per row: place in K, or −1, and s of the program. */
  readonly island: number;
  readonly first: number;
  readonly place: Int32Array;
  readonly scale: Float64Array;
  /** Of F, in the units of the program, row by row. */
  readonly byImpulse: Float64Array;
  readonly byVelocity: Float64Array;
}

/** A constraint at the solution: its impulses, its modes, and its rows among those of its island. */
interface HeldBlock {
  readonly impulse: Float64Array;
  readonly mode: Uint8Array;
  readonly place: Int32Array;
  readonly island: number;
}

/** Of a step without constraints. */
export function createSolution(): ImpulseSolution {
  return {
    blocks: new Map(),
    matrices: [],
    cones: [],
    shareRules: new Map(),
    margin: Infinity,
    sideMargin: Infinity,
    condition: 1,
    residual: 0,
  };
}

export class HeldImpulses {
  /** That of the last `solve`. */
  solution: ImpulseSolution = createSolution();
  readonly #problem: ConvexProblem;
  readonly #program: IslandProgram;
  readonly #islands: Islands;
  /** By island; and of the one at hand. */
  readonly #findLaw: (island: number) => boolean;
  #isCoulomb = false;
  #names: string[] = [];
  #blockOfRow = new Int32Array(0);
  readonly #residual = new Float64Array(BLOCK);
  readonly #byImpulse = new Float64Array(BLOCK * BLOCK);
  readonly #byVelocity = new Float64Array(BLOCK * BLOCK);
  readonly #compliance = new Float64Array(BLOCK);
  #inverseMass = new Float64Array(0);
  #impulse: Float64Array;
  #velocity: Float64Array;
  #change: Float64Array;
  #unit: Float64Array;
  readonly #memory: Memory;
  readonly #block: { -readonly [K in keyof PartitionBlock]: PartitionBlock[K] };

  /** `isCoulomb` tells which islands obey Coulomb's law in place of the cone program. */
  constructor(
    problem: ConvexProblem,
    program: IslandProgram,
    islands: Islands,
    isCoulomb: (island: number) => boolean,
    memory: Memory,
  ) {
    this.#problem = problem;
    this.#program = program;
    this.#islands = islands;
    this.#findLaw = isCoulomb;
    this.#memory = memory;
    this.#impulse = memory.f64(0);
    this.#velocity = memory.f64(0);
    this.#change = memory.f64(0);
    this.#unit = memory.f64(0);
    const numbers = (): Float64Array => new Float64Array(BLOCK);
    this.#block = {
      dimension: 0,
      isCone: false,
      friction: numbers(),
      low: numbers(),
      high: numbers(),
      impulse: numbers(),
      velocity: numbers(),
      inverseMass: numbers(),
      mode: new Uint8Array(BLOCK),
    };
  }

  /**
   * From the impulses in the problem, those of a solver, to round-off; v is v* before and v⁺ after. False where no solution was found on
   * one partition: problem and v are then undefined.
   */
  solve(v: Float64Array, contacts: ContactSet): boolean {
    this.solution = createSolution();
    this.solution.shareRules = new Map(this.#program.shareRules);
    this.solution.sideMargin = this.#program.shareMargin;
    this.#nameBlocks(contacts);
    for (let island = 0; island < this.#islands.count; island++) if (!this.#solveIsland(island, v)) return false;
    return true;
  }

  /** From the solution of another step; v is v* before and v⁺ after. False where a row that pushed is no more. */
  solveNear(solution: ImpulseSolution, v: Float64Array, contacts: ContactSet): boolean {
    this.#nameBlocks(contacts);
    let found = 0;
    const program = this.#program;
    program.shareRules = solution.shareRules;
    program.followsRules = true;
    for (let island = 0; island < this.#islands.count; island++) found += this.#followIsland(solution, island, v);
    program.followsRules = false;
    program.shareRules = new Map();
    for (const { place } of solution.blocks.values()) if (place.some((k) => k >= 0)) found--;
    return found === 0;
  }

  #begin(island: number): boolean {
    const program = this.#program;
    this.#isCoulomb = this.#findLaw(island);
    program.beginModes(island, true);
    if (!program.fill(island, island + 1, ELIMINATED)) return false;
    const n = program.size;
    if (this.#impulse.length < n) {
      this.#impulse = this.#memory.f64(2 * n);
      this.#velocity = this.#memory.f64(2 * n);
      this.#change = this.#memory.f64(2 * n);
      this.#unit = this.#memory.f64(2 * n);
    }
    program.readStart(this.#impulse);
    return true;
  }

  #solveIsland(island: number, v: Float64Array): boolean {
    const program = this.#program;
    if (!this.#begin(island)) return false;
    const n = program.size;
    const { cones } = program;
    const modes = new Uint8Array(n);
    const matrix = this.#takesDofs(n) ? undefined : this.#measureMatrix(n);
    if (!matrix && !this.#takesDofs(n)) return false;
    this.#measureInverseMass(matrix, n);
    let jacobian: { lu: RowFactor; rows: number[] } | undefined;
    const known = new Uint8Array(n);
    let before = Infinity;
    let isRound = false;
    for (let step = 0; step < MOST_STEPS && !isRound; step++) {
      this.#measureVelocity(this.#impulse);
      for (let b = 0; b < cones.count; b++) {
        this.#readBlock(b);
        choosePartition(this.#block, this.#isCoulomb);
        modes.set(this.#block.mode.subarray(0, this.#block.dimension), cones.rowStart[b]);
      }
      // K changes with the motion of what slides alone
      const isSame =
        jacobian && (before < NEAR || !modes.includes(PART.slide)) && modes.every((m, r) => m === known[r]);
      if (!isSame) jacobian = this.#linearize(modes, matrix, n);
      if (!jacobian || (isSame && !this.#measureResidual(modes))) return false;
      known.set(modes);
      const share = this.#takeStep(jacobian.lu, jacobian.rows, n);
      isRound = share <= ROUND_OFF || (share < SLIGHT && share > 0.5 * before);
      before = share;
    }
    return this.#keepIsland(island, v, modes, matrix, n, before < SLIGHT ? jacobian : undefined);
  }

  // the solution by name, if it is one
  #keepIsland(
    island: number,
    v: Float64Array,
    modes: Uint8Array,
    matrix: Float64Array | undefined,
    n: number,
    known: { lu: RowFactor; rows: number[] } | undefined,
  ): boolean {
    const program = this.#program;
    const { cones } = program;
    this.#measureVelocity(this.#impulse);
    let scale = 1e-9;
    for (let r = 0; r < n; r++) scale = Math.max(scale, Math.abs(this.#velocity[r]), Math.abs(program.linear[r]));
    for (let b = 0; b < cones.count; b++) {
      this.#readBlock(b);
      this.solution.margin = Math.min(this.solution.margin, choosePartition(this.#block, this.#isCoulomb));
      const first = cones.rowStart[b];
      for (let k = 0; k < this.#block.dimension; k++) {
        if (this.#block.mode[k] !== modes[first + k]) return false;
        const isVelocity = modes[first + k] === PART.stick;
        evaluatePartition(this.#block, this.#isCoulomb, this.#residual, this.#byImpulse, this.#byVelocity);
        const share = isVelocity ? scale : scale / this.#block.inverseMass[0];
        const residual = Math.abs(this.#residual[k]) / share;
        if (!(residual <= SOLVED)) return false;
        this.solution.residual = Math.max(this.solution.residual, residual);
      }
    }
    // bounded rows that are solved for have left their bounds
    if (program.reviseModes(this.#impulse)) return false;
    const jacobian = known ?? this.#linearize(modes, matrix, n);
    if (!jacobian) return false;
    this.solution.condition = Math.max(this.solution.condition, jacobian.lu.condition);
    program.writeSolution(this.#impulse, this.#velocity, v);
    this.solution.matrices.push({ lu: jacobian.lu, size: jacobian.rows.length });
    const place = new Int32Array(n).fill(-1);
    jacobian.rows.forEach((row, k) => {
      place[row] = k;
    });
    this.#keepBlocks(island, modes, place);
    this.#keepCones(modes, place);
    return true;
  }

  #keepCones(modes: Uint8Array, place: Int32Array): void {
    const program = this.#program;
    const { cones } = program;
    for (let b = 0; b < cones.count; b++) {
      const first = cones.rowStart[b];
      this.#readBlock(b);
      const { dimension: d, mode } = this.#block;
      if (place[first] < 0) continue;
      mode.set(modes.subarray(first, first + d));
      evaluatePartition(this.#block, this.#isCoulomb, this.#residual, this.#byImpulse, this.#byVelocity);
      this.solution.cones.push({
        island: this.solution.matrices.length - 1,
        first: program.sourceOf(first),
        place: place.slice(first, first + d),
        scale: Float64Array.from({ length: d }, (_, k) => program.scaleOf(first + k)),
        byImpulse: this.#byImpulse.slice(0, d * d),
        byVelocity: this.#byVelocity.slice(0, d * d),
      });
    }
  }

  #keepBlocks(island: number, modes: Uint8Array, place: Int32Array): void {
    const { low, high, rows } = this.#problem;
    const { force } = this.#problem.data;
    const { block, blockStart } = this.#islands;
    const { cones } = this.#program;
    const coneOf = new Map<number, number>();
    for (let b = 0; b < cones.count; b++)
      coneOf.set(this.#blockOfRow[this.#program.sourceOf(cones.rowStart[b])], cones.rowStart[b]);
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const first = rows.rowStart[b];
      const end = rows.rowStart[b + 1];
      const row = coneOf.get(b);
      const impulse = force.slice(first, end);
      // what is at a bound stays there, wherever it is
      if (row === undefined && end - first === 1 && low[first] !== -Infinity)
        if (impulse[0] <= low[first]) impulse[0] = -Infinity;
      if (row === undefined && end - first === 1 && high[first] !== Infinity)
        if (impulse[0] >= high[first]) impulse[0] = Infinity;
      if (row === undefined && this.#isStuck(b)) impulse[0] = this.#findYielding(b, island) ?? impulse[0];
      this.solution.blocks.set(this.#names[b], {
        impulse,
        mode: row === undefined ? new Uint8Array(0) : modes.slice(row, row + end - first),
        place: row === undefined ? new Int32Array(0) : place.slice(row, row + end - first),
        island: this.solution.matrices.length - 1,
      });
    }
  }

  // dry friction between its bounds
  #isStuck(b: number): boolean {
    const { low, high, rows, source, regularization, data } = this.#problem;
    const r = rows.rowStart[b];
    if (source[b] !== SOURCE.dofFriction && source[b] !== SOURCE.tendonFriction) return false;
    return regularization[r] === 0 && data.force[r] > low[r] && data.force[r] < high[r];
  }

  /**
   * The bound of dry friction to which it goes as soon as anything moves, where a limit holds the same motion: at the limit how they share
   * the load is left open, and beyond the limit, or before it, friction has no say.
   */
  #findYielding(b: number, island: number): number | undefined {
    const { rows, source, regularization, low, high, data } = this.#problem;
    const { block, blockStart } = this.#islands;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const other = block[s];
      const r = rows.rowStart[other];
      if (source[other] !== SOURCE.jointLimit && source[other] !== SOURCE.tendonLimit) continue;
      if (regularization[r] !== 0 || !(data.force[r] > low[r] && data.force[r] < high[r])) continue;
      const along = compareRows(rows, b, other);
      if (along !== 0) return along > 0 ? -Infinity : Infinity;
    }
    return undefined;
  }

  // how many of the blocks that push there are
  #followIsland({ blocks: known, matrices }: ImpulseSolution, island: number, v: Float64Array): number {
    const program = this.#program;
    const { rows } = this.#problem;
    const { force } = this.#problem.data;
    const { block, blockStart } = this.#islands;
    // the curvature of joints is that of the rows which were held when the solve began
    program.beginModes(island, true);
    if (!program.fill(island, island + 1, ELIMINATED)) return Number.NaN;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const held = known.get(this.#names[block[s]]);
      const first = rows.rowStart[block[s]];
      for (let r = first; r < rows.rowStart[block[s] + 1]; r++) force[r] = held ? held.impulse[r - first] : 0;
    }
    if (!this.#begin(island)) return Number.NaN;
    const { cones, size: n } = program;
    let found = 0;
    const blocks: (HeldBlock | undefined)[] = [];
    for (let b = 0; b < cones.count; b++) {
      const held = known.get(this.#names[this.#blockOfRow[program.sourceOf(cones.rowStart[b])]]);
      blocks.push(held);
      if (held?.place.some((k) => k >= 0)) found++;
    }
    let isRound = false;
    if (n <= FEW_ROWS) this.#solveAgain(blocks, n);
    else for (let step = 0; step < MOST_NEAR_STEPS && !isRound; step++) isRound = this.#followStep(blocks, matrices);
    this.#measureVelocity(this.#impulse);
    program.writeSolution(this.#impulse, this.#velocity, v);
    return found;
  }

  // on the partition of the solution, with a K of its own
  #solveAgain(blocks: readonly (HeldBlock | undefined)[], n: number): void {
    const { cones } = this.#program;
    const modes = new Uint8Array(n);
    blocks.forEach((held, b) => {
      if (held) modes.set(held.mode, cones.rowStart[b]);
    });
    const matrix = this.#measureMatrix(n)!;
    this.#measureInverseMass(matrix, n);
    let isRound = false;
    for (let step = 0; step < MOST_NEAR_STEPS && !isRound; step++) {
      this.#measureVelocity(this.#impulse);
      const jacobian = this.#linearize(modes, matrix, n);
      if (!jacobian) return;
      isRound = this.#takeStep(jacobian.lu, jacobian.rows, n) <= ROUND_OFF;
    }
  }

  #followStep(blocks: readonly (HeldBlock | undefined)[], matrices: readonly HeldIsland[]): boolean {
    const { cones } = this.#program;
    this.#measureVelocity(this.#impulse);
    const changes = new Map<number, Float64Array>();
    for (let b = 0; b < cones.count; b++) {
      const held = blocks[b];
      if (!held || held.place.length === 0) continue;
      this.#readBlock(b);
      this.#block.mode.set(held.mode);
      evaluatePartition(this.#block, this.#isCoulomb, this.#residual, this.#byImpulse, this.#byVelocity);
      let change = changes.get(held.island);
      if (!change) changes.set(held.island, (change = new Float64Array(matrices[held.island].size)));
      for (let k = 0; k < held.place.length; k++) if (held.place[k] >= 0) change[held.place[k]] = -this.#residual[k];
    }
    for (const [island, change] of changes) matrices[island].lu?.solve(change);
    let largest = 0;
    let most = 0;
    for (let b = 0; b < cones.count; b++) {
      const held = blocks[b];
      if (!held || held.place.length === 0) continue;
      for (let k = 0; k < held.place.length; k++) {
        const r = cones.rowStart[b] + k;
        if (held.place[k] < 0) continue;
        const change = changes.get(held.island)![held.place[k]];
        this.#impulse[r] += change;
        most = Math.max(most, Math.abs(change));
        largest = Math.max(largest, Math.abs(this.#impulse[r]));
      }
    }
    return most <= ROUND_OFF * largest;
  }

  // whether there are fewer dofs than rows, and K is had from a matrix over them
  #takesDofs(n: number): boolean {
    const { dofs, held } = this.#program;
    return n > FEW_ROWS && held.count === 0 && dofs < n && (!this.#isCoulomb || dofs <= MOST_DOFS);
  }

  // the diagonal of N
  #measureInverseMass(matrix: Float64Array | undefined, n: number): void {
    if (this.#inverseMass.length < n) this.#inverseMass = new Float64Array(2 * n);
    if (matrix) {
      for (let r = 0; r < n; r++) this.#inverseMass[r] = matrix[r * n + r];
      return;
    }
    const program = this.#program;
    const { cones } = program;
    program.prepareBlocks();
    for (let b = 0, at = 0; b < cones.count; b++) {
      const d = cones.rowStart[b + 1] - cones.rowStart[b];
      for (let k = 0; k < d; k++) this.#inverseMass[cones.rowStart[b] + k] = program.diagonal[at + k * d + k];
      at += d * d;
    }
  }

  // N of all rows; undefined where there are too many
  #measureMatrix(n: number): Float64Array | undefined {
    if (n > MOST_ROWS) return undefined;
    const matrix = new Float64Array(n * n);
    const unit = this.#unit.fill(0);
    for (let c = 0; c < n; c++) {
      unit[c] = 1;
      this.#program.multiply(this.#change, unit);
      unit[c] = 0;
      for (let r = 0; r < n; r++) matrix[r * n + c] = this.#change[r];
    }
    return matrix;
  }

  #measureVelocity(impulse: Float64Array): void {
    const { size, linear } = this.#program;
    this.#program.multiply(this.#velocity, impulse);
    for (let r = 0; r < size; r++) this.#velocity[r] += linear[r];
  }

  // −F to `change`; false where a part slides without a direction
  #measureResidual(modes: Uint8Array): boolean {
    const { cones } = this.#program;
    for (let b = 0; b < cones.count; b++) {
      const first = cones.rowStart[b];
      if (modes[first] === PART.open) continue;
      this.#readBlock(b);
      const { dimension: d } = this.#block;
      this.#block.mode.set(modes.subarray(first, first + d));
      if (!evaluatePartition(this.#block, this.#isCoulomb, this.#residual, this.#byImpulse, this.#byVelocity))
        return false;
      for (let i = 0; i < d; i++) this.#change[first + i] = -this.#residual[i];
    }
    return true;
  }

  // K over the rows that push, factored; −F to `change`
  #linearize(
    modes: Uint8Array,
    matrix: Float64Array | undefined,
    n: number,
  ): { lu: RowFactor; rows: number[] } | undefined {
    const program = this.#program;
    const { cones } = program;
    const rows: number[] = [];
    for (let r = 0; r < n; r++) if (modes[r] !== PART.open) rows.push(r);
    const m = rows.length;
    const place = new Int32Array(n).fill(-1);
    rows.forEach((row, k) => {
      place[row] = k;
    });
    const jacobian = matrix && new Float64Array(m * m);
    const factor = matrix ? undefined : new PartitionFactor(program.dofs);
    const share = m <= FEW_ROWS ? COMPLIANCE : SHARED_COMPLIANCE;
    for (let b = 0; b < cones.count; b++) {
      const first = cones.rowStart[b];
      if (place[first] < 0) continue;
      this.#readBlock(b);
      const { dimension: d, inverseMass } = this.#block;
      // of the inverse mass alone: a soft contact may give far more along its normal, and would take the rest of K away across it
      let compliance = 0;
      for (let i = 0; i < d; i++)
        compliance = Math.max(compliance, share * (inverseMass[i] - program.complianceOf(first + i)));
      this.#block.mode.set(modes.subarray(first, first + d));
      if (!evaluatePartition(this.#block, this.#isCoulomb, this.#residual, this.#byImpulse, this.#byVelocity))
        return undefined;
      for (let i = 0; i < d; i++) {
        this.#change[first + i] = -this.#residual[i];
        this.#compliance[i] = compliance + program.complianceOf(first + i);
      }
      if (jacobian) this.#addRows(jacobian, matrix, n, rows, place, first, compliance);
      else if (!factor!.add(program.rows, b, this.#byImpulse, this.#byVelocity, this.#compliance)) return undefined;
    }
    if (factor) return factor.factor(program.treeStart, !this.#isCoulomb) ? { lu: factor, rows } : undefined;
    const lu = DenseLu.factor(jacobian!, m);
    return lu && { lu, rows };
  }

  // the rows of a cone in K
  #addRows(
    jacobian: Float64Array,
    matrix: Float64Array,
    n: number,
    rows: readonly number[],
    place: Int32Array,
    first: number,
    compliance: number,
  ): void {
    const m = rows.length;
    const { dimension: d } = this.#block;
    for (let i = 0; i < d; i++) {
      const to = place[first + i];
      for (let k = 0; k < d; k++) {
        jacobian[to * m + place[first + k]] += this.#byImpulse[i * d + k];
        const share = this.#byVelocity[i * d + k];
        if (share === 0) continue;
        const from = (first + k) * n;
        for (let c = 0; c < m; c++) jacobian[to * m + c] += share * matrix[from + rows[c]];
        jacobian[to * m + place[first + k]] += share * compliance;
      }
    }
  }

  // γ ← γ + dγ; the largest of dγ, over the largest of γ. Rows that are open have none.
  #takeStep(lu: RowFactor, rows: readonly number[], n: number): number {
    const right = Float64Array.from(rows, (r) => this.#change[r]);
    lu.solve(right);
    const impulse = this.#impulse;
    let largest = 0;
    let most = 0;
    const next = new Float64Array(n);
    rows.forEach((r, k) => {
      next[r] = impulse[r] + right[k];
    });
    for (let r = 0; r < n; r++) {
      most = Math.max(most, Math.abs(next[r] - impulse[r]));
      largest = Math.max(largest, Math.abs(next[r]));
      impulse[r] = next[r];
    }
    return largest > 0 ? most / largest : most > 0 ? Infinity : 0;
  }

  // numbers of cone b in the units of the program, in which cones are round
  #readBlock(b: number): void {
    const { cones } = this.#program;
    const problem = this.#problem;
    const block = this.#block;
    const first = cones.rowStart[b];
    const d = cones.rowStart[b + 1] - first;
    block.dimension = d;
    block.isCone = cones.kind[b] === CONE.friction || cones.kind[b] === CONE.rolling;
    let largest = 0;
    for (let k = 0; k < d; k++) {
      const source = this.#program.sourceOf(first + k);
      block.impulse[k] = this.#impulse[first + k];
      block.velocity[k] = this.#velocity[first + k];
      block.friction[k] = k < 3 ? cones.friction[b] : k === 3 ? cones.spinning[b] : cones.rolling[b];
      block.low[k] = problem.low[source];
      block.high[k] = problem.high[source];
      const own = this.#inverseMass[first + k];
      largest = Math.max(largest, own);
      block.inverseMass[k] = own;
    }
    // rows that no dof moves have the scale of the others
    for (let k = 0; k < d; k++) if (!(block.inverseMass[k] > 1e-12 * largest)) block.inverseMass[k] = largest || 1;
  }

  #nameBlocks(contacts: ContactSet): void {
    const { rows, source, sourceIndex, regularization } = this.#problem;
    const seen = new Map<string, number>();
    this.#names = [];
    if (this.#blockOfRow.length < rows.rowCount) this.#blockOfRow = new Int32Array(2 * rows.rowCount);
    for (let b = 0; b < rows.blockCount; b++) {
      const i = sourceIndex[b];
      const first = rows.rowStart[b];
      const name =
        source[b] === SOURCE.contact
          ? `${contacts.pair[i]} ${contacts.feature[i]}`
          : `${source[b]}: ${i} ${regularization[first] > 0}`;
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      this.#names.push(times > 0 ? `${name} ${times}` : name);
      this.#blockOfRow.fill(b, first, rows.rowStart[b + 1]);
    }
  }
}

/** Cosine of two rows, over their columns: ±1 where they say the same, else 0. */
function compareRows({ columnStart, columnCount, column, value, valueStart }: BlockRows, a: number, b: number): number {
  const n = columnCount[a];
  if (columnCount[b] !== n) return 0;
  let dot = 0;
  let square = 0;
  let other = 0;
  for (let k = 0; k < n; k++) {
    if (column[columnStart[a] + k] !== column[columnStart[b] + k]) return 0;
    const [x, y] = [value[valueStart[a] + k], value[valueStart[b] + k]];
    dot += x * y;
    square += x * x;
    other += y * y;
  }
  const cosine = dot / Math.sqrt(square * other);
  return Math.abs(cosine) > 1 - SAME ? Math.sign(cosine) : 0;
}
