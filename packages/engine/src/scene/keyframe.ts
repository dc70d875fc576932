/** A stored state, in joint coordinates, joints in depth-first order. Absent values are those of the initial state. */
export interface Keyframe {
  /** Unique among keyframes. */
  name?: string;
  /** Time, s. Default: 0. */
  time?: number;
  /** Joint positions: free 7 (xyz, wxyz), ball 4 (wxyz), hinge 1 (rad), slide 1 (m). */
  position?: number[];
  /** Joint velocities: free 6 (world linear m/s, body angular rad/s), ball 3 (rad/s), hinge 1 (rad/s), slide 1 (m/s). */
  velocity?: number[];
  /** Activations of the actuators that have one, in their order. */
  activation?: number[];
  /** Controls of the actuators, in their order. */
  control?: number[];
  /** Positions of the mocap bodies, m. */
  mocapPosition?: number[];
  /** Orientations of the mocap bodies, w x y z each. */
  mocapOrientation?: number[];
}
