import { JOINT, type Model } from '@nexdyn/engine';

/** A name for each number of a state vector: the joint, and the component where it has several. */
interface Components {
  [kind: number]: readonly string[];
}

const POSITION: Components = {
  [JOINT.free]: ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'],
  [JOINT.ball]: ['qw', 'qx', 'qy', 'qz'],
};
const VELOCITY: Components = {
  [JOINT.free]: ['vx', 'vy', 'vz', 'wx', 'wy', 'wz'],
  [JOINT.ball]: ['wx', 'wy', 'wz'],
};

/** Names of joint positions, as in `knee`, `root.x`, `root.qw`. */
export function labelPositions(model: Model): string[] {
  return labelJoints(model, POSITION);
}

/** Names of joint velocities, as in `knee`, `root.vx`, `root.wz`. */
export function labelVelocities(model: Model): string[] {
  return labelJoints(model, VELOCITY);
}

/** Names of controls: those of the actuators. */
export function labelControls({ actuator }: Model): string[] {
  return actuator.name.map((name, index) => name || `actuator ${index}`);
}

/** Joints stand in the order of their numbers in both vectors. */
function labelJoints({ joint }: Model, components: Components): string[] {
  return joint.name.flatMap((name, index) => {
    const shown = name || `joint ${index}`;
    return components[joint.kind[index]!]?.map((component) => `${shown}.${component}`) ?? [shown];
  });
}
