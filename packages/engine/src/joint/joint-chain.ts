/**
 * The joints between a body and its parent in body coordinates, as one chain: they act in series, hinges and slides in the
 * order of the scene. Constants of the chain, in the frame of the parent (body 1) or child (body 2) at the initial pose.
 *
 * Rotation and translation are separated: slides do not rotate, so the orientation of the child alone gives the angles, and its
 * position then gives the slides. This needs independent hinge axes and independent slide axes; two hinges about
 * distinct parallel axes are also resolved by the position.
 */
import { NexdynError } from '../error.ts';
import { unrotateByQuaternion } from '../linear-algebra/pose.ts';
import { multiplyQuaternions, quaternionFromAxisAngle } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';

/** Sine of the angle between axes that count as parallel; distance of parallel axes that count as one, m. */
const PARALLEL = 1e-6;
const COINCIDENT = 1e-9;

export interface JointChain {
  readonly body1: number;
  readonly body2: number;
  /** The constraint joints: first, and how many. */
  readonly first: number;
  readonly count: number;
  /** Its hinges in order; or the one ball. */
  readonly hinges: readonly number[];
  readonly ball: number;
  readonly slides: readonly number[];
  /** Free directions: 1 per hinge and slide, 3 for a ball. */
  readonly freedom: number;
  /** Rows of the residual that are lengths; they stand before those that are angles. */
  readonly lengths: number;
  /** Orientation of the child in the parent at the initial pose. */
  readonly restOrientation: Float64Array;
  /** A point of the chain where turning leaves it: in the frame of the child, and of the parent at the initial pose. */
  readonly point2: Float64Array;
  readonly point1: Float64Array;
  /** With u the first hinge axis: l, m across u, u × l = m. Two hinges: l is the part of the second axis across the first, or, of parallel
   * axes, the direction from the first to the second. */
  readonly across1: Float64Array;
  /** Child side. One hinge or parallel ones: l in the frame of the child. Two: l, m across the second axis, l the part of the first across it. */
  readonly across2: Float64Array;
  /** Cosine and sine of the angle between two hinge axes. */
  readonly angle: Float64Array;
  /** Two hinges about parallel axes: how far those are apart, m; else 0 (see parallel-hinges.ts). */
  readonly distance: number;
  /** One slide: two vectors across it. Two: the length of their cross product. Parent's frame, initial pose. */
  readonly acrossSlide: Float64Array;
  readonly slideSine: number;
}

/** All chains of a model in body coordinates. */
export function listJointChains(model: Model): JointChain[] {
  const { kind, body2 } = model.constraintJoint;
  const chains: JointChain[] = [];
  for (let first = 0, end = 0; first < kind.length; first = end) {
    while (end < kind.length && body2[end] === body2[first]) end++;
    chains.push(createJointChain(model, first, end));
  }
  return chains;
}

function createJointChain(model: Model, first: number, end: number): JointChain {
  const { kind, body1, body2, anchor1, anchor2, axis1, axis2 } = model.constraintJoint;
  const numbers = Array.from({ length: end - first }, (_, k) => first + k);
  const hinges = numbers.filter((c) => kind[c] === JOINT.hinge);
  const slides = numbers.filter((c) => kind[c] === JOINT.slide);
  const balls = numbers.filter((c) => kind[c] === JOINT.ball);
  const distance = measureDistance(model, hinges, slides.length + balls.length);
  if (distance === 0) checkIndependence(model, first, hinges, slides, balls.length);

  const restOrientation = findRestOrientation(model, first, end);
  const across1 = new Float64Array(6);
  const across2 = new Float64Array(6);
  const angle = new Float64Array(2);
  if (hinges.length === 1) {
    writeAcross(across1, axis1, 3 * hinges[0]);
    unrotateByQuaternion(across2, 0, restOrientation, 0, across1, 0);
  } else if (hinges.length === 2) {
    const [a, b] = hinges;
    angle[0] = dot(axis1, 3 * a, axis1, 3 * b);
    if (distance > 0) {
      const way = anchor1.slice(3 * b, 3 * b + 3).map((x, k) => x - anchor1[3 * a + k]);
      writePart(across1, way, 0, axis1, 3 * a);
      unrotateByQuaternion(across2, 0, restOrientation, 0, across1, 0);
    } else {
      angle[1] = Math.sqrt(1 - angle[0] * angle[0]);
      writePart(across1, axis1, 3 * b, axis1, 3 * a);
      writePart(across2, axis2, 3 * a, axis2, 3 * b);
    }
  }
  const acrossSlide = new Float64Array(6);
  if (slides.length === 1) writeAcross(acrossSlide, axis1, 3 * slides[0]);
  const last = [...hinges, ...balls].at(-1) ?? end - 1;
  return {
    body1: body1[first],
    body2: body2[first],
    first,
    count: end - first,
    hinges,
    ball: balls.length > 0 ? balls[0] : -1,
    slides,
    freedom: hinges.length + slides.length + 3 * balls.length,
    lengths: distance > 0 ? 2 : 3 - slides.length,
    restOrientation,
    point2: anchor2.slice(3 * last, 3 * last + 3),
    point1: anchor1.slice(3 * last, 3 * last + 3),
    across1,
    across2,
    angle,
    distance,
    acrossSlide,
    slideSine: slides.length === 2 ? sineBetween(axis1, slides[0], slides[1]) : 1,
  };
}

