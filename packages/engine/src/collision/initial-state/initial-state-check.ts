/**
 * What the promise rests on: the start is free of intersection. Looked at in the first step and whenever bodies are not where
 * the last step left them (a reset, a restored state, a user who moved them): a point beyond a plane, parts nearer than the
 * separation, an edge through a triangle, or a surface inside a closed one.
 */

import type { Workspace } from '../../dynamics/workspace.ts';
import { NexdynError } from '../../error.ts';
import { classifyEdgeEdge, measureEdgeEdge } from '../../geometry/distance/edge-edge.ts';
import { measurePointTriangle } from '../../geometry/distance/point-triangle.ts';
import { SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import { Arena } from '../../kernels/arena.ts';
import type { Model } from '../../model/model.ts';
import { describeShapePath } from '../../model/shape-path.ts';
import type { State } from '../../state/state.ts';
import { COLLISION } from '../collisions/surface-collisions.ts';
import { createCollisionWorkspace } from '../detect-contacts.ts';
import { findClosestPoints } from '../queries.ts';
import type { Surface } from '../surface/surface-set.ts';
import { findFieldFault } from './field-check.ts';
import type { MovingBodies } from './moving-bodies.ts';
import { crosses } from './surface-crossing.ts';
import { contains, hasInside } from './surface-inside.ts';
import { displaceCandidates, hasTeleported } from './teleports.ts';

const stencil = /* @__PURE__ */ new Float64Array(12);

export class InitialStateCheck {
  readonly #model: Model;
  readonly #bodies: MovingBodies;
  /** Whether the next check is to be made. */
  isDue = true;

  constructor(model: Model, bodies: MovingBodies) {
    this.#model = model;
    this.#bodies = bodies;
    this.#checkRange();
  }

  /** Before the frames take the state: whether it is elsewhere than what they hold. */
  noticeTeleports(state: State): void {
    if (displaceCandidates(this.#model, this.#bodies, state)) this.isDue = true;
  }

  /** Whether the state is elsewhere than what the frames hold. */
  hasTeleported(state: State): boolean {
    return hasTeleported(this.#model, this.#bodies, state);
  }

  /** Raises an error that names the first pair that intersects, and how deep; the candidates cover the current poses. */
  check(work: Workspace): void {
    if (!this.isDue) return;
    this.#bodies.place(this.#bodies.frames.current);
    this.#checkVolumes();
    this.#checkPlanes();
    const { candidates, surfaces, contacts } = this.#bodies;
    for (let n = 0; n < contacts.count; n++) {
      const pair = contacts.pair[n];
      const gap = Math.sqrt(contacts.square[n]) - candidates.pairs.separation[pair];
      if (!(gap > 0)) this.#refuse(candidates.pairs.shape1[pair], candidates.pairs.shape2[pair], -gap);
      if (candidates.pairs.shape1[pair] === candidates.pairs.shape2[pair]) this.#checkRest(n);
    }
    const ofShape = new Map(surfaces.surfaces.map((surface) => [surface.shape, surface]));
    for (let pair = 0; pair < candidates.pairs.count; pair++) {
      const one = ofShape.get(candidates.pairs.shape1[pair]);
      const two = ofShape.get(candidates.pairs.shape2[pair]);
      if (!one || !two) continue;
      if (one === two) {
        if (crosses(surfaces, one, two)) this.#refuse(one.shape, two.shape, Number.NaN);
        continue;
      }
      if (
        crosses(surfaces, one, two) ||
        crosses(surfaces, two, one) ||
        contains(surfaces, one, two) ||
        contains(surfaces, two, one)
      )
        this.#refuse(one.shape, two.shape, this.#measureDepth(work, one.shape, two.shape));
    }
    this.#checkFields(ofShape);
    this.isDue = false;
  }

  // parts of a soft body that are nearer at rest than the barrier reaches would push each other all the time
  #checkRest(n: number): void {
    const { contacts, surfaces, candidates, range } = this.#bodies;
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
    if (distance >= range + candidates.pairs.separation[contacts.pair[n]]) return;
    throw new NexdynError(
      'invalid-value',
      `the barrier begins at ${range} m, but parts of ${this.#name(candidates.pairs.shape1[contacts.pair[n]])} that are to touch each other are ${Number(distance.toPrecision(3))} m apart at rest`,
      {
        path: `${this.#model.options.clearance.path}.barrierDistance`,
        hint: 'give a distance below the edges of the mesh and the thickness of the body, or leave selfContact out',
      },
    );
  }

  #checkFields(ofShape: ReadonlyMap<number, Surface>): void {
    const { fields, frames, surfaces } = this.#bodies;
    const fault = findFieldFault(fields, frames.current, (shape, [x, y, z]) => {
      const surface = ofShape.get(shape);
      return surface !== undefined && hasInside(surfaces, surface, x, y, z);
    });
    if (!fault) return;
    const { pair, depth } = fault;
    const [one, two] = [Math.min(pair.shape, pair.samples.shape), Math.max(pair.shape, pair.samples.shape)];
    if (!(depth < 0)) this.#refuse(one, two, depth);
    const size = (x: number): string => `${Number((1000 * x).toPrecision(4))} mm`;
    const { path } = this.#model.options.clearance;
    throw new NexdynError(
      'invalid-value',
      `${this.#name(one)} and ${this.#name(two)} start ${size(-depth)} apart, less than the ${size(pair.target.level - pair.samples.radius)} that are kept between them`,
      {
        path: `${path}.signedDistancePromise`,
        hint: `move them apart, or ask for a smaller ${path}.signedDistanceCovering or spacing of the field`,
      },
    );
  }

  // a barrier that begins farther away than a body is large would hold it off from everything at once
  #checkRange(): void {
    const { surfaces, local } = this.#bodies.surfaces;
    for (const { shape, firstVertex, endVertex, radius, frame, soft } of surfaces) {
      if (soft >= 0 || frame >= this.#bodies.frames.moving) continue;
      let size = 0;
      for (let k = 0; k < 3; k++) {
        let low = Infinity;
        let high = -Infinity;
        for (let v = firstVertex; v < endVertex; v++) {
          low = Math.min(low, local[3 * v + k]);
          high = Math.max(high, local[3 * v + k]);
        }
        size = Math.max(size, high - low + 2 * radius);
      }
      this.#checkSize(shape, size);
    }
    for (const { samples } of this.#bodies.fields.pairs) {
      const { frame } = samples;
      if (frame < this.#bodies.frames.moving)
        this.#checkSize(samples.shape, 2 * (samples.tree.spheres[3] + samples.radius));
    }
  }

  #checkSize(shape: number, size: number): void {
    const { barrierDistance } = this.#model.options.clearance;
    if (size > barrierDistance) return;
    throw new NexdynError(
      'invalid-value',
      `the barrier begins at ${barrierDistance} m, but ${this.#name(shape)} is only ${Number(size.toPrecision(3))} m large`,
      {
        path: `${this.#model.options.clearance.path}.barrierDistance`,
        hint: 'give a distance well below the size of the smallest body',
      },
    );
  }

  #checkVolumes(): void {
    const inverted = this.#bodies.elastic.describeInverted();
    if (inverted === undefined) return;
    throw new NexdynError('invalid-value', `${inverted} has no positive volume at the start`, {
      path: 'softBodies',
      hint: 'put the vertices where every tetrahedron has a positive volume: ipc keeps what is not inside out so',
    });
  }

  #checkPlanes(): void {
    const { candidates, contacts, surfaces } = this.#bodies;
    const { values, count } = candidates.planes;
    const deepest = new Map<number, number>();
    for (let i = 0; i < count; i += 3) {
      const [p, v, pair] = values.subarray(i, i + 3);
      const [x, y, z, height] = contacts.planeFrame.subarray(4 * p, 4 * p + 4);
      const [a, b, c] = surfaces.world.subarray(3 * v, 3 * v + 3);
      const gap = x * a + y * b + z * c - height - candidates.pairs.separation[pair];
      if (!(gap > 0)) deepest.set(pair, Math.max(deepest.get(pair) ?? 0, -gap));
    }
    for (const [pair, depth] of deepest)
      this.#refuse(candidates.pairs.shape1[pair], candidates.pairs.shape2[pair], depth);
  }

  #measureDepth(work: Workspace, one: number, two: number): number {
    const { size, shape, geometry } = this.#model;
    // soft bodies, edges and points have none
    if (Math.max(one, two) >= size.shape) return Number.NaN;
    for (const s of [one, two])
      if (SHAPE_TABLE[shape.kind[s]].data === 'mesh' && !geometry.mesh[shape.asset[s]]) return Number.NaN;
    const collision = createCollisionWorkspace(this.#model, new Arena());
    return Math.max(0, -findClosestPoints(this.#model, work, collision, one, two).gap);
  }

  #refuse(one: number, two: number, depth: number): never {
    const known = depth > 0 ? ` by ${Number((1000 * depth).toPrecision(4))} mm` : ' (they touch)';
    const size = Number.isNaN(depth) ? '' : known;
    const names =
      one === two ? `${this.#name(one)} intersects itself` : `${this.#name(one)} and ${this.#name(two)} intersect`;
    // the one that may be moved
    const [path, other] = [two, one].map((s) => describeShapePath(this.#model, s));
    const isSecondFixed = this.#isFixedShape(two) && !this.#isFixedShape(one);
    const from = one === two ? 'its parts' : `it and ${isSecondFixed ? path : other}`;
    throw new NexdynError('invalid-value', `${names} at the start${size}`, {
      path: isSecondFixed ? other : path,
      hint: `move ${from} apart by a little more, or switch off contact between them: ipc keeps apart what is apart`,
    });
  }

  #isFixedShape(s: number): boolean {
    const { size, shape } = this.#model;
    const { ofBody, moving } = this.#bodies.frames;
    return s < size.shape && ofBody[shape.body[s]] >= moving;
  }

  #name(s: number): string {
    const { shape, body, soft, size } = this.#model;
    if (s >= size.shape)
      return soft.name[s - size.shape] ? `"${soft.name[s - size.shape]}"` : `soft body ${s - size.shape}`;
    const owner = body.name[shape.body[s]];
    return shape.name[s] ? `shape "${shape.name[s]}"` : owner ? `the shape of "${owner}"` : `shape ${s}`;
  }
}
