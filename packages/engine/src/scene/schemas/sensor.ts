import {
  array,
  type Fields,
  literal,
  name,
  number,
  type ObjectNode,
  object,
  oneOf,
  optional,
  type Schema,
  vector,
} from '../schema.ts';
import type {
  ActuatorSensor,
  CameraProjectionSensor,
  ContactPairSensor,
  ContactSensor,
  DistanceSensor,
  FrameSensor,
  InsideSiteSensor,
  JointSensor,
  MeshTactileSensor,
  ProtrusionSensor,
  RangefinderSensor,
  Sensor,
  SensorCommon,
  SensorKind,
  SensorObject,
  SiteSensor,
  SoftSensor,
  SubtreeSensor,
  TactileSensor,
  TendonSensor,
  TouchGridSensor,
  UserSensor,
  VertexSensor,
  WorldSensor,
} from '../sensor.ts';
import { amount, count, iterations } from './parts.ts';

const common: Fields<SensorCommon> = {
  name: optional(name()),
  cutoff: optional(amount),
  noise: optional(amount),
  delay: optional(amount),
  samples: optional(number({ minimum: 1, maximum: 100_000, integer: true })),
  interval: optional(amount),
  phase: optional(amount),
  interpolation: optional(oneOf('hold', 'linear', 'cubic')),
};

const thing = object<SensorObject>(
  { kind: oneOf('body', 'bodyCenter', 'subtree', 'shape', 'shapeCenter', 'site', 'camera', 'softBody'), name: name() },
  'SensorObject',
);

const site = object<SiteSensor>(
  {
    kind: oneOf('touch', 'accelerometer', 'velocimeter', 'gyro', 'force', 'torque', 'magnetometer'),
    ...common,
    site: name(),
  },
  'SiteSensor',
);

const rangefinder = object<RangefinderSensor>(
  {
    kind: literal('rangefinder'),
    ...common,
    site: optional(name()),
    camera: optional(name()),
    data: optional(array(oneOf('distance', 'direction', 'origin', 'point', 'normal', 'depth'), 1)),
  },
  'RangefinderSensor',
);

const projection = object<CameraProjectionSensor>(
  { kind: literal('cameraProjection'), ...common, camera: name(), site: name() },
  'CameraProjectionSensor',
);

const joint = object<JointSensor>(
  {
    kind: oneOf(
      'jointPosition',
      'jointVelocity',
      'jointActuatorForce',
      'jointLimitPosition',
      'jointLimitVelocity',
      'jointLimitForce',
      'ballOrientation',
      'ballAngularVelocity',
    ),
    ...common,
    joint: name(),
  },
  'JointSensor',
);

const tendon = object<TendonSensor>(
  {
    kind: oneOf(
      'tendonPosition',
      'tendonVelocity',
      'tendonActuatorForce',
      'tendonLimitPosition',
      'tendonLimitVelocity',
      'tendonLimitForce',
    ),
    ...common,
    tendon: name(),
  },
  'TendonSensor',
);

const actuator = object<ActuatorSensor>(
  { kind: oneOf('actuatorPosition', 'actuatorVelocity', 'actuatorForce'), ...common, actuator: name() },
  'ActuatorSensor',
);

const frame = object<FrameSensor>(
  {
    kind: oneOf(
      'framePosition',
      'frameOrientation',
      'frameXAxis',
      'frameYAxis',
      'frameZAxis',
      'frameLinearVelocity',
      'frameAngularVelocity',
      'frameLinearAcceleration',
      'frameAngularAcceleration',
    ),
    ...common,
    object: thing,
    reference: optional(thing),
  },
  'FrameSensor',
);

const subtree = object<SubtreeSensor>(
  { kind: oneOf('subtreeCenter', 'subtreeVelocity', 'subtreeAngularMomentum'), ...common, body: name() },
  'SubtreeSensor',
);

