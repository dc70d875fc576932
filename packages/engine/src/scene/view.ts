import type { Vec3 } from './pose.ts';

/** The view of a scene when it is opened. Fields that are left out are chosen to fit the scene. */
export interface SceneView {
  /** Point at the centre of the view, m. */
  center?: Vec3;
  /** Size of the scene, m: the view begins at 1.5 times this distance, and near and far planes are multiples of it. */
  extent?: number;
  /** Typical size of bodies, m, by which viewers scale what they draw beside them. */
  meanSize?: number;
  /** Direction of the view about z, rad: 0 looks along x, π/2 along y. Default: 1.571. */
  azimuth?: number;
  /** Angle of the view above the horizon, rad; negative looks down. Default: -0.785. */
  elevation?: number;
  /** Angle between the upper and the lower edge of the picture, rad. Default: 0.785. */
  fieldOfView?: number;
  /** Columns and rows of pictures, pixels. Default: 640 480. */
  pictureSize?: [number, number];
  /** Nearest distance that is drawn, as a multiple of the extent. Default: 0.01. */
  near?: number;
  /** Farthest distance that is drawn, as a multiple of the extent. Default: 50. */
  far?: number;
  /** Share of the way to the edge of an endless plane that is hazy, measured inwards from the edge; only under a sky. Default: 0.3. */
  haze?: number;
  /** Colour at the edge of endless planes: red, green, blue, opacity. Default: 1 1 1 1. */
  hazeColor?: [number, number, number, number];
  /** The light at the camera. */
  headlight?: Headlight;
}

/** A light that moves with the camera. */
export interface Headlight {
  /** Whether it is on. Default: true. */
  active?: boolean;
  /** Red, green, blue of the light that comes from everywhere. Default: 0.1 0.1 0.1. */
  ambient?: Vec3;
  /** Red, green, blue of the light that surfaces scatter. Default: 0.4 0.4 0.4. */
  diffuse?: Vec3;
  /** Red, green, blue of the light that surfaces reflect as highlights. Default: 0.5 0.5 0.5. */
  specular?: Vec3;
}
