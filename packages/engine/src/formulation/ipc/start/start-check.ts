/**
 * What the promise rests on: the start is free of intersection. Looked at in the first step and whenever bodies are not where
 * the last step left them (a reset, a restored state, a user who moved them): a point beyond a plane, parts nearer than the
 * separation, an edge through a triangle, or a surface inside a closed one.
 */
import { createCollisionWorkspace } from '../../../collision/detect-contacts.ts';
import { findClosestPoints } from '../../../collision/queries.ts';
import type { Workspace } from '../../../dynamics/workspace.ts';
import { NexdynError } from '../../../error.ts';
import { classifyEdgeEdge, measureEdgeEdge } from '../../../geometry/distance/edge-edge.ts';
import { measurePointTriangle } from '../../../geometry/distance/point-triangle.ts';
import { SHAPE } from '../../../geometry/shape-kind.ts';
import { computeWindingNumber } from '../../../geometry/signed-distance/winding-number.ts';
import { Arena } from '../../../kernels/arena.ts';
import type { Model } from '../../../model/model.ts';
import type { State } from '../../../state/state.ts';
import { findFieldFault } from '../fields/field-start-check.ts';
import type { IpcObjective } from '../ipc-objective.ts';
import { CONTACT } from '../surfaces/contact-list.ts';
import type { Surface } from '../surfaces/surface-set.ts';
import { describeShapePath } from './shape-path.ts';
import { crosses } from './surface-crossing.ts';

const stencil = /* @__PURE__ */ new Float64Array(12);

/** Moves that are round-off of the integrator, m and share of the size. */
const SMALL = 1e-9;
const SMALL_SHARE = 1e-7;

export class StartCheck {
  readonly #model: Model;
  readonly #objective: IpcObjective;
  /** Whether the next check is to be made. */
  isDue = true;

  constructor(model: Model, objective: IpcObjective) {
    this.#model = model;
    this.#objective = objective;
    this.#checkRange();
  }

  /** Before the frames take the state: how far it is from what they hold. */
  noticeMoves(state: State): void {
    const { frames, candidates, surfaces } = this.#objective;
    const { position, orientation } = frames.current;
    for (let g = 0; g < frames.moving; g++) {
      let square = 0;
      let same = 0;
      let opposite = 0;
      for (let k = 0; k < 3; k++) square += (state.position[7 * g + k] - position[3 * g + k]) ** 2;
      for (let k = 0; k < 4; k++) {
        same += (state.position[7 * g + 3 + k] - orientation[4 * g + k]) ** 2;
        opposite += (state.position[7 * g + 3 + k] + orientation[4 * g + k]) ** 2;
      }
      // the angle is at most π times the distance of the quaternions
      const turn = Math.PI * Math.sqrt(Math.min(same, opposite));
      const moved = Math.sqrt(square) + turn * surfaces.reach[g];
      candidates.displace(g, moved);
      if (moved > SMALL + SMALL_SHARE * surfaces.reach[g]) this.isDue = true;
      // what is attached to it has moved with it
      for (let n = 0; n < this.#model.size.softBody; n++) candidates.displace(frames.firstSoft + n, moved);
    }
    this.#noticeSoftMoves(state);
  }

  #noticeSoftMoves({ softPosition }: State): void {
    const { frames, candidates } = this.#objective;
    const { vertexStart } = this.#model.soft;
    const first = 3 * frames.firstSoft;
    for (let n = 0; n < this.#model.size.softBody; n++) {
      let most = 0;
      for (let v = vertexStart[n]; v < vertexStart[n + 1]; v++) {
        if (frames.isAttached(v)) continue;
        let square = 0;
        for (let i = 3 * v; i < 3 * v + 3; i++) square += (softPosition[i] - frames.current.position[first + i]) ** 2;
        most = Math.max(most, square);
      }
      const moved = Math.sqrt(most);
      candidates.displace(frames.firstSoft + n, moved);
      if (moved > SMALL) this.isDue = true;
    }
  }

