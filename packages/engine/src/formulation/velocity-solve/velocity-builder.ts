/**
 * From a configuration to a problem over velocities: rows of joints, equalities, dry friction, limits, servos, terms and attachments, each
 * with regularisation R and reference velocity v̂; the formulation adds its contacts. All scales come from the matrix A of this step. A
 * constraint other than a contact is a spring as stiff as the step resolves (near-rigid.ts, dissipation time h), each row scaled by its own
 * entry of W: v̂ = −C/(2h), of a limit that is overrun no more than its recovery speed (limit-recovery.ts).
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
import type { Forest } from '../../objective/forest.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import { LAST_SPEED, measureRecoverySpeed } from '../limit-recovery.ts';
import { type AttachmentHost, addAttachments } from '../soft-rows/attachment-rows.ts';
import { type HostedTerms, OptionalTerms, type TermHost } from '../term-rows/term-host.ts';
import { setVelocityTermRow } from '../term-rows/velocity-term-row.ts';
import { regularizeRigid, rigidLimit } from '../velocity-rows/near-rigid.ts';
import { type VelocityHost, VelocityRows } from '../velocity-rows/velocity-rows.ts';
import { Delassus } from './delassus.ts';

export abstract class VelocityBuilder implements VelocityHost, TermHost, AttachmentHost {
  readonly model: Model;
  readonly problem: ConvexProblem;
  readonly joints: JointWorkspace;
  readonly contactRows: ContactRows;
  readonly softRows: SoftContactRows = new SoftContactRows();
  readonly surfaceMotion: SurfaceMotion;
  readonly mocapMotion: MocapMotion;
  readonly delassus: Delassus;
  readonly rows: VelocityRows;
  readonly terms: HostedTerms;
  readonly leastSpeed: number = 0;
  /** Time step, s. */
  h = 0;
  /** v at the start of the step. */
  startVelocity: Float64Array = new Float64Array(0);
  /** v*. */
  readonly freeVelocity: Float64Array;
  /** Per vertex of soft bodies: 1 where it is held. */
  softHeld: Float64Array = new Float64Array(0);
  readonly soft: SoftBodies;
  /** Near-rigid parameter β of everything but contacts. */
  readonly #nearRigid: number;
  readonly #regularization: Float64Array = new Float64Array(6);

  constructor(
    model: Model,
    forest: Forest,
    joints: JointWorkspace,
    soft: SoftBodies,
    memory: Memory,
    nearRigid: number,
  ) {
    this.model = model;
    this.soft = soft;
    this.surfaceMotion = new SurfaceMotion(model);
    this.mocapMotion = new MocapMotion(model);
    this.#nearRigid = nearRigid;
    this.problem = new ConvexProblem(memory);
    this.joints = joints;
    this.contactRows = new ContactRows(model, memory);
    this.delassus = new Delassus(forest, model.massMatrix, memory, soft);
    this.freeVelocity = memory.f64(forest.start[forest.count]);
    this.rows = new VelocityRows(this, memory);
    this.terms = new OptionalTerms(this);
  }

  /** Expects h, both velocities and the factor of A in their places. */
  build(state: State, work: Workspace, contacts: ContactSet): void {
    const { disabled } = this.model.options;
    this.problem.clear();
    this.terms.add(state, work);
    // rows of terms ask for A of soft bodies without measuring it
    if (!work.terms.isEmpty) for (let n = 0; n < this.soft.parts.length; n++) this.soft.requireMetric(n);
    this.rows.add(state, work);
    this.softHeld = state.softHeld;
    addAttachments(this, state, work);
    if (!disabled.has('constraint') && !disabled.has('contact')) this.addContacts(work, contacts);
  }

  /** Adds the contacts of the formulation. */
  protected abstract addContacts(work: Workspace, contacts: ContactSet): void;

  regularize(dimension: number): Float64Array {
    const { rows } = this.problem;
    this.delassus.measure(rows, rows.blockCount - 1, dimension);
    for (let k = 0; k < dimension; k++) {
      const w = this.delassus.matrix[7 * k];
      this.#regularization[k] = regularizeRigid(w, this.#nearRigid, this.h);
    }
    return this.#regularization;
  }

  /** ∂ ln R/∂w of a row that sees the inverse mass w, kg. */
  measureLogRate(w: number): number {
    return regularizeRigid(w, this.#nearRigid, this.h) > rigidLimit(w, this.#nearRigid) ? 0 : 1 / w;
  }

  setTermRow(row: number, stiffness: number, heldVelocity: number): void {
    setVelocityTermRow(this, row, stiffness, heldVelocity);
  }

  setTermForce(row: number, force: number): void {
    this.problem.setRow(row, 0, 1, this.h * force, this.h * force);
  }

  setAttachmentRows(first: number, dimension: number, residual: Float64Array, heldVelocity: Float64Array): void {
    const regularization = this.regularize(dimension);
    for (let c = 0; c < dimension; c++) {
      const reference = this.stabilizationBias(residual[c]) - heldVelocity[c];
      this.problem.setRow(first + c, reference, regularization[c], -Infinity, Infinity);
    }
  }

  stabilizationBias(violation: number): number {
    return -violation / (2 * this.h);
  }

  limitBias(distance: number): number {
    const speed = -distance / (2 * this.h);
    return speed > LAST_SPEED ? Math.min(speed, measureRecoverySpeed(-distance)) : speed;
  }
}
