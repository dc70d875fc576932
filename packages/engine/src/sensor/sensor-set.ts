/** All sensors of a simulation: the table of kinds, and one pass over them per step. Makes no objects. */
import { updateShapePoses } from '../collision/shape-poses.ts';
import { BodyLoads } from '../diagnostics/body-loads.ts';
import { addEqualityWrench } from '../joint/equality-wrench.ts';
import type { Model } from '../model/model.ts';
import type { Sensor, SensorKind } from '../scene/sensor.ts';
import { SENSOR_KINDS } from '../scene/sensor-kinds.ts';
import { isDue, keepMeasurement, readHistory } from '../state/sensor-history.ts';
import { createProjection } from './camera-sensors.ts';
import { createContactPair, createContactReader, createTouch } from './contact-sensors.ts';
import { createDistanceReader } from './distance-sensors.ts';
import {
  createFrameAcceleration,
  createFrameAxis,
  createFrameOrientation,
  createFramePosition,
  createFrameVelocity,
} from './frame-sensors.ts';
import { createInsideSite } from './inside-site.ts';
import { createActuatorReader, createJointReader, createTendonReader } from './joint-sensors.ts';
import { createMeshTactile } from './mesh-tactile-sensor.ts';
import { createProtrusion } from './protrusion.ts';
import { createRangefinder } from './ray-sensor.ts';
import type { SensedParts, Sensors } from './sensor-access.ts';
import { addNoise } from './sensor-noise.ts';
import { type Need, plainReader, type SensorReader, type SolvedMoment } from './sensor-reader.ts';
import { createAccelerometer, createForceReader, createMagnetometer, createVelocityReader } from './site-sensors.ts';
import { createSoftReader, createVertexReader } from './soft-sensors.ts';
import { StepAcceleration } from './step-acceleration.ts';
import { createSubtreeReader } from './subtree-sensors.ts';
import { createTactile } from './tactile-sensor.ts';
import { TendonLoads } from './tendon-loads.ts';
import { createTouchGrid } from './touch-grid.ts';
import { createWorldReader } from './world-sensors.ts';

type Create = (model: Model, sensor: never) => SensorReader;

/** How each kind is read. */
const READERS: Readonly<Record<SensorKind, Create>> = {
  touch: createTouch,
  accelerometer: createAccelerometer,
  velocimeter: (model, sensor) => createVelocityReader(model, sensor, 3),
  gyro: (model, sensor) => createVelocityReader(model, sensor, 0),
  force: (model, sensor) => createForceReader(model, sensor, false),
  torque: (model, sensor) => createForceReader(model, sensor, true),
  magnetometer: createMagnetometer,
  rangefinder: createRangefinder,
  cameraProjection: createProjection,
  jointPosition: createJointReader,
  jointVelocity: createJointReader,
  jointActuatorForce: createJointReader,
  jointLimitPosition: createJointReader,
  jointLimitVelocity: createJointReader,
  jointLimitForce: createJointReader,
  ballOrientation: createJointReader,
  ballAngularVelocity: createJointReader,
  tendonPosition: createTendonReader,
  tendonVelocity: createTendonReader,
  tendonActuatorForce: createTendonReader,
  tendonLimitPosition: createTendonReader,
  tendonLimitVelocity: createTendonReader,
  tendonLimitForce: createTendonReader,
  actuatorPosition: createActuatorReader,
  actuatorVelocity: createActuatorReader,
  actuatorForce: createActuatorReader,
  framePosition: createFramePosition,
  frameOrientation: createFrameOrientation,
  frameXAxis: (model, sensor) => createFrameAxis(model, sensor, 0),
  frameYAxis: (model, sensor) => createFrameAxis(model, sensor, 1),
  frameZAxis: (model, sensor) => createFrameAxis(model, sensor, 2),
  frameLinearVelocity: (model, sensor) => createFrameVelocity(model, sensor, 3),
  frameAngularVelocity: (model, sensor) => createFrameVelocity(model, sensor, 0),
  frameLinearAcceleration: (model, sensor) => createFrameAcceleration(model, sensor, 3),
  frameAngularAcceleration: (model, sensor) => createFrameAcceleration(model, sensor, 0),
  subtreeCenter: createSubtreeReader,
  subtreeVelocity: createSubtreeReader,
  subtreeAngularMomentum: createSubtreeReader,
  insideSite: createInsideSite,
  protrusion: createProtrusion,
  distance: createDistanceReader,
  distanceNormal: createDistanceReader,
  distanceSegment: createDistanceReader,
  contact: createContactReader,
  contactPair: createContactPair,
  tactile: createTactile,
  meshTactile: createMeshTactile,
  touchGrid: createTouchGrid,
  vertexPosition: createVertexReader,
  vertexVelocity: createVertexReader,
  vertexForce: createVertexReader,
  softStrain: createSoftReader,
  softPressure: createSoftReader,
  softVolume: createSoftReader,
  potentialEnergy: createWorldReader,
  kineticEnergy: createWorldReader,
  clock: createWorldReader,
  // what the user has written stays
  user: () => plainReader(() => {}),
};

export class SensorSet implements Sensors {
  /** Readings of the last step that was taken, or of `forward`; one sensor after the other. */
  readonly readings: Float64Array;
  /** Seed of noise; undefined: readings have none. */
  noiseSeed: number | undefined;
  readonly #next: Float64Array;
  readonly #model: Model;
  readonly #moment: SolvedMoment;
  #readers: readonly SensorReader[];
  readonly #needs: ReadonlySet<Need>;
  readonly #acceleration: StepAcceleration;
  readonly #equalityForce: Float64Array;
  readonly #tendonLoads: TendonLoads;

