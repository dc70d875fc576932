/** The adjoint of a twin, made when first asked for. */
import type { Simulation } from '../../simulation.ts';
import { PositionStep } from './position-step.ts';
import type { ReverseStep } from './reverse-step.ts';
import { StepAdjoint } from './step-adjoint.ts';

const adjoints = new WeakMap<Simulation, { adjoint: ReverseStep | undefined }>();

/** Undefined where steps of its scene cannot be gone through in reverse. */
export function findAdjoint(twin: Simulation): ReverseStep | undefined {
  let known = adjoints.get(twin);
  if (!known) {
    known = { adjoint: StepAdjoint.create(twin) ?? PositionStep.create(twin) };
    adjoints.set(twin, known);
  }
  return known.adjoint;
}
