/**
 * Joints, equalities and limits by augmented Lagrangian; servos, springs, dampers, armature and dry friction as energies of the step.
 *   bilateral   h² (λ C + ½ μ C²)                                        after a minimisation λ ← λ + μ C
 *   limit       h²/(2 μ) (max(0, λ − μ d)² − λ²), d ≥ 0 wanted                            λ ← max(0, λ − μ d)
 *               from d₀ < 0 at the start, d ≥ −δ: δ = |d₀| less what the recovery speed undoes in h (limit-recovery.ts)
 *   to mocap    an equality that holds a body to a mocap body, open by C₀ at the start: C less C₀ (1 − h ḋ/|C₀|), ḋ its closing speed
 *               (limit-recovery.ts); closed at once, it would throw the body at C₀/h
 *   drive       −h² ∫ u dl, u its force at the end of the step with its limits (joint/drives.ts)
 *   armature  ½ m (q − q₀ − h q̇₀)²      dry friction  h² f f₀(|q − q₀|), smoothed below h ε_v
 * C, d, q in m or rad; λ in N or N m is the force of the joint; μ = γ/(h² J M⁻¹ Jᵀ): the penalty of every row is γ times the inertia it
 * sees, whatever its unit. If a round does not reduce C tenfold, γ grows (`jointPenalty`, `jointPenaltyGrowth`).
 * The pure penalty method leaves λ at 0.
 * Hessian: E'' J Jᵀ of every row, and of chains, connects and welds E' ∇²C (joint-curvature.ts), positive semidefinite where asked; with C
 * among them the limits, springs and dampers of a joint that is alone in its chain, but for how a hinge bends across its axis.
 * A heavy load on a light chain makes E' ∇²C, the stiffness by tension, larger than the inertia: without it Newton's method overshoots.
 * Most steps converge within a few Gauss-Newton iterations, so E' ∇²C is left out of the first ones.
 */
import { frictionPotential, frictionSlope } from '../../../contact/smooth-friction.ts';
import type { FramePoses, Frames } from '../../../dynamics/frames.ts';
import type { Workspace } from '../../../dynamics/workspace.ts';
import type { DriveForce, Drives } from '../../../joint/drives.ts';
import type { JointWorkspace } from '../../../joint/joint-workspace.ts';
import { projectPsd } from '../../../linear-algebra/project-psd.ts';
import { EQUALITY, JOINT, type Model } from '../../../model/model.ts';
import type { ConstraintImpulses } from '../../../state/constraint-impulses.ts';
import type { State } from '../../../state/state.ts';
import { measureClosingSpeed, measureRecoverySpeed } from '../../limit-recovery.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import type { SecondOrder } from '../second-order.ts';
import type { InertiaTerm } from './inertia-term.ts';
import { measureRowArm, measureRowInertia, measureRowSpeed } from './joint-row-measures.ts';
import { JointRows, ROW } from './joint-rows.ts';

/** Most that growth may make of γ over the rounds of a step. */
const MOST_GROWTH = 1e5;
/** Fall of the residual in a round with which γ stays as it is. */
const ENOUGH_FALL = 0.1;
/** Fall of the residual in a round at the largest γ below which it is idle, and idle rounds that show a contradiction. */
const IDLE_FALL = 0.9;
const IDLE_ROUNDS = 4;
/** Residual above which the last multipliers mean nothing: bodies were moved by hand; m or rad. */
const MULTIPLIERS_VALID_BELOW = 1e-3;
const WIDTH = 6;
const BODY_EQUALITIES: ReadonlySet<number> = /* @__PURE__ */ new Set([
  EQUALITY.connect,
  EQUALITY.weld,
  EQUALITY.distance,
]);
/** How often a step begins again without multipliers, and by how much penalties grow then. */
const MOST_RESTARTS = 3;
const RESTART_GROWTH = 10;
/** Share of the farthest that a row may open. */
const TORN = 0.05;
/** Assemblies of a minimisation that are Gauss-Newton: one that ends sooner does not need the dearer Hessian. */
const GAUSS_NEWTON = 6;

