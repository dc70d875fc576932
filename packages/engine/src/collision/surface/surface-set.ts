/**
 * All surfaces of a scene in common arrays: points with the frame that carries them, edges, triangles and who is next to whom.
 * Parts come from surface-parts.ts, areas from surface-areas.ts, parts that need no check from flat-parts.ts.
 */

import type { FramePoses, Frames } from '../../dynamics/frames.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { transformPoint } from '../../linear-algebra/pose.ts';
import type { Model } from '../../model/model.ts';
import { EdgeTable } from './edge-table.ts';
import { findExposedPoints, findSharpEdges } from './flat-parts.ts';
import type { PlaneSurface } from './plane-surface.ts';
import type { SoftCarriers } from './soft-carriers.ts';
import { measureAreas } from './surface-areas.ts';
import { listSurfaceParts, type SurfacePart } from './surface-parts.ts';
import { listTiedBodies } from './tied-bodies.ts';

/** Ranges of the parts of one shape or soft body. */
export interface Surface {
  /** Soft body s counts as shape `size.shape` + s. */
  readonly shape: number;
  /** Of a shape; of a soft body, that of its first vertex. */
  readonly frame: number;
  /** Index of the carrier whose motion is bounded as a whole: rigid frames, then soft bodies. */
  readonly carrier: number;
  /** Number of the soft body; −1 of shapes. */
  readonly soft: number;
  readonly radius: number;
  readonly firstVertex: number;
  readonly endVertex: number;
  readonly firstEdge: number;
  readonly endEdge: number;
  readonly firstTriangle: number;
  readonly endTriangle: number;
  /** Points without edges, and edges without triangles. */
  readonly isPoint: boolean;
  readonly isLoose: boolean;
}

export class SurfaceSet {
  readonly surfaces: Surface[] = [];
  planes: readonly PlaneSurface[];
  /** Per point: place in its frame and in the world, m; its surface, its frame. */
  readonly local: Float64Array;
  readonly world: Float64Array;
  readonly surfaceOf: Int32Array;
  readonly frameOf: Int32Array;
  /** Per point: its vertex among those of all soft bodies; −1 of shapes. */
  readonly vertexOf: Int32Array;
  /** Per point of a soft body: the frame it is fixed to, −1 where there is none. */
  readonly anchor: Int32Array;
  /** Per point: its soft body, −1 of shapes, and the soft body that it is tied to, −2 where there is none. */
  readonly softOf: Int32Array;
  readonly tiedTo: Int32Array;
  /** Whether points are tied to soft bodies. */
  readonly hasTies: boolean;
  /** Per point: the area it represents, m². */
  readonly pointArea: Float64Array;
  /** Two points per edge; the area it represents, m²; whether edge contact is checked. */
  readonly edge: Int32Array;
  readonly edgeArea: Float64Array;
  readonly isSharp: Uint8Array;
  /** Per edge: square of its length at rest, m². */
  readonly edgeSquare: Float64Array;
  /** Per edge: how many triangles it has. */
  readonly edgeTriangles: Int32Array;
  /** Three points and three edges (k from point k to k + 1) per triangle. */
  readonly triangle: Int32Array;
  readonly triangleEdge: Int32Array;
  /** Per point and per edge: the first triangle that has it, −1 where none does. */
  readonly pointOwner: Int32Array;
  readonly edgeOwner: Int32Array;
  /** Per point: whether it is inside a surface, with triangles all around. */
  readonly isInner: Uint8Array;
  /** Per point: whether it is checked against triangles. Points inside a flat part of the world are not. */
  readonly isExposed: Uint8Array;
  /** Per frame: the farthest point from its origin, radius included, m. */
  readonly reach: Float64Array;
  /** How often points have been put elsewhere: equal numbers, equal points. */
  placement = 0;
  /** How often surfaces have been put elsewhere in their frames: equal numbers, equal `local`. */
  forms = 0;
  /** Poses of the last placement. */
  readonly #position: Float64Array;
  readonly #rotation: Float64Array;