  constructor(parts: SensedParts) {
    const { model, collision } = parts;
    const { size } = model;
    this.#model = model;
    this.readings = new Float64Array(size.reading);
    this.#next = new Float64Array(size.reading);
    this.#readers = createReaders(model);
    this.#needs = new Set(this.#readers.flatMap(({ needs }) => needs));
    this.#acceleration = new StepAcceleration(model);
    this.#equalityForce = new Float64Array(6 * size.equality);
    this.#moment = {
      model,
      state: parts.state,
      work: parts.work,
      joints: parts.joints,
      contacts: collision.contacts,
      queries: parts.queries,
      formulation: parts.formulation,
      soft: parts.soft,
      loads: new BodyLoads(model),
      limitForce: new Float64Array(size.joint + size.constraintJoint + size.tendon),
    };
    this.#tendonLoads = new TendonLoads(model, this.#moment.loads);
  }

  /** The parameters of the model have changed: readers have copies of some. */
  readParameters(): void {
    if (!this.isEmpty) this.#readers = createReaders(this.#model);
  }

  get isEmpty(): boolean {
    return this.#readers.length === 0;
  }

  /** Between the solve of a step and its end: reads all sensors, for `accept`. */
  measure(): void {
    const moment = this.#moment;
    const { sensor } = this.#model;
    this.#prepare(moment);
    for (let s = 0; s < this.#readers.length; s++) {
      this.#readers[s].read(moment, this.#next, sensor.start[s]);
      if (this.noiseSeed !== undefined && sensor.noise[s] > 0) this.#disturb(s, this.noiseSeed);
      this.#clamp(s);
    }
  }

  /** The step that began at a time was taken: what was measured is read, or kept for readings to come. */
  accept(time: number): void {
    this.show(time);
    if (this.#model.size.sensorHistory === 0) return;
    const { sensor } = this.#model;
    const { sensorHistory } = this.#moment.state;
    for (let s = 0; s < this.#readers.length; s++) {
      if (sensor.samples[s] > 0 && isDue(this.#model, sensorHistory, s, time))
        keepMeasurement(this.#model, sensorHistory, s, time, this.#next, sensor.start[s]);
    }
  }

  /** Readings of a time, without keeping what was measured. */
  show(time: number): void {
    const { sensor } = this.#model;
    const { sensorHistory } = this.#moment.state;
    for (let s = 0; s < this.#readers.length; s++) {
      const at = sensor.start[s];
      if (sensor.kind[s] === 'user') continue;
      const isLate = sensor.samples[s] > 0 && (sensor.delay[s] > 0 || !isDue(this.#model, sensorHistory, s, time));
      if (isLate) readHistory(this.#model, sensorHistory, s, time, this.readings, at);
      else for (let i = at; i < at + sensor.dimension[s]; i++) this.readings[i] = this.#next[i];
    }
  }

  #prepare(moment: SolvedMoment): void {
    const { work, state, formulation, contacts, loads, limitForce, queries } = moment;
    const needs = this.#needs;
    const model = this.#model;
    if (needs.has('acceleration') || needs.has('loads')) {
      this.#acceleration.read(work, formulation);
      loads.accelerate(state, work, this.#acceleration.value);
    }
    const pulls = needs.has('loads') && !this.#tendonLoads.isEmpty;
    if (needs.has('limits') || pulls) {
      limitForce.fill(0);
      formulation.readLimitForces?.(limitForce);
    }
    if (needs.has('loads')) {
      loads.wrench.fill(0);
      loads.addInertia(work, true);
      loads.subtractApplied(state, work);
      loads.subtractContacts(contacts);
      if (model.size.equality > 0) this.#subtractEqualities(moment);
      if (pulls) this.#tendonLoads.subtract(moment, this.#equalityForce, this.#acceleration.value);
      loads.sumTowardsRoots();
    }
    if (needs.has('shapes')) updateShapePoses(model, work, queries.plan);
  }

  #subtractEqualities({ work, state, formulation, loads }: SolvedMoment): void {
    const force = this.#equalityForce;
    force.fill(0);
    formulation.readEqualityForces?.(force);
    for (let e = 0; e < this.#model.size.equality; e++) {
      if (state.equalityActive[e] !== 0) addEqualityWrench(loads.wrench, this.#model, work, e, force, 6 * e, -1);
    }
  }

  #disturb(s: number, seed: number): void {
    const { start, dimension, noise, kind } = this.#model.sensor;
    const [time] = this.#moment.state.time;
    addNoise(this.#next, start[s], dimension[s], noise[s], SENSOR_KINDS[kind[s]].range, seed, time);
  }

  // MuJoCo's rule; where a cutoff is how far is looked, the reading has it already
  #clamp(s: number): void {
    const { kind, cutoff, start, dimension } = this.#model.sensor;
    const most = cutoff[s];
    const { range } = SENSOR_KINDS[kind[s]];
    if (most === 0 || range === 'unit' || kind[s] === 'contact' || kind[s] === 'distanceSegment') return;
    for (let i = start[s]; i < start[s] + dimension[s]; i++) {
      this.#next[i] = Math.min(most, range === 'real' ? Math.max(-most, this.#next[i]) : this.#next[i]);
    }
  }
}

function createReaders(model: Model): SensorReader[] {
  return model.sensor.source.map((sensor) =>
    (READERS[sensor.kind] as (m: Model, s: Sensor) => SensorReader)(model, sensor),
  );
}
