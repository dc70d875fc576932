/** Importing this file makes sensors available. */
import { SENSORS } from './sensor/sensor-access.ts';
import { SensorSet } from './sensor/sensor-set.ts';

SENSORS.provide((parts) => new SensorSet(parts));
