import type { WatchMemory } from '../diagnostics/energy-watch.ts';
import type { ConstraintImpulses } from '../state/constraint-impulses.ts';

/** A motion that a simulation has put aside to go on with another one of its model; see `Simulation.suspend`. */
export interface SuspendedMotion {
  /** The block of numbers of a state. */
  readonly state: Float64Array;
  /** Impulses of its last step. */
  readonly impulses: ConstraintImpulses;
  /** Its balance of energies, where it is watched. */
  readonly watch: WatchMemory | undefined;
}
