/**
 * Fourth part of a simulation: what the solve of the last step found: forces of joints and of contacts on soft bodies, and the residual
 * of its optimality condition.
 */
import type { JointForce } from '../diagnostics/joint-forces.ts';
import { clearSolverReadout, createSolverReadout, type SolverReadout } from '../formulation/solver-readout.ts';
import type { SoftQuantity } from '../soft/soft-quantity.ts';
import { findIndex } from '../state/inputs.ts';
import { type AttachmentForce, listAttachmentForces } from './attachment-forces.ts';
import { ContactReadout } from './contact-readout.ts';
import type { SimulationData } from './simulation-data.ts';
import type { RegionReadout } from './soft/region-readout.ts';
import { SOFT_READOUT, type SoftReadout } from './soft/soft-readout.ts';
import type { SurfaceReadout } from './soft/surface-readout.ts';
import { measureJoints } from './solved-forces.ts';

export abstract class ForceReadout extends ContactReadout {
  readonly #data: SimulationData;
  #readout: SolverReadout | undefined;
  #softReadout: SoftReadout | undefined;

  constructor(data: SimulationData) {
    super(data);
    this.#data = data;
  }

  /** Recomputes all forces of the current state without advancing. */
  abstract forward(): void;

  /**
   * What the joints transmitted in the last step or `forward`: force and torque of the parent on the child at the anchor, world axes, N and
   * N m. One entry per joint that is not free, in the order of the scene.
   */
  jointForces(): JointForce[] {
    if (!this.#data.hasSolved) this.forward();
    return measureJoints(this.#data).list;
  }

  /** What a joint, by name, transmitted in the last step or `forward`. */
  jointForce(joint: string): JointForce {
    const all = this.jointForces();
    return all[
      findIndex(
        all.map(({ joint: name }) => name),
        joint,
        'joint',
      )
    ];
  }

  /** Force of every actuator in the last step or `forward`, before its gear, N or N m; the next step overwrites it. */
  get solvedActuatorForce(): Float64Array {
    if (!this.#data.hasSolved) this.forward();
    return this.#data.work.actuatorForce;
  }

  /** What attachments of soft bodies carried in the last step or `forward`, and which of them are broken, in the order of the scene. */
  attachmentForces(): AttachmentForce[] {
    if (!this.#data.hasSolved) this.forward();
    return listAttachmentForces(this.#data);
  }

  /** What an attachment, by name, carried in the last step or `forward`. */
  attachmentForce(attachment: string): AttachmentForce {
    const { attachments } = this.model.soft;
    return this.attachmentForces()[
      findIndex(
        attachments.map(({ name }) => name),
        attachment,
        'attachment',
      )
    ];
  }

  /**
   * What contacts did to the surface of a soft body in the last step or `forward`: force, pressure and shear at its vertices. Arrays that
   * the next call for it overwrites.
   */
  softSurface(body: string | number): SurfaceReadout {
    if (!this.#data.hasSolved) this.forward();
    return this.#requireSoft().readSurface(findIndex(this.model.soft.name, body, 'soft body'));
  }

  /** Forces on a named region of a soft body in the last step or `forward`. */
  softRegion(body: string | number, region: string): RegionReadout {
    if (!this.#data.hasSolved) this.forward();
    const n = findIndex(this.model.soft.name, body, 'soft body');
    return this.#requireSoft().readRegion(n, region);
  }

  /** A quantity of every vertex of a soft body: stress, strain and moments as they are now, pressure and shear of the last step. */
  softField(body: string | number, quantity: SoftQuantity, out?: Float64Array): Float64Array {
    if (!this.#data.hasSolved && (quantity === 'pressure' || quantity === 'shear')) this.forward();
    const n = findIndex(this.model.soft.name, body, 'soft body');
    return this.#requireSoft().readField(n, quantity, out);
  }

  /**
   * What the solve of the last step left of its optimality condition: gradient, v − v* and impulse of every dof and soft vertex.
   * Arrays that the next call overwrites.
   */
  solverReadout(): SolverReadout {
    this.#readout ??= createSolverReadout(this.model);
    clearSolverReadout(this.#readout);
    this.formulation.readSolution?.(this.#readout, this.#data.work, this.#data.h);
    return this.#readout;
  }

  #requireSoft(): SoftReadout {
    this.#softReadout ??= SOFT_READOUT.require()(this.#data);
    return this.#softReadout;
  }
}
