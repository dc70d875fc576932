/**
 * Sensors at a site, in its axes.
 *   accelerometer   a − g: at rest it reads the acceleration that holds it up
 *   force, torque   of the parent on the body of the site and all that it carries, about the origin of the site
 *   magnetometer    the field of the scene
 */
import type { Model } from '../model/model.ts';
import type { SiteSensor } from '../scene/sensor.ts';
import { type CarriedFrame, frameOfSite } from './carried-frame.ts';
import { plainReader, type SensorReader } from './sensor-reader.ts';

const wrench = /* @__PURE__ */ new Float64Array(3);

export function createVelocityReader(model: Model, { site }: SiteSensor, place: 0 | 3): SensorReader {
  const frame = frameOfSite(model, site);
  return plainReader(({ work }, out, at) => {
    frame.place(work);
    frame.move(model, work);
    frame.express(out, at, frame.velocity, place);
  });
}

export function createAccelerometer(model: Model, { site }: SiteSensor): SensorReader {
  const frame = frameOfSite(model, site);
  return {
    needs: ['acceleration'],
    read({ work, loads }, out, at): void {
      frame.place(work);
      frame.move(model, work);
      frame.accelerate(model, work, loads.acceleration);
      frame.express(out, at, frame.acceleration, 3);
    },
  };
}

export function createForceReader(model: Model, { site }: SiteSensor, isTorque: boolean): SensorReader {
  const frame = frameOfSite(model, site);
  return {
    needs: ['loads'],
    read({ work, loads }, out, at): void {
      frame.place(work);
      if (isTorque) moveTorque(frame, loads.wrench);
      else for (let k = 0; k < 3; k++) wrench[k] = loads.wrench[6 * frame.body + 3 + k];
      frame.express(out, at, wrench, 0);
    },
  };
}

// from the origin of the world to that of the frame
function moveTorque({ body, position: p }: CarriedFrame, w: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const l = (k + 1) % 3;
    const m = (k + 2) % 3;
    wrench[k] = w[6 * body + k] - (p[l] * w[6 * body + 3 + m] - p[m] * w[6 * body + 3 + l]);
  }
}

export function createMagnetometer(model: Model, { site }: SiteSensor): SensorReader {
  const frame = frameOfSite(model, site);
  const { magneticField } = model.options;
  return plainReader(({ work }, out, at) => {
    frame.place(work);
    frame.express(out, at, magneticField, 0);
  });
}
