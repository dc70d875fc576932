import { readFileSync } from 'node:fs';
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { expect, test } from 'vitest';

interface StoppedRun {
  model: string;
  steps: { qpos: number[]; qvel: number[]; warmStart: number[]; next: number[] }[];
}

// by stopped-solver.py under MuJoCo 4.0
const { runs } = JSON.parse(readFileSync(new URL('stopped-solver.json', import.meta.url), 'utf8')) as {
  runs: StoppedRun[];
};

test.each(runs.map((run) => [/<option (.*)\/>/.exec(run.model)![1]!, run] as const))(
  'a solver that stops early stops where MuJoCo 4.0 does: %s',
  (_, { model, steps }) => {
    const { scene } = loadScene('model.xml', { files: memoryFiles({ 'model.xml': model }) });
    const simulation = new Simulation(compileModel(scene));
    const { state } = simulation;
    expect(steps.length).toBe(3);
    for (const { qpos, qvel, warmStart, next } of steps) {
      simulation.reset(null);
      state.position.set(qpos);
      state.velocity.set(qvel);
      state.warmStart.set(warmStart);
      simulation.step();
      // the same iterates up to round-off, which a factor of a stiff Hessian magnifies; other iterates are off by 1e-6 and more
      const scale = Math.max(...next.map(Math.abs));
      next.forEach((velocity, i) => {
        expect(Math.abs(state.velocity[i]! - velocity)).toBeLessThan(1e-9 * scale);
      });
    }
  },
);
