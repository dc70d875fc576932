/**
 * Joints at any poses: residuals, limits and coordinates of joints with their gradients in world perturbations.
 *
 * Joints are written once, in joint/, as functions of a workspace; here a separate workspace is set to the poses asked
 * for. A row of a Jacobian there has body axes for rotations: w_world = R w_body. Rows are in an order that does not depend on
 * the poses, each with its own number (`id`), so that multipliers stay with them:
 *   chains 6 c + k, then equalities 6 e + k, then limits (low, high, in the order of joint/limit.ts), then free directions of
 *   joints 3 c + k, then tendons, then drives
 */

import type { FramePoses } from '../../../dynamics/frames.ts';
import { updatePoses, updateSites } from '../../../dynamics/poses.ts';
import { updateMotionSubspace, updateTreeCenters } from '../../../dynamics/spatial-inertia.ts';
import { updateTendons } from '../../../dynamics/tendon.ts';
import { updateTransmissions } from '../../../dynamics/transmission.ts';
import { createWorkspace, updateParameters, type Workspace } from '../../../dynamics/workspace.ts';
import { DRIVE } from '../../../joint/drive-list.ts';
import type { Drives } from '../../../joint/drives.ts';
import { writeEquality } from '../../../joint/equality.ts';
import { updateJointCoordinates, writeJointChain } from '../../../joint/joint-coordinate.ts';
import { writeChainCurvature, writeEqualityCurvature } from '../../../joint/joint-curvature.ts';
import { updateJointTransmissions } from '../../../joint/joint-transmission.ts';
import { createJointWorkspace, type JointWorkspace } from '../../../joint/joint-workspace.ts';
import { type LimitReceiver, writeJointLimits, writeTendonLimits } from '../../../joint/limit.ts';
import { createResidual } from '../../../joint/residual.ts';
import type { ScalarRow } from '../../../joint/scalar-row.ts';
import { Arena } from '../../../kernels/arena.ts';
import { BlockRows } from '../../../linear-algebra/block-rows.ts';
import { copyInto } from '../../../linear-algebra/growth.ts';
import { relativeQuaternion, rotationVector } from '../../../linear-algebra/quaternion.ts';
import { EQUALITY, JOINT, type Model, TRANSMISSION } from '../../../model/model.ts';
import { createState, type State } from '../../../state/state.ts';
import { inverseTurnCoefficient } from './incremental-displacement.ts';

/** Values of `kind`: held at zero, kept above zero, a coordinate that inertia and friction act on, or what a drive has gone since the start. */
export const ROW = { bilateral: 0, limit: 1, coordinate: 2, drive: 3 } as const;

export class JointRows {
  /** Rows of the poses evaluated last. */
  count = 0;
  kind: Uint8Array = new Uint8Array(64);
  id: Int32Array = new Int32Array(64);
  value: Float64Array = new Float64Array(64);
  isAngle: Uint8Array = new Uint8Array(64);
  /** Per row: its first entry; an entry is a group and six numbers, ∂value/∂(dx, dθ). */
  entryStart: Int32Array = new Int32Array(65);
  group: Int32Array = new Int32Array(128);
  vector: Float64Array = new Float64Array(768);
  /** Chains and equalities: how many there are, and per one its first row, −1 where it has none. */
  readonly bilateralCount: number;
  readonly firstRow: Int32Array;
  /** The two frames of the chain or equality that `writeCurvature` was asked for last; −1 where that is no unknown. */
  readonly pair: Int32Array = new Int32Array(2);
  /** How many numbers rows can have. */
  readonly idCount: number;
  /** First numbers of free directions of joints and of tendons. */
  readonly firstCoordinate: number;
  readonly firstTendon: number;
  readonly firstDrive: number;
  readonly #drives: Drives;
  /** Per drive: its length at the start of the step. */
  readonly #driveStart: Float64Array;
  readonly #hasTransmissions: boolean;
  /** First number of limits; per limit: its joint, constraint joints after the others, or its tendon, after all joints. */
  readonly firstLimit: number;
  readonly limitSource: Int32Array;
  readonly #model: Model;
  readonly #state: State;
  readonly #work: Workspace;
  readonly #joints: JointWorkspace;
  readonly #rows: BlockRows;
  readonly #residual = createResidual();
  readonly #hasTendons: boolean;
  /** Endless reach: every limit has its rows at any pose. */
  readonly #reach: Float64Array;
  readonly #tendonReach: Float64Array;
  #nextLimit = 0;
  #rotation: Float64Array = new Float64Array(0);
  #position: Float64Array = new Float64Array(0);
  /** Per body: the movable frame it belongs to, or −1. */
  readonly #frameOf: Int32Array;
  readonly #values = new Float64Array(6);
  readonly #axes = new Float64Array(9);
  readonly #jointLimit: LimitReceiver;
  readonly #tendonLimit: LimitReceiver;
  /** Orientations of balls at the start of the step, from which their coordinates count. */
  readonly #ballStart: Float64Array;

