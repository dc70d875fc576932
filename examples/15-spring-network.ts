import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';

// three masses in a row between two walls, four springs: the slowest mode swings as sin(π i / 4)
const [mass, stiffness, timestep, spacing] = [0.5, 200, 0.001, 0.1];
const names = ['left', 'middle', 'right'];
const chain: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep, gravity: [0, 0, 0] },
  bodies: names.map((name, i) => ({
    name,
    position: [spacing * (i + 1), 0, 0],
    joints: [{ kind: 'free' }],
    inertia: { kind: 'principal', mass, moments: [0.001, 0.001, 0.001] },
  })),
  terms: [
    {
      kind: 'springNetwork',
      name: 'row',
      stiffness,
      points: [{ body: 'world' }, ...names.map((body) => ({ body })), { body: 'world', at: [4 * spacing, 0, 0] }],
      springs: [0, 1, 2, 3].map((i) => ({ between: [i, i + 1] })),
    },
  ],
};

// ω = 2 √(k/m) sin(π/8); implicit Euler turns by arctan(h ω) in a step
const frequency = 2 * Math.sqrt(stiffness / mass) * Math.sin(Math.PI / 8);
const theory = (2 * Math.PI * timestep) / Math.atan(timestep * frequency);

for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc'] satisfies FormulationId[]) {
  const simulation = new Simulation(compileModel(chain, { formulation }));
  // velocities of the mode: the middle mass is √2 times as fast
  names.forEach((_, i) => {
    simulation.state.velocity[6 * i] = 0.1 * Math.sin((Math.PI * (i + 1)) / 4);
  });
  const stretch = () => simulation.bodyPosition[6] - 2 * spacing;
  // half a period from one passage to the next, between steps by a straight line
  const passages: number[] = [];
  let before = stretch();
  while (passages.length < 3) {
    simulation.step();
    const now = stretch();
    if (before * now < 0) passages.push(simulation.time - (timestep * now) / (now - before));
    before = now;
  }
  const period = passages[2] - passages[0];
  console.log(`${formulation}: period ${period.toFixed(4)} s, theory ${theory.toFixed(4)} s`);
}