  /** Raises an error that names the first pair that intersects, and how deep; the candidates cover the current poses. */
  check(work: Workspace): void {
    if (!this.isDue) return;
    this.#objective.place(this.#objective.frames.current);
    this.#checkVolumes();
    this.#checkPlanes();
    const { candidates, surfaces, contacts } = this.#objective;
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
        if (crosses(this.#objective.surfaces, one, two)) this.#refuse(one.shape, two.shape, Number.NaN);
        continue;
      }
      if (
        crosses(this.#objective.surfaces, one, two) ||
        crosses(this.#objective.surfaces, two, one) ||
        this.#holds(one, two) ||
        this.#holds(two, one)
      )
        this.#refuse(one.shape, two.shape, this.#measureDepth(work, one.shape, two.shape));
    }
    this.#checkFields(ofShape);
    this.isDue = false;
  }

  // parts of a soft body that are nearer at rest than the barrier reaches would push each other all the time
  #checkRest(n: number): void {
    const { contacts, surfaces, candidates, range } = this.#objective;
    const { rest } = this.#model.soft;
    for (let i = 0; i < 4; i++) {
      const v = surfaces.vertexOf[contacts.part[4 * n + i]];
      for (let k = 0; k < 3; k++) stencil[3 * i + k] = rest[3 * v + k];
    }
    const square =
      contacts.kind[n] === CONTACT.edge
        ? measureEdgeEdge(stencil, 0, classifyEdgeEdge(stencil, 0))
        : measurePointTriangle(stencil, 0, contacts.type[n]);
    const distance = Math.sqrt(square);
    if (distance >= range + candidates.pairs.separation[contacts.pair[n]]) return;
    throw new NexdynError(
      'invalid-value',
      `the barrier begins at ${range} m, but parts of ${this.#name(candidates.pairs.shape1[contacts.pair[n]])} that are to touch each other are ${Number(distance.toPrecision(3))} m apart at rest`,
      {
        path: 'options.ipc.barrierDistance',
        hint: 'give a distance below the edges of the mesh and the thickness of the body, or leave selfContact out',
      },
    );
  }

  #checkFields(ofShape: ReadonlyMap<number, Surface>): void {
    const { fields, frames } = this.#objective;
    const fault = findFieldFault(fields, frames.current, (shape, [x, y, z]) => {
      const surface = ofShape.get(shape);
      return surface !== undefined && this.#hasInside(surface, x, y, z);
    });
    if (!fault) return;
    const { pair, depth } = fault;
    const [one, two] = [Math.min(pair.shape, pair.samples.shape), Math.max(pair.shape, pair.samples.shape)];
    if (!(depth < 0)) this.#refuse(one, two, depth);
    const size = (x: number): string => `${Number((1000 * x).toPrecision(4))} mm`;
    throw new NexdynError(
      'invalid-value',
      `${this.#name(one)} and ${this.#name(two)} start ${size(-depth)} apart, less than the ${size(pair.target.level - pair.samples.radius)} that are kept between them`,
      {
        path: 'options.ipc.signedDistancePromise',
        hint: 'move them apart, or ask for a smaller options.ipc.signedDistanceCovering or spacing of the field',
      },
    );
  }

