import {
  type CompileOptions,
  type ContentCache,
  compileModel,
  type Lesson,
  type Model,
  NexdynError,
  type Scene,
  Simulation,
} from '@nexdyn/engine';
import { loadEngineParts, type PartLoader } from '@nexdyn/engine/load-parts';
import type { UnsupportedItem } from '@nexdyn/formats';
import { listDrivenParts } from './drive/driven-parts.ts';
import type { OptionValues, SceneChoice, SceneFacts, SceneFiles } from './protocol.ts';
import { applyOptions } from './scene-choice.ts';
import { readScene } from './scene-reader.ts';
import { labelShapes } from './shape-label.ts';
import { nameTermEnergies } from './term-energies.ts';

export interface OpenScene {
  simulation: Simulation;
  lesson: Lesson | undefined;
  unsupported: UnsupportedItem[];
}

/** s: a step that takes longer hangs, as far as a user can tell. */
const MAX_STEP_TIME = 20;

/** m/s². */
const EARTH = 9.81;

/** Formulations that the worker starts without. */
const FORMULATIONS: Readonly<Record<string, PartLoader>> = {
  sap: () => import('@nexdyn/engine/sap'),
  ccp: () => import('@nexdyn/engine/ccp'),
  ipc: () => import('@nexdyn/engine/ipc'),
  penalty: () => import('@nexdyn/engine/penalty'),
};

/** Read and compile a scene, and stand it in its initial state. */
export async function openScene(files: SceneFiles, path: string, choice: SceneChoice = {}): Promise<OpenScene> {
  const { scene: written, unsupported } = await readScene(files, path);
  const scene = applyOptions(written, choice.set);
  const parts = await loadEngineParts(scene, choice.formulation, FORMULATIONS);
  const hulls = parts.includes('meshes') ? await (await import('./hull-store.ts')).openHullStore() : undefined;
  let simulation: Simulation;
  try {
    simulation = simulate(scene, choice.formulation ? { formulation: choice.formulation } : {}, hulls);
  } finally {
    void hulls?.close();
  }
  simulation.reset();
  simulation.prepareState();
  simulation.forward();
  return { simulation, lesson: scene.lesson, unsupported };
}

/** A formulation whose own coordinates cannot hold the joints of the scene runs in those of the joints, as the facts say. */
function simulate(scene: Scene, options: CompileOptions, hulls: ContentCache | undefined): Simulation {
  try {
    return new Simulation(compileModel(scene, options, hulls), {
      clock,
      maxStepTime: scene.options?.maxStepTime ?? MAX_STEP_TIME,
    });
  } catch (error) {
    const isFault = !(error instanceof NexdynError) || error.code !== 'unsupported-formulation';
    if (isFault || scene.options?.coordinates !== undefined) throw error;
    return new Simulation(compileModel(scene, { ...options, coordinates: 'joint' }, hulls), {
      clock,
      maxStepTime: scene.options?.maxStepTime ?? MAX_STEP_TIME,
    });
  }
}

function clock(): number {
  return performance.now();
}

/** Per shape and soft body, whether nothing moves it. */
export function findFixedShapes({ shape, body, size }: Model): boolean[] {
  const rigid = Array.from(shape.body, (owner) => body.lastDof[owner]! < 0);
  // soft bodies are numbered after the shapes
  return [...rigid, ...new Array<boolean>(size.softBody).fill(false)];
}

/** Masses of the bodies that move: all, and less what is compensated, kg. */
function weigh(model: Model): { all: number; uncompensated: number } {
  const { body } = model;
  const soft = model.soft.mass.reduce((sum, mass) => sum + mass, 0);
  const sum = { all: soft, uncompensated: soft };
  body.mass.forEach((mass, i) => {
    if (body.lastDof[i]! < 0) return;
    sum.all += mass;
    sum.uncompensated += mass * (1 - body.gravityCompensation[i]!);
  });
  return sum;
}

/** Groups of bodies that no joint binds to each other. */
function countTrees({ body }: Model): number {
  const roots = Array.from(body.root, (root, i) => (body.lastDof[i]! < 0 ? -1 : root));
  return new Set(roots.filter((root) => root >= 0)).size;
}

export function gatherFacts(simulation: Simulation, path: string): SceneFacts {
  const { model, formulation, terms } = simulation;
  const { size, options } = model;
  const { all, uncompensated } = weigh(model);
  const gravity = Math.hypot(...options.gravity);
  return {
    name: model.name || path.slice(path.lastIndexOf('/') + 1),
    description: model.description,
    bodies: size.body - 1 + size.softBody,
    joints: size.joint,
    dofs: size.velocity + 3 * size.softVertex,
    shapes: size.shape,
    actuators: size.actuator,
    mass: model.body.mass.reduce((sum, mass) => sum + mass, 0) + model.soft.mass.reduce((sum, mass) => sum + mass, 0),
    timestep: options.timestep,
    gravity: [...options.gravity] as [number, number, number],
    options: listOptions(model),
    weight: uncompensated * gravity,
    usualForce: all * (gravity || EARTH),
    trees: countTrees(model),
    formulation: options.formulation,
    resolvesContacts: formulation.usesContacts,
    coordinates: model.coordinates,
    integrator: options.integrator,
    isSoft: size.softBody > 0,
    terms: nameTermEnergies(simulation),
    addedTerms: terms.length,
    softVertices: size.softVertex,
    isContactOff: options.disabled.has('contact') || options.disabled.has('constraint'),
    shapeLabels: labelShapes(model),
    driven: listDrivenParts(model),
    keyframes: model.keyframe.name.map((name, index) => name || `keyframe ${index}`),
  };
}

/** Options of the formulation that runs, and the friction of all contacts where one is set, by their path. */
function listOptions({ options, surface }: Model): OptionValues {
  const { formulation } = options;
  const own = Object.entries(options.formulations[formulation] ?? {}).map(([key, value]) => [
    `${formulation}.${key}`,
    value,
  ]);
  const friction = surface.override?.friction;
  return Object.fromEntries([...own, ...(friction ? [['contactOverride.friction', [...friction]]] : [])]);
}
