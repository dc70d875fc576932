import { expect, test } from 'vitest';
import { buildScrew, runScrew } from './screw.ts';

test('a bolt of 1200 vertices turns down its nut by more than a turn', () => {
  const simulation = buildScrew(48);
  expect(simulation.model.geometry.mesh[0]!.vertices.length / 3).toBeGreaterThan(1000);
  runScrew(simulation, 100);
});

test('a bolt in a nut turns down by its weight as its pitch says, a third of a turn', () => {
  const simulation = buildScrew(24);
  expect(simulation.model.size.body).toBe(2);
  runScrew(simulation, 45);
});
