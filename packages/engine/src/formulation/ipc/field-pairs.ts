/**
 * Which shapes touch by a signed-distance field: pairs in which one is a signed-distance shape. Samples p of one surface S stand in
 * the field φ̃ of the other, F, and have to stay above a level c:
 *   samples   c = r + ξ                 no sample enters F; S is never deeper in it than ρ + e
 *   margin    c = r + ξ + ρ + e         the surfaces never meet: φ(y) ≥ φ̃(p) − e − |y − p| > 0 for every y of S
 * r radius around the samples, ρ their covering radius (shape-samples.ts), ξ the separation of the scene, e the error bound of φ̃
 * against the true distance φ, which has slope 1; all m. Under `swept` there are no such pairs: exact surfaces meet instead
 * (shape-surface.ts). Samples are those of the other shape, of the signed-distance shape against planes and terrain, and of
 * two signed-distance shapes those that leave the smaller margin.
 */
import { createPairFilter, mayTouch, pairKey } from '../../collision/pair-filter.ts';
import { PairParameters } from '../../collision/pair-parameters.ts';
import { classifySurfaces, type SurfaceClasses } from '../../collision/surface-class.ts';
import { measureFieldReach, type PlacedField } from '../../geometry/motion/field-approach.ts';
import { SHAPE } from '../../geometry/shape-kind.ts';
import type { SignedDistanceField } from '../../geometry/signed-distance/field.ts';
import { createPlaneField } from '../../geometry/signed-distance/primitive-field.ts';
import { buildSampleTree, type SampleTree } from '../../geometry/signed-distance/sample-tree.ts';
import { createTerrainField } from '../../geometry/signed-distance/terrain-field.ts';
import { type Poses, transformPoint } from '../../linear-algebra/pose.ts';
import { matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import { computeInitialPoses } from '../../model/initial-pose.ts';
import type { Model } from '../../model/model.ts';
import type { Frames } from './frames.ts';
import { sampleShape } from './shape-samples.ts';
import { canTouch, poseInFrame } from './surface-set.ts';

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
  /** Coefficient of friction. */
  readonly friction: number;
}

/** A shape with a field, in the frame that carries it. */
interface FieldShape {
  readonly shape: number;
  readonly frame: number;
  readonly field: SignedDistanceField;
  readonly pose: Poses;
}

/** All pairs of the model that touch by a field, in the order of their shapes. */
export function listFieldPairs(model: Model, frames: Frames): FieldPair[] {
  const { shape, options, size } = model;
  if (options.ipc.signedDistancePromise === 'swept' || !shape.kind.includes(SHAPE.signedDistance)) return [];
  const initial = computeInitialPoses(model.body);
  const filter = createPairFilter(model);
  const classes = classifySurfaces(model);
  const sampled: (SampledSurface | undefined)[] = new Array(size.shape);
  const fields: (FieldShape | undefined)[] = new Array(size.shape);
  const samplesOf = (s: number): SampledSurface | undefined => {
    sampled[s] ??= placeSamples(model, frames, initial, s);
    return sampled[s];
  };
  const fieldOf = (s: number): FieldShape | undefined => {
    fields[s] ??= placeField(model, frames, initial, s);
    return fields[s];
  };
  const pairs: FieldPair[] = [];
  for (let a = 0; a < size.shape; a++) {
    for (let b = a + 1; b < size.shape; b++) {
      if (shape.kind[a] !== SHAPE.signedDistance && shape.kind[b] !== SHAPE.signedDistance) continue;
      if (!canTouch(model, a) || !canTouch(model, b) || !mayTouch(model, filter, a, b)) continue;
      const ways: [SampledSurface, FieldShape][] = [];
      for (const [s, f] of [
        [a, b],
        [b, a],
      ]) {
        const field = fieldOf(f);
        const samples = field && samplesOf(s);
        if (samples) ways.push([samples, field]);
      }
      const best = ways.reduce((one, two) => (measureMargin(two) < measureMargin(one) ? two : one));
      pairs.push(createPair(model, classes, best[0], best[1], measureMargin(best)));
    }
  }
  return pairs;
}

function measureMargin([samples, { field }]: [SampledSurface, FieldShape]): number {
  return samples.coveringRadius + field.errorBound;
}

function createPair(
  model: Model,
  classes: SurfaceClasses,
  samples: SampledSurface,
  { shape, frame, field, pose }: FieldShape,
  margin: number,
): FieldPair {
  const { signedDistancePromise, separation } = model.options.ipc;
  const kept = signedDistancePromise === 'margin' ? margin : 0;
  const level = samples.radius + separation + kept;
  const position = Float64Array.from(pose.position);
  const orientation = Float64Array.from(pose.orientation);
  const rotation = new Float64Array(9);
  matrixFromQuaternion(rotation, 0, orientation, 0);
  // the surface φ̃ = c is at most c beyond the box of the field
  const reach = measureFieldReach(field, position, orientation) + level;
  return {
    samples,
    shape,
    frame,
    target: { field, position, orientation, reach, level },
    rotation,
    margin: kept,
    friction: mixFriction(model, classes, samples.shape, shape),
  };
}

function mixFriction(model: Model, classes: SurfaceClasses, a: number, b: number): number {
  const parameters = new PairParameters();
  const [one, two] = a < b ? [a, b] : [b, a];
  parameters.mix(model, classes, one, two);
  const { pairShapes } = model.contactFilter;
  const count = model.size.shape;
  const explicit = (model.scene.contactPairs ?? []).find(
    (_, i) => pairKey(pairShapes[2 * i], pairShapes[2 * i + 1], count) === pairKey(one, two, count),
  );
  if (explicit) parameters.override(explicit, model.scene.options?.contactOverride);
  // the least friction that parameters give is none
  return parameters.condim === 1 || parameters.friction[0] <= 1e-5 ? 0 : parameters.friction[0];
}

function placeSamples(model: Model, frames: Frames, initial: Poses, s: number): SampledSurface | undefined {
  const found = sampleShape(model, s, model.options.ipc.signedDistanceCovering);
  if (!found) return undefined;
  const pose = poseInFrame(model, frames, initial, s);
  const points = new Float64Array(found.points.length);
  let square = 0;
  for (let i = 0; i < points.length; i += 3) {
    transformPoint(points, i, pose, 0, found.points, i);
    square = Math.max(square, points[i] ** 2 + points[i + 1] ** 2 + points[i + 2] ** 2);
  }
  const { kind, asset } = model.shape;
  const field = kind[s] === SHAPE.signedDistance ? model.geometry.field[asset[s]] : undefined;
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
  const { kind, asset, body } = model.shape;
  const { geometry } = model;
  let field: SignedDistanceField | undefined;
  if (kind[s] === SHAPE.signedDistance) field = geometry.field[asset[s]];
  else if (kind[s] === SHAPE.plane) field = createPlaneField();
  else if (kind[s] === SHAPE.heightField) field = createTerrainField(geometry.heightField[asset[s]]);
  return field && { shape: s, frame: frames.ofBody[body[s]], field, pose: poseInFrame(model, frames, initial, s) };
}
