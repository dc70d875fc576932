import type { Pose, Vec3 } from './pose.ts';

/**
 * How cameras and lights move: `fixed` to their body; keeping their direction and their distance from its origin (`track`) or from the
 * centre of mass of all below it (`trackCenter`); or carried by their body and turned to the origin (`target`) or that centre
 * (`targetCenter`) of another one.
 */
export type ViewMode = 'fixed' | 'track' | 'trackCenter' | 'target' | 'targetCenter';

/** A camera on a body. It looks along −z of its frame, x to the right and y up. */
export interface Camera extends Pose {
  /** Unique among cameras. */
  name?: string;
  /**
   * How it moves. `fixed`: with its body. `track`, `trackCenter`: it keeps its direction and its distance from the origin of its body, or
   * from the centre of mass of the body and its descendants. `target`, `targetCenter`: it moves with its body and turns to the origin of
   * another body, or to that centre. Default: 'fixed'.
   */
  mode?: ViewMode;
  /** Name of the body that it turns to in the modes `target` and `targetCenter`. */
  target?: string;
  /** How the scene is projected onto the picture. Default: 'perspective'. */
  projection?: 'perspective' | 'orthographic';
  /** Angle between the upper and the lower edge of the picture, rad. Default: 0.785. */
  fieldOfView?: number;
  /** Height of the region that an orthographic camera sees, m. Default: 45. */
  extent?: number;
  /** Columns and rows of its picture, pixels. Default: 1 1, which leaves the size to the viewer. */
  resolution?: [number, number];
  /** Width and height of its sensor, m; if given, the focal length replaces the field of view. */
  sensorSize?: [number, number];
  /** Focal length along x and y, m; needs a sensor size. */
  focalLength?: [number, number];
  /** Offset of the optical axis from the middle of the sensor, m; needs a sensor size. Default: 0 0. */
  principalPoint?: [number, number];
  /** Distance between the two eyes for stereo pictures, m. Default: 0.068. */
  eyeDistance?: number;
}

/** A light on a body. */
export interface Light {
  /** Unique among lights. */
  name?: string;
  /** A cone of rays from a point, parallel rays, or rays from a point in all directions. Default: 'spot'. */
  kind?: 'spot' | 'directional' | 'point';
  /**
   * How it moves. `fixed`: with its body. `track`, `trackCenter`: it keeps its direction and its distance from the origin of its body, or
   * from the centre of mass of the body and its descendants. `target`, `targetCenter`: it moves with its body and turns to the origin of
   * another body, or to that centre. Default: 'fixed'.
   */
  mode?: ViewMode;
  /** Name of the body that it turns to in the modes `target` and `targetCenter`. */
  target?: string;
  /** Position in the frame of its body, m. Default: 0 0 0. */
  position?: Vec3;
  /** Direction in which it shines, in the frame of its body. Default: 0 0 -1. */
  direction?: Vec3;
  /** Whether it is on. Default: true. */
  active?: boolean;
  /** Whether bodies cast shadows in its light. Default: true. */
  castShadow?: boolean;
  /** Red, green, blue of the light that comes from everywhere. Default: 0 0 0. */
  ambient?: Vec3;
  /** Red, green, blue of the light that surfaces scatter. Default: 0.7 0.7 0.7. */
  diffuse?: Vec3;
  /** Red, green, blue of the light that surfaces reflect as highlights. Default: 0.3 0.3 0.3. */
  specular?: Vec3;
  /** Brightness at distance d is 1/(a + b d + c d²), d in m; not for parallel rays. Default: 1 0 0. */
  attenuation?: Vec3;
  /** Largest angle between the ray of a cone and its axis, rad. Default: 0.785. */
  cutoff?: number;
  /** Brightness of a cone falls with this power of the cosine of that angle. Default: 10. */
  exponent?: number;
  /** Radius of the source, for viewers with soft shadows, m. Default: 0.02. */
  bulbRadius?: number;
  /** Luminous intensity, for viewers with physical lighting, cd. Default: 0. */
  intensity?: number;
  /** How far it shines, for viewers with physical lighting, m. Default: 10. */
  range?: number;
}
