import { compileModel, Simulation, scene } from '@nexdyn/engine';

// a crate one millimetre in the floor, and a ball above it
const world = scene('contacts');
world.plane('floor');
world
  .body('crate', { position: [0, 0, 0.199] })
  .free()
  .box('box', { halfSize: [0.2, 0.2, 0.2] });
world
  .body('ball', { position: [0, 0, 1] })
  .free()
  .sphere('sphere', { radius: 0.1 });
const simulation = new Simulation(compileModel(world.build()));

// where shapes touch: the four lower corners of the crate
for (const { shapeName1, shapeName2, position, gap } of simulation.contacts()) {
  const place = position.map((value) => value.toFixed(4)).join(' ');
  console.log(`${shapeName1} and ${shapeName2} at ${place}: gap ${(1000 * gap).toFixed(3)} mm`);
}

// what a ray from the side meets first
const hit = simulation.castRay([2, 0, 0.3], [-1, 0, 0]);
console.log(hit ? `ray: ${hit.shapeName} after ${hit.distance.toFixed(3)} m` : 'ray: nothing');

// how far two shapes are from each other, and between which points
const { gap, pointA, pointB } = simulation.closestPoints('box', 'sphere');
console.log(`closest: ${gap.toFixed(3)} m, from height ${pointA[2].toFixed(3)} to ${pointB[2].toFixed(3)} m`);

// which shapes overlap a region
const inside = simulation.overlaps({ low: [-1, -1, 0.5], high: [1, 1, 2] });
console.log(`in the region: ${inside.map((shape) => simulation.model.shape.name[shape]).join(', ')}`);