/** How far the axes of two hinges that are all of a chain are apart, where they are parallel; else 0. */
function measureDistance({ constraintJoint }: Model, hinges: readonly number[], others: number): number {
  const { anchor1, axis1 } = constraintJoint;
  if (hinges.length !== 2 || others > 0 || sineBetween(axis1, hinges[0], hinges[1]) >= PARALLEL) return 0;
  const [a, b] = hinges;
  const way = anchor1.slice(3 * b, 3 * b + 3).map((x, k) => x - anchor1[3 * a + k]);
  const along = dot(way, 0, axis1, 3 * a);
  const distance = Math.sqrt(Math.max(0, dot(way, 0, way, 0) - along * along));
  return distance > COINCIDENT ? distance : 0;
}

function checkIndependence(
  model: Model,
  first: number,
  hinges: readonly number[],
  slides: readonly number[],
  balls: number,
): void {
  const { axis1, body2 } = model.constraintJoint;
  const isTurningDependent =
    hinges.length > 3 ||
    balls > 1 ||
    (balls > 0 && hinges.length > 0) ||
    hinges.some((c, k) => k > 0 && sineBetween(axis1, hinges[k - 1], c) < PARALLEL);
  const isSlidingDependent =
    slides.length > 3 ||
    (slides.length === 2 && sineBetween(axis1, slides[0], slides[1]) < PARALLEL) ||
    (slides.length === 3 && Math.abs(spanVolume(axis1, slides)) < 1e-6);
  if (!isTurningDependent && !isSlidingDependent) return;
  const motion = isTurningDependent ? 'turn' : 'slide';
  const name = model.body.name[body2[first]] || `body ${body2[first]}`;
  throw new NexdynError('invalid-joint', `joints of '${name}' ${motion} it about axes that depend on each other`, {
    path: `${model.body.path[body2[first]]}.joints`,
    hint: "put a body between them, or compile the scene with coordinates: 'joint'",
  });
}

// the model holds the orientation at joint positions of zero: turn forward again, the last hinge first
function findRestOrientation(model: Model, first: number, end: number): Float64Array {
  const { kind, axis2, orientation, reference } = model.constraintJoint;
  const out = orientation.slice(4 * first, 4 * first + 4);
  const turn = new Float64Array(4);
  for (let c = end - 1; c >= first; c--) {
    if (kind[c] !== JOINT.hinge) continue;
    quaternionFromAxisAngle(turn, 0, axis2, 3 * c, reference[c]);
    multiplyQuaternions(out, 0, out, 0, turn, 0);
  }
  return out;
}

// two unit vectors l, m across the unit vector u: from the world axis that is least along it; u × l = m
function writeAcross(out: Float64Array, u: Float64Array, i: number): void {
  const size = [0, 1, 2].map((k) => Math.abs(u[i + k]));
  const seed = new Float64Array(3);
  seed[size.indexOf(Math.min(...size))] = 1;
  writePart(out, seed, 0, u, i);
}

// l = the part of v across the unit vector u, unit length; m = u × l
function writePart(out: Float64Array, v: Float64Array, iv: number, u: Float64Array, i: number): void {
  const along = dot(v, iv, u, i);
  for (let k = 0; k < 3; k++) out[k] = v[iv + k] - along * u[i + k];
  const length = Math.sqrt(dot(out, 0, out, 0));
  for (let k = 0; k < 3; k++) out[k] /= length;
  cross(out, 3, u, i, out, 0);
}

function sineBetween(axes: Float64Array, a: number, b: number): number {
  const normal = new Float64Array(3);
  cross(normal, 0, axes, 3 * a, axes, 3 * b);
  return Math.sqrt(dot(normal, 0, normal, 0));
}

function spanVolume(axes: Float64Array, [a, b, c]: readonly number[]): number {
  const normal = new Float64Array(3);
  cross(normal, 0, axes, 3 * a, axes, 3 * b);
  return dot(normal, 0, axes, 3 * c);
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

function cross(out: Float64Array, o: number, a: Float64Array, i: number, b: Float64Array, j: number): void {
  out[o] = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  out[o + 1] = a[i + 2] * b[j] - a[i] * b[j + 2];
  out[o + 2] = a[i] * b[j + 1] - a[i + 1] * b[j];
}
