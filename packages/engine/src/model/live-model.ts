/**
 * A model of which numbers can be replaced: values of the scene are set by path, and what the compiler derives from them is worked out
 * again, by the functions of the compiler. It gives, bit for bit, what `compileModel` gives for the changed scene.
 *
 *   path       resolved once to fields of the scene and parts of the model (live-paths.ts)
 *   values     are written into a copy of the scene, which returns to what it was at the end
 *   parts      that were touched now or at the last call are written again: inertias, frictions, poses, joints, tendons, actuators, gravity
 *   weights    inverse weights, spring-dampers, damping ratios and bounds of vibrations follow from the mechanism as it stands
 */
import type { Coordinates } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { copyScene } from '../scene/scene-copy.ts';
import { writeLaw } from './actuators.ts';
import { sumSubtreeMasses } from './bodies.ts';
import { type BodyInertias, writeBodyInertia } from './body-inertia.ts';
import { chooseModel, compileMechanism, weighMechanism } from './compile-mechanism.ts';
import { writePose } from './frames.ts';
import { computeInitialPoses } from './initial-pose.ts';
import { writeDofParameters } from './joints.ts';
import { type LivePath, resolveLivePath, type Touched } from './live-paths.ts';
import { compileLook } from './look-access.ts';
import { compileMaterials } from './materials.ts';
import { createMeshMass } from './meshes.ts';
import { type Model, STATION } from './model.ts';
import { findSource } from './model-source.ts';
import { keepRestDynamics, type RestDynamics } from './rest-dynamics.ts';
import { indexScene, type SceneIndex } from './scene-index.ts';
import { writeScenePath } from './scene-parameters.ts';
import type { MeshMass } from './shape-mass.ts';
import { writeFriction } from './shapes.ts';
import { compileRecords } from './surface-materials.ts';

