/**
 * What a contact of the list is at an iterate: r from the nearest point of side B to that of side A, its weights, the arms of
 * both sides, and how the nearest points slide.
 */

import type { FramePoses } from '../../dynamics/frames.ts';
import { pair } from '../../geometry/distance/closest-pair.ts';
import { pairEdgeEdge } from '../../geometry/distance/edge-edge.ts';
import { pairPointTriangle } from '../../geometry/distance/point-triangle.ts';
import type { SurfaceSet } from '../surface/surface-set.ts';
import { COLLISION, type SurfaceCollisions } from './surface-collisions.ts';
import type { WitnessPoints } from './witness-points.ts';

/** Frames of both sides of a collision, arms from their origins to the nearest points (m), and how these slide. */
export interface CollisionSides {
  frameA: number;
  frameB: number;
  readonly armA: Float64Array;
  readonly armB: Float64Array;
  /** K = Σ Jᵢᵀ r Wᵢᵀ, 12 × 3, and its factor; not used where that is 0. */
  readonly sliding: Float64Array;
  slidingScale: number;
}

export class CollisionGeometry {
  /** r, m, and P of closest-pair.ts. */
  readonly offset: Float64Array = new Float64Array(3);
  readonly projector: Float64Array = new Float64Array(9);
  /** Four weights; points of side A come first. */
  readonly weights: Float64Array = new Float64Array(4);
  /** Points of side A: 1, or 2 of an edge. */
  split = 1;
  /** The stencil: four points, m. */
  readonly x: Float64Array = new Float64Array(12);
  /** Per point: from the origin of its frame, m. */
  readonly arm: Float64Array = new Float64Array(12);

  read(sides: CollisionSides, list: SurfaceCollisions, n: number, set: SurfaceSet, poses: FramePoses): void {
    const { x, arm, offset, projector, weights } = this;
    const { world, frameOf } = set;
    const { position } = poses;
    sides.slidingScale = 0;
    if (list.kind[n] === COLLISION.plane) {
      const v = list.part[4 * n];
      const p = list.part[4 * n + 1];
      const f = frameOf[v];
      const plane = list.planeFrame;
      sides.frameA = f;
      sides.frameB = set.planes[p].frame;
      const height = this.#measureHeight(plane, 4 * p, world, 3 * v);
      this.split = 1;
      weights[0] = 1;
      weights[1] = weights[2] = weights[3] = 0;
      for (let k = 0; k < 3; k++) {
        offset[k] = height * plane[4 * p + k];
        sides.armA[k] = world[3 * v + k] - position[3 * f + k];
        sides.armB[k] = sides.armA[k] - offset[k];
        for (let j = 0; j < 3; j++) projector[3 * k + j] = plane[4 * p + k] * plane[4 * p + j];
      }
      return;
    }
    for (let i = 0; i < 4; i++) {
      const v = list.part[4 * n + i];
      const f = frameOf[v];
      x[3 * i] = world[3 * v];
      x[3 * i + 1] = world[3 * v + 1];
      x[3 * i + 2] = world[3 * v + 2];
      arm[3 * i] = world[3 * v] - position[3 * f];
      arm[3 * i + 1] = world[3 * v + 1] - position[3 * f + 1];
      arm[3 * i + 2] = world[3 * v + 2] - position[3 * f + 2];
    }
    const isEdge = list.kind[n] === COLLISION.edge;
    if (isEdge) pairEdgeEdge(x, 0, list.type[n]);
    else pairPointTriangle(x, 0, list.type[n]);
    this.split = isEdge ? 2 : 1;
    sides.frameA = frameOf[list.part[4 * n]];
    sides.frameB = frameOf[list.part[4 * n + 3]];
    // loops, because a call of `set` or `fill` costs more than so few numbers
    for (let k = 0; k < 3; k++) {
      offset[k] = pair.offset[k];
      sides.armA[k] = 0;
      sides.armB[k] = 0;
    }
    for (let k = 0; k < 9; k++) projector[k] = pair.projector[k];
    for (let i = 0; i < 4; i++) {
      const weight = pair.weights[i];
      const isA = i < this.split;
      const out = isA ? sides.armA : sides.armB;
      const c = isA ? weight : -weight;
      weights[i] = weight;
      out[0] += c * arm[3 * i];
      out[1] += c * arm[3 * i + 1];
      out[2] += c * arm[3 * i + 2];
    }
  }