  constructor(model: Model, frames: Frames, carriers: SoftCarriers, memory: Memory) {
    const { parts, planes } = listSurfaceParts(model, frames);
    this.planes = planes;
    const pointCount = parts.reduce((sum, { surface }) => sum + surface.vertices.length / 3, 0);
    const triangleCount = parts.reduce((sum, { surface }) => sum + surface.triangles.length / 3, 0);
    this.local = memory.f64(3 * pointCount);
    this.world = memory.f64(3 * pointCount);
    this.surfaceOf = new Int32Array(pointCount);
    this.frameOf = new Int32Array(pointCount);
    this.vertexOf = new Int32Array(pointCount).fill(-1);
    this.anchor = new Int32Array(pointCount).fill(-1);
    this.softOf = new Int32Array(pointCount).fill(-1);
    this.tiedTo = new Int32Array(pointCount).fill(-2);
    this.hasTies = model.soft.tie.body.some((body) => body < 0);
    this.pointArea = new Float64Array(pointCount);
    this.pointOwner = new Int32Array(pointCount).fill(-1);
    this.isInner = new Uint8Array(pointCount).fill(1);
    this.isExposed = new Uint8Array(pointCount).fill(1);
    this.triangle = new Int32Array(3 * triangleCount);
    this.triangleEdge = new Int32Array(3 * triangleCount);
    this.reach = new Float64Array(frames.count);
    this.#position = new Float64Array(3 * frames.count);
    this.#rotation = new Float64Array(9 * frames.count);
    // points of a surface beside each other: in their frame, or as the soft body is made
    const form = new Float64Array(3 * pointCount);
    const edges = new EdgeTable(pointCount);
    let nextPoint = 0;
    let nextTriangle = 0;
    for (const part of parts) {
      const { surface, shape, soft, vertices } = part;
      const frame = vertices ? carriers.frame[vertices[0]] : frames.ofBody[model.shape.body[shape]];
      const firstVertex = nextPoint;
      const firstEdge = edges.count;
      const firstTriangle = nextTriangle;
      nextPoint = this.#addPoints(part, frame, carriers, nextPoint, form);
      for (let i = 0; i < surface.looseEdges.length; i += 2) {
        edges.addLoose(firstVertex + surface.looseEdges[i], firstVertex + surface.looseEdges[i + 1]);
      }
      nextTriangle = this.#addTriangles(surface.triangles, firstVertex, nextTriangle, edges);
      this.surfaces.push({
        shape,
        frame,
        carrier: soft < 0 ? frame : frames.firstSoft + soft,
        soft,
        radius: surface.radius,
        firstVertex,
        endVertex: nextPoint,
        firstEdge,
        endEdge: edges.count,
        firstTriangle,
        endTriangle: nextTriangle,
        isPoint: surface.looseEdges.length + surface.triangles.length === 0,
        isLoose: surface.looseEdges.length > 0,
      });
    }
    this.edge = Int32Array.from(edges.ends);
    this.edgeOwner = Int32Array.from(edges.owner);
    this.edgeArea = new Float64Array(edges.count);
    this.edgeSquare = new Float64Array(edges.count);
    this.edgeTriangles = new Int32Array(edges.count);
    this.isSharp = new Uint8Array(edges.count).fill(1);
    this.#findTies(model);
    measureAreas(this, form);
    findSharpEdges(this, form);
    findExposedPoints(this, frames.moving);
  }

