/** Something that is measured in every step. Its kind says what. */
export type Sensor =
  | SiteSensor
  | RangefinderSensor
  | CameraProjectionSensor
  | JointSensor
  | TendonSensor
  | ActuatorSensor
  | FrameSensor
  | SubtreeSensor
  | InsideSiteSensor
  | ProtrusionSensor
  | DistanceSensor
  | ContactSensor
  | ContactPairSensor
  | TactileSensor
  | MeshTactileSensor
  | TouchGridSensor
  | VertexSensor
  | SoftSensor
  | WorldSensor
  | UserSensor;

/** What every sensor may have. */
export interface SensorCommon {
  /** Unique among sensors. */
  name?: string;
  /** Readings are clamped to ± this, or to at most this where they cannot be negative. Default: 0, not clamped. */
  cutoff?: number;
  /** Standard deviation of noise, in the unit of the sensor. Readings have it where a simulation is given `sensorNoise`. Default: 0. */
  noise?: number;
  /** Readings are this old, s. Default: 0. */
  delay?: number;
  /** Measurements that are kept for delayed readings, at least as many as fit into the delay. Default: as many as needed, at least 1. */
  samples?: number;
  /** Time between two measurements, s; readings stay in between. Default: 0, every step. */
  interval?: number;
  /** With an interval, time of the first measurement, s; readings are zero before it. Default: 0. */
  phase?: number;
  /** Delayed readings between two measurements: the earlier one, their straight line, or a cubic through four. Default: 'hold'. */
  interpolation?: 'hold' | 'linear' | 'cubic';
}

/** A thing of the scene by name. */
export interface SensorObject {
  /**
   * `body` is its frame, `bodyCenter` its centre of mass with principal axes, `subtree` a body and all below it. `shapeCenter` is the centre of
   * mass of a mesh with principal axes, and the frame of any other shape.
   */
  kind: 'body' | 'bodyCenter' | 'subtree' | 'shape' | 'shapeCenter' | 'site' | 'camera' | 'softBody';
  /** Name of the thing. */
  name: string;
}

/** Measured at a site, in its axes. */
export interface SiteSensor extends SensorCommon {
  /**
   * touch: sum of normal forces in the volume of the site, N. accelerometer: acceleration without gravity's, m/s². velocimeter, gyro:
   * velocity, m/s, and angular velocity, rad/s. force, torque: of the parent on the body of the site, N and N m. magnetometer: field.
   */
  kind: 'touch' | 'accelerometer' | 'velocimeter' | 'gyro' | 'force' | 'torque' | 'magnetometer';
  /** Name of the site. */
  site: string;
}

/** Rays to the nearest surface: one along z of a site, or one through the middle of every pixel of a camera, row by row from the upper left. */
export interface RangefinderSensor extends SensorCommon {
  kind: 'rangefinder';
  /** Name of the site, or `camera` is given; shapes of its body are passed through. */
  site?: string;
  /** Name of the camera, as many rays as its resolution has pixels. */
  camera?: string;
  /**
   * Numbers of a ray, in this order: distance, −1 where nothing is met, m; or also direction, origin, point, normal, and depth, the distance from
   * the plane of the camera. Default: distance.
   */
  data?: ('distance' | 'direction' | 'origin' | 'point' | 'normal' | 'depth')[];
}

/** Where a site is in the picture of a camera. */
export interface CameraProjectionSensor extends SensorCommon {
  /** Column and row from the upper left corner, pixels. */
  kind: 'cameraProjection';
  /** Name of the camera; it needs a resolution. */
  camera: string;
  /** Name of the site. */
  site: string;
}

/** Of a joint. */
export interface JointSensor extends SensorCommon {
  /** Position and velocity of a hinge or slide, what actuators do to it, and what its limit does; orientation of a ball joint. */
  kind:
    | 'jointPosition'
    | 'jointVelocity'
    | 'jointActuatorForce'
    | 'jointLimitPosition'
    | 'jointLimitVelocity'
    | 'jointLimitForce'
    | 'ballOrientation'
    | 'ballAngularVelocity';
  /** Name of the joint. */
  joint: string;
}

/** Of a tendon. */
export interface TendonSensor extends SensorCommon {
  /** Length, its rate, what actuators do to it, and what its limit does. */
  kind:
    | 'tendonPosition'
    | 'tendonVelocity'
    | 'tendonActuatorForce'
    | 'tendonLimitPosition'
    | 'tendonLimitVelocity'
    | 'tendonLimitForce';
  /** Name of the tendon. */
  tendon: string;
}

/** Of an actuator. */
export interface ActuatorSensor extends SensorCommon {
  /** Length of its transmission, the rate of it, and the force before the gear. */
  kind: 'actuatorPosition' | 'actuatorVelocity' | 'actuatorForce';
  /** Name of the actuator. */
  actuator: string;
}

/** Of a frame: in world axes, or in another frame. */
export interface FrameSensor extends SensorCommon {
  /** Position, orientation (w x y z), axes, velocities and accelerations. */
  kind:
    | 'framePosition'
    | 'frameOrientation'
    | 'frameXAxis'
    | 'frameYAxis'
    | 'frameZAxis'
    | 'frameLinearVelocity'
    | 'frameAngularVelocity'
    | 'frameLinearAcceleration'
    | 'frameAngularAcceleration';
  /** The frame that is measured. */
  object: SensorObject;
  /** The frame in which it is measured. Default: the world. Accelerations have none. */
  reference?: SensorObject;
}

