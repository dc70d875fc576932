import { NexdynError } from '../../error.ts';
import type { Body } from '../body.ts';
import type { BallJoint, FreeJoint, HingeJoint, Joint, SlideJoint } from '../joint.ts';
import type { Quaternion, Vec3 } from '../pose.ts';
import type {
  BoxShape,
  CapsuleShape,
  ConvexMeshShape,
  CylinderShape,
  EllipsoidShape,
  HeightFieldShape,
  PlaneShape,
  Shape,
  SignedDistanceShape,
  SphereShape,
  TriangleMeshShape,
} from '../shape.ts';
import type { Site } from '../site.ts';
import { type Arguments, makeElement, type Options, readArguments } from './element.ts';
import { alignZ } from './orientation.ts';

/** Fields of a body that the methods of a builder fill. */
type Contents = 'joints' | 'shapes' | 'sites' | 'bodies';

/** Options of a body: where it is and what it weighs. */
export type BodyOptions = Omit<Options<Body>, Contents>;

/** A capsule or cylinder by its pose and half length, or from one point to another. */
export type RodOptions<T> = Options<T> | (Omit<Options<T>, 'halfLength' | 'position' | 'orientation'> & Ends);

/** The two ends of the axis, in the frame of the body, m. */
export interface Ends {
  /** One end of the axis, m. */
  from: Vec3;
  /** The other end, m. */
  to: Vec3;
}

/** What the world and bodies have in common: shapes, sites and bodies in their frame. */
export class FrameBuilder {
  readonly #shapes: Shape[] = [];
  readonly #sites: Site[] = [];
  readonly #bodies: BodyBuilder[] = [];

  /** Adds a plane, endless; its normal is z of its frame. */
  plane(...args: Arguments<Options<PlaneShape>>): this {
    return this.#addShape('plane', args);
  }

  /** Adds a sphere. */
  sphere(...args: Arguments<Options<SphereShape>>): this {
    return this.#addShape('sphere', args);
  }

  /** Adds a capsule, by its pose or from one point to another. */
  capsule(...args: Arguments<RodOptions<CapsuleShape>>): this {
    return this.#addShape('capsule', args);
  }

  /** Adds a cylinder, by its pose or from one point to another. */
  cylinder(...args: Arguments<RodOptions<CylinderShape>>): this {
    return this.#addShape('cylinder', args);
  }

  /** Adds an ellipsoid. */
  ellipsoid(...args: Arguments<Options<EllipsoidShape>>): this {
    return this.#addShape('ellipsoid', args);
  }

  /** Adds a box. */
  box(...args: Arguments<Options<BoxShape>>): this {
    return this.#addShape('box', args);
  }

  /** Adds the convex hull of a mesh of the scene. */
  convexMesh(...args: Arguments<Options<ConvexMeshShape>>): this {
    return this.#addShape('convexMesh', args);
  }

  /** Adds a mesh of the scene as it is, hollows included. */
  triangleMesh(...args: Arguments<Options<TriangleMeshShape>>): this {
    return this.#addShape('triangleMesh', args);
  }

  /** Adds a height field of the scene. */
  terrain(...args: Arguments<Options<HeightFieldShape>>): this {
    return this.#addShape('heightField', args);
  }

  /** Adds a signed-distance field of the scene. */
  signedDistance(...args: Arguments<Options<SignedDistanceShape>>): this {
    return this.#addShape('signedDistance', args);
  }

  /** Adds a marked point. */
  site(...args: Arguments<Options<Site>>): this {
    const { options, ...named } = readArguments(args);
    this.#sites.push(makeElement<Site>(named, options));
    return this;
  }

  /** Adds a body whose parent this is and returns it. */
  body(...args: Arguments<BodyOptions>): BodyBuilder {
    const { options, ...named } = readArguments(args);
    const body = new BodyBuilder(makeElement<Body>(named, options));
    this.#bodies.push(body);
    return body;
  }

  /** Shapes, sites and bodies as plain data, empty lists left out. */
  protected collectContents(): Pick<Body, 'shapes' | 'sites' | 'bodies'> {
    return {
      ...(this.#shapes.length > 0 && { shapes: [...this.#shapes] }),
      ...(this.#sites.length > 0 && { sites: [...this.#sites] }),
      ...(this.#bodies.length > 0 && { bodies: this.#bodies.map((body) => body.toBody()) }),
    };
  }

  #addShape<T extends object>(kind: Shape['kind'], args: Arguments<T>): this {
    const { options, ...named } = readArguments(args);
    this.#shapes.push(makeElement<Shape>({ kind, ...named }, hasEnds(options) ? placeRod(options) : options));
    return this;
  }
}

/** A body under construction. */
export class BodyBuilder extends FrameBuilder {
  readonly #body: Body;
  readonly #joints: Joint[] = [];

  constructor(body: Body) {
    super();
    this.#body = body;
  }

  /** Lets the body move freely; its parent must be the world. */
  free(...args: Arguments<Options<FreeJoint>>): this {
    return this.#addJoint('free', args);
  }

  /** Lets it turn about a point. */
  ball(...args: Arguments<Options<BallJoint>>): this {
    return this.#addJoint('ball', args);
  }

  /** Lets it turn about an axis. */
  hinge(...args: Arguments<Options<HingeJoint>>): this {
    return this.#addJoint('hinge', args);
  }

  /** Lets it slide along an axis. */
  slide(...args: Arguments<Options<SlideJoint>>): this {
    return this.#addJoint('slide', args);
  }

  /** The body and all below it as plain data. */
  toBody(): Body {
    return { ...this.#body, ...(this.#joints.length > 0 && { joints: [...this.#joints] }), ...this.collectContents() };
  }

  #addJoint<T extends object>(kind: Joint['kind'], args: Arguments<T>): this {
    const { options, ...named } = readArguments(args);
    this.#joints.push(makeElement<Joint>({ kind, ...named }, options));
    return this;
  }
}

/** Whether a rod is given by its ends; one end alone is a mistake. */
function hasEnds(options: object): options is Ends {
  if (!('from' in options || 'to' in options)) return false;
  if ('from' in options && 'to' in options) return true;
  throw new NexdynError('invalid-argument', "a shape given by its ends needs both 'from' and 'to'");
}

/** Pose and half length of a rod between two points, its z axis along it. */
function placeRod({ from, to, ...rest }: Ends): { position: Vec3; orientation: Quaternion; halfLength: number } {
  const [dx, dy, dz] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const position: Vec3 = [from[0] + dx / 2, from[1] + dy / 2, from[2] + dz / 2];
  return { ...rest, position, orientation: alignZ([dx, dy, dz]), halfLength: Math.hypot(dx, dy, dz) / 2 };
}
