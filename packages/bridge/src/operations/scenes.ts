/** Opening scenes: from files, from JSON, from the gallery. */
import { loadSceneFile, overrideScene, VERSION } from '@nexdyn/cli';
import {
  type CompileOptions,
  compileModel,
  listFormulations,
  METRICS,
  type Model,
  type Scene,
  Simulation,
  STATE_FIELDS,
  type StateFieldName,
  validateScene,
} from '@nexdyn/engine';
import { type LoadedScene, type ReadLimits, writeSceneJson } from '@nexdyn/formats';
import type { Session } from '../session.ts';
import { type BuilderCall, buildScene } from './build.ts';
import type { Operation } from './operations.ts';

/** Where a scene comes from. */
export interface SceneSource {
  /** A file, or the name of a scene of the gallery. */
  readonly file?: string;
  /** A scene as JSON. */
  readonly scene?: Scene;
  /** The calls of a builder. */
  readonly calls?: readonly BuilderCall[];
  /** Name of a scene that is built. */
  readonly name?: string;
  /** Values to replace, as after `--set`: `mujoco.iterations=20`. */
  readonly set?: readonly string[];
  readonly allowOutside?: boolean;
  readonly limits?: Partial<ReadLimits>;
}

/** A scene, checked, with its values replaced. */
export function openScene(source: SceneSource): LoadedScene {
  const { scene, unsupported } = readSource(source);
  return { scene: source.set ? overrideScene(scene, { set: source.set }) : scene, unsupported };
}

function readSource({ file, scene, calls, name, allowOutside = false, limits }: SceneSource): LoadedScene {
  if (calls) return { scene: buildScene(name, calls), unsupported: [] };
  if (file === undefined) return { scene: validateScene(scene), unsupported: [] };
  return loadSceneFile(file, { allowOutside, ...(limits && { limit: limits }) });
}

interface OpenRequest extends SceneSource {
  readonly compile?: CompileOptions;
  readonly keyframe?: string | number | null;
}

function open(session: Session, request: OpenRequest): object {
  const { scene, unsupported } = openScene(request);
  const simulation = new Simulation(compileModel(scene, request.compile));
  if (request.keyframe !== undefined) simulation.reset(request.keyframe);
  const sim = session.add({ kind: 'simulation', simulation, scene, unsupported, ruler: undefined });
  return { sim, model: describeModel(simulation.model), unsupported, state: simulation.state.all };
}

/** Names, sizes and the layout of the state. */
export function describeModel(model: Model): object {
  const { size, options } = model;
  const fields = (Object.keys(STATE_FIELDS) as StateFieldName[]).map((name) => ({
    name,
    length: STATE_FIELDS[name].length(size),
    unit: STATE_FIELDS[name].unit,
    doc: STATE_FIELDS[name].doc,
  }));
  return {
    name: model.name,
    description: model.description,
    coordinates: model.coordinates,
    formulation: options.formulation,
    integrator: options.integrator,
    timestep: options.timestep,
    gravity: options.gravity,
    size,
    fields,
    jointKind: model.joint.kind,
    bodies: model.body.name,
    joints: model.joint.name,
    constraintJoints: model.constraintJoint.name,
    shapes: model.shape.name,
    sites: model.site.name,
    tendons: model.tendon.name,
    actuators: model.actuator.name,
    softBodies: model.soft.name,
    sensors: model.sensor,
    keyframes: model.keyframe.name,
  };
}

export const SCENE_OPERATIONS: Readonly<Record<string, Operation>> = {
  hello: () => ({
    version: VERSION,
    node: process.versions.node,
    formulations: listFormulations(),
    metrics: METRICS,
  }),
  open,
  close: (session, { id }: { id: number }) => session.remove(id),
  scene: (session, { sim }: { sim: number }) => writeSceneJson(session.get('simulation', sim).scene),
  readScene: (_, request: SceneSource) => {
    const { scene, unsupported } = openScene(request);
    return { scene: writeSceneJson(scene), unsupported };
  },
};
