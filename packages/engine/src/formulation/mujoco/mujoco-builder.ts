/**
 * From a configuration to the problem of `mujoco`: rows in MuJoCo's order (equalities, dry friction, limits, contacts), each
 * with regularisation R and reference acceleration a_ref = −B (J v) − K d r (− J̇ v for connect and weld).
 * Joints of body coordinates are equalities as hard as the formulation allows.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { COMPILED_ROWS } from '../../contact/compiled-rows.ts';
import { ContactRows } from '../../contact/contact-rows.ts';
import { SoftContactRows } from '../../contact/soft-contact-rows.ts';
import { SurfaceMotion } from '../../contact/surface-motion.ts';
import { isSemiImplicit } from '../../dynamics/implicit-share.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import { multiplyRows } from '../../linear-algebra/block-rows.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { RowsRecord } from '../../linear-algebra/rows-record.ts';
import type { Model } from '../../model/model.ts';
import { ConvexProblem } from '../../objective/convex-problem.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import { multiplyRow } from '../contact-reach.ts';
import { RollingContacts } from '../rolling-contacts.ts';
import { type AttachmentHost, addAttachments } from '../soft-rows/attachment-rows.ts';
import { measureColumns, weighSoftColumns } from '../soft-rows/soft-weight.ts';
import { type HostedTerms, OptionalTerms, type TermHost } from '../term-rows/term-host.ts';
import { addContacts } from './contact-blocks.ts';
import { DriveBlocks } from './drive-blocks.ts';
import { addEqualities } from './equality-blocks.ts';
import { FrictionBlocks } from './friction-blocks.ts';
import { Impedance } from './impedance.ts';
import { addJointChains, addJointDynamics, setHard } from './joint-blocks.ts';
import { LimitBlocks } from './limit-blocks.ts';
import { PyramidDirections } from './pyramid-directions.ts';
import { PyramidRecord } from './pyramid-record.ts';

/** Inverse weight of what cannot move, 1/kg. */
const LEAST_WEIGHT = 1e-14;

export class MujocoBuilder implements TermHost, AttachmentHost {
  readonly model: Model;
  readonly problem: ConvexProblem;
  readonly joints: JointWorkspace;
  readonly impedance: Impedance = new Impedance();
  readonly contactRows: ContactRows;
  readonly soft: SoftBodies;
  readonly softRows: SoftContactRows = new SoftContactRows();
  /** Per vertex of soft bodies: 1 where it is held. */
  softHeld: Float64Array = new Float64Array(0);
  readonly surfaceMotion: SurfaceMotion;
  readonly rolling: RollingContacts;
  /** Edges of pyramids; undefined where they have four, along the tangents. */
  readonly directions: PyramidDirections | undefined;
  /** Where compiled pyramids are to be had and all contacts may be such. */
  readonly pyramids: PyramidRecord | undefined;
  /** Least time constant of soft constraints, s, 0 for none, and that of constraints that are never soft. */
  safePeriod = 0;
  leastPeriod = 0;
  readonly terms: HostedTerms;
  readonly drives: DriveBlocks;
  /** Length of the step, s. */
  h = 0;
  /** Whether positions move by u = v + h a + s (inertial-motion.ts). */
  readonly isOnTheWay: boolean;
  /** Whether J̇ v of an equality fades (equality-blocks.ts). */
  isSharp = false;
  /** Per row: B, until J v is known. */
  damping: Float64Array;
  /** Per row: J v. */
  velocity: Float64Array;
  /** 0, 1, 2 … */
  order: Int32Array;
  readonly #friction: FrictionBlocks;
  readonly #limits: LimitBlocks;
  readonly #memory: Memory;
  /** Where the compiled product is to be had. */
  readonly #record: RowsRecord | undefined;

  constructor(model: Model, joints: JointWorkspace, soft: SoftBodies, memory: Memory) {
    this.model = model;
    this.soft = soft;
    this.problem = new ConvexProblem(memory);
    this.joints = joints;
    this.contactRows = new ContactRows(model, memory);
    const { cone, pyramidEdges, variant } = model.options.mujoco;
    const hasMore = cone === 'pyramidal' && variant === 'mujoco' && pyramidEdges > 4;
    this.directions = hasMore ? new PyramidDirections(pyramidEdges) : undefined;
    this.surfaceMotion = new SurfaceMotion(model);
    this.rolling = new RollingContacts(model);
    this.beginStep(model.options.timestep);
    this.isOnTheWay = isSemiImplicit(model.options.integrator);
    this.terms = new OptionalTerms(this);
    this.damping = memory.f64(256);
    this.velocity = memory.f64(256);
    this.order = memory.i32(0);
    this.drives = new DriveBlocks(this);
    this.#friction = new FrictionBlocks(this);
    this.#limits = new LimitBlocks(this);
    this.#memory = memory;
    const { record } = this.contactRows;
    const isPlain = cone === 'pyramidal' && variant === 'mujoco' && !hasMore && !this.surfaceMotion.isPresent;
    if (record && isPlain && model.size.softBody === 0)
      this.pyramids = new PyramidRecord(record, model, this.problem, memory);
    const compiled = memory.compiledDynamics;
    this.#record = compiled && new (COMPILED_ROWS.require().RowsRecord)(compiled, this.problem.rows, memory);
  }

