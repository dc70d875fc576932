/**
 * The field of a registered shape: φ of its specification, and ∇φ by central differences where it gives none,
 *
 *   ∂φ/∂x ≈ (φ(x + h) − φ(x − h)) / 2h,   h = 6e-6 of the longest side of its box,
 *
 * off by about h² φ‴/6 + ε φ/h, both near 1e-11. On the medial axis, where two sides of the surface are equally near, ∇φ has
 * several limits and the differences give one of them.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { ShapeCommon } from '../../scene/shape.ts';
import type { AnyShapeSpec, DistanceFunction, GradientFunction } from '../shapes/shape-spec.ts';
import type { SignedDistanceField } from './field.ts';

/** Step of differences over the longest side. */
const STEP = 6e-6;
/** Differences to the right and to the left that are this far from their mean have a kink between them. */
const KINK = 0.01;

export function createShapeField(
  spec: AnyShapeSpec,
  shape: ShapeCommon & { kind: string },
  place: ErrorPlace = {},
): SignedDistanceField {
  const [low, high] = spec.bounds(shape);
  const bounds = Float64Array.of(...low, ...high);
  const isBox = bounds.length === 6 && [0, 1, 2].every((k) => bounds[k] < bounds[k + 3]);
  if (!isBox || !bounds.every(Number.isFinite)) {
    throw new NexdynError('invalid-value', `the shape '${spec.kind}' has the box ${[...low, ...high].join(' ')}`, {
      hint: 'bounds must return finite corners, the low one below the high one',
      ...place,
    });
  }
  const distance = spec.distance(shape);
  const length = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const field = new ShapeField(bounds, distance, spec.gradient?.(shape) ?? differentiate(distance, STEP * length));
  checkField(field, spec.kind, place);
  return field;
}

class ShapeField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  readonly #distance: DistanceFunction;
  readonly #gradient: GradientFunction;

  constructor(bounds: Float64Array, distance: DistanceFunction, gradient: GradientFunction) {
    this.bounds = bounds;
    this.#distance = distance;
    this.#gradient = gradient;
  }

  distance(x: number, y: number, z: number): number {
    return this.#distance(x, y, z);
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    this.#gradient(out, x, y, z);
    return this.#distance(x, y, z);
  }
}

function differentiate(distance: DistanceFunction, h: number): GradientFunction {
  return (out, x, y, z) => {
    const middle = distance(x, y, z);
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const above = distance(k === 0 ? x + h : x, k === 1 ? y + h : y, k === 2 ? z + h : z);
      const below = distance(k === 0 ? x - h : x, k === 1 ? y - h : y, k === 2 ? z - h : z);
      const central = (above - below) / (2 * h);
      const side = Math.abs(above - middle) >= Math.abs(middle - below) ? (above - middle) / h : (middle - below) / h;
      // across a kink both sides cancel in the mean: one of the limits instead
      out[k] = Math.abs(side - central) > KINK ? side : central;
      square += out[k] * out[k];
    }
    if (square > 1) for (let k = 0; k < 3; k++) out[k] /= Math.sqrt(square);
  };
}

/** Samples of the box along each axis, and how much φ may change beyond its bound by rounding. */
const PROBES = 12;
const ROUNDING = 1e-9;

// faults of a specification that would make contacts fail later: not a number, too steep, too near outside of the box
function checkField(field: SignedDistanceField, kind: string, place: ErrorPlace): void {
  const { bounds: b } = field;
  const count = PROBES + 1;
  const at = (i: number, axis: number): number => b[axis] + (b[axis + 3] - b[axis]) * ((1.5 * i) / PROBES - 0.25);
  const slack = ROUNDING * Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
  const values = new Float64Array(count ** 3);
  for (let n = 0; n < values.length; n++) {
    const index = [Math.floor(n / (count * count)), Math.floor(n / count) % count, n % count];
    const [x, y, z] = index.map(at);
    const value = field.distance(x, y, z);
    values[n] = value;
    const fail = (what: string, hint: string): never => {
      const where = [x, y, z].map((coordinate) => Number(coordinate.toPrecision(3))).join(' ');
      throw new NexdynError('invalid-value', `the distance of the shape '${kind}' ${what} at ${where}`, {
        hint,
        ...place,
      });
    };
    if (!Number.isFinite(value)) fail(`is ${value}`, 'it must be a finite number everywhere');
    // against the probe before it along each axis
    for (let axis = 0; axis < 3; axis++) {
      if (index[axis] === 0) continue;
      const step = at(index[axis], axis) - at(index[axis] - 1, axis);
      const before = values[n - count ** (2 - axis)];
      if (Math.abs(value - before) > step + slack)
        fail('changes by more than the way', 'its Lipschitz constant must be 1: divide by the steepest slope');
    }
    const away = Math.hypot(...[x, y, z].map((v, axis) => Math.max(b[axis] - v, 0, v - b[axis + 3])));
    if (away > 0 && value < away - slack)
      fail(
        `is ${value}, nearer than the box`,
        'the box must hold the shape, and φ must not fall short of its distance',
      );
  }
}
