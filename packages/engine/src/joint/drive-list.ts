/** Which springs, dampers and actuators of a model are drives (drives.ts). Constant for a model. */
import { hasForceLaw } from '../dynamics/force-law.ts';
import { createMomentPattern, type MomentPattern } from '../dynamics/moment-pattern.ts';
import { JOINT, type Model, TRANSMISSION } from '../model/model.ts';

/** Values of `kind`. */
export const DRIVE = { joint: 0, tendon: 1, tendonLow: 2, tendonHigh: 3, tendonDamper: 4, actuator: 5 } as const;

export interface DriveList {
  /** Per drive: see DRIVE. */
  readonly kind: Uint8Array;
  /** Per drive: number of its constraint joint, its tendon or its first actuator. */
  readonly index: Int32Array;
  /** Per drive: direction of a ball, else 0. */
  readonly direction: Uint8Array;
  /** Per drive: its first actuator in `member`; one more than there are. */
  readonly memberStart: Int32Array;
  /** Actuators of the drives, and their lengths as multiples of the drive's. */
  readonly member: Int32Array;
  readonly ratio: Float64Array;
  /** Per drive: what a joint or tendon allows the sum of its actuators. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Per drive: the dof that has that limit (joint coordinates), or −1; and whether gravity compensation counts as well. */
  readonly limitedDof: Int32Array;
  readonly takesCompensation: Uint8Array;
  /** Per actuator: whether its length changes with the pose. */
  readonly hasLength: Uint8Array;
  readonly hasSprings: boolean;
  readonly hasDampers: boolean;
}

interface Drive {
  kind: number;
  index: number;
  direction?: number;
  member?: { actuator: number; ratio: number }[];
  low?: number;
  high?: number;
  limitedDof?: number;
  takesCompensation?: boolean;
}

/** All drives; none where forces are explicit. */
export function listDrives(model: Model, isImplicit: boolean, lengthsOnly: boolean): DriveList {
  const { disabled } = model.options;
  const hasSprings = !disabled.has('spring');
  const hasDampers = !disabled.has('damper');
  const hasLength = Uint8Array.from({ length: model.size.actuator }, (_, a) => (changesLength(model, a) ? 1 : 0));
  const drives: Drive[] = [];
  if (isImplicit) {
    drives.push(...listJoints(model, hasSprings, hasDampers), ...listTendons(model, hasSprings, hasDampers));
    if (!disabled.has('actuation'))
      drives.push(...listActuators(model, lengthsOnly).filter(({ index }) => !lengthsOnly || hasLength[index] === 1));
  }
  const members = drives.flatMap(({ member }) => member ?? []);
  let end = 0;
  return {
    kind: Uint8Array.from(drives, ({ kind }) => kind),
    index: Int32Array.from(drives, ({ index }) => index),
    direction: Uint8Array.from(drives, ({ direction }) => direction ?? 0),
    memberStart: Int32Array.from([0, ...drives.map(({ member }) => (end += member?.length ?? 0))]),
    member: Int32Array.from(members, ({ actuator }) => actuator),
    ratio: Float64Array.from(members, ({ ratio }) => ratio),
    low: Float64Array.from(drives, ({ low }) => low ?? -Infinity),
    high: Float64Array.from(drives, ({ high }) => high ?? Infinity),
    limitedDof: Int32Array.from(drives, ({ limitedDof }) => limitedDof ?? -1),
    takesCompensation: Uint8Array.from(drives, ({ takesCompensation }) => (takesCompensation ? 1 : 0)),
    hasLength,
    hasSprings,
    hasDampers,
  };
}

/** Whether spring and damper of constraint joint c are a drive where forces are implicit. */
export function isJointDrive({ constraintJoint }: Model, c: number, hasSprings: boolean, hasDampers: boolean): boolean {
  const { stiffness, stiffnessPowers, damping, dampingPowers } = constraintJoint;
  return (hasSprings && acts(stiffness, stiffnessPowers, c)) || (hasDampers && acts(damping, dampingPowers, c));
}

function acts(linear: Float64Array, powers: Float64Array, n: number): boolean {
  return linear[n] > 0 || powers[2 * n] !== 0 || powers[2 * n + 1] !== 0;
}

function listJoints(model: Model, hasSprings: boolean, hasDampers: boolean): Drive[] {
  const { kind } = model.constraintJoint;
  const drives: Drive[] = [];
  for (let c = 0; c < kind.length; c++) {
    if (!isJointDrive(model, c, hasSprings, hasDampers)) continue;
    for (let k = 0; k < (kind[c] === JOINT.ball ? 3 : 1); k++)
      drives.push({ kind: DRIVE.joint, index: c, direction: k });
  }
  return drives;
}

function listTendons({ tendon, size }: Model, hasSprings: boolean, hasDampers: boolean): Drive[] {
  const drives: Drive[] = [];
  for (let t = 0; t < size.tendon; t++) {
    const pulls = hasSprings && acts(tendon.stiffness, tendon.stiffnessPowers, t);
    const isDamped = hasDampers && acts(tendon.damping, tendon.dampingPowers, t);
    if (!pulls && !isDamped) continue;
    if (!pulls || tendon.springLength[2 * t] === tendon.springLength[2 * t + 1]) {
      drives.push({ kind: DRIVE.tendon, index: t });
      continue;
    }
    drives.push({ kind: DRIVE.tendonLow, index: t }, { kind: DRIVE.tendonHigh, index: t });
    if (isDamped) drives.push({ kind: DRIVE.tendonDamper, index: t });
  }
  return drives;
}

