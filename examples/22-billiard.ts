import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { rollout } from '@nexdyn/engine/derivatives';

// the cue ball is to knock the eight to a place on the table; the first shot misses it, and a ball that is not touched has no gradient
const table: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.004, gravity: [0, 0, 0], formulation: 'sap', sap: { nearRigid: 0 } },
  materials: [{ name: 'resin', friction: 0, stiffness: 5e3, dissipation: 0 }],
  bodies: [
    ['cue', 0],
    ['eight', 0.5],
  ].map(([name, x]) => ({
    name: name as string,
    position: [x as number, 0, 0],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'sphere', radius: 0.03, mass: 0.17, material: 'resin' }],
  })),
};
const target = [0.75, 0.08];
const steps = 200;
const simulation = new Simulation(compileModel(table));

/** Where the eight comes to rest of the shot, and how that changes with it; with a force from a distance where it was not touched. */
function shoot(velocity: readonly number[]): { miss: number[]; isTouched: boolean; rows: number[][] } {
  simulation.reset();
  simulation.state.velocity.set([velocity[0]!, velocity[1]!, 0]);
  const run = rollout(simulation, undefined, { steps });
  const { position } = run.simulation.state;
  const isTouched = position[7] !== 0.5;
  const felt = isTouched ? run : rollout(simulation, undefined, { steps, fromDistance: { reach: 0.1 } });
  const rows = [6, 7].map((place) => {
    const loss = new Float64Array(24);
    loss[place] = 1;
    const { state } = felt.backward(loss);
    return [state[12]!, state[13]!];
  });
  return { miss: [position[7]! - target[0]!, position[8]! - target[1]!], isTouched, rows };
}

let velocity = [1, 0.2];
let shot = shoot(velocity);
for (let round = 0; round < 40; round++) {
  const distance = Math.hypot(...shot.miss);
  console.log(
    `shot ${round} at ${velocity.map((v) => v.toFixed(3)).join(', ')} m/s: ${shot.isTouched ? '' : 'not touched, '}${distance.toExponential(2)} m from the target`,
  );
  if (distance < 1e-3) break;
  const [a, b] = shot.rows[0]!;
  const [c, d] = shot.rows[1]!;
  const [x, y] = shot.miss;
  // towards the eight along the gradient; from the first touch on by Newton's method
  const determinant = a! * d! - b! * c!;
  const step = shot.isTouched
    ? [(d! * x! - b! * y!) / determinant, (a! * y! - c! * x!) / determinant]
    : [a! * x! + c! * y!, b! * x! + d! * y!];
  const longest = shot.isTouched ? Infinity : 0.02;
  let scale = shot.isTouched ? 1 : longest / Math.hypot(...step);
  let next = shot;
  for (let halving = 0; halving < 12; halving++, scale /= 2) {
    const trial = [velocity[0]! - scale * step[0]!, velocity[1]! - scale * step[1]!];
    next = shoot(trial);
    const isBetter = Math.hypot(...next.miss) < distance;
    if (shot.isTouched && !isBetter) continue;
    velocity = trial;
    break;
  }
  shot = next;
}