  // a barrier that begins farther away than a body is large would hold it off from everything at once
  #checkRange(): void {
    const { surfaces, local } = this.#objective.surfaces;
    for (const { shape, firstVertex, endVertex, radius, frame, soft } of surfaces) {
      if (soft >= 0 || frame >= this.#objective.frames.moving) continue;
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
    for (const { samples } of this.#objective.fields.pairs) {
      const { frame } = samples;
      if (frame < this.#objective.frames.moving)
        this.#checkSize(samples.shape, 2 * (samples.tree.spheres[3] + samples.radius));
    }
  }

  #checkSize(shape: number, size: number): void {
    const { barrierDistance } = this.#model.options.ipc;
    if (size > barrierDistance) return;
    throw new NexdynError(
      'invalid-value',
      `the barrier begins at ${barrierDistance} m, but ${this.#name(shape)} is only ${Number(size.toPrecision(3))} m large`,
      { path: 'options.ipc.barrierDistance', hint: 'give a distance well below the size of the smallest body' },
    );
  }

  #checkVolumes(): void {
    const inverted = this.#objective.elastic.describeInverted();
    if (inverted === undefined) return;
    throw new NexdynError('invalid-value', `${inverted} has no positive volume at the start`, {
      path: 'softBodies',
      hint: 'put the vertices where every tetrahedron has a positive volume: ipc keeps what is not inside out so',
    });
  }

  #checkPlanes(): void {
    const { candidates, contacts, surfaces } = this.#objective;
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

  // whether two is closed and has a part of one inside: the first point of each part that hangs together
  #holds(one: Surface, two: Surface): boolean {
    const { world } = this.#objective.surfaces;
    if (this.#isFixed(one, two) || this.#isFixed(two, one)) return false;
    return this.#listParts(one).some((v) => this.#hasInside(two, world[3 * v], world[3 * v + 1], world[3 * v + 2]));
  }

  // whether points of one, a soft body, are fixed to the frame of two
  #isFixed(one: Surface, two: Surface): boolean {
    const { anchor } = this.#objective.surfaces;
    if (one.soft < 0 || two.soft >= 0) return false;
    return anchor.subarray(one.firstVertex, one.endVertex).includes(two.frame);
  }

  // the lowest point of each part of a surface that edges hold together; vertices that no triangle uses are none
  #listParts({ firstVertex, endVertex, firstEdge, endEdge, firstTriangle, endTriangle }: Surface): number[] {
    const { edge } = this.#objective.surfaces;
    const root = Int32Array.from({ length: endVertex - firstVertex }, (_, v) => v);
    const isUsed = new Uint8Array(root.length).fill(endTriangle > firstTriangle ? 0 : 1);
    const find = (v: number): number => {
      while (root[v] !== v) {
        root[v] = root[root[v]];
        v = root[v];
      }
      return v;
    };
    for (let e = 2 * firstEdge; e < 2 * endEdge; e += 2) {
      const [p, q] = [edge[e] - firstVertex, edge[e + 1] - firstVertex];
      isUsed[p] = isUsed[q] = 1;
      const [a, b] = [find(p), find(q)];
      root[Math.max(a, b)] = Math.min(a, b);
    }
    const parts: number[] = [];
    for (let v = 0; v < root.length; v++) if (root[v] === v && isUsed[v] === 1) parts.push(firstVertex + v);
    return parts;
  }

  #hasInside(two: Surface, x: number, y: number, z: number): boolean {
    const { triangle, world, edgeTriangles } = this.#objective.surfaces;
    if (two.endTriangle === two.firstTriangle) return false;
    for (let e = two.firstEdge; e < two.endEdge; e++) if (edgeTriangles[e] !== 2) return false;
    const corners = new Float64Array(9 * (two.endTriangle - two.firstTriangle));
    for (let t = 3 * two.firstTriangle, o = 0; t < 3 * two.endTriangle; t++, o += 3)
      for (let k = 0; k < 3; k++) corners[o + k] = world[3 * triangle[t] + k];
    return Math.abs(computeWindingNumber(corners, x, y, z)) > 0.5;
  }

  #measureDepth(work: Workspace, one: number, two: number): number {
    const { size, shape, geometry } = this.#model;
    // soft bodies, edges and points have none
    if (Math.max(one, two) >= size.shape) return Number.NaN;
    for (const s of [one, two])
      if (shape.kind[s] === SHAPE.triangleMesh && !geometry.mesh[shape.asset[s]]) return Number.NaN;
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
    const { ofBody, moving } = this.#objective.frames;
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
