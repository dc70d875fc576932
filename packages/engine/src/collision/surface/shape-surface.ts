/**
 * The surface of a shape as points, edges and triangles, each with a radius around it: what the barrier measures distances of.
 *   sphere      one point, radius r                     capsule   one edge, radius r           (both exact)
 *   box, convex mesh, triangle mesh, height field       their triangles, radius 0              (exact)
 *   mesh of edges or points                             these, radius 0                        (exact)
 *   cylinder    prism of 48 sides, inside the cylinder by at most 0.0022 r
 *   ellipsoid   octahedron split into 512 triangles, inside by at most 0.017 of the largest half axis
 * Signed-distance shapes have a surface of this kind where all of it is to be kept apart exactly (`swept`):
 *   mesh field  the triangles of the mesh, radius 0                                            (exact)
 *   torus       ring of 64 edges about the circle, with a radius that holds the torus: at most 0.0013 R beyond it
 * Coordinates in the frame of the shape, m.
 */
import { NexdynError } from '../../error.ts';
import type { ConvexPolyhedron } from '../../geometry/convex/polyhedron.ts';
import { SHAPE } from '../../geometry/shape-kind.ts';
import { meshHeightField, meshPolyhedron } from '../../geometry/signed-distance/shape-triangles.ts';
import { cos, sin } from '../../linear-algebra/elementary.ts';
import type { Model } from '../../model/model.ts';

export interface ShapeSurface {
  readonly vertices: Float64Array;
  readonly triangles: Int32Array;
  /** Edges without triangles: two vertex numbers each. */
  readonly looseEdges: Int32Array;
  readonly radius: number;
}

const SIDES = 48;
const RING = 64;
const NONE = /* @__PURE__ */ new Int32Array(0);

/** The surface of shape s; undefined for planes, and for signed-distance shapes whose samples or whose field touch. */
export function buildShapeSurface(model: Model, s: number): ShapeSurface | undefined {
  const { kind, size, asset } = model.shape;
  const a = size[3 * s];
  const b = size[3 * s + 1];
  const c = size[3 * s + 2];
  const { geometry } = model;
  switch (kind[s]) {
    case SHAPE.sphere:
      return { vertices: new Float64Array(3), triangles: NONE, looseEdges: NONE, radius: a };
    case SHAPE.capsule:
      return {
        vertices: Float64Array.of(0, 0, -b, 0, 0, b),
        triangles: NONE,
        looseEdges: Int32Array.of(0, 1),
        radius: a,
      };
    case SHAPE.box:
      return meshBox(a, b, c);
    case SHAPE.cylinder:
      return meshPrism(a, b);
    case SHAPE.ellipsoid:
      return meshEllipsoid(a, b, c);
    case SHAPE.convexMesh: {
      const hull = geometry.hull[asset[s]] as ConvexPolyhedron;
      return { vertices: hull.vertices, triangles: meshPolyhedron(hull), looseEdges: NONE, radius: 0 };
    }
    case SHAPE.triangleMesh: {
      const mesh = geometry.mesh[asset[s]];
      return mesh
        ? { vertices: mesh.vertices, triangles: mesh.triangles, looseEdges: NONE, radius: 0 }
        : readWire(model, asset[s]);
    }
    case SHAPE.heightField:
      return { ...meshHeightField(geometry.heightField[asset[s]]), looseEdges: NONE, radius: 0 };
    case SHAPE.signedDistance:
      return model.options.ipc.signedDistancePromise === 'swept' ? buildSweptSurface(model, asset[s]) : undefined;
    default:
      return undefined;
  }
}

function readWire({ mesh }: Model, m: number): ShapeSurface {
  const v = 3 * mesh.vertexStart[m];
  return {
    vertices: mesh.vertices.slice(v, v + 3 * mesh.vertexCount[m]),
    triangles: NONE,
    looseEdges: mesh.edges.slice(2 * mesh.edgeStart[m], 2 * mesh.edgeStart[m + 1]),
    radius: 0,
  };
}

/** Vertices and triangles of the mesh of a field. */
export function readFieldMesh(
  { signedDistanceField, mesh }: Model,
  f: number,
): Pick<ShapeSurface, 'vertices' | 'triangles'> {
  const source = signedDistanceField[f];
  const m = source.kind === 'mesh' ? mesh.name.indexOf(source.mesh) : -1;
  const [v, t] = [3 * mesh.vertexStart[m], 3 * mesh.faceStart[m]];
  return {
    vertices: mesh.vertices.slice(v, v + 3 * mesh.vertexCount[m]),
    triangles: mesh.faces.slice(t, t + 3 * mesh.faceCount[m]),
  };
}

