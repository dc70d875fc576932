// node benchmarks/batch.mjs [environments] [steps]: how much faster a batch is on 2 threads than on 1, in turns in one process.
import { cpus } from 'node:os';
import { pathToFileURL } from 'node:url';
import { buildPackages, installPackages, requireNode, root } from '../scripts/setup.mjs';

requireNode();
installPackages();
buildPackages();
const base = pathToFileURL(root);
const { compileModel, scene } = await import(`${base}/packages/engine/dist/index.js`);
const { simulateBatch } = await import(`${base}/packages/batch/dist/node.js`);

const environmentCount = Number(process.argv[2] ?? 64);
const steps = Number(process.argv[3] ?? 2000);
const ROUNDS = 5;

/** A tower of crates that is pushed: contacts all along. */
function build(formulation) {
  const world = scene('tower');
  world.plane('floor');
  for (let i = 0; i < 5; i++) {
    world
      .body(`crate${i}`, { position: [0.02 * i, 0, 0.1 + 0.2 * i] })
      .free()
      .box({ halfSize: [0.1, 0.1, 0.1] });
  }
  return compileModel(world.build(), { formulation });
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

console.log(`${environmentCount} environments of ${steps} steps, ${cpus().length} cores, median of ${ROUNDS} rounds\n`);
console.log('| formulation | 1 thread | 2 threads | speed-up | environment steps/s on 2 |');
console.log('| --- | --- | --- | --- | --- |');
for (const formulation of ['mujoco', 'sap', 'ccp']) {
  const model = build(formulation);
  const environments = Array.from({ length: environmentCount }, (_, i) => ({
    set: { velocity: Float64Array.from({ length: 30 }, (_, k) => 0.3 * Math.sin(1 + i + 7 * k)) },
  }));
  const times = { 1: [], 2: [] };
  const hashes = new Set();
  for (let round = 0; round < ROUNDS; round++) {
    for (const workers of [1, 2]) {
      const { wallTime, results } = await simulateBatch(model, environments, { steps, workers });
      times[workers].push(wallTime);
      hashes.add(results.map(({ hash }) => hash).join(' '));
    }
  }
  if (hashes.size !== 1) throw new Error(`${formulation}: results depend on the number of threads`);
  const [one, two] = [median(times[1]), median(times[2])];
  const rate = Math.round((environmentCount * steps) / two);
  console.log(`| ${formulation} | ${one.toFixed(2)} s | ${two.toFixed(2)} s | ${(one / two).toFixed(2)} | ${rate} |`);
}
