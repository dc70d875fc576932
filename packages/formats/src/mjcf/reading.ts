/** What the parts of the reader share while one model is read. */
import type {
  Actuator,
  Appearance,
  Body,
  ContactExclude,
  ContactPair,
  Equality,
  HeightFieldAsset,
  Joint,
  MeshAsset,
  SceneOptions,
  SceneView,
  Sensor,
  SignedDistanceAsset,
  Skin,
  Tendon,
  Texture,
} from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import type { Settings } from './attributes.ts';
import type { CompilerSettings } from './compiler-settings.ts';
import type { Defaults } from './defaults.ts';
import type { Placed } from './failure.ts';
import type { FlexEquality, OpenSoft } from './flex/open-soft.ts';
import type { FileAccess } from './include.ts';
import type { PluginInstance } from './plugin.ts';
import type { Unsupported } from './unsupported.ts';

/** A body with its lists in place; `world` is one too. */
export interface OpenBody extends Body {
  joints: NonNullable<Body['joints']>;
  shapes: NonNullable<Body['shapes']>;
  sites: NonNullable<Body['sites']>;
  cameras: NonNullable<Body['cameras']>;
  lights: NonNullable<Body['lights']>;
  bodies: OpenBody[];
  softBodies: OpenSoft[];
}

/** A model in the words of the Scene. */
export interface Part {
  options: SceneOptions;
  meshes: MeshAsset[];
  heightFields: HeightFieldAsset[];
  signedDistanceFields: SignedDistanceAsset[];
  textures: Texture[];
  appearances: Appearance[];
  skins: Skin[];
  view: SceneView;
  world: OpenBody;
  contactPairs: ContactPair[];
  contactExcludes: ContactExclude[];
  equalities: Equality[];
  /** Constraints of the edges of a flex, until it is read. */
  flexEqualities: FlexEquality[];
  tendons: Tendon[];
  actuators: Actuator[];
  sensors: Sensor[];
  keyframes: StoredState[];
}

/** A keyframe by the objects it speaks of, so that it survives attaching and copying. */
export interface StoredState {
  name: string | undefined;
  time: number | undefined;
  positions: Map<Joint, number[]>;
  velocities: Map<Joint, number[]>;
  activations: Map<Actuator, number[]>;
  controls: Map<Actuator, number>;
  mocapPositions: Map<Body, number[]>;
  mocapOrientations: Map<Body, number[]>;
}

/** A model that was read, with the name it gives itself. */
export interface Model {
  reading: Reading;
  name: string | undefined;
}

/** Where files come from, and the models that were already read from there. */
export interface ModelAccess extends FileAccess {
  parsed: Map<string, Model>;
  /** The element each object came from, in all models of the file. */
  origins: WeakMap<object, XmlElement>;
  /** Free joints whose bodies take their inertial frame. */
  aligned: WeakSet<XmlElement>;
  /** Groups of actuators by their elements, in all models of the file. */
  actuatorGroups: WeakMap<XmlElement, number>;
  /** Objects that replicate and attach have made. */
  copied: { count: number };
}

/** A colour: red, green, blue, opacity. */
export type Color = [number, number, number, number];

/** The state of reading one model. */
export interface Reading {
  /** Path of the main file of this model. */
  path: string;
  access: ModelAccess;
  compiler: CompilerSettings;
  defaults: Defaults;
  part: Part;
  unsupported: Unsupported;
  /** Colours of materials. */
  materials: Map<string, Color>;
  /** Textures by name; undefined for those that cannot be drawn. */
  textures: Map<string, Texture | undefined>;
  /** Textures that materials name. */
  wantedTextures: { appearance: Appearance; texture: string; at: Placed }[];
  /** Meshes and height fields by name; undefined for unsupported ones. */
  meshes: Map<string, MeshAsset | undefined>;
  heightFields: Map<string, HeightFieldAsset | undefined>;
  /** Plugin instances by name, and by the meshes that they make. */
  plugins: Map<string, PluginInstance>;
  meshPlugins: Map<string, PluginInstance>;
  /** Directions of sliding of built-in meshes that have them, two for each vertex, by the name of the mesh. */
  tangents: Map<string, number[]>;
  /** Settings of meshes that name a material for geoms without one. */
  meshMaterials: Map<string, Settings>;
  /** Bodies of this model that were copied, and how they are called. */
  ownCopies: { bodies: ReadonlySet<string>; rename: (name: string) => string }[];
  /** Models that can be attached. */
  models: Map<string, Reading>;
  /** The element each object of the scene came from. */
  origins: WeakMap<object, XmlElement>;
  /** Paths of the models that are being read, outermost first. */
  ancestors: readonly string[];
  /** Actuators whose range follows that of what they drive, with the factor. */
  inheritRanges: WeakMap<Actuator, number>;
  /** Damping and armature that actuators give to what they drive. */
  reflected: WeakMap<Actuator, { damping: readonly number[]; armature: number }>;
  /** Groups of actuators that are switched off. */
  disabledGroups: ReadonlySet<number>;
  /** Actuators the file has and NexDyn does not. */
  lostActuators: XmlElement[];
  /** Objects that came from attached models. */
  attached: WeakSet<object>;
  /** Shapes of layers that do not weigh. */
  weightless: WeakSet<object>;
  /** How many objects replicate and attach have made, in all models of the file. */
  copied: { count: number };
  /** Bodies that lost a geom, with the masses that their lost geoms name, kg. */
  lostMass: WeakMap<OpenBody, number>;
  /** Keyframes that the model has at least. */
  keyframeCount: number;
  /** Content of named frames. */
  frames: Map<string, OpenBody>;
}

/** A body without anything in it. */
export function openBody(): OpenBody {
  return { joints: [], shapes: [], sites: [], cameras: [], lights: [], bodies: [], softBodies: [] };
}
