/** Stored trajectories of MuJoCo 3.14.0, read from their own MJCF, within the pass marks that their solver tolerance allows. */
import { Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { compileRun, type Run, referenceRuns } from './reference-run.ts';
import { hasReference } from './shared-data.ts';

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

describe.skipIf(!hasReference)('reference trajectories (../shared/reference)', () => {
  test.each(referenceRuns)('$name, $id', ({ name, run }) => {
    const simulation = new Simulation(compileRun(name, run));
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
