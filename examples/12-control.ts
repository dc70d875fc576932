import { compileModel, Simulation, scene } from '@nexdyn/engine';

// a pole that stands on a cart; a controller sees positions and velocities a hundred times a second
const world = scene('cart-pole').timestep(0.002);
world
  .body('cart', { position: [0, 0, 0.1] })
  .slide('rail', { axis: [1, 0, 0] })
  .box({ halfSize: [0.1, 0.05, 0.05], mass: 1, contact: 'none' })
  .body('pole')
  .hinge('pivot', { axis: [0, 1, 0] })
  .capsule({ from: [0, 0, 0], to: [0, 0, 1], radius: 0.02, mass: 0.2, contact: 'none' });
world.motor('push', { joint: 'rail', forceRange: [-20, 20] });

const simulation = new Simulation(compileModel(world.build()));
const see = (joint: string) => [simulation.jointPosition(joint), simulation.jointVelocity(joint)];

// gains that put the poles of the linear motion at −2, −2, −4, −4 1/s
const gains = [4.57, 6.85, 51.2, 13];

// it starts 0.1 rad off; from 4 s to 4.1 s somebody pushes the pole with 3 N
simulation.setJointPosition('pivot', 0.1);
let worst = 0;
for (let tick = 0; tick < 1000; tick++) {
  const seen = [...see('rail'), ...see('pivot')];
  simulation.setControl(
    'push',
    seen.reduce((force, number, i) => force + gains[i] * number, 0),
  );
  if (tick === 400) simulation.applyForce('pole', { force: [3, 0, 0] });
  if (tick === 410) simulation.clearForces();
  simulation.step(5);
  worst = Math.max(worst, Math.abs(simulation.jointPosition('pivot')));
}
const [cart, pole] = [simulation.jointPosition('rail'), simulation.jointPosition('pivot')];
console.log(`after ${simulation.time.toFixed(0)} s: cart at ${cart.toFixed(2)} m, pole at ${pole.toFixed(3)} rad`);
console.log(`never farther off than ${worst.toFixed(2)} rad`);
