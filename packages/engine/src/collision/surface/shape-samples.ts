/**
 * Samples of the surface of a shape, for contact with a signed-distance field: points with a radius, what share of the surface
 * each represents, and the covering radius ρ: no point of the surface is farther than ρ from all balls around the samples.
 *   sphere                 its centre, radius r: ρ = 0          capsule, wires   points along the edge, radius r
 *   box, meshes, mesh fields   corners and cuts of their triangles   cylinder, ellipsoid   on the true surface
 *   torus                  a lattice of N by M points: ρ = π √((R + r)²/N² + r²/M²), half a cell along both circles
 *   other fields           points on the zero surface (geometry/signed-distance/field-samples.ts)
 * Lengths in m, areas in m², in the frame of the shape. Planes and terrain have no samples: they are fields themselves.
 */
import { NexdynError } from '../../error.ts';
import { triangleArea } from '../../geometry/mesh-mass.ts';
import { isFieldKind, SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import { sampleField } from '../../geometry/signed-distance/field-samples.ts';
import { SAMPLE_MAKERS } from '../../geometry/signed-distance/primitive-samples.ts';
import { sampleTriangles } from '../../geometry/signed-distance/triangle-samples.ts';
import { cosSin } from '../../linear-algebra/elementary.ts';
import type { Model } from '../../model/model.ts';
import { buildShapeSurface, readFieldMesh, type ShapeSurface } from './shape-surface.ts';

export interface ShapeSamples {
  readonly points: Float64Array;
  readonly areas: Float64Array;
  readonly radius: number;
  readonly coveringRadius: number;
}

/** The covering radius that is wanted, m, 0 where none is, and where the scene gives it. */
interface Cover {
  readonly target: number;
  readonly path: string;
}

/** Samples of a shape where the scene gives no covering radius. */
const USUAL_COUNT = 1024;
/** Least covering radius then, share of the size of the shape. */
const LEAST_SHARE = 4e-3;
const MOST_COUNT = 2 ** 19;

/**
 * Samples of shape s with a covering radius of about `target`, of a usual number of them where that is 0. Balls and capsules have
 * theirs on the surface where `isOnSurface` asks for it.
 */
export function sampleShape(
  model: Model,
  s: number,
  target: number,
  isOnSurface: boolean = false,
): ShapeSamples | undefined {
  const { kind, size, asset } = model.shape;
  const sizes = size.subarray(3 * s, 3 * s + 3);
  const cover = { target, path: `${model.options.clearance.path}.signedDistanceCovering` };
  const { isGround, halfAxis, samples, area, hasFlatFaces } = SHAPE_TABLE[kind[s]];
  if (isGround) return undefined;
  if (isFieldKind(kind[s])) return sampleFieldShape(model, asset[s], cover);
  if (samples && area && !hasFlatFaces && (isOnSurface || !halfAxis)) {
    const whole = area(sizes);
    return spread(
      samples(sizes, SAMPLE_MAKERS, (_, halfExtent) => chooseRadius(cover, whole, 2 * halfExtent)),
      whole,
    );
  }
  return sampleSurface(buildShapeSurface(model, s)!, cover);
}

function sampleFieldShape(model: Model, f: number, cover: Cover): ShapeSamples {
  const source = model.signedDistanceField[f];
  if (source?.kind === 'torus') return sampleTorus(source.majorRadius, source.minorRadius, cover);
  if (source?.kind === 'mesh') return sampleSurface({ ...readFieldMesh(model, f), looseEdges: [], radius: 0 }, cover);
  const field = model.geometry.field[f]!;
  const { bounds } = field;
  const [x, y, z] = [bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]];
  // as if it were its box
  const area = 2 * (x * y + y * z + z * x);
  const radius = chooseRadius(cover, area, Math.max(x, y, z));
  const found = sampleField(field, Math.ceil(area / (2 * radius * radius)));
  return { ...found, areas: measureSpacing(found.points, found.coveringRadius), radius: 0 };
}

// the square between each point and its nearest neighbour, in cells of twice the covering radius
function measureSpacing(points: Float64Array, covering: number): Float64Array {
  const size = 2 * covering;
  const cells = new Map<string, number[]>();
  const cellOf = (i: number, dx: number, dy: number, dz: number): string =>
    [dx, dy, dz].map((d, k) => Math.floor(points[i + k] / size) + d).join(' ');
  for (let i = 0; i < points.length; i += 3) {
    const key = cellOf(i, 0, 0, 0);
    const cell = cells.get(key);
    if (cell) cell.push(i);
    else cells.set(key, [i]);
  }
  return Float64Array.from({ length: points.length / 3 }, (_, n) => {
    const i = 3 * n;
    let least = size * size;
    for (let c = 0; c < 27; c++) {
      for (const j of cells.get(cellOf(i, (c % 3) - 1, (Math.floor(c / 3) % 3) - 1, Math.floor(c / 9) - 1)) ?? []) {
        if (j === i) continue;
        const [x, y, z] = [points[j] - points[i], points[j + 1] - points[i + 1], points[j + 2] - points[i + 2]];
        least = Math.min(least, x * x + y * y + z * z);
      }
    }
    return least;
  });
}

