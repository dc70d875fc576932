/** Threads that die while a step waits for them: the step ends with an error, and the simulation goes on without them. */
import { setTimeout } from 'node:timers/promises';
import { compileModel, NexdynError, type Scene, Simulation } from '@nexdyn/engine';
import { createWorkPool, type StepThreads, type WorkPlace, type WorkThread } from '@nexdyn/engine/threads';
import { describe, expect, test } from 'vitest';
import { createStepHost } from './node-host.ts';

const { startWork } = createStepHost();
type Host = Parameters<StepThreads['open']>[0];

/** A module whose `addGradientPiece` and `addHessianPiece` never return: (param i32 i32) (loop (br 0)). */
const ENDLESS = new WebAssembly.Module(
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 6, 1, 0x60, 2, 0x7f, 0x7f, 0], // one type
    ...[3, 2, 1, 0], // one function
    ...[7, 38, 2, ...name('addGradientPiece'), 0, 0, ...name('addHessianPiece'), 0, 0],
    ...[10, 9, 1, 7, 0, 3, 0x40, 0x0c, 0, 0x0b, 0x0b],
  ]),
);

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

/** A soft block above a floor whose elements are shared. */
const BLOCK: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { formulation: 'sap', timestep: 0.01 },
  shapes: [{ kind: 'plane' }],
  softBodies: [
    {
      name: 'block',
      position: [0, 0, 0.3],
      mesh: { kind: 'box', halfSize: [0.2, 0.1, 0.1], cells: [10, 6, 7] },
      elasticity: { model: 'corotated', youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 },
    },
  ],
};

/** Threads with a module of their own. Before its first piece the caller waits until `isReady`, then ends the first of them. */
function createDoomed(count: number, soft: WebAssembly.Module | undefined, isReady: (words: Int32Array) => boolean) {
  const started: WorkThread[] = [];
  let words: Int32Array | undefined;
  const start = (place: WorkPlace) => {
    const modules = soft ? { ...place.modules, soft } : place.modules;
    const thread = startWork({ ...place, modules });
    started.push(thread);
    words = new Int32Array(place.memory.buffer, place.control, 32);
    return thread;
  };
  let isOver = false;
  const endOne = () => {
    if (isOver) return;
    isOver = true;
    for (let waits = 0; waits < 20_000 && !isReady(words!); waits++) Atomics.wait(words!, 15, 0, 1);
    started[0]!.end();
  };
  const open = (host: Host) => {
    const watched: Host = {
      memory: host.memory,
      compiled: host.compiled,
      get compiledSoft() {
        const { compiledSoft } = host;
        if (!compiledSoft) return undefined;
        const addGradientPiece: typeof compiledSoft.addGradientPiece = (record, piece) => {
          endOne();
          compiledSoft.addGradientPiece(record, piece);
        };
        return { ...compiledSoft, addGradientPiece };
      },
      i32: (length) => host.i32(length),
    };
    return createWorkPool(watched, count, start);
  };
  return { threads: { count, open } satisfies StepThreads, started };
}

function step(threads?: StepThreads): { state: number[]; simulation: Simulation } {
  const simulation = new Simulation(compileModel(BLOCK), threads ? { threads } : {});
  simulation.step();
  return { state: [...simulation.state.all], simulation };
}

describe('a thread that is ended', () => {
  /**
   * Words of the pool: 0 pieces left, 5 all pieces, 16 whether the first thread is about to take a piece or has one. It has one when two are
   * taken: the caller is in its first.
   */
  const hasPiece = (words: Int32Array) =>
    Atomics.load(words, 16) === 1 && Atomics.load(words, 0) === Atomics.load(words, 5) - 2;

  test('in a piece: the step is not taken, and the next one is the calling thread’s', () => {
    const { threads } = createDoomed(1, ENDLESS, hasPiece);
    const simulation = new Simulation(compileModel(BLOCK), { threads });
    const before = [...simulation.state.all];
    let error: unknown;
    try {
      simulation.step();
    } catch (reason) {
      error = reason;
    }
    expect(error).toBeInstanceOf(NexdynError);
    expect((error as NexdynError).code).toBe('thread-lost');
    expect([...simulation.state.all]).toEqual(before);
    simulation.step();
    expect([...simulation.state.all]).toEqual(step().state);
  });

  test('without a piece: nothing is lost', async () => {
    const { threads, started } = createDoomed(2, undefined, () => true);
    const { state, simulation } = step(threads);
    expect(state).toEqual(step().state);
    const [ended] = started;
    for (let waits = 0; waits < 2000 && ended!.isAlive(); waits++) await setTimeout(10);
    expect(ended!.isAlive()).toBe(false);
    expect(started[1]!.isAlive()).toBe(true);
    simulation.dispose();
  });
});
