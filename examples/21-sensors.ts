import { compileModel, listFormulations, Simulation, scene } from '@nexdyn/engine';

// a hand of 0.5 kg on an arm comes down on a box; a skin of 4 × 4 taxels feels it, a gauge in the wrist what the arm carries
const world = scene('palpation').timestep(0.005);
world.plane('floor');
world
  .body('box', { position: [0.03, 0, 0.1] })
  .free()
  .box({ halfSize: [0.1, 0.1, 0.1], mass: 5 });
const arm = world
  .body('arm', { position: [0, 0, 0.5] })
  .slide('lift', { axis: [0, 0, 1] })
  .box({ halfSize: [0.02, 0.02, 0.02], mass: 0.2, contact: 'none' });
const hand = arm.body('hand', { position: [0, 0, -0.2] }).box({ halfSize: [0.06, 0.06, 0.02], mass: 0.5 });
hand.site('wrist', { position: [0, 0, 0.02] });
hand.site('palm', { position: [0, 0, -0.02], orientation: [0, 1, 0, 0] });
world.positionServo('drive', { joint: 'lift', stiffness: 400, damping: 40 });
world.sensor('tactile', 'skin', { site: 'palm', cells: [4, 4], size: [0.12, 0.12] });
world.sensor('force', 'gauge', { site: 'wrist' });
world.sensor('contactPair', 'hand on box', {
  first: { kind: 'body', name: 'hand' },
  second: { kind: 'body', name: 'box' },
});

for (const { id: formulation } of listFormulations()) {
  const simulation = new Simulation(compileModel(world.build(), { formulation }));
  simulation.setControl('drive', -0.15);
  simulation.step(200);
  const pressed = simulation.sensor('skin').reduce((sum, value, i) => (i % 3 === 0 ? sum + value : sum), 0);
  const push = simulation.sensor('hand on box')[2];
  const carried = simulation.sensor('gauge')[2];
  console.log(
    `${formulation}: taxels ${pressed.toFixed(1)} N, pair ${push.toFixed(1)} N, wrist ${carried.toFixed(1)} N`,
  );
}
