/**
 * Derivatives of equalities that are springs of a solve, y = J x + B J (v + s) + κ r + J̇ v, f = −y/R, s of inertial-motion.ts. In Φ = −λᵀ Jᵀ f with η = J λ:
 *   δΦ = −f · δη + (η/R) · δy + η · f δ ln R
 * Over accelerations R follows the impedance, over velocities the inverse mass w of the row, without B and J̇ v.
 * How J, κ r + J̇ v and R change with each dof is found by centred differences of the kinematics and of these rows alone, no solve; once for all
 * gradients of a step.
 */
import { computeBiasForce, updateTwists } from '../../dynamics/bias-force.ts';
import { updateKinematics } from '../../dynamics/kinematics.ts';
import { integratePositions } from '../../dynamics/poses.ts';
import { createWorkspace, type Workspace } from '../../dynamics/workspace.ts';
import type { InputBars, RowInverseMass, RowRates } from '../../formulation/row-rates.ts';
import { writeEquality } from '../../joint/equality.ts';
import { createJointWorkspace, type JointWorkspace } from '../../joint/joint-workspace.ts';
import { createResidual } from '../../joint/residual.ts';
import { Arena } from '../../kernels/arena.ts';
import { BlockRows } from '../../linear-algebra/block-rows.ts';
import type { Model } from '../../model/model.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import { createState, type State } from '../../state/state.ts';

/** Lengths of differences, of positions and of velocities. */
const POSITION = 1e-6;
const VELOCITY = 1e-5;

/** Rows of an equality at most. */
const MOST_ROWS = 6;

/** Rows of one equality: J over all dofs, κ r + J̇ v, ln R but for a constant, B, and whether it acts on s. */
interface EqualityRows {
  jacobian: Float64Array;
  reference: Float64Array;
  logRegularization: number;
  damping: number;
  isShifted: boolean;
}

/** Unknowns of the solve, velocities, and s, by dof. */
export interface EqualityMotion {
  readonly x: Float64Array;
  readonly velocity: Float64Array;
  readonly shift: Float64Array;
}

export class EqualityPart {
  readonly #model: Model;
  readonly #rates: RowRates;
  readonly #state: State;
  readonly #work: Workspace;
  readonly #joints: JointWorkspace;
  readonly #rows: BlockRows;
  readonly #residual = createResidual();
  readonly #unit: Float64Array;
  /** By equality: its rows, and their changes by each dof and, of the reference, by each velocity. */
  #base: (EqualityRows | undefined)[] = [];
  #byPosition: (EqualityRows | undefined)[][] = [];
  #byVelocity: (EqualityRows | undefined)[][] = [];
  /** Of rows whose R follows the inverse mass, by equality and row, read when first needed. */
  #inverseMass: (RowInverseMass | undefined)[] = [];

  constructor(model: Model, rates: RowRates) {
    const arena = new Arena();
    this.#model = model;
    this.#rates = rates;
    this.#state = createState(model, arena);
    this.#work = createWorkspace(model, arena, this.#state.all.length);
    this.#joints = createJointWorkspace(model, arena);
    this.#rows = new BlockRows(arena);
    this.#unit = new Float64Array(model.size.velocity);
  }

  /** Takes the state at the start of a step. */
  begin(state: State): void {
    const nv = this.#model.size.velocity;
    this.#base = this.#evaluate(state, -1, 0, 0);
    this.#inverseMass = [];
    this.#byPosition = Array.from({ length: nv }, (_, c) => this.#differentiate(state, c, POSITION, 0));
    this.#byVelocity = Array.from({ length: nv }, (_, c) => this.#differentiate(state, c, 0, VELOCITY));
  }