function listActuators(model: Model, withMotors: boolean): Drive[] {
  const { actuator, size } = model;
  const drives: Drive[] = [];
  const isTaken = new Uint8Array(size.actuator);
  const pattern = createMomentPattern(model);
  for (let a = 0; a < size.actuator; a++) {
    if (isTaken[a] === 1) continue;
    const group = findGroup(model, pattern, a);
    if (!group) continue;
    for (const { actuator: b } of group.member ?? []) isTaken[b] = 1;
    const isDrive = (group.member ?? []).some(({ actuator: b }) => changesForce(model, b));
    // motors alone are left to actuation.ts, which knows the limits of joints that are coordinates, unless they may turn links far
    const isLimitedConstraint = actuator.target[a] >= size.joint && group.low !== undefined;
    if (isDrive || isLimitedConstraint || withMotors) drives.push(group);
  }
  return drives;
}

// the actuators that share a limit with a, or a alone; undefined where a limit is met that cannot be written for them
function findGroup(model: Model, pattern: MomentPattern, a: number): Drive | undefined {
  const { actuator, tendon, joint, constraintJoint, size } = model;
  const kind = actuator.transmission[a];
  // what sticks pushes along contacts that the solve itself moves
  if (kind === TRANSMISSION.body) return undefined;
  const target = actuator.target[a];
  const same = (b: number): boolean => actuator.transmission[b] === kind && actuator.target[b] === target;
  const all = Array.from({ length: size.actuator }, (_, b) => b).filter(same);
  const group = { kind: DRIVE.actuator, index: a };
  const alone = [{ actuator: a, ratio: 1 }];
  if (kind === TRANSMISSION.tendon && tendon.actuatorForceLimited[target]) {
    const gear = actuator.gear[6 * a];
    if (meetsJointLimit(model, pattern, a) || all.some((b) => actuator.gear[6 * b] !== gear)) return undefined;
    const [low, high] = tendon.actuatorForceRange.subarray(2 * target, 2 * target + 2);
    return { ...group, member: all.map((b) => ({ actuator: b, ratio: 1 })), low, high };
  }
  const c = target - size.joint;
  const isJoint = kind === TRANSMISSION.joint;
  if (isJoint && c >= 0 && constraintJoint.actuatorForceLimited[c] && constraintJoint.kind[c] !== JOINT.ball) {
    const [low, high] = constraintJoint.actuatorForceRange.subarray(2 * c, 2 * c + 2);
    return shareJoint(model, all, { ...group, low, high });
  }
  if (!meetsJointLimit(model, pattern, a)) return { ...group, member: alone };
  const isScalar = joint.kind[target] === JOINT.hinge || joint.kind[target] === JOINT.slide;
  if (!isJoint || !isScalar) return undefined;
  const limitedDof = joint.dofStart[target];
  // another transmission that moves the dof shares its limit
  for (let b = 0; b < size.actuator; b++) if (!same(b) && movesDof(pattern, b, limitedDof)) return undefined;
  const [low, high] = joint.actuatorForceRange.subarray(2 * target, 2 * target + 2);
  const takesCompensation = joint.actuatorGravityCompensation[target] === 1;
  return shareJoint(model, all, { ...group, low, high, limitedDof, takesCompensation });
}

function shareJoint({ actuator }: Model, all: readonly number[], group: Drive): Drive | undefined {
  const member = all
    .filter((b) => actuator.gear[6 * b] !== 0)
    .map((b) => ({ actuator: b, ratio: actuator.gear[6 * b] }));
  return member.length === 0 ? undefined : { ...group, index: member[0].actuator, member };
}

function meetsJointLimit({ joint, dof }: Model, { rowStart, column }: MomentPattern, a: number): boolean {
  for (let m = rowStart[a]; m < rowStart[a + 1]; m++) {
    const j = dof.joint[column[m]];
    const isScalar = joint.kind[j] === JOINT.hinge || joint.kind[j] === JOINT.slide;
    if (isScalar && joint.actuatorForceLimited[j]) return true;
  }
  return false;
}

function movesDof({ rowStart, column }: MomentPattern, a: number, dof: number): boolean {
  return column.subarray(rowStart[a], rowStart[a + 1]).includes(dof);
}

function changesForce(model: Model, a: number): boolean {
  const { gain, bias } = model.actuator;
  const c = 3 * a;
  return hasForceLaw(model, a) || [gain[c + 1], gain[c + 2], bias[c + 1], bias[c + 2]].some(Boolean);
}

function changesLength({ actuator, joint, size }: Model, a: number): boolean {
  const target = actuator.target[a];
  switch (actuator.transmission[a]) {
    case TRANSMISSION.tendon:
      return true;
    case TRANSMISSION.site:
      return actuator.reference[a] >= 0;
    case TRANSMISSION.body:
      return false;
    default:
      return target >= size.joint || joint.kind[target] !== JOINT.free;
  }
}
