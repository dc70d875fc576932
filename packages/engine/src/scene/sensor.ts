/** A quantity that is measured at every step; its kind says which. */
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
  /** Readings are clamped to ± this value, or to at most this value if they cannot be negative. Default: 0, not clamped. */
  cutoff?: number;
  /** Standard deviation of noise, in the unit of the sensor. Readings have noise only if the simulation is given `sensorNoise`. Default: 0. */
  noise?: number;
  /** Age of the readings, s. Default: 0. */
  delay?: number;
  /** Number of measurements kept for delayed readings, at least as many as fit into the delay. Default: as many as needed, at least 1. */
  samples?: number;
  /** Time between two measurements, s; readings do not change in between. Default: 0, every step. */
  interval?: number;
  /** Time of the first measurement if there is an interval, s; readings are zero before it. Default: 0. */
  phase?: number;
  /** How delayed readings are interpolated between two measurements: the earlier one, a straight line, or a cubic through four. Default: 'hold'. */
  interpolation?: 'hold' | 'linear' | 'cubic';
}

/** A thing in the scene, by name. */
export interface SensorObject {
  /**
   * `body` is its frame, `bodyCenter` its centre of mass with principal axes, `subtree` a body and all its descendants. `shapeCenter` is
   * the centre of mass of a mesh with principal axes, and the frame of any other shape.
   */
  kind: 'body' | 'bodyCenter' | 'subtree' | 'shape' | 'shapeCenter' | 'site' | 'camera' | 'softBody';
  /** Name of the thing. */
  name: string;
}

/** Measured at a site, in its axes. */
export interface SiteSensor extends SensorCommon {
  /**
   * touch: sum of normal forces in the volume of the site, N. accelerometer: acceleration minus that of gravity, m/s². velocimeter, gyro:
   * velocity, m/s, and angular velocity, rad/s. force, torque: what the parent exerts on the body of the site, N and N m. magnetometer:
   * magnetic field, T.
   */
  kind: 'touch' | 'accelerometer' | 'velocimeter' | 'gyro' | 'force' | 'torque' | 'magnetometer';
  /** Name of the site. */
  site: string;
}

