/** A product with the matrix of `ccp` costs the same per contact, from a hundred contacts to twenty thousand. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

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

/** Least time of a product, ns per contact. */
function timeProduct(count: number): number {
  const simulation = new Simulation(compileModel(towers(count)));
  simulation.forward();
  expect(simulation.solvedContacts.count).toBe(8 * count);
  const program = simulation.formulation.captureProgram!();
  const x = Float64Array.from({ length: program.size }, (_, i) => Math.sin(i));
  const y = new Float64Array(program.size);
  const repeats = Math.ceil(20_000 / count);
  let least = Infinity;
  for (let block = 0; block < 12; block++) {
    const start = performance.now();
    for (let k = 0; k < repeats; k++) program.multiply(y, x);
    least = Math.min(least, (performance.now() - start) / repeats);
  }
  return (1e6 * least) / (8 * count);
}

test('100 to 20,000 contacts', () => {
  timeProduct(125);
  const times = [13, 125, 625, 2500].map(timeProduct);
  // memory gets farther away as the problem grows; anything worse than linear would show as a factor of tens
  expect(Math.max(...times)).toBeLessThan(4 * Math.min(...times));
}, 60_000);
