// Growth of the solve with the size of a pile: boxes that fall on each other, steps in which something touches, CPU time.
// node benchmarks/piles.mjs [sizes] [formulations] [steps], for instance: node benchmarks/piles.mjs 100,1000 sap,ccp 110
// Iterations are those of the island that takes most; compile the packages first (npm run build).
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { writeFallingBoxes } from '../packages/cli/dist/bench/generated-mjcf.js';

const [sizes = '100,1000,5000', formulations = 'mujoco,sap,ccp', steps = '110'] = process.argv.slice(2);
/** Steps before times count: boxes are in the air, and compilers settle. */
const FIRST = 60;

function readCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

console.log('| formulation | boxes | contacts | iterations | µs per contact | ms per step | not converged |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const formulation of formulations.split(',')) {
  for (const size of sizes.split(',').map(Number)) {
    const { scene } = loadScene('pile.xml', { files: memoryFiles({ 'pile.xml': writeFallingBoxes(size) }) });
    const simulation = new Simulation(compileModel(scene, { formulation }));
    simulation.step(FIRST);
    let [contacts, iterations, time, failures] = [0, 0, 0, 0];
    const count = Number(steps) - FIRST;
    for (let k = 0; k < count; k++) {
      const start = readCpu();
      simulation.step();
      time += readCpu() - start;
      contacts += simulation.solvedContacts.count;
      iterations += simulation.report.iterations;
      if (simulation.report.status !== 'converged') failures++;
    }
    const cells = [
      formulation,
      size,
      Math.round(contacts / count),
      (iterations / count).toFixed(1),
      ((1e3 * time) / contacts).toFixed(1),
      (time / count).toFixed(1),
      failures,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
