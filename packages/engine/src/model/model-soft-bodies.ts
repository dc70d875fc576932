/** Soft bodies of a model, as arrays. */

import type { SurfaceRepair } from '../geometry/tetrahedra/repaired-surface.ts';
import type { DrivenVertices, Elasticity, SoftSpring, SolidElement } from '../scene/soft-body.ts';
import type { SoftRegion } from './soft-regions.ts';

/** Values of `contact` of shapes and soft bodies. */
export const SOFT_CONTACT = { none: 0, point: 1, hydroelastic: 2 } as const;

/** Soft bodies one after the other in common arrays; vertices, tetrahedra and triangles are numbered over all of them. */
export interface ModelSoftBodies {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** Per body: its first vertex, tetrahedron and triangle; one more than there are bodies. */
  readonly vertexStart: Int32Array;
  /** Per body: its first tetrahedron; one more than there are bodies. */
  readonly tetrahedronStart: Int32Array;
  /** Per body: its first triangle; one more than there are bodies. */
  readonly triangleStart: Int32Array;
  /** Per body: 3 of solids, 2 of shells, 1 of rods. */
  readonly dimension: Uint8Array;
  /** Per body: thickness of a shell, diameter of a rod, m; 0 of solids. */
  readonly thickness: Float64Array;
  /** Per body: direction of the first axis of a shell, world. */
  readonly warp: Float64Array;
  /** Per body: how many of its vertices are points. Behind them, rods have one vertex per edge for its angle. */
  readonly pointCount: Int32Array;
  /** Per body: its first edge; one more than there are bodies. Only rods have edges. */
  readonly edgeStart: Int32Array;
  /** Two vertices per edge. */
  readonly edge: Int32Array;
  /** Per edge: a unit vector across it at rest, world, from which its turn counts. */
  readonly director: Float64Array;
  /** Per body: density times volume, kg. */
  readonly mass: Float64Array;
  /** Per vertex: rest shape where the body is at the start, world, m; velocity at the start, m/s. */
  readonly rest: Float64Array;
  /** Per vertex: velocity at the start, m/s. */
  readonly velocity: Float64Array;
  /** Per vertex: 1 where it is pinned or follows a path from the start. */
  readonly isHeld: Uint8Array;
  /** Four vertices per tetrahedron, positive volume. */
  readonly tetrahedron: Int32Array;
  /** Three vertices per triangle of the surfaces, counter-clockwise from outside, and the tetrahedron behind it. */
  readonly triangle: Int32Array;
  /** Per triangle: the tetrahedron behind it; −1 of shells. */
  readonly triangleTetrahedron: Int32Array;
  /** Per body: see SOFT_CONTACT. */
  readonly contact: Uint8Array;
  /** Per body: 1 where it touches itself. */
  readonly touchesItself: Uint8Array;
  /** Per body: bits of the groups that it belongs to. */
  readonly groups: Uint32Array;
  /** Per body: bits of the groups that it touches. */
  readonly mask: Uint32Array;
  /** m. */
  readonly margin: Float64Array;
  /** Per body: the surface of higher priority decides the friction of a pair. */
  readonly priority: Int32Array;
  /** Sliding, spin (m), roll (m). */
  readonly friction: Float64Array;
  /** N/m, 0 leaves it to the formulation; s, negative leaves it to the formulation. */
  readonly stiffness: Float64Array;
  /** Per body: dissipation time, s; negative leaves it to the formulation. */
  readonly dissipation: Float64Array;
  /** Per body: restitution, 0 to 1. */
  readonly restitution: Float64Array;
  /** Per body: red, green, blue, opacity, each 0 to 1. */
  readonly color: Float64Array;
  /** Per body: its elements. */
  readonly element: readonly SolidElement[];
  /** Per body: ten vertices per 10-node element, numbered within the body; empty with other elements. */
  readonly nodes: readonly Int32Array[];
  /** Per body: the two ends of the edge of every vertex in the middle of one, which are its last vertices. */
  readonly middleEnds: readonly Int32Array[];
  /** Per body: what the repair of its surface changed; undefined where none was asked for. */
  readonly repair: readonly (SurfaceRepair | undefined)[];
  /** Per body: its named regions. */
  readonly regions: readonly (readonly SoftRegion[])[];
  /** Per body: its elastic law and constants. */
  readonly elasticity: readonly Readonly<Elasticity>[];
  /** Per body: the constraints of its vertices, numbered within the body. */
  readonly holds: readonly SoftHolds[];
  /** Attachments of the scene, those of the first soft body first. */
  readonly attachments: readonly ModelAttachment[];
  /** Vertices fixed to rigid bodies (0 is the world) for good, at a point of the body's frame, m. */
  readonly attachment: {
    readonly vertex: Int32Array;
    readonly body: Int32Array;
    readonly point: Float64Array;
    /** Number of the attachment in `attachments`. */
    readonly of: Int32Array;
  };
  /** Vertices of attachments that may break, or that are to soft bodies. */
  readonly tie: ModelTies;
  /** Edges of rods that may not turn about themselves, relative to a rigid body. */
  readonly clamp: ModelClamps;
}

/** An attachment of the scene. */
export interface ModelAttachment {
  /** Empty where it has none. */
  readonly name: string;
  /** Number of the soft body that has it. */
  readonly softBody: number;
  /** Its vertices, numbered within the soft body. */
  readonly vertices: readonly number[];
  /** Name of the body it is to. */
  readonly body: string;
  /** N; Infinity where it never breaks. */
  readonly breakForce: number;
  /** Place of its number in `attachmentBroken` of the state; −1 where it never breaks. */
  readonly breakIndex: number;
}

/**
 * A tie holds a vertex at x = p: a point of a rigid body, or Σ wᵢ xᵢ + o of a soft body, o an offset that turns with a triangle (along its
 * normal) or with an edge of a rod (along its director and across).
 */
export interface ModelTies {
  /** Number of the attachment. */
  readonly of: Int32Array;
  /** The vertex that is held. */
  readonly vertex: Int32Array;
  /** Rigid body; −1 where it is a soft one. */
  readonly body: Int32Array;
  /** Place in the frame of the rigid body, or offset: along the normal, or along director and binormal of the edge, m. */
  readonly point: Float64Array;
  /** Four vertices of the soft body it is to, −1 where there are fewer. */
  readonly support: Int32Array;
  /** Their weights. */
  readonly weight: Float64Array;
  /** Edge of the rod that it is to; −1 where it is none. */
  readonly edge: Int32Array;
}

/** Edges of rods that turn with a rigid body. */
export interface ModelClamps {
  /** Number of the attachment. */
  readonly of: Int32Array;
  /** Edge of the rod. */
  readonly edge: Int32Array;
  /** The vertex that has the angle of the edge. */
  readonly angle: Int32Array;
  /** Rigid body. */
  readonly body: Int32Array;
  /** Director of the edge at the start, in the frame of the body. */
  readonly direction: Float64Array;
  /** Radius of the rod, m. */
  readonly radius: Float64Array;
}

/** Vertices of a soft body that do not move freely. */
export interface SoftHolds {
  /** Vertices that do not move. */
  readonly pinned: readonly number[];
  /** Vertices that follow a given path. */
  readonly driven: readonly Readonly<DrivenVertices>[];
  /** Vertices pulled to a point by springs. */
  readonly springs: readonly Readonly<SoftSpring>[];
}
