/** What of a scene can be driven by hand: its actuators, and its hinges and slides, in the order in which every formulation counts them. */
import { JOINT, type Model, TRANSMISSION } from '@nexdyn/engine';

/** Something with one number that a user can set. */
export interface DrivenPart {
  name: string;
  /** What it is, as in `servo` or `hinge`. */
  kind: string;
  /** The body or joint that it belongs to. */
  group: string;
  /** Ends of its slider. */
  low: number;
  high: number;
  /** Whether the ends are limits of the scene. */
  isLimited: boolean;
  unit: string;
}

export interface DrivenParts {
  actuators: DrivenPart[];
  joints: DrivenPart[];
}

/** Number of each hinge and slide as the engine counts joints: those of the coordinates, then the constraints. */
export function listScalarJoints({ joint, constraintJoint, size }: Model): number[] {
  const isScalar = (kind: number): boolean => kind === JOINT.hinge || kind === JOINT.slide;
  const coordinates = Array.from(joint.kind, (kind, j) => (isScalar(kind) ? j : -1));
  const constraints = Array.from(constraintJoint.kind, (kind, c) => (isScalar(kind) ? size.joint + c : -1));
  return [...coordinates, ...constraints].filter((j) => j >= 0);
}

export function listDrivenParts(model: Model): DrivenParts {
  return {
    actuators: Array.from({ length: model.size.actuator }, (_, a) => describeActuator(model, a)),
    joints: listScalarJoints(model).map((j, place) => describeJoint(model, j, place)),
  };
}

/** Widest swing of a slider without limits: half a turn or a metre to either side. */
const FREE_TURN = Math.PI;
const FREE_WAY = 1;

function describeJoint(model: Model, j: number, place: number): DrivenPart {
  const { name, kind, limited, range, body } = readJoint(model, j);
  const isHinge = kind === JOINT.hinge;
  const reach = isHinge ? FREE_TURN : FREE_WAY;
  const [low, high] = limited ? range : [-reach, reach];
  return {
    name: name || `joint ${place + 1}`,
    kind: isHinge ? 'hinge' : 'slide',
    group: model.body.name[body] || 'unnamed body',
    low,
    high,
    isLimited: limited,
    unit: isHinge ? 'rad' : 'm',
  };
}

interface JointFacts {
  name: string;
  kind: number;
  limited: boolean;
  range: [number, number];
  /** The one that it moves. */
  body: number;
}

function readJoint({ joint, constraintJoint, size }: Model, j: number): JointFacts {
  const list = j < size.joint ? joint : constraintJoint;
  const k = j < size.joint ? j : j - size.joint;
  return {
    name: list.name[k]!,
    kind: list.kind[k]!,
    limited: list.limited[k] === 1,
    range: [list.range[2 * k]!, list.range[2 * k + 1]!],
    body: j < size.joint ? joint.body[k]! : constraintJoint.body2[k]!,
  };
}

function describeActuator(model: Model, a: number): DrivenPart {
  const { actuator, tendon, site } = model;
  const target = actuator.target[a]!;
  const isJoint =
    actuator.transmission[a] === TRANSMISSION.joint || actuator.transmission[a] === TRANSMISSION.jointInParent;
  const isTendon = actuator.transmission[a] === TRANSMISSION.tendon;
  const joint = isJoint ? readJoint(model, target) : undefined;
  const isTurning = joint !== undefined && joint.kind !== JOINT.slide;
  const { kind, unit } = nameControl(model, a, isTurning);
  const reach =
    kind === 'servo' ? (joint?.limited ? joint.range : isTurning ? [-FREE_TURN, FREE_TURN] : [-1, 1]) : [-1, 1];
  const isLimited = actuator.controlLimited[a] === 1;
  const [low, high] = isLimited ? [actuator.controlRange[2 * a]!, actuator.controlRange[2 * a + 1]!] : reach;
  const driven = joint ? joint.name || model.body.name[joint.body] : isTendon ? tendon.name[target] : site.name[target];
  return {
    name: actuator.name[a] || driven || `actuator ${a + 1}`,
    kind,
    group: driven || 'unnamed',
    low: low!,
    high: high!,
    isLimited,
    unit,
  };
}

/** What the control of an actuator stands for: a place, a speed, or a force. */
function nameControl({ actuator }: Model, a: number, isTurning: boolean): { kind: string; unit: string } {
  const [, byLength, bySpeed] = actuator.bias.subarray(3 * a, 3 * a + 3);
  const [gain, gainByLength, gainBySpeed] = actuator.gain.subarray(3 * a, 3 * a + 3);
  const isPlain = gainByLength === 0 && gainBySpeed === 0;
  if (isPlain && byLength !== 0 && gain === -byLength!) return { kind: 'servo', unit: isTurning ? 'rad' : 'm' };
  if (isPlain && byLength === 0 && bySpeed !== 0 && gain === -bySpeed!)
    return { kind: 'speed servo', unit: isTurning ? 'rad/s' : 'm/s' };
  if (isPlain && byLength === 0 && bySpeed === 0 && gain === 1) return { kind: 'motor', unit: isTurning ? 'N m' : 'N' };
  return { kind: 'actuator', unit: '' };
}
