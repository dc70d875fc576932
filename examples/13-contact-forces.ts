import { compileModel, Simulation, scene } from '@nexdyn/engine';

// a crate of 2 kg is pushed along the floor, friction 0.5: it holds up to μ m g = 9.81 N and slides beyond
const world = scene('push');
world.plane('floor', { friction: 0.5 });
world
  .body('crate', { position: [0, 0, 0.1] })
  .free()
  .box({ halfSize: [0.2, 0.2, 0.1], mass: 2, friction: 0.5 });
const model = compileModel(world.build(), { formulation: 'ccp' });

for (const push of [5, 9, 12]) {
  const simulation = new Simulation(model);
  simulation.applyForce('crate', { force: [push, 0, 0] });
  simulation.step(250);

  // forces of the last step: of side 1, the floor, on side 2, the crate
  let [friction, weight] = [0, 0];
  const modes = new Set<string>();
  for (const { force, mode } of simulation.contactForces()) {
    friction -= force[0];
    weight += force[2];
    modes.add(mode);
  }
  const speed = Math.abs(simulation.state.velocity[0]);
  console.log(
    `push ${push} N: friction ${friction.toFixed(2)} N, floor carries ${weight.toFixed(2)} N, ` +
      `${[...modes].join(' and ')}, ${speed.toFixed(2)} m/s after ${simulation.time.toFixed(1)} s`,
  );
}
