/** A stored state in joint coordinates, with the joints in depth-first order. Values that are left out are those of the initial state. */
export interface Keyframe {
  /** Unique among keyframes. */
  name?: string;
  /** Time, s. Default: 0. */
  time?: number;
  /** Joint positions: free 7 (xyz, wxyz), ball 4 (wxyz), hinge 1 (rad), slide 1 (m). */
  position?: number[];
  /** Joint velocities: free 6 (world linear m/s, body angular rad/s), ball 3 (rad/s), hinge 1 (rad/s), slide 1 (m/s). */
  velocity?: number[];
  /** Activations of the actuators that have any, in the order of the actuators. */
  activation?: number[];
  /** Controls of the actuators, in the order of the actuators. */
  control?: number[];
  /** Positions of the mocap bodies, m. */
  mocapPosition?: number[];
  /** Orientations of the mocap bodies, w x y z each. */
  mocapOrientation?: number[];
}
