/**
 * Where a point is in the picture of a camera, in pixels from the upper left corner, as in MuJoCo:
 *   u = w/2 − f_x x/z      v = h/2 + f_y y/z      (x, y, z): the point in the frame of the camera, which looks along −z
 * f is the focal length in pixels: that of the lens over the size of the sensor, or ½ h / tan(½ fovy).
 */
import type { Model } from '../model/model.ts';
import type { CameraProjectionSensor } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import { findFocalPixels } from './camera-pixels.ts';
import { CameraFrame, frameOfSite } from './carried-frame.ts';
import { plainReader, type SensorReader } from './sensor-reader.ts';

const LEAST_DEPTH = 1e-15;

export function createProjection(model: Model, { camera, site }: CameraProjectionSensor): SensorReader {
  const eye = new CameraFrame(model, camera);
  const seen = frameOfSite(model, site);
  const source = model.look.cameras[findIndex(model.look.camera.name, camera, 'camera')];
  const [width, height] = source.resolution ?? [1, 1];
  const [across, down] = findFocalPixels(source);
  const offset = new Float64Array(3);
  const local = new Float64Array(3);
  return plainReader(({ work }, out, at) => {
    eye.place(work);
    seen.place(work);
    for (let k = 0; k < 3; k++) offset[k] = seen.position[k] - eye.position[k];
    eye.express(local, 0, offset, 0);
    const [x, y, depth] = local;
    const z = Math.abs(depth) < LEAST_DEPTH ? Math.sign(depth || 1) * LEAST_DEPTH : depth;
    out[at] = width / 2 - (across * x) / z;
    out[at + 1] = height / 2 + (down * y) / z;
  });
}
