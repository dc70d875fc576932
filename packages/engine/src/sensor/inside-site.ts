import type { Model } from '../model/model.ts';
import type { InsideSiteSensor } from '../scene/sensor.ts';
import { frameOf } from './carried-frame.ts';
import { plainReader, type SensorReader } from './sensor-reader.ts';
import { SiteVolume } from './site-volume.ts';

/** 1 where the origin of a thing is in the volume of a site, else 0. */
export function createInsideSite(model: Model, { object, site }: InsideSiteSensor): SensorReader {
  const frame = frameOf(model, object);
  const volume = new SiteVolume(model, site);
  return plainReader(({ work }, out, at) => {
    frame.place(work);
    volume.place(work);
    out[at] = volume.contains(frame.position) ? 1 : 0;
  });
}
