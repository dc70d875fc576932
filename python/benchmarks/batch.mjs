// The batch of door.py in Node: steps until the time is up, and prints the least time of a call, ms.
//   node batch.mjs MODEL ENVIRONMENTS STEPS THREADS SECONDS
import { createBatch } from '../../packages/batch/dist/index.js';
import { loadSceneFile } from '../../packages/cli/dist/index.js';

const [model, environments, steps, threads, seconds] = process.argv.slice(2);
const { scene } = loadSceneFile(model);
const batch = await createBatch(scene, {
  environments: Number(environments),
  threads: Number(threads),
  observe: ['position', 'velocity'],
});
const controls = new Float64Array(batch.control.length);
let best = Number.POSITIVE_INFINITY;
const end = performance.now() + 1000 * Number(seconds);
for (let n = 0; n < 3 || performance.now() < end; n++) {
  await batch.reset();
  const start = performance.now();
  await batch.step(controls, Number(steps));
  best = Math.min(best, performance.now() - start);
}
batch.close();
console.log(best);