  /** The points of both surfaces that are nearest, for the contact read last, of two rigid frames. */
  writeWitnessPoints(
    out: WitnessPoints,
    sides: CollisionSides,
    list: SurfaceCollisions,
    n: number,
    set: SurfaceSet,
    poses: FramePoses,
  ): void {
    const { offset } = this;
    const { surfaces, surfaceOf } = set;
    const length = Math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2);
    const radiusA = surfaces[surfaceOf[list.part[4 * n]]].radius;
    const radiusB = list.kind[n] === COLLISION.plane ? 0 : surfaces[surfaceOf[list.part[4 * n + 3]]].radius;
    out.a = sides.frameA;
    out.b = sides.frameB;
    writeCollisionKey(out.key, list, n);
    for (let k = 0; k < 3; k++) out.tangentHint[k] = 0;
    if (out.anisotropy[0] !== out.anisotropy[1]) writeRod(out.tangentHint, list, n, set);
    for (let k = 0; k < 3; k++) {
      out.normal[k] = offset[k] / length;
      const core = poses.position[3 * out.a + k] + sides.armA[k];
      out.pointA[k] = core - radiusA * out.normal[k];
      out.pointB[k] = core - offset[k] + radiusB * out.normal[k];
    }
  }

  /** K = Σ Jᵢᵀ r Wᵢᵀ of the pair read last, with its factor; planes do not slide. */
  writeSliding(sides: CollisionSides, scale: number): void {
    const k = sides.sliding;
    const { arm, offset: r } = this;
    const w = pair.duals;
    for (let i = 0; i < 36; i++) k[i] = 0;
    for (let i = 0; i < 4; i++) {
      const w0 = w[3 * i];
      const w1 = w[3 * i + 1];
      const w2 = w[3 * i + 2];
      // points that do not slide
      if (w0 === 0 && w1 === 0 && w2 === 0) continue;
      const o = i < this.split ? 0 : 6;
      const ax = arm[3 * i];
      const ay = arm[3 * i + 1];
      const az = arm[3 * i + 2];
      lever[0] = r[0];
      lever[1] = r[1];
      lever[2] = r[2];
      lever[3] = ay * r[2] - az * r[1];
      lever[4] = az * r[0] - ax * r[2];
      lever[5] = ax * r[1] - ay * r[0];
      for (let a = 0; a < 6; a++) {
        const at = 3 * (o + a);
        k[at] += lever[a] * w0;
        k[at + 1] += lever[a] * w1;
        k[at + 2] += lever[a] * w2;
      }
    }
    sides.slidingScale = scale;
  }

  #measureHeight(plane: Float64Array, o: number, world: Float64Array, v: number): number {
    return plane[o] * world[v] + plane[o + 1] * world[v + 1] + plane[o + 2] * world[v + 2] - plane[o + 3];
  }
}

// friction of a capsule on a plane is laid along the capsule, as in the contact set: a surface of two points with a radius
function writeRod(out: Float64Array, { kind, part }: SurfaceCollisions, n: number, set: SurfaceSet): void {
  const { firstVertex, endVertex, radius } = set.surfaces[set.surfaceOf[part[4 * n]]];
  if (kind[n] !== COLLISION.plane || endVertex - firstVertex !== 2 || radius === 0) return;
  for (let k = 0; k < 3; k++) out[k] = set.world[3 * firstVertex + 3 + k] - set.world[3 * firstVertex + k];
}

/** Kind and parts of contact n, by which it is found again. */
export function writeCollisionKey(out: Int32Array, { kind, part }: SurfaceCollisions, n: number): void {
  out[0] = kind[n];
  for (let k = 0; k < 4; k++) out[k + 1] = kind[n] === COLLISION.plane && k > 1 ? 0 : part[4 * n + k];
}

const lever = /* @__PURE__ */ new Float64Array(6);
