import type { Pose } from './pose.ts';

/** A marked frame on a body, for tendons, actuators and read-outs. It has no mass and does not collide. */
export interface Site extends Pose {
  /** Unique among sites. */
  name?: string;
  /** Colour: red, green, blue, opacity, each 0 to 1. */
  color?: [number, number, number, number];
  /** Radius at which it is drawn, m. Default: 0.005. */
  radius?: number;
  /** Layer a viewer may switch on and off, 0 to 5. Default: 0. */
  layer?: number;
}
