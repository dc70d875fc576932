import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { fit as fitMotion, type RecordedMotion } from '@nexdyn/engine/derivatives';

// a cube is thrown onto the floor and recorded: how rough is the floor?
const toss = (friction: number): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.004, formulation: 'sap' },
  shapes: [{ kind: 'plane', name: 'floor', friction: 0 }],
  bodies: [
    {
      name: 'cube',
      position: [0, 0, 0.06],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', name: 'cube', halfSize: [0.05, 0.05, 0.05], friction, mass: 0.6 }],
    },
  ],
});

// what a camera saw with μ = 0.35: 50 frames a second, half a millimetre of noise
const truth = new Simulation(compileModel(toss(0.35)));
truth.setVelocity('cube', { linear: [1.2, 0.3, 0], angular: [0, 0, 4] });
const frames = 21;
const data: RecordedMotion = {
  time: new Float64Array(frames),
  position: new Float64Array(7 * frames),
  velocity: new Float64Array(6 * frames),
};
const { time, position, velocity } = data as { [K in keyof typeof data]-?: Float64Array };
for (let k = 0; k < frames; k++) {
  if (k > 0) truth.step(5);
  time[k] = truth.time;
  position.set(truth.state.position, 7 * k);
  velocity.set(truth.state.velocity, 6 * k);
  for (let i = 0; k > 0 && i < 3; i++) position[7 * k + i]! += 5e-4 * Math.sin(12.9898 * (3 * k + i));
}

const guess = new Simulation(compileModel(toss(0.6)));
const found = fitMotion(guess, {
  parameters: ['shapes.cube.friction'],
  data,
  bounds: { 'shapes.cube.friction': [0, 2] },
});
for (const { path, start, value, error } of found.parameters)
  console.log(`${path}: ${value.toFixed(4)} ± ${error.toFixed(4)} (was ${start})`);
console.log(`residual ${(1000 * found.rms).toFixed(2)} mm or mrad, was ${(1000 * found.rmsBefore).toFixed(0)}`);
