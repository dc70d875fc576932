/** Stored runs of MuJoCo 3.14.0 (folder `mujoco` of the references) and the models that repeat them: options and friction as in the run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, type Integrator, type Model, type Scene } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { createNodeFiles } from '../node-files.ts';

export interface MujocoRun {
  id: string;
  options: {
    integrator: string;
    timestep: number;
    solver: string;
    cone: 'pyramidal' | 'elliptic';
    iterations: number;
    tolerance: number;
    ls_iterations: number;
    ls_tolerance: number;
    impratio: number;
    slideFrictionOverride?: number;
  };
  /** Steps between two samples, and of the whole run. */
  every: number;
  steps: number;
  samples: { time: number[]; qpos: number[][]; qvel: number[][] };
}

/** All runs of a model. */
export function readMujocoRuns(folder: string, model: string): MujocoRun[] {
  const { runs } = JSON.parse(readFileSync(join(folder, `${model}.json`), 'utf8')) as { runs: MujocoRun[] };
  return runs;
}

/** The model of a run, read from its own MJCF. */
export function compileMujocoRun(folder: string, name: string, { options }: MujocoRun): Model {
  const { scene } = loadScene(`${name}.xml`, { files: createNodeFiles(folder) });
  scene.options = {
    ...scene.options,
    integrator: options.integrator.toLowerCase() as Integrator,
    timestep: options.timestep,
    mujoco: {
      ...scene.options?.mujoco,
      solver: options.solver.toLowerCase() as 'newton' | 'cg',
      cone: options.cone,
      iterations: options.iterations,
      tolerance: options.tolerance,
      lineSearchIterations: options.ls_iterations,
      lineSearchTolerance: options.ls_tolerance,
      impedanceRatio: options.impratio,
    },
  };
  if (options.slideFrictionOverride !== undefined) setFriction(scene, options.slideFrictionOverride);
  return compileModel(scene);
}

/** Gives every shape the same sliding friction. */
function setFriction({ shapes, bodies }: Pick<Scene, 'shapes' | 'bodies'>, friction: number): void {
  for (const shape of shapes ?? []) shape.friction = friction;
  for (const body of bodies ?? []) setFriction(body, friction);
}
