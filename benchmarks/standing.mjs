// A wall of 100 boxes and a pyramid of 210 that stand, in steps of 1/60 s, each formulation from its own state after a second: processor time, ms a step.
// node benchmarks/standing.mjs [formulations] [steps], for instance: node benchmarks/standing.mjs ccp,sap 120
// Compile the packages first (npm run build).
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { writePyramid, writeWall } from '../packages/cli/dist/bench/generated-mjcf.js';

const [formulations = 'ccp,sap,mujoco', steps = '120'] = process.argv.slice(2);
const STEP = 1 / 60;
const SETTLING = 60;
const SCENES = [
  ['wall of 100', writeWall(10, 10, STEP)],
  ['pyramid of 210', writePyramid(20, STEP)],
];

function readCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

console.log('| scene | formulation | least ms | median ms | mean ms | iterations | not converged |');
console.log('| --- | --- | ---: | ---: | ---: | ---: | ---: |');
for (const [name, xml] of SCENES) {
  for (const formulation of formulations.split(',')) {
    const { scene } = loadScene('standing.xml', { files: memoryFiles({ 'standing.xml': xml }) });
    const simulation = new Simulation(compileModel(scene, { formulation }));
    simulation.step(SETTLING);
    const times = [];
    let [iterations, failures] = [0, 0];
    for (let k = 0; k < Number(steps); k++) {
      const start = readCpu();
      const report = simulation.step();
      times.push(readCpu() - start);
      iterations += report.iterations;
      if (report.status !== 'converged') failures++;
    }
    times.sort((a, b) => a - b);
    const mean = times.reduce((sum, time) => sum + time) / times.length;
    const cells = [times[0], times[times.length >> 1], mean, iterations / times.length].map((x) => x.toFixed(2));
    console.log(`| ${name} | \`${formulation}\` | ${cells.join(' | ')} | ${failures} |`);
  }
}
