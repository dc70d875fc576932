import type {
  Actuator,
  GeneralActuator,
  MotorActuator,
  MuscleActuator,
  PositionActuator,
  VelocityActuator,
} from './actuator.ts';
import type { HeightFieldAsset, MeshAsset, SignedDistanceAsset } from './asset.ts';
import { FrameBuilder } from './builder/body-builder.ts';
import { type Arguments, makeElement, type Options, readArguments } from './builder/element.ts';
import type { ContactExclude, ContactPair } from './contact-filter.ts';
import type {
  ConnectEquality,
  DistanceEquality,
  Equality,
  JointEquality,
  TendonEquality,
  WeldEquality,
} from './equality.ts';
import type { Keyframe } from './keyframe.ts';
import type { Material } from './material.ts';
import type { FormulationId, Integrator, MassRules, SceneOptions } from './options.ts';
import type { Vec3 } from './pose.ts';
import type { Scene } from './scene.ts';
import type { Sensor, SensorKind } from './sensor.ts';
import type { SoftBody } from './soft-body.ts';
import type { FixedTendon, SpatialTendon, TendonStation } from './tendon.ts';
import type { SceneTerm } from './term.ts';
import { validateScene } from './validate.ts';

export { BodyBuilder, type BodyOptions, type Ends, FrameBuilder, type RodOptions } from './builder/body-builder.ts';
export type { Arguments, Color, Options } from './builder/element.ts';
export { axisAngle, degrees, euler } from './builder/orientation.ts';

/** What an actuator drives: a joint, a tendon, a site or a slider by a crank. A gear of one number may be written without brackets. */
export type Drive = { gear?: number | number[] } & (
  | { joint: string; inParent?: boolean }
  | { tendon: string }
  | { site: string; referenceSite?: string }
  | { crankSite: string; sliderSite: string; rodLength: number }
);

/** Options of an actuator, with what it drives written flat. */
export type ActuatorOptions<T> = Omit<Options<T>, 'transmission'> & Drive;

/** Options of a fixed tendon, with its weights by joint. */
export type FixedTendonOptions = Omit<Options<FixedTendon>, 'terms'> & { weights: Record<string, number> };

/** Options of a spatial tendon; a station given as text is a site. */
export type SpatialTendonOptions = Omit<Options<SpatialTendon>, 'path'> & { path: (string | TendonStation)[] };

/** Options of a kind of sensor. */
export type SensorOptions<K extends SensorKind> = Sensor extends infer S
  ? S extends { kind: SensorKind }
    ? K extends S['kind']
      ? Omit<S, 'kind' | 'name'>
      : never
    : never
  : never;

/** Begins a scene. Every method adds one thing; `build` checks the whole and returns plain JSON. */
export function scene(name?: string): SceneBuilder {
  return new SceneBuilder(name);
}

/** The lists of a scene that are not part of the tree of bodies. */
type Lists = Required<
  Pick<
    Scene,
    | 'materials'
    | 'meshes'
    | 'heightFields'
    | 'signedDistanceFields'
    | 'softBodies'
    | 'equalities'
    | 'tendons'
    | 'actuators'
    | 'sensors'
    | 'contactPairs'
    | 'contactExcludes'
    | 'terms'
    | 'keyframes'
  >
>;

