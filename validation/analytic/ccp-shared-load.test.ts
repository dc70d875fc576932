/** A body that joints and a floor hold in the same direction: how they share its weight is not determined, and nothing moves. */
import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { expect, test } from 'vitest';

test('a ball on a planar mechanism that touches the floor stands still under ccp, and converges', () => {
  const rough = { friction: 1, spinFriction: 0.01, rollFriction: 0.01, density: 1 };
  const world = scene('point').timestep(0.002);
  world.plane('floor', { friction: 1, spinFriction: 0.01, rollFriction: 0.01 });
  world
    .body('agent', { position: [0, 0, 0.1] })
    .slide('x', { axis: [1, 0, 0], damping: 0.01 })
    .slide('y', { axis: [0, 1, 0], damping: 0.01 })
    .hinge('z', { axis: [0, 0, 1], damping: 0.005 })
    .sphere({ radius: 0.1, ...rough })
    .box({ halfSize: [0.05, 0.05, 0.05], position: [0.1, 0, 0], ...rough });
  const simulation = new Simulation(compileModel(world.build(), { formulation: 'ccp' }));
  for (let k = 0; k < 5; k++) {
    const { status, iterations } = simulation.step();
    expect(status).toBe('converged');
    if (k > 0) expect(iterations).toBeLessThan(100);
  }
  expect(Math.abs(simulation.jointVelocity('x'))).toBeLessThan(1e-9);
});
