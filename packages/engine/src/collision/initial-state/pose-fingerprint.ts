/**
 * One number for all poses: F = Σ wᵢ xᵢ over positions and entries of rotations, with weights wᵢ = frac(i φ) − ½, φ the golden
 * ratio. A step leaves it in the state; where the state of the next step has the same, to round-off, its bodies are where a step
 * has put them, in this simulation or in another, and nobody has moved them by hand.
 */

import type { FramePoses, Frames } from '../../dynamics/frames.ts';
import type { ConstraintImpulses } from '../../state/constraint-impulses.ts';

/** First number of the entry of the state that holds F. */
const FINGERPRINT = 2;
const GOLDEN = 0.6180339887498949;
/** Round-off of an integrator, share of Σ |wᵢ xᵢ|. */
const SHARE = 1e-10;

const entry = /* @__PURE__ */ new Float64Array(2);

/** Keeps F of the poses for the next step. */
export function writeFingerprint(out: ConstraintImpulses, frames: Frames, poses: FramePoses): void {
  measure(frames, poses);
  out.add(FINGERPRINT, 0, entry, 0, 1);
}

/** Whether a step has led to the state. */
export function hasStepped(state: ConstraintImpulses): boolean {
  state.rewind();
  return state.find(FINGERPRINT, 0) >= 0;
}

/** Whether the poses are those that a step has left. */
export function hasFingerprint(state: ConstraintImpulses, frames: Frames, poses: FramePoses): boolean {
  state.rewind();
  const at = state.find(FINGERPRINT, 0);
  if (at < 0) return false;
  measure(frames, poses);
  return Math.abs(entry[0] - state.value[at]) <= SHARE * (1 + entry[1]);
}

// F and Σ |wᵢ xᵢ|
function measure({ moving, firstSoft, isFree }: Frames, { position, rotation }: FramePoses): void {
  entry.fill(0);
  let i = 0;
  const add = (x: number): void => {
    i++;
    const term = (i * GOLDEN - Math.floor(i * GOLDEN) - 0.5) * x;
    entry[0] += term;
    entry[1] += Math.abs(term);
  };
  for (let k = 0; k < 3 * moving; k++) add(position[k]);
  for (let k = 0; k < 9 * moving; k++) add(rotation[k]);
  for (let k = 0; k < 3 * isFree.length; k++) add(position[3 * firstSoft + k]);
}