const insideSite = object<InsideSiteSensor>(
  { kind: literal('insideSite'), ...common, object: thing, site: name() },
  'InsideSiteSensor',
);

const protrusion = object<ProtrusionSensor>(
  { kind: literal('protrusion'), ...common, object: thing, site: name() },
  'ProtrusionSensor',
);

const distance = object<DistanceSensor>(
  { kind: oneOf('distance', 'distanceNormal', 'distanceSegment'), ...common, first: thing, second: thing },
  'DistanceSensor',
);

const contact = object<ContactSensor>(
  {
    kind: literal('contact'),
    ...common,
    first: optional(thing),
    second: optional(thing),
    site: optional(name()),
    count: optional(number({ minimum: 1, maximum: 10_000, integer: true })),
    data: optional(
      array(
        oneOf(
          'found',
          'force',
          'torque',
          'distance',
          'position',
          'normal',
          'tangent',
          'linearVelocity',
          'angularVelocity',
        ),
        1,
      ),
    ),
    reduce: optional(oneOf('none', 'leastDistance', 'largestForce', 'netForce')),
  },
  'ContactSensor',
);

const contactPair = object<ContactPairSensor>(
  { kind: literal('contactPair'), ...common, first: thing, second: optional(thing) },
  'ContactPairSensor',
);

const tactile = object<TactileSensor>(
  {
    kind: literal('tactile'),
    ...common,
    site: name(),
    cells: vector(2, { minimum: 1, maximum: 1000, integer: true }),
    size: vector(2, { exclusiveMinimum: 0 }),
    softBody: optional(name()),
  },
  'TactileSensor',
);

const meshTactile = object<MeshTactileSensor>(
  {
    kind: literal('meshTactile'),
    ...common,
    shape: name(),
    mesh: name(),
    tangents: optional(array(number({ minimum: -1, maximum: 1 }), 6)),
  },
  'MeshTactileSensor',
);

const touchGrid = object<TouchGridSensor>(
  {
    kind: literal('touchGrid'),
    ...common,
    site: name(),
    cells: vector(2, { minimum: 1, maximum: 1000, integer: true }),
    angles: vector(2, { exclusiveMinimum: 0, maximum: Math.PI }),
    foveation: optional(number({ minimum: 0, maximum: 1 })),
    channels: optional(number({ minimum: 1, maximum: 6, integer: true })),
  },
  'TouchGridSensor',
);

const vertex = object<VertexSensor>(
  {
    kind: oneOf('vertexPosition', 'vertexVelocity', 'vertexForce'),
    ...common,
    softBody: name(),
    vertex: count,
  },
  'VertexSensor',
);

const soft = object<SoftSensor>(
  { kind: oneOf('softStrain', 'softPressure', 'softVolume'), ...common, softBody: name() },
  'SoftSensor',
);

const world = object<WorldSensor>(
  { kind: oneOf('potentialEnergy', 'kineticEnergy', 'clock'), ...common },
  'WorldSensor',
);

const user = object<UserSensor>({ kind: literal('user'), ...common, dimension: iterations }, 'UserSensor');

const FAMILIES: readonly ObjectNode[] = [
  site,
  rangefinder,
  projection,
  joint,
  tendon,
  actuator,
  frame,
  subtree,
  insideSite,
  protrusion,
  distance,
  contact,
  contactPair,
  tactile,
  meshTactile,
  touchGrid,
  vertex,
  soft,
  world,
  user,
];

/** Kinds of one family share a schema; its field `kind` has them all. */
function listMembers(): Map<string, ObjectNode> {
  const members = new Map<string, ObjectNode>();
  for (const family of FAMILIES) {
    const kind = family.fields.get('kind')?.schema;
    if (kind?.type === 'choice') for (const value of kind.values) members.set(value as SensorKind, family);
  }
  return members;
}

export const sensor: Schema<Sensor> = {
  type: 'tagged',
  name: 'Sensor',
  members: /* @__PURE__ */ listMembers(),
} as Schema<Sensor>;
