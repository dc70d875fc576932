/**
 * Servos, motors, springs, dampers, armature and dry friction of hinges and slides, and dampers of balls, in the reverse of a step of `ipc`
 * (held-adjoint.ts). Their slopes
 * E' (terms/joint-term.ts) take from the start of the step the length l and the speed s = J v of their coordinate, at order two also l' and s'
 * of the step before, and of drives the force f by l, control and activation:
 *   drive        x̂ = c (l − l')          coordinate   x̂ = l + c (l − l'),  x̃ = l + h s + c (l − l' − h' s' + (hₑ − h') (s − s'))
 * Lengths of a ball are φ = log(q₀⁻¹ q) from its start q₀, and x̂ = −c log(q₀⁻¹ q'): as q₀ turns by χ, φ loses (1 − ½ [φ]× + b [φ]×²) χ,
 * and with φ their rows (1 + ½ [φ]× + b [φ]×²) ω change.
 * Forces that are explicit, Jᵀ u of the start, are among those that lead to the prediction: with their gradient w, u J w is what depends on it.
 */

import { actuatorInput } from '../../dynamics/actuation.ts';
import type { FramePoses } from '../../dynamics/frames.ts';
import { vary } from '../../dynamics/vary.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { DRIVE } from '../../joint/drive-list.ts';
import { ScalarRow } from '../../joint/scalar-row.ts';
import { Arena } from '../../kernels/arena.ts';
import { relativeQuaternion, rotationVector } from '../../linear-algebra/quaternion.ts';
import { reverseTurn } from '../../linear-algebra/turn-adjoint.ts';
import { ADDED } from '../../model/control-kinds.ts';
import { ACTIVATION, JOINT, type Model, TRANSMISSION } from '../../model/model.ts';
import { hasPowers } from '../../model/power-laws.ts';
import type { State } from '../../state/state.ts';
import type { InputBars } from '../row-rates.ts';
import { differentiateTurn, mixRows } from './ball-rates.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { addRow, addSpeed, measureRows, type PoseRow, turnBack } from './pose-rows.ts';
import type { SecondOrder } from './second-order.ts';
import { ROW } from './terms/joint-rows.ts';
import type { RowStart } from './terms/joint-term.ts';

/** How the force of a drive depends on its length, and on the control and activation of its actuator, −1 where it has none. */
interface DriveRates {
  readonly byLength: number;
  readonly actuator: number;
  readonly byControl: number;
  readonly slot: number;
  readonly byActivation: number;
}

export class JointAdjoint {
  readonly #model: Model;
  readonly #objective: IpcObjective;
  readonly #second: SecondOrder | undefined;
  readonly #row: ScalarRow;
  /** Numbers of rows that are coordinates or drives; how they depend on the start, where they are then and before. */
  #rows: number[] = [];
  #rowSlopes: number[] = [];
  /** Balls with dampers: where the first of their three rows is in `rows`, and φ, rad. */
  #balls: { first: number; angle: Float64Array }[] = [];
  #starts: RowStart[] = [];
  #atStart: PoseRow[] = [];
  /** The same for x̂: other rows than those of the length for balls. */
  #baseAtStart: PoseRow[] = [];
  #before: PoseRow[] = [];
  /** Drives whose force is explicit, N or N m. */
  #explicit: { drive: number; force: number }[] = [];
  readonly #rates: DriveRates[] = [];
  /** Rows whose E' ∇²l the Hessian lacks, as of joints that share a chain, and their E'. */
  #bentRows: number[] = [];
  #slopes: number[] = [];
  #h = 1;

  constructor(model: Model, objective: IpcObjective, second: SecondOrder | undefined) {
    this.#model = model;
    this.#objective = objective;
    this.#second = second;
    this.#row = new ScalarRow(model.size.velocity, new Arena());
  }

