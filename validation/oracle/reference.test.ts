/** Stored trajectories of MuJoCo 3.14.0, read from their own MJCF, within the pass marks that their solver tolerance allows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, type Integrator, type Scene, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { folderFiles, hasReference, REFERENCE } from './shared-data.ts';

interface Run {
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
}

const folder = join(REFERENCE, 'mujoco');
const NAMES = ['double_pendulum', 'dzhanibekov', 'arm_limits', 'equalities', 'incline_box', 'stack5', 'rolling_sphere'];
const cases = hasReference
  ? NAMES.flatMap((name) => {
      const { runs } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { runs: Run[] };
      return runs.map((run) => ({ name, id: run.id, run }));
    })
  : [];

/** Largest |Δq| at 1 s, m or rad: MuJoCo's own stopping error decides it. */
function passMark(name: string, run: Run): number {
  if (run.options.solver === 'CG') return 1e-4;
  if (run.id.endsWith('_tight')) return 1e-9;
  switch (name) {
    case 'arm_limits':
      return 1e-9;
    case 'equalities':
      return 1e-8;
    case 'stack5':
      return 1e-6;
    case 'incline_box':
      return run.options.cone === 'elliptic' ? 1e-5 : run.id.startsWith('mu0.3') ? 1e-6 : 1e-9;
    case 'rolling_sphere':
      return run.options.cone === 'elliptic' ? 1e-5 : 1e-9;
    default:
      return 1e-10;
  }
}

function prepare(name: string, { options }: Run): Scene {
  const { scene } = loadScene(`${name}.xml`, { files: folderFiles(folder) });
  const solver = options.solver.toLowerCase() as 'newton' | 'cg';
  scene.options = {
    ...scene.options,
    integrator: options.integrator.toLowerCase() as Integrator,
    timestep: options.timestep,
    mujoco: {
      ...scene.options?.mujoco,
      solver,
      cone: options.cone,
      iterations: options.iterations,
      tolerance: options.tolerance,
      lineSearchIterations: options.ls_iterations,
      lineSearchTolerance: options.ls_tolerance,
      impedanceRatio: options.impratio,
    },
  };
  return scene;
}

describe.skipIf(!hasReference)('reference trajectories (../shared/reference)', () => {
  test.each(cases)('$name, $id', ({ name, run }) => {
    const model = compileModel(prepare(name, run));
    const slide = run.options.slideFrictionOverride;
    if (slide !== undefined) for (let s = 0; s < model.size.shape; s++) model.shape.friction[3 * s] = slide;
    const simulation = new Simulation(model);
    const mark = passMark(name, run);
    for (let sample = 0; sample < run.samples.time.length; sample++) {
      if (sample > 0) simulation.step(run.every);
      expect(simulation.time).toBeCloseTo(run.samples.time[sample], 12);
      run.samples.qpos[sample].forEach((q, k) => {
        expect(Math.abs(simulation.state.position[k] - q), `qpos[${k}] at ${simulation.time} s`).toBeLessThan(mark);
      });
    }
    expect(simulation.time).toBeCloseTo(1, 12);
  });
});