function buildSweptSurface(model: Model, f: number): ShapeSurface {
  const source = model.signedDistanceField[f];
  if (!source) {
    throw new NexdynError(
      'unsupported-formulation',
      'a shape known by its distance alone has no exact surface to sweep',
      {
        path: 'options.ipc.signedDistancePromise',
        hint: "choose 'margin', which keeps the whole surface apart, or 'samples'",
      },
    );
  }
  if (source.kind === 'mesh') return { ...readFieldMesh(model, f), looseEdges: NONE, radius: 0 };
  if (source.kind === 'torus') return sweepTorus(source.majorRadius, source.minorRadius);
  throw new NexdynError(
    'unsupported-formulation',
    `signed-distance field '${source.name}' is known at grid points only: it has no exact distance to promise anything by`,
    {
      path: `signedDistanceFields[${f}]`,
      hint: "choose options.ipc.signedDistancePromise: 'margin', which takes the error of the grid into account",
    },
  );
}

// the polygon goes as far beyond the circle at its corners as it stays inside at its middles
function sweepTorus(major: number, minor: number): ShapeSurface {
  const vertices = new Float64Array(3 * RING);
  const looseEdges = new Int32Array(2 * RING);
  const cosine = cos(Math.PI / RING);
  const corner = (2 * major) / (1 + cosine);
  for (let i = 0; i < RING; i++) {
    const angle = (2 * Math.PI * i) / RING;
    vertices.set([corner * cos(angle), corner * sin(angle), 0], 3 * i);
    looseEdges.set([i, (i + 1) % RING], 2 * i);
  }
  return { vertices, triangles: NONE, looseEdges, radius: minor + corner - major };
}

function meshBox(a: number, b: number, c: number): ShapeSurface {
  const vertices = new Float64Array(24);
  for (let i = 0; i < 8; i++) {
    vertices[3 * i] = i & 1 ? a : -a;
    vertices[3 * i + 1] = i & 2 ? b : -b;
    vertices[3 * i + 2] = i & 4 ? c : -c;
  }
  const faces = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  return { vertices, triangles: splitQuads(faces), looseEdges: NONE, radius: 0 };
}

function splitQuads(faces: readonly number[]): Int32Array {
  const triangles: number[] = [];
  for (let f = 0; f < faces.length; f += 4) {
    const [p, q, r, t] = faces.slice(f, f + 4);
    triangles.push(p, q, r, p, r, t);
  }
  return Int32Array.from(triangles);
}

function meshPrism(radius: number, half: number): ShapeSurface {
  const vertices = new Float64Array(6 * SIDES);
  const triangles: number[] = [];
  for (let i = 0; i < SIDES; i++) {
    const angle = (2 * Math.PI * i) / SIDES;
    vertices.set([radius * cos(angle), radius * sin(angle), -half], 6 * i);
    vertices.set([radius * cos(angle), radius * sin(angle), half], 6 * i + 3);
    const low = 2 * i;
    const next = 2 * ((i + 1) % SIDES);
    triangles.push(low, next, next + 1, low, next + 1, low + 1);
    if (i > 0 && i + 1 < SIDES) triangles.push(0, next, low, 1, low + 1, next + 1);
  }
  return { vertices, triangles: Int32Array.from(triangles), looseEdges: NONE, radius: 0 };
}

// an octahedron whose triangles are split in four three times, pushed out to the surface
function meshEllipsoid(a: number, b: number, c: number): ShapeSurface {
  const points: [number, number, number][] = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
  ];
  let faces = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];
  for (let level = 0; level < 3; level++) {
    const middle = new Map<number, number>();
    const halve = (i: number, j: number): number => {
      const key = Math.min(i, j) * 4096 + Math.max(i, j);
      let m = middle.get(key);
      if (m === undefined) {
        const sum = [0, 1, 2].map((k) => points[i][k] + points[j][k]);
        const length = Math.hypot(sum[0], sum[1], sum[2]);
        m = points.push([sum[0] / length, sum[1] / length, sum[2] / length]) - 1;
        middle.set(key, m);
      }
      return m;
    };
    const split: number[] = [];
    for (let f = 0; f < faces.length; f += 3) {
      const [p, q, r] = faces.slice(f, f + 3);
      const [pq, qr, rp] = [halve(p, q), halve(q, r), halve(r, p)];
      split.push(p, pq, rp, q, qr, pq, r, rp, qr, pq, qr, rp);
    }
    faces = split;
  }
  const vertices = Float64Array.from(points.flatMap(([x, y, z]) => [a * x, b * y, c * z]));
  return { vertices, triangles: Int32Array.from(faces), looseEdges: NONE, radius: 0 };
}
