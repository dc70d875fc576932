/**
 * How the cost of a step of `ipc` grows: with the number of bodies (boxes at rest in towers of four), and with the number of
 * vertices of a mesh (a ring that lies on a plane, one that lies on a mesh of as many vertices, one that slides over it).
 *
 * All sizes of a family take turns, and a time is the least over the rounds, of the processor, so that other work on the machine
 * does not count. Growth is p in time ~ sizeᵖ against the size before.
 *
 *   npm run build && node benchmarks/ipc-growth.mjs [rounds]
 */
import { compileModel, Simulation } from '../packages/engine/dist/index.js';

const ROUNDS = Number(process.argv[2] ?? 8);
/** Time that a size takes in a round at least, ms. */
const BLOCK = 20;

/** Time of the processor, ms. */
function readClock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function build(scene, h) {
  const options = { timestep: h, ...scene.options };
  return new Simulation(
    compileModel({ format: 'nexdyn-scene', version: 1, ...scene, options }, { formulation: 'ipc' }),
  );
}

function createTowers(count) {
  const bodies = Array.from({ length: count }, (_, i) => ({
    position: [0.3 * Math.floor(i / 4), 0, 0.1 + 0.2 * (i % 4)],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
  }));
  return build({ shapes: [{ kind: 'plane' }], bodies }, 0.002);
}

/** A ring about z with as many vertices or a few less, twice as many around as across. */
function createRing(count) {
  const sides = Math.round(Math.sqrt(count / 2));
  const slices = 2 * sides;
  const vertices = [];
  const faces = [];
  for (let i = 0; i < slices; i++) {
    const turn = (2 * Math.PI * i) / slices;
    for (let j = 0; j < sides; j++) {
      const tilt = (2 * Math.PI * (j + 0.5)) / sides;
      const q = 0.3 + 0.1 * Math.cos(tilt);
      vertices.push(q * Math.cos(turn), q * Math.sin(turn), 0.1 * Math.sin(tilt));
      const at = (a, b) => ((i + a) % slices) * sides + ((j + b) % sides);
      faces.push(at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1));
    }
  }
  return { name: 'ring', vertices, faces, inertia: 'exact' };
}

/** Gentle waves with as many vertices or a few less. */
function createTerrain(count) {
  const side = Math.round(Math.sqrt(count));
  const vertices = [];
  const faces = [];
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const [x, y] = [i, j].map((k) => -1 + (2 * k) / (side - 1));
      vertices.push(x, y, 0.02 * Math.sin(5 * x) * Math.cos(4 * y));
      const a = i * side + j;
      if (i + 1 < side && j + 1 < side) faces.push(a, a + side, a + side + 1, a, a + side + 1, a + 1);
    }
  }
  return { name: 'terrain', vertices, faces };
}

function createRingScene(count, isOnMesh, speed) {
  const meshes = [createRing(count)];
  if (isOnMesh) meshes.push(createTerrain(count));
  const ground = isOnMesh ? { kind: 'triangleMesh', mesh: 'terrain' } : { kind: 'plane' };
  const friction = speed > 0 ? 0 : 0.5;
  const simulation = build(
    {
      meshes,
      shapes: [{ ...ground, friction }],
      bodies: [
        {
          position: [0, 0, 0.13],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'triangleMesh', mesh: 'ring', friction }],
        },
      ],
    },
    0.005,
  );
  simulation.state.velocity[0] = speed;
  return simulation;
}

const FAMILIES = [
  { name: 'boxes in towers of four', sizes: [1, 4, 16, 64, 256], settle: 150, create: createTowers },
  {
    name: 'vertices of a ring at rest on a plane',
    sizes: [100, 300, 1000, 3000, 10_000],
    settle: 60,
    create: (n) => createRingScene(n, false, 0),
  },
  {
    name: 'vertices of a ring at rest on a mesh of as many',
    sizes: [100, 300, 1000, 3000, 10_000],
    settle: 60,
    create: (n) => createRingScene(n, true, 0),
  },
  {
    name: 'vertices of a ring that slides over a mesh of as many',
    sizes: [100, 300, 1000, 3000, 10_000],
    settle: 10,
    create: (n) => createRingScene(n, true, 0.5),
  },
];

/** Least time of a step, ms, and contacts and iterations of one, for each size. */
function measure({ sizes, settle, create }) {
  const runs = sizes.map((size) => {
    const simulation = create(size);
    simulation.step(settle);
    return { size, simulation, start: simulation.snapshot(), least: Infinity, contacts: 0, iterations: 0 };
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (const run of runs) {
      const { simulation } = run;
      simulation.restore(run.start);
      simulation.step(2);
      let steps = 0;
      let iterations = 0;
      const begin = readClock();
      do {
        iterations += simulation.step().iterations;
        steps++;
      } while (readClock() - begin < BLOCK);
      run.least = Math.min(run.least, (readClock() - begin) / steps);
      run.iterations = iterations / steps;
      run.contacts = simulation.contactForces().length;
    }
  }
  return runs;
}

const format = (value) => Number(value.toPrecision(3)).toString();

for (const family of FAMILIES) {
  const runs = measure(family);
  console.log(`| ${family.name} | contacts | iterations | ms per step | growth |`);
  console.log('| ---: | ---: | ---: | ---: | ---: |');
  runs.forEach(({ size, least, contacts, iterations }, i) => {
    const before = runs[i - 1];
    const growth = before ? (Math.log(least / before.least) / Math.log(size / before.size)).toFixed(2) : '';
    console.log(`| ${size} | ${contacts} | ${format(iterations)} | ${format(least)} | ${growth} |`);
  });
  console.log('');
}
