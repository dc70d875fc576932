/** The adjoint of a twin, made when first asked for. */
import type { Simulation } from '../../simulation.ts';
import { StepAdjoint } from './step-adjoint.ts';

const adjoints = new WeakMap<Simulation, { adjoint: StepAdjoint | undefined }>();

/** Undefined where steps of its scene cannot be gone through in reverse. */
export function findAdjoint(twin: Simulation): StepAdjoint | undefined {
  let known = adjoints.get(twin);
  if (!known) {
    known = { adjoint: StepAdjoint.create(twin) };
    adjoints.set(twin, known);
  }
  return known.adjoint;
}
