/**
 * From where a picture is taken: a frame at the eye, and the part of the plane at depth 1 that is seen.
 *   perspective    a point at (x, y) and depth d lies at (x/d, y/d)
 *   orthographic   it lies at (x, y)
 */
import { type Camera, type Model, NexdynError, placeView, type SceneView } from '@nexdyn/engine';

type Vec3 = readonly [number, number, number];

/** Direction from which the scene is seen: azimuth and elevation, rad; how far, m; the point looked at. */
export interface CameraPlace {
  /** The point in the middle of the picture, m. */
  readonly target: Vec3;
  /** From the eye to that point, m. */
  readonly distance: number;
  /** Direction of the eye around z, rad; 0 is along x. */
  readonly azimuth: number;
  /** Height of the eye above the horizon, rad. */
  readonly elevation: number;
  /** Height of the view, rad. */
  readonly fieldOfView: number;
}

/** A frame at the eye: rows right, up, and away from what is seen. */
export interface View {
  /** Where the eye is, m. */
  readonly eye: Vec3;
  /** Unit vector to the right. */
  readonly right: Vec3;
  /** Unit vector upwards in the picture. */
  readonly up: Vec3;
  /** Unit vector away from what is seen. */
  readonly back: Vec3;
  /** Orthographic. */
  readonly isFlat: boolean;
  /** Left, right, bottom and top edge of the picture on the plane at depth 1. */
  readonly window: readonly [number, number, number, number];
}

/** MuJoCo's field of view, and the height that its orthographic cameras see. */
const FIELD_OF_VIEW = Math.PI / 4;
const EXTENT = 45;

/** A camera that looks at a point, with z up; `aspect` is width by height. */
export function createView(place: CameraPlace, aspect: number): View {
  const { target, distance, azimuth, elevation, fieldOfView } = place;
  const [ca, sa, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];
  const back: Vec3 = [ce * ca, ce * sa, se];
  const right: Vec3 = [-sa, ca, 0];
  const up: Vec3 = [-se * ca, -se * sa, ce];
  const eye: Vec3 = [target[0] + distance * back[0], target[1] + distance * back[1], target[2] + distance * back[2]];
  const top = Math.tan(fieldOfView / 2);
  return { eye, right, up, back, isFlat: false, window: [-aspect * top, aspect * top, -top, top] };
}

/** The camera of a scene by name, or by number where no camera has that name. */
export function findCamera(names: readonly string[], camera: string | number): number {
  const named = names.indexOf(String(camera));
  const number = typeof camera === 'string' && named >= 0 ? named : /^\d+$/.test(String(camera)) ? Number(camera) : -1;
  if (names[number] !== undefined) return number;
  const known = names.filter((name) => name !== '');
  const numbers =
    names.length > 0 ? `its cameras have the numbers 0 to ${names.length - 1}` : 'the scene has no cameras';
  const hint = known.length > 0 ? `there are ${known.join(', ')}` : numbers;
  throw new NexdynError('unknown-reference', `there is no camera '${camera}'`, { hint });
}

interface Posed {
  readonly bodyPosition: Float64Array;
  readonly bodyOrientation: Float64Array;
}

/** What a camera of the scene sees; `aspect` is width by height. */
export function viewFrom(model: Pick<Model, 'look'>, camera: number, bodies: Posed, aspect: number): View {
  const pose = { position: new Float64Array(3), rotation: new Float64Array(9) };
  placeView(pose, model.look.camera, camera, bodies);
  const {
    position: [x, y, z],
    rotation: r,
  } = pose as unknown as { position: number[]; rotation: number[] };
  const source = model.look.cameras[camera]!;
  return {
    eye: [x!, y!, z!],
    right: [r[0]!, r[3]!, r[6]!],
    up: [r[1]!, r[4]!, r[7]!],
    back: [r[2]!, r[5]!, r[8]!],
    isFlat: source.projection === 'orthographic',
    window: findWindow(source, aspect),
  };
}

function findWindow(camera: Camera, aspect: number): View['window'] {
  const { sensorSize: sensor, focalLength: focal, principalPoint: [cx, cy] = [0, 0] } = camera;
  if (sensor && focal) {
    const [w, h] = [sensor[0] / 2, sensor[1] / 2];
    return [-(w - cx) / focal[0], (w + cx) / focal[0], -(h - cy) / focal[1], (h + cy) / focal[1]];
  }
  const top =
    camera.projection === 'orthographic'
      ? (camera.extent ?? EXTENT) / 2
      : Math.tan((camera.fieldOfView ?? FIELD_OF_VIEW) / 2);
  return [-aspect * top, aspect * top, -top, top];
}

/** Columns and rows of a camera's picture, where it has a choice. */
export function findResolution({ look }: Model, camera: number | undefined): [number, number] | undefined {
  const own = camera === undefined ? undefined : look.cameras[camera]!.resolution;
  return own ?? look.view.pictureSize;
}

/** The view with which a scene is opened, where it says so: MuJoCo's free camera. */
export function openingPlace(view: SceneView): Partial<CameraPlace> {
  if (Object.keys(view).length === 0) return {};
  // azimuth and elevation are those of the line of sight
  const place: { -readonly [K in keyof CameraPlace]?: CameraPlace[K] } = {
    azimuth: (view.azimuth ?? Math.PI / 2) + Math.PI,
    elevation: -(view.elevation ?? -Math.PI / 4),
    fieldOfView: view.fieldOfView ?? FIELD_OF_VIEW,
  };
  if (view.center) place.target = view.center;
  if (view.extent !== undefined) place.distance = 1.5 * view.extent;
  return place;
}
