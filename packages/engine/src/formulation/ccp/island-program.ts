/**
 * The cone program of an island (or of several), without its matrix:
 *
 *   minimise ½ γ̂ᵀ N γ̂ + pᵀ γ̂ over the cones,   N = S (X P Xᵀ + E) S,   p = S (J v* + b + X z_B),   γ = S γ̂
 *
 * X are whitened rows, P and z_B come from bilateral constraints (bilateral-constraints.ts; P = 1 without), S is diagonal:
 *   s = 1/√(largest of N_ii) for all rows of a cone, 1/√N_ii for rows alone, so that light and heavy bodies have equal weight
 *   times μ_k/μ_1 for a second coefficient of friction, which makes the cone a round one.
 * S is part of X here. A product is two passes over X.
 */
import { addTransposed, BlockRows, multiplyRows } from '../../linear-algebra/block-rows.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { BlockProgram, FactorableProgram } from '../../minimize/cone/cone-program.ts';
import { CONE, ConeTable } from '../../minimize/cone/cone-set.ts';
import { CONSTRAINT_LAW, type ConvexProblem, ZONE } from '../../objective/convex-problem.ts';
import type { Islands } from '../../objective/islands.ts';
import { RowsRecord } from '../../objective/rows-record.ts';
import { BilateralConstraints } from './bilateral-constraints.ts';
import { BoxModes, MODE } from './box-modes.ts';
import { type CurvatureShare, chooseShare, type RowCurvature, type ShareRule } from './row-curvature.ts';
import { ShiftedFactor } from './shifted-factor.ts';
import type { WhitenedRows } from './whitened-rows.ts';

/** What a program is made of. */
export interface ProgramOptions {
  /** Whether rows that hold are solved for, else they are free cones. */
  readonly eliminates: boolean;
  /** Whether S is used. */
  readonly scaling: boolean;
}

/** Share of the speed of corrections by which rows that hold may give way. */
const TORN_SHARE = 0.1;
/** γ̂ᵀ N γ̂ over |γ̂|² below which impulses only work against each other: redundant rows have 1e-9 (bilateral-constraints.ts). */
const MOVES_NOTHING = 3e-8;
/** Square of a whitened row that is round-off, 1/kg. */
const ROUND_OFF = 1e-24;

export class IslandProgram implements BlockProgram, FactorableProgram {
  size = 0;
  linear: Float64Array;
  readonly cones: ConeTable;
  diagonal: Float64Array;
  /** S X. */
  readonly rows: BlockRows;
  readonly held: BilateralConstraints;
  /** For derivatives: what decided the share of curvature of islands, by the first of their rows that hold, and whether that decides it again. */
  shareRules: Map<number, ShareRule> | undefined;
  followsRules: boolean = false;
  /** Least change of velocity that changes one of them, m/s or rad/s. */
  shareMargin: number = Infinity;
  readonly #share: CurvatureShare = { share: 0, rule: 'whole', margin: Infinity };
  /** Rows at their bounds, and per row of them the row of the problem and J v* + b. */
  readonly #fixed: BlockRows;
  readonly #products: RowsRecord;
  readonly #modes: BoxModes;
  /** J v* + b of a block. */
  readonly #free = new Float64Array(6);
  #fixedSource: Int32Array;
  #fixedLinear: Float64Array;
  #fixedImpulse: Float64Array;
  #eliminates = false;
  readonly #problem: ConvexProblem;
  readonly #islands: Islands;
  readonly #whitened: WhitenedRows;
  readonly #curvature: RowCurvature;
  readonly #memory: Memory;
  readonly #shifted: ShiftedFactor;
  /** Per column: the first column of its tree. */
  readonly #treeStart: Int32Array;
  readonly #z: Float64Array;
  /** Per row: row of the problem, s, S E S; scratch. */
  #source: Int32Array;
  #scale: Float64Array;
  #compliance: Float64Array;
  #heldImpulse: Float64Array;
  #shift: Float64Array;
  #order: Int32Array;
  #gamma: Float64Array;
  #dofs = 0;
  #origin = 0;
  #firstIsland = 0;
  #endIsland = 0;
  #isAnalyzed = false;

