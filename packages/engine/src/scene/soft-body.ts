import type { Pose, Vec3 } from './pose.ts';

/** A deformable body: a solid of tetrahedra, a shell (cloth) of triangles or a rod along a line, as its mesh says. */
export interface SoftBody extends Pose {
  /** Unique among bodies and soft bodies. */
  name?: string;
  /** Rest shape. */
  mesh: SoftBodyMesh;
  /** Type of finite element for the tetrahedra of a solid. Default: 'tet4'. */
  element?: SolidElement;
  /** Elastic law and its constants. */
  elasticity: Elasticity;
  /** Name of the material of its surface. */
  material?: string;
  /** The surface with the higher priority determines the friction of a contact; for shapes this is `mujoco.priority`. Default: 0. */
  priority?: number;
  /** Velocity of all vertices at the start, m/s. Default: 0 0 0. */
  velocity?: Vec3;
  /** Vertices that do not move. */
  pinned?: number[];
  /** Vertices that follow a given path. */
  driven?: DrivenVertices[];
  /** Vertices fixed to rigid bodies or to other soft bodies. */
  attachments?: SoftAttachment[];
  /** Vertices pulled by springs towards the places where they start. */
  springs?: SoftSpring[];
  /** Named parts whose forces can be read, with `softRegion` and in the columns of recordings. */
  regions?: SoftRegion[];
  /**
   * Contact model: surface vertices, hydroelastic pressure (solids only), or none. Default: hydroelastic for solids with vertices inside,
   * otherwise point.
   */
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

/** Rest shape of a soft body. */
export type SoftBodyMesh = TetMesh | ShellMesh | PolylineMesh;

/**
 * Elements of a solid: linear tetrahedra (`tet4`), linear tetrahedra with strain smoothed over edges and vertices, which do not lock
 * (`smoothedTet4`), or 10-node tetrahedra (`tet10`), whose vertices in the middle of edges come after those of the mesh.
 */
export type SolidElement = 'tet4' | 'smoothedTet4' | 'tet10';

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

/** A solid that fills a triangle mesh of the scene; the mesh must be closed unless it is repaired. */
export interface SurfaceTetMesh {
  kind: 'surface';
  /** Name of a mesh of the scene. */
  mesh: string;
  /** Target edge length, m. */
  resolution: number;
  /** Whether holes, triangles that face the wrong way and parts that pass through each other are repaired; `inspect` tells by how much that changes the shape. Default: false. */
  repair?: boolean;
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

/** A surface of triangles with a thickness: given, a grid, or the surface of a mesh of the scene. */
export type ShellMesh = TriangleShellMesh | GridShellMesh | SurfaceShellMesh;

/** Vertices and triangles as they are. */
export interface TriangleShellMesh {
  kind: 'triangles';
  /** x, y, z of each vertex, m. */
  vertices: number[];
  /** Three vertex indices per triangle. */
  triangles: number[];
  /** Thickness, m. */
  thickness: number;
}

/** A flat rectangle in the xy plane, centred on the origin. Vertices are numbered along x, then y, from the lowest corner. */
export interface GridShellMesh {
  kind: 'grid';
  /** Edge lengths along x and y, m. */
  size: [number, number];
  /** Number of cells along x and y, of two triangles each. */
  cells: [number, number];
  /** Thickness, m. */
  thickness: number;
}

/** The triangles of a mesh of the scene as a shell, which is hollow if they form a closed surface. */
export interface SurfaceShellMesh {
  kind: 'shell';
  /** Name of a mesh of the scene. */
  mesh: string;
  /** Thickness, m. */
  thickness: number;
}

/** A rod along a line of points. */
export interface PolylineMesh {
  kind: 'polyline';
  /** x, y, z of each point, m. */
  points: number[];
  /** Whether an edge connects the last point to the first. Default: false. */
  closed?: boolean;
  /** Radius of its circular cross-section, m. */
  radius: number;
}

/** Stiffness of woven cloth, which differs between the two directions of its threads. */
export interface OrthotropicElasticity {
  /** Young's moduli along the warp and along the weft, Pa. */
  youngsModulus: [number, number];
  /** Contraction along the weft, as a fraction of the strain along the warp. Default: `poissonRatio` of the elasticity. */
  poissonRatio?: number;
  /** Shear modulus, Pa. Default: E/(2(1 + ν)) of the elasticity. */
  shearModulus?: number;
  /** Direction of the warp in the frame of the soft body, projected onto the plane of each triangle. Default: 1 0 0. */
  warp?: Vec3;
}

/** Fibers in a solid; together with its elastic law they make a transversely isotropic material. */
export interface FiberElasticity {
  /** Direction of the fibers in the frame of the soft body. */
  direction: Vec3;
  /** Stiffness that the fibers add along their direction, Pa. */
  youngsModulus: number;
}

/** Von Mises plasticity with linear isotropic hardening. */
export interface Plasticity {
  /** Yield stress, Pa. */
  yieldStress: number;
  /** Increase of the yield stress per unit of plastic strain, Pa. Default: 0. */
  hardening?: number;
}

/** Elastic law and constants. */
export interface Elasticity {
  /** Energy density. Default: 'corotated' for solids, 'saintVenantKirchhoff' for shells, which may also use 'neoHookean'. */
  model?: 'linear' | 'corotated' | 'neoHookean' | 'saintVenantKirchhoff';
  /** Young's modulus, Pa. */
  youngsModulus: number;
  /** Poisson's ratio ν, without unit, 0 to below 0.5. */
  poissonRatio: number;
  /** Density, kg/m³. Default: 1000. */
  density?: number;
  /** Mass of each vertex, the same for all, kg. Default: computed from `density`. */
  vertexMass?: number;
  /** Rayleigh damping proportional to mass, 1/s. Default: 0. */
  massDamping?: number;
  /** Rayleigh damping proportional to stiffness, s. Default: 0. */
  stiffnessDamping?: number;
  /** Kelvin-Voigt shear viscosity η of solids, Pa s: the stress is 2η times the strain rate. Default: 0. */
  viscosity?: number;
  /** Solids: fibers that stiffen the material in one direction. */
  fibers?: FiberElasticity;
  /** Solids with the law `corotated` or `neoHookean`: plastic flow beyond a yield stress. */
  plasticity?: Plasticity;
  /** Shells: different stiffness along warp and weft. */
  orthotropic?: OrthotropicElasticity;
  /** Shells: strain along warp and weft beyond which threads are a hundred times as stiff. Default: none. */
  strainLimit?: number;
  /** Shells: E t, N/m. Rods: E A, N. Default: from `youngsModulus` and the thickness or radius. */
  stretchStiffness?: number;
  /** Shells: flexural rigidity D, N m, by default E t³ / 12(1 − ν²). Rods: E I, N m², by default E π r⁴ / 4. */
  bendingStiffness?: number;
  /** Rods: G J, N m². Default: G π r⁴ / 2, G = E / 2(1 + ν). */
  twistStiffness?: number;
  /** Pressure at the deepest point in hydroelastic contact, Pa. Default: 1e7. */
  hydroelasticModulus?: number;
}

/** Vertices that move along a given path, linearly between the given times. */
export interface DrivenVertices {
  /** Vertex indices. */
  vertices: number[];
  /** Increasing times, s. */
  times: number[];
  /** Displacement from the start, x y z for each time, m. */
  displacements: number[];
  /** Rods: angle by which edges between two of the vertices are turned about their own axis, one for each time, rad. Default: 0. */
  twist?: number[];
}

/** Vertices fixed to a rigid body or to another soft body at the places where they start. */
export interface SoftAttachment {
  /** Unique among attachments. */
  name?: string;
  /** Vertex indices. */
  vertices: number[];
  /** Name of the rigid or soft body; `world` is the world. On a soft body, each vertex is held by the part nearest to it. */
  body: string;
  /**
   * Rods: whether edges keep their direction and do not twist. `true` clamps all edges at the attached vertices, `false` none. Default:
   * edges between two attached vertices are clamped.
   */
  clamp?: boolean;
  /** Force beyond which the attachment breaks for good, N: the sum over its vertices. Default: it never breaks. */
  breakForce?: number;
}

/** A named part of a soft body: the vertices listed and those in the box. */
export interface SoftRegion {
  /** Unique within the soft body. */
  name: string;
  /** Vertex indices. */
  vertices?: number[];
  /** Vertices in a box in the frame of the soft body, in its rest shape. */
  box?: SoftRegionBox;
}

/** A box aligned with the axes of the frame of a soft body. */
export interface SoftRegionBox {
  /** Lowest corner, m. */
  low: Vec3;
  /** Highest corner, m. */
  high: Vec3;
}

/** Vertices pulled by springs towards the places where they start. */
export interface SoftSpring {
  /** Vertex indices. */
  vertices: number[];
  /** Spring stiffness, N/m per vertex. */
  stiffness: number;
  /** Damping, N s/m per vertex. Default: 0. */
  damping?: number;
}
