/**
 * What the promise rests on: the start is free of intersection. Names every pair of shapes that is not apart: a point beyond a plane
 * or below the level of a field, parts nearer than the separation, an edge through a triangle, or a surface inside a closed one.
 */

import type { Workspace } from '../../dynamics/workspace.ts';
import { NexdynError } from '../../error.ts';
import { classifyEdgeEdge, measureEdgeEdge } from '../../geometry/distance/edge-edge.ts';
import { measurePointTriangle } from '../../geometry/distance/point-triangle.ts';
import { SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import { Arena } from '../../kernels/arena.ts';
import type { Model } from '../../model/model.ts';
import { SurfaceCandidates } from '../candidates/surface-candidates.ts';
import { FieldCollisions } from '../collisions/field-collisions.ts';
import { COLLISION, SurfaceCollisions } from '../collisions/surface-collisions.ts';
import { type CollisionWorkspace, createCollisionWorkspace } from '../detect-contacts.ts';
import { findClosestPoints } from '../queries.ts';
import type { Surface } from '../surface/surface-set.ts';
import { findFieldFaults } from './field-check.ts';
import { keyOf, type LeftOutPairs, type OverlappingPair } from './left-out-pairs.ts';
import type { MovingBodies } from './moving-bodies.ts';
import { nameShape } from './shape-names.ts';
import { crosses } from './surface-crossing.ts';
import { contains, hasInside } from './surface-inside.ts';

const stencil = /* @__PURE__ */ new Float64Array(12);

export class OverlapSearch {
  readonly #model: Model;
  readonly #bodies: MovingBodies;
  readonly #candidates: SurfaceCandidates;
  readonly #contacts = new SurfaceCollisions();
  readonly #fields: FieldCollisions;
  readonly #surfaceOf: ReadonlyMap<number, Surface>;
  #onlyLeftOut = false;
  #collision: CollisionWorkspace | undefined;

  constructor(model: Model, bodies: MovingBodies, leftOut: LeftOutPairs) {
    this.#model = model;
    this.#bodies = bodies;
    const { surfaces, frames, carriers, fields } = bodies;
    const choose = (a: number, b: number): boolean => !this.#onlyLeftOut || leftOut.has(a, b);
    this.#candidates = new SurfaceCandidates(model, surfaces, frames, carriers, choose);
    this.#fields = new FieldCollisions(fields.pairs, choose);
    this.#surfaceOf = new Map(surfaces.surfaces.map((surface) => [surface.shape, surface]));
  }

  /** All pairs at the current poses with gaps of at most `near`, m. */
  find(work: Workspace, near: number): OverlappingPair[] {
    this.#onlyLeftOut = false;
    return this.#find(work, near);
  }

  /** Those of the pairs left out that are not apart by more than `near`, m. */
  findLeftOut(work: Workspace, near: number): OverlappingPair[] {
    this.#onlyLeftOut = true;
    return this.#find(work, near);
  }

  #find(work: Workspace, near: number): OverlappingPair[] {
    const { frames, surfaces, range } = this.#bodies;
    const candidates = this.#candidates;
    const found = new Map<number, OverlappingPair>();
    const add = (shape1: number, shape2: number, depth: number): void => {
      const key = keyOf(shape1, shape2);
      const known = found.get(key);
      if (!known || depth > known.depth || Number.isNaN(known.depth))
        found.set(key, { shape1: Math.min(shape1, shape2), shape2: Math.max(shape1, shape2), depth });
    };
    surfaces.place(frames.current);
    candidates.forget();
    candidates.cover();
    this.#contacts.collect(candidates, surfaces, frames.current, range);
    this.#fields.collect(frames.current, range);
    this.#findNear(near, add);
    this.#findCrossing(work, found, add);
    for (const { pair, depth } of findFieldFaults(this.#fields, frames.current, near, (shape, [x, y, z]) => {
      const surface = this.#surfaceOf.get(shape);
      return surface !== undefined && hasInside(surfaces, surface, x, y, z);
    }))
      add(pair.shape, pair.samples.shape, depth);
    return [...found.keys()].sort((a, b) => a - b).map((key) => found.get(key)!);
  }

  // points below planes and parts nearer than the separation
  #findNear(near: number, add: (one: number, two: number, depth: number) => void): void {
    const { pairs, planes } = this.#candidates;
    const { world } = this.#bodies.surfaces;
    const contacts = this.#contacts;
    const { planeFrame } = contacts;
    for (let i = 0; i < planes.count; i += 3) {
      const o = 4 * planes.values[i];
      const v = 3 * planes.values[i + 1];
      const pair = planes.values[i + 2];
      const height =
        planeFrame[o] * world[v] +
        planeFrame[o + 1] * world[v + 1] +
        planeFrame[o + 2] * world[v + 2] -
        planeFrame[o + 3];
      const gap = height - pairs.separation[pair];
      if (!(gap > near)) add(pairs.shape1[pair], pairs.shape2[pair], -gap);
    }
    for (let n = 0; n < contacts.count; n++) {
      const pair = contacts.pair[n];
      if (contacts.kind[n] === COLLISION.plane) continue;
      const gap = Math.sqrt(contacts.square[n]) - pairs.separation[pair];
      if (pairs.shape1[pair] === pairs.shape2[pair]) this.#checkRest(n);
      if (!(gap > near)) add(pairs.shape1[pair], pairs.shape2[pair], -gap);
    }
  }

  // edges through triangles, and one surface inside another
  #findCrossing(
    work: Workspace,
    found: ReadonlyMap<number, OverlappingPair>,
    add: (one: number, two: number, depth: number) => void,
  ): void {
    const { surfaces } = this.#bodies;
    const { pairs } = this.#candidates;
    for (let pair = 0; pair < pairs.count; pair++) {
      const one = this.#surfaceOf.get(pairs.shape1[pair]);
      const two = this.#surfaceOf.get(pairs.shape2[pair]);
      if (!one || !two) continue;
      if (one === two) {
        if (crosses(surfaces, one, two)) add(one.shape, two.shape, Number.NaN);
        continue;
      }
      // how deep it is matters when it is first seen
      if (this.#onlyLeftOut && found.has(keyOf(one.shape, two.shape))) continue;
      if (
        crosses(surfaces, one, two) ||
        crosses(surfaces, two, one) ||
        contains(surfaces, one, two) ||
        contains(surfaces, two, one)
      )
        add(one.shape, two.shape, this.#measureDepth(work, one.shape, two.shape));
    }
  }

  // parts of a soft body that are nearer at rest than the barrier reaches would push each other all the time
  #checkRest(n: number): void {
    const { surfaces, range } = this.#bodies;
    const contacts = this.#contacts;
    const { pairs } = this.#candidates;
    const { rest } = this.#model.soft;
    for (let i = 0; i < 4; i++) {
      const v = surfaces.vertexOf[contacts.part[4 * n + i]];
      for (let k = 0; k < 3; k++) stencil[3 * i + k] = rest[3 * v + k];
    }
    const square =
      contacts.kind[n] === COLLISION.edge
        ? measureEdgeEdge(stencil, 0, classifyEdgeEdge(stencil, 0))
        : measurePointTriangle(stencil, 0, contacts.type[n]);
    const distance = Math.sqrt(square);
    if (distance >= range + pairs.separation[contacts.pair[n]]) return;
    throw new NexdynError(
      'invalid-value',
      `the barrier begins at ${range} m, but parts of ${nameShape(this.#model, pairs.shape1[contacts.pair[n]])} that are to touch each other are ${Number(distance.toPrecision(3))} m apart at rest`,
      {
        path: `${this.#model.options.clearance.path}.barrierDistance`,
        hint: 'give a distance below the edges of the mesh and the thickness of the body, or leave selfContact out',
      },
    );
  }

  #measureDepth(work: Workspace, one: number, two: number): number {
    const { size, shape, geometry } = this.#model;
    // soft bodies, edges and points have none
    if (Math.max(one, two) >= size.shape) return Number.NaN;
    for (const s of [one, two])
      if (SHAPE_TABLE[shape.kind[s]].data === 'mesh' && !geometry.mesh[shape.asset[s]]) return Number.NaN;
    this.#collision ??= createCollisionWorkspace(this.#model, new Arena());
    return Math.max(0, -findClosestPoints(this.#model, work, this.#collision, one, two).gap);
  }
}
