/** Fetches the scripts of what is not part of the worker's own: formulations that few scenes begin with, compliant bodies, distance fields, meshes and so on. */
import { type FormulationId, listEngineParts, type Scene } from '@nexdyn/engine';

const LOADERS: Readonly<Record<string, () => Promise<unknown>>> = {
  penalty: () => import('@nexdyn/engine/penalty'),
  sap: () => import('@nexdyn/engine/sap'),
  ccp: () => import('@nexdyn/engine/ccp'),
  ipc: () => import('@nexdyn/engine/ipc'),
  compiled: () => import('@nexdyn/engine/compiled'),
  compliance: () => import('@nexdyn/engine/compliance'),
  fields: () => import('@nexdyn/engine/fields'),
  fluid: () => import('@nexdyn/engine/fluid'),
  lessons: () => import('@nexdyn/engine/lessons'),
  meshes: () => import('@nexdyn/engine/meshes'),
  'mujoco-points': () => import('@nexdyn/engine/mujoco-points'),
  pictures: () => import('@nexdyn/engine/pictures'),
  sensors: () => import('@nexdyn/engine/sensors'),
  sleeping: () => import('@nexdyn/engine/sleeping'),
  sparse: () => import('@nexdyn/engine/sparse'),
  tendons: () => import('@nexdyn/engine/tendons'),
  terms: () => import('@nexdyn/engine/terms'),
};

/** All that a scene runs on, under a formulation if not its own; the names of the parts. */
export async function loadParts(scene: Scene, formulation?: FormulationId): Promise<readonly string[]> {
  const parts = listEngineParts(scene, formulation);
  await Promise.all(parts.map((part) => LOADERS[part]?.()));
  return parts;
}
