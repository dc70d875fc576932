/**
 * The state before the last step, which steps of order two start from (bdf2.ts), kept behind the impulses of the state. Frames and soft
 * bodies have one where the last step was smooth: nothing touched their group at its start or end, and it ended at a minimum. The others
 * take a step of backward Euler: after an impact the difference of two steps is no acceleration, and would throw bodies off again.
 * So do groups that the user has moved or pushed since, told by a sum over positions and velocities, as in pose-fingerprint.ts.
 *   entry (4, 0)               h', and the sum of active equalities
 *   entry (5, 3 g), + 1, + 2   frame g: x', v'; turn of the step in body axes, ω'; sum, group
 *   entry (6, v)               soft vertex v: x', v'
 *   entry (7, n)               soft body n: sum, group
 */
import { integrateQuaternion, relativeQuaternion, rotationVector } from '../../linear-algebra/quaternion.ts';
import type { Model } from '../../model/model.ts';
import type { ConstraintImpulses } from '../../state/constraint-impulses.ts';
import type { State } from '../../state/state.ts';
import type { KeptNumbers } from '../formulation.ts';
import type { IpcObjective } from './ipc-objective.ts';
import type { TouchingGroups } from './touching-groups.ts';

const STEP = 4;
const FRAME = 5;
const VERTEX = 6;
const SOFT_BODY = 7;
const GOLDEN = 0.6180339887498949;
/** Round-off of the integrator, share of the sum of absolute values. */
const ROUND_OFF = 1e-9;

const entry = /* @__PURE__ */ new Float64Array(6);
const turn = /* @__PURE__ */ new Float64Array(4);
const sum = /* @__PURE__ */ new Float64Array(2);

export class StepHistory {
  /** Length of the last step, s; 0 where there is none. */
  before = 0;
  /** Per node, frames first and soft bodies then: whether its state before the last step is known. */
  readonly isKnown: Uint8Array;
  /** Before the last step: places of rigid frames and soft vertices as in the poses of frames; velocities, spin in body axes. */
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  readonly rotation: Float64Array;
  readonly velocity: Float64Array;
  readonly softVelocity: Float64Array;
  readonly #model: Model;
  readonly #objective: IpcObjective;
  readonly #group: Int32Array;
  /** Velocities at the start of the step. */
  readonly #startVelocity: Float64Array;
  readonly #startSoftVelocity: Float64Array;

  constructor(model: Model, objective: IpcObjective) {
    const { frames } = objective;
    this.#model = model;
    this.#objective = objective;
    this.isKnown = new Uint8Array(frames.moving + model.size.softBody);
    this.#group = new Int32Array(this.isKnown.length);
    this.position = new Float64Array(3 * frames.count);
    this.orientation = new Float64Array(4 * frames.count);
    this.rotation = new Float64Array(9 * frames.count);
    this.velocity = new Float64Array(6 * frames.moving);
    this.softVelocity = new Float64Array(3 * model.size.softVertex);
    this.#startVelocity = new Float64Array(model.size.velocity);
    this.#startSoftVelocity = new Float64Array(3 * model.size.softVertex);
  }