/** Samples of points, edges and triangles. */
export function sampleSurface(
  surface: Pick<ShapeSurface, 'vertices' | 'triangles' | 'radius'> & { looseEdges: ArrayLike<number> },
  wanted: Cover,
): ShapeSamples {
  const { vertices, triangles, looseEdges, radius } = surface;
  let extent = 2 * radius;
  for (let i = 0; i < vertices.length; i++) extent = Math.max(extent, Math.abs(vertices[i] - vertices[i % 3]));
  if (triangles.length > 0) {
    const cover = chooseRadius(wanted, triangleArea(vertices, triangles), extent);
    const found = sampleTriangles(vertices, triangles, cover);
    return { ...found, areas: found.areas!, radius };
  }
  // areas of points and edges without triangles: those of the balls around them, never zero
  const least = Math.max(Math.PI * radius * radius, 1e-3 * extent * extent);
  if (looseEdges.length === 0) {
    const areas = new Float64Array(vertices.length / 3).fill(least);
    return { points: vertices, areas, radius, coveringRadius: 0 };
  }
  const points: number[] = [];
  const areas: number[] = [];
  const cover = wanted.target > 0 ? wanted.target : Math.max(LEAST_SHARE * extent, extent / 128);
  let coveringRadius = 0;
  for (let e = 0; e < looseEdges.length; e += 2) {
    const p = 3 * looseEdges[e];
    const q = 3 * looseEdges[e + 1];
    let square = 0;
    for (let k = 0; k < 3; k++) square += (vertices[q + k] - vertices[p + k]) ** 2;
    const length = Math.sqrt(square);
    const count = Math.max(1, Math.ceil(length / (2 * cover)));
    const share = Math.max(least, 2 * radius * length) / (count + 1);
    coveringRadius = Math.max(coveringRadius, length / (2 * count));
    for (let i = 0; i <= count; i++) {
      for (let k = 0; k < 3; k++) points.push(vertices[p + k] + (i / count) * (vertices[q + k] - vertices[p + k]));
      areas.push(share);
    }
  }
  return { points: Float64Array.from(points), areas: Float64Array.from(areas), radius, coveringRadius };
}

function sampleTorus(major: number, minor: number, wanted: Cover): ShapeSamples {
  const area = 4 * Math.PI * Math.PI * major * minor;
  const cover = chooseRadius(wanted, area, 2 * (major + minor));
  // half a cell is at most cover/√2 in both directions
  const around = Math.max(8, Math.ceil((Math.PI * Math.SQRT2 * (major + minor)) / cover));
  const across = Math.max(8, Math.ceil((Math.PI * Math.SQRT2 * minor) / cover));
  const points = new Float64Array(3 * around * across);
  const areas = new Float64Array(around * across);
  const pair = new Float64Array(4);
  for (let i = 0, n = 0; i < around; i++) {
    cosSin(pair, 0, (2 * Math.PI * i) / around);
    for (let j = 0; j < across; j++, n++) {
      cosSin(pair, 2, (2 * Math.PI * j) / across);
      const away = major + minor * pair[2];
      points.set([away * pair[0], away * pair[1], minor * pair[3]], 3 * n);
      areas[n] = (4 * Math.PI * Math.PI * away * minor) / (around * across);
    }
  }
  const coveringRadius = Math.PI * Math.sqrt(((major + minor) / around) ** 2 + (minor / across) ** 2);
  return { points, areas, radius: 0, coveringRadius };
}

// all samples alike
function spread(found: { points: Float64Array; coveringRadius: number }, area: number): ShapeSamples {
  const count = found.points.length / 3;
  return { ...found, areas: new Float64Array(count).fill(area / count), radius: 0 };
}

// squares of side s have a covering radius of s / √2
function chooseRadius({ target, path }: Cover, area: number, extent: number): number {
  if (!(target > 0)) return Math.max(Math.sqrt(area / (2 * USUAL_COUNT)), LEAST_SHARE * extent, 1e-12);
  const count = area / (2 * target * target);
  if (count <= MOST_COUNT) return target;
  throw new NexdynError('too-large', `a surface would have ${Math.ceil(count)} samples, more than ${MOST_COUNT}`, {
    path,
    hint: 'give a larger covering radius',
  });
}
