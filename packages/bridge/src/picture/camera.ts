/** Where a picture is taken from: a camera that looks at a point, with z up. */

type Vec3 = readonly [number, number, number];

/** Direction from which the scene is seen: azimuth and elevation, rad; how far, m; the point looked at. */
export interface CameraPlace {
  readonly target: Vec3;
  readonly distance: number;
  readonly azimuth: number;
  readonly elevation: number;
  /** Height of the view, rad. */
  readonly fieldOfView: number;
}

/** A frame at the eye: rows right, up, and away from what is seen. */
export interface View {
  readonly eye: Vec3;
  readonly right: Vec3;
  readonly up: Vec3;
  readonly back: Vec3;
  /** Half the height of the picture plane at distance 1. */
  readonly slope: number;
}

export function createView({ target, distance, azimuth, elevation, fieldOfView }: CameraPlace): View {
  const [ca, sa, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];
  const back: Vec3 = [ce * ca, ce * sa, se];
  const right: Vec3 = [-sa, ca, 0];
  const up: Vec3 = [-se * ca, -se * sa, ce];
  const eye: Vec3 = [target[0] + distance * back[0], target[1] + distance * back[1], target[2] + distance * back[2]];
  return { eye, right, up, back, slope: Math.tan(fieldOfView / 2) };
}
