import { JOINT, type Model } from '@nexdyn/engine';

/** A number of a state vector: whose it is, as in `knee`, `root.x`, and its unit. */
export interface StateLabel {
  /** Of the joint, with its component. */
  name: string;
  /** SI. */
  unit: string;
}

/** Component and unit of each number of a joint; the component is empty where there is one number. */
interface Components {
  [kind: number]: readonly (readonly [component: string, unit: string])[];
}

const POINT = ['x', 'y', 'z'].map((axis) => [axis, 'm'] as const);
const QUATERNION = ['qw', 'qx', 'qy', 'qz'].map((part) => [part, '1'] as const);
const SPEED = ['vx', 'vy', 'vz'].map((axis) => [axis, 'm/s'] as const);
const SPIN = ['wx', 'wy', 'wz'].map((axis) => [axis, 'rad/s'] as const);

const POSITION: Components = {
  [JOINT.free]: [...POINT, ...QUATERNION],
  [JOINT.ball]: QUATERNION,
  [JOINT.slide]: [['', 'm']],
  [JOINT.hinge]: [['', 'rad']],
};
const VELOCITY: Components = {
  [JOINT.free]: [...SPEED, ...SPIN],
  [JOINT.ball]: SPIN,
  [JOINT.slide]: [['', 'm/s']],
  [JOINT.hinge]: [['', 'rad/s']],
};

/** Joint positions, as in `knee`, `root.x`, `root.qw`. */
export function labelPositions(model: Model): StateLabel[] {
  return labelJoints(model, POSITION);
}

/** Joint velocities, as in `knee`, `root.vx`, `root.wz`. */
export function labelVelocities(model: Model): StateLabel[] {
  return labelJoints(model, VELOCITY);
}

/** Readings of sensors, as in `imu[0]`; of one number alone, `height`. */
export function labelReadings({ sensor }: Model): StateLabel[] {
  return sensor.name.flatMap((own, s) => {
    const name = own || `sensor ${s}`;
    const width = sensor.dimension[s]!;
    const units = sensor.unit[s]!.split(', ');
    return Array.from({ length: width }, (_, i) => ({
      name: width === 1 ? name : `${name}.${i}`,
      unit: units.length === width ? units[i]! : sensor.unit[s]!,
    }));
  });
}

/** Names of controls: those of the actuators. */
export function labelControls({ actuator }: Model): string[] {
  return actuator.name.map((name, index) => name || `actuator ${index}`);
}

/** Joints are in the order of their numbers in both vectors. */
function labelJoints(model: Model, components: Components): StateLabel[] {
  const { joint } = model;
  return joint.name.flatMap((_, index) => {
    const shown = nameJoint(model, index);
    return components[joint.kind[index]!]!.map(([component, unit]) => ({
      name: component ? `${shown}.${component}` : shown,
      unit,
    }));
  });
}

/** A joint without a name is labelled by its body if that is unambiguous, otherwise by its number. */
function nameJoint({ joint, body }: Model, index: number): string {
  const own = joint.name[index];
  if (own) return own;
  const owner = joint.body[index]!;
  const inherited = body.name[owner];
  const isAlone = body.jointCount[owner] === 1;
  return inherited && isAlone && !joint.name.includes(inherited) ? inherited : `joint ${index}`;
}
