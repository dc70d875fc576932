import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { type Recording, writeCsv } from '@nexdyn/formats';

const world = scene('falling-ball').timestep(0.01);
world
  .body('ball', { position: [0, 0, 10] })
  .free()
  .sphere({ radius: 0.1 });
const simulation = new Simulation(compileModel(world.build()));

// height and energy at every step of a fall of 0.1 s
const frames = 11;
const time = new Float64Array(frames);
const height = new Float64Array(frames);
const energy = new Float64Array(frames);
for (let frame = 0; frame < frames; frame++) {
  time[frame] = simulation.time;
  height[frame] = simulation.pose('ball').position[2];
  energy[frame] = simulation.energy().total;
  simulation.step();
}
const recording: Recording = {
  name: 'falling-ball',
  time,
  columns: [
    { name: 'height', unit: 'm', width: 1, data: height },
    { name: 'energy', unit: 'J', width: 1, data: energy },
  ],
};
console.log(writeCsv(recording));
