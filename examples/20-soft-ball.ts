import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { fit as fitMotion } from '@nexdyn/engine/derivatives';

// a plate of 2 kg comes down on a soft ball; how stiff is the ball, if this is how the plate moved?
const press = (youngsModulus: number): Simulation => {
  const world = scene('press').timestep(0.01);
  world.plane('floor', { friction: 0.5 });
  world
    .body('plate', { position: [0, 0, 0.23] })
    .slide('down', { axis: [0, 0, 1], damping: 60 })
    .box('plate', { halfSize: [0.12, 0.12, 0.02], mass: 2 });
  world.softBody('ball', {
    position: [0, 0, 0.1005],
    mesh: { kind: 'sphere', radius: 0.1, resolution: 0.1 },
    elasticity: { youngsModulus, poissonRatio: 0.4, density: 500, stiffnessDamping: 0.01 },
  });
  return new Simulation(compileModel(world.build(), { formulation: 'sap' }));
};

// the plate of a ball of 60 kPa
const truth = press(6e4);
const time = Float64Array.from({ length: 16 }, (_, k) => 0.01 * k);
const position = time.map((_, k) => {
  if (k > 0) truth.step();
  return truth.state.position[0]!;
});
console.log(`the plate comes down by ${(-1000 * Math.min(...position)).toFixed(1)} mm`);

const { parameters, iterations, rms } = fitMotion(press(4e4), {
  parameters: ['softBodies.ball.elasticity.youngsModulus'],
  data: { time, position },
});
const [{ start, value }] = parameters as [(typeof parameters)[number]];
console.log(`E = ${(value / 1000).toFixed(2)} kPa, from ${start / 1000} kPa in ${iterations} iterations`);
console.log(`residual ${(1e6 * rms).toFixed(2)} µm`);
