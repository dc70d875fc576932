/**
 * Closes joints and equalities at the positions that a step has led to, by the smallest motion in the metric of mass:
 *
 *   minimise ½ dqᵀ M dq   subject to   C(q ⊕ dq) = 0      Newton:  dq = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ C
 *
 * The rows of the step know the second order of the motion (velocity-rows.ts), so what is left is of third order in h. Velocities stay as
 * they are: a mechanism that starts unassembled is put together and gets no momentum from that, before the first step where it is open by
 * more than a millimetre. Where an island touches something, C falls by no more than a depth in a step, so that contacts can follow. In every island |C| falls in every iteration, or its motion
 * is taken back and halved: constraints that contradict each other stay where they are.
 * Source: Cline and Pai, Post-stabilization for rigid body simulation with contact and constraints (2003).
 */
import { updateKinematics } from '../../dynamics/kinematics.ts';
import { integratePositions } from '../../dynamics/poses.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { updateJoints } from '../../joint/articulation.ts';
import { OPEN } from '../../joint/joint-drift.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import { SOURCE } from '../../objective/convex-problem.ts';
import { listTrees } from '../../objective/forest.ts';
import { Islands } from '../../objective/islands.ts';
import type { State } from '../../state/state.ts';
import type { Projection } from '../formulation.ts';
import { BilateralConstraints } from './bilateral-constraints.ts';
import { PositionRows } from './position-rows.ts';
import { WhitenedRows } from './whitened-rows.ts';

/** |C| of what is closed, m or rad; and of what one more Newton step, where derivatives ask for it, closes to round-off. */
const CLOSED = 1e-6;
const NEARLY_ROUND_OFF = 1e-9;
/** |C| at which a joint is torn, m or rad. */
const TORN = 1e-4;
/** |C| that is left where constraints contradict each other, m or rad. */
const CONTRADICTION = 1e-4;
/** Iterations; halvings of the motion of an island; and share of what |C| should lose that it has to lose. */
const MOST_ITERATIONS = 20;
const MOST_HALVINGS = 6;
const SUFFICIENT_DECREASE = 0.1;

/** Largest |C| of joints and equalities, and of limits, before a step, m or rad. */
export interface StartDrift {
  joints: number;
  limits: number;
}

const ASSEMBLED: Readonly<StartDrift> = { joints: 0, limits: 0 };

export class PositionProjection {
  readonly rows: PositionRows;
  /** |C| of what is closed, m or rad, and whether one Newton step follows, however small. */
  #closed = CLOSED;
  #isTight = false;
  readonly #model: Model;
  readonly #joints: JointWorkspace;
  readonly #islands: Islands;
  readonly #whitened: WhitenedRows;
  readonly #held: BilateralConstraints;
  readonly #factor: Float64Array;
  readonly #inverseDiagonal: Float64Array;
  readonly #root: Float64Array;
  /** Per column of an island: the first column of its tree. */
  readonly #treeStart: Int32Array;
  readonly #z: Float64Array;
  readonly #change: Float64Array;
  readonly #before: Float64Array;
  readonly #memory: Memory;
  #impulse: Float64Array;
  // per tree: largest |C| of its island; |C|, now and before it was moved (-1 where it was not); the part of the Newton step that was taken
  readonly #worst: Float64Array;
  readonly #norm: Float64Array;
  readonly #normBefore: Float64Array;
  readonly #part: Float64Array;
  readonly #halvings: Uint8Array;
  readonly #isDone: Uint8Array;
  readonly #isTouching: Uint8Array;
  readonly #result: Projection = { hasMoved: false, isContradiction: false, drift: 0, isTorn: false };

  constructor(model: Model, joints: JointWorkspace, memory: Memory) {
    const n = model.size.velocity;
    const forest = listTrees(model);
    this.#model = model;
    this.#joints = joints;
    this.#memory = memory;
    this.rows = new PositionRows(model, joints, memory);
    this.#islands = new Islands(forest, memory);
    this.#factor = memory.f64(model.size.massMatrix);
    this.#inverseDiagonal = memory.f64(n);
    this.#root = memory.f64(n);
    this.#whitened = new WhitenedRows(this.#islands, model.massMatrix, this.#factor, this.#root, memory);
    this.#held = new BilateralConstraints(n, memory);
    this.#treeStart = memory.i32(n);
    this.#z = memory.f64(n);
    this.#change = memory.f64(n);
    this.#before = memory.f64(model.size.position);
    this.#impulse = memory.f64(0);
    this.#worst = memory.f64(forest.count);
    this.#norm = memory.f64(forest.count);
    this.#normBefore = memory.f64(forest.count);
    this.#part = memory.f64(forest.count);
    this.#halvings = new Uint8Array(forest.count);
    this.#isDone = new Uint8Array(forest.count);
    this.#isTouching = new Uint8Array(forest.count);
  }