  /** Whether the drives of the scene and its coordinates are among those above. */
  static knows(model: Model, { drives }: IpcObjective): boolean {
    const { actuator, constraintJoint, tendon, size } = model;
    // tendons with a spring or damper are drives
    if (tendon.armature.some((m) => m !== 0) || tendon.frictionLoss.some((f) => f !== 0)) return false;
    if ([constraintJoint, tendon].some((list) => hasPowers(list.stiffnessPowers) || hasPowers(list.dampingPowers)))
      return false;
    const { kind, index, member, memberStart, takesCompensation } = drives.list;
    const isLine = (c: number): boolean =>
      constraintJoint.kind[c] === JOINT.hinge || constraintJoint.kind[c] === JOINT.slide;
    const isDamper = (c: number): boolean => constraintJoint.stiffness[c] === 0;
    for (let c = 0; c < constraintJoint.kind.length; c++)
      if (!isLine(c) && (constraintJoint.armature[c] !== 0 || constraintJoint.frictionLoss[c] !== 0)) return false;
    for (let e = 0; e < drives.count; e++) {
      if (kind[e] === DRIVE.joint && (isLine(index[e]) || isDamper(index[e]))) continue;
      if (kind[e] !== DRIVE.actuator || memberStart[e + 1] - memberStart[e] !== 1 || takesCompensation[e] === 1)
        return false;
      const a = member[memberStart[e]];
      const isOnJoint = actuator.transmission[a] === TRANSMISSION.joint && actuator.target[a] >= size.joint;
      if (!isOnJoint || !isLine(actuator.target[a] - size.joint)) return false;
      if (actuator.isMuscle[a] === 1 || actuator.isDcMotor[a] === 1 || actuator.adds[a] !== ADDED.none) return false;
      if (actuator.activationCount[a] > 1 || actuator.delay[a] > 0) return false;
      if (actuator.activation[a] === ACTIVATION.pid && actuator.activationStart[a] >= 0) return false;
      if (actuator.gain[3 * a + 1] !== 0 || actuator.gain[3 * a + 2] !== 0) return false;
      if (actuator.bias[3 * a + 1] > 0 || actuator.bias[3 * a + 2] > 0) return false;
    }
    return new Set(member).size === size.actuator;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0 && this.#explicit.length === 0;
  }

