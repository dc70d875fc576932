/** Stored runs of MuJoCo 3.14.0 and the scenes that repeat them: options and friction as in the run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, type Integrator, type Model } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { folderFiles, hasReference, REFERENCE } from './shared-data.ts';

export interface Run {
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
  every: number;
  steps: number;
  samples: { time: number[]; qpos: number[][]; qvel: number[][] };
  details: Detail[];
}

/** The forward pass at one step. */
export interface Detail {
  step: number;
  qpos: number[];
  qvel: number[];
  qacc: number[];
  qacc_smooth: number[];
  qfrc_constraint: number[];
  /** Mass matrix, row by row. */
  M: number[];
  contacts?: { dim: number; friction: number[]; efc_address: number }[];
  /** Rows; absent where there are none. */
  efc?: {
    type: string[];
    pos: number[];
    aref: number[];
    R: number[];
    force: number[];
    state: number[];
    /** Row by row; absent where it is large. */
    J?: number[];
  };
}

const folder = join(REFERENCE, 'mujoco');
const NAMES = ['double_pendulum', 'dzhanibekov', 'arm_limits', 'equalities', 'incline_box', 'stack5', 'rolling_sphere'];

/** Every run of every file; none where the data is absent. */
export const referenceRuns: { name: string; id: string; run: Run }[] = hasReference
  ? NAMES.flatMap((name) => {
      const { runs } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { runs: Run[] };
      return runs.map((run) => ({ name, id: run.id, run }));
    })
  : [];

export function compileRun(name: string, { options }: Run): Model {
  const { scene } = loadScene(`${name}.xml`, { files: folderFiles(folder) });
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
  const model = compileModel(scene);
  const slide = options.slideFrictionOverride;
  if (slide !== undefined) for (let s = 0; s < model.size.shape; s++) model.shape.friction[3 * s] = slide;
  return model;
}
