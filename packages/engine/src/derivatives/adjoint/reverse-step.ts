/** A step that is gone through in reverse: from gradients by the state after it to those by its inputs. */
import type { InputBars } from '../../formulation/row-rates.ts';
import type { Model } from '../../model/model.ts';
import { clearBars, createBars, createEndBars, type EndBars, listEndParts } from './input-bars.ts';

export interface ReverseStep {
  /** Takes the state of the twin; false where this step has more than the adjoint knows. Leaves the state as it is. */
  begin(): boolean;
  /** Whether contact points have a kink here: derivatives are the mean of both sides. */
  readonly hasKink: boolean;
  /** Estimate of the condition of the matrix of the solve. */
  estimateCondition(): number;
  /** Adds the gradient by the inputs of a gradient by the next state; false where the matrix has no factor. */
  pullBack(end: EndBars, out: InputBars): boolean;
  /**
   * The same for every gradient by one number of the next state, rows of the Jacobian. `take` is given each row, in the order of a tangent
   * vector, in arrays that are used again.
   */
  pullBackRows(take: (row: InputBars) => void): boolean;
}

/** All rows of the Jacobian, one gradient each; `kept` numbers are kept of a step for the next. */
export function pullBackRowByRow(
  step: ReverseStep,
  model: Model,
  kept: number,
  take: (row: InputBars) => void,
): boolean {
  const end = createEndBars(model, kept);
  const out = createBars(model, kept);
  for (const part of listEndParts(end)) {
    for (let r = 0; r < part.length; r++) {
      part[r] = 1;
      clearBars(out);
      if (!step.pullBack(end, out)) return false;
      take(out);
      part[r] = 0;
    }
  }
  return true;
}
