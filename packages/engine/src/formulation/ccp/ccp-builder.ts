/**
 * Builds the rows of `ccp` from a configuration. A row is u = J v + b + E γ with an impulse γ (N s, N m s) along J:
 *   The problem stores b as `reference` = −b, E as `regularization`, bounds of γ as `low` and `high`.
 * Rows are rigid (E = 0) unless stated otherwise; nothing here depends on inertia.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { ContactRows } from '../../contact/contact-rows.ts';
import { MocapMotion } from '../../contact/mocap-motion.ts';
import { SoftContactRows } from '../../contact/soft-contact-rows.ts';
import { SurfaceMotion } from '../../contact/surface-motion.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import { ConvexProblem } from '../../objective/convex-problem.ts';
import type { CcpOptions } from '../../scene/options.ts';
import type { State } from '../../state/state.ts';
import { multiplyRow } from '../contact-reach.ts';
import { GroupSpeed } from '../group-speed.ts';
import { GuidedContacts } from '../guided-contacts.ts';
import { RollingContacts } from '../rolling-contacts.ts';
import { type AttachmentHost, addAttachments } from '../soft-rows/attachment-rows.ts';
import { type HostedTerms, OptionalTerms, type TermHost } from '../term-rows/term-host.ts';
import { setVelocityTermRow } from '../term-rows/velocity-term-row.ts';
import { type VelocityHost, VelocityRows } from '../velocity-rows/velocity-rows.ts';
import { addContacts } from './contact-blocks.ts';
import { DrivenContacts } from './driven-contacts.ts';
import type { StartDrift } from './position-projection.ts';
import { RowCurvature } from './row-curvature.ts';

/** Speed at which a limit undoes what the step before has overrun it by, m/s or rad/s: bodies keep it, so it has to be low. */
const LIMIT_SPEED = 0.1;
/** E of rigid rows. */
const RIGID = new Float64Array(6);

export class CcpBuilder implements VelocityHost, TermHost, AttachmentHost {
  readonly model: Model;
  readonly options: Readonly<Required<CcpOptions>>;
  readonly problem: ConvexProblem;
  readonly joints: JointWorkspace;
  readonly contactRows: ContactRows;
  readonly softRows: SoftContactRows = new SoftContactRows();
  /** Per vertex of soft bodies: 1 where it is held. */
  softHeld: Float64Array = new Float64Array(0);
  readonly surfaceMotion: SurfaceMotion;
  readonly mocapMotion: MocapMotion;
  readonly rows: VelocityRows;
  readonly terms: HostedTerms;
  readonly curvature: RowCurvature;
  readonly groupSpeed: GroupSpeed;
  readonly guided: GuidedContacts;
  readonly rolling: RollingContacts;
  readonly driven: DrivenContacts = new DrivenContacts();
  /** v* of bodies does not know of the joints that will turn them: limits look ahead for this speed at least. */
  readonly leastSpeed: number = 5;
  /** Time step, s. */
  h = 0;
  /** v at the start of the step. */
  startVelocity: Float64Array = new Float64Array(0);
  /** Δ + s: what gyroscopic forces add to the velocity by which bodies move (inertial-motion.ts); and whether there are any. */
  readonly #turn: Float64Array;
  #isTurning = false;
  /** Speed at which mocap bodies part the surfaces of the contact that is described, m/s. */
  mocapParting = 0;
  /** Whether mocap bodies push without friction. */
  easesDriven = false;
  /** How far joints and equalities are open, and limits overrun, where the step begins. */
  readonly startDrift: StartDrift = { joints: 0, limits: 0 };
  /** Whether a limit is overrun by more than `limitDepth`. */
  hasDeepLimit = false;
  /** v*. */
  readonly freeVelocity: Float64Array;

  constructor(model: Model, joints: JointWorkspace, memory: Memory) {
    this.model = model;
    this.options = model.options.ccp;
    this.problem = new ConvexProblem(memory);
    this.joints = joints;
    this.contactRows = new ContactRows(model, memory);
    this.surfaceMotion = new SurfaceMotion(model);
    this.rolling = new RollingContacts(model);
    this.mocapMotion = new MocapMotion(model);
    this.freeVelocity = memory.f64(model.size.velocity + 3 * model.size.softVertex);
    this.#turn = memory.f64(this.freeVelocity.length);
    this.rows = new VelocityRows(this, memory);
    this.terms = new OptionalTerms(this);
    this.curvature = new RowCurvature(memory);
    this.groupSpeed = new GroupSpeed(model, memory);
    this.guided = new GuidedContacts(model);
  }

  /** How far limits may be overrun before positions are projected onto them, m or rad. */
  get limitDepth(): number {
    return this.h * Math.min(LIMIT_SPEED, this.options.recoverySpeed);
  }

  /** Expects h and both velocities in their places. */
  build(state: State, work: Workspace, contacts: ContactSet): void {
    const { disabled } = this.model.options;
    this.problem.clear();
    this.curvature.clear();
    this.driven.clear();
    this.hasDeepLimit = false;
    this.startDrift.joints = 0;
    this.startDrift.limits = 0;
    this.terms.add(state, work);
    this.#readTurns(work);
    this.rows.add(state, work);
    this.softHeld = state.softHeld;
    addAttachments(this, state, work);
    if (disabled.has('constraint') || disabled.has('contact')) return;
    addContacts(this, work, contacts);
    this.rolling.add(this.problem, work, contacts, this.startVelocity, this.h);
  }

  #readTurns({ inertialChange, advanceShift, plan }: Workspace): void {
    this.#isTurning = plan.inertial.takesMeanVelocity && plan.inertial.spinningBodies.length > 0;
    if (!this.#isTurning) return;
    for (let i = 0; i < inertialChange.length; i++) this.#turn[i] = inertialChange[i] + advanceShift[i];
  }

  regularize(): Float64Array {
    return RIGID;
  }

  setTermRow(row: number, stiffness: number, heldVelocity: number): void {
    setVelocityTermRow(this, row, stiffness, heldVelocity);
  }

  setTermForce(row: number, force: number): void {
    this.problem.setRow(row, 0, 1, this.h * force, this.h * force);
  }

  /** Rigid; what the step before has left open is closed at the end of this one. */
  setAttachmentRows(first: number, dimension: number, residual: Float64Array, heldVelocity: Float64Array): void {
    for (let c = 0; c < dimension; c++) {
      this.problem.setRow(first + c, -residual[c] / this.h - heldVelocity[c], 0, -Infinity, Infinity);
    }
  }

  /** Drift is undone at the positions (position-projection.ts), so that a mechanism that starts unassembled gets no momentum. */
  stabilizationBias(violation: number): number {
    this.startDrift.joints = Math.max(this.startDrift.joints, Math.abs(violation));
    return 0;
  }

  setRate(k: number, rate: number): void {
    const { rows } = this.problem;
    const block = rows.blockCount - 1;
    const speed = multiplyRow(this.problem, block, k, this.startVelocity);
    const turn = this.#isTurning ? multiplyRow(this.problem, block, k, this.#turn) : 0;
    this.curvature.set(rows.rowStart[block] + k, 0.5 * this.h * rate, speed, turn);
  }

  limitBias(distance: number): number {
    if (distance >= -this.limitDepth) return -distance / this.h;
    this.hasDeepLimit = true;
    this.startDrift.limits = Math.max(this.startDrift.limits, -distance);
    return 0;
  }
}
