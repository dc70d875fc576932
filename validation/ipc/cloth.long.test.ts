import { expect, test } from 'vitest';
import { dropCloth } from './cloth-scene.ts';

test('cloth of ten thousand vertices over a box: no intersection', () => {
  const { simulation, lowest } = dropCloth(99, 6, 2);
  expect(simulation.softPosition('cloth').length / 3).toBe(10_000);
  expect(lowest).toBeLessThan(0.15);
});

test('cloth of ten thousand vertices over a ball: no intersection', () => {
  const { simulation, lowest } = dropCloth(99, 9, 1, 'ball');
  expect(simulation.softPosition('cloth').length / 3).toBe(10_000);
  expect(lowest).toBeLessThan(0.1);
});