  constructor(model: Model, drives: Drives) {
    const { size, constraintJoint } = model;
    this.#drives = drives;
    this.#driveStart = new Float64Array(drives.count);
    this.#hasTransmissions = drives.list.member.length > 0;
    const arena = new Arena();
    this.#model = model;
    this.#state = createState(model, arena);
    this.#work = createWorkspace(model, arena, 0);
    this.#joints = createJointWorkspace(model, arena);
    this.#joints.coordinates.near = this.#state.hingeAngle;
    this.#rows = new BlockRows(arena);
    this.#hasTendons = size.tendon > 0;
    const chains = this.#joints.coordinates.chains.length;
    const joints = constraintJoint.kind.length;
    this.bilateralCount = chains + size.equality;
    this.firstRow = new Int32Array(this.bilateralCount);
    this.#frameOf = listFrames(model);
    this.firstLimit = 6 * this.bilateralCount;
    this.limitSource = new Int32Array(2 * (size.joint + joints + size.tendon));
    this.firstCoordinate = this.firstLimit + 2 * (size.joint + joints + size.tendon);
    this.firstTendon = this.firstCoordinate + 3 * joints;
    this.firstDrive = this.firstTendon + size.tendon;
    this.idCount = this.firstDrive + drives.count;
    this.#reach = new Float64Array(size.joint + joints).fill(Infinity);
    this.#tendonReach = new Float64Array(size.tendon).fill(Infinity);
    this.#ballStart = new Float64Array(4 * joints);
    this.#jointLimit = {
      add: (block, distance, _margin, source) => this.#addLimit(block, distance, this.#isAngular(source), source),
    };
    this.#tendonLimit = {
      add: (block, distance, _margin, source) => this.#addLimit(block, distance, false, size.joint + joints + source),
    };
  }

  /** Takes changed parameters of the model. */
  readParameters(): void {
    updateParameters(this.#work, this.#model);
  }

  /** What joints the model has, so that without any nothing is done. */
  get isEmpty(): boolean {
    const { size, constraintJoint, tendon } = this.#model;
    if (constraintJoint.kind.length > 0 || size.equality > 0 || this.#drives.count > 0) return false;
    return ![tendon.limited, tendon.frictionLoss].some((all) => all.some(Boolean));
  }

  /** Takes what does not change in a step: mocap bodies, active equalities, centres of ball joints. */
  begin(state: State, poses: FramePoses): void {
    this.#state.mocapPosition.set(state.mocapPosition);
    this.#state.mocapOrientation.set(state.mocapOrientation);
    this.#state.equalityActive.set(state.equalityActive);
    this.#state.hingeAngle.set(state.hingeAngle);
    this.#place(poses);
    this.#ballStart.set(this.#joints.coordinates.orientation);
    for (let e = 0; e < this.#driveStart.length; e++)
      this.#driveStart[e] = this.#drives.measureLength(e, this.#work, this.#joints);
  }

  /** Rows at the poses. */
  update(poses: FramePoses): void {
    const model = this.#model;
    const work = this.#work;
    const joints = this.#joints;
    const { disabled } = model.options;
    const rows = this.#rows;
    const residual = this.#residual;
    this.#place(poses);
    this.#rotation = poses.rotation;
    this.#position = poses.position;
    this.firstRow.fill(-1);
    this.count = 0;
    rows.clear();
    const { chains } = joints.coordinates;
    for (let c = 0; c < chains.length; c++) {
      const block = writeJointChain(rows, model, work, joints.coordinates, c, residual);
      if (block < 0) continue;
      this.firstRow[c] = this.count;
      const straight = chains[c].lengths;
      for (let k = 0; k < residual.dimension; k++)
        this.#add(ROW.bilateral, 6 * c + k, residual.value[k], k >= straight, rows, block, k);
    }
    if (!disabled.has('constraint') && !disabled.has('equality')) this.#addEqualities(chains.length);
    if (!disabled.has('constraint') && !disabled.has('limit')) {
      this.#nextLimit = this.firstLimit;
      writeJointLimits(rows, model, this.#state, joints, this.#reach, this.#jointLimit);
      writeTendonLimits(rows, model, work, joints, this.#tendonReach, this.#tendonLimit);
    }
    this.#addCoordinates();
    if (this.#hasTendons) this.#addTendons();
    this.#addDrives();
  }

  /** The constraint joint whose limit, spring or damper row r is, or if asked for whose servo, armature or friction; −1 of other rows. */
  jointOf(r: number, takesServos = false): number {
    const id = this.id[r];
    if (this.kind[r] === ROW.limit) {
      const c = this.limitSource[id - this.firstLimit] - this.#model.size.joint;
      return c < this.#model.size.constraintJoint ? c : -1;
    }
    const { kind, index } = this.#drives.list;
    const e = id - this.firstDrive;
    if (takesServos && this.kind[r] === ROW.coordinate && id < this.firstTendon) return this.coordinateOf(r);
    if (this.kind[r] !== ROW.drive) return -1;
    if (kind[e] === DRIVE.joint) return index[e];
    const { actuator, size } = this.#model;
    const isServo = takesServos && kind[e] === DRIVE.actuator && actuator.transmission[index[e]] === TRANSMISSION.joint;
    return isServo && actuator.target[index[e]] >= size.joint ? actuator.target[index[e]] - size.joint : -1;
  }

  /** Whether row r has all of its curvature in a Hessian for derivatives: chains, connects, welds, and rows of a joint that is alone in its chain. */
  hasCurvature(r: number): boolean {
    if (this.kind[r] === ROW.bilateral) {
      const e = Math.floor(this.id[r] / 6) - this.#joints.coordinates.chains.length;
      const kind = this.#model.equality.kind[e];
      return e < 0 || kind === EQUALITY.connect || kind === EQUALITY.weld;
    }
    const c = this.jointOf(r, true);
    return c >= 0 && this.#joints.coordinates.chains.some((_, n) => this.onlyJointOf(n) === c);
  }

  /** The constraint joint whose coordinate row r is. */
  coordinateOf(r: number): number {
    return Math.floor((this.id[r] - this.firstCoordinate) / 3);
  }

  /** Writes the row of a drive at the poses evaluated last, over dofs, whether it is active or not. */
  writeDriveRow(row: ScalarRow, e: number): void {
    this.#drives.writeRow(row, e, this.#work, this.#joints);
  }

  /** The movable frame of the child of constraint joint c, or −1. */
  frameOfChild(c: number): number {
    return this.#frameOf[this.#model.constraintJoint.body2[c]];
  }

  /** The one joint, a hinge or slide, of chain n; −1 where it has more, or another. */
  onlyJointOf(n: number): number {
    const chain = this.#joints.coordinates.chains[n];
    return chain?.count === 1 && chain.freedom === 1 ? chain.first : -1;
  }

  /**
   * Fills out[144] with Σ weight_k ∇²C_k of the rows of chain or equality n at the poses evaluated last, over both of its frames (`pair`);
   * false where that is zero, or of an equality whose second derivatives are left out.
   */
  writeCurvature(out: Float64Array, n: number, weight: Float64Array): boolean {
    const model = this.#model;
    const { coordinates } = this.#joints;
    const chain = coordinates.chains[n];
    const e = n - coordinates.chains.length;
    const { object1, object2 } = model.equality;
    const f1 = this.#frameOf[chain ? chain.body1 : object1[e]];
    const f2 = this.#frameOf[chain ? chain.body2 : object2[e]];
    this.pair[0] = f1;
    this.pair[1] = f2;
    if (chain) {
      writeChainCurvature(out, model, this.#work, coordinates, n, weight, this.#position, 3 * f1, 3 * f2);
      return true;
    }
    this.#readAlignment(this.firstRow[n], f1 < 0 ? f2 : f1, f1 < 0 ? -1 : 1);
    const values = this.#values;
    return writeEqualityCurvature(
      out,
      model,
      this.#work,
      e,
      weight,
      values,
      this.#axes,
      this.#position,
      3 * f1,
      3 * f2,
    );
  }

  // values of six rows, and the torque axes of the last three on body 1: those on body 2 are opposed
  #readAlignment(first: number, frame: number, sign: number): void {
    for (let k = 0; k < 6 && first + k < this.count; k++) {
      this.#values[k] = this.value[first + k];
      if (k < 3) continue;
      for (let i = this.entryStart[first + k]; i < this.entryStart[first + k + 1]; i++) {
        if (this.group[i] !== frame) continue;
        for (let a = 0; a < 3; a++) this.#axes[3 * (k - 3) + a] = sign * this.vector[6 * i + 3 + a];
      }
    }
  }

  #place({ position, orientation }: FramePoses): void {
    const model = this.#model;
    const state = this.#state;
    const work = this.#work;
    const joints = this.#joints;
    for (let g = 0; g < model.size.joint; g++) {
      for (let k = 0; k < 3; k++) state.position[7 * g + k] = position[3 * g + k];
      for (let k = 0; k < 4; k++) state.position[7 * g + 3 + k] = orientation[4 * g + k];
    }
    updatePoses(model, state, work);
    updateSites(model, work);
    updateTreeCenters(model, work);
    updateMotionSubspace(model, work);
    if (this.#hasTendons) {
      work.row.fill(0);
      updateTendons(model, state, work);
    }
    updateJointCoordinates(model, work, joints.coordinates);
    if (this.#hasTransmissions) updateTransmissions(model, state, work);
    if (this.#hasTendons || this.#hasTransmissions) updateJointTransmissions(model, work, joints);
  }

  #addEqualities(chains: number): void {
    const model = this.#model;
    const residual = this.#residual;
    const rows = this.#rows;
    for (let e = 0; e < model.size.equality; e++) {
      if (this.#state.equalityActive[e] === 0) continue;
      const block = writeEquality(rows, model, this.#state, this.#work, this.#joints, e, residual);
      if (block < 0) continue;
      this.firstRow[chains + e] = this.count;
      const kind = model.equality.kind[e];
      for (let k = 0; k < residual.dimension; k++) {
        const isAngle =
          (kind === EQUALITY.weld && k >= 3) || (kind === EQUALITY.joint && this.#isAngular(model.equality.object1[e]));
        this.#add(ROW.bilateral, 6 * (chains + e) + k, residual.value[k], isAngle, rows, block, k);
      }
    }
  }

  #addLimit(block: number, distance: number, isAngle: boolean, source: number): void {
    this.limitSource[this.#nextLimit - this.firstLimit] = source;
    this.#add(ROW.limit, this.#nextLimit++, distance, isAngle, this.#rows, block, 0);
  }

  // positions of hinges and slides; of a ball the rotation since the start of the step, in its axes
  #addCoordinates(): void {
    const { kind, armature, frictionLoss } = this.#model.constraintJoint;
    const { coordinates } = this.#joints;
    for (let c = 0; c < kind.length; c++) {
      if (armature[c] === 0 && frictionLoss[c] === 0) continue;
      const isBall = kind[c] === JOINT.ball;
      if (isBall) {
        relativeQuaternion(turn, 0, this.#ballStart, 4 * c, coordinates.orientation, 4 * c);
        rotationVector(angle, 0, turn, 0);
      } else {
        angle[0] = coordinates.position[c];
      }
      for (let k = 0; k < (isBall ? 3 : 1); k++) {
        const id = this.firstCoordinate + 3 * c + k;
        const row = coordinates.row[c] + k;
        this.#add(ROW.coordinate, id, angle[k], kind[c] !== JOINT.slide, coordinates.rows, coordinates.block[c], row);
      }
      if (isBall) this.#turnRows(this.count - 3);
    }
  }

  /**
   * Three rows that are angular velocities ω in child axes become the gradients of φ = log(q₀⁻¹ q), their values:
   *   φ̇ = (1 + ½ [φ]× + b [φ]×²) ω,   b of incremental-displacement.ts
   */
  #turnRows(first: number): void {
    const { entryStart, vector, value } = this;
    const x = value[first];
    const y = value[first + 1];
    const z = value[first + 2];
    const square = x * x + y * y + z * z;
    const width = entryStart[first + 1] - entryStart[first];
    const isSame = entryStart[first + 2] - entryStart[first] === 2 * width;
    if (square === 0 || !isSame || entryStart[first + 3] - entryStart[first] !== 3 * width) return;
    const b = inverseTurnCoefficient(square);
    for (let i = 6 * entryStart[first], end = 6 * entryStart[first + 1]; i < end; i++) {
      const p = vector[i];
      const q = vector[i + 6 * width];
      const r = vector[i + 12 * width];
      const along = b * (x * p + y * q + z * r);
      const rest = 1 - b * square;
      vector[i] = rest * p + along * x + 0.5 * (y * r - z * q);
      vector[i + 6 * width] = rest * q + along * y + 0.5 * (z * p - x * r);
      vector[i + 12 * width] = rest * r + along * z + 0.5 * (x * q - y * p);
    }
  }

  #addTendons(): void {
    const { tendon, size } = this.#model;
    const { row } = this.#joints;
    for (let t = 0; t < size.tendon; t++) {
      if (tendon.frictionLoss[t] === 0 && tendon.armature[t] === 0) continue;
      row.clear();
      const { tendonJacobian } = this.#work;
      for (let i = 0, o = t * size.velocity; i < size.velocity; i++)
        if (tendonJacobian[o + i] !== 0) row.add(i, tendonJacobian[o + i]);
      const block = row.write(this.#rows, 1);
      if (block < 0) continue;
      this.#add(ROW.coordinate, this.firstTendon + t, this.#work.tendonLength[t], false, this.#rows, block, 0);
    }
  }

  #addDrives(): void {
    const drives = this.#drives;
    const { row } = this.#joints;
    for (let e = 0; e < drives.count; e++) {
      if (drives.isActive[e] === 0) continue;
      drives.writeRow(row, e, this.#work, this.#joints);
      const block = row.write(this.#rows, 1);
      if (block < 0) continue;
      this.#add(ROW.drive, this.firstDrive + e, this.#measureMove(e), false, this.#rows, block, 0);
      if (this.#isLastOfBall(e)) this.#turnRows(this.count - 3);
    }
  }

  // the third direction of a ball that has springs or dampers in all three
  #isLastOfBall(e: number): boolean {
    const { kind, index, direction } = this.#drives.list;
    const { isActive } = this.#drives;
    if (kind[e] !== DRIVE.joint || direction[e] !== 2 || this.#model.constraintJoint.kind[index[e]] !== JOINT.ball)
      return false;
    const isOne = kind[e - 1] === DRIVE.joint && kind[e - 2] === DRIVE.joint && index[e - 2] === index[e];
    return isOne && direction[e - 2] === 0 && isActive[e - 1] === 1 && isActive[e - 2] === 1;
  }

  // l⁺ − l of a drive
  #measureMove(e: number): number {
    const { kind, index, direction, memberStart, ratio } = this.#drives.list;
    const n = index[e];
    if (kind[e] === DRIVE.joint && this.#model.constraintJoint.kind[n] === JOINT.ball) {
      relativeQuaternion(turn, 0, this.#ballStart, 4 * n, this.#joints.coordinates.orientation, 4 * n);
      rotationVector(angle, 0, turn, 0);
      return angle[direction[e]];
    }
    const move = this.#drives.measureLength(e, this.#work, this.#joints) - this.#driveStart[e];
    const period = kind[e] === DRIVE.actuator ? this.#work.plan.servoPeriod[n] / ratio[memberStart[e]] : 0;
    return period > 0 ? move - period * Math.round(move / period) : move;
  }

  #isAngular(joint: number): boolean {
    const { size, constraintJoint } = this.#model;
    return joint >= size.joint && constraintJoint.kind[joint - size.joint] !== JOINT.slide;
  }

  // a row of a block, its rotations turned into world axes
  #add(kind: number, id: number, value: number, isAngle: boolean, rows: BlockRows, block: number, k: number): void {
    const r = this.count++;
    if (r === this.kind.length) this.#growRows();
    this.kind[r] = kind;
    this.id[r] = id;
    this.value[r] = value;
    this.isAngle[r] = isAngle ? 1 : 0;
    let entry = this.entryStart[r];
    const n = rows.columnCount[block];
    const c = rows.columnStart[block];
    const v = rows.valueStart[block] + k * n;
    let last = -1;
    for (let i = 0; i < n; i++) {
      const column = rows.column[c + i];
      const g = Math.floor(column / 6);
      if (g !== last) {
        if (last >= 0) entry++;
        if (entry + 1 >= this.group.length) this.#growEntries();
        this.group[entry] = last = g;
        this.vector.fill(0, 6 * entry, 6 * entry + 6);
      }
      const part = column - 6 * g;
      const x = rows.value[v + i];
      if (part < 3) this.vector[6 * entry + part] = x;
      else for (let a = 0; a < 3; a++) this.vector[6 * entry + 3 + a] += this.#rotation[9 * g + 3 * a + part - 3] * x;
    }
    this.entryStart[r + 1] = last >= 0 ? entry + 1 : entry;
  }

  #growRows(): void {
    const n = 2 * this.kind.length;
    this.kind = copyInto(this.kind, new Uint8Array(n));
    this.id = copyInto(this.id, new Int32Array(n));
    this.value = copyInto(this.value, new Float64Array(n));
    this.isAngle = copyInto(this.isAngle, new Uint8Array(n));
    this.entryStart = copyInto(this.entryStart, new Int32Array(n + 1));
  }

  #growEntries(): void {
    const n = 2 * this.group.length;
    this.group = copyInto(this.group, new Int32Array(n));
    this.vector = copyInto(this.vector, new Float64Array(6 * n));
  }
}

// per body the free joint that moves it, or −1
function listFrames({ body, joint, size }: Model): Int32Array {
  const own = new Int32Array(size.body).fill(-1);
  for (let j = 0; j < size.joint; j++) own[joint.body[j]] = j;
  return Int32Array.from({ length: size.body }, (_, b) => own[body.weld[b]]);
}

const turn = /* @__PURE__ */ new Float64Array(4);
const angle = /* @__PURE__ */ new Float64Array(3);