/** What the slope E' of a coordinate or drive loses as the start of the step changes: by its length, by x̂, by x̃, and by the force f of a drive. */
export interface RowStart {
  byLength: number;
  byBase: number;
  byPredicted: number;
  byForce: number;
  /** u of a drive, N or N m. */
  force: number;
  /** Whether it takes the step at order two. */
  isSecond: boolean;
}

export class JointTerm {
  readonly isEmpty: boolean;
  /** λ by number of the row, N or N m. */
  readonly multiplier: Float64Array;
  readonly rows: JointRows;
  /** How far rows may be open after a minimisation, m and rad. */
  tolerances: { readonly jointTolerance: number; readonly jointAngleTolerance: number };
  /** μ h², and where the coordinate was at the start of the step and would be without change of speed. */
  readonly #penalty: Float64Array;
  readonly #start: Float64Array;
  readonly #predicted: Float64Array;
  /** Velocities at the end are (value − base)/reach: where the row was at the start, and h, or those of order two; weight of inertia. */
  readonly #base: Float64Array;
  readonly #reach: Float64Array;
  readonly #weight: Float64Array;
  readonly #model: Model;
  readonly #inertia: InertiaTerm;
  readonly #drives: Drives;
  readonly #isPenalty: boolean;
  #h = 1;
  #worst = Infinity;
  #idleRounds = 0;
  #restarts = 0;
  /** Largest |C| that a row may come to: that at the start, and what one radian opens. */
  readonly #farthest: Float64Array;
  /** δ of limits, and what equalities to mocap bodies may stay open by, by number of the row; m or rad. */
  readonly #allowance: Float64Array;
  /** λ at the start of the step. */
  readonly #firstMultiplier: Float64Array;
  #assemblies = 0;
  /** Whether the next assembly is one for derivatives. */
  #isForDerivatives = false;
  /** Per constraint joint: the gradient of its limits, springs and dampers by the pose of its child. */
  readonly #pull: Float64Array;
  readonly #block = new Float64Array(36);

  constructor(model: Model, inertia: InertiaTerm, drives: Drives) {
    this.#model = model;
    this.#inertia = inertia;
    this.#drives = drives;
    this.tolerances = model.options.ipc;
    this.rows = new JointRows(model, drives);
    this.isEmpty = this.rows.isEmpty;
    const { idCount } = this.rows;
    this.multiplier = new Float64Array(idCount);
    this.#pull = new Float64Array(6 * model.size.constraintJoint);
    this.#firstMultiplier = new Float64Array(idCount);
    this.#penalty = new Float64Array(idCount);
    this.#farthest = new Float64Array(idCount);
    this.#allowance = new Float64Array(idCount);
    this.#start = new Float64Array(idCount);
    this.#predicted = new Float64Array(idCount);
    this.#base = new Float64Array(idCount);
    this.#reach = new Float64Array(idCount);
    this.#weight = new Float64Array(idCount);
    this.#isPenalty = model.options.ipc.joints === 'penalty';
  }