/** Of a body and all below it. */
export interface SubtreeSensor extends SensorCommon {
  /** Centre of mass, its velocity, and angular momentum about it; world axes. */
  kind: 'subtreeCenter' | 'subtreeVelocity' | 'subtreeAngularMomentum';
  /** Name of the body; `world` is everything. */
  body: string;
}

/** 1 where a point is inside the volume of a site, else 0. */
export interface InsideSiteSensor extends SensorCommon {
  kind: 'insideSite';
  /** What is looked for, by its origin. */
  object: SensorObject;
  /** Name of the site. */
  site: string;
}

/** How far a convex thing juts out of the volume of a site: the largest signed distance of its points, negative where all of it is inside. */
export interface ProtrusionSensor extends SensorCommon {
  kind: 'protrusion';
  /** A shape or a site; `bodyCenter` for all shapes of a body, `body` for those below it as well. */
  object: SensorObject;
  /** Name of the site. */
  site: string;
}

/** The nearest points of two things. `cutoff` is the largest distance that is looked at; beyond it there is no direction. */
export interface DistanceSensor extends SensorCommon {
  /** Signed distance, m; unit direction from the point on the first to that on the second, which turns where they overlap; the two points, world, m. */
  kind: 'distance' | 'distanceNormal' | 'distanceSegment';
  /** A shape, or a body with all its shapes. */
  first: SensorObject;
  /** A shape, or a body with all its shapes. */
  second: SensorObject;
}

/** Contacts that match, a row of numbers for each. */
export interface ContactSensor extends SensorCommon {
  kind: 'contact';
  /** One side: a shape, body or subtree; forces are on the second side. Default: anything. */
  first?: SensorObject;
  /** The other side. Default: anything. */
  second?: SensorObject;
  /** Name of a site in whose volume contacts must lie. Default: none. */
  site?: string;
  /** Number of rows; further contacts are left out, and rows without a contact are zero. Default: 1. */
  count?: number;
  /** Numbers of a row, in this order. Default: found. */
  data?: (
    | 'found'
    | 'force'
    | 'torque'
    | 'distance'
    | 'position'
    | 'normal'
    | 'tangent'
    | 'linearVelocity'
    | 'angularVelocity'
  )[];
  /** Which contacts: those found first, of least distance, of largest force, or all in one with the sum of forces. Default: none. */
  reduce?: 'none' | 'leastDistance' | 'largestForce' | 'netForce';
}

/** Everything between two things: force and torque on the second, slip, area and number of contacts. */
export interface ContactPairSensor extends SensorCommon {
  kind: 'contactPair';
  /** A shape, body, subtree or soft body. */
  first: SensorObject;
  /** The other; forces are on it. Default: everything else. */
  second?: SensorObject;
}

/** A grid of taxels on a plane through a site: normal and two shear forces for each, row by row. Their sum is the whole contact force. */
export interface TactileSensor extends SensorCommon {
  kind: 'tactile';
  /** Name of the site; z points out of the surface, x along rows. */
  site: string;
  /** Taxels along x and y. */
  cells: [number, number];
  /** Width and height of the grid, m. */
  size: [number, number];
  /** Name of the soft body on whose surface it lies. Default: the body of the site. */
  softBody?: string;
}

/**
 * Taxels on the vertices of a mesh that lies in the frame of a shape: how deep each is in the shapes that touch the body of that shape, m, and its
 * two speeds of sliding there, m/s; first all depths, then the first and the second speeds. The tactile sensor of MJCF.
 */
export interface MeshTactileSensor extends SensorCommon {
  kind: 'meshTactile';
  /** Name of the shape; it need not touch anything itself. */
  shape: string;
  /** Name of the mesh. Taxels are not felt by other meshes and height fields. */
  mesh: string;
  /** Two directions of sliding for each vertex, unit vectors in the axes of the mesh. Default: none, the speeds are 0. */
  tangents?: number[];
}

/**
 * Forces of contacts by the direction in which they lie from a site that looks along its −z, N: cells by azimuth, towards x, then by elevation, towards
 * y. What touches the bodies that carry the site counts. All cells of one channel, then those of the next.
 */
export interface TouchGridSensor extends SensorCommon {
  kind: 'touchGrid';
  /** Name of the site. */
  site: string;
  /** Cells by azimuth and by elevation. */
  cells: [number, number];
  /** Largest azimuth and elevation to either side, rad; up to π and π/2. */
  angles: [number, number];
  /** How much smaller cells are in the middle, 0 to 1. Default: 0, all are alike. */
  foveation?: number;
  /** How many of: force on the bodies along z, x and y, N, and torque of contacts about z, x and y, N m. Default: 1. */
  channels?: number;
}

/** Of a vertex of a soft body, world axes. */
export interface VertexSensor extends SensorCommon {
  /** Position, m, velocity, m/s, and force of contacts, N. */
  kind: 'vertexPosition' | 'vertexVelocity' | 'vertexForce';
  /** Name of the soft body. */
  softBody: string;
  /** Number of the vertex. */
  vertex: number;
}

/** Of a soft body as a whole. */
export interface SoftSensor extends SensorCommon {
  /** Largest principal strain, 1; mean pressure over the area that touches, Pa; volume, m³. */
  kind: 'softStrain' | 'softPressure' | 'softVolume';
  /** Name of the soft body. */
  softBody: string;
}

/** Of everything. */
export interface WorldSensor extends SensorCommon {
  /** Energies, J, and time, s. */
  kind: 'potentialEnergy' | 'kineticEnergy' | 'clock';
}

/** Numbers that the user writes into `simulation.sensor(name)`. */
export interface UserSensor extends SensorCommon {
  kind: 'user';
  /** How many numbers. */
  dimension: number;
}

/** Names of kinds. */
export type SensorKind = Sensor['kind'];
