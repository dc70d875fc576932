/**
 * All surfaces of a scene in common arrays: points with the frame that carries them, edges, triangles and who is next to whom.
 * Areas (m²) weigh contacts, so that the pressure of a barrier does not depend on how finely a surface is cut: of every triangle
 * a point has the share of its angle, so that it does not matter how a face is cut, and an edge a third. A point without triangles counts π r², a loose edge 2 r times its
 * length; where r is 0, a thousandth of the square of the size of the body.
 */
import { SHAPE } from '../../../geometry/shape-kind.ts';
import type { Memory } from '../../../linear-algebra/memory.ts';
import { type Poses, relatePoses, transformPoint } from '../../../linear-algebra/pose.ts';
import { multiplyQuaternions, rotateByQuaternion } from '../../../linear-algebra/quaternion.ts';
import { computeInitialPoses } from '../../../model/initial-pose.ts';
import type { Model } from '../../../model/model.ts';
import type { FramePoses, Frames } from '../frames.ts';
import { buildShapeSurface, type ShapeSurface } from './shape-surface.ts';
import type { SoftCarriers } from './soft-carriers.ts';

/** Where the parts of one shape or soft body stand. */
export interface Surface {
  /** Soft body s counts as shape `size.shape` + s. */
  readonly shape: number;
  /** Of a shape; of a soft body, that of its first vertex. */
  readonly frame: number;
  /** What moves as one where moves are bounded: rigid frames, then soft bodies. */
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

/** A half-space: n · x > c outside, in its frame. */
export interface PlaneSurface {
  readonly shape: number;
  readonly frame: number;
  readonly normal: Float64Array;
  readonly offset: number;
}

/** Sine of the angle between two triangles below which the edge between them is flat and can touch nothing first. */
const FLAT = 1e-9;

export class SurfaceSet {
  readonly surfaces: Surface[] = [];
  readonly planes: PlaneSurface[] = [];
  /** Per point: place in its frame and in the world, m; its surface, its frame. */
  readonly local: Float64Array;
  readonly world: Float64Array;
  readonly surfaceOf: Int32Array;
  readonly frameOf: Int32Array;
  /** Per point: its vertex among those of all soft bodies; −1 of shapes. */
  readonly vertexOf: Int32Array;
  /** Per point of a soft body: the frame it is fixed to, −1 where there is none. */
  readonly anchor: Int32Array;
  readonly pointArea: Float64Array;
  /** Two points per edge; area; whether contact of edges is to be looked for. */
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
  /** Per point: whether it is to be looked for against triangles. Points inside a flat part of the world are not. */
  readonly isExposed: Uint8Array;
  /** Per frame: the farthest point from its origin, radius included, m. */
  readonly reach: Float64Array;