  // places of points, from number `first`; the number behind them
  #addPoints(part: SurfacePart, frame: number, carriers: SoftCarriers, first: number, form: Float64Array): number {
    const { surface, pose, vertices } = part;
    const { local, reach } = this;
    let p = first;
    for (let i = 0; i < surface.vertices.length; i += 3, p++) {
      const v = vertices ? vertices[i / 3] : -1;
      const owner = vertices ? carriers.frame[v] : frame;
      transformPoint(form, 3 * p, pose, 0, surface.vertices, i);
      for (let k = 0; k < 3; k++) local[3 * p + k] = vertices ? carriers.local[3 * v + k] : form[3 * p + k];
      this.surfaceOf[p] = this.surfaces.length;
      this.frameOf[p] = owner;
      this.vertexOf[p] = v;
      reach[owner] = Math.max(
        reach[owner],
        Math.hypot(local[3 * p], local[3 * p + 1], local[3 * p + 2]) + surface.radius,
      );
    }
    return p;
  }

  // triangles of a surface whose points begin at `firstVertex`, from number `first`, and their edges; the number behind them
  #addTriangles(corners: ArrayLike<number>, firstVertex: number, first: number, edges: EdgeTable): number {
    let t = first;
    for (let i = 0; i < corners.length; i += 3, t++) {
      for (let k = 0; k < 3; k++) {
        const p = firstVertex + corners[i + k];
        const q = firstVertex + corners[i + ((k + 1) % 3)];
        this.triangle[3 * t + k] = p;
        if (this.pointOwner[p] < 0) this.pointOwner[p] = t;
        this.triangleEdge[3 * t + k] = edges.find(p, q, t);
      }
    }
    return t;
  }

  // attachments to soft bodies
  #findTies({ soft }: Model): void {
    if (!this.hasTies) return;
    const target = listTiedBodies(soft);
    for (let p = 0; p < this.vertexOf.length; p++) {
      if (this.vertexOf[p] < 0) continue;
      this.softOf[p] = this.surfaces[this.surfaceOf[p]].soft;
      this.tiedTo[p] = target[this.vertexOf[p]];
    }
  }

  /** Takes the places of another set of the same surfaces in their frames, and all that follows from these. */
  takeForm(other: SurfaceSet): void {
    for (const name of ['local', 'pointArea', 'edgeArea', 'edgeSquare', 'reach'] as const) this[name].set(other[name]);
    for (const name of ['isSharp', 'isExposed'] as const) this[name].set(other[name]);
    this.planes = other.planes;
    this.forms++;
    // points in the world are those of before
    this.#position.fill(Number.NaN);
  }

  /** Takes the frames to which vertices of soft bodies are fixed; whether any has changed. */
  setAnchors(anchorOfVertex: Int32Array): boolean {
    const { anchor, vertexOf } = this;
    let hasChanged = false;
    for (let p = 0; p < anchor.length; p++) {
      if (vertexOf[p] < 0 || anchor[p] === anchorOfVertex[vertexOf[p]]) continue;
      anchor[p] = anchorOfVertex[vertexOf[p]];
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Whether points v and w (−1: none) and a part with corners corner[o..o+corners) share a vertex or are fixed to each other. */
  areJoined(v: number, w: number, corner: Int32Array, o: number, corners: number): boolean {
    const { anchor, frameOf } = this;
    for (let i = o; i < o + corners; i++) {
      const p = corner[i];
      if (p === v || p === w) return true;
      if (anchor[p] >= 0 && (anchor[p] === frameOf[v] || (w >= 0 && anchor[p] === frameOf[w]))) return true;
      if (anchor[v] === frameOf[p] || (w >= 0 && anchor[w] === frameOf[p])) return true;
      if (this.hasTies && (this.#areTied(v, p) || (w >= 0 && this.#areTied(w, p)))) return true;
    }
    return false;
  }

  // whether one of two points is tied to the soft body of the other
  #areTied(p: number, q: number): boolean {
    return this.tiedTo[p] === this.softOf[q] || this.tiedTo[q] === this.softOf[p];
  }

  /** Puts all points where the poses have them, unless they are there. */
  place(poses: FramePoses): void {
    const { local, world, frameOf } = this;
    const { position, rotation } = poses;
    if (this.placement > 0 && areEqual(this.#position, position) && areEqual(this.#rotation, rotation)) return;
    this.placement++;
    this.#position.set(position);
    this.#rotation.set(rotation);
    for (let v = 0; v < frameOf.length; v++) {
      const f = frameOf[v];
      const m = 9 * f;
      const x = local[3 * v];
      const y = local[3 * v + 1];
      const z = local[3 * v + 2];
      world[3 * v] = position[3 * f] + rotation[m] * x + rotation[m + 1] * y + rotation[m + 2] * z;
      world[3 * v + 1] = position[3 * f + 1] + rotation[m + 3] * x + rotation[m + 4] * y + rotation[m + 5] * z;
      world[3 * v + 2] = position[3 * f + 2] + rotation[m + 6] * x + rotation[m + 7] * y + rotation[m + 8] * z;
    }
  }
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
