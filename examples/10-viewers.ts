import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { createMotion, writeGlb, writeMcap } from '@nexdyn/formats';

const world = scene('domino');
world.plane('floor');
for (let i = 0; i < 5; i++) {
  world
    .body(`domino${i}`, { position: [0.1 * i, 0, 0.15] })
    .free()
    .box({ halfSize: [0.02, 0.08, 0.15], color: [0.2 + 0.15 * i, 0.4, 0.8, 1] });
}
const model = compileModel(world.build(), { formulation: 'sap' });
const simulation = new Simulation(model);
simulation.state.velocity.set([0.6, 0, 0, 0, 4, 0]);

// poses of all bodies, sixty times a second
const { body: bodies } = model.size;
const frames = 121;
const time = new Float64Array(frames);
const position = new Float64Array(frames * 3 * bodies);
const orientation = new Float64Array(frames * 4 * bodies);
for (let frame = 0; frame < frames; frame++) {
  time[frame] = simulation.time;
  position.set(simulation.bodyPosition, frame * 3 * bodies);
  orientation.set(simulation.bodyOrientation, frame * 4 * bodies);
  simulation.step(8);
}
const motion = createMotion(model, {
  name: 'domino',
  time,
  columns: [
    { name: 'bodyPosition', unit: 'm', width: 3 * bodies, data: position },
    { name: 'bodyOrientation', unit: '1', width: 4 * bodies, data: orientation },
  ],
});

// bytes to put into files: the first opens in Foxglove, the second in anything that shows glTF
const mcap = await writeMcap(motion);
const glb = writeGlb(motion);
console.log(`domino.mcap: ${Math.round(mcap.length / 1000)} kB, domino.glb: ${Math.round(glb.length / 1000)} kB`);
const fallen = motion.bodies.filter((_, body) => body > 0 && position[3 * ((frames - 1) * bodies + body) + 2] < 0.12);
console.log(`fallen: ${fallen.map(({ name }) => name).join(', ')}`);
