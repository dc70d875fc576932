import { execFileSync } from 'node:child_process';
import { compileModel, type FormulationId, NexdynError, type Scene, Simulation, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { stepThreads } from './index.ts';

/** Layers of boxes, each box on four below: its factor is large enough to be shared. */
function buildHeap(formulation: FormulationId): Scene {
  const [layers, side] = formulation === 'ipc' ? [2, 2] : [4, 5];
  const world = scene('heap').timestep(0.01);
  world.plane('floor');
  for (let layer = 0; layer < layers; layer++) {
    for (let i = 0; i < side * side; i++) {
      const shift = 0.5 * (layer % 2);
      const [x, y] = [0.205 * ((i % side) + shift), 0.205 * (Math.floor(i / side) + shift)];
      world
        .body(`box${layer}-${i}`, { position: [x, y, 0.0995 + 0.199 * layer] })
        .free()
        .box({ halfSize: [0.1, 0.1, 0.1] });
    }
  }
  return world.formulation(formulation).build();
}

/** Towers that stand apart, each an island, some tilted. */
function buildTowers(formulation: FormulationId): Scene {
  const world = scene('towers').timestep(0.01);
  world.plane('floor');
  for (let tower = 0; tower < 12; tower++) {
    for (let k = 0; k < 1 + (tower % 4); k++) {
      world
        .body(`box${tower}-${k}`, { position: [tower + 0.01 * k * (tower % 3), 0, 0.0995 + 0.199 * k] })
        .free()
        .box({ halfSize: [0.1, 0.1, 0.1] });
    }
  }
  return world.formulation(formulation).build();
}

/** A soft block above a floor, or on it. */
function buildBlock(formulation: FormulationId): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation, timestep: 0.01 },
    shapes: [{ kind: 'plane' }],
    softBodies: [
      {
        name: 'block',
        position: [0, 0, formulation === 'sap' ? 0.3 : 0.101],
        mesh: { kind: 'box', halfSize: [0.2, 0.1, 0.1], cells: [10, 6, 7] },
        elasticity: { model: 'corotated', youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 },
      },
    ],
  };
}

/** The state after some steps, and one more without the threads; what was reported; how many threads had work, and which. */
function run(source: Scene, count: number, steps: number) {
  const threads = stepThreads(count);
  const tasks = new Set<string>();
  let busy = 0;
  const open: typeof threads.open = (host) => {
    const pool = threads.open(host);
    const run: typeof pool.run = (task, record, pieces, here) => {
      busy = threads.count;
      tasks.add(task);
      pool.run(task, record, pieces, here);
    };
    return { run, setUpIslands: (setup) => pool.setUpIslands(setup), end: () => pool.end() };
  };
  const simulation = new Simulation(compileModel(source), { threads: { count: threads.count, open } });
  simulation.step(steps);
  const { count: iterations, solveCount, cost } = simulation.report.trace;
  const report = { solveCount, costs: [...cost.subarray(0, iterations)], forces: simulation.contacts() };
  simulation.dispose();
  simulation.step();
  return { state: [...simulation.state.all], report, busy, tasks };
}

describe('threads inside a step', () => {
  test.each([
    ['heap', 'mujoco', buildHeap, 2, true],
    ['heap', 'sap', buildHeap, 2, true],
    ['heap', 'ccp', buildHeap, 1, true],
    ['heap', 'ipc', buildHeap, 1, false],
    ['soft block', 'sap', buildBlock, 1, true],
    ['soft block', 'mujoco', buildBlock, 1, true],
  ] as const)('%s under %s: the same bytes for 1, 2 and 3', (_name, formulation, build, steps, isShared) => {
    const one = run(build(formulation), 1, steps);
    expect(one.state.every(Number.isFinite)).toBe(true);
    expect(one.busy).toBe(0);
    for (const count of [2, 3]) {
      const { state, busy } = run(build(formulation), count, steps);
      expect(state).toEqual(one.state);
      expect(busy).toBe(isShared ? count - 1 : 0);
    }
  });

  test.each(['mujoco', 'sap', 'penalty'] as const)('islands under %s: the same bytes for 1, 2 and 3', (formulation) => {
    const one = run(buildTowers(formulation), 1, 3);
    expect(one.report.solveCount).toBe(12);
    for (const count of [2, 3]) {
      const more = run(buildTowers(formulation), count, 3);
      expect(more.state).toEqual(one.state);
      expect(more.report).toEqual(one.report);
      expect(more.tasks).toContain('solveIsland');
    }
  });

  test('a process with threads that nobody ended ends by itself', () => {
    const program = `
      import { compileModel, Simulation } from '@nexdyn/engine';
      import { stepThreads } from '@nexdyn/batch';
      const simulation = new Simulation(compileModel(${JSON.stringify(buildBlock('sap'))}), { threads: stepThreads(2) });
      simulation.step();
      console.log(simulation.time);`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      timeout: 60_000,
      encoding: 'utf8',
    });
    expect(out.trim()).toBe('0.01');
  });

  test.each([0, -1, 1.5, 65, Number.NaN])('%d threads are refused', (count) => {
    expect(() => stepThreads(count)).toThrow(NexdynError);
  });

  test('one thread starts none', () => {
    expect(stepThreads(1).count).toBe(0);
    expect(stepThreads(3).count).toBe(2);
  });
});
