/**
 * Collisions of positions that move during a solve, in three stages:
 *   candidates   parts of surfaces that may come near each other, found again where bodies have moved beyond their slack
 *   collisions   those nearer than the range at one configuration: point and triangle, edge and edge, point and plane, sample and field
 *   step limit   the part of a step along which nothing meets (conservative advancement on the true, curved paths)
 * The contact set (detect-contacts.ts) is found once per step instead.
 * Words: IPC Toolkit. Source: Li et al., Incremental Potential Contact (2020).
 */
import type { FramePoses, Frames } from '../dynamics/frames.ts';
import { GROWING_MEMORY, type Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { listFieldPairs } from './candidates/field-pairs.ts';
import { SurfaceCandidates } from './candidates/surface-candidates.ts';
import { FieldCollisions } from './collisions/field-collisions.ts';
import { SurfaceCollisions } from './collisions/surface-collisions.ts';
import { LeftOutPairs } from './initial-state/left-out-pairs.ts';
import { FieldStepLimit } from './step-limit/field-step-limit.ts';
import { SurfaceStepLimit } from './step-limit/surface-step-limit.ts';
import { createSoftCarriers, type SoftCarriers, writeAnchors } from './surface/soft-carriers.ts';
import { SurfaceSet } from './surface/surface-set.ts';

export class MovingCollisions {
  /** Whether contacts are not switched off. */
  readonly isActive: boolean;
  /** Distance at which a collision begins, m. */
  readonly range: number;
  /** What carries the vertices of soft bodies. */
  readonly carriers: SoftCarriers;
  readonly surfaces: SurfaceSet;
  readonly candidates: SurfaceCandidates;
  /** Pairs that do not collide until they have come apart. */
  readonly leftOut: LeftOutPairs = new LeftOutPairs();
  /** Of surfaces and of samples in signed-distance fields, at the poses placed last. */
  readonly ofSurfaces: SurfaceCollisions = new SurfaceCollisions();
  readonly ofFields: FieldCollisions;
  readonly #model: Model;
  readonly #frames: Frames;
  readonly #anchors: Int32Array;
  /** What the places of surfaces in their frames follow from. */
  readonly #poses: readonly Float64Array[];
  /** Placement of the points and build of the candidates that the collisions are of. */
  #placement = -1;
  #builds = -1;
  readonly #surfaceLimit: SurfaceStepLimit;
  readonly #fieldLimit: FieldStepLimit;

  constructor(model: Model, frames: Frames, range: number, memory: Memory) {
    const { disabled } = model.options;
    this.#model = model;
    this.#frames = frames;
    this.range = range;
    this.isActive = !disabled.has('contact') && !disabled.has('constraint');
    this.carriers = createSoftCarriers(model, frames);
    this.#anchors = new Int32Array(model.size.softVertex);
    this.surfaces = new SurfaceSet(model, frames, this.carriers, memory);
    const choose = (a: number, b: number): boolean => !this.leftOut.has(a, b);
    this.candidates = new SurfaceCandidates(model, this.surfaces, frames, this.carriers, choose);
    this.#surfaceLimit = new SurfaceStepLimit(this.surfaces, frames, range);
    this.ofFields = new FieldCollisions(listFieldPairs(model, frames), choose);
    this.#fieldLimit = new FieldStepLimit(this.ofFields, frames);
    this.#extendReach();
    this.#poses = listShapePoses(model).map((numbers) => numbers.slice());
  }

  /** Takes changed friction and poses of shapes; there must be no fields, whose samples stay where they are. */
  readParameters(): void {
    this.candidates.forget();
    const now = listShapePoses(this.#model);
    if (now.every((numbers, n) => areEqual(numbers, this.#poses[n]))) return;
    now.forEach((numbers, n) => {
      this.#poses[n].set(numbers);
    });
    this.carriers.local.set(createSoftCarriers(this.#model, this.#frames).local);
    this.surfaces.takeForm(new SurfaceSet(this.#model, this.#frames, this.carriers, GROWING_MEMORY));
  }

  /** Takes which soft vertices are held, before a step. */
  holdVertices(softHeld: Float64Array): void {
    writeAnchors(this.#anchors, this.#model, this.#frames, this.carriers, softHeld);
    if (this.surfaces.setAnchors(this.#anchors)) this.candidates.forget();
  }

  /** Finds the collisions of the poses among the candidates. */
  place(poses: FramePoses): void {
    if (!this.isActive) return;
    const { surfaces, candidates } = this;
    surfaces.place(poses);
    // those of the same points among the same candidates are known
    if (this.#placement === surfaces.placement && this.#builds === candidates.builds) return;
    this.#placement = surfaces.placement;
    this.#builds = candidates.builds;
    this.ofSurfaces.collect(candidates, surfaces, poses, this.range);
    this.ofFields.collect(poses, this.range);
  }

  /** The part of the paths of the frames that is free, up to 1; candidates come to cover the step. */
  limitStep(): number {
    if (!this.isActive) return 1;
    this.candidates.cover();
    return this.#fieldLimit.measure(this.#surfaceLimit.measure(this.candidates));
  }

  /** Least distance beyond the separation asked for, m; Infinity where nothing is near. */
  get nearest(): number {
    return Math.min(this.ofSurfaces.nearest, this.ofFields.nearest);
  }

  /** How many there are. */
  get count(): number {
    return this.ofSurfaces.count + this.ofFields.count;
  }

  // frames of signed-distance shapes reach as far as their samples and fields
  #extendReach(): void {
    const { reach } = this.surfaces;
    for (const { samples, frame, target } of this.ofFields.pairs) {
      reach[samples.frame] = Math.max(reach[samples.frame], samples.reach);
      if (target.reach < Infinity) reach[frame] = Math.max(reach[frame], target.reach);
    }
  }
}

function listShapePoses({ shape, initialPosition }: Model): Float64Array[] {
  return [shape.position, shape.orientation, initialPosition];
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  return a.every((value, i) => Object.is(value, b[i]));
}