  constructor(model: Model, frames: Frames, carriers: SoftCarriers, memory: Memory) {
    const initial = computeInitialPoses(model.body);
    const parts: SurfacePart[] = [];
    for (let s = 0; s < model.size.shape; s++) {
      if (!canTouch(model, s)) continue;
      const pose = poseInFrame(model, frames, initial, s);
      if (model.shape.kind[s] === SHAPE.plane) this.planes.push(createPlane(model, frames, s, pose));
      const surface = buildShapeSurface(model, s);
      if (surface) parts.push({ surface, shape: s, soft: -1, pose, vertices: undefined });
    }
    for (let n = 0; n < model.size.softBody; n++) {
      if (model.soft.groups[n] !== 0 || model.soft.mask[n] !== 0) parts.push(listSoftPart(model, n));
    }
    const pointCount = parts.reduce((sum, { surface }) => sum + surface.vertices.length / 3, 0);
    const triangleCount = parts.reduce((sum, { surface }) => sum + surface.triangles.length / 3, 0);
    this.local = memory.f64(3 * pointCount);
    this.world = memory.f64(3 * pointCount);
    this.surfaceOf = new Int32Array(pointCount);
    this.frameOf = new Int32Array(pointCount);
    this.vertexOf = new Int32Array(pointCount).fill(-1);
    this.anchor = new Int32Array(pointCount).fill(-1);
    this.pointArea = new Float64Array(pointCount);
    this.pointOwner = new Int32Array(pointCount).fill(-1);
    this.isInner = new Uint8Array(pointCount).fill(1);
    this.isExposed = new Uint8Array(pointCount).fill(1);
    this.triangle = new Int32Array(3 * triangleCount);
    this.triangleEdge = new Int32Array(3 * triangleCount);
    this.reach = new Float64Array(frames.count);
    // points of a surface beside each other: in their frame, or as the soft body is made
    const form = new Float64Array(3 * pointCount);
    const edges: number[] = [];
    const edgeOwner: number[] = [];
    let nextPoint = 0;
    let nextTriangle = 0;
    for (const { surface, shape, soft, pose, vertices } of parts) {
      const frame = vertices ? carriers.frame[vertices[0]] : frames.ofBody[model.shape.body[shape]];
      const firstVertex = nextPoint;
      const firstEdge = edges.length / 2;
      const firstTriangle = nextTriangle;
      for (let i = 0; i < surface.vertices.length; i += 3, nextPoint++) {
        const v = vertices ? vertices[i / 3] : -1;
        const owner = vertices ? carriers.frame[v] : frame;
        transformPoint(form, 3 * nextPoint, pose, 0, surface.vertices, i);
        for (let k = 0; k < 3; k++)
          this.local[3 * nextPoint + k] = vertices ? carriers.local[3 * v + k] : form[3 * nextPoint + k];
        this.surfaceOf[nextPoint] = this.surfaces.length;
        this.frameOf[nextPoint] = owner;
        this.vertexOf[nextPoint] = v;
        const [x, y, z] = this.local.subarray(3 * nextPoint, 3 * nextPoint + 3);
        this.reach[owner] = Math.max(this.reach[owner], Math.hypot(x, y, z) + surface.radius);
      }
      for (const v of surface.looseEdges) edges.push(firstVertex + v);
      while (edgeOwner.length < edges.length / 2) edgeOwner.push(-1);
      const known = new Map<number, number>();
      for (let t = 0; t < surface.triangles.length; t += 3, nextTriangle++) {
        for (let k = 0; k < 3; k++) {
          const p = firstVertex + surface.triangles[t + k];
          const q = firstVertex + surface.triangles[t + ((k + 1) % 3)];
          this.triangle[3 * nextTriangle + k] = p;
          if (this.pointOwner[p] < 0) this.pointOwner[p] = nextTriangle;
          const key = Math.min(p, q) * pointCount + Math.max(p, q);
          let e = known.get(key);
          if (e === undefined) {
            e = edges.length / 2;
            known.set(key, e);
            edges.push(p, q);
            edgeOwner.push(nextTriangle);
          }
          this.triangleEdge[3 * nextTriangle + k] = e;
        }
      }
      this.surfaces.push({
        shape,
        frame,
        carrier: soft < 0 ? frame : frames.firstSoft + soft,
        soft,
        radius: surface.radius,
        firstVertex,
        endVertex: nextPoint,
        firstEdge,
        endEdge: edges.length / 2,
        firstTriangle,
        endTriangle: nextTriangle,
        isPoint: surface.looseEdges.length + surface.triangles.length === 0,
        isLoose: surface.looseEdges.length > 0,
      });
    }
    this.edge = Int32Array.from(edges);
    this.edgeOwner = Int32Array.from(edgeOwner);
    const edgeCount = edgeOwner.length;
    this.edgeArea = new Float64Array(edgeCount);
    this.edgeSquare = new Float64Array(edgeCount);
    this.edgeTriangles = new Int32Array(edgeCount);
    this.isSharp = new Uint8Array(edgeCount).fill(1);
    this.#measureAreas(form);
    this.#findSharpEdges(form);
    this.#findExposedPoints(frames.moving);
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
    }
    return false;
  }

