/** The rest shape of a soft body where it is at the start: vertices with tetrahedra and their surface, the triangles of a shell or the edges of a rod. */
import { NexdynError } from '../error.ts';
import { findRodCrossing, findShellCrossing, type SelfCrossing } from '../geometry/self-crossing.ts';
import { buildShellSurface } from '../geometry/shells/shell-surface.ts';
import { extractSurface } from '../geometry/tetrahedra/mesh-surface.ts';
import { addMiddleVertices } from '../geometry/tetrahedra/quadratic-mesh.ts';
import type { SurfaceRepair } from '../geometry/tetrahedra/repaired-surface.ts';
import { buildSoftMesh } from '../geometry/tetrahedra/soft-mesh.ts';
import { computeVolume } from '../geometry/tetrahedra/tetrahedral-mesh.ts';
import { transformPoint } from '../linear-algebra/pose.ts';
import type { MeshAsset } from '../scene/asset.ts';
import type { PolylineMesh, SoftBody } from '../scene/soft-body.ts';
import { writePose } from './frames.ts';
import { quoteName } from './scene-index.ts';

export interface SoftShape {
  /** 3 of solids, 2 of shells, 1 of rods. */
  readonly dimension: number;
  /** Thickness of a shell, diameter of a rod, m; 0 of solids. */
  readonly thickness: number;
  /** Points, then of rods one vertex per edge, zero, for its angle. */
  readonly vertices: Float64Array;
  readonly pointCount: number;
  /** Two points per edge of a rod. */
  readonly edges: Int32Array;
  readonly tetrahedra: Int32Array;
  /** The surface that touches others, and the tetrahedron behind each triangle, −1 where there is none. */
  readonly triangles: Int32Array;
  readonly behind: Int32Array;
  /** Of 10-node elements: ten vertices each, and the two ends of the edge of every vertex in the middle of one; else empty. */
  readonly nodes: Int32Array;
  readonly ends: Int32Array;
  /** m³. */
  readonly volume: number;
  /** Direction of the first axis of a shell, of fibers in a solid, world. */
  readonly warp: readonly number[];
  /** Of a surface that was repaired. */
  readonly repair?: SurfaceRepair | undefined;
}

export function buildSoftShape(body: SoftBody, assets: readonly MeshAsset[], n: number): SoftShape {
  const place = { path: `softBodies[${n}].mesh` };
  const { mesh } = body;
  switch (mesh.kind) {
    case 'triangles':
    case 'grid':
    case 'shell': {
      const { vertices, triangles } = buildShellSurface(mesh, assets, place);
      const placed = placeVertices(body, vertices);
      if (body.selfContact) refuseCrossing(findShellCrossing(placed, triangles), body, place.path);
      return {
        dimension: 2,
        thickness: mesh.thickness,
        pointCount: vertices.length / 3,
        edges: NONE,
        vertices: placed,
        tetrahedra: new Int32Array(0),
        triangles,
        behind: new Int32Array(triangles.length / 3).fill(-1),
        nodes: NONE,
        ends: NONE,
        volume: mesh.thickness * measureArea(vertices, triangles),
        warp: turn(body, body.elasticity.orthotropic?.warp ?? [1, 0, 0]),
      };
    }
    case 'polyline':
      return buildRod(body, mesh, place.path);
    default: {
      const solid = buildSoftMesh(mesh, assets, `the soft body${quoteName(body.name)}`, place);
      const linear = { vertices: placeVertices(body, solid.vertices), tetrahedra: solid.tetrahedra };
      const placed = body.element === 'tet10' ? addMiddleVertices(linear) : { ...linear, nodes: NONE, ends: NONE };
      const surface = extractSurface(placed);
      if (body.selfContact) refuseCrossing(findShellCrossing(placed.vertices, surface.triangles), body, place.path);
      return {
        dimension: 3,
        thickness: 0,
        ...placed,
        pointCount: placed.vertices.length / 3,
        edges: NONE,
        triangles: surface.triangles,
        behind: surface.tetrahedra,
        volume: computeVolume(placed),
        repair: solid.repair,
        warp: turn(body, unitVector(body.elasticity.fibers?.direction)),
      };
    }
  }
}

const NONE = /* @__PURE__ */ new Int32Array(0);

function buildRod(body: SoftBody, { points, closed, radius }: PolylineMesh, path: string): SoftShape {
  const pointCount = points.length / 3;
  const edgeCount = closed ? pointCount : pointCount - 1;
  const edges = Int32Array.from({ length: 2 * edgeCount }, (_, i) => (Math.floor(i / 2) + (i % 2)) % pointCount);
  const vertices = new Float64Array(3 * (pointCount + edgeCount));
  vertices.set(placeVertices(body, Float64Array.from(points)));
  if (body.selfContact) refuseCrossing(findRodCrossing(vertices, edges), body, path);
  let length = 0;
  for (let e = 0; e < edgeCount; e++) {
    const [a, b] = [3 * edges[2 * e], 3 * edges[2 * e + 1]];
    length += Math.hypot(points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]);
  }
  return {
    dimension: 1,
    thickness: 2 * radius,
    vertices,
    pointCount,
    edges,
    tetrahedra: new Int32Array(0),
    triangles: new Int32Array(0),
    behind: new Int32Array(0),
    nodes: NONE,
    ends: NONE,
    volume: Math.PI * radius * radius * length,
    warp: [1, 0, 0],
  };
}

// a body that is to touch itself cannot come apart where it passes through itself
function refuseCrossing(crossing: SelfCrossing | undefined, { name }: SoftBody, path: string): void {
  if (!crossing) return;
  const { kind, first, second, point } = crossing;
  const place = point.map((value) => Number(value.toPrecision(4))).join(' ');
  const reason = `the soft body${quoteName(name)} passes through itself: ${kind} ${first} and ${second} cross at (${place})`;
  const hint = "move them apart, or leave out 'selfContact'";
  throw new NexdynError('invalid-mesh', reason, { path, hint });
}

function placeVertices(body: SoftBody, from: Float64Array): Float64Array {
  const pose = { position: new Float64Array(3), orientation: new Float64Array(4) };
  writePose(body, pose.position, pose.orientation, 0);
  const vertices = new Float64Array(from.length);
  for (let i = 0; i < vertices.length; i += 3) transformPoint(vertices, i, pose, 0, from, i);
  return vertices;
}

function unitVector(v: readonly number[] = [1, 0, 0]): number[] {
  const length = Math.hypot(v[0], v[1], v[2]);
  return v.map((value) => value / length);
}

function turn(body: SoftBody, direction: readonly number[]): number[] {
  const ends = placeVertices(body, Float64Array.of(0, 0, 0, ...direction));
  return [0, 1, 2].map((k) => ends[3 + k] - ends[k]);
}

function measureArea(x: Float64Array, triangles: Int32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    sum += 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  }
  return sum;
}