  /** Takes the last step; false where a row takes order two from frames that do not. Rows are those of the current poses afterwards. */
  begin(state: State, work: Workspace, h: number): boolean {
    const { joints, frames, drives } = this.#objective;
    const { rows } = joints;
    this.#h = h;
    this.#rows = [];
    this.#rowSlopes = [];
    this.#balls = [];
    this.#starts = [];
    this.#bentRows = [];
    this.#slopes = [];
    this.#explicit = [];
    if (joints.isEmpty) return true;
    rows.update(frames.current);
    for (let r = 0; r < rows.count; r++) {
      const slope = joints.readSlope(r);
      if (slope !== 0 && !rows.hasCurvature(r)) {
        this.#bentRows.push(r);
        this.#slopes.push(slope);
      }
      if (rows.kind[r] < ROW.coordinate) continue;
      const start = { byLength: 0, byBase: 0, byPredicted: 0, byForce: 0, force: 0, isSecond: false };
      joints.readStart(start, r);
      for (let i = rows.entryStart[r]; start.isSecond && i < rows.entryStart[r + 1]; i++)
        if (this.#second!.isActive[rows.group[i]] === 0) return false;
      this.#rows.push(r);
      this.#rowSlopes.push(slope);
      this.#starts.push(start);
    }
    for (let e = 0; e < drives.count; e++) {
      this.#rates[e] = this.#readDrive(e, state, work, h);
      const force = drives.isActive[e] === 1 ? 0 : this.#readExplicit(e, work);
      if (drives.isActive[e] === 0) this.#explicit.push({ drive: e, force });
    }
    this.#measureStart(state.velocity);
    rows.update(frames.current);
    return true;
  }

  // rows at the start of the step and before it
  #measureStart(velocity: Float64Array): void {
    const { frames, joints } = this.#objective;
    const { moving } = frames;
    const { history } = this.#second ?? {};
    const hasSpeeds = this.#starts.some(({ byPredicted }) => byPredicted !== 0);
    const read = (poses: FramePoses): PoseRow[] => this.#readRows(poses, this.#rows);
    const readAngle = (n: number): Float64Array => joints.rows.value.slice(this.#rows[n], this.#rows[n] + 3);
    this.#balls = this.#listBalls().map((first) => ({ first, angle: readAngle(first) }));
    const isAnySecond = this.#starts.some(({ isSecond }) => isSecond);
    this.#atStart =
      this.#rows.length > 0 ? measureRows(frames.start, hasSpeeds ? velocity : undefined, moving, read) : [];
    this.#before =
      history && isAnySecond ? measureRows(history, hasSpeeds ? history.velocity : undefined, moving, read) : [];
    this.#baseAtStart = [...this.#atStart];
    if (isAnySecond && hasSpeeds) joints.rows.update(history!);
    for (const { first, angle } of this.#balls) {
      const own = this.#atStart.slice(first, first + 3);
      if (this.#starts[first].isSecond) mixRows(this.#baseAtStart, first, own, readAngle(first));
      mixRows(this.#atStart, first, own, angle);
    }
  }

  // the first of the three rows of every ball with a damper, as a place in `rows`
  #listBalls(): number[] {
    const { joints, drives } = this.#objective;
    const { rows } = joints;
    const { kind, index, direction } = drives.list;
    const found: number[] = [];
    for (const [n, r] of this.#rows.entries()) {
      const e = rows.id[r] - rows.firstDrive;
      if (rows.kind[r] !== ROW.drive || kind[e] !== DRIVE.joint || direction[e] !== 0) continue;
      if (this.#model.constraintJoint.kind[index[e]] === JOINT.ball) found.push(n);
    }
    return found;
  }

  /** Whether the Hessian of the step lacks some curvature of rows. */
  get isBent(): boolean {
    return this.#bentRows.length > 0;
  }

  /** out −= Σ E' ∇²l λ of the rows whose curvature the Hessian lacks; six numbers per frame in the world. */
  subtractCurvature(out: Float64Array, lambda: Float64Array): void {
    const { frames, joints } = this.#objective;
    const { current } = frames;
    const w = lambda.slice(0, 6 * frames.moving);
    for (let g = 0; g < frames.moving; g++) turnBack(w, 6 * g + 3, current.rotation, 9 * g);
    const own = measureRows(current, w, frames.moving, (poses) => this.#readRows(poses, this.#bentRows));
    for (const [n, { groups, vector, bend }] of own.entries()) {
      const slope = this.#slopes[n];
      for (const [i, g] of groups.entries()) {
        // the symmetric part: half of ω × J_φ
        const o = 6 * i + 3;
        const v = 6 * g + 3;
        const x = bend[o] - 0.5 * (w[v + 1] * vector[o + 2] - w[v + 2] * vector[o + 1]);
        const y = bend[o + 1] - 0.5 * (w[v + 2] * vector[o] - w[v] * vector[o + 2]);
        const z = bend[o + 2] - 0.5 * (w[v] * vector[o + 1] - w[v + 1] * vector[o]);
        for (let k = 0; k < 3; k++) {
          const m = 9 * g + 3 * k;
          out[6 * g + k] -= slope * bend[6 * i + k];
          out[v + k] -= slope * (current.rotation[m] * x + current.rotation[m + 1] * y + current.rotation[m + 2] * z);
        }
      }
    }
    joints.rows.update(current);
  }

  /** Runs something with the smooth forces that the step began with: drives are counted among them at its end. */
  withoutDrives(work: Workspace, run: () => void): void {
    const before = work.smoothForce.slice();
    for (const [n, r] of this.#rows.entries()) {
      const { rows } = this.#objective.joints;
      if (rows.kind[r] !== ROW.drive) continue;
      this.#objective.drives.writeRow(this.#row, rows.id[r] - rows.firstDrive, work);
      for (let k = 0; k < this.#row.count; k++)
        work.smoothForce[this.#row.column[k]] -= this.#starts[n].force * this.#row.value[k];
    }
    run();
    work.smoothForce.set(before);
  }

  #readDrive(e: number, state: State, work: Workspace, h: number): DriveRates {
    const { constraintJoint, actuator } = this.#model;
    const { list } = this.#objective.drives;
    if (list.kind[e] === DRIVE.joint) {
      const k = list.hasSprings ? work.weights.springs * constraintJoint.stiffness[list.index[e]] : 0;
      return { byLength: -k, actuator: -1, byControl: 0, slot: -1, byActivation: 0 };
    }
    const n = list.memberStart[e];
    const a = list.member[n];
    const s = list.ratio[n];
    const slot = actuator.activationStart[a];
    const read = (): number => actuatorInput(this.#model, state, work, a, h);
    const scale = s * actuator.gain[3 * a];
    return {
      byLength: list.hasLength[a] === 1 ? s * s * actuator.bias[3 * a + 1] : 0,
      actuator: a,
      byControl: scale * vary(state.control, a, read),
      slot,
      byActivation: slot >= 0 ? scale * vary(state.activation, slot, read) : 0,
    };
  }

  #readExplicit(e: number, work: Workspace): number {
    const { list, force } = this.#objective.drives;
    if (list.kind[e] === DRIVE.joint) return force[e];
    const n = list.memberStart[e];
    return list.ratio[n] * work.actuatorForce[list.member[n]];
  }

  // whether an explicit force is at its limit
  #isHeld(e: number, force: number): boolean {
    const { list, low, high } = this.#objective.drives;
    return list.kind[e] === DRIVE.actuator && (force <= low[e] || force >= high[e]);
  }

  #readRows({ position, orientation, rotation }: FramePoses, wanted: readonly number[]): PoseRow[] {
    const { rows } = this.#objective.joints;
    rows.update({ position, orientation, rotation });
    return wanted.map((r) => {
      const first = rows.entryStart[r];
      const groups = Array.from(rows.group.subarray(first, rows.entryStart[r + 1]));
      const vector = rows.vector.slice(6 * first, 6 * rows.entryStart[r + 1]);
      for (const [i, g] of groups.entries()) turnBack(vector, 6 * i + 3, rotation, 9 * g);
      return { groups, vector, bend: new Float64Array(vector.length) };
    });
  }

  #readExplicitRows(poses: FramePoses): PoseRow[] {
    const { rows } = this.#objective.joints;
    const row = this.#row;
    rows.update(poses);
    return this.#explicit.map(({ drive }) => {
      rows.writeDriveRow(row, drive);
      const groups = [...new Set(Array.from(row.column.subarray(0, row.count), (i) => Math.floor(i / 6)))];
      const vector = new Float64Array(6 * groups.length);
      for (let k = 0; k < row.count; k++) {
        const i = row.column[k];
        vector[6 * groups.indexOf(Math.floor(i / 6)) + (i % 6)] = row.value[k];
      }
      return { groups, vector, bend: new Float64Array(vector.length) };
    });
  }

