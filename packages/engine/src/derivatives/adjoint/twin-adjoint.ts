/**
 * The adjoint of a twin, made when first asked for, and the step that it has begun: more gradients of the same step cost one solve with its
 * factor each, and no step.
 */
import type { Simulation } from '../../simulation.ts';
import { PositionStep } from './position-step.ts';
import type { ReverseStep } from './reverse-step.ts';
import { StepAdjoint } from './step-adjoint.ts';

interface TwinAdjoint {
  readonly adjoint: ReverseStep | undefined;
  /** The state from which the step that it has begun starts; undefined where the twin has moved on. */
  begun: Float64Array | undefined;
}

const adjoints = new WeakMap<Simulation, TwinAdjoint>();

/** Undefined where steps of its scene cannot be gone through in reverse. */
export function findAdjoint(twin: Simulation): ReverseStep | undefined {
  let known = adjoints.get(twin);
  if (!known) {
    known = { adjoint: StepAdjoint.create(twin) ?? PositionStep.create(twin), begun: undefined };
    adjoints.set(twin, known);
  }
  return known.adjoint;
}

/** The adjoint of a twin that has begun the step from a state, and has not been used for another one since. */
export function findBegun(twin: Simulation, snapshot: Float64Array): ReverseStep | undefined {
  const known = adjoints.get(twin);
  if (!known?.begun || known.begun.length !== snapshot.length) return undefined;
  for (let i = 0; i < snapshot.length; i++) if (!Object.is(known.begun[i], snapshot[i])) return undefined;
  return known.adjoint;
}

/** Says which step the adjoint of a twin has begun; without one, that the twin is used for another step. */
export function noteBegun(twin: Simulation, snapshot?: Float64Array): void {
  const known = adjoints.get(twin);
  if (known) known.begun = snapshot;
}
