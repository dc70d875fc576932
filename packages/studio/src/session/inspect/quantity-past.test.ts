/** Numbers read of a run that is over are those it had, and the run goes on as if nobody had looked. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { Course } from '../course.ts';
import { readQuantity } from './part-facts.ts';
import { recallQuantities } from './quantity-past.ts';

const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'ball',
      position: [0, 0, 0.15],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
    },
  ],
};
const KEYS = ['body:1:position:z', 'body:1:contact force:z'];

function begin(): { simulation: Simulation; course: Course } {
  const simulation = new Simulation(compileModel(SCENE, { formulation: 'sap' }));
  simulation.reset();
  simulation.forward();
  const readQuantities = (keys: readonly string[]): number[] => keys.map((key) => readQuantity(simulation, key));
  return { simulation, course: new Course(simulation, { readQuantities }) };
}

test('position and contact force at every step, and the same state afterwards', () => {
  const { simulation, course } = begin();
  const seen = [course.readQuantities(KEYS)];
  for (let step = 1; step <= 100; step++) {
    course.advance();
    seen.push(course.readQuantities(KEYS));
    if (step % 3 === 0) course.keep();
  }
  // it has landed: the force is that of its weight, and was none at the start
  expect(seen[0]![1]).toBe(0);
  expect(seen.at(-1)![1]).toBeCloseTo(9.81, 0);
  const hash = simulation.hash();
  const past = recallQuantities(course, KEYS, () => 0);
  expect(past.steps[0]).toBe(0);
  expect(past.steps.at(-1)).toBe(100);
  expect(past.steps.length).toBe(35);
  past.steps.forEach((step, i) => {
    expect(past.values.slice(2 * i, 2 * i + 2)).toEqual(seen[step]);
    expect(past.times[i]).toBeCloseTo(step * simulation.timestep, 12);
  });
  expect(simulation.hash()).toBe(hash);
  expect(recallQuantities(course, KEYS, () => 0, [50, 51]).values).toEqual([...seen[50]!, ...seen[51]!]);
  course.advance();
  const other = begin();
  for (let step = 0; step <= 100; step++) other.course.advance();
  expect(simulation.hash()).toBe(other.simulation.hash());
});

test('where steps are slow, fewer states are read', () => {
  const { course } = begin();
  for (let step = 0; step < 300; step++) {
    course.advance();
    course.keep();
  }
  let clock = 0;
  const past = recallQuantities(course, KEYS, () => (clock += 5));
  expect(past.steps.length).toBe(40);
});
