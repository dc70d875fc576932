/** Velocities of soft vertices as unknowns of a step, behind the dofs of the model. */
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';

/** v at the start of the step over all unknowns, into `out`; held vertices already have the velocity that is prescribed. */
export function gatherStart(out: Float64Array, soft: SoftBodies, { velocity, softVelocity, softHeld }: State): void {
  const { length } = velocity;
  out.set(velocity);
  for (let i = 0; i < softVelocity.length; i++) {
    const isHeld = softHeld[(i - (i % 3)) / 3] !== 0;
    out[length + i] = isHeld ? soft.freeVelocity[i] : softVelocity[i];
  }
}
