/**
 * Which shapes touch by a signed-distance field: pairs in which one is a signed-distance shape. Samples p of one surface S lie in
 * the field φ̃ of the other, F, and must stay above a level c:
 *   samples   c = r + ξ                 no sample enters F; S is never deeper in it than ρ + e
 *   margin    c = r + ξ + ρ + e         the surfaces never meet: φ(y) ≥ φ̃(p) − e − |y − p| > 0 for every y of S
 * r radius around the samples, ρ their covering radius (shape-samples.ts), ξ the separation of the scene, e the error bound of φ̃
 * against the true distance φ, which has slope 1; all m. Under `swept` there are no such pairs: exact surfaces meet instead
 * (shape-surface.ts). Samples are those of the other shape, of the signed-distance shape against planes and terrain, and of
 * two signed-distance shapes those that leave the smaller margin.
 *
 * Fields on a grid are known up to its border alone; beyond it they are carried on by a bound that is flat there. So the level has
 * to lie within it, d̂ included. Where it does not, the exact distance replaces the field of a mesh (and where its error
 * would be the larger part of a margin); balls and capsules are sampled on their surface instead of their core; and where nothing
 * helps the scene is refused.
 */

import type { Frames } from '../../dynamics/frames.ts';
import { NexdynError } from '../../error.ts';
import { measureFieldReach, type PlacedField } from '../../geometry/motion/field-approach.ts';
import { isFieldKind, SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import type { SignedDistanceField } from '../../geometry/signed-distance/field.ts';
import { buildExactMeshField } from '../../geometry/signed-distance/mesh-field.ts';
import { buildSampleTree, type SampleTree } from '../../geometry/signed-distance/sample-tree.ts';
import { createTerrainField } from '../../geometry/signed-distance/terrain-field.ts';
import { type Poses, transformPoint } from '../../linear-algebra/pose.ts';
import { matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import { selectShapeData } from '../../model/collision-geometry.ts';
import { computeInitialPoses } from '../../model/initial-pose.ts';
import type { Model } from '../../model/model.ts';
import { createPairFilter, mayTouch } from '../pair-filter.ts';
import { PairMaterial } from '../pair-material.ts';
import { sampleShape } from '../surface/shape-samples.ts';
import { readFieldMesh } from '../surface/shape-surface.ts';
import { canTouch, poseInFrame } from '../surface/surface-parts.ts';

/** The sampled surface of a shape, in the frame that carries it. */
export interface SampledSurface {
  readonly shape: number;
  readonly frame: number;
  readonly points: Float64Array;
  readonly areas: Float64Array;
  readonly radius: number;
  readonly coveringRadius: number;
  readonly tree: SampleTree;
  /** Of the farthest sample from the origin of the frame, radius included, m. */
  readonly reach: number;
  /** Its own field and the pose of the shape in its frame, where it has one. */
  readonly own: { readonly field: SignedDistanceField; readonly pose: Poses } | undefined;
}

export interface FieldPair {
  readonly samples: SampledSurface;
  /** Shape and frame of the field, and the field there; its level is c of the header. */
  readonly shape: number;
  readonly frame: number;
  readonly target: PlacedField & { readonly level: number };
  /** Of the shape of the field in its frame, row by row. */
  readonly rotation: Float64Array;
  /** ρ + e, or 0 where only samples are kept out, m. */
  readonly margin: number;
  /** The larger coefficient of sliding friction, and the shares of it that the two tangents have. */
  readonly friction: number;
  readonly anisotropy: Float64Array;
  /** Surface of the shape of the field where it is a signed-distance shape that can move, m². */
  readonly fieldArea: number;
}

/** A shape with a field, in the frame that carries it; up to where outside of its surface the field is known, m. */
interface FieldShape {
  readonly band: number;
  readonly shape: number;
  readonly frame: number;
  readonly field: SignedDistanceField;
  readonly pose: Poses;
}

/** All pairs of the model that touch by a field, in the order of their shapes. */
export function listFieldPairs(model: Model, frames: Frames): FieldPair[] {
  const { shape, options, size } = model;
  if (options.clearance.signedDistancePromise === 'swept' || !shape.kind.some(isFieldKind)) return [];
  const initial = computeInitialPoses(model.body);
  const filter = createPairFilter(model);
  const material = new PairMaterial(model);
  const sampled: (SampledSurface | undefined)[] = new Array(size.shape);
  const onSurface: (SampledSurface | undefined)[] = new Array(size.shape);
  const fields: (FieldShape | undefined)[] = new Array(size.shape);
  const exact: (FieldShape | undefined)[] = new Array(size.shape);
  const samplesOf = (s: number): SampledSurface | undefined => {
    sampled[s] ??= placeSamples(model, frames, initial, s, false);
    return sampled[s];
  };
  const fieldOf = (s: number): FieldShape | undefined => {
    fields[s] ??= placeField(model, frames, initial, s);
    return fields[s];
  };
  // samples of s in the field of f, with the level inside the known part of the field if possible
  const findWay = (s: number, f: number): Way | undefined => {
    const field = fieldOf(f);
    const samples = field && samplesOf(s);
    if (!samples) return undefined;
    const isKnown = isWithin(model, [samples, field]);
    const isCoarse =
      options.clearance.signedDistancePromise === 'margin' && field.field.errorBound > samples.coveringRadius;
    const source = isFieldKind(shape.kind[f]) ? model.signedDistanceField[shape.asset[f]] : undefined;
    if (source?.kind === 'mesh' && (isCoarse || !isKnown)) {
      exact[f] ??= { ...field, field: buildExactField(model, shape.asset[f]), band: Infinity };
      return [samples, exact[f]];
    }
    if (isKnown || samples.radius === 0) return [samples, field];
    onSurface[s] ??= placeSamples(model, frames, initial, s, true);
    return [onSurface[s] ?? samples, field];
  };
  const pairs: FieldPair[] = [];
  for (let a = 0; a < size.shape; a++) {
    for (let b = a + 1; b < size.shape; b++) {
      if (!isFieldKind(shape.kind[a]) && !isFieldKind(shape.kind[b])) continue;
      if (!canTouch(model, a) || !canTouch(model, b) || !mayTouch(model, filter, a, b)) continue;
      const ways = [findWay(a, b), findWay(b, a)].filter((way) => way !== undefined);
      const within = ways.filter((way) => isWithin(model, way));
      if (within.length === 0) refuse(model, ways[0]);
      const best = within.reduce((one, two) => (measureMargin(two) < measureMargin(one) ? two : one));
      const isMoving = best[1].frame < frames.moving && isFieldKind(shape.kind[best[1].shape]);
      const own = isMoving ? samplesOf(best[1].shape) : undefined;
      pairs.push(createPair(model, material, best, own?.areas.reduce((sum, share) => sum + share, 0) ?? 0));
    }
  }
  return pairs;
}

/** Samples of one shape in the field of another. */
type Way = readonly [SampledSurface, FieldShape];

// ρ + e
function measureMargin([samples, { field }]: Way): number {
  return samples.coveringRadius + field.errorBound;
}

// c of the header
function measureLevel({ options }: Model, way: Way): number {
  const { signedDistancePromise, separation } = options.clearance;
  return way[0].radius + separation + (signedDistancePromise === 'margin' ? measureMargin(way) : 0);
}

function isWithin(model: Model, way: Way): boolean {
  return measureLevel(model, way) + model.options.clearance.barrierDistance <= way[1].band;
}

function refuse(model: Model, [samples, { shape, field, band }]: Way): never {
  const { shape: shapes, options } = model;
  const { path } = options.clearance;
  const f = shapes.asset[shape];
  const size = (x: number): string => `${Number((1000 * x).toPrecision(3))} mm`;
  const needed = measureLevel(model, [samples, { field } as FieldShape]) + options.clearance.barrierDistance;
  throw new NexdynError(
    'invalid-value',
    `signed-distance field '${model.signedDistanceField[f].name}' ends ${size(band)} outside of its surface, but contact begins at ${size(needed)}`,
    {
      path: `signedDistanceFields[${f}]`,
      hint: `add layers of samples around it, make its spacing or ${path}.signedDistanceCovering smaller, or choose ${path}.signedDistancePromise: 'samples'`,
    },
  );
}

function createPair(model: Model, material: PairMaterial, way: Way, fieldArea: number): FieldPair {
  const [samples, { shape, frame, field, pose }] = way;
  const kept = model.options.clearance.signedDistancePromise === 'margin' ? measureMargin(way) : 0;
  const level = measureLevel(model, way);
  const position = Float64Array.from(pose.position);
  const orientation = Float64Array.from(pose.orientation);
  const rotation = new Float64Array(9);
  matrixFromQuaternion(rotation, 0, orientation, 0);
  // the surface φ̃ = c is at most c beyond the box of the field
  const reach = measureFieldReach(field, position, orientation) + level;
  material.mix(Math.min(samples.shape, shape), Math.max(samples.shape, shape));
  const anisotropy = new Float64Array(2);
  material.writeAnisotropy(anisotropy, 0);
  return {
    samples,
    shape,
    frame,
    target: { field, position, orientation, reach, level },
    rotation,
    margin: kept,
    friction: material.slidingFriction,
    anisotropy,
    fieldArea,
  };
}

function placeSamples(
  model: Model,
  frames: Frames,
  initial: Poses,
  s: number,
  isOnSurface: boolean,
): SampledSurface | undefined {
  const found = sampleShape(model, s, model.options.clearance.signedDistanceCovering, isOnSurface);
  if (!found) return undefined;
  const pose = poseInFrame(model, frames, initial, s);
  const points = new Float64Array(found.points.length);
  let square = 0;
  for (let i = 0; i < points.length; i += 3) {
    transformPoint(points, i, pose, 0, found.points, i);
    square = Math.max(square, points[i] ** 2 + points[i + 1] ** 2 + points[i + 2] ** 2);
  }
  const { kind, asset } = model.shape;
  const { field } = selectShapeData(model.geometry, kind[s], asset[s]);
  return {
    ...found,
    own: field && { field, pose },
    shape: s,
    frame: frames.ofBody[model.shape.body[s]],
    points,
    tree: buildSampleTree(points),
    reach: Math.sqrt(square) + found.radius,
  };
}

// signed-distance shapes, and planes and terrain, which have no samples
function placeField(model: Model, frames: Frames, initial: Poses, s: number): FieldShape | undefined {
  const { kind, asset, body, size } = model.shape;
  const { geometry } = model;
  const data = selectShapeData(geometry, kind[s], asset[s]);
  let field = data.field;
  if (data.heightField) field = createTerrainField(data.heightField);
  else if (SHAPE_TABLE[kind[s]].isEndless) field = SHAPE_TABLE[kind[s]].field?.(size.subarray(3 * s, 3 * s + 3));
  if (!field) return undefined;
  const band = data.field ? measureBand(model, asset[s], field) : Infinity;
  return { shape: s, frame: frames.ofBody[body[s]], field, band, pose: poseInFrame(model, frames, initial, s) };
}

// the least value on the border of the box in which the field of a grid is known, half a cell inside of it
function measureBand({ signedDistanceField }: Model, f: number, field: SignedDistanceField): number {
  const source = signedDistanceField[f];
  // closed forms are known everywhere, and so are the distances of registered shapes
  if (!source || !('spacing' in source)) return Infinity;
  const { spacing } = source;
  const { bounds } = field;
  const counts = [0, 1, 2].map((k) => Math.max(1, Math.round((bounds[3 + k] - bounds[k]) / spacing) - 1));
  const at = [0, 0, 0];
  let least = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [0, counts[axis]]) {
      at[axis] = side;
      for (at[u] = 0; at[u] <= counts[u]; at[u]++) {
        for (at[v] = 0; at[v] <= counts[v]; at[v]++) {
          const [x, y, z] = at.map((i, k) => bounds[k] + (i + 0.5) * spacing);
          least = Math.min(least, field.distance(x, y, z));
        }
      }
    }
  }
  return least;
}

function buildExactField(model: Model, f: number): SignedDistanceField {
  const { vertices, triangles } = readFieldMesh(model, f);
  const { name } = model.signedDistanceField[f];
  return buildExactMeshField(vertices, triangles, `signed-distance field '${name}'`, {
    path: `signedDistanceFields[${f}]`,
  });
}