  constructor(
    problem: ConvexProblem,
    islands: Islands,
    whitened: WhitenedRows,
    curvature: RowCurvature,
    memory: Memory,
  ) {
    const dofs = islands.localDof.length;
    this.#problem = problem;
    this.#islands = islands;
    this.#whitened = whitened;
    this.#curvature = curvature;
    this.#memory = memory;
    this.cones = new ConeTable(memory);
    this.rows = new BlockRows(memory);
    this.#products = new RowsRecord(this.rows, memory);
    this.held = new BilateralConstraints(dofs, memory);
    this.#fixed = new BlockRows(memory);
    this.#modes = new BoxModes(problem);
    this.#fixedSource = memory.i32(0);
    this.#fixedLinear = memory.f64(0);
    this.#fixedImpulse = memory.f64(0);
    this.#shifted = new ShiftedFactor(dofs, memory);
    this.#treeStart = memory.i32(dofs);
    this.#z = memory.f64(dofs);
    this.linear = memory.f64(0);
    this.diagonal = memory.f64(0);
    this.#source = memory.i32(0);
    this.#scale = memory.f64(0);
    this.#compliance = memory.f64(0);
    this.#heldImpulse = memory.f64(0);
    this.#shift = memory.f64(0);
    this.#order = memory.i32(0);
    this.#gamma = this.linear;
  }

  /** Chooses which bounded rows are held or at a bound in the next `fill`: by the impulses in the problem, or without them. */
  beginModes(island: number, isWarm: boolean): void {
    const { block, blockStart } = this.#islands;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) this.#modes.begin(block[s], isWarm);
  }

  /** Makes all bounded rows of an island cones. */
  dropModes(island: number): void {
    const { block, blockStart } = this.#islands;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) this.#modes.drop(block[s]);
  }

