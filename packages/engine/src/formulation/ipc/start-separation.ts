/**
 * Bodies that touch at the start, as scenes are often written, are moved apart to where the barrier would hold them: 0.93 d̂.
 *   dq = argmin ½ |dq|²_M  with  gap + J dq ≥ δ  for all contacts that touch
 * found by projected Gauss-Seidel on the multipliers. Bodies that joints hold together shift as one and do not turn; those that
 * joints hold to the world stay. Only touching is mended, up to half of d̂ deep: what is deeper is an intersection, and for the
 * user to undo.
 */
import { type CollisionWorkspace, createCollisionWorkspace, detectContacts } from '../../collision/detect-contacts.ts';
import { updateKinematics } from '../../dynamics/kinematics.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { Arena } from '../../kernels/arena.ts';
import { EQUALITY, type Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import type { IpcObjective } from './ipc-objective.ts';

const REST_SHARE = 0.93;
const TOUCH_SHARE = 0.5;
/** Gap that counts as touching, share of d̂. */
const NEAR_SHARE = 0.01;
const ROUNDS = 20;
const SWEEPS = 200;

/** Moves touching bodies apart, in the state and the frames; how many contacts touched at first. */
export function separateTouching(model: Model, objective: IpcObjective, state: State, work: Workspace): number {
  const { frames } = objective;
  const { barrierDistance, separation } = model.options.ipc;
  const reach = REST_SHARE * barrierDistance + separation;
  // every pair is looked at up to where it is to be
  const wide = { ...model, shape: { ...model.shape, margin: model.shape.margin.map(() => 0.5 * reach) } };
  const collision = createCollisionWorkspace(wide, new Arena());
  const clusters = findClusters(model, objective);
  let first = 0;
  for (let round = 0; round < ROUNDS; round++) {
    updateKinematics(model, state, work);
    detectContacts(wide, work, collision);
    const { count, gap } = collision.contacts;
    let touching = 0;
    let deepest = 0;
    for (let i = 0; i < count; i++) {
      deepest = Math.min(deepest, gap[i]);
      if (gap[i] < NEAR_SHARE * barrierDistance + separation) touching++;
    }
    if (round === 0) first = touching;
    if (touching === 0 || deepest < -TOUCH_SHARE * barrierDistance) break;
    solveApart(objective, clusters, collision, reach);
    frames.writePaths();
    frames.move(1);
    frames.accept();
    for (let g = 0; g < frames.moving; g++) {
      for (let k = 0; k < 3; k++) state.position[7 * g + k] = frames.current.position[3 * g + k];
      for (let k = 0; k < 4; k++) state.position[7 * g + 3 + k] = frames.current.orientation[4 * g + k];
    }
  }
  updateKinematics(model, state, work);
  return first;
}

/** Frames that joints and equalities hold together. */
interface Clusters {
  /** Per frame: the lowest of its cluster; the world is frame `moving`. */
  readonly root: Int32Array;
  /** Per root: frames and mass, kg. */
  readonly size: Int32Array;
  readonly mass: Float64Array;
}

function findClusters({ constraintJoint, equality }: Model, { frames, inertia }: IpcObjective): Clusters {
  const root = Int32Array.from({ length: frames.count }, (_, f) => f);
  const find = (f: number): number => {
    while (root[f] !== f) f = root[f];
    return f;
  };
  const join = (a: number, b: number): void => {
    const [one, two] = [find(frames.ofBody[a]), find(frames.ofBody[b])];
    root[Math.max(one, two)] = Math.min(one, two);
  };
  for (let c = 0; c < constraintJoint.kind.length; c++) join(constraintJoint.body1[c], constraintJoint.body2[c]);
  equality.kind.forEach((kind, e) => {
    const isOfBodies = kind === EQUALITY.connect || kind === EQUALITY.weld || kind === EQUALITY.distance;
    if (isOfBodies) join(equality.object1[e], Math.max(0, equality.object2[e]));
  });
  const size = new Int32Array(frames.count);
  const mass = new Float64Array(frames.count);
  for (let f = 0; f < frames.count; f++) {
    root[f] = find(f);
    size[root[f]]++;
    // what hangs on the world or on a mocap body does not shift
    mass[root[f]] += f < frames.moving ? inertia.mass[3 * f] : Infinity;
  }
  return { root, size, mass };
}

// the step of all frames
function solveApart(
  { frames, inertia }: IpcObjective,
  { root, size, mass }: Clusters,
  collision: CollisionWorkspace,
  goal: number,
): void {
  const { contacts } = collision;
  const { step, ofBody, current, moving, count } = frames;
  const multiplier = new Float64Array(contacts.count);
  // 1/mass; the least inverse inertia in all directions: bodies rather shift than turn
  const mobility = new Float64Array(6 * count);
  for (let f = 0; f < moving; f++) {
    const m = 9 * f;
    const most = Math.max(inertia.inertia[m], inertia.inertia[m + 4], inertia.inertia[m + 8]);
    for (let k = 0; k < 3; k++) {
      mobility[6 * f + k] = 1 / mass[f];
      mobility[6 * f + 3 + k] = size[f] === 1 ? 1 / most : 0;
    }
  }
  step.fill(0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < contacts.count; i++) {
      let lack = goal - contacts.gap[i];
      let ease = 0;
      for (let side = 0; side < 2; side++) {
        const f = root[readRow(i, side)];
        for (let k = 0; k < 6; k++) {
          lack -= row[k] * step[6 * f + k];
          ease += row[k] * row[k] * mobility[6 * f + k];
        }
      }
      if (ease === 0) continue;
      const next = Math.max(0, multiplier[i] + lack / ease);
      const change = next - multiplier[i];
      multiplier[i] = next;
      for (let side = 0; side < 2; side++) {
        const f = root[readRow(i, side)];
        for (let k = 0; k < 6; k++) step[6 * f + k] += change * row[k] * mobility[6 * f + k];
      }
    }
  }
  for (let f = 0; f < moving; f++) for (let k = 0; k < 6; k++) step[6 * f + k] = step[6 * root[f] + k];

  // the row of one side in `row`; its frame
  function readRow(i: number, side: number): number {
    const frame = ofBody[side === 0 ? contacts.carrier1[i] : contacts.carrier2[i]];
    writeRow(contacts.frame, 9 * i, contacts.position, 3 * i, current.position, 3 * frame, side === 0 ? -1 : 1);
    return frame;
  }
}

const row = /* @__PURE__ */ new Float64Array(6);

// ± (n, a × n), a from the centre to the point
function writeRow(n: Float64Array, o: number, x: Float64Array, p: number, c: Float64Array, q: number, s: number): void {
  const ax = x[p] - c[q];
  const ay = x[p + 1] - c[q + 1];
  const az = x[p + 2] - c[q + 2];
  row[0] = s * n[o];
  row[1] = s * n[o + 1];
  row[2] = s * n[o + 2];
  row[3] = s * (ay * n[o + 2] - az * n[o + 1]);
  row[4] = s * (az * n[o] - ax * n[o + 2]);
  row[5] = s * (ax * n[o + 1] - ay * n[o]);
}