  /** Penalties, warm start and coordinates at the start of the step. */
  begin(state: State, frames: Frames, h: number, second?: SecondOrder): void {
    if (this.isEmpty) return;
    const { rows, multiplier } = this;
    const { jointPenalty } = this.#model.options.ipc;
    this.#h = h;
    this.#worst = Infinity;
    this.#assemblies = 0;
    rows.begin(state, frames.current);
    rows.update(frames.current);
    this.#readMultipliers(state.impulses, h);
    this.#idleRounds = 0;
    this.#restarts = 0;
    this.#growth = 1;
    this.#penalty.fill(0);
    for (let r = 0; r < rows.count; r++) {
      const id = rows.id[r];
      this.#penalty[id] = jointPenalty * measureRowInertia(rows, r, this.#inertia, frames.current);
      this.#start[id] = rows.value[r];
      const isLimit = rows.kind[r] === ROW.limit;
      const open = isLimit ? Math.max(0, -rows.value[r]) : Math.abs(rows.value[r]);
      const rest = isLimit ? open - h * measureRecoverySpeed(open) : open - h * measureClosingSpeed(open);
      const mayStay = rest > 0 && (isLimit || this.#isOfMocap(r));
      this.#allowance[id] = mayStay ? (isLimit ? rest : Math.sign(rows.value[r]) * rest) : 0;
      this.#farthest[id] = open + measureRowArm(rows, r, this.#inertia);
      this.#predicted[id] = rows.value[r] + h * measureRowSpeed(rows, r, state.velocity, frames.current);
      if (rows.kind[r] === ROW.bilateral && Math.abs(this.measureGap(r)) > MULTIPLIERS_VALID_BELOW) multiplier.fill(0);
    }
    this.#firstMultiplier.set(multiplier);
    this.#base.set(this.#start);
    for (let r = 0; r < rows.count; r++) if (rows.kind[r] === ROW.drive) this.#base[rows.id[r]] = 0;
    this.#reach.fill(h);
    this.#weight.fill(1);
    if (second?.isAny) this.#beginSecondOrder(frames, h, second);
  }

  // x̂ and x̃ of coordinates and drives from their values before the last step
  #beginSecondOrder(frames: Frames, h: number, { formula, history, isActive }: SecondOrder): void {
    const { rows } = this;
    const { share, reach, weight, before } = formula;
    if (!this.#hasVelocities()) return;
    rows.update(history);
    for (let r = 0; r < rows.count; r++) {
      if (rows.kind[r] < ROW.coordinate || isActive[rows.group[rows.entryStart[r]]] === 0) continue;
      const id = rows.id[r];
      const start = rows.kind[r] === ROW.drive ? 0 : this.#start[id];
      const moved = wrap(start - rows.value[r], rows.isAngle[r] === 1);
      const speed = (this.#predicted[id] - this.#start[id]) / h;
      const speedBefore = measureRowSpeed(rows, r, history.velocity, history);
      const lead = moved - before * speedBefore + (reach - before) * (speed - speedBefore);
      this.#base[id] = start + share * moved;
      this.#predicted[id] += share * lead;
      this.#reach[id] = reach;
      this.#weight[id] = weight;
    }
    rows.update(frames.current);
  }

  // whether there are rows that speed acts on
  #hasVelocities(): boolean {
    const { rows } = this;
    for (let r = 0; r < rows.count; r++) if (rows.kind[r] >= ROW.coordinate) return true;
    return false;
  }

  /** Whether a limit pushes at the poses evaluated last. */
  isLimitHeld(r: number): boolean {
    const { rows } = this;
    const id = rows.id[r];
    return this.#h * this.#h * this.multiplier[id] - this.#penalty[id] * this.measureGap(r) > 0;
  }

  /** Whether a limit may stay overrun in the step, or an equality open, by an amount that depends on its start. */
  hasAllowance(r: number): boolean {
    return this.#allowance[this.rows.id[r]] !== 0;
  }

  /** How far a limit, joint or equality is from where it has to be at the end of the step, m or rad. */
  measureGap(r: number): number {
    const { kind, value, id } = this.rows;
    const allowance = this.#allowance[id[r]];
    return kind[r] === ROW.bilateral ? value[r] - allowance : value[r] + allowance;
  }

  // other equalities may close loops, whose rows depend on each other: they agree where all are closed, but not on a way there
  #isOfMocap(r: number): boolean {
    const { bilateralCount, kind, id } = this.rows;
    const { body, equality, size } = this.#model;
    const e = Math.floor(id[r] / WIDTH) - (bilateralCount - size.equality);
    if (kind[r] !== ROW.bilateral || e < 0 || !BODY_EQUALITIES.has(equality.kind[e])) return false;
    return body.mocap[equality.object1[e]] >= 0 || (equality.object2[e] >= 0 && body.mocap[equality.object2[e]] >= 0);
  }

  value(poses: FramePoses): number {
    if (this.isEmpty) return 0;
    const { rows } = this;
    rows.update(poses);
    let energy = 0;
    for (let r = 0; r < rows.count; r++) energy += this.#evaluate(r);
    return energy;
  }