  /** Adds what slopes make of λ, six numbers per frame in the world, to the gradients by the start of the step. */
  reverse(lambda: Float64Array, start: Float64Array, out: InputBars): void {
    const { joints, frames } = this.#objective;
    const { rows } = joints;
    const h = this.#h;
    const past = new Float64Array(6 * frames.moving);
    const etas = new Float64Array(this.#rows.length);
    const { share, reach, before } = this.#second?.formula ?? { share: 0, reach: h, before: h };
    for (const [n, r] of this.#rows.entries()) {
      const { byLength, byBase, byPredicted, byForce, isSecond } = this.#starts[n];
      let eta = 0;
      for (let i = rows.entryStart[r]; i < rows.entryStart[r + 1]; i++)
        for (let k = 0; k < 6; k++) eta += rows.vector[6 * i + k] * lambda[6 * rows.group[i] + k];
      etas[n] = eta;
      if (eta === 0) continue;
      const c = isSecond ? share : 0;
      const isDrive = rows.kind[r] === ROW.drive;
      let length = eta * (isDrive ? byLength : (1 + c) * (byPredicted + byBase));
      if (isDrive) addRow(start, this.#baseAtStart[n], eta * c * byBase, 0);
      if (isDrive) length += this.#reverseForce(rows.id[r] - rows.firstDrive, eta * byForce, out);
      const speed = eta * byPredicted * (h + c * (reach - before));
      addRow(start, this.#atStart[n], length, speed);
      addSpeed(out.velocity, this.#atStart[n], speed);
      if (!isSecond) continue;
      const speedBefore = -eta * byPredicted * c * reach;
      addRow(past, this.#before[n], -eta * c * (byPredicted + byBase), speedBefore);
      this.#addKeptSpeed(out.kept, this.#before[n], speedBefore);
    }
    for (const { first, angle } of this.#balls) {
      const bar = differentiateTurn(angle, etas.subarray(first, first + 3), this.#rowSlopes.slice(first, first + 3));
      for (let k = 0; k < 3; k++) addRow(start, this.#atStart[first + k], bar[k], 0);
    }
    if (this.#before.length > 0) this.#reversePast(past, start, out.kept);
  }

  /** Adds what explicit forces make of their gradient, which is in `out.force`. */
  reverseForces(start: Float64Array, out: InputBars): void {
    if (this.#explicit.length === 0) return;
    const { joints, frames } = this.#objective;
    const w = out.force;
    const isBent = this.#explicit.some(({ force }) => force !== 0);
    const atStart = measureRows(frames.start, isBent ? w : undefined, frames.moving, (poses) =>
      this.#readExplicitRows(poses),
    );
    for (const [n, { drive, force }] of this.#explicit.entries()) {
      const { groups, vector } = atStart[n];
      let bar = 0;
      for (const [i, g] of groups.entries()) for (let k = 0; k < 6; k++) bar += vector[6 * i + k] * w[6 * g + k];
      const length = this.#isHeld(drive, force) ? 0 : this.#reverseForce(drive, bar, out);
      addRow(start, atStart[n], length, force);
    }
    joints.rows.update(frames.current);
  }

  // the gradient by the length of a drive of one by its force
  #reverseForce(e: number, bar: number, out: InputBars): number {
    const { byLength, actuator, byControl, slot, byActivation } = this.#rates[e];
    if (actuator >= 0) out.control[actuator] += bar * byControl;
    if (slot >= 0) out.activation[slot] += bar * byActivation;
    return bar * byLength;
  }

  // v' and ω' of what is kept (step-history.ts)
  #addKeptSpeed(kept: Float64Array, { groups, vector }: PoseRow, bar: number): void {
    for (const [i, g] of groups.entries()) {
      for (let k = 0; k < 3; k++) {
        kept[12 * g + 3 + k] += bar * vector[6 * i + k];
        kept[12 * g + 9 + k] += bar * vector[6 * i + 3 + k];
      }
    }
  }

  // x' and R' = R exp(−turn)
  #reversePast(past: Float64Array, start: Float64Array, kept: Float64Array): void {
    const { frames } = this.#objective;
    const { history, isActive } = this.#second!;
    const turn = new Float64Array(past.length);
    const byTurn = new Float64Array(past.length);
    for (let g = 0; g < frames.moving; g++) {
      if (isActive[g] === 0) continue;
      relativeQuaternion(quaternion, 0, frames.start.orientation, 4 * g, history.orientation, 4 * g);
      rotationVector(turn, 6 * g + 3, quaternion, 0);
      reverseTurn(past, turn, 6 * g + 3, 1, start, byTurn);
      for (let k = 0; k < 3; k++) {
        kept[12 * g + k] += past[6 * g + k];
        kept[12 * g + 6 + k] -= byTurn[6 * g + 3 + k];
      }
    }
  }
}

const quaternion = /* @__PURE__ */ new Float64Array(4);
