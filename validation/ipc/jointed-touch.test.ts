/** Bodies on joints that touch something exactly at the start: they are held as free ones are, and do not fall through. */
import { compileModel, type Scene, Simulation, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

/** m: less than a hundredth of d̂ counts as touching. */
const GAPS = [0, 1e-9, 1e-6, -1e-6, 1e-4];
/** d̂ of the scenes, m. */
const REACH = 1e-3;

function run(source: Scene): Simulation {
  const simulation = new Simulation(compileModel(source, { formulation: 'ipc' }));
  for (let k = 0; k < 100; k++) expect(simulation.step().status).toBe('converged');
  return simulation;
}

describe.each(GAPS)('with a gap of %s m', (gap) => {
  test('a block on a slide rests on its table', () => {
    const world = scene('press').timestep(0.005);
    const stand = world.body('stand', { position: [0, 0, 1] });
    stand.box('table', { halfSize: [0.2, 0.2, 0.05] });
    stand
      .body('block', { position: [0, 0, 0.1 + gap] })
      .slide('up', { axis: [0, 0, 1] })
      .box('block', { halfSize: [0.05, 0.05, 0.05], mass: 1 });
    const simulation = run(world.build());
    const height = simulation.pose('block').position[2] - 1.1;
    expect(height).toBeGreaterThan(0);
    expect(height).toBeLessThan(REACH);
  });

  test('a slide that leans moves along itself', () => {
    const world = scene('lean').timestep(0.005);
    world.plane('floor');
    world
      .body('ball', { position: [0, 0, 0.1 + gap] })
      .slide('guide', { axis: [Math.SQRT1_2, 0, Math.SQRT1_2] })
      .sphere('ball', { radius: 0.1, mass: 1 });
    const [x, y, z] = run(world.build()).pose('ball').position;
    expect(z - 0.1).toBeGreaterThan(0);
    expect(z - 0.1).toBeLessThan(REACH);
    expect(x).toBeCloseTo(z - 0.1 - gap, 6);
    expect(y).toBeCloseTo(0, 6);
  });

  test('a lid on a hinge rests on its post, and what hangs on it goes along', () => {
    const world = scene('lid').timestep(0.005);
    world.body('post', { position: [0.8, 0, 0.5] }).box('post', { halfSize: [0.05, 0.05, 0.5] });
    const lid = world.body('lid', { position: [0, 0, 1.02 + gap] }).hinge('hinge', { axis: [0, 1, 0] });
    lid.box('lid', { halfSize: [0.5, 0.2, 0.02], position: [0.5, 0, 0] });
    lid
      .body('bell', { position: [0.6, 0, 0.02] })
      .hinge('swing', { axis: [1, 0, 0] })
      .sphere('bell', { radius: 0.05, position: [0, 0, 0.2], mass: 0.01 });
    const simulation = run(world.build());
    expect(Math.abs(simulation.jointPosition('hinge'))).toBeLessThan(2 * REACH);
    const { position } = simulation.pose('lid');
    for (const [k, value] of [0, 0, 1.02 + gap].entries()) expect(position[k]).toBeCloseTo(value, 6);
  });
});

test('a hinge that cannot part a pair leaves it out, and says so', () => {
  const world = scene('door').timestep(0.005);
  world.plane('floor');
  world
    .body('door', { position: [0, 0, 0.5] })
    .hinge('hinge', { axis: [0, 0, 1] })
    .box('door', { halfSize: [0.4, 0.02, 0.5], position: [0.4, 0, 0] });
  const simulation = new Simulation(compileModel(world.build(), { formulation: 'ipc' }));
  simulation.step(20);
  expect(simulation.unresolved.join()).toMatch(/floor|door/);
  expect(Math.abs(simulation.jointPosition('hinge'))).toBeLessThan(1e-9);
});