  /** Takes the length of a step. What MuJoCo bounds by its time step is bounded by error-controlled steps as they are, so that errors see it. */
  beginStep(h: number): void {
    const { accuracy, timestep, disabled } = this.model.options;
    this.h = h;
    this.leastPeriod = 2 * (accuracy === undefined ? timestep : h);
    this.safePeriod = disabled.has('safeReference') ? 0 : this.leastPeriod;
  }

  /** `velocity` is v at the start of the step, of soft vertices as well. */
  build(state: State, work: Workspace, contacts: ContactSet, velocity: Float64Array): void {
    const { model, problem } = this;
    const { disabled } = model.options;
    problem.clear();
    this.isSharp = false;
    this.softHeld = state.softHeld;
    this.terms.add(state, work);
    addJointChains(this, work);
    addJointDynamics(this, work);
    this.drives.add(work);
    addAttachments(this, state, work);
    if (disabled.has('constraint')) {
      this.#subtractDamping(velocity);
      return;
    }
    if (!disabled.has('equality')) addEqualities(this, state, work);
    if (!disabled.has('frictionLoss')) this.#friction.add(work);
    if (!disabled.has('limit')) this.#limits.add(state, work);
    if (!disabled.has('contact')) {
      addContacts(this, work, contacts);
      if (!this.directions) this.rolling.add(problem, work, contacts, velocity, this.h, this.damping);
    }
    this.#subtractDamping(velocity);
  }

  /** J s of row k of the last block: s of inertial-motion.ts, which positions move by besides v + h a. */
  measureShift({ advanceShift, plan }: Workspace, k: number): number {
    if (plan.inertial.spinningBodies.length === 0) return 0;
    return multiplyRow(this.problem, this.problem.rows.blockCount - 1, k, advanceShift);
  }

  /** Numbers of a row: a_ref except for its damping, R, bounds, B. */
  setRow(row: number, reference: number, regularization: number, low: number, high: number, damping: number): void {
    this.problem.setRow(row, reference, regularization, low, high);
    if (row >= this.damping.length) this.#growRows();
    this.damping[row] = damping;
  }

  setTermRow(row: number, stiffness: number, heldVelocity: number): void {
    const { h } = this;
    this.setRow(row, -heldVelocity / h, 1 / (h * h * stiffness), -Infinity, Infinity, 1 / h);
  }

  setTermForce(row: number, force: number): void {
    this.setRow(row, 0, 1, force, force, 0);
  }

  /** As hard as joints; soft vertices count with the diagonal blocks of A⁻¹, as if their neighbours stood still. */
  setAttachmentRows(
    first: number,
    dimension: number,
    residual: Float64Array,
    heldVelocity: Float64Array,
    body: number,
  ): void {
    const { model, soft, impedance } = this;
    const { bodyTranslation, bodyRotation } = model.inverseWeight;
    const { rows } = this.problem;
    const block = rows.blockCount - 1;
    let weight = 0;
    for (let c = 0; c < dimension; c++) weight += weighSoftColumns(soft, model, rows, block, c) / dimension;
    if (body >= 0 && dimension === 3) weight += bodyTranslation[body];
    // a row that turns a body has the radius of a rod in its columns
    else if (body >= 0) weight += bodyRotation[body] * measureColumns(model, rows, block);
    const regularization = setHard(this).regularize(Math.max(weight, LEAST_WEIGHT));
    for (let c = 0; c < dimension; c++) {
      const { stiffness, damping, value } = impedance;
      const reference = -stiffness * value * residual[c] - damping * heldVelocity[c];
      this.setRow(first + c, reference, regularization, -Infinity, Infinity, damping);
    }
  }

  /** Diagonal of J M⁻¹ Jᵀ for a row over free bodies, their diagonal inverse weights standing for M⁻¹. */
  freeInverseWeight(block: number, row = 0): number {
    const { column, columnStart, columnCount, value, valueStart } = this.problem.rows;
    const { dof } = this.model.inverseWeight;
    let sum = 0;
    for (let i = 0; i < columnCount[block]; i++) {
      const entry = value[valueStart[block] + row * columnCount[block] + i];
      sum += entry * entry * dof[column[columnStart[block] + i]];
    }
    return sum;
  }

  #growRows(): void {
    const n = this.problem.reference.length;
    const damping = this.#memory.f64(n);
    damping.set(this.damping);
    this.damping = damping;
    this.velocity = this.#memory.f64(n);
  }

  // a_ref −= B J v
  #subtractDamping(velocity: Float64Array): void {
    const { problem } = this;
    const { rows, reference } = problem;
    const { damping, velocity: rates } = this;
    if (!this.#record?.multiply(rates, velocity)) {
      if (rows.blockCount > this.order.length) {
        this.order = this.#memory.i32(2 * rows.blockCount);
        for (let b = 0; b < this.order.length; b++) this.order[b] = b;
      }
      multiplyRows(rates, rows, velocity, this.order, 0, rows.blockCount);
    }
    for (let r = 0; r < rows.rowCount; r++) reference[r] -= damping[r] * rates[r];
  }
}
