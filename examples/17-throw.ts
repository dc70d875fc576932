import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { rollout } from '@nexdyn/engine/derivatives';

// a ball is thrown at the floor so that it passes a target after one bounce: how fast must it leave the hand?
// the bounce takes a dozen steps: over few, long ones the miss jumps with the step in which the ball lands
const yard: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.002, formulation: 'sap', sap: { nearRigid: 0 } },
  materials: [{ name: 'rubber', stiffness: 5e3, dissipation: 0, friction: 0.6 }],
  shapes: [{ kind: 'plane', material: 'rubber' }],
  bodies: [
    {
      name: 'ball',
      position: [0, 0, 1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, material: 'rubber', mass: 0.5 }],
    },
  ],
};
const target = [1.2, 0.5];
const steps = 300;
const simulation = new Simulation(compileModel(yard));

const throwBall = (speed: readonly number[]): ReturnType<typeof rollout> => {
  simulation.reset();
  simulation.state.velocity.set([speed[0]!, 0, speed[1]!]);
  return rollout(simulation, undefined, { steps });
};
const measureMiss = ({ simulation: { state } }: ReturnType<typeof rollout>): number[] => [
  state.position[0]! - target[0]!,
  state.position[2]! - target[1]!,
];

let speed = [1.5, -2];
for (let round = 0; round < 12; round++) {
  const run = throwBall(speed);
  const [x, z] = measureMiss(run);
  console.log(
    `throw at ${speed.map((v) => v.toFixed(3)).join(', ')} m/s: misses by ${Math.hypot(x!, z!).toExponential(2)} m`,
  );
  if (Math.hypot(x!, z!) < 1e-6) break;
  // the gradients of both numbers of the miss by the first velocity: two rows of a Jacobian
  const gradientOf = (row: number): number[] => {
    const loss = new Float64Array(12);
    loss[row] = 1;
    const { state } = run.backward(loss);
    return [state[6]!, state[8]!];
  };
  const [a, b] = gradientOf(0);
  const [c, d] = gradientOf(2);
  const determinant = a! * d! - b! * c!;
  const step = [(d! * x! - b! * z!) / determinant, (a! * z! - c! * x!) / determinant];
  // steps beyond half a metre per second leave the piece on which the gradient holds
  const scale = Math.min(1, 0.5 / Math.hypot(step[0]!, step[1]!));
  speed = [speed[0]! - scale * step[0]!, speed[1]! - scale * step[1]!];
}
