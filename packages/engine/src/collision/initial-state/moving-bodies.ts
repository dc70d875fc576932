import type { FramePoses, Frames } from '../../dynamics/frames.ts';
import type { SurfaceCandidates } from '../candidates/surface-candidates.ts';
import type { FieldCollisions } from '../collisions/field-collisions.ts';
import type { SurfaceCollisions } from '../collisions/surface-collisions.ts';
import type { SoftCarriers } from '../surface/soft-carriers.ts';
import type { SurfaceSet } from '../surface/surface-set.ts';

/** Bodies whose positions move during a solve, and their collisions: what a check of the first state looks at. */
export interface MovingBodies {
  readonly frames: Frames;
  readonly surfaces: SurfaceSet;
  readonly carriers: SoftCarriers;
  readonly candidates: SurfaceCandidates;
  readonly contacts: SurfaceCollisions;
  readonly fields: FieldCollisions;
  /** Distance at which contact begins, m. */
  readonly range: number;
  /** Per movable frame: mass three times (kg), and inertia, 3 × 3 (kg m²). */
  readonly inertia: { readonly mass: Float64Array; readonly inertia: Float64Array };
  readonly elastic: MovingSoftBodies;
  /** Finds the collisions of the poses. */
  place(poses: FramePoses): void;
}

/** Soft bodies; each has one frame that stands for it where bodies are shifted as wholes. */
export interface MovingSoftBodies {
  readonly isEmpty: boolean;
  readonly count: number;
  shapeProxy(n: number): number;
  /** kg. */
  measureMass(n: number): number;
  eachVertex(visit: (frame: number, shapeProxy: number) => void): void;
  /** A tetrahedron that is inside out, in words. */
  describeInverted(): string | undefined;
}