  /** Reads what the state has; the frames have begun the step. */
  read(state: State): void {
    const { isKnown } = this;
    const { moving } = this.#objective.frames;
    const from = state.impulses;
    isKnown.fill(0);
    this.before = 0;
    this.#startVelocity.set(state.velocity);
    this.#startSoftVelocity.set(state.softVelocity);
    from.rewind();
    const at = from.find(STEP, 0);
    if (at < 0 || from.value[at + 1] !== sumActive(state)) return;
    this.before = from.value[at];
    for (let g = 0; g < moving; g++) this.#readFrame(from, g, state);
    for (let v = 0; v < this.softVelocity.length / 3; v++) this.#readVertex(from, v);
    for (let n = 0; n < this.#model.size.softBody; n++) {
      const place = from.find(SOFT_BODY, n);
      if (place < 0) continue;
      this.#sumSoftBody(n, state);
      isKnown[moving + n] = isSame(from.value[place]) ? 1 : 2;
      this.#group[moving + n] = from.value[place + 1];
    }
    // one that was moved makes all of its group begin anew
    for (let n = 0; n < isKnown.length; n++) {
      if (isKnown[n] !== 2) continue;
      for (let m = 0; m < isKnown.length; m++) if (m !== n && this.#group[m] === this.#group[n]) isKnown[m] &= 2;
    }
    for (let n = 0; n < isKnown.length; n++) isKnown[n] &= 1;
  }

  #readFrame(from: ConstraintImpulses, g: number, state: State): void {
    const { start } = this.#objective.frames;
    const place = from.find(FRAME, 3 * g);
    if (place < 0) return;
    const spin = from.find(FRAME, 3 * g + 1);
    const mark = from.find(FRAME, 3 * g + 2);
    for (let k = 0; k < 3; k++) {
      this.position[3 * g + k] = from.value[place + k];
      this.velocity[6 * g + k] = from.value[place + 3 + k];
      this.velocity[6 * g + 3 + k] = from.value[spin + 3 + k];
    }
    for (let k = 0; k < 4; k++) this.orientation[4 * g + k] = start.orientation[4 * g + k];
    integrateQuaternion(this.orientation, 4 * g, from.value, spin, -1);
    sumFrame(g, state);
    this.isKnown[g] = isSame(from.value[mark]) ? 1 : 2;
    this.#group[g] = from.value[mark + 1];
  }

