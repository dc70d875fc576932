/** What the writers of joint rows need beside model, state and workspace. Made once for a model. */
import { updateKinematics } from '../dynamics/kinematics.ts';
import { createWorkspace } from '../dynamics/workspace.ts';
import { Arena } from '../kernels/arena.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { EQUALITY, type Model, STATION } from '../model/model.ts';
import { createState } from '../state/state.ts';
import { createJointCoordinates, type JointCoordinates } from './joint-coordinate.ts';
import { ScalarRow } from './scalar-row.ts';

export interface JointWorkspace {
  /** Joints that are constraints, brought up to the current poses by `updateJointCoordinates`. */
  readonly coordinates: JointCoordinates;
  /** Per tendon: length at the initial pose, where an equality counts from it, m. */
  readonly tendonReference: Float64Array;
  /** Scratch. */
  readonly row: ScalarRow;
}

export function createJointWorkspace(model: Model, memory: Memory): JointWorkspace {
  return {
    coordinates: createJointCoordinates(model, memory),
    tendonReference: measureTendons(model),
    row: new ScalarRow(model.size.velocity, memory),
  };
}

// lengths at the initial pose; few models couple tendons, so it is not done for the others
function measureTendons(model: Model): Float64Array {
  if (!model.equality.kind.includes(EQUALITY.tendon)) return new Float64Array(model.size.tendon);
  const arena = new Arena({ initialBytes: 1_310_720, maximumBytes: 268_435_456 });
  const state = createState(model, arena);
  const work = createWorkspace(model, arena, state.all.length);
  updateKinematics(model, state, work);
  return work.tendonLength.map((length, t) => addFixedTerms(model, t) ?? length);
}

// a fixed tendon is a weighted sum of joint positions, in any coordinates; undefined for spatial ones
function addFixedTerms(
  { tendon, joint, constraintJoint, initialPosition, size }: Model,
  t: number,
): number | undefined {
  let sum = 0;
  for (let s = tendon.stationStart[t]; s < tendon.stationStart[t] + tendon.stationCount[t]; s++) {
    if (tendon.stationKind[s] !== STATION.joint) return undefined;
    const j = tendon.stationObject[s];
    const position =
      j < size.joint ? initialPosition[joint.positionStart[j]] : constraintJoint.reference[j - size.joint];
    sum += tendon.stationParameter[s] * position;
  }
  return sum;
}
