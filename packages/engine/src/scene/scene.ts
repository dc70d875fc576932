import type { Actuator } from './actuator.ts';
import type { Appearance, Skin, Texture } from './appearance.ts';
import type { HeightFieldAsset, MeshAsset, SignedDistanceAsset } from './asset.ts';
import type { Body } from './body.ts';
import type { Camera, Light } from './camera.ts';
import type { ContactExclude, ContactPair } from './contact-filter.ts';
import type { Equality } from './equality.ts';
import type { Keyframe } from './keyframe.ts';
import type { Lesson } from './lesson.ts';
import type { Material } from './material.ts';
import type { MassRules, SceneOptions } from './options.ts';
import type { Sensor } from './sensor.ts';
import type { Shape } from './shape.ts';
import type { Site } from './site.ts';
import type { SoftBody } from './soft-body.ts';
import type { Tendon } from './tendon.ts';
import type { SceneTerm } from './term.ts';
import type { SceneView } from './view.ts';

/**
 * The complete description of a world: plain JSON, SI units, angles in radians, no code. Files (JSON, MJCF, URDF) are read into a Scene;
 * `compileModel` turns a Scene into a Model.
 */
export interface Scene {
  /** Marks the file as a NexDyn scene. */
  format: 'nexdyn-scene';
  /** Version of the format. */
  version: 1;
  /** Link to the published JSON schema, for completion in editors. */
  $schema?: string;
  /** Name of the scene. */
  name?: string;
  /** What the scene shows, in a sentence. */
  description?: string;
  /** Time step, gravity, integrator, formulation and the options of each formulation. */
  options?: SceneOptions;
  /** The view of the scene when it is opened. */
  view?: SceneView;
  /** Rules applied to all masses and inertias at compile time. */
  massRules?: MassRules;
  /** Named physical materials. */
  materials?: Material[];
  /** Named triangle meshes. */
  meshes?: MeshAsset[];
  /** Named height fields. */
  heightFields?: HeightFieldAsset[];
  /** Named signed-distance fields. */
  signedDistanceFields?: SignedDistanceAsset[];
  /** Images on surfaces and around the scene. */
  textures?: Texture[];
  /** How surfaces look. */
  appearances?: Appearance[];
  /** Shapes fixed to the world. */
  shapes?: Shape[];
  /** Sites fixed to the world. */
  sites?: Site[];
  /** Cameras fixed to the world. */
  cameras?: Camera[];
  /** Lights fixed to the world. */
  lights?: Light[];
  /** Bodies whose parent is the world; each lists its own children. */
  bodies?: Body[];
  /** Soft bodies: tetrahedral meshes with an elastic material. */
  softBodies?: SoftBody[];
  /** Surfaces that follow bodies and are only drawn. */
  skins?: Skin[];
  /** Bilateral constraints: loops, welds, couplings. */
  equalities?: Equality[];
  /** Tendons: weighted sums of joint positions, or paths through sites and around shapes. */
  tendons?: Tendon[];
  /** Motors, servos and general actuators. */
  actuators?: Actuator[];
  /** What is measured at every step. */
  sensors?: Sensor[];
  /** Pairs of shapes with their own contact parameters; no filter applies to them. */
  contactPairs?: ContactPair[];
  /** Pairs of bodies that never touch. */
  contactExcludes?: ContactExclude[];
  /** Energies that are added to the step: spring networks, magnets, wind, and kinds that you register. */
  terms?: SceneTerm[];
  /** Stored states. A simulation starts from the first one, if there is any. */
  keyframes?: Keyframe[];
  /** A lesson about the scene: sliders, a question, a measurement and its closed form. */
  lesson?: Lesson;
}
