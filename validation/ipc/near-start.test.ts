/**
 * Bodies that start near others, within the range of the barrier: nothing has put energy there, so that nothing hops.
 * The bound of a hop is that of a body in the place where the barrier would carry it alone: it may settle within what the barrier gives way,
 * and none of it is thrown farther than d̂/10 above where it ends.
 */
import { compileModel, type SceneBuilder, Simulation, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

/** d̂ of the scenes, m. */
const REACH = 1e-3;
const GAPS = [0, 1e-4, 3e-4, 5e-4, 7e-4];

function box(world: SceneBuilder, name: string, half: number, at: [number, number, number]): void {
  world
    .body(name, { position: at })
    .free()
    .box({ halfSize: [half, half, half] });
}

const SCENES: Record<string, (world: SceneBuilder, gap: number) => void> = {
  box: (world, gap) => box(world, 'box', 0.1, [0, 0, 0.1 + gap]),
  ball: (world, gap) =>
    world
      .body('ball', { position: [0, 0, 0.1 + gap] })
      .free()
      .sphere({ radius: 0.1 }),
  puck: (world, gap) =>
    world
      .body('puck', { position: [0, 0, 0.02 + gap] })
      .free()
      .cylinder({ radius: 0.05, halfLength: 0.02 }),
  'tower of five': (world, gap) => {
    for (let k = 0; k < 5; k++) box(world, `cube${k}`, 0.05, [0, 0, 0.05 + 0.1 * k + (k + 1) * gap]);
  },
  'a light cube beside a heavy one': (world, gap) => {
    box(world, 'light', 0.01, [0, 0, 0.01 + gap]);
    box(world, 'heavy', 0.5, [2, 0, 0.5 + gap]);
  },
};

describe.each(Object.keys(SCENES))('%s', (name) => {
  test.each(GAPS)('with a gap of %d m stays', (gap) => {
    const world = scene(name).timestep(1 / 240);
    world.plane('floor');
    SCENES[name](world, gap);
    const model = compileModel(world.build(), { formulation: 'ipc' });
    const simulation = new Simulation(model);
    const heights = (): number[] => model.body.name.slice(1).map((body) => simulation.pose(body).position[2]);
    const highest = heights();
    for (let k = 0; k < 24; k++) {
      expect(simulation.step().status).toBe('converged');
      for (const [b, z] of heights().entries()) highest[b] = Math.max(highest[b], z);
    }
    for (const [b, z] of heights().entries()) expect(highest[b] - z).toBeLessThan(0.1 * REACH);
  });
});

test('a box alone stands in balance from its first step on', () => {
  const world = scene('box').timestep(1e-3);
  world.plane('floor');
  box(world, 'box', 0.1, [0, 0, 0.1]);
  const simulation = new Simulation(compileModel(world.build(), { formulation: 'ipc' }));
  simulation.step(5);
  // four corners of A/8 carry m g exactly
  expect(Math.abs(simulation.velocity('box').linear[2])).toBeLessThan(1e-9);
});

test('a peg in a hole narrower than the range of the barrier stays in it, in the middle', () => {
  const world = scene('peg')
    .timestep(1 / 240)
    .options({ gravity: [0, 0, 0] });
  for (const side of [-1, 1]) world.box({ halfSize: [0.1, 0.1, 0.1], position: [side * 0.1502, 0, 0] });
  box(world, 'peg', 0.05, [1e-4, 0, 0]);
  const simulation = new Simulation(compileModel(world.build(), { formulation: 'ipc' }));
  for (let k = 0; k < 24; k++) {
    expect(simulation.step().status).toBe('converged');
    expect(Math.abs(simulation.pose('peg').position[0])).toBeLessThan(2e-4);
    expect(Math.abs(simulation.velocity('peg').linear[0])).toBeLessThan(5e-3);
  }
  expect(simulation.unresolved).toEqual([]);
});