  /** Puts all points where the poses have them. */
  place(poses: FramePoses): void {
    const { local, world, frameOf } = this;
    const { position, rotation } = poses;
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

  #measureAreas(local: Float64Array): void {
    const { triangle, triangleEdge, edge, surfaces } = this;
    for (let t = 0; 3 * t < triangle.length; t++) {
      writeNormal(normal, local, triangle, t);
      const area = 0.5 * Math.hypot(normal[0], normal[1], normal[2]);
      const third = area / 3;
      for (let k = 0; k < 3; k++) {
        this.pointArea[triangle[3 * t + k]] += (area * measureCorner(local, triangle, t, k)) / Math.PI;
        this.edgeArea[triangleEdge[3 * t + k]] += third;
        this.edgeTriangles[triangleEdge[3 * t + k]]++;
      }
    }
    for (let e = 0; 2 * e < edge.length; e++) {
      const p = 3 * edge[2 * e];
      const q = 3 * edge[2 * e + 1];
      for (let k = 0; k < 3; k++) this.edgeSquare[e] += (local[p + k] - local[q + k]) ** 2;
      if (this.edgeTriangles[e] === 2) continue;
      this.isInner[edge[2 * e]] = this.isInner[edge[2 * e + 1]] = 0;
    }
    for (const { firstVertex, endVertex, firstEdge, endEdge, radius, isPoint, isLoose, frame } of surfaces) {
      if (!isPoint && !isLoose) continue;
      const least = 1e-3 * this.reach[frame] ** 2;
      for (let v = firstVertex; v < endVertex; v++) this.pointArea[v] = Math.max(least, Math.PI * radius * radius);
      for (let e = firstEdge; e < endEdge; e++) {
        const p = 3 * edge[2 * e];
        const q = 3 * edge[2 * e + 1];
        const length = Math.hypot(local[p] - local[q], local[p + 1] - local[q + 1], local[p + 2] - local[q + 2]);
        this.edgeArea[e] = Math.max(least, 2 * radius * length);
      }
    }
  }

  // an edge inside a plane: whatever comes near it has met the plane or a border first; soft ones do not stay flat
  #findSharpEdges(local: Float64Array): void {
    const { triangle, triangleEdge, edgeTriangles, isSharp, vertexOf } = this;
    const first = new Map<number, number>();
    for (let t = 0; 3 * t < triangle.length; t++) {
      if (vertexOf[triangle[3 * t]] >= 0) continue;
      for (let k = 0; k < 3; k++) {
        const e = triangleEdge[3 * t + k];
        if (edgeTriangles[e] !== 2) continue;
        const other = first.get(e);
        if (other === undefined) {
          first.set(e, t);
          continue;
        }
        writeNormal(normal, local, triangle, t);
        writeNormal(second, local, triangle, other);
        const a = Math.hypot(normal[0], normal[1], normal[2]);
        const b = Math.hypot(second[0], second[1], second[2]);
        const sine = Math.hypot(
          normal[1] * second[2] - normal[2] * second[1],
          normal[2] * second[0] - normal[0] * second[2],
          normal[0] * second[1] - normal[1] * second[0],
        );
        const cosine = normal[0] * second[0] + normal[1] * second[1] + normal[2] * second[2];
        if (cosine > 0 && sine < FLAT * a * b) isSharp[e] = 0;
      }
    }
  }

  // the same of points, where all edges around are flat; on bodies they stay, since their area carries them on the ground
  #findExposedPoints(world: number): void {
    const { edge, isSharp, isExposed, frameOf, pointOwner } = this;
    for (let v = 0; v < isExposed.length; v++) if (pointOwner[v] >= 0 && frameOf[v] === world) isExposed[v] = 0;
    for (let e = 0; 2 * e < edge.length; e++) {
      if (isSharp[e] === 1) isExposed[edge[2 * e]] = isExposed[edge[2 * e + 1]] = 1;
    }
  }
}

/** What a surface is made of; the vertices of a soft body among those of all. */
interface SurfacePart {
  readonly surface: ShapeSurface;
  readonly shape: number;
  readonly soft: number;
  readonly pose: Poses;
  readonly vertices: Int32Array | undefined;
}

