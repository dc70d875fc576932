import type { Pose } from './pose.ts';

/** A marked frame on a body, for tendons, actuators and sensors. It has no mass and does not collide; only sensors use its volume. */
export interface Site extends Pose {
  /** Unique among sites. */
  name?: string;
  /** Name of an appearance of the scene. */
  appearance?: string;
  /** Colour: red, green, blue, opacity, each 0 to 1. */
  color?: [number, number, number, number];
  /** Shape of its volume, in which sensors measure and as which it is drawn. Default: 'sphere'. */
  shape?: 'sphere' | 'capsule' | 'cylinder' | 'ellipsoid' | 'box';
  /** Radius of a sphere, m. Default: 0.005. */
  radius?: number;
  /** For other shapes: radius and half length of a capsule or cylinder, half lengths of an ellipsoid or box, m. Default: 0.005 0.005 0.005. */
  size?: number[];
  /** Layer that viewers can show and hide, 0 to 5. Default: 0. */
  layer?: number;
}
