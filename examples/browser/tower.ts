import { compileModel, Simulation, scene } from '@nexdyn/engine';

/** Half width of a block and radius of the ball, m. */
export const SIZE = 0.1;
export const BLOCKS = 6;

/** A tower of blocks, and a ball that flies at it. */
export function createTower(): Simulation {
  const world = scene('tower');
  world.plane('floor');
  for (let i = 0; i < BLOCKS; i++) {
    world
      .body(`block${i}`, { position: [0, 0, SIZE * (1 + 2 * i)] })
      .free()
      .box({ halfSize: [SIZE, SIZE, SIZE], density: 500 });
  }
  world
    .body('ball', { position: [-1.2, 0, 0.8] })
    .free()
    .sphere({ radius: SIZE, density: 1000 });
  const simulation = new Simulation(compileModel(world.build(), { formulation: 'sap' }));
  // the last free body: three velocities along x y z, three of turning
  simulation.state.velocity.set([4, 0, 1], 6 * BLOCKS);
  return simulation;
}
