// node benchmarks/batch.mjs [case] [environments]: how much faster a batch is on 2 threads than on 1, in turns in one process.
// node benchmarks/batch.mjs own: environments with mass and friction of their own beside equal ones.
// node benchmarks/batch.mjs rollout MODEL.xml [python]: environments that stay, beside `mujoco.rollout`, in turns.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { buildPackages, installPackages, requireNode, root } from '../scripts/setup.mjs';

requireNode();
installPackages();
buildPackages();
const base = pathToFileURL(root);
const { compileModel, scene, Simulation } = await import(`${base}/packages/engine/dist/index.js`);
const { createBatch, openBatch, simulateBatch } = await import(`${base}/packages/batch/dist/index.js`);
const { loadScene, memoryFiles } = await import(`${base}/packages/formats/dist/index.js`);

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

/** 50 environments with their own mass and friction, and 50 equal ones, in this thread: processor time, minima. */
async function compareOwn() {
  console.log('| scene | formulation | steps | equal, ms each | own, ms each | ratio |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const name of ['incline', 'box-stack', 'robot-arm', 'ragdoll', 'soft-gripper']) {
    const source = JSON.parse(readFileSync(new URL(`../scenes/${name}.json`, import.meta.url), 'utf8'));
    for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc']) {
      const steps = name === 'soft-gripper' || formulation === 'ipc' ? 20 : 100;
      const { body } = compileModel(source, { formulation: 'mujoco' });
      const b = body.mass.findIndex((mass) => mass > 0);
      const batch = openBatch(source, { workers: 0, compile: { formulation } });
      const change = (i) => ({
        'shapes.*.friction': 0.5 + 0.01 * i,
        [`bodies.${b - 1}.mass`]: body.mass[b] * (0.8 + 0.01 * i),
      });
      const own = Array.from({ length: 50 }, (_, i) => ({ changes: { values: change(i) } }));
      const equal = own.map(() => ({}));
      const best = { equal: Infinity, own: Infinity };
      for (let round = 0; round < 3; round++) {
        for (const [kind, environments] of Object.entries({ equal, own })) {
          const before = process.cpuUsage();
          await batch.run(environments, { steps });
          const { user, system } = process.cpuUsage(before);
          best[kind] = Math.min(best[kind], (user + system) / 1000 / 50);
        }
      }
      const ratio = best.own / best.equal;
      console.log(
        `| ${name} | ${formulation} | ${steps} | ${best.equal.toFixed(2)} | ${best.own.toFixed(2)} | ${ratio.toFixed(2)} |`,
      );
    }
  }
}

/**
 * Calls of 256 environments for 1, 10 and 100 steps, and of 64 for 1000, here and there. Processor time counts all threads, so that it says
 * what a call costs on a machine that others use as well; the sum is that of steps of one simulation by itself.
 */
async function compareRollout(path, python) {
  const source = loadScene('model.xml', { files: memoryFiles({ 'model.xml': readFileSync(path) }) }).scene;
  const model = compileModel(source);
  const child = spawn(python, [new URL('rollout.py', import.meta.url).pathname, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const version = (await lines.next()).value;
  if (version === undefined) throw new Error(`${python} has no mujoco: give the path of one that has`);
  const ask = async (environments, steps) => {
    child.stdin.write(`${environments} ${steps}\n`);
    const [clock, processor] = (await lines.next()).value.split(' ').map((word) => 1000 * Number(word));
    return { clock, processor };
  };
  console.log(`mujoco ${version}, 2 threads each, minima in ms\n`);
  console.log('| environments × steps | clock | peer | ratio | processor | peer | ratio | sum of steps | call / sum |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const [count, steps, rounds] of [
    [256, 1, 60],
    [256, 10, 10],
    [256, 100, 2],
    [64, 1000, 1],
  ]) {
    const batch = await createBatch(source, { environments: count, threads: 2, observe: ['position', 'velocity'] });
    const controls = Float64Array.from({ length: count * model.size.actuator }, (_, i) => 0.3 * Math.sin(i));
    await batch.step(controls, 20);
    await ask(count, 20);
    const here = { clock: Infinity, processor: Infinity };
    const there = { clock: Infinity, processor: Infinity };
    let sum = Infinity;
    const stepAlone = openAlone(model, batch, controls);
    for (let round = 0; round < rounds; round++) {
      keepLeast(here, await measure(() => batch.step(controls, steps)));
      keepLeast(there, await ask(count, steps));
      sum = Math.min(sum, stepAlone(Math.min(steps, 20)) * count * steps);
    }
    batch.close();
    const cells = [
      ...[here.clock, there.clock, here.clock / there.clock],
      ...[here.processor, there.processor, here.processor / there.processor, sum, here.processor / sum],
    ];
    console.log(`| ${count} × ${steps} | ${cells.map((cell) => cell.toFixed(2)).join(' | ')} |`);
  }
  child.stdin.end();
}

async function measure(action) {
  const start = performance.now();
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return { clock: performance.now() - start, processor: (user + system) / 1000 };
}

function keepLeast(best, { clock, processor }) {
  best.clock = Math.min(best.clock, clock);
  best.processor = Math.min(best.processor, processor);
}

/** A simulation by itself: mean processor time of a step from the states of 32 environments, ms. */
function openAlone(model, batch, controls) {
  const simulation = new Simulation(model);
  const { width } = batch.layout.state;
  const nu = model.size.actuator;
  return (steps) => {
    const before = process.cpuUsage();
    for (let i = 0; i < 32; i++) {
      simulation.restore(batch.state.slice(i * width, (i + 1) * width));
      simulation.state.control.set(controls.subarray(i * nu, (i + 1) * nu));
      for (let n = 0; n < steps; n++) simulation.step();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / (32 * steps);
  };
}

if (process.argv[2] === 'own') await compareOwn();
else if (process.argv[2] === 'rollout') await compareRollout(process.argv[3], process.argv[4] ?? 'python3');
else await compareThreads();

async function compareThreads() {
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
}