  /** Closes down to round-off from now on, or no longer: positions are then a smooth function of where the step began. */
  tighten(isTight: boolean): void {
    this.#isTight = isTight;
    this.#closed = isTight ? NEARLY_ROUND_OFF : CLOSED;
  }

  /**
   * Puts together what a run starts with open by more than OPEN, before contacts are found: whether it has moved. Limits stay as they are,
   * and are met at their own pace.
   */
  assemble(state: State, work: Workspace): boolean {
    if (!this.rows.isNeeded) return false;
    this.#update(state, work, Infinity);
    if (!(this.#measureDrift() > OPEN)) return false;
    this.#isTouching.fill(0);
    return this.project(state, work, Infinity, this.#isTouching, 0, ASSEMBLED).hasMoved;
  }

  /**
   * Moves positions onto the constraints. Kinematics and joints of the workspace are those of the state, before and after. Limits count
   * where they are overrun by more than `limitDepth`; C of islands with a tree that touches something falls by `touchingDepth` at most.
   * What was open before the step has not been torn by it.
   */
  project(
    state: State,
    work: Workspace,
    limitDepth: number,
    isTouching: Uint8Array,
    touchingDepth: number,
    startDrift: Readonly<StartDrift>,
  ): Projection {
    const result = this.#result;
    result.hasMoved = false;
    result.isContradiction = false;
    result.isTorn = false;
    this.rows.write(state, work, limitDepth);
    result.drift = this.#measureDrift();
    if (!(result.drift > (this.#isTight ? 0 : this.#closed))) return result;
    let isLast = false;
    this.#halvings.fill(0);
    this.#isDone.fill(0);
    this.#normBefore.fill(-1);
    for (let n = 0; ; n++) {
      this.#measureIslands();
      if (!isLast && this.#judge(state, isTouching)) {
        this.#update(state, work, limitDepth);
        this.#measureIslands();
      }
      if (isLast || n === MOST_ITERATIONS) break;
      if (!this.#findChange(work, isTouching, touchingDepth, this.#closed)) {
        isLast = this.#isTight;
        if (!isLast || !this.#findChange(work, isTouching, touchingDepth, 0)) break;
      }
      this.#before.set(state.position);
      integratePositions(this.#model, state.position, this.#change, 0, 1);
      this.#update(state, work, limitDepth);
      result.hasMoved = true;
    }
    result.drift = this.#measureDrift();
    result.isTorn =
      (startDrift.joints <= TORN && this.#measureDrift(SOURCE.constraintJoint) > TORN) ||
      (startDrift.limits <= TORN && this.#measureDrift(SOURCE.jointLimit) > TORN);
    return result;
  }

  #update(state: State, work: Workspace, limitDepth: number): void {
    updateKinematics(this.#model, state, work);
    updateJoints(this.#model, work, this.#joints);
    this.rows.write(state, work, limitDepth);
  }

  // largest |C|, of all rows or of those of a source
  #measureDrift(of = -1): number {
    const { reference, rows, source } = this.rows.problem;
    let worst = 0;
    for (let b = 0; b < rows.blockCount; b++) {
      if (of >= 0 && source[b] !== of) continue;
      for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) worst = Math.max(worst, Math.abs(reference[r]));
    }
    return worst;
  }

  // splits the rows into islands and notes the largest |C| of each
  #measureIslands(): void {
    const { problem } = this.rows;
    const { reference, rows } = problem;
    const islands = this.#islands;
    islands.split(problem, true);
    this.#worst.fill(0);
    this.#norm.fill(0);
    for (let island = 0; island < islands.count; island++) {
      let worst = 0;
      let square = 0;
      for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
        const b = islands.block[s];
        for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
          worst = Math.max(worst, Math.abs(reference[r]));
          square += reference[r] * reference[r];
        }
      }
      for (let s = islands.treeStart[island]; s < islands.treeStart[island + 1]; s++) {
        this.#worst[islands.tree[s]] = worst;
        this.#norm[islands.tree[s]] = Math.sqrt(square);
      }
    }
  }

  // takes trees back whose C has not fallen; whether there were any
  #judge(state: State, isTouching: Uint8Array): boolean {
    let hasGoneBack = false;
    for (let t = 0; t < this.#worst.length; t++) {
      const before = this.#normBefore[t];
      this.#normBefore[t] = -1;
      if (before < 0) continue;
      if (this.#norm[t] <= (1 - SUFFICIENT_DECREASE * this.#part[t]) * before) {
        this.#halvings[t] = 0;
        this.#isDone[t] = isTouching[t];
        continue;
      }
      hasGoneBack = true;
      this.#takeBack(state, t);
      if (this.#halvings[t]++ < MOST_HALVINGS) continue;
      this.#isDone[t] = 1;
      if (before > CONTRADICTION) this.#result.isContradiction = true;
    }
    return hasGoneBack;
  }

  #takeBack(state: State, tree: number): void {
    const { joint, size } = this.#model;
    const { treeOf } = this.#islands.forest;
    for (let j = 0; j < size.joint; j++) {
      if (treeOf[joint.dofStart[j]] !== tree) continue;
      const first = joint.positionStart[j];
      const end = j + 1 < size.joint ? joint.positionStart[j + 1] : size.position;
      for (let i = first; i < end; i++) state.position[i] = this.#before[i];
    }
  }

  // dq of all islands that are open by more than `closed`; whether there are any
  #findChange(work: Workspace, isTouching: Uint8Array, touchingDepth: number, closed: number): boolean {
    const { count, tree, treeStart } = this.#islands;
    this.#change.fill(0);
    let isFactored = false;
    let hasMoved = false;
    for (let island = 0; island < count; island++) {
      const first = tree[treeStart[island]];
      if (this.#isDone[first] === 1 || !(this.#worst[first] > closed)) continue;
      if (!isFactored && !this.#factorMass(work)) return false;
      isFactored = true;
      let touches = false;
      for (let s = treeStart[island]; s < treeStart[island + 1]; s++) touches ||= isTouching[tree[s]] === 1;
      const share = touches ? Math.min(1, touchingDepth / this.#worst[first]) : 1;
      const part = share * 0.5 ** this.#halvings[first];
      if (!(part > 0) || !this.#moveIsland(island, part)) continue;
      for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
        this.#normBefore[tree[s]] = this.#norm[tree[s]];
        this.#part[tree[s]] = part;
      }
      hasMoved = true;
    }
    return hasMoved;
  }

  // L and D^(−½) of M
  #factorMass(work: Workspace): boolean {
    const { kernels, rowStart, column } = work.plan;
    this.#factor.set(work.massMatrix);
    if (kernels.factorTree(this.#factor, this.#inverseDiagonal, rowStart, column) >= 0) return false;
    for (let i = 0; i < this.#root.length; i++) this.#root[i] = Math.sqrt(this.#inverseDiagonal[i]);
    return true;
  }

  // adds a part of the Newton step of an island to dq; false where it has none
  #moveIsland(island: number, part: number): boolean {
    const { problem } = this.rows;
    const { block, blockStart, dofStart } = this.#islands;
    const held = this.#held;
    const origin = dofStart[island];
    this.#listTrees(island);
    held.clear(blockStart[island + 1] - blockStart[island], problem.rowCount);
    this.#whitened.begin();
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const added = this.#whitened.add(held.rows, problem.rows, b, origin, origin);
      const first = problem.rows.rowStart[b];
      for (let k = 0; k < problem.rows.rowStart[b + 1] - first; k++) {
        const row = held.rows.rowStart[added] + k;
        held.compliance[row] = 0;
        held.linear[row] = part * problem.reference[first + k];
      }
    }
    if (!held.factor(this.#treeStart)) return false;
    if (this.#impulse.length < held.count) this.#impulse = this.#memory.f64(2 * held.count);
    this.#z.fill(0);
    held.complete(this.#z, this.#impulse);
    this.#whitened.addMotion(this.#change, this.#z, island, origin);
    return true;
  }

  #listTrees(island: number): void {
    const { tree, treeStart, forest, localDof } = this.#islands;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      const first = forest.start[tree[s]];
      const at = localDof[first];
      this.#treeStart.fill(at, at, at + forest.start[tree[s] + 1] - first);
    }
  }
}
