/**
 * Shapes from outside of the engine. A shape is its signed distance φ(x) in its own frame, negative inside, with
 *
 *   |φ(x) − φ(y)| ≤ |x − y|      and      φ = 0 on the surface,
 *
 * and a box around it, lengths in m. Everything else follows from φ unless the specification gives it in closed form: contact under
 * every formulation (samples of one surface in the field of the other), rays (sphere tracing), mass and inertia (integration over
 * cubes), pressure field and picture (a mesh of φ ≤ 0). Under `ipc` the shape keeps the promise of signed-distance shapes,
 * `options.ipc.signedDistancePromise`.
 */
import { NexdynError } from '../../error.ts';
import type { Vec3 } from '../../scene/pose.ts';
import { registerShapeKind } from '../../scene/registered-shapes.ts';
import type { ShapeCommon, ShapeFields } from '../../scene/shape.ts';
import { SHAPE } from './shape-table.ts';

/** φ at a point in the frame of the shape, m. */
export type DistanceFunction = (x: number, y: number, z: number) => number;

/** ∇φ at a point, written to `out`. */
export type GradientFunction = (out: Float64Array, x: number, y: number, z: number) => void;

/** Volume or area, its centre, and its second moments about that, at density one. */
export interface UnitMass {
  /** m³, or m² of a shell. */
  readonly volume: number;
  /** m. */
  readonly center: Vec3;
  /** Inertia about the centre: xx, yy, zz, xy, xz, yz, m⁵ (m⁴ of a shell). */
  readonly inertia: readonly [number, number, number, number, number, number];
}

/** Triangles, counter-clockwise from outside. */
export interface ShapeTriangles {
  /** x y z of each vertex in the frame of the shape, m. */
  readonly vertices: ArrayLike<number>;
  /** Three vertex numbers per triangle. */
  readonly triangles: ArrayLike<number>;
}

/** What the engine needs to know of a shape. Functions are called when a scene is compiled; what `distance` returns, in every step. */
export interface ShapeSpec<T extends ShapeCommon & { kind: string }> {
  /** What scenes call it. */
  readonly kind: T['kind'];
  /** Its parameters in a scene, each with its schema (`number`, `vector`, `optional`, ...). */
  readonly fields: ShapeFields<T>;
  /** Why parameters make no sense together; undefined where they do. Default: they always do. */
  check?(shape: T): string | undefined;
  /** Corners of a box around the shape, m. */
  bounds(shape: T): readonly [low: Vec3, high: Vec3];
  /** φ of a shape with these parameters. */
  distance(shape: T): DistanceFunction;
  /** ∇φ. Default: central differences. */
  gradient?(shape: T): GradientFunction;
  /** Mass properties at density one. Default: integrated. */
  mass?(shape: T, isShell: boolean): UnitMass;
  /** The surface for pictures. Default: a mesh of the zero set. */
  surface?(shape: T): ShapeTriangles;
}

/** A specification whose parameters are no longer known to the type checker. */
export type AnyShapeSpec = ShapeSpec<ShapeCommon & { kind: string }>;

const specs = /* @__PURE__ */ new Map<string, AnyShapeSpec>();

/** Adds a kind of shape; scenes read after this may have it. Kinds of the engine cannot be replaced, others can. */
export function registerShape<T extends ShapeCommon & { kind: string }>(spec: ShapeSpec<T>): void {
  const { kind, fields } = spec;
  if (typeof kind !== 'string' || kind === '' || Object.hasOwn(SHAPE, kind)) {
    throw new NexdynError('invalid-argument', `'${kind}' cannot be the kind of a new shape`, {
      hint: `kinds of the engine: ${Object.keys(SHAPE).join(', ')}`,
    });
  }
  for (const needed of ['bounds', 'distance'] as const) {
    if (typeof spec[needed] === 'function') continue;
    throw new NexdynError('invalid-argument', `the shape '${kind}' has no function '${needed}'`, {
      hint: 'a shape needs at least its signed distance and a box around it',
    });
  }
  registerShapeKind(kind, fields as never, (shape) => spec.check?.(shape));
  specs.set(kind, spec as unknown as AnyShapeSpec);
}

/** The specification of a registered kind. */
export function findShapeSpec(kind: string): AnyShapeSpec | undefined {
  return specs.get(kind);
}
