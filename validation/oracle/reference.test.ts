/** Stored trajectories of MuJoCo 3.14.0 without contact, read from their own MJCF: |Δq| ≤ 1e-10 at 1 s. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, type Integrator, Simulation } from '@nexdyn/engine';
import { loadScene } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { folderFiles, hasReference, REFERENCE } from './shared-data.ts';

interface Run {
  id: string;
  options: { integrator: string; timestep: number };
  every: number;
  steps: number;
  samples: { time: number[]; qpos: number[][]; qvel: number[][] };
}

const folder = join(REFERENCE, 'mujoco');
const cases = hasReference
  ? ['double_pendulum', 'dzhanibekov'].flatMap((name) => {
      const { runs } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { runs: Run[] };
      return runs.map((run) => ({ name, id: run.id, run }));
    })
  : [];

describe.skipIf(!hasReference)('reference trajectories (../shared/reference)', () => {
  test.each(cases)('$name, $id', ({ name, run }) => {
    const { scene } = loadScene(`${name}.xml`, { files: folderFiles(folder) });
    const integrator = run.options.integrator.toLowerCase() as Integrator;
    scene.options = { ...scene.options, integrator, timestep: run.options.timestep };
    const simulation = new Simulation(compileModel(scene));
    for (let sample = 0; sample < run.samples.time.length; sample++) {
      if (sample > 0) simulation.step(run.every);
      expect(simulation.time).toBeCloseTo(run.samples.time[sample], 12);
      run.samples.qpos[sample].forEach((q, k) => {
        expect(Math.abs(simulation.state.position[k] - q), `qpos[${k}] at ${simulation.time} s`).toBeLessThan(1e-10);
      });
      // velocities are stored with 15 digits and reach 20 rad/s
      run.samples.qvel[sample].forEach((v, k) => {
        expect(Math.abs(simulation.state.velocity[k] - v), `qvel[${k}] at ${simulation.time} s`).toBeLessThan(1e-9);
      });
    }
    expect(simulation.time).toBeCloseTo(1, 12);
  });
});
