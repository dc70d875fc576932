/** Rays to the nearest surface: one along z of a site, or one through the middle of every pixel of a camera. */
import type { Model } from '../model/model.ts';
import type { RangefinderSensor } from '../scene/sensor.ts';
import { RAY_WIDTH } from '../scene/sensor-kinds.ts';
import { CameraPixels } from './camera-pixels.ts';
import { CameraFrame, frameOfSite } from './carried-frame.ts';
import { RaySurfaces } from './ray-surfaces.ts';
import type { SensorReader } from './sensor-reader.ts';

type Part = NonNullable<RangefinderSensor['data']>[number];

const origin = /* @__PURE__ */ new Float64Array(3);
const direction = /* @__PURE__ */ new Float64Array(3);

export function createRangefinder(model: Model, sensor: RangefinderSensor): SensorReader {
  const { camera, data = ['distance'] } = sensor;
  if (camera !== undefined) return createCameraRays(model, camera, data);
  const frame = frameOfSite(model, sensor.site!);
  const surfaces = new RaySurfaces(model);
  return {
    needs: ['shapes'],
    read(moment, out, at): void {
      frame.place(moment.work);
      origin.set(frame.position);
      for (let k = 0; k < 3; k++) direction[k] = frame.rotation[3 * k + 2];
      const distance = surfaces.cast(moment.queries.plan.placed, origin, direction, frame.body);
      writeRay(out, at, data, distance, 1, surfaces.normal);
    },
  };
}

function createCameraRays(model: Model, camera: string, data: readonly Part[]): SensorReader {
  const eye = new CameraFrame(model, camera);
  const pixels = new CameraPixels(model, camera);
  const surfaces = new RaySurfaces(model);
  return {
    needs: ['shapes'],
    read(moment, out, start): void {
      eye.place(moment.work);
      let at = start;
      for (let row = 0; row < pixels.height; row++) {
        for (let column = 0; column < pixels.width; column++) {
          const cosine = pixels.aim(origin, direction, eye, column, row);
          const distance = surfaces.cast(moment.queries.plan.placed, origin, direction, eye.body);
          at = writeRay(out, at, data, distance, cosine, surfaces.normal);
        }
      }
    },
  };
}

// what a ray says, and the place after it; `cosine` is of the angle between the ray and the axis of the camera
function writeRay(
  out: Float64Array,
  start: number,
  data: readonly Part[],
  distance: number,
  cosine: number,
  normal: Float64Array,
): number {
  let at = start;
  for (const part of data) {
    const width = RAY_WIDTH[part];
    if (width === 1) out[at] = part === 'depth' && distance >= 0 ? cosine * distance : distance;
    else for (let k = 0; k < 3; k++) out[at + k] = readPart(part, distance, normal, k);
    at += width;
  }
  return at;
}

function readPart(part: Part, distance: number, normal: Float64Array, k: number): number {
  if (part === 'origin') return origin[k];
  if (distance < 0) return 0;
  if (part === 'point') return origin[k] + distance * direction[k];
  return part === 'normal' ? normal[k] : direction[k];
}
