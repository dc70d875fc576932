/** Islands whose pieces alternate between the solver of the step and one on the same memory that knows only what threads are told. */
import { describe, expect, test } from 'vitest';
import { createIslandThread } from '../formulation/island-thread.ts';
import { compileModel, type FormulationId, type Scene, Simulation, scene } from '../index.ts';
import { ThreadMemory } from '../kernels/thread-memory.ts';
import type { IslandTasks, StepThreads, Task } from '../linear-algebra/shared-work.ts';
import type { MujocoOptions } from '../scene/options.ts';
import { SHARED_ISLANDS } from './island-solver.ts';
import { SharedIslands } from './shared-islands.ts';

/** Towers that stand apart, some tilted; with `large`, one has most of the boxes. */
function buildTowers(formulation: FormulationId, large: boolean, mujoco?: MujocoOptions): Scene {
  const world = scene('towers').timestep(0.01);
  world.plane('floor');
  const add = (name: string, x: number, y: number, z: number) =>
    world
      .body(name, { position: [x, y, z] })
      .free()
      .box({ halfSize: [0.1, 0.1, 0.1] });
  for (let tower = 0; tower < 14; tower++) {
    for (let k = 0; k < 1 + (tower % 4); k++)
      add(`box${tower}-${k}`, tower + 0.01 * k * (tower % 3), 0, 0.0995 + 0.199 * k);
  }
  if (large) for (let k = 0; k < 120; k++) add(`wall${k}`, 0.199 * (k % 30), 2, 0.0995 + 0.199 * Math.floor(k / 30));
  const source = world.formulation(formulation).build();
  return { ...source, options: { ...source.options, ...(mujoco && { mujoco }) } };
}

/** Every second island is solved by the other solver. */
function createAlternating() {
  const count = { here: 0, there: 0 };
  const open: StepThreads['open'] = (host) => {
    let there: IslandTasks | undefined;
    let setup: object | undefined;
    const { compiled, memory } = host;
    return {
      setUpIslands(parts) {
        setup = structuredClone(parts);
      },
      run(task, record, pieces, here) {
        const functions = compiled as unknown as Record<string, Task>;
        if (!here || !setup) {
          for (let piece = 0; piece < pieces; piece++) functions[task](record, piece);
          return;
        }
        there ??= createIslandThread(setup, new ThreadMemory(memory as WebAssembly.Memory, compiled!, undefined));
        for (let piece = pieces - 1; piece >= 0; piece--) {
          if (piece % 2 === 0) here(record, piece);
          else there[task as keyof IslandTasks](record, piece);
          count[piece % 2 === 0 ? 'here' : 'there']++;
        }
      },
      end() {},
    };
  };
  return { threads: { count: 1, open } satisfies StepThreads, count };
}

function run(source: Scene, threads?: StepThreads) {
  const simulation = new Simulation(compileModel(source), threads ? { threads } : {});
  simulation.step(4);
  const { count, solveCount, cost, residual, step, finalResidual } = simulation.report.trace;
  return {
    state: [...simulation.state.all],
    contacts: simulation.contacts(),
    status: simulation.report.status,
    trace: [cost, residual, step].map((numbers) => [...numbers.subarray(0, count)]),
    finals: [...finalResidual.subarray(0, solveCount)],
  };
}

SHARED_ISLANDS.provide(SharedIslands);

describe('islands of several threads', () => {
  test.each([
    ['sap', false],
    ['sap', true],
    ['penalty', false],
    ['mujoco', false],
    ['mujoco', true],
    ['mujoco', false, { solver: 'cg' }],
    ['mujoco', false, { cone: 'elliptic' }],
  ] as const)(
    '%s: the bytes, forces and trace of one thread (large: %s, %o)',
    (formulation, large, mujoco?: MujocoOptions) => {
      const source = buildTowers(formulation, large, mujoco);
      const { threads, count } = createAlternating();
      expect(run(source, threads)).toEqual(run(source));
      expect(count.there).toBeGreaterThanOrEqual(4 * 6);
      expect(count.here).toBeGreaterThanOrEqual(4 * 6);
    },
  );
});
