/** `<joint>` to joints of the scene, and `<mimic>` to an equality. */
import type { Joint, JointCommon, JointEquality, JointLimit, Vec3 } from '@nexdyn/engine';
import type { UnsupportedItem } from '../loaded-scene.ts';
import type { XmlElement } from '../xml/xml.ts';
import { failAt, findChild, placeOf, readNumber, readVector, requireText } from './attribute.ts';
import { completeFrame } from './rotation.ts';
import type { UrdfJoint } from './tree.ts';

const TYPES = ['fixed', 'revolute', 'continuous', 'prismatic', 'floating', 'planar', 'spherical'] as const;
type JointType = (typeof TYPES)[number];

/** Type of a joint; `spherical` is an extension that several simulators share. */
export function readJointType(element: XmlElement): JointType {
  const type = requireText(element, 'type');
  const known = TYPES.find((candidate) => candidate === type);
  return (
    known ?? failAt(element, 'invalid-joint', `'${type}' is not a type of joint`, `types: ${TYPES.join(', ')}`, 'type')
  );
}

/** Joints of the scene, in order; none for a fixed joint. `onWorld`: the parent does not move. */
export function readJoints(joint: UrdfJoint, onWorld: boolean, unsupported: UnsupportedItem[]): Joint[] {
  const { name, element } = joint;
  const type = readJointType(element);
  if (type === 'fixed') return [];
  const dynamics = readDynamics(element);
  switch (type) {
    case 'revolute':
    case 'continuous':
      return [{ kind: 'hinge', name, axis: readAxis(element), ...readLimit(element, type, unsupported), ...dynamics }];
    case 'prismatic':
      return [{ kind: 'slide', name, axis: readAxis(element), ...readLimit(element, type, unsupported), ...dynamics }];
    case 'spherical':
      listLimit(element, type, unsupported);
      return [{ kind: 'ball', name, ...dynamics }];
    case 'planar': {
      listLimit(element, type, unsupported);
      const axis = readAxis(element);
      const [x, y] = completeFrame(axis);
      return [
        { kind: 'slide', name: `${name}_TX`, axis: x, ...dynamics },
        { kind: 'slide', name: `${name}_TY`, axis: y, ...dynamics },
        { kind: 'hinge', name: `${name}_RZ`, axis, ...dynamics },
      ];
    }
    case 'floating':
      listLimit(element, type, unsupported);
      if (onWorld) return [{ kind: 'free', name, ...dynamics }];
      // free motion against a parent that moves: three slides carry a ball joint
      return [
        { kind: 'slide', name: `${name}_TX`, axis: [1, 0, 0], ...dynamics },
        { kind: 'slide', name: `${name}_TY`, axis: [0, 1, 0], ...dynamics },
        { kind: 'slide', name: `${name}_TZ`, axis: [0, 0, 1], ...dynamics },
        { kind: 'ball', name: `${name}_R`, ...dynamics },
      ];
  }
}