  #readVertex(from: ConstraintImpulses, v: number): void {
    const place = from.find(VERTEX, v);
    if (place < 0) return;
    const f = this.#objective.frames.firstSoft + v;
    for (let k = 0; k < 3; k++) {
      this.position[3 * f + k] = from.value[place + k];
      this.softVelocity[3 * v + k] = from.value[place + 3 + k];
    }
  }

  /** Keeps the start of the step for the next one, of the nodes that are not touched; the state is that of its end. */
  write(out: ConstraintImpulses, state: State, isTouched: Uint8Array, groups: TouchingGroups, h: number): void {
    const { moving, start, current } = this.#objective.frames;
    const { vertexStart } = this.#model.soft;
    const { size } = this.#model;
    entry[0] = h;
    entry[1] = sumActive(state);
    out.add(STEP, 0, entry, 0, 2);
    for (let g = 0; g < moving; g++) {
      if (isTouched[g] !== 0) continue;
      for (let k = 0; k < 3; k++) {
        entry[k] = start.position[3 * g + k];
        entry[3 + k] = this.#startVelocity[6 * g + k];
      }
      out.add(FRAME, 3 * g, entry, 0, 6);
      relativeQuaternion(turn, 0, start.orientation, 4 * g, current.orientation, 4 * g);
      rotationVector(entry, 0, turn, 0);
      for (let k = 0; k < 3; k++) entry[3 + k] = this.#startVelocity[6 * g + 3 + k];
      out.add(FRAME, 3 * g + 1, entry, 0, 6);
      sumFrame(g, state);
      entry[0] = sum[0];
      entry[1] = groups.find(g);
      out.add(FRAME, 3 * g + 2, entry, 0, 2);
    }
    const first = 3 * this.#objective.frames.firstSoft;
    for (let n = 0; n < size.softBody; n++) {
      if (isTouched[moving + n] !== 0) continue;
      for (let v = vertexStart[n]; v < vertexStart[n + 1]; v++) {
        for (let k = 0; k < 3; k++) {
          entry[k] = start.position[first + 3 * v + k];
          entry[3 + k] = this.#startSoftVelocity[3 * v + k];
        }
        out.add(VERTEX, v, entry, 0, 6);
      }
    }
    for (let n = 0; n < size.softBody; n++) {
      if (isTouched[moving + n] !== 0) continue;
      this.#sumSoftBody(n, state);
      entry[0] = sum[0];
      entry[1] = groups.find(moving + n);
      out.add(SOFT_BODY, n, entry, 0, 2);
    }
  }

  /** Changes a state a little: bodies count as where the last step has put them afterwards if they did before. */
  change(state: State, apply: () => void): void {
    const { impulses } = state;
    const places: number[] = [];
    const sums: (() => void)[] = [];
    const note = (place: number, measure: () => void): void => {
      if (place < 0) return;
      measure();
      if (!isSame(impulses.value[place])) return;
      places.push(place);
      sums.push(measure);
    };
    impulses.rewind();
    for (let g = 0; g < this.#objective.frames.moving; g++)
      note(impulses.find(FRAME, 3 * g + 2), () => sumFrame(g, state));
    for (let n = 0; n < this.#model.size.softBody; n++)
      note(impulses.find(SOFT_BODY, n), () => this.#sumSoftBody(n, state));
    apply();
    for (const [i, place] of places.entries()) {
      sums[i]();
      impulses.value[place] = sum[0];
    }
  }

  #sumSoftBody(n: number, { softPosition, softVelocity }: State): void {
    const { vertexStart } = this.#model.soft;
    const { frames } = this.#objective;
    sum.fill(0);
    let i = 0;
    for (let v = vertexStart[n]; v < vertexStart[n + 1]; v++) {
      // attached vertices are told by their frame
      if (frames.isAttached(v)) continue;
      for (let k = 3 * v; k < 3 * v + 3; k++) {
        addWeighted(++i, softPosition[k]);
        addWeighted(++i, softVelocity[k]);
      }
    }
  }
}

/** The state before the last step as numbers for derivatives: x', v', turn and ω' of each frame, x' and v' of each soft vertex. */
export function createKeptHistory(frames: number, vertices: number): KeptNumbers {
  const entries: [number, number][] = [];
  for (let g = 0; g < frames; g++) entries.push([FRAME, 3 * g], [FRAME, 3 * g + 1]);
  for (let v = 0; v < vertices; v++) entries.push([VERTEX, v]);
  const visit = ({ impulses }: State, use: (place: number, at: number) => void): void => {
    impulses.rewind();
    entries.forEach(([first, second], n) => {
      const place = impulses.find(first, second);
      if (place >= 0) use(place, 6 * n);
    });
  };
  return {
    size: 6 * entries.length,
    has({ impulses }, i): boolean {
      const [first, second] = entries[Math.floor(i / 6)];
      impulses.rewind();
      return impulses.find(first, second) >= 0;
    },
    read(state, out, start): void {
      out.fill(0, start, start + 6 * entries.length);
      visit(state, (place, at) => {
        for (let k = 0; k < 6; k++) out[start + at + k] = state.impulses.value[place + k];
      });
    },
    add(state, delta, start, s): void {
      visit(state, (place, at) => {
        for (let k = 0; k < 6; k++) state.impulses.value[place + k] += s * delta[start + at + k];
      });
    },
  };
}

function sumFrame(g: number, { position, velocity }: State): void {
  sum.fill(0);
  let i = 0;
  for (let k = 7 * g; k < 7 * g + 7; k++) addWeighted(++i, position[k]);
  for (let k = 6 * g; k < 6 * g + 6; k++) addWeighted(++i, velocity[k]);
}

function addWeighted(i: number, x: number): void {
  const term = (i * GOLDEN - Math.floor(i * GOLDEN) - 0.5) * x;
  sum[0] += term;
  sum[1] += Math.abs(term);
}

function isSame(value: number): boolean {
  return Math.abs(value - sum[0]) <= ROUND_OFF * (1 + sum[1]);
}

function sumActive({ equalityActive }: State): number {
  let total = 0;
  for (let e = 0; e < equalityActive.length; e++) if (equalityActive[e] !== 0) total += (e + 1) * GOLDEN;
  return total;
}
