/**
 * Checks that triangles bound a solid: every edge is passed twice, once in each direction, and the volume inside is
 * positive. Vertices at the same place count as one if the numbers alone leave edges open.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { triangleMass } from '../mesh-mass.ts';

/** Triangles without border, counter-clockwise from outside. */
export interface ClosedMesh {
  /** x y z of each vertex, m. */
  readonly vertices: Float64Array;
  /** Three vertex numbers per triangle. */
  readonly triangles: Int32Array;
}

/** Copies the mesh, or throws an error that names the fault: for open edges, their number and the first ones. */
export function closeMesh(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
  subject: string,
  place: ErrorPlace = {},
): ClosedMesh {
  const points = Float64Array.from(vertices);
  const given = Int32Array.from(faces);
  checkTriangles(points, given, subject, place);
  // as numbered; else with equal points made one
  let triangles: Int32Array = given;
  if (!isClosed(findBadEdges(given, points.length / 3))) {
    triangles = weldVertices(points, given);
    const bad = findBadEdges(triangles, points.length / 3);
    if (!isClosed(bad)) throw describeBadEdges(bad, points, subject, place);
  }
  if (!(triangleMass(points, triangles, 'exact').mass > 0)) {
    throw new NexdynError('invalid-mesh', `${subject} is inside out: its volume is not positive`, {
      hint: 'reverse the order of the vertices of each face',
      ...place,
    });
  }
  return { vertices: points, triangles };
}

function checkTriangles(points: Float64Array, triangles: Int32Array, subject: string, place: ErrorPlace): void {
  const fail = (what: string): never => {
    throw new NexdynError('invalid-mesh', what, { hint: 'a solid needs a closed surface of triangles', ...place });
  };
  if (triangles.length < 12 || triangles.length % 3 !== 0 || points.length % 3 !== 0) {
    fail(`${subject} has ${points.length} coordinates and ${triangles.length} corners: no closed surface of triangles`);
  }
  for (let i = 0; i < points.length; i++) {
    if (!Number.isFinite(points[i])) fail(`vertex ${Math.floor(i / 3)} of ${subject} is not a finite point`);
  }
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const v = triangles[t + k];
      if (!(v >= 0 && 3 * v < points.length)) fail(`triangle ${t / 3} of ${subject} has no vertex ${v}`);
    }
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const ux = points[b] - points[a];
    const uy = points[b + 1] - points[a + 1];
    const uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a];
    const vy = points[c + 1] - points[a + 1];
    const vz = points[c + 2] - points[a + 2];
    const hasArea = uy * vz - uz * vy !== 0 || uz * vx - ux * vz !== 0 || ux * vy - uy * vx !== 0;
    if (!hasArea) fail(`triangle ${t / 3} of ${subject} (vertices ${a / 3}, ${b / 3}, ${c / 3}) has no area`);
  }
}

/** Edges that are not passed once in each direction. */
export interface BadEdges {
  /** Passed once. */
  open: [number, number][];
  /** Passed twice in one direction. */
  twisted: [number, number][];
  /** Passed more than twice. */
  crowded: [number, number][];
}

function isClosed(bad: BadEdges): boolean {
  return bad.open.length + bad.twisted.length + bad.crowded.length === 0;
}

/** Edges of triangles that are not passed once in each direction. */
export function findBadEdges(triangles: Int32Array, vertexCount: number): BadEdges {
  // passes of each edge, keyed by its lower and higher vertex: forward + 65536 · backward
  const passes = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const from = triangles[t + k];
      const to = triangles[t + ((k + 1) % 3)];
      const key = from < to ? from * vertexCount + to : to * vertexCount + from;
      passes.set(key, (passes.get(key) ?? 0) + (from < to ? 1 : 65536));
    }
  }
  const bad: BadEdges = { open: [], twisted: [], crowded: [] };
  for (const [key, count] of passes) {
    if (count === 65537) continue;
    const edge: [number, number] = [Math.floor(key / vertexCount), key % vertexCount];
    const total = (count & 65535) + (count >>> 16);
    (total === 1 ? bad.open : total === 2 ? bad.twisted : bad.crowded).push(edge);
  }
  return bad;
}

/** Every vertex number replaced by the first one at the same place. */
export function weldVertices(points: Float64Array, triangles: Int32Array): Int32Array {
  const first = new Map<string, number>();
  const same = Int32Array.from({ length: points.length / 3 }, (_, v) => {
    // adding zero makes −0 and 0 one
    const key = `${points[3 * v] + 0} ${points[3 * v + 1] + 0} ${points[3 * v + 2] + 0}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, v);
    return known ?? v;
  });
  return triangles.map((v) => same[v]);
}

const NAMED_EDGES = 3;

function describeBadEdges(bad: BadEdges, points: Float64Array, subject: string, place: ErrorPlace): NexdynError {
  const format = (v: number) => `(${[0, 1, 2].map((k) => Number(points[3 * v + k].toPrecision(6))).join(', ')})`;
  const list = (edges: [number, number][], what: string) => {
    if (edges.length === 0) return [];
    const named = edges.slice(0, NAMED_EDGES).map(([a, b]) => `${a}-${b} from ${format(a)} to ${format(b)}`);
    const rest = edges.length > NAMED_EDGES ? ', ...' : '';
    return [`${edges.length} ${edges.length === 1 ? 'edge' : 'edges'} ${what}: ${named.join(', ')}${rest}`];
  };
  const parts = [
    ...list(bad.open, 'with a triangle on one side only'),
    ...list(bad.twisted, 'whose two triangles face opposite ways'),
    ...list(bad.crowded, 'with more than two triangles'),
  ];
  return new NexdynError('invalid-mesh', `${subject} is not watertight. It has ${parts.join('; ')}`, {
    hint: 'close the surface, or use a convex mesh or a triangle mesh, which need not be closed',
    ...place,
  });
}
