import { compileModel, type FormulationId, Ruler, Simulation, scene } from '@nexdyn/engine';

// a block on a slope of 20 degrees: friction 0.5 is more than tan 20° = 0.36, so it must not move
const slope = (20 * Math.PI) / 180;
const world = scene('slope').gravity([9.81 * Math.sin(slope), 0, -9.81 * Math.cos(slope)]);
world.plane('floor', { friction: 0.5 });
world
  .body('block', { position: [0, 0, 0.05] })
  .free()
  .box({ halfSize: [0.1, 0.1, 0.05], friction: 0.5 });

const formulations: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
for (const formulation of formulations) {
  const simulation = new Simulation(compileModel(world.build(), { formulation }));
  const ruler = new Ruler(simulation);
  simulation.step(250);
  ruler.restart();
  const [before] = simulation.pose('block').position;
  for (let i = 0; i < 50; i++) {
    simulation.step();
    ruler.measure();
  }
  const creep = (1000 * Math.abs(simulation.pose('block').position[0] - before)) / (50 * simulation.timestep);
  const { penetration, iterations } = ruler.summarize().metrics;
  const depth = (1000 * penetration.max).toFixed(3);
  console.log(
    `${formulation}: creeps ${creep.toFixed(4)} mm/s, sinks ${depth} mm, ${iterations.mean.toFixed(1)} iterations per step`,
  );
}
