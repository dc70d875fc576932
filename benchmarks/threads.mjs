// One thread against two inside a step: wall time per step, the least of blocks that take turns from the same state. States are compared byte for byte.
// Nothing else should run on the machine: threads wait for each other. Compile the packages first (npm run build).
import { stepThreads } from '@nexdyn/batch';
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { writeFallingBoxes, writeTowers } from '../packages/cli/dist/bench/generated-mjcf.js';

const BEAM = {
  format: 'nexdyn-scene',
  version: 1,
  options: { formulation: 'sap', timestep: 0.005 },
  shapes: [{ kind: 'plane' }],
  softBodies: [
    {
      name: 'beam',
      position: [0, 0, 0.1001],
      mesh: { kind: 'box', halfSize: [0.5, 0.2, 0.1], cells: [40, 16, 8] },
      elasticity: { model: 'corotated', youngsModulus: 1e6, poissonRatio: 0.3, density: 1000 },
    },
  ],
};

function compile(xml, formulation) {
  return compileModel(loadScene('boxes.xml', { files: memoryFiles({ 'boxes.xml': xml }) }).scene, { formulation });
}

/** Name, model, steps before, steps of a block, blocks. */
const CASES = [
  ['1000 boxes while they fall, `mujoco`', () => compile(writeFallingBoxes(1000), 'mujoco'), 100, 5, 12],
  ['1000 boxes while they fall, `sap`', () => compile(writeFallingBoxes(1000), 'sap'), 100, 3, 6],
  ['5000 boxes while they fall, `mujoco`', () => compile(writeFallingBoxes(5000), 'mujoco'), 80, 4, 8],
  ['5000 boxes while they fall, `sap`', () => compile(writeFallingBoxes(5000), 'sap'), 80, 2, 6],
  ['5000 boxes, most in one heap, `mujoco`', () => compile(writeFallingBoxes(5000), 'mujoco'), 150, 2, 5],
  ['beam of 25,600 tetrahedra on a plane, `sap`', () => compileModel(BEAM), 6, 1, 5],
  ['256 boxes in towers, `ipc`', () => compile(writeTowers(256), 'ipc'), 60, 10, 8],
];
/** Blocks that do not count: compilers settle, threads start. */
const FIRST = 2;

function measure(model, before, steps, blocks) {
  const simulations = [new Simulation(model), new Simulation(model, { threads: stepThreads(2) })];
  simulations[0].step(before);
  const start = simulations[0].snapshot();
  const least = [Infinity, Infinity];
  for (let block = 0; block < FIRST + blocks; block++) {
    for (const k of block % 2 === 0 ? [0, 1] : [1, 0]) {
      simulations[k].restore(start);
      const begin = performance.now();
      simulations[k].step(steps);
      const time = (performance.now() - begin) / steps;
      if (block >= FIRST) least[k] = Math.min(least[k], time);
    }
    const [one, two] = simulations.map(({ state }) => state.all);
    if (one.some((value, i) => !Object.is(value, two[i]))) throw new Error('the states differ');
  }
  for (const simulation of simulations) simulation.dispose();
  return least;
}

console.log('| scene | one thread, ms | two threads, ms | gain |');
console.log('| --- | ---: | ---: | ---: |');
for (const [name, create, before, steps, blocks] of CASES) {
  const [one, two] = measure(create(), before, steps, blocks);
  console.log(`| ${name} | ${one.toFixed(2)} | ${two.toFixed(2)} | ${(one / two).toFixed(2)} |`);
}
