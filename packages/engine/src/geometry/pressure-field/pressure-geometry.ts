/** The representation of a shape in hydroelastic contact: tetrahedra with pressures, a half-space with a pressure, or a rigid surface. */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { HeightField } from '../height-field.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { closeMesh } from '../signed-distance/closed-mesh.ts';
import { ExactMeshField } from '../signed-distance/exact-mesh-field.ts';
import { meshHeightField, meshPolyhedron } from '../signed-distance/shape-triangles.ts';
import { extractSurface } from '../tetrahedra/mesh-surface.ts';
import { bisectTetrahedra } from './bisection.ts';
import { buildPressureMesh, type PressureMesh } from './pressure-mesh.ts';
import { CELL_MAKERS, type ExtentMesh } from './primitive-cells.ts';
import { buildRigidSurface, type RigidSurface } from './rigid-surface.ts';
import { fillField, fillPolyhedron, measureInradius } from './solid-extent.ts';

export type PressureGeometry =
  /** How far the field reaches beyond the surface, m. */
  | { readonly kind: 'solid'; readonly mesh: PressureMesh; readonly margin: number }
  /** Below z = 0; Pa/m, Infinity where it is rigid; m. */
  | { readonly kind: 'halfSpace'; readonly slope: number; readonly margin: number }
  | { readonly kind: 'surface'; readonly surface: RigidSurface };

/** The shape, without its place. */
export type UnplacedShape = Pick<PlacedShape, 'kind' | 'size' | 'hull' | 'mesh' | 'heightField' | 'field'>;

export interface CompliantOptions {
  /** Pressure at the deepest point, Pa. */
  readonly modulus: number;
  /** m; default: a part of the size. */
  readonly resolution: number | undefined;
  /** How far faces reach beyond the surface, m, or less where the solid is small. */
  readonly margin: number;
  /** Of half-spaces: depth at which the pressure is the modulus, m. */
  readonly thickness: number;
}

/** Margins are at most this part of the least half width of a solid. */
const MARGIN_SHARE = 0.1;

export function buildCompliantGeometry(
  shape: UnplacedShape,
  options: CompliantOptions,
  subject = 'the shape',
  place: ErrorPlace = {},
): PressureGeometry {
  const { modulus, thickness } = options;
  if (SHAPE_TABLE[shape.kind].isEndless)
    return { kind: 'halfSpace', slope: modulus / thickness, margin: options.margin };
  const { mesh, extent } = createExtent(shape, options, subject, place);
  const pressure = extent.map((e) => modulus * e);
  return { kind: 'solid', mesh: buildPressureMesh(mesh, pressure, subject, place), margin: options.margin };
}

function createExtent(shape: UnplacedShape, options: CompliantOptions, subject: string, place: ErrorPlace): ExtentMesh {
  const { kind, size, hull } = shape;
  const { resolution } = options;
  if (hull) {
    const inradius = measureInradius(hull);
    const cells = fillPolyhedron(hull, limitMargin(options, inradius));
    return bisect(cells, resolution ?? 0.71 * measureWidth(hull.vertices), subject, place);
  }
  const { cells, hasFlatFaces } = SHAPE_TABLE[kind];
  if (cells) {
    const edge = resolution ?? cells.edge(size);
    const filled = cells.fill(size, edge, limitMargin(options, cells.halfWidth(size)), CELL_MAKERS);
    // cells between flat faces are as large as these
    return hasFlatFaces ? bisect(filled, edge, subject, place) : filled;
  }
  if (shape.heightField) {
    throw new NexdynError('invalid-value', `${subject} is terrain: it has no pressure field`, {
      hint: "use contact: 'point': terrain is rigid to bodies that are hydroelastic",
      ...place,
    });
  }
  const field =
    shape.field ??
    SHAPE_TABLE[kind].field?.(size) ??
    new ExactMeshField(closeMesh(shape.mesh!.vertices, shape.mesh!.triangles, subject, place));
  return fillField(field, resolution, options.margin, subject, place);
}

function bisect({ mesh, extent }: ExtentMesh, edge: number, subject: string, place: ErrorPlace): ExtentMesh {
  const divided = bisectTetrahedra(mesh, extent, edge, subject, place);
  return { mesh: divided.mesh, extent: divided.value };
}

function limitMargin({ margin }: CompliantOptions, least: number): number {
  return Math.min(margin, MARGIN_SHARE * least);
}

/** @param resolution longest edges, m; default: that of the compliant shape; large triangles of meshes are halved */
export function buildRigidGeometry(shape: UnplacedShape, resolution: number | undefined): PressureGeometry {
  const { kind, size, hull, mesh, heightField, field } = shape;
  if (SHAPE_TABLE[kind].isEndless) return { kind: 'halfSpace', slope: Infinity, margin: 0 };
  const wrap = (vertices: ArrayLike<number>, triangles: ArrayLike<number>, edge: number): PressureGeometry => ({
    kind: 'surface',
    surface: buildRigidSurface(vertices, triangles, edge),
  });
  if (hull) return wrap(hull.vertices, meshPolyhedron(hull), resolution ?? 0.71 * measureWidth(hull.vertices));
  if (mesh) return wrap(mesh.vertices, mesh.triangles, resolution ?? 0.71 * measureWidth(mesh.vertices));
  if (heightField) return wrapHeightField(heightField, resolution);
  const { cells, hasFlatFaces } = SHAPE_TABLE[kind];
  const edge = resolution ?? cells?.edge(size) ?? Infinity;
  const { mesh: solid } =
    cells?.fill(size, edge, 0, CELL_MAKERS) ??
    fillField(field ?? SHAPE_TABLE[kind].field!(size), resolution, 0, 'the field', {});
  const { triangles } = extractSurface(solid);
  return wrap(solid.vertices, triangles, hasFlatFaces ? edge : Infinity);
}

function wrapHeightField(heightField: HeightField, resolution: number | undefined): PressureGeometry {
  const { vertices, triangles } = meshHeightField(heightField);
  return { kind: 'surface', surface: buildRigidSurface(vertices, triangles, resolution ?? Infinity) };
}

// longest side of the box around the points
function measureWidth(points: Float64Array): number {
  let widest = 0;
  for (let k = 0; k < 3; k++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = k; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    widest = Math.max(widest, high - low);
  }
  return widest;
}
