/** What touches and is seen in a model: shapes, what they are made of and what may touch what, as arrays. */
import type { PressureGeometry } from '../geometry/pressure-field/pressure-geometry.ts';
import type { SoftField } from '../geometry/pressure-field/soft-field.ts';

export interface ModelShapes {
  readonly name: readonly string[];
  /** See SHAPE. */
  readonly kind: Uint8Array;
  readonly body: Int32Array;
  /** Number of the mesh, height field or signed-distance field; -1 for primitives. */
  readonly asset: Int32Array;
  /** Pose in the body frame. */
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  /** Sphere r; capsule, cylinder r, half length; ellipsoid radii; box half sizes; plane half sizes; else 0. */
  readonly size: Float64Array;
  /** See SOFT_CONTACT. */
  readonly contact: Uint8Array;
  readonly groups: Uint32Array;
  readonly mask: Uint32Array;
  readonly margin: Float64Array;
  readonly gap: Float64Array;
  /** Slide, spin, roll. */
  readonly friction: Float64Array;
  readonly condim: Uint8Array;
  readonly priority: Int32Array;
  readonly solmix: Float64Array;
  readonly solref: Float64Array;
  readonly solimp: Float64Array;
  /** N. */
  readonly adhesion: Float64Array;
  /** Velocity of the surface in the frame of the shape, m/s, and its angular velocity, rad/s; six numbers. */
  readonly surfaceMotion: Float64Array;
  /** Blunt drag, slender drag, angular drag, Kutta lift, Magnus lift; all 0 when off. */
  readonly fluid: Float64Array;
  /** Number of the material in the scene, or -1. */
  readonly material: Int32Array;
  /** Red, green, blue, opacity. */
  readonly color: Float64Array;
  readonly layer: Uint8Array;
}

export interface ModelMeshes {
  readonly name: readonly string[];
  readonly vertexStart: Int32Array;
  readonly vertexCount: Int32Array;
  readonly faceStart: Int32Array;
  readonly faceCount: Int32Array;
  readonly vertices: Float64Array;
  /** Indices relative to the first vertex of the mesh. */
  readonly faces: Int32Array;
}

export interface ModelHeightFields {
  readonly name: readonly string[];
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  readonly halfSize: Float64Array;
  readonly baseDepth: Float64Array;
  readonly dataStart: Int32Array;
  readonly heights: Float64Array;
}

export interface ModelContactFilter {
  /** Pairs of shape numbers, two per explicit pair, in the order of the scene's `contactPairs`. */
  readonly pairShapes: Int32Array;
  /** Pairs of body numbers, smaller first. */
  readonly excludedBodies: Int32Array;
}

/** Pressure fields of what touches by pressure. */
export interface ModelPressure {
  /** Whether anything touches by pressure. */
  readonly isActive: boolean;
  /** Per shape: its pressure field, where it may need one; and what it is where it has none. */
  readonly compliant: readonly (PressureGeometry | undefined)[];
  readonly rigid: readonly (PressureGeometry | undefined)[];
  /** Per soft body: its pressure field, where it may need one. */
  readonly soft: readonly (SoftField | undefined)[];
}

export const NO_PRESSURE: ModelPressure = { isActive: false, compliant: [], rigid: [], soft: [] };
