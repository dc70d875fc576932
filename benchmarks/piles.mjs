// Growth of the solve with the size of a pile: boxes that fall on each other, steps in which something touches, CPU time.
// node benchmarks/piles.mjs [sizes] [formulations] [steps], for instance: node benchmarks/piles.mjs 100,1000 sap,ccp,sap:pcg 110
// Iterations of the first solve of a step: of the island that takes most; and in the mean over islands, each counted by its unknowns. Solves: how often a
// step is solved, since contacts that it makes itself are added. Growth is the exponent p in
// time ~ contactsᵖ relative to the size before; the last column is that from the first size to the last. A solver may follow a colon.
// Compile the packages first (npm run build).
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { writeFallingBoxes } from '../packages/cli/dist/bench/generated-mjcf.js';

const [sizes = '100,1000,5000,20000', formulations = 'mujoco,sap,ccp', steps = '110'] = process.argv.slice(2);
/** Steps before times count: boxes are in the air, and compilers settle. */
const FIRST = 60;

function readCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** Iterations of a step in the mean over islands, weighted by unknowns: sum and weight. */
function weighIterations({ solveCount, start, size }) {
  let [sum, weight] = [0, 0];
  for (let n = 0; n < solveCount; n++) {
    sum += size[n] * (start[n + 1] - start[n]);
    weight += size[n];
  }
  return [sum, weight];
}

function measure(size, formulation, solver) {
  const { scene } = loadScene('pile.xml', { files: memoryFiles({ 'pile.xml': writeFallingBoxes(size) }) });
  const options = solver ? { ...scene.options, [formulation]: { solver } } : scene.options;
  const simulation = new Simulation(compileModel({ ...scene, options }, { formulation }));
  simulation.step(FIRST);
  const count = Number(steps) - FIRST;
  const result = { contacts: 0, iterations: 0, mean: 0, solves: 0, time: 0, failures: 0 };
  let [sum, weight] = [0, 0];
  const { formulation: parts } = simulation;
  const { solve } = parts;
  let isFirst = true;
  parts.solve = (...all) => {
    solve.apply(parts, all);
    result.solves += 1 / count;
    const report = all[5];
    const [more, heavier] = isFirst ? weighIterations(report.trace) : [0, 0];
    if (isFirst) result.iterations += report.iterations / count;
    sum += more;
    weight += heavier;
    isFirst = false;
  };
  for (let k = 0; k < count; k++) {
    const start = readCpu();
    simulation.step();
    result.time += (readCpu() - start) / count;
    const { report, solvedContacts } = simulation;
    result.contacts += solvedContacts.count / count;
    isFirst = true;
    if (report.status !== 'converged') result.failures++;
  }
  result.mean = sum / weight;
  return result;
}

function findGrowth(from, to) {
  return (Math.log(to.time / from.time) / Math.log(to.contacts / from.contacts)).toFixed(2);
}

console.log(
  '| formulation | boxes | contacts | iterations, most | mean | solves | µs per contact | ms per step | not converged | growth | overall |',
);
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const name of formulations.split(',')) {
  const [formulation, solver] = name.split(':');
  let [first, before] = [undefined, undefined];
  for (const size of sizes.split(',').map(Number)) {
    const result = measure(size, formulation, solver);
    const { contacts, iterations, mean, solves, time, failures } = result;
    const cells = [
      `\`${name.replace(':', '`, `')}\``,
      size,
      Math.round(contacts),
      iterations.toFixed(1),
      mean.toFixed(1),
      solves.toFixed(1),
      ((1e3 * time) / contacts).toFixed(1),
      time.toFixed(1),
      failures,
      before ? findGrowth(before, result) : '',
      first ? findGrowth(first, result) : '',
    ];
    console.log(`| ${cells.join(' | ')} |`);
    first ??= result;
    before = result;
  }
}