/** Rays to the nearest surface: one along z of a site, or one through the middle of every pixel of a camera, row by row from the upper left. */
export interface RangefinderSensor extends SensorCommon {
  kind: 'rangefinder';
  /** Name of the site, unless `camera` is given; rays pass through the shapes of its body. */
  site?: string;
  /** Name of the camera; there are as many rays as pixels in its resolution. */
  camera?: string;
  /**
   * Numbers that are given for each ray, in this order: distance, m, or −1 if the ray hits nothing; direction; origin; point; normal;
   * depth, the distance from the plane of the camera. Default: distance.
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

/** A quantity of a joint. */
export interface JointSensor extends SensorCommon {
  /**
   * Position and velocity of a hinge or slide, the force of actuators on it, and the distance, velocity and force at its limit; orientation and angular
   * velocity of a ball joint.
   */
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

/** A quantity of a tendon. */
export interface TendonSensor extends SensorCommon {
  /** Length, its rate, the force of actuators on it, and the distance, velocity and force at its limit. */
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

/** A quantity of an actuator. */
export interface ActuatorSensor extends SensorCommon {
  /** Length of its transmission, rate of that length, and force before the gear. */
  kind: 'actuatorPosition' | 'actuatorVelocity' | 'actuatorForce';
  /** Name of the actuator. */
  actuator: string;
}

/** A quantity of a frame, in world axes or in another frame. */
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
  /** The frame in which it is measured. Default: the world; accelerations take no other reference. */
  reference?: SensorObject;
}

/** A quantity of a body and all its descendants. */
export interface SubtreeSensor extends SensorCommon {
  /** Centre of mass, its velocity, and angular momentum about it, in world axes. */
  kind: 'subtreeCenter' | 'subtreeVelocity' | 'subtreeAngularMomentum';
  /** Name of the body; `world` is everything. */
  body: string;
}

/** 1 where a point is inside the volume of a site, else 0. */
export interface InsideSiteSensor extends SensorCommon {
  kind: 'insideSite';
  /** The thing whose origin is the point. */
  object: SensorObject;
  /** Name of the site. */
  site: string;
}

/** How far a convex thing sticks out of the volume of a site: the largest signed distance of its points, negative if all of it is inside. */
export interface ProtrusionSensor extends SensorCommon {
  kind: 'protrusion';
  /** A shape or a site; `bodyCenter` for all shapes of a body, `body` for those of its descendants as well. */
  object: SensorObject;
  /** Name of the site. */
  site: string;
}

/** The nearest points of two things. `cutoff` is the largest distance that is measured; beyond it there is no direction. */
export interface DistanceSensor extends SensorCommon {
  /**
   * Signed distance, m; unit direction from the point on the first to that on the second, reversed where they overlap; the two points in
   * the world frame, m.
   */
  kind: 'distance' | 'distanceNormal' | 'distanceSegment';
  /** A shape, or a body with all its shapes. */
  first: SensorObject;
  /** A shape, or a body with all its shapes. */
  second: SensorObject;
}

/** Contacts between two sides, with a row of numbers for each. */
export interface ContactSensor extends SensorCommon {
  kind: 'contact';
  /** One side: a shape, body or subtree; forces are those on the second side. Default: anything. */
  first?: SensorObject;
  /** The other side. Default: anything. */
  second?: SensorObject;
  /** Name of a site in whose volume contacts must lie. Default: none. */
  site?: string;
  /** Number of rows; contacts beyond it are left out, and rows without a contact are zero. Default: 1. */
  count?: number;
  /** Numbers in a row, in this order. Default: found. */
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
  /**
   * Which contacts fill the rows: those found first, those with the least distance, those with the largest force, or all combined into one
   * with the sum of their forces. Default: none.
   */
  reduce?: 'none' | 'leastDistance' | 'largestForce' | 'netForce';
}

/** All contact between two things: force and torque on the second, slip, area and number of contacts. */
export interface ContactPairSensor extends SensorCommon {
  kind: 'contactPair';
  /** A shape, body, subtree or soft body. */
  first: SensorObject;
  /** The other side, on which the forces act. Default: everything else. */
  second?: SensorObject;
}

/**
 * A grid of taxels on a plane through a site: the normal force and two shear forces of each taxel, row by row. Their sum is the whole
 * contact force.
 */
export interface TactileSensor extends SensorCommon {
  kind: 'tactile';
  /** Name of the site; z points out of the surface, x along rows. */
  site: string;
  /** Number of taxels along x and y. */
  cells: [number, number];
  /** Width and height of the grid, m. */
  size: [number, number];
  /** Name of the soft body on whose surface it lies. Default: the body of the site. */
  softBody?: string;
}

/**
 * Taxels on the vertices of a mesh in the frame of a shape: for each, its depth in the shapes that touch the body of that shape, m, and its
 * two sliding speeds there, m/s. All depths come first, then all first speeds, then all second speeds. This is the tactile sensor of MJCF.
 */
export interface MeshTactileSensor extends SensorCommon {
  kind: 'meshTactile';
  /** Name of the shape; it need not touch anything itself. */
  shape: string;
  /** Name of the mesh. Taxels do not feel other meshes or height fields. */
  mesh: string;
  /** Two directions of sliding for each vertex, unit vectors in the axes of the mesh. Default: none, the speeds are 0. */
  tangents?: number[];
}

/**
 * Contact forces sorted by their direction as seen from a site that looks along its −z axis, N. Cells are ordered by azimuth, towards x,
 * then by elevation, towards y. Contacts of all bodies that carry the site count. All cells of one channel come before those of the next.
 */
export interface TouchGridSensor extends SensorCommon {
  kind: 'touchGrid';
  /** Name of the site. */
  site: string;
  /** Number of cells in azimuth and in elevation. */
  cells: [number, number];
  /** Largest azimuth and elevation to either side, rad; up to π and π/2. */
  angles: [number, number];
  /** How much smaller the cells in the middle are, 0 to 1. Default: 0, all cells are alike. */
  foveation?: number;
  /** Number of channels, taken in this order: force on the bodies along z, x and y, N, then torque of contacts about z, x and y, N m. Default: 1. */
  channels?: number;
}

/** A quantity of a vertex of a soft body, in world axes. */
export interface VertexSensor extends SensorCommon {
  /** Position (m), velocity (m/s) and contact force (N). */
  kind: 'vertexPosition' | 'vertexVelocity' | 'vertexForce';
  /** Name of the soft body. */
  softBody: string;
  /** Index of the vertex. */
  vertex: number;
}

/** A quantity of a soft body as a whole. */
export interface SoftSensor extends SensorCommon {
  /** Largest principal strain (without unit), mean pressure over the contact area (Pa) and volume (m³). */
  kind: 'softStrain' | 'softPressure' | 'softVolume';
  /** Name of the soft body. */
  softBody: string;
}

/** A quantity of the whole scene. */
export interface WorldSensor extends SensorCommon {
  /** Energies (J) and time (s). */
  kind: 'potentialEnergy' | 'kineticEnergy' | 'clock';
}

/** Numbers that the user writes into `simulation.sensor(name)`. */
export interface UserSensor extends SensorCommon {
  kind: 'user';
  /** Number of values. */
  dimension: number;
}

/** Names of kinds. */
export type SensorKind = Sensor['kind'];