/** A scene under construction; shapes, sites and bodies added to it belong to the world. */
export class SceneBuilder extends FrameBuilder {
  readonly #head: Pick<Scene, 'name' | 'description' | 'options' | 'massRules'> = {};
  readonly #lists: Lists = {
    materials: [],
    meshes: [],
    heightFields: [],
    signedDistanceFields: [],
    softBodies: [],
    equalities: [],
    tendons: [],
    actuators: [],
    sensors: [],
    contactPairs: [],
    contactExcludes: [],
    terms: [],
    keyframes: [],
  };

  constructor(name?: string) {
    super();
    if (name !== undefined) this.#head.name = name;
  }

  /** What the scene shows, in a sentence. */
  description(text: string): this {
    this.#head.description = text;
    return this;
  }

  /** Sets options; what was set before and is not named stays. */
  options(options: SceneOptions): this {
    this.#head.options = { ...this.#head.options, ...makeElement<SceneOptions>({}, options) };
    return this;
  }

  /** Acceleration of free fall, m/s². */
  gravity(gravity: Vec3): this {
    return this.options({ gravity });
  }

  /** Time step, s. */
  timestep(timestep: number): this {
    return this.options({ timestep });
  }

  /** How velocities and positions advance. */
  integrator(integrator: Integrator): this {
    return this.options({ integrator });
  }

  /** The contact formulation; `compileModel` may choose another. */
  formulation(formulation: FormulationId): this {
    return this.options({ formulation });
  }

  /** Rules for all masses and inertias. */
  massRules(rules: MassRules): this {
    this.#head.massRules = { ...this.#head.massRules, ...rules };
    return this;
  }

  /** Adds a material that shapes name. */
  material(name: string, options: Options<Material> = {}): this {
    return this.#add('materials', {}, [name, options]);
  }

  /** Adds a mesh that shapes and soft bodies name. */
  mesh(name: string, options: Options<MeshAsset>): this {
    return this.#add('meshes', {}, [name, options]);
  }

  /** Adds a height field that `terrain` names. */
  heightField(name: string, options: Options<HeightFieldAsset>): this {
    return this.#add('heightFields', {}, [name, options]);
  }

  /** Adds a field that `signedDistance` names. */
  signedDistanceField<K extends SignedDistanceAsset['kind']>(
    kind: K,
    name: string,
    options: Options<Extract<SignedDistanceAsset, { kind: K }>>,
  ): this {
    return this.#add('signedDistanceFields', { kind }, [name, options]);
  }

  /** Adds a body of tetrahedra. */
  softBody(...args: Arguments<Options<SoftBody>>): this {
    return this.#add('softBodies', {}, args);
  }

  /** A point of one body stays on a point of the other. */
  connect(...args: Arguments<Options<ConnectEquality>>): this {
    return this.#addEquality('connect', args);
  }

  /** Two bodies keep their relative pose. */
  weld(...args: Arguments<Options<WeldEquality>>): this {
    return this.#addEquality('weld', args);
  }

  /** One joint follows another, or is held. */
  coupleJoints(...args: Arguments<Options<JointEquality>>): this {
    return this.#addEquality('joint', args);
  }

  /** One tendon follows another, or is held. */
  coupleTendons(...args: Arguments<Options<TendonEquality>>): this {
    return this.#addEquality('tendon', args);
  }

  /** Two points keep their distance. */
  rod(...args: Arguments<Options<DistanceEquality>>): this {
    return this.#addEquality('distance', args);
  }

  /** A weighted sum of joint positions. */
  fixedTendon(...args: Arguments<FixedTendonOptions>): this {
    const { options, ...named } = readArguments<FixedTendonOptions>(args);
    const { weights, ...rest } = options;
    const terms = Object.entries(weights).map(([joint, coefficient]) => ({ joint, coefficient }));
    return this.#add('tendons', { kind: 'fixed', ...named }, [{ ...rest, terms }]);
  }

  /** A path through sites and around shapes. */
  spatialTendon(...args: Arguments<SpatialTendonOptions>): this {
    const { options, ...named } = readArguments<SpatialTendonOptions>(args);
    const path = options.path.map((station) =>
      typeof station === 'string' ? { kind: 'site', site: station } : station,
    );
    return this.#add('tendons', { kind: 'spatial', ...named }, [{ ...options, path }]);
  }

  /** Force = control. */
  motor(...args: Arguments<ActuatorOptions<MotorActuator>>): this {
    return this.#addActuator('motor', args);
  }

  /** Servo that holds a position. */
  positionServo(...args: Arguments<ActuatorOptions<PositionActuator>>): this {
    return this.#addActuator('position', args);
  }

  /** Servo that holds a velocity. */
  velocityServo(...args: Arguments<ActuatorOptions<VelocityActuator>>): this {
    return this.#addActuator('velocity', args);
  }

  /** Force affine in control or activation, length and velocity. */
  generalActuator(...args: Arguments<ActuatorOptions<GeneralActuator>>): this {
    return this.#addActuator('general', args);
  }

  /** A muscle: it pulls, and its activation follows the control. */
  muscle(...args: Arguments<ActuatorOptions<MuscleActuator>>): this {
    return this.#addActuator('muscle', args);
  }

  /** Something that is measured in every step: `sensor('gyro', 'imu', { site: 'head' })`. */
  sensor<K extends SensorKind>(kind: K, ...args: Arguments<SensorOptions<K>>): this {
    return this.#add('sensors', { kind }, args);
  }

  /** Two shapes with contact parameters of their own. */
  pair(...args: Arguments<Options<ContactPair>>): this {
    return this.#add('contactPairs', {}, args);
  }

  /** Two bodies that never touch. */
  exclude(...args: Arguments<Options<ContactExclude>>): this {
    return this.#add('contactExcludes', {}, args);
  }

  /** An energy that is added to the step: a spring network, a magnet, wind, or a kind of your own. */
  term(term: SceneTerm): this {
    this.#lists.terms.push({ ...term });
    return this;
  }

  /** A stored state; the first is where a simulation begins. */
  keyframe(...args: Arguments<Options<Keyframe>>): this {
    return this.#add('keyframes', {}, args);
  }

  /** The scene as plain JSON; raises a `NexdynError` with the path of the first fault. */
  build(): Scene {
    const { materials, meshes, heightFields, signedDistanceFields, ...rest } = this.#lists;
    return validateScene({
      format: 'nexdyn-scene',
      version: 1,
      ...this.#head,
      ...copyFilled({ materials, meshes, heightFields, signedDistanceFields }),
      ...this.collectContents(),
      ...copyFilled(rest),
    });
  }

  #addEquality<T>(kind: Equality['kind'], args: Arguments<T>): this {
    return this.#add('equalities', { kind }, args);
  }

  #addActuator<T extends Drive>(kind: Actuator['kind'], args: Arguments<T>): this {
    const { options, ...named } = readArguments(args);
    const { joint, inParent, tendon, site, referenceSite, crankSite, sliderSite, rodLength, gear, ...rest } =
      options as FlatDrive;
    const target =
      joint !== undefined
        ? { kind: 'joint', joint, inParent }
        : tendon !== undefined
          ? { kind: 'tendon', tendon }
          : crankSite !== undefined
            ? { kind: 'crank', crankSite, sliderSite, rodLength }
            : { kind: 'site', site, referenceSite };
    const transmission = { ...target, gear: typeof gear === 'number' ? [gear] : gear };
    return this.#add('actuators', { kind, ...named, transmission }, [rest]);
  }

  #add<T>(list: keyof Lists, fixed: object, args: Arguments<T> | [string, T] | [T]): this {
    const { options, ...named } = readArguments(args as Arguments<T>);
    const element = makeElement<never>({ ...fixed, ...named }, options as object);
    this.#lists[list].push(element);
    return this;
  }
}

/** The fields of every drive. */
interface FlatDrive {
  joint?: string;
  inParent?: boolean;
  tendon?: string;
  site?: string;
  referenceSite?: string;
  crankSite?: string;
  sliderSite?: string;
  rodLength?: number;
  gear?: number | number[];
}

/** The lists that have items, copied. */
function copyFilled<T extends Record<string, unknown[]>>(lists: T): Partial<T> {
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  return Object.fromEntries(filled.map(([key, list]) => [key, [...list]])) as Partial<T>;
}
