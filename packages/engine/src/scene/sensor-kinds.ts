/** What sensors give: how many numbers, their unit, and whether they can be negative. */
import type {
  ContactSensor,
  MeshTactileSensor,
  RangefinderSensor,
  Sensor,
  SensorKind,
  TouchGridSensor,
} from './sensor.ts';

/** What the number of readings depends on. */
export interface NamedParts {
  /** Pixels of a camera. */
  countPixels(camera: string): number;
  /** Vertices of a mesh. */
  countVertices(mesh: string): number;
}

/** What a kind of sensor gives. */
export interface SensorKindSpec {
  /** How many numbers; some depend on assets or cameras that the sensor names. */
  readonly dimension: number | ((sensor: never, named: NamedParts) => number);
  /** Unit of each number, or of groups of them; '1' where it has none. */
  readonly unit: string;
  /** `unit` numbers are parts of a direction or rotation and are never clamped. */
  readonly range: 'real' | 'positive' | 'unit';
}

const scalar = (unit: string, range: SensorKindSpec['range'] = 'real'): SensorKindSpec => ({
  dimension: 1,
  unit,
  range,
});
const vector = (unit: string): SensorKindSpec => ({ dimension: 3, unit, range: 'real' });
const axis: SensorKindSpec = { dimension: 3, unit: '1', range: 'unit' };
const rotation: SensorKindSpec = { dimension: 4, unit: '1', range: 'unit' };

/** Numbers of each part of a rangefinder's reading. */
export const RAY_WIDTH = { distance: 1, direction: 3, origin: 3, point: 3, normal: 3, depth: 1 } as const;

/** Numbers of each part of a row of a contact sensor. */
export const CONTACT_WIDTH = {
  found: 1,
  force: 3,
  torque: 3,
  distance: 1,
  position: 3,
  normal: 3,
  tangent: 3,
  linearVelocity: 3,
  angularVelocity: 3,
} as const;

const countRay = ({ data = ['distance'], camera }: RangefinderSensor, named: NamedParts): number =>
  (camera === undefined ? 1 : named.countPixels(camera)) * data.reduce((sum, part) => sum + RAY_WIDTH[part], 0);

const countContacts = ({ data = ['found'], count = 1 }: ContactSensor): number =>
  count * data.reduce((sum, part) => sum + CONTACT_WIDTH[part], 0);

/** Every kind. A unit of joints and tendons is that of what they measure: see `model.sensor.unit`. */
export const SENSOR_KINDS: Readonly<Record<SensorKind, SensorKindSpec>> = {
  touch: scalar('N', 'positive'),
  accelerometer: vector('m/s²'),
  velocimeter: vector('m/s'),
  gyro: vector('rad/s'),
  force: vector('N'),
  torque: vector('N m'),
  magnetometer: vector('T'),
  rangefinder: { dimension: countRay, unit: 'm', range: 'real' },
  cameraProjection: { dimension: 2, unit: '1', range: 'real' },
  jointPosition: scalar('m, rad'),
  jointVelocity: scalar('m/s, rad/s'),
  jointActuatorForce: scalar('N, N m'),
  jointLimitPosition: scalar('m, rad'),
  jointLimitVelocity: scalar('m/s, rad/s'),
  jointLimitForce: scalar('N, N m'),
  ballOrientation: rotation,
  ballAngularVelocity: vector('rad/s'),
  tendonPosition: scalar('m'),
  tendonVelocity: scalar('m/s'),
  tendonActuatorForce: scalar('N'),
  tendonLimitPosition: scalar('m'),
  tendonLimitVelocity: scalar('m/s'),
  tendonLimitForce: scalar('N'),
  actuatorPosition: scalar('m, rad'),
  actuatorVelocity: scalar('m/s, rad/s'),
  actuatorForce: scalar('N, N m'),
  framePosition: vector('m'),
  frameOrientation: rotation,
  frameXAxis: axis,
  frameYAxis: axis,
  frameZAxis: axis,
  frameLinearVelocity: vector('m/s'),
  frameAngularVelocity: vector('rad/s'),
  frameLinearAcceleration: vector('m/s²'),
  frameAngularAcceleration: vector('rad/s²'),
  subtreeCenter: vector('m'),
  subtreeVelocity: vector('m/s'),
  subtreeAngularMomentum: vector('kg m²/s'),
  insideSite: scalar('1', 'positive'),
  protrusion: scalar('m'),
  distance: scalar('m'),
  distanceNormal: axis,
  distanceSegment: { dimension: 6, unit: 'm', range: 'real' },
  contact: { dimension: countContacts, unit: '1, N, N m, m', range: 'real' },
  contactPair: { dimension: 9, unit: 'N, N, N, N m, N m, N m, m/s, m², 1', range: 'real' },
  tactile: { dimension: ({ cells }: { cells: [number, number] }) => 3 * cells[0] * cells[1], unit: 'N', range: 'real' },
  meshTactile: {
    dimension: ({ mesh }: MeshTactileSensor, named: NamedParts) => 3 * named.countVertices(mesh),
    unit: 'm, m/s, m/s',
    range: 'real',
  },
  touchGrid: {
    dimension: ({ cells, channels = 1 }: TouchGridSensor) => channels * cells[0] * cells[1],
    unit: 'N, N m',
    range: 'real',
  },
  vertexPosition: vector('m'),
  vertexVelocity: vector('m/s'),
  vertexForce: vector('N'),
  softStrain: scalar('1', 'positive'),
  softPressure: scalar('Pa', 'positive'),
  softVolume: scalar('m³', 'positive'),
  potentialEnergy: scalar('J'),
  kineticEnergy: scalar('J'),
  clock: scalar('s'),
  user: { dimension: ({ dimension }: { dimension: number }) => dimension, unit: '1', range: 'real' },
};

/** How many numbers a sensor gives. */
export function countSensorNumbers(sensor: Sensor, named: NamedParts): number {
  const { dimension } = SENSOR_KINDS[sensor.kind];
  return typeof dimension === 'number' ? dimension : dimension(sensor as never, named);
}
