/**
 * A surface as points, edges and triangles: what contact between meshes is made of. Edges without triangles and points without
 * edges count (wires, point clouds), and a radius around all of it makes spheres of points and capsules of edges.
 *
 * Two bodies touch first where a point meets a triangle or an edge meets an edge; with a radius also where a loose point meets a
 * loose edge or a loose point (loose: part of nothing larger), which other pairs do not cover.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';

export interface ContactMesh {
  /** x y z of each vertex in the frame of the body, m. All of them are points of contact. */
  readonly vertices: Float64Array;
  /** Two vertices per edge, the lower one first; each edge once. */
  readonly edges: Int32Array;
  /** Three vertices per triangle. */
  readonly triangles: Int32Array;
  /** Edges of no triangle. */
  readonly looseEdges: Int32Array;
  /** Vertices of no edge. */
  readonly loosePoints: Int32Array;
  /** Thickness around it, m. */
  readonly radius: number;
  /** Box of the vertices: low x y z, high x y z, m. */
  readonly bounds: Float64Array;
  /** Distance of the farthest vertex from the origin of the body, m. */
  readonly reach: number;
}

export interface ContactMeshParts {
  readonly vertices: ArrayLike<number>;
  readonly triangles?: ArrayLike<number>;
  /** Edges besides those of the triangles, two vertices each. */
  readonly edges?: ArrayLike<number>;
  /** Thickness, m; 0 when not given. */
  readonly radius?: number;
}

export function buildContactMesh(parts: ContactMeshParts, subject = 'the mesh', place: ErrorPlace = {}): ContactMesh {
  const vertices = Float64Array.from(parts.vertices);
  const triangles = Int32Array.from(parts.triangles ?? []);
  const wires = Int32Array.from(parts.edges ?? []);
  const radius = parts.radius ?? 0;
  const count = vertices.length / 3;
  checkParts(vertices, [triangles, wires], radius, subject, place);

  // edges once each, by their key; those of triangles come first
  const edges: number[] = [];
  const loose: number[] = [];
  const seen = new Set<number>();
  const addEdge = (p: number, q: number): boolean => {
    const low = Math.min(p, q);
    const high = Math.max(p, q);
    const key = low * count + high;
    if (low === high || seen.has(key)) return false;
    seen.add(key);
    edges.push(low, high);
    return true;
  };
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) addEdge(triangles[t + k], triangles[t + ((k + 1) % 3)]);
  }
  for (let e = 0; e < wires.length; e += 2) {
    if (addEdge(wires[e], wires[e + 1])) loose.push(edges.length / 2 - 1);
  }

  const used = new Uint8Array(count);
  for (const vertex of edges) used[vertex] = 1;
  const loosePoints: number[] = [];
  for (let v = 0; v < count; v++) if (used[v] === 0) loosePoints.push(v);

  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  let square = 0;
  for (let v = 0; v < vertices.length; v += 3) {
    for (let k = 0; k < 3; k++) {
      bounds[k] = Math.min(bounds[k], vertices[v + k]);
      bounds[k + 3] = Math.max(bounds[k + 3], vertices[v + k]);
    }
    square = Math.max(square, vertices[v] ** 2 + vertices[v + 1] ** 2 + vertices[v + 2] ** 2);
  }
  return {
    vertices,
    edges: Int32Array.from(edges),
    triangles,
    looseEdges: Int32Array.from(loose),
    loosePoints: Int32Array.from(loosePoints),
    radius,
    bounds,
    reach: Math.sqrt(square),
  };
}

function checkParts(
  vertices: Float64Array,
  lists: Int32Array[],
  radius: number,
  subject: string,
  place: ErrorPlace,
): void {
  const fail = (reason: string): never => {
    throw new NexdynError('invalid-value', `${subject} ${reason}`, place);
  };
  if (vertices.length === 0 || vertices.length % 3 !== 0)
    fail(`has ${vertices.length} coordinates, not three per vertex`);
  const wrong = vertices.findIndex((x) => !Number.isFinite(x));
  if (wrong >= 0) fail(`has a vertex ${Math.floor(wrong / 3)} that is not finite`);
  if (!(radius >= 0 && radius < Infinity)) fail(`has a radius of ${radius}`);
  lists.forEach((list, k) => {
    if (list.length % (3 - k) !== 0) fail(`has ${list.length} numbers in its ${k === 0 ? 'triangles' : 'edges'}`);
    const beyond = list.find((v) => !(v >= 0 && v < vertices.length / 3));
    if (beyond !== undefined) fail(`speaks of vertex ${beyond} of ${vertices.length / 3}`);
  });
}
