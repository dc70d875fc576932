import { compileModel, type FormulationId, Simulation, scene } from '@nexdyn/engine';

// a ball of 1 cm flies with 60 m/s at a wall of 1 mm: in one step of 2 ms it goes twelve times its own size.
// mujoco looks for contacts at the beginning of each step, unless `fastBodies` lets it look ahead (the default); ipc needs no such help
const world = scene('bullet').gravity([0, 0, 0]).options({ fastBodies: 'off' });
world.box('wall', { halfSize: [0.0005, 0.5, 0.5], position: [1, 0, 0] });
world.body('bullet').free().sphere({ radius: 0.005, mass: 0.01 });

const formulations: FormulationId[] = ['mujoco', 'ipc'];
for (const formulation of formulations) {
  const simulation = new Simulation(compileModel(world.build(), { formulation }));
  simulation.setVelocity('bullet', { linear: [60, 0, 0] });
  let distance = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 25; i++) distance = Math.min(distance, simulation.step().minimumDistance ?? distance);
  const [x] = simulation.pose('bullet').position;
  const nearest = Number.isFinite(distance) ? `, never nearer than ${(1000 * distance).toFixed(3)} mm` : '';
  console.log(`${formulation}: ${x > 1 ? 'through the wall' : 'stopped by the wall'}${nearest}`);
}
