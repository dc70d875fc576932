import type { Pose, Vec3 } from './pose.ts';

/** A deformable body: a tetrahedral mesh with an elastic material. */
export interface SoftBody extends Pose {
  /** Unique among bodies and soft bodies. */
  name?: string;
  /** Rest shape. */
  mesh: TetMesh;
  /** Elastic law and its constants. */
  elasticity: Elasticity;
  /** Name of the material of its surface. */
  material?: string;
  /** The surface of higher priority decides the friction of a contact; shapes have `mujoco.priority`. Default: 0. */
  priority?: number;
  /** Velocity of all vertices at the start, m/s. Default: 0 0 0. */
  velocity?: Vec3;
  /** Vertices that do not move. */
  pinned?: number[];
  /** Vertices that follow a given path. */
  driven?: DrivenVertices[];
  /** Vertices fixed to a rigid body. */
  attachments?: SoftAttachment[];
  /** Vertices pulled to a point by springs. */
  springs?: SoftSpring[];
  /** Contact model: surface vertices, hydroelastic pressure, or none. Default: 'hydroelastic'. */
  contact?: 'point' | 'hydroelastic' | 'none';
  /** Whether it touches itself. Default: false. */
  selfContact?: boolean;
  /** Bits of the groups this body is in. Default: 1. */
  collisionGroups?: number;
  /** Bits of the groups this body collides with. Default: 1. */
  collisionMask?: number;
  /** Gap below which a contact acts, m. Default: 0. */
  margin?: number;
  /** Colour: red, green, blue, opacity, each 0 to 1. */
  color?: [number, number, number, number];
}

/** A tetrahedral mesh: given, made from a closed surface, or made from a box or sphere. */
export type TetMesh = GivenTetMesh | SurfaceTetMesh | BoxTetMesh | SphereTetMesh;

/** Vertices and tetrahedra as they are. */
export interface GivenTetMesh {
  kind: 'tetrahedra';
  /** x, y, z of each vertex, m. */
  vertices: number[];
  /** Four vertex indices per tetrahedron, positive volume. */
  tetrahedra: number[];
}

/** Filled from a closed triangle mesh of the scene. */
export interface SurfaceTetMesh {
  kind: 'surface';
  /** Name of a mesh of the scene. */
  mesh: string;
  /** Target edge length, m. */
  resolution: number;
}

/** A regular box. */
export interface BoxTetMesh {
  kind: 'box';
  /** Half the edge lengths, m. */
  halfSize: Vec3;
  /** Number of cells along each edge. */
  cells: [number, number, number];
}

/** A ball. */
export interface SphereTetMesh {
  kind: 'sphere';
  /** Radius, m. */
  radius: number;
  /** Target edge length, m. */
  resolution: number;
}

/** Elastic law and constants. */
export interface Elasticity {
  /** Energy density. Default: 'corotated'. */
  model?: 'linear' | 'corotated' | 'neoHookean' | 'saintVenantKirchhoff';
  /** Pa. */
  youngsModulus: number;
  /** Poisson's ratio ν, without unit, 0 to below 0.5. */
  poissonRatio: number;
  /** kg/m³. Default: 1000. */
  density?: number;
  /** Rayleigh damping proportional to mass, 1/s. Default: 0. */
  massDamping?: number;
  /** Rayleigh damping proportional to stiffness, s. Default: 0. */
  stiffnessDamping?: number;
  /** Pressure at the deepest point in hydroelastic contact, Pa. Default: 1e7. */
  hydroelasticModulus?: number;
}

/** Vertices that move along a path, linear between the given times. */
export interface DrivenVertices {
  /** Vertex indices. */
  vertices: number[];
  /** Increasing times, s. */
  times: number[];
  /** Displacement from the start, x y z for each time, m. */
  displacements: number[];
}

/** Vertices fixed to a rigid body where they are at the start. */
export interface SoftAttachment {
  /** Vertex indices. */
  vertices: number[];
  /** Name of the rigid body; `world` is the world. */
  body: string;
}

/** Vertices pulled to where they are at the start. */
export interface SoftSpring {
  /** Vertex indices. */
  vertices: number[];
  /** N/m per vertex. */
  stiffness: number;
  /** N s/m per vertex. Default: 0. */
  damping?: number;
}