/** `<mimic>`: q = offset + multiplier · q of the other joint. */
export function readMimic(
  joint: UrdfJoint,
  joints: ReadonlyMap<string, UrdfJoint>,
  unsupported: UnsupportedItem[],
): JointEquality | undefined {
  const mimic = findChild(joint.element, 'mimic');
  if (!mimic) return undefined;
  if (readJointType(joint.element) === 'fixed') {
    const message = 'A fixed joint has no position that could follow another; it stays where it is.';
    unsupported.push({ ...placeOf(mimic), element: 'mimic', affects: 'physics', message });
    return undefined;
  }
  const leader = requireText(mimic, 'joint');
  const other = joints.get(leader);
  if (!other) {
    return failAt(
      mimic,
      'unknown-reference',
      `'${joint.name}' mimics '${leader}', which is not a joint`,
      'name another joint of the robot',
      'joint',
    );
  }
  if (other === joint)
    failAt(mimic, 'invalid-joint', `'${joint.name}' mimics itself`, 'name another joint of the robot', 'joint');
  for (const { name, element } of [joint, other]) {
    const type = readJointType(element);
    // what follows a fixed joint stays at its offset
    if (type === 'fixed' || ['revolute', 'continuous', 'prismatic'].includes(type)) continue;
    failAt(mimic, 'invalid-joint', `'${name}' is ${type}`, 'revolute, continuous and prismatic joints can mimic');
  }
  const own = { offset: readNumber(mimic, 'offset', 0), multiplier: readNumber(mimic, 'multiplier', 1) };
  // a joint that mimics one that mimics another follows the last: errors do not add up along the chain
  let { offset, multiplier } = own;
  let last = other;
  for (let count = 0; ; count++) {
    const next = readJointType(last.element) === 'fixed' ? undefined : findChild(last.element, 'mimic');
    const target = next && joints.get(requireText(next, 'joint'));
    if (!next || !target || target === last) break;
    if (target === joint || count > joints.size)
      failAt(mimic, 'invalid-joint', `'${joint.name}' mimics itself through others`, 'let one joint lead', 'joint');
    offset += multiplier * readNumber(next, 'offset', 0);
    multiplier *= readNumber(next, 'multiplier', 1);
    last = target;
  }
  const coefficients: JointEquality['coefficients'] = [offset, multiplier, 0, 0, 0];
  if (readJointType(last.element) === 'fixed') {
    return { kind: 'joint', joint1: joint.name, coefficients: [offset, 0, 0, 0, 0] };
  }
  return { kind: 'joint', joint1: joint.name, joint2: last.name, coefficients };
}

function readAxis(element: XmlElement): Vec3 {
  const axis = findChild(element, 'axis');
  if (!axis) return [1, 0, 0];
  const direction = readVector(axis, 'xyz', [1, 0, 0]);
  if (Math.hypot(...direction) < 1e-12)
    failAt(axis, 'invalid-joint', 'the axis has no direction', 'give 0 0 1 or alike', 'xyz');
  return direction;
}

function readDynamics(element: XmlElement): Pick<JointCommon, 'damping' | 'frictionLoss'> {
  const dynamics = findChild(element, 'dynamics');
  if (!dynamics) return {};
  const [damping, frictionLoss] = ['damping', 'friction'].map((name) => {
    const value = readNumber(dynamics, name, 0);
    return value >= 0
      ? value
      : failAt(dynamics, 'invalid-value', `the ${name} ${value} is negative`, 'give 0 or more', name);
  }) as [number, number];
  return { ...(damping > 0 && { damping }), ...(frictionLoss > 0 && { frictionLoss }) };
}

/** Range and largest force of a joint with one dof. */
function readLimit(
  element: XmlElement,
  type: 'revolute' | 'continuous' | 'prismatic',
  unsupported: UnsupportedItem[],
): { limit?: JointLimit; actuatorForceRange?: [number, number] } {
  const limit = findChild(element, 'limit');
  const effort = limit ? Math.abs(readNumber(limit, 'effort', 0)) : 0;
  const force = effort > 0 ? { actuatorForceRange: [-effort, effort] as [number, number] } : {};
  if (type === 'continuous') return force;
  const range: [number, number] = limit ? [readNumber(limit, 'lower', 0), readNumber(limit, 'upper', 0)] : [0, 0];
  if (limit && range[0] > range[1]) {
    failAt(limit, 'invalid-value', `the lower limit ${range[0]} is above the upper ${range[1]}`, 'swap them', 'lower');
  }
  if (range[0] < range[1]) return { limit: { range }, ...force };
  // a joint that cannot move is more often one whose range was forgotten
  unsupported.push({
    ...placeOf(limit ?? element),
    element: limit ? 'limit' : 'joint',
    affects: 'physics',
    message: `The ${type} joint has no range between its limits; it is read as unlimited.`,
  });
  return force;
}

/** URDF defines no limits for joints with several dofs; what the file gives is listed. */
function listLimit(element: XmlElement, type: JointType, unsupported: UnsupportedItem[]): void {
  const limit = findChild(element, 'limit');
  if (!limit) return;
  unsupported.push({
    ...placeOf(limit),
    element: 'limit',
    affects: 'physics',
    message: `Limits of ${type} joints are not read.`,
  });
}
