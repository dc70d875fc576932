/** A product with the matrix of `ccp` costs the same per contact, from a hundred contacts to twenty thousand. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { readProcessorTime } from '../../packages/engine/src/testing/processor-time.ts';

/** Towers of two boxes: eight contacts each. */
function towers(count: number): Scene {
  const side = Math.ceil(Math.sqrt(count));
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', disable: ['island'], ccp: { iterations: 1 } },
    shapes: [{ kind: 'plane' }],
    bodies: Array.from({ length: 2 * count }, (_, i) => {
      const tower = Math.floor(i / 2);
      return {
        position: [tower % side, Math.floor(tower / side), 0.1 + 0.2 * (i % 2)],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
      };
    }),
  };
}

/** One product with the matrix of so many towers. */
function prepareProduct(count: number): () => void {
  const simulation = new Simulation(compileModel(towers(count)));
  simulation.forward();
  expect(simulation.solvedContacts.count).toBe(8 * count);
  const program = simulation.formulation.captureProgram!();
  const x = Float64Array.from({ length: program.size }, (_, i) => Math.sin(i));
  const y = new Float64Array(program.size);
  return () => program.multiply(y, x);
}

test('100 to 20,000 contacts', () => {
  const counts = [13, 125, 625, 2500];
  const products = counts.map(prepareProduct);
  const times = counts.map(() => Infinity);
  // all sizes in turn, as many contacts of each, so that other work on the machine slows all; the first round compiles
  for (let round = 0; round < 8; round++) {
    for (const [i, count] of counts.entries()) {
      const repeats = Math.ceil(20_000 / count);
      const start = readProcessorTime();
      for (let k = 0; k < repeats; k++) products[i]!();
      times[i] = Math.min(times[i]!, (readProcessorTime() - start) / (repeats * count));
    }
  }
  // memory gets farther away as the problem grows; anything worse than linear would show as a factor of tens
  expect(Math.max(...times)).toBeLessThan(4 * Math.min(...times));
});
