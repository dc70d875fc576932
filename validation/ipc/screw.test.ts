import { expect, test } from 'vitest';
import { buildScrew, runScrew } from './screw.ts';

test('a bolt in a nut turns down by its weight as its pitch says, a third of a turn', () => {
  const simulation = buildScrew(24);
  expect(simulation.model.size.body).toBe(2);
  runScrew(simulation, 45);
});
