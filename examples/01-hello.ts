import { compileModel, Simulation, scene } from '@nexdyn/engine';

// a rod on a hinge, released from horizontal
const world = scene('pendulum');
world
  .body('arm', { position: [0, 0, 1] })
  .hinge('shoulder', { axis: [0, 1, 0] })
  .capsule({ from: [0, 0, 0], to: [0.5, 0, 0], radius: 0.03 });

const simulation = new Simulation(compileModel(world.build()));
for (let i = 0; i < 5; i++) {
  simulation.step(100);
  console.log(`${simulation.time.toFixed(1)} s: angle ${simulation.jointPosition('shoulder').toFixed(3)} rad`);
}
