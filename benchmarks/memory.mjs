// Memory of a simulation by bodies, contacts and tetrahedra, and the largest scenes: seconds of processor time to compile, to make a
// simulation and to take a step. Every row is a process of its own; bytes are those of the whole process beyond an empty one.
// node benchmarks/memory.mjs [rows], for instance: node benchmarks/memory.mjs bodies-100000,tets-1000000
// Compile the packages first (npm run build).
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROWS = ['empty', 'bodies-20000', 'boxes-20000', 'tets-200000', 'bodies-100000', 'boxes-100000', 'tets-1000000'];

/** Free boxes: apart (`bodies`), or in two layers on a floor, each box on one below (`boxes`). */
function createBoxes(count, isTouching) {
  const side = Math.ceil(Math.sqrt(count / 2));
  const bodies = Array.from({ length: count }, (_, i) => {
    const layer = Math.floor(i / (side * side));
    const z = isTouching ? 0.0499 + 0.0998 * layer : 1 + 0.3 * layer;
    return {
      name: `box${i}`,
      position: [0.2 * (i % side), 0.2 * (Math.floor(i / side) % side), z],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.05, 0.05, 0.05] }],
    };
  });
  return { shapes: [{ kind: 'plane' }], bodies };
}

/** A soft cube, held at one side. */
function createCube(count) {
  const cells = Math.round(Math.cbrt(count / 5));
  const side = cells + 1;
  const material = { model: 'corotated', youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 };
  const mesh = { kind: 'box', halfSize: [0.5, 0.5, 0.5], cells: [cells, cells, cells] };
  const pinned = Array.from({ length: side * side }, (_, v) => v);
  return { softBodies: [{ name: 'cube', contact: 'none', mesh, elasticity: material, pinned }] };
}

function createScene(kind, size) {
  const options = { formulation: kind === 'tets' ? 'sap' : 'mujoco', timestep: 0.005 };
  const content = kind === 'tets' ? createCube(size) : kind === 'empty' ? {} : createBoxes(size, kind === 'boxes');
  return { format: 'nexdyn-scene', version: 1, options, ...content };
}

async function measure(row) {
  const { compileModel, Simulation } = await import('../packages/engine/dist/index.js');
  const [kind, size] = row.split('-');
  const scene = createScene(kind, Number(size));
  const seconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const times = [seconds()];
  const model = compileModel(scene);
  times.push(seconds());
  const simulation = new Simulation(model, { memory: 2 ** 32 });
  times.push(seconds());
  // the first step makes what is made once
  simulation.step();
  times.push(seconds());
  const { status } = simulation.step();
  times.push(seconds());
  return {
    bodies: model.size.body,
    contacts: simulation.solvedContacts.count,
    tetrahedra: model.soft.tetrahedron.length / 4,
    bytes: process.memoryUsage().rss,
    times: times.slice(1).map((time, k) => time - times[k]),
    status,
  };
}

if (process.argv[2] === '--row') {
  console.log(JSON.stringify(await measure(process.argv[3])));
} else {
  const rows = process.argv[2]?.split(',') ?? ROWS;
  const self = fileURLToPath(import.meta.url);
  const run = (row) =>
    JSON.parse(execFileSync(process.execPath, ['--max-old-space-size=8000', self, '--row', row], { encoding: 'utf8' }));
  const empty = run('empty').bytes;
  const found = new Map();
  console.log(
    '| scene | bodies | contacts | tetrahedra | MB | bytes each | compile, s | simulation, s | first step, s | next step, s | status |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |');
  for (const row of rows.filter((name) => name !== 'empty')) {
    const result = run(row);
    found.set(row, result);
    const [kind, size] = row.split('-');
    const own = result.bytes - empty;
    const alone = found.get(`bodies-${size}`);
    // contacts cost what a scene with them takes beyond the same bodies apart
    const each =
      kind === 'boxes' && alone
        ? `${Math.round((result.bytes - alone.bytes) / result.contacts)} per contact`
        : `${Math.round(own / (kind === 'tets' ? result.tetrahedra : result.bodies))} per ${kind === 'tets' ? 'tetrahedron' : 'body'}`;
    const cells = [
      row,
      result.bodies,
      result.contacts,
      result.tetrahedra,
      Math.round(own / 1e6),
      each,
      ...result.times.map((time) => time.toFixed(1)),
      result.status,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
