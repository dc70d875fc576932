/** The sensors of a simulation as its step sees them. What measures is a part that pages load where a scene has sensors. */
import type { ContactSet } from '../collision/contact-set.ts';
import type { CollisionWorkspace } from '../collision/detect-contacts.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { Formulation } from '../formulation/formulation.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import type { Model } from '../model/model.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { State } from '../state/state.ts';

/** What sensors read of a simulation. */
export interface SensedParts {
  readonly model: Model;
  readonly state: State;
  readonly work: Workspace;
  readonly joints: JointWorkspace;
  readonly collision: { readonly contacts: ContactSet };
  readonly queries: CollisionWorkspace;
  readonly formulation: Formulation;
  readonly soft: SoftBodies;
}

export interface Sensors {
  /** Readings of the last step that was taken, or of `forward`; one sensor after the other. */
  readonly readings: Float64Array;
  /** Seed of noise; undefined: readings have none. */
  noiseSeed: number | undefined;
  readonly isEmpty: boolean;
  /** The parameters of the model have changed: readers have copies of some. */
  readParameters(): void;
  /** Between the solve of a step and its end: reads all sensors, for `accept`. */
  measure(): void;
  /** The step that began at a time was taken: what was measured is read, or kept for readings to come. */
  accept(time: number): void;
  /** Readings of a time, without keeping what was measured. */
  show(time: number): void;
}

export const SENSORS: LazyModule<(parts: SensedParts) => Sensors> = /* @__PURE__ */ new LazyModule(
  'sensors',
  'sensors',
);

/** Those of a scene that has none. */
class NoSensors implements Sensors {
  readonly readings: Float64Array = new Float64Array(0);
  noiseSeed: number | undefined;
  readonly isEmpty = true as boolean;
  readParameters(): void {}
  measure(): void {}
  accept(): void {}
  show(): void {}
}

export function createSensors(parts: SensedParts): Sensors {
  return parts.model.size.sensor === 0 ? new NoSensors() : SENSORS.require()(parts);
}
