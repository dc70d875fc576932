/** The compiled twin of the blocks of a contact and of their sum gives the same bits as TypeScript. */
import '../../../compiled.ts';
import '../provide.ts';
import { expect, test } from 'vitest';
import { Arena } from '../../../kernels/arena.ts';
import { compileModel } from '../../../model/compile.ts';
import type { Scene } from '../../../scene/scene.ts';
import { Simulation } from '../../../simulation.ts';
import { IpcObjective } from '../ipc-objective.ts';
import { PairBlocks } from './pair-blocks.ts';

const boxes = (count: number): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  shapes: [{ kind: 'plane' }],
  bodies: Array.from({ length: count }, (_, i) => ({
    position: [0.01 * i, -0.02 * i, 0.101 + 0.203 * i],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.4 }],
  })),
});

/** Blocks of random contacts of three boxes and the world, and the Newton step of their sum. */
function assemble(arena: Arena): number[] {
  let seed = 11;
  const random = (): number => {
    seed = (seed * 16807) % 2147483647;
    return (2 * seed) / 2147483647 - 1;
  };
  const fill = (array: Float64Array): void => {
    for (let i = 0; i < array.length; i++) array[i] = random();
  };
  const { matrix } = new IpcObjective(compileModel(boxes(3), { formulation: 'ipc' }), arena);
  const blocks = new PairBlocks(arena);
  const world = 3;
  const pairs = [
    [0, 1],
    [1, 0],
    [2, 1],
    [1, 2],
    [0, world],
    [world, 2],
  ] as const;
  for (const [a, b] of pairs) matrix.couple(a, b);
  matrix.begin();
  for (let b = 0; b < 3; b++) for (let k = 0; k < 6; k++) matrix.addToDiagonal(b, k, 1000);
  const [one, two] = [new Float64Array(12), new Float64Array(12)];
  const seen: number[] = [];
  for (let n = 0; n < 24; n++) {
    [blocks.frameA, blocks.frameB] = pairs[n % pairs.length]!;
    for (const array of [blocks.armA, blocks.armB, blocks.force, blocks.stiffness, blocks.sliding, one, two])
      fill(array);
    blocks.slidingScale = n % 4 === 3 ? 0 : random();
    blocks.expand(matrix, n % 5 > 0);
    seen.push(...blocks.gradient, ...blocks.hessian);
    blocks.addTo(matrix, n % 7 === 6);
    blocks.writeTwoWays(matrix, one, two, random(), random(), random());
    seen.push(...blocks.hessian);
    blocks.addTo(matrix, false);
  }
  const step = new Float64Array(6 * 4);
  expect(matrix.solve(step)).toBe(true);
  return [...seen, ...step, ...matrix.gradient];
}

test('blocks and their sum', () => {
  const arena = new Arena();
  expect(arena.compiledBarrier).toBeDefined();
  expect(assemble(arena)).toEqual(assemble(new Arena({ portable: true })));
});

test('steps of a tower that leans', () => {
  const run = (portable: boolean): number[] => {
    const simulation = new Simulation(compileModel(boxes(3), { formulation: 'ipc' }), { portable });
    simulation.step(6);
    return [...simulation.state.all];
  };
  expect(run(false)).toEqual(run(true));
});