  #differentiate(state: State, dof: number, shift: number, push: number): (EqualityRows | undefined)[] {
    const plus = this.#evaluate(state, dof, shift, push);
    const minus = this.#evaluate(state, dof, -shift, -push);
    const scale = 0.5 / (shift + push);
    return plus.map((one, e) => {
      const two = minus[e];
      if (!one || !two) return undefined;
      return {
        jacobian: one.jacobian.map((value, i) => scale * (value - two.jacobian[i])),
        reference: one.reference.map((value, i) => scale * (value - two.reference[i])),
        logRegularization: scale * (one.logRegularization - two.logRegularization),
        damping: 0,
        isShifted: false,
      };
    });
  }

  // rows of all equalities that act, with one dof shifted or pushed
  #evaluate(from: State, dof: number, shift: number, push: number): (EqualityRows | undefined)[] {
    const model = this.#model;
    const state = this.#state;
    const work = this.#work;
    state.all.set(from.all);
    if (dof >= 0) {
      const unit = this.#unit.fill(0);
      unit[dof] = 1;
      if (shift !== 0) integratePositions(model, state.position, unit, 0, shift);
      state.velocity[dof] += push;
    }
    updateKinematics(model, state, work);
    updateTwists(model, state, work);
    // accelerations of bodies without those of joints, for J̇ v
    computeBiasForce(model, state, work);
    return Array.from({ length: model.size.equality }, (_, e) => this.#readEquality(e));
  }

  #readEquality(e: number): EqualityRows | undefined {
    const model = this.#model;
    const rows = this.#rows;
    const residual = this.#residual;
    const nv = model.size.velocity;
    rows.clear();
    if (this.#state.equalityActive[e] === 0) return undefined;
    if (writeEquality(rows, model, this.#state, this.#work, this.#joints, e, residual) < 0) return undefined;
    const n = residual.dimension;
    const jacobian = new Float64Array(n * nv);
    const count = rows.columnCount[0];
    for (let k = 0; k < n; k++)
      for (let i = 0; i < count; i++)
        jacobian[nv * k + rows.column[rows.columnStart[0] + i]] += rows.value[rows.valueStart[0] + count * k + i];
    let square = 0;
    for (let k = 0; k < n; k++) square += residual.value[k] ** 2;
    const { spring, damping, logRegularization, bend, isShifted } = this.#rates.readEquality!(e, Math.sqrt(square));
    const reference = Float64Array.from(
      { length: n },
      (_, k) => spring * residual.value[k] + (bend === 0 ? 0 : bend * residual.rate[k]),
    );
    return { jacobian, reference, logRegularization, damping, isShifted };
  }

  #findInverseMass(e: number, k: number, jacobian: Float64Array): RowInverseMass | undefined {
    const nv = this.#model.size.velocity;
    this.#inverseMass[MOST_ROWS * e + k] ??= this.#rates.measureInverseMass?.(jacobian.subarray(nv * k, nv * k + nv));
    return this.#inverseMass[MOST_ROWS * e + k];
  }

  /** Adds the derivatives of block b, an equality; those by s to `byShift`, where the step has it. */
  add(
    out: InputBars,
    byShift: Float64Array,
    problem: ConvexProblem,
    b: number,
    lambda: Float64Array,
    { x, velocity: v, shift }: EqualityMotion,
  ): void {
    const { rows, regularization, sourceIndex } = problem;
    const { force } = problem.data;
    const e = sourceIndex[b];
    const base = this.#base[e];
    if (!base) return;
    const nv = lambda.length;
    const { jacobian, damping } = base;
    const isShifted = base.isShifted && byShift.length > 0;
    for (let k = 0; k < base.reference.length; k++) {
      const row = rows.rowStart[b] + k;
      let eta = 0;
      for (let i = 0; i < nv; i++) eta += jacobian[nv * k + i] * lambda[i];
      const curved = eta / regularization[row];
      const f = force[row];
      for (let i = 0; i < nv; i++) out.velocity[i] += curved * damping * jacobian[nv * k + i];
      for (let i = 0; isShifted && i < nv; i++) byShift[i] += curved * damping * jacobian[nv * k + i];
      const known = this.#findInverseMass(e, k, jacobian);
      for (let c = 0; c < nv; c++) {
        const by = this.#byPosition[c][e];
        if (by) {
          let virtual = 0;
          let motion = 0;
          let inverse = known ? known.byPosition[c] : 0;
          for (let i = nv * k, j = 0; j < nv; i++, j++) {
            const rate = by.jacobian[i];
            if (rate === 0) continue;
            virtual += rate * lambda[j];
            motion += rate * (x[j] + damping * (v[j] + (isShifted ? shift[j] : 0)));
            if (known) inverse += 2 * rate * known.column[j];
          }
          const logRate = by.logRegularization + (known ? known.logRate * inverse : 0);
          out.position[c] += curved * (motion + by.reference[k]) - f * virtual + eta * f * logRate;
        }
        out.velocity[c] += curved * (this.#byVelocity[c][e]?.reference[k] ?? 0);
      }
    }
  }
}
