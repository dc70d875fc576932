/**
 * Sample points of any shape with a known covering radius ρ (the guarantee: for a field φ with Lipschitz constant 1
 * known to ±e, every surface point y has φ(y) ≥ min φ̃(samples) − ρ − e).
 *
 * Spheres and capsules are sampled on their core, a point or a segment, and carry the radius of the ball around each sample:
 * a sphere is then exact (ρ = 0). Ends of segments, corners, edges, rims and mesh vertices are among the samples.
 */
import { triangleArea } from '../mesh-mass.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { sampleField } from './field-samples.ts';
import { SAMPLE_MAKERS } from './primitive-samples.ts';
import { buildSampleTree, type SampleTree } from './sample-tree.ts';
import { meshHeightField, meshPolyhedron } from './shape-triangles.ts';
import { type CoveringPoints, sampleTriangles } from './triangle-samples.ts';

export interface SurfaceSamples {
  /** x y z of each sample in the frame of the shape, m. */
  readonly points: Float64Array;
  /** Radius of the ball around each sample; 0 where samples are on the surface, m. */
  readonly radius: number;
  /** ρ: no point of the surface is farther from all those balls than this, m. */
  readonly coveringRadius: number;
  /** Spheres around groups of samples. */
  readonly tree: SampleTree;
}

/** Number of samples to aim at. Mesh vertices and ends of thin shapes may make it more. */
export const DEFAULT_SAMPLES = 1024;

/** Samples of a shape in its frame; undefined for a plane, which has no end. */
export function buildSurfaceSamples(
  shape: Omit<PlacedShape, 'position' | 'rotation'>,
  count: number = DEFAULT_SAMPLES,
): SurfaceSamples | undefined {
  const covering = samplePoints(shape, count);
  if (covering === undefined) return undefined;
  const isRound = SHAPE_TABLE[shape.kind].halfAxis !== undefined;
  return { ...covering, radius: isRound ? shape.size[0] : 0, tree: buildSampleTree(covering.points) };
}

function samplePoints(shape: Omit<PlacedShape, 'position' | 'rotation'>, count: number): CoveringPoints | undefined {
  const { kind, size, hull, mesh, field } = shape;
  const { halfAxis, isEndless, samples, field: createField } = SHAPE_TABLE[kind];
  if (halfAxis) return sampleSegment(halfAxis(size), Math.min(count, SEGMENT_SAMPLES));
  if (hull) return sampleMesh(hull.vertices, meshPolyhedron(hull), count);
  if (mesh) return sampleMesh(mesh.vertices, mesh.triangles, count);
  if (field) return sampleField(field, count);
  if (shape.heightField) {
    const surface = meshHeightField(shape.heightField);
    return sampleMesh(surface.vertices, surface.triangles, count);
  }
  if (samples) return samples(size, SAMPLE_MAKERS, (area, extent) => chooseRadius(area, count, extent));
  return isEndless || !createField ? undefined : sampleField(createField(size), count);
}

const SEGMENT_SAMPLES = 65;

// equal steps along z from end to end
function sampleSegment(h: number, count: number): CoveringPoints {
  const n = h > 0 ? Math.max(count, 2) : 1;
  const points = new Float64Array(3 * n);
  if (n > 1) for (let i = 0; i < n; i++) points[3 * i + 2] = h * ((2 * i) / (n - 1) - 1);
  return { points, coveringRadius: n > 1 ? h / (n - 1) : 0 };
}

function sampleMesh(vertices: Float64Array, triangles: Int32Array, count: number): CoveringPoints {
  let extent = 0;
  for (let i = 0; i < vertices.length; i++) extent = Math.max(extent, Math.abs(vertices[i] - vertices[i % 3]));
  return sampleTriangles(vertices, triangles, chooseRadius(triangleArea(vertices, triangles), count, extent));
}

// squares of side s have a covering radius of s / √2; surfaces without area get a small one
function chooseRadius(area: number, count: number, extent: number): number {
  return Math.max(Math.sqrt(area / (2 * count)), 4e-3 * extent, 1e-12);
}
