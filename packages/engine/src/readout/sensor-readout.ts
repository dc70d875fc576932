/** Sixth part of a simulation: its sensors. */
import type { SensorKind } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import { EnergyReadout } from './energy-readout.ts';
import type { SimulationData } from './simulation-data.ts';

/** A sensor and what it reads. */
export interface SensorReading {
  /** Empty where it has none. */
  name: string;
  kind: SensorKind;
  /** Of its numbers. */
  unit: string;
  /** A view that the next step overwrites. */
  value: Float64Array;
}

export abstract class SensorReadout extends EnergyReadout {
  readonly #data: SimulationData;

  constructor(data: SimulationData) {
    super(data);
    this.#data = data;
  }

  /**
   * Readings of all sensors, one after the other: sensor s has `model.sensor.dimension[s]` numbers from `model.sensor.start[s]` on. They are
   * of one moment: positions and velocities where the last step began, with the forces and accelerations of that step; after `forward`,
   * and where no step has been taken, of the current state. The array stays the same; the next step overwrites it.
   */
  get sensorData(): Float64Array {
    const { sensors } = this.#data;
    if (!this.#data.hasSolved && !sensors.isEmpty) this.forward();
    return sensors.readings;
  }

  /** What a sensor, by name or number, reads: a view on `sensorData`. */
  sensor(name: string | number): Float64Array {
    const { sensor } = this.model;
    const s = findIndex(sensor.name, name, 'sensor');
    return this.sensorData.subarray(sensor.start[s], sensor.start[s] + sensor.dimension[s]);
  }

  /** All sensors with their readings, in the order of the scene. */
  sensors(): SensorReading[] {
    const { name, kind, unit } = this.model.sensor;
    return name.map((of, s) => ({ name: of, kind: kind[s], unit: unit[s], value: this.sensor(s) }));
  }
}
