import { compileModel, Simulation, scene } from '@nexdyn/engine';

const world = scene('spinning-box').gravity([0, 0, 0]);
world
  .body('box')
  .free()
  .box({ halfSize: [0.1, 0.2, 0.3] });
const simulation = new Simulation(compileModel(world.build()));
simulation.state.velocity.set([0, 0, 0, 0.01, 5, 0.01]);

// the same steps from the same state give the same bytes
simulation.step(500);
const middle = simulation.snapshot();
simulation.step(500);
const first = simulation.hash();
simulation.restore(middle);
simulation.step(500);
console.log(first === simulation.hash() ? 'same hash' : 'different hashes');
