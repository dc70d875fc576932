// node benchmarks/batch.mjs [case] [environments]: how much faster a batch is on 2 threads than on 1, in turns in one process.
import { cpus } from 'node:os';
import { pathToFileURL } from 'node:url';
import { buildPackages, installPackages, requireNode, root } from '../scripts/setup.mjs';

requireNode();
installPackages();
buildPackages();
const base = pathToFileURL(root);
const { scene } = await import(`${base}/packages/engine/dist/index.js`);
const { simulateBatch } = await import(`${base}/packages/batch/dist/node.js`);

/** A tower of crates that is pushed: contacts all along. */
function buildTower(formulation) {
  const world = scene('tower');
  world.plane('floor');
  for (let i = 0; i < 5; i++) {
    world
      .body(`crate${i}`, { position: [0.02 * i, 0, 0.1 + 0.2 * i] })
      .free()
      .box({ halfSize: [0.1, 0.1, 0.1] });
  }
  return world.formulation(formulation).build();
}

/** Two fingers close on a soft ball of 540 tetrahedra. */
function buildGripper() {
  const world = scene('soft-gripper').timestep(0.005);
  world.plane('floor');
  for (const [name, side] of [
    ['left', -1],
    ['right', 1],
  ]) {
    world
      .body(name, { position: [0.06 * side, 0, 0.1] })
      .slide(`${name}-slide`, { axis: [-side, 0, 0], damping: 5 })
      .box({ halfSize: [0.01, 0.04, 0.04], mass: 0.2 });
    world.positionServo(`${name}-servo`, { joint: `${name}-slide`, stiffness: 400, damping: 20 });
  }
  world.softBody('ball', {
    position: [0, 0, 0.1],
    mesh: { kind: 'sphere', radius: 0.04, resolution: 0.02 },
    elasticity: { youngsModulus: 5e4, poissonRatio: 0.3, massDamping: 2 },
  });
  return world.formulation('sap').build();
}

const push = (i) => ({ velocity: Float64Array.from({ length: 30 }, (_, k) => 0.3 * Math.sin(1 + i + 7 * k)) });
const squeeze = (i) => ({ control: [0.02 + 1e-4 * i, 0.02] });
const CASES = {
  'tower-mujoco': { build: () => buildTower('mujoco'), set: push, steps: 2000, rounds: 5 },
  'tower-sap': { build: () => buildTower('sap'), set: push, steps: 2000, rounds: 5 },
  'tower-ccp': { build: () => buildTower('ccp'), set: push, steps: 1000, rounds: 3 },
  'soft-gripper-sap': { build: buildGripper, set: squeeze, steps: 200, rounds: 1 },
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const wanted = process.argv[2];
const count = Number(process.argv[3] ?? 64);
console.log(`${count} environments, ${cpus().length} cores, medians\n`);
console.log('| case | steps of each | 1 thread | 2 threads | speed-up |');
console.log('| --- | --- | --- | --- | --- |');
for (const [name, { build, set, steps, rounds }] of Object.entries(CASES)) {
  if (wanted && !name.includes(wanted)) continue;
  const source = build();
  const environments = Array.from({ length: count }, (_, i) => ({ set: set(i) }));
  const times = { 1: [], 2: [] };
  const hashes = new Set();
  for (let round = 0; round < rounds; round++) {
    for (const workers of [1, 2]) {
      const { wallTime, results, failed } = await simulateBatch(source, environments, { steps, workers });
      if (failed.length > 0) throw new Error(`${name}: ${failed.length} environments failed`);
      times[workers].push(wallTime);
      hashes.add(results.map(({ hash }) => hash).join(' '));
    }
  }
  if (hashes.size !== 1) throw new Error(`${name}: results depend on the number of threads`);
  const [one, two] = [median(times[1]), median(times[2])];
  console.log(`| ${name} | ${steps} | ${one.toFixed(2)} s | ${two.toFixed(2)} s | ${(one / two).toFixed(2)} |`);
}
