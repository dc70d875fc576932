/** Stored runs of MuJoCo 3.14.0 with what its forward passes computed. */
import { join } from 'node:path';
import type { Model } from '@nexdyn/engine';
import { compileMujocoRun, type MujocoRun, readMujocoRuns } from '../../packages/cli/src/validate/mujoco-run.ts';
import { hasReference, REFERENCE } from './shared-data.ts';

export interface Run extends MujocoRun {
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
  ? NAMES.flatMap((name) => (readMujocoRuns(folder, name) as Run[]).map((run) => ({ name, id: run.id, run })))
  : [];

export function compileRun(name: string, run: Run): Model {
  return compileMujocoRun(folder, name, run);
}