/** Kinds of things whose change moves no weight. */
const WEIGHTLESS: ReadonlySet<string> = new Set(['frictions', 'materials', 'options', 'compensations']);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class LiveModel {
  readonly #scene: Scene;
  readonly #index: SceneIndex;
  readonly #coordinates: Coordinates;
  /** In joint coordinates; its arrays are its own. */
  readonly #mechanism: Mutable<Model>;
  readonly #meshMass: MeshMass;
  readonly #restDynamics: RestDynamics;
  readonly #paths = new Map<string, LivePath | undefined>();
  /** Paths of the last call, whose parts of the mechanism differ from the scene's. */
  #set: readonly LivePath[] = [];
  /** What these touch, where the call before had the same. */
  #touched: Touched | undefined;
  #weighed: Model;

  /** Use `createLiveModel`. */
  constructor(model: Model, scene: Scene) {
    const { choice } = findSource(model)!;
    this.#scene = copyScene(scene);
    this.#index = indexScene(this.#scene);
    this.#coordinates = model.coordinates;
    this.#mechanism = { ...compileMechanism(this.#index, choice, { model, scene }) };
    this.#mechanism.options = { ...this.#mechanism.options };
    this.#meshMass = createMeshMass(this.#scene, model.mesh);
    this.#restDynamics = keepRestDynamics(this.#mechanism, this.#mechanism.initialPosition);
    this.#weighed = this.#weigh();
  }

  /** The model with these values, until the next call; undefined where it takes the compiler. */
  apply(values: Readonly<Record<string, unknown>>): Model | undefined {
    const paths: LivePath[] = [];
    for (const [path, value] of Object.entries(values)) {
      const live = this.#resolve(path);
      if (!live?.isSound(value)) return undefined;
      paths.push(live);
    }
    // neighbours mostly set the same paths
    const isSameSet = paths.length === this.#set.length && paths.every((live, i) => live === this.#set[i]);
    if (!isSameSet || !this.#touched) this.#touched = gatherTouched([...this.#set, ...paths]);
    const touched = this.#touched;
    if (touched.poses.size > 0 && this.#wrapsShapes()) return undefined;
    try {
      for (const { found } of paths) writeScenePath(this.#scene, found, values[found.path], this.#index);
      return this.#write(touched);
    } finally {
      // the scene is as it was; the parts are written again at the next call
      for (const { slots } of paths) for (const { owner, key, first } of slots) owner[key] = first;
      if (!isSameSet) this.#touched = undefined;
      this.#set = paths;
    }
  }

  #resolve(path: string): LivePath | undefined {
    if (!this.#paths.has(path)) this.#paths.set(path, resolveLivePath(this.#scene, this.#index, path));
    return this.#paths.get(path);
  }

  #write(touched: Touched): Model {
    const { shapes, joints, bodies } = this.#index;
    const { shape, body, joint, dof, tendon, actuator, material, options } = this.#mechanism;
    const { materials = [], tendons = [], actuators = [], options: given } = this.#scene;
    for (const s of touched.poses) {
      shape.position.fill(0, 3 * s, 3 * s + 3);
      shape.orientation.fill(0, 4 * s, 4 * s + 4);
      writePose(shapes[s], shape.position, shape.orientation, s);
    }
    for (const s of touched.frictions) writeFriction(shape, s, shapes[s], materials[shape.material[s]]);
    for (const b of touched.inertias) this.#writeInertia(b);
    for (const b of touched.compensations) body.gravityCompensation[b] = bodies[b].gravityCompensation ?? 0;
    for (const j of touched.joints) {
      const end = j + 1 < joints.length ? joint.dofStart[j + 1] : dof.body.length;
      joint.stiffness[j] = joints[j].stiffness ?? 0;
      for (let d = joint.dofStart[j]; d < end; d++) writeDofParameters(dof, d, joints[j]);
    }
    for (const t of touched.tendons) {
      tendon.stiffness[t] = tendons[t].stiffness ?? 0;
      tendon.damping[t] = tendons[t].damping ?? 0;
      tendon.armature[t] = tendons[t].armature ?? 0;
      tendon.frictionLoss[t] = tendons[t].frictionLoss ?? 0;
    }
    for (const a of touched.actuators) {
      actuator.gain.fill(0, 3 * a, 3 * a + 3);
      actuator.bias.fill(0, 3 * a, 3 * a + 3);
      writeLaw(actuator, a, actuators[a] as Parameters<typeof writeLaw>[2]);
    }
    if (touched.options.size > 0) options.gravity.set(given?.gravity ?? [0, 0, -9.81]);
    if (touched.materials.size > 0) Object.assign(material, compileMaterials(this.#scene));
    if (touched.frictions.size > 0) {
      const surface = { ...this.#mechanism.surface, ...compileRecords(this.#scene, shape, this.#mechanism.soft) };
      this.#mechanism.surface = surface;
      this.#weighed = { ...this.#weighed, surface };
    }
    if (touched.inertias.size > 0) this.#followMasses();
    const movesWeight = Object.entries(touched).some(([kind, numbers]) => numbers.size > 0 && !WEIGHTLESS.has(kind));
    if (movesWeight) this.#weighed = this.#weigh();
    return chooseModel(this.#weighed, this.#coordinates);
  }

  #writeInertia(b: number): void {
    const { body, shape } = this.#mechanism;
    const inertias: BodyInertias = {
      mass: body.mass,
      center: body.inertiaCenter,
      orientation: body.inertiaOrientation,
      moments: body.inertiaMoments,
    };
    inertias.mass[b] = 0;
    inertias.center.fill(0, 3 * b, 3 * b + 3);
    inertias.orientation.fill(0, 4 * b, 4 * b + 4);
    inertias.moments.fill(0, 3 * b, 3 * b + 3);
    writeBodyInertia(inertias, b, body.shapeStart[b], this.#index, shape, this.#meshMass);
  }

  /** Sums of masses, and cameras and lights that follow centres of mass. */
  #followMasses(): void {
    const { body, look } = this.#mechanism;
    body.subtreeMass.set(sumSubtreeMasses(body.parent, body.mass));
    const follows = [look.camera, look.light].some(({ followed }) => followed.some(({ length }) => length > 0));
    if (follows) this.#mechanism.look = compileLook(this.#index, body, computeInitialPoses(body));
  }

  #weigh(): Model {
    const work = this.#restDynamics();
    return weighMechanism(this.#mechanism, this.#index, () => work);
  }

  #wrapsShapes(): boolean {
    const { stationKind } = this.#mechanism.tendon;
    return stationKind.some((kind) => kind === STATION.sphere || kind === STATION.cylinder);
  }
}

/** A live model; undefined where values of the scene change more than numbers, or what is built from them. */
export function createLiveModel(model: Model): LiveModel | undefined {
  const source = findSource(model);
  if (!source) return undefined;
  const { scene } = source;
  const hasOpenMuscles = (scene.actuators ?? []).some(
    (actuator) => actuator.kind === 'muscle' && actuator.force === undefined,
  );
  const isBuilt = model.soft.name.length > 0 || model.pressure.isActive || scene.massRules !== undefined;
  return hasOpenMuscles || isBuilt ? undefined : new LiveModel(model, scene);
}

function createTouched(): Touched {
  return {
    inertias: new Set(),
    compensations: new Set(),
    frictions: new Set(),
    poses: new Set(),
    joints: new Set(),
    tendons: new Set(),
    actuators: new Set(),
    materials: new Set(),
    options: new Set(),
  };
}

function gatherTouched(paths: readonly LivePath[]): Touched {
  const all = createTouched();
  for (const { touched } of paths) {
    for (const [kind, numbers] of Object.entries(touched)) {
      const set = all[kind as keyof Touched] as Set<unknown>;
      for (const number of numbers) set.add(number);
    }
  }
  return all;
}