  /** Adds gradient and Hessian of the rows at the poses evaluated last. */
  add(matrix: BodyMatrix, isProjected: boolean): void {
    if (this.isEmpty) return;
    const { rows } = this;
    const { gradient } = matrix;
    for (let r = 0; r < rows.count; r++) {
      this.#evaluate(r);
      if (this.#slope === 0 && this.#curvature === 0) continue;
      const end = rows.entryStart[r + 1];
      for (let i = rows.entryStart[r]; i < end; i++) {
        const g = rows.group[i];
        for (let k = 0; k < 6; k++) gradient[6 * g + k] += this.#slope * rows.vector[6 * i + k];
        if (matrix.isGradientOnly) continue;
        for (let j = i; j < end; j++) this.#addBlock(matrix, i, j);
      }
    }
    if (matrix.isGradientOnly) return;
    this.#assemblies++;
    if (this.#assemblies <= GAUSS_NEWTON) return;
    this.#gatherPulls();
    this.#isForDerivatives = false;
    for (let n = 0; n < rows.bilateralCount; n++) this.#addCurvature(matrix, n, isProjected);
  }

  // E' ∇q of limits that push, and of springs and dampers, by the pose of the child of their joint
  #gatherPulls(): void {
    const { rows } = this;
    const pull = this.#pull;
    pull.fill(0);
    for (let r = 0; r < rows.count; r++) {
      const c = rows.jointOf(r, this.#isForDerivatives);
      if (c < 0) continue;
      this.#evaluate(r);
      const child = rows.frameOfChild(c);
      for (let i = rows.entryStart[r]; i < rows.entryStart[r + 1]; i++) {
        if (rows.group[i] !== child) continue;
        for (let k = 0; k < 6; k++) pull[6 * c + k] += this.#slope * rows.vector[6 * i + k];
      }
    }
  }

  // E' ∇²C of the rows of a chain or equality
  #addCurvature(matrix: BodyMatrix, n: number, isProjected: boolean): void {
    const { rows } = this;
    const first = rows.firstRow[n];
    if (first < 0) return;
    let isZero = true;
    for (let k = 0; k < WIDTH; k++) {
      const isRow = first + k < rows.count && rows.id[first + k] === WIDTH * n + k;
      if (isRow) this.#evaluate(first + k);
      weights[k] = isRow ? this.#slope : 0;
      if (weights[k] !== 0) isZero = false;
    }
    const joint = rows.onlyJointOf(n);
    for (let k = 0; k < WIDTH; k++) {
      weights[WIDTH + k] = joint < 0 ? 0 : this.#pull[6 * joint + k];
      if (weights[WIDTH + k] !== 0) isZero = false;
    }
    if (isZero || !rows.writeCurvature(curvature, n, weights)) return;
    const [f, g] = rows.pair;
    if (isProjected) projectUnknowns(f < 0, g < 0);
    for (let a = 0; a < 2; a++) {
      for (let b = a; b < 2; b++) {
        const frame = rows.pair[a];
        const other = rows.pair[b];
        if (frame >= 0 && other >= 0) matrix.addBlock(frame, other, curvature, 72 * a + 6 * b, 12, 1);
      }
    }
  }

  couple(matrix: BodyMatrix): void {
    if (this.isEmpty) return;
    const { rows } = this;
    for (let r = 0; r < rows.count; r++) {
      for (let i = rows.entryStart[r]; i < rows.entryStart[r + 1]; i++) {
        for (let j = i + 1; j < rows.entryStart[r + 1]; j++) matrix.couple(rows.group[i], rows.group[j]);
      }
    }
  }

  /** The next assembly has all of the Hessian, also where those of a minimisation leave out E' ∇²C: in its first ones, and of servos, armature and friction. */
  takeWholeHessian(): void {
    this.#assemblies = GAUSS_NEWTON;
    this.#isForDerivatives = true;
  }

  /** Whether joints are springs alone. */
  get isPenalty(): boolean {
    return this.#isPenalty;
  }

  /** After a minimisation: whether all rows are within their tolerances. */
  isWithinTolerance(): boolean {
    if (this.isEmpty || this.#isPenalty) return true;
    return this.#measureViolation() <= 1;
  }

  /** λ ← λ + μ C. Penalties grow where this does not reduce the drift enough. */
  updateMultipliers(): void {
    // a step that needed the true Hessian once needs it in later rounds, too
    if (this.#assemblies <= GAUSS_NEWTON) this.#assemblies = 0;
    if (this.isEmpty || this.#isPenalty) return;
    const { rows, multiplier } = this;
    const worst = this.#measureViolation();
    const scale = this.#h * this.#h;
    for (let r = 0; r < rows.count; r++) {
      const id = rows.id[r];
      const mu = this.#penalty[id] / scale;
      if (rows.kind[r] === ROW.bilateral) multiplier[id] += mu * this.measureGap(r);
      else if (rows.kind[r] === ROW.limit) multiplier[id] = Math.max(0, multiplier[id] - mu * this.measureGap(r));
    }
    // penalties are as large as they get, and still nothing moves: rows contradict each other
    const isIdle = this.#growth >= MOST_GROWTH && worst > IDLE_FALL * this.#worst;
    this.#idleRounds = isIdle ? this.#idleRounds + 1 : 0;
    if (worst > ENOUGH_FALL * this.#worst) this.#raisePenalty();
    this.#worst = worst;
  }

  /** Whether rounds at the largest penalty no longer bring the rows nearer to their tolerances. */
  get isContradictory(): boolean {
    return this.#idleRounds >= IDLE_ROUNDS;
  }

  /**
   * Whether a row is open farther than it may be. Multipliers of the last step that are far too large for this one make a saddle of
   * λ C + ½ μ C²: nothing stops the descent before half a turn.
   */
  get hasRunAway(): boolean {
    return this.#isOpen(1);
  }

  /** Whether a row is open so far that a descent which found no minimum has run the same way, and got stuck. */
  get isTorn(): boolean {
    return this.#isOpen(TORN);
  }

  #isOpen(share: number): boolean {
    if (this.isEmpty || this.#isPenalty || this.#restarts >= MOST_RESTARTS) return false;
    const { rows } = this;
    for (let r = 0; r < rows.count; r++) {
      if (rows.kind[r] > ROW.limit) continue;
      const open = rows.kind[r] === ROW.bilateral ? Math.abs(rows.value[r]) : -rows.value[r];
      if (open > share * this.#farthest[rows.id[r]]) return true;
    }
    return false;
  }

  /** The step begins again without multipliers, and with larger penalties. */
  restart(): void {
    this.#restarts++;
    this.#worst = Infinity;
    this.#idleRounds = this.#assemblies = 0;
    this.multiplier.fill(0);
    this.#firstMultiplier.fill(0);
    for (let id = 0; id < this.#penalty.length; id++) this.#penalty[id] *= RESTART_GROWTH;
    this.#growth *= RESTART_GROWTH;
  }

  /** Back to the multipliers of before the step: those of rows that contradict each other grow without bound. */
  dropMultipliers(): void {
    this.multiplier.set(this.#firstMultiplier);
  }

  #raisePenalty(): void {
    const { jointPenaltyGrowth } = this.#model.options.ipc;
    if (this.#growth < MOST_GROWTH)
      for (let id = 0; id < this.#penalty.length; id++) this.#penalty[id] *= jointPenaltyGrowth;
    this.#growth *= jointPenaltyGrowth;
  }

  #growth = 1;

  /** Keeps λ h for the next step, six rows an entry. */
  writeMultipliers(out: ConstraintImpulses, h: number): void {
    out.clear();
    if (this.isEmpty || this.#isPenalty) return;
    this.#growth = 1;
    for (let n = 0; n < this.rows.firstCoordinate; n += WIDTH) {
      const rows = Math.min(WIDTH, this.rows.firstCoordinate - n);
      for (let k = 0; k < rows; k++) scratch[k] = h * this.multiplier[n + k];
      out.add(0, n, scratch, 0, rows);
    }
  }

  /** Forces along the rows of equalities at the end of the step, six per equality, N and N m: −λ, or −μ C of the pure penalty. */
  readEqualityForces(out: Float64Array): void {
    out.fill(0);
    if (this.isEmpty) return;
    const { rows } = this;
    const first = WIDTH * (rows.bilateralCount - this.#model.size.equality);
    for (let r = 0; r < rows.count; r++) {
      const at = rows.id[r] - first;
      if (rows.kind[r] !== ROW.bilateral || at < 0) continue;
      const penalty = this.#isPenalty ? (this.#penalty[rows.id[r]] * this.measureGap(r)) / (this.#h * this.#h) : 0;
      out[at] = -this.multiplier[rows.id[r]] - penalty;
    }
  }

  /** Forces of limits at the end of the step, ≥ 0, N or N m: one number per joint, constraint joints after the others, then per tendon. */
  readLimitForces(out: Float64Array): void {
    out.fill(0);
    if (this.isEmpty) return;
    const { rows } = this;
    for (let r = 0; r < rows.count; r++) {
      if (rows.kind[r] !== ROW.limit) continue;
      const id = rows.id[r];
      const penalty = this.#isPenalty ? (this.#penalty[id] * this.measureGap(r)) / (this.#h * this.#h) : 0;
      const force = Math.max(0, this.multiplier[id] - penalty);
      // the lower side comes first
      const source = rows.limitSource[id - rows.firstLimit];
      if (out[source] === 0) out[source] = force;
    }
  }

  #readMultipliers(impulses: ConstraintImpulses, h: number): void {
    this.multiplier.fill(0);
    if (this.#isPenalty || this.#model.options.disabled.has('warmStart')) return;
    impulses.rewind();
    for (let n = 0; n < this.rows.firstCoordinate; n += WIDTH) {
      const at = impulses.find(0, n);
      if (at < 0) continue;
      for (let k = 0; k < WIDTH && n + k < this.rows.firstCoordinate; k++)
        this.multiplier[n + k] = impulses.value[at + k] / h;
    }
  }

  // worst residual over its tolerance
  #measureViolation(): number {
    const { rows } = this;
    const { jointTolerance, jointAngleTolerance } = this.tolerances;
    let worst = 0;
    for (let r = 0; r < rows.count; r++) {
      if (rows.kind[r] >= ROW.coordinate) continue;
      const gap = this.measureGap(r);
      // a limit that pushes has to be reached: the force of the last step may hold on where it has been left
      const value = rows.kind[r] === ROW.bilateral || this.isLimitHeld(r) ? Math.abs(gap) : -gap;
      worst = Math.max(worst, value / (rows.isAngle[r] ? jointAngleTolerance : jointTolerance));
    }
    return worst;
  }

  #slope = 0;
  #curvature = 0;

  // energy of a row; first and second derivative by its value in `slope` and `curvature`
  #evaluate(r: number): number {
    const { rows, multiplier } = this;
    const id = rows.id[r];
    const x = rows.value[r];
    const penalty = this.#penalty[id];
    const scale = this.#h * this.#h;
    if (rows.kind[r] === ROW.bilateral) {
      const push = scale * multiplier[id];
      const gap = this.measureGap(r);
      this.#slope = push + penalty * gap;
      this.#curvature = penalty;
      return push * gap + 0.5 * penalty * gap * gap;
    }
    if (rows.kind[r] === ROW.limit) {
      const push = scale * multiplier[id];
      const rest = push - penalty * this.measureGap(r);
      this.#slope = rest > 0 ? -rest : 0;
      this.#curvature = rest > 0 ? penalty : 0;
      return penalty > 0 ? (Math.max(0, rest) ** 2 - push * push) / (2 * penalty) : 0;
    }
    return rows.kind[r] === ROW.drive ? this.#evaluateDrive(id, x) : this.#evaluateCoordinate(id, x);
  }

  #evaluateDrive(id: number, x: number): number {
    const scale = this.#h * this.#h;
    this.#drives.evaluate(id - this.rows.firstDrive, x, this.#reach[id], driven, this.#base[id]);
    this.#slope = -scale * driven.force;
    this.#curvature = scale * driven.slope;
    return scale * driven.energy;
  }

  /** E' of row r at the poses evaluated last. */
  readSlope(r: number): number {
    this.#evaluate(r);
    return this.#slope;
  }

  /** Reads how row r, a coordinate or drive, depends on the start of the step, at the poses evaluated last. */
  readStart(out: RowStart, r: number): void {
    const { rows } = this;
    const id = rows.id[r];
    const h = this.#h;
    const reach = this.#reach[id];
    this.#evaluate(r);
    out.byLength = out.byBase = out.byPredicted = out.byForce = out.force = 0;
    out.isSecond = reach !== h;
    if (rows.kind[r] === ROW.coordinate) {
      out.byPredicted = this.#weight[id] * this.#model.constraintJoint.armature[rows.coordinateOf(r)];
      out.byBase = this.#curvature - out.byPredicted;
      return;
    }
    const e = id - rows.firstDrive;
    out.force = driven.force;
    if (driven.force <= this.#drives.low[e] || driven.force >= this.#drives.high[e]) return;
    out.byLength = h * h * (this.#drives.stiffness[e] + this.#drives.damping[e] / reach);
    out.byBase = (h * h * this.#drives.damping[e]) / reach;
    out.byForce = h * h;
  }

  /** After the last minimisation: counts what drives did among the forces of the step, whose start the workspace has. */
  accountDrives(poses: FramePoses, work: Workspace, { row }: JointWorkspace): void {
    const { rows } = this;
    if (this.#drives.count === 0) return;
    rows.update(poses);
    for (let r = 0; r < rows.count; r++) {
      if (rows.kind[r] !== ROW.drive) continue;
      const e = rows.id[r] - rows.firstDrive;
      const reach = this.#reach[rows.id[r]];
      const base = this.#base[rows.id[r]];
      this.#drives.evaluate(e, rows.value[r], reach, driven, base);
      this.#drives.writeRow(row, e, work);
      for (let i = 0; i < row.count; i++) work.constraintForce[row.column[i]] -= driven.force * row.value[i];
      this.#drives.account(e, driven.force, row, (rows.value[r] - base) / reach, work);
    }
  }

  #evaluateCoordinate(id: number, x: number): number {
    const { rows } = this;
    const { constraintJoint, tendon, options } = this.#model;
    const h = this.#h;
    const isTendon = id >= rows.firstTendon;
    const c = isTendon ? id - rows.firstTendon : Math.floor((id - rows.firstCoordinate) / 3);
    const isAngle = !isTendon && constraintJoint.kind[c] !== JOINT.slide;
    const move = wrap(x - this.#base[id], isAngle);
    const mass = this.#weight[id] * (isTendon ? tendon.armature[c] : constraintJoint.armature[c]);
    const loss = h * h * (isTendon ? tendon.frictionLoss[c] : constraintJoint.frictionLoss[c]);
    const lead = wrap(x - this.#predicted[id], isAngle);
    this.#slope = mass * lead;
    this.#curvature = mass;
    let energy = 0.5 * mass * lead * lead;
    if (loss > 0 && !options.disabled.has('frictionLoss')) {
      const e = options.ipc.frictionVelocity * this.#reach[id];
      const y = Math.abs(move);
      energy += loss * frictionPotential(y, e);
      this.#slope += loss * frictionSlope(y, e) * Math.sign(move);
      this.#curvature += y < e ? (loss * 2 * (1 - y / e)) / e : 0;
    }
    return energy;
  }

  #addBlock(matrix: BodyMatrix, i: number, j: number): void {
    const { rows } = this;
    const block = this.#block;
    for (let a = 0; a < 6; a++) {
      const x = this.#curvature * rows.vector[6 * i + a];
      for (let b = 0; b < 6; b++) block[6 * a + b] = x * rows.vector[6 * j + b];
    }
    matrix.addBlock(rows.group[i], rows.group[j], block, 0, 6, 1);
  }
}

const driven: DriveForce = { force: 0, slope: 0, energy: 0 };
const scratch = /* @__PURE__ */ new Float64Array(WIDTH);
const weights = /* @__PURE__ */ new Float64Array(2 * WIDTH);
const curvature = /* @__PURE__ */ new Float64Array(144);

// the nearest positive semidefinite matrix over the frames that are unknowns
function projectUnknowns(isFirstFixed: boolean, isSecondFixed: boolean): void {
  for (let i = 0; i < 12; i++) {
    const isFixed = i < 6 ? isFirstFixed : isSecondFixed;
    if (isFixed) for (let j = 0; j < 12; j++) curvature[12 * i + j] = curvature[12 * j + i] = 0;
  }
  projectPsd(curvature, 0, 12);
}

// the shorter way round
function wrap(x: number, isAngle: boolean): number {
  return isAngle ? x - 2 * Math.PI * Math.round(x / (2 * Math.PI)) : x;
}
