/**
 * One number for all poses: F = Σ wᵢ xᵢ over positions and entries of rotations, with weights wᵢ = frac(i φ) − ½, φ the golden
 * ratio. A step leaves it in the state; where the state of the next step has the same, to round-off, its bodies are where a step
 * has put them, in this simulation or in another, and nobody has moved them by hand.
 */

import type { FramePoses, Frames } from '../../dynamics/frames.ts';
import { matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import type { ConstraintImpulses } from '../../state/constraint-impulses.ts';
import type { State } from '../../state/state.ts';

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
export function hasFingerprint(state: ConstraintImpulses, frames: Frames, poses: MeasuredPoses): boolean {
  state.rewind();
  const at = state.find(FINGERPRINT, 0);
  if (at < 0) return false;
  measure(frames, poses);
  return Math.abs(entry[0] - state.value[at]) <= SHARE * (1 + entry[1]);
}

/** Changes a state a little: its bodies count as where a step has put them afterwards if they did before. */
export function changeFingerprinted(state: State, frames: Frames, apply: () => void): void {
  const { impulses } = state;
  impulses.rewind();
  const at = impulses.find(FINGERPRINT, 0);
  const isLeftThere = hasFingerprint(impulses, frames, readPoses(state, frames));
  apply();
  if (!isLeftThere) return;
  measure(frames, readPoses(state, frames));
  impulses.value[at] = entry[0];
}

type MeasuredPoses = Pick<FramePoses, 'position' | 'rotation'>;

function readPoses({ position, softPosition }: State, { moving, firstSoft }: Frames): MeasuredPoses {
  const poses = {
    position: new Float64Array(3 * firstSoft + softPosition.length),
    rotation: new Float64Array(9 * moving),
  };
  for (let g = 0; g < moving; g++) {
    for (let k = 0; k < 3; k++) poses.position[3 * g + k] = position[7 * g + k];
    matrixFromQuaternion(poses.rotation, 9 * g, position, 7 * g + 3);
  }
  poses.position.set(softPosition, 3 * firstSoft);
  return poses;
}

// F and Σ |wᵢ xᵢ|
function measure({ moving, firstSoft, isFree }: Frames, { position, rotation }: MeasuredPoses): void {
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
