/** A stored state, in joint coordinates, joints in depth-first order. What is absent is as at the start. */
export interface Keyframe {
  /** Unique among keyframes. */
  name?: string;
  /** s. Default: 0. */
  time?: number;
  /** Joint positions: free 7 (xyz, wxyz), ball 4 (wxyz), hinge and slide 1 each. */
  position?: number[];
  /** Joint velocities: free 6 (world linear, body angular), ball 3, hinge and slide 1 each. */
  velocity?: number[];
  /** Actuator activations. */
  activation?: number[];
  /** Controls. */
  control?: number[];
  /** Positions of the mocap bodies, m. */
  mocapPosition?: number[];
  /** Orientations of the mocap bodies, w x y z each. */
  mocapOrientation?: number[];
}