  /** After a solve: looks whether held rows are within their bounds and the others belong there; true where the program has to be solved anew. */
  reviseModes(impulse: Float64Array): boolean {
    if (!this.#eliminates) return false;
    const { held } = this;
    const { regularization } = this.#problem;
    let hasChanged = false;
    const z = this.#sumMotion(impulse);
    held.complete(z, this.#heldImpulse);
    for (let r = 0; r < held.count; r++)
      if (this.#modes.reviseHeld(held.source[r], this.#heldImpulse[r])) hasChanged = true;
    const fixed = this.#fixed;
    multiplyRows(this.#shift, fixed, z, this.#order, 0, fixed.blockCount);
    for (let r = 0; r < fixed.rowCount; r++) {
      const source = this.#fixedSource[r];
      const soft = regularization[source] * this.#fixedImpulse[r];
      const scale = Math.max(Math.abs(this.#shift[r]), Math.abs(this.#fixedLinear[r]), Math.abs(soft));
      const speed = this.#shift[r] + this.#fixedLinear[r] + soft;
      if (this.#modes.reviseBound(source, speed, scale)) hasChanged = true;
    }
    // where the next solve starts
    if (hasChanged) this.writeImpulses(impulse);
    return hasChanged;
  }

  /** Takes the blocks of islands first … end − 1; false where rows that hold cannot be solved for. */
  fill(first: number, end: number, options: ProgramOptions): boolean {
    const islands = this.#islands;
    this.#firstIsland = first;
    this.#endIsland = end;
    this.#origin = islands.dofStart[first];
    this.#dofs = islands.dofStart[end] - this.#origin;
    this.#isAnalyzed = false;
    this.#reserve(islands.blockStart[end] - islands.blockStart[first]);
    this.#eliminates = options.eliminates;
    this.rows.clear();
    this.#fixed.clear();
    this.cones.clear();
    this.#whitened.begin();
    this.#listTrees();
    for (let island = first; island < end; island++) {
      for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
        this.#addBlock(islands.block[s], islands.dofStart[island], options);
      }
    }
    this.size = this.rows.rowCount;
    this.#products.bind();
    if (!this.held.factor(this.#treeStart)) return false;
    this.#addCurvature();
    this.#addHeldVelocity();
    return true;
  }

  /** Dofs of the islands. */
  get dofs(): number {
    return this.#dofs;
  }

  /** Per dof: the first of its tree. */
  get treeStart(): Int32Array {
    return this.#treeStart;
  }

  /** E of a row. */
  complianceOf(row: number): number {
    return this.#compliance[row];
  }

  /** Row of the problem that a row is. */
  sourceOf(row: number): number {
    return this.#source[row];
  }

  /** s of a row. */
  scaleOf(row: number): number {
    return this.#scale[row];
  }

  /** γ̂ of the impulses in the problem. */
  readStart(impulse: Float64Array): void {
    const { force } = this.#problem.data;
    for (let r = 0; r < this.size; r++) impulse[r] = force[this.#source[r]] / this.#scale[r];
  }

  /** The impulses alone to the problem. */
  writeImpulses(impulse: Float64Array): void {
    const { force } = this.#problem.data;
    for (let r = 0; r < this.size; r++) force[this.#source[r]] = this.#scale[r] * impulse[r];
  }

  /** Impulses and velocities to the problem, and the motion they make to v. */
  writeSolution(impulse: Float64Array, velocity: Float64Array, v: Float64Array): void {
    const { regularization } = this.#problem;
    const { force, residual } = this.#problem.data;
    const { held } = this;
    const z = this.#sumMotion(impulse);
    held.complete(z, this.#heldImpulse);
    const fixed = this.#fixed;
    multiplyRows(this.#shift, fixed, z, this.#order, 0, fixed.blockCount);
    for (let r = 0; r < fixed.rowCount; r++) {
      const source = this.#fixedSource[r];
      force[source] = this.#fixedImpulse[r];
      residual[source] = this.#shift[r] + this.#fixedLinear[r] + regularization[source] * this.#fixedImpulse[r];
    }
    for (let r = 0; r < this.size; r++) {
      force[this.#source[r]] = this.#scale[r] * impulse[r];
      residual[this.#source[r]] = velocity[r] / this.#scale[r];
    }
    for (let r = 0; r < held.count; r++) {
      force[held.source[r]] = this.#heldImpulse[r];
      residual[held.source[r]] = 0;
    }
    for (let b = 0; b < this.cones.count; b++) this.#writeZone(b);
    for (let i = this.#firstIsland; i < this.#endIsland; i++) this.#whitened.addMotion(v, z, i, this.#origin);
  }

  /**
   * Whether impulses show that constraints contradict each other: rows that hold give way, to what corrections of a speed ask for, or
   * the impulses are large along a direction that moves next to nothing, γ̂ᵀ N γ̂ ≪ |γ̂|², and still not enough.
   */
  contradicts(impulse: Float64Array, correction: number): boolean {
    const { size, linear } = this;
    const z = this.#sumMotion(impulse);
    this.held.complete(z, this.#heldImpulse);
    if (this.held.measureResidual(z) > TORN_SHARE * correction) return true;
    this.multiply(this.#shift, impulse);
    let energy = 0;
    let square = 0;
    let drive = 0;
    for (let r = 0; r < size; r++) {
      energy += impulse[r] * this.#shift[r];
      square += impulse[r] * impulse[r];
      drive += impulse[r] * linear[r];
    }
    return drive < 0 && energy < MOVES_NOTHING * square;
  }

  multiply(out: Float64Array, x: Float64Array): void {
    const { size } = this;
    const z = this.#z;
    const compliance = this.#compliance;
    z.fill(0, 0, this.#dofs);
    this.#products.addTransposed(z, x);
    this.held.project(z);
    for (let i = this.#firstIsland; i < this.#endIsland; i++) this.#whitened.applyResponse(z, i, this.#origin);
    this.#products.multiply(out, z);
    for (let r = 0; r < size; r++) out[r] += compliance[r] * x[r];
  }

  prepareBlocks(): void {
    const { rows } = this;
    let total = 0;
    for (let b = 0; b < rows.blockCount; b++) total += (rows.rowStart[b + 1] - rows.rowStart[b]) ** 2;
    if (this.diagonal.length < total) this.diagonal = this.#memory.f64(2 * total);
    const { diagonal } = this;
    let at = 0;
    for (let b = 0; b < rows.blockCount; b++) {
      const first = rows.rowStart[b];
      const d = rows.rowStart[b + 1] - first;
      const n = rows.columnCount[b];
      const v = rows.valueStart[b];
      for (let i = 0; i < d; i++) {
        for (let j = 0; j <= i; j++) {
          let sum = i === j ? this.#compliance[first + i] : 0;
          for (let k = 0; k < n; k++) sum += rows.value[v + i * n + k] * rows.value[v + j * n + k];
          diagonal[at + i * d + j] = diagonal[at + j * d + i] = sum;
        }
      }
      at += d * d;
    }
  }

  beginBlocks(gamma: Float64Array): void {
    const { rows } = this;
    this.#gamma = gamma;
    this.#z.fill(0, 0, this.#dofs);
    addTransposed(this.#z, 1, rows, gamma, this.#order, 0, rows.blockCount);
  }

  blockProduct(out: Float64Array, b: number): void {
    const { columnStart, columnCount, column, value, valueStart, rowStart } = this.rows;
    const z = this.#z;
    const first = rowStart[b];
    const d = rowStart[b + 1] - first;
    const n = columnCount[b];
    const c = columnStart[b];
    let v = valueStart[b];
    for (let i = 0; i < d; i++) {
      let sum = this.#compliance[first + i] * this.#gamma[first + i];
      for (let k = 0; k < n; k++) sum += value[v++] * z[column[c + k]];
      out[i] = sum;
    }
  }

  addBlock(b: number, change: Float64Array): void {
    const { columnStart, columnCount, column, value, valueStart, rowStart } = this.rows;
    const z = this.#z;
    const d = rowStart[b + 1] - rowStart[b];
    const n = columnCount[b];
    const c = columnStart[b];
    let v = valueStart[b];
    for (let i = 0; i < d; i++) for (let k = 0; k < n; k++) z[column[c + k]] += value[v++] * change[i];
  }

  factorShifted(shift: Float64Array): boolean {
    if (this.held.count > 0) return false;
    if (!this.#isAnalyzed) this.#shifted.analyze(this.rows, this.#treeStart, this.#dofs);
    this.#isAnalyzed = true;
    for (let r = 0; r < this.size; r++) this.#shift[r] = shift[r] + this.#compliance[r];
    return this.#shifted.factor(this.rows, this.#shift);
  }

  solveShifted(x: Float64Array): void {
    this.#shifted.solve(this.rows, x);
  }

  #addBlock(block: number, dofStart: number, { eliminates, scaling }: ProgramOptions): void {
    const problem = this.#problem;
    const { rows, law, low, high, regularization } = problem;
    const first = rows.rowStart[block];
    const dimension = rows.rowStart[block + 1] - first;
    const isFree = law[block] === CONSTRAINT_LAW.spring && low[first] === -Infinity && high[first] === Infinity;
    const { held, cones } = this;
    const mode = eliminates && this.#modes.isBox(block) ? this.#modes.mode[first] : MODE.cone;
    if (mode === MODE.low || mode === MODE.high) {
      this.#addFixed(block, dofStart);
      return;
    }
    if ((isFree && eliminates) || mode === MODE.held) {
      const added = this.#whitened.add(held.rows, rows, block, dofStart, this.#origin);
      const free = this.#measureFree(block, dofStart);
      for (let k = 0; k < dimension; k++) {
        const row = held.rows.rowStart[added] + k;
        held.source[row] = first + k;
        held.compliance[row] = regularization[first + k];
        held.linear[row] = free[k];
      }
      return;
    }
    const added = this.#whitened.add(this.rows, rows, block, dofStart, this.#origin);
    const isCone = law[block] === CONSTRAINT_LAW.cone;
    const start = this.rows.rowStart[added];
    this.#measureScale(added, first, isCone, scaling);
    if (isCone) this.#addCone(first, start, dimension);
    else if (isFree) cones.addFree(dimension);
    else if (low[first] === 0 && high[first] === Infinity) cones.addNonnegative(dimension);
    else cones.addBounds(low[first] / this.#scale[start], high[first] / this.#scale[start]);
    const { value, valueStart, columnCount } = this.rows;
    const n = columnCount[added];
    const free = this.#measureFree(block, dofStart);
    for (let k = 0; k < dimension; k++) {
      const row = start + k;
      const s = this.#scale[row];
      this.#source[row] = first + k;
      this.#compliance[row] = s * s * regularization[first + k];
      this.linear[row] = s * free[k];
      const v = valueStart[added] + k * n;
      for (let i = v; i < v + n; i++) value[i] *= s;
    }
  }

  #addFixed(block: number, dofStart: number): void {
    const fixed = this.#fixed;
    const first = this.#problem.rows.rowStart[block];
    const row = fixed.rowStart[this.#whitened.add(fixed, this.#problem.rows, block, dofStart, this.#origin)];
    this.#fixedSource[row] = first;
    this.#fixedImpulse[row] = this.#modes.boundOf(first);
    this.#fixedLinear[row] = this.#measureFree(block, dofStart)[0];
  }

  // z = X_Cᵀ γ_C + X_Fᵀ γ_F of the rows that are not held
  #sumMotion(impulse: Float64Array | undefined): Float64Array {
    const z = this.#z;
    z.fill(0, 0, this.#dofs);
    if (impulse) addTransposed(z, 1, this.rows, impulse, this.#order, 0, this.rows.blockCount);
    addTransposed(z, 1, this.#fixed, this.#fixedImpulse, this.#order, 0, this.#fixed.blockCount);
    return z;
  }

  #addCone(first: number, start: number, dimension: number): void {
    const { friction } = this.#problem;
    const scale = this.#scale;
    const slide = friction[first + 1];
    scale[start + 2] *= friction[first + 2] / slide;
    if (dimension === 3) {
      this.cones.addFriction(slide);
      return;
    }
    if (dimension === 4) {
      this.cones.addRolling(slide, friction[first + 3], undefined);
      return;
    }
    scale[start + 5] *= friction[first + 5] / friction[first + 4];
    this.cones.addRolling(slide, friction[first + 3], friction[first + 4]);
  }

  /** s of the rows of the last block. */
  #measureScale(block: number, source: number, isCone: boolean, scaling: boolean): void {
    const { rowStart, value, valueStart, columnCount } = this.rows;
    const { regularization } = this.#problem;
    const first = rowStart[block];
    const d = rowStart[block + 1] - first;
    const n = columnCount[block];
    const scale = this.#scale;
    if (!scaling) {
      scale.fill(1, first, first + d);
      return;
    }
    let largest = 0;
    let v = valueStart[block];
    for (let i = 0; i < d; i++) {
      let sum = regularization[source + i];
      for (let k = 0; k < n; k++, v++) sum += value[v] * value[v];
      scale[first + i] = sum;
      if (sum > largest) largest = sum;
    }
    for (let i = first; i < first + d; i++) {
      const size = isCone ? largest : scale[i];
      scale[i] = size > ROUND_OFF ? 1 / Math.sqrt(size) : 1;
    }
  }

  // the rows of J v* + b
  #measureFree(block: number, dofStart: number): Float64Array {
    const { rows, reference, target } = this.#problem;
    const { dof } = this.#islands;
    const { value, column } = rows;
    const free = this.#free;
    const n = rows.columnCount[block];
    const c = rows.columnStart[block];
    const first = rows.rowStart[block];
    const d = rows.rowStart[block + 1] - first;
    for (let k = 0; k < d; k++) free[k] = -reference[first + k];
    for (let i = 0; i < n; i++) {
      const speed = target[dof[dofStart + column[c + i]]];
      for (let k = 0, v = rows.valueStart[block] + i; k < d; k++, v += n) free[k] += value[v] * speed;
    }
    return free;
  }

  // the share of the curvature of rows that creates no energy
  #addCurvature(): void {
    const { held } = this;
    const { half, speed, turn } = this.#curvature;
    const { reference } = this.#problem;
    const scratch = this.#heldImpulse;
    for (let r = 0; r < held.count; r++) scratch[r] = half[held.source[r]];
    const given = held.weigh(scratch);
    if (!(given > 0)) return;
    for (let r = 0; r < held.count; r++) scratch[r] = turn[held.source[r]];
    const turned = held.weigh(scratch);
    let both = given;
    if (turned > 0) {
      for (let r = 0; r < held.count; r++) scratch[r] += half[held.source[r]];
      both = held.weigh(scratch);
    }
    for (let r = 0; r < held.count; r++) scratch[r] = speed[held.source[r]];
    const rule = this.followsRules ? this.shareRules!.get(held.source[0]) : undefined;
    chooseShare(this.#share, given, turned, both - given - turned, held.weigh(scratch), rule);
    if (this.shareRules && !this.followsRules) this.#noteRule();
    const { share } = this.#share;
    for (let r = 0; r < held.count; r++) {
      const source = held.source[r];
      reference[source] -= share * half[source];
      held.linear[r] += share * half[source];
      half[source] = 0;
    }
  }

  #noteRule(): void {
    const { held } = this;
    const { half } = this.#curvature;
    this.shareRules!.set(held.source[0], this.#share.rule);
    let speed = 0;
    for (let r = 0; r < held.count; r++) speed = Math.max(speed, Math.abs(half[held.source[r]]));
    this.shareMargin = Math.min(this.shareMargin, this.#share.margin * speed);
  }

  // p ← p + X z_B
  #addHeldVelocity(): void {
    const { held, rows, linear } = this;
    if ((held.count === 0 && this.#fixed.rowCount === 0) || this.size === 0) return;
    const z = this.#sumMotion(undefined);
    held.complete(z, this.#heldImpulse);
    multiplyRows(this.#shift, rows, z, this.#order, 0, rows.blockCount);
    for (let r = 0; r < this.size; r++) linear[r] += this.#shift[r];
  }

  // what the contact of a cone does, for those who read forces
  #writeZone(b: number): void {
    const { kind, rowStart, friction } = this.cones;
    const { force, zone } = this.#problem.data;
    const scale = this.#scale;
    if (kind[b] !== CONE.friction && kind[b] !== CONE.rolling) return;
    const r = rowStart[b];
    const first = this.#source[r];
    const normal = force[first] / scale[r];
    const slide = Math.hypot(force[first + 1] / scale[r + 1], force[first + 2] / scale[r + 2]);
    if (!(normal > 0)) zone[first] = ZONE.open;
    else zone[first] = slide >= (1 - 1e-9) * friction[b] * normal ? ZONE.slide : ZONE.quadratic;
  }

  #listTrees(): void {
    const { tree, treeStart, forest, localDof, dofStart } = this.#islands;
    for (let island = this.#firstIsland; island < this.#endIsland; island++) {
      for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
        const first = forest.start[tree[s]];
        const at = dofStart[island] + localDof[first] - this.#origin;
        const end = at + forest.start[tree[s] + 1] - first;
        // of a soft body rows have the first columns alone: each of the others is by itself
        const used = tree[s] < forest.rigidCount ? end - at : this.#whitened.countSoftColumns(tree[s]);
        this.#treeStart.fill(at, at, at + used);
        for (let k = at + used; k < end; k++) this.#treeStart[k] = k;
      }
    }
  }

  #reserve(blocks: number): void {
    const n = this.#problem.rowCount;
    this.#curvature.reserve(n);
    if (this.linear.length < n) {
      const memory = this.#memory;
      this.linear = memory.f64(2 * n);
      this.#source = memory.i32(2 * n);
      this.#fixedSource = memory.i32(2 * n);
      this.#fixedLinear = memory.f64(2 * n);
      this.#fixedImpulse = memory.f64(2 * n);
      this.#scale = memory.f64(2 * n);
      this.#compliance = memory.f64(2 * n);
      this.#heldImpulse = memory.f64(2 * n);
      this.#shift = memory.f64(2 * n);
    }
    if (this.#order.length < blocks) {
      this.#order = this.#memory.i32(2 * blocks);
      for (let b = 0; b < this.#order.length; b++) this.#order[b] = b;
    }
    this.held.clear(blocks, n);
  }
}