// the vertices that are on the surface, in their order
function listSoftPart(model: Model, n: number): SurfacePart {
  const { triangle, triangleStart, rest } = model.soft;
  const corners = triangle.subarray(3 * triangleStart[n], 3 * triangleStart[n + 1]);
  const vertices = Int32Array.from(new Set(corners)).sort();
  const place = new Map(Array.from(vertices, (v, i) => [v, i]));
  const points = new Float64Array(3 * vertices.length);
  vertices.forEach((v, i) => {
    points.set(rest.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  return {
    surface: {
      vertices: points,
      triangles: corners.map((v) => place.get(v) ?? 0),
      looseEdges: new Int32Array(0),
      radius: 0,
    },
    shape: model.size.shape + n,
    soft: n,
    pose: { position: new Float64Array(3), orientation: Float64Array.of(1, 0, 0, 0) },
    vertices,
  };
}

const normal = /* @__PURE__ */ new Float64Array(3);
const second = /* @__PURE__ */ new Float64Array(3);

// (t₁ − t₀) × (t₂ − t₀), twice the area long
function writeNormal(out: Float64Array, x: Float64Array, triangle: Int32Array, t: number): void {
  const p = 3 * triangle[3 * t];
  const q = 3 * triangle[3 * t + 1];
  const r = 3 * triangle[3 * t + 2];
  const ux = x[q] - x[p];
  const uy = x[q + 1] - x[p + 1];
  const uz = x[q + 2] - x[p + 2];
  const vx = x[r] - x[p];
  const vy = x[r + 1] - x[p + 1];
  const vz = x[r + 2] - x[p + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

// angle of corner k, rad
function measureCorner(x: Float64Array, triangle: Int32Array, t: number, k: number): number {
  const p = 3 * triangle[3 * t + k];
  const q = 3 * triangle[3 * t + ((k + 1) % 3)];
  const r = 3 * triangle[3 * t + ((k + 2) % 3)];
  writeNormal(second, x, triangle, t);
  const dot =
    (x[q] - x[p]) * (x[r] - x[p]) +
    (x[q + 1] - x[p + 1]) * (x[r + 1] - x[p + 1]) +
    (x[q + 2] - x[p + 2]) * (x[r + 2] - x[p + 2]);
  return Math.atan2(Math.hypot(second[0], second[1], second[2]), dot);
}

/** Whether anything may touch shape s. */
export function canTouch({ shape, contactFilter }: Model, s: number): boolean {
  return shape.groups[s] !== 0 || shape.mask[s] !== 0 || contactFilter.pairShapes.includes(s);
}

/** The pose of a shape in the frame that carries it. */
export function poseInFrame(model: Model, frames: Frames, initial: Poses, s: number): Poses {
  const b = model.shape.body[s];
  const world = { position: new Float64Array(3), orientation: new Float64Array(4) };
  const pose = { position: new Float64Array(3), orientation: new Float64Array(4) };
  transformPoint(world.position, 0, initial, b, model.shape.position, 3 * s);
  multiplyQuaternions(world.orientation, 0, initial.orientation, 4 * b, model.shape.orientation, 4 * s);
  const frame = frames.ofBody[b];
  if (frame === frames.moving) return world;
  if (frame < frames.moving) {
    const from = model.initialPosition.subarray(7 * frame, 7 * frame + 7);
    relatePoses(pose, 0, { position: from.slice(0, 3), orientation: from.slice(3, 7) }, 0, world, 0);
  } else {
    relatePoses(pose, 0, initial, frames.mocapBody[frame - frames.moving - 1], world, 0);
  }
  return pose;
}

function createPlane(model: Model, frames: Frames, s: number, pose: Poses): PlaneSurface {
  const up = new Float64Array(3);
  rotateByQuaternion(up, 0, pose.orientation, 0, Float64Array.of(0, 0, 1), 0);
  const offset = up[0] * pose.position[0] + up[1] * pose.position[1] + up[2] * pose.position[2];
  return { shape: s, frame: frames.ofBody[model.shape.body[s]], normal: up, offset };
}
