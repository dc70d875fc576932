/**
 * The ray through the middle of a pixel of a camera, as in MuJoCo 4.0; column i from the left, row j from the top, (x, y, z) in its frame:
 *   perspective   from its origin along ((i + ½ − c_x)/f_x, −(j + ½ − c_y)/f_y, −1)
 *   orthographic  from (((i + ½)/w − ½) e, (½ − (j + ½)/h) e, 0) along −z
 * f is the focal length in pixels, that of the lens or ½ h / tan(½ fovy), and c the principal point, in pixels: of a lens MuJoCo counts it from
 * the upper left corner of the picture, else it is the middle. e is the extent of what an orthographic camera sees, in both directions, m.
 */
import type { Model } from '../model/model.ts';
import type { Camera } from '../scene/camera.ts';
import { findIndex } from '../state/inputs.ts';
import type { CameraFrame } from './carried-frame.ts';

const FIELD_OF_VIEW = Math.PI / 4;
const EXTENT = 45;

export class CameraPixels {
  readonly width: number;
  readonly height: number;
  readonly #isFlat: boolean;
  readonly #extent: number;
  readonly #focal: readonly [number, number];
  readonly #center: readonly [number, number];

  constructor({ look }: Model, name: string) {
    const camera = look.cameras[findIndex(look.camera.name, name, 'camera')];
    const [width, height] = camera.resolution ?? [1, 1];
    this.width = width;
    this.height = height;
    this.#isFlat = camera.projection === 'orthographic';
    this.#extent = camera.extent ?? EXTENT;
    this.#focal = findFocalPixels(camera);
    const { sensorSize, focalLength, principalPoint: [x, y] = [0, 0] } = camera;
    this.#center =
      sensorSize && focalLength
        ? [scaleToPixels(x, sensorSize[0], width), scaleToPixels(y, sensorSize[1], height)]
        : [width / 2, height / 2];
  }

  /** Writes where the ray begins and its direction, in the world; returns the cosine of its angle to the axis. Makes no objects. */
  aim(origin: Float64Array, direction: Float64Array, eye: CameraFrame, column: number, row: number): number {
    const { position, rotation } = eye;
    let x = 0;
    let y = 0;
    let u = 0;
    let v = 0;
    if (this.#isFlat) {
      x = ((column + 0.5) / this.width - 0.5) * this.#extent;
      y = (0.5 - (row + 0.5) / this.height) * this.#extent;
    } else {
      u = (column + 0.5 - this.#center[0]) / this.#focal[0];
      v = (this.#center[1] - row - 0.5) / this.#focal[1];
    }
    const cosine = 1 / Math.sqrt(u * u + v * v + 1);
    for (let k = 0; k < 3; k++) {
      origin[k] = position[k] + rotation[3 * k] * x + rotation[3 * k + 1] * y;
      direction[k] = cosine * (rotation[3 * k] * u + rotation[3 * k + 1] * v - rotation[3 * k + 2]);
    }
    return cosine;
  }
}

/** Focal lengths in pixels, across and down. */
export function findFocalPixels({ resolution, sensorSize, focalLength, fieldOfView }: Camera): [number, number] {
  const [width, height] = resolution ?? [1, 1];
  if (sensorSize && focalLength)
    return [scaleToPixels(focalLength[0], sensorSize[0], width), scaleToPixels(focalLength[1], sensorSize[1], height)];
  const plain = (0.5 / Math.tan((fieldOfView ?? FIELD_OF_VIEW) / 2)) * height;
  return [plain, plain];
}

// MuJoCo has lenses in single precision
function scaleToPixels(length: number, size: number, pixels: number): number {
  return Math.fround(Math.fround(Math.fround(length) / Math.fround(size)) * pixels);
}
