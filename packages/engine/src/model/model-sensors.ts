import type { Sensor, SensorKind } from '../scene/sensor.ts';

/** Sensors as arrays. Readings of all of them stand one after the other in `simulation.sensorData`. */
export interface ModelSensors {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** What each measures. */
  readonly kind: readonly SensorKind[];
  /** How many numbers it gives. */
  readonly dimension: Int32Array;
  /** Place of its first number among the readings. */
  readonly start: Int32Array;
  /** Unit of its numbers. */
  readonly unit: readonly string[];
  /** Readings are clamped to it; 0: not clamped. */
  readonly cutoff: Float64Array;
  /** Standard deviation of noise, in its unit. */
  readonly noise: Float64Array;
  /** Age of readings, s. */
  readonly delay: Float64Array;
  /** Time between two measurements, s; 0: every step. */
  readonly interval: Float64Array;
  /** Time of the first measurement at intervals, s. */
  readonly phase: Float64Array;
  /** Measurements that are kept; 0: none, readings are measurements. */
  readonly samples: Int32Array;
  /** Place of its measurements in `state.sensorHistory`; see sensor-history.ts. */
  readonly historyStart: Int32Array;
  /** Of meshes that are measured at their centre, by the name of the shape: centre of mass and principal axes in its frame, x y z w x y z. */
  readonly meshFrame: ReadonlyMap<string, Float64Array>;
  /** Sensors as the scene writes them. */
  readonly source: readonly Sensor[];
}
