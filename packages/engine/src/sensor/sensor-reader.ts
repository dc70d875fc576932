/** What a sensor reads of a step, and how it gives its numbers. */
import type { ContactSet } from '../collision/contact-set.ts';
import type { CollisionWorkspace } from '../collision/detect-contacts.ts';
import type { BodyLoads } from '../diagnostics/body-loads.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Formulation } from '../formulation/formulation.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import type { Model } from '../model/model.ts';
import type { Sensor, SensorKind } from '../scene/sensor.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { State } from '../state/state.ts';

/** A step between its solve and its end: where it began, and the forces that act in it. */
export interface SolvedMoment {
  readonly model: Model;
  /** Where the step begins. */
  readonly state: State;
  /** Kinematics of that state, and the forces and accelerations of the step. */
  readonly work: Workspace;
  readonly joints: JointWorkspace;
  /** With forces. */
  readonly contacts: ContactSet;
  /** For rays and distances; what it holds may be overwritten. */
  readonly queries: CollisionWorkspace;
  readonly formulation: Formulation;
  readonly soft: SoftBodies;
  /** Accelerations of bodies, and what their parents carry; as far as a sensor has asked for it. */
  readonly loads: BodyLoads;
  /** Forces of limits of joints, those of the constraints after the others, then of tendons, N or N m. */
  readonly limitForce: Float64Array;
}

/** What must be known before a sensor can be read. */
export type Need = 'acceleration' | 'loads' | 'limits' | 'shapes' | 'bounds';

/** A sensor of a simulation. */
export interface SensorReader {
  /** What of the moment is to be computed for it. */
  readonly needs: readonly Need[];
  /** Writes its numbers from a place on. Makes no objects. */
  read(moment: SolvedMoment, out: Float64Array, at: number): void;
}

/** Sensors of some kinds. */
export type SensorOf<K extends SensorKind> =
  Extract<Sensor, { kind: K }> extends never
    ? Sensor extends infer S
      ? S extends { kind: SensorKind }
        ? K extends S['kind']
          ? S
          : never
        : never
      : never
    : Extract<Sensor, { kind: K }>;

/** Reads of a step without more than kinematics. */
export function plainReader(read: SensorReader['read']): SensorReader {
  return { needs: [], read };
}
