/**
 * Bodies that touch at the start, as scenes are often written, are moved apart to where the barrier would hold them: 0.93 d̂.
 *   dq = argmin ½ |dq|²_M  with  gap + J dq ≥ δ  for all contacts that touch
 * found by projected Gauss-Seidel on the multipliers. Only touching is mended, up to a hundredth of d̂ deep: what is deeper is
 * an intersection, and for the user to undo.
 */
import { type CollisionWorkspace, createCollisionWorkspace, detectContacts } from '../../collision/detect-contacts.ts';
import { updateKinematics } from '../../dynamics/kinematics.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { Arena } from '../../kernels/arena.ts';
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import type { IpcObjective } from './ipc-objective.ts';

const REST_SHARE = 0.93;
const TOUCH_SHARE = 0.01;
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
  let first = 0;
  for (let round = 0; round < ROUNDS; round++) {
    updateKinematics(model, state, work);
    detectContacts(wide, work, collision);
    const { count, gap } = collision.contacts;
    let touching = 0;
    let deepest = 0;
    for (let i = 0; i < count; i++) {
      deepest = Math.min(deepest, gap[i]);
      if (gap[i] < TOUCH_SHARE * barrierDistance + separation) touching++;
    }
    if (round === 0) first = touching;
    if (touching === 0 || deepest < -TOUCH_SHARE * barrierDistance) break;
    solveApart(objective, collision, reach);
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

// the step of all frames
function solveApart({ frames, inertia }: IpcObjective, collision: CollisionWorkspace, goal: number): void {
  const { contacts } = collision;
  const { step, ofBody, current, moving } = frames;
  const multiplier = new Float64Array(contacts.count);
  step.fill(0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < contacts.count; i++) {
      let lack = goal - contacts.gap[i];
      let mobility = 0;
      for (let side = 0; side < 2; side++) {
        const frame = ofBody[side === 0 ? contacts.carrier1[i] : contacts.carrier2[i]];
        if (frame >= moving) continue;
        writeRow(contacts.frame, 9 * i, contacts.position, 3 * i, current.position, 3 * frame, side === 0 ? -1 : 1);
        for (let k = 0; k < 6; k++) {
          lack -= row[k] * step[6 * frame + k];
          mobility += row[k] * row[k] * mobilityOf(frame, k);
        }
      }
      if (mobility === 0) continue;
      const next = Math.max(0, multiplier[i] + lack / mobility);
      const change = next - multiplier[i];
      multiplier[i] = next;
      for (let side = 0; side < 2; side++) {
        const frame = ofBody[side === 0 ? contacts.carrier1[i] : contacts.carrier2[i]];
        if (frame >= moving) continue;
        writeRow(contacts.frame, 9 * i, contacts.position, 3 * i, current.position, 3 * frame, side === 0 ? -1 : 1);
        for (let k = 0; k < 6; k++) step[6 * frame + k] += change * row[k] * mobilityOf(frame, k);
      }
    }
  }

  // the least inverse inertia in all directions: bodies rather shift than turn
  function mobilityOf(frame: number, k: number): number {
    if (k < 3) return 1 / inertia.mass[3 * frame + k];
    const m = 9 * frame;
    return 1 / Math.max(inertia.inertia[m], inertia.inertia[m + 4], inertia.inertia[m + 8]);
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
