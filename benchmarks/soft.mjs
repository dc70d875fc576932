/**
 * Soft bodies: cost of a step and what it is worth.
 *
 * 1. A cantilever (1 m × 0.1 m × 0.1 m, density 1000, clamped at one end) of 3200 tetrahedra under its own weight, h = 1/60 s: ours,
 *    every step converged to 1e-6, beside Rapier's FEM with its defaults and the same number of cells; both in one run, taking
 *    turns, processor time per step, and the sag at the end against beam theory.
 * 2. Growth of our step from 1,000 to 50,000 tetrahedra, conjugate gradients: a bar of 2.5 cm cells, 4 × 4 across, clamped along one
 *    side, and the same bar lying on a plane.
 *
 * 3. The same beam with finer cells, 3,200 to 204,800 tetrahedra: time per step and the exponent between neighbours.
 * 4. With NEXDYN_PYTHON, a Python that has Drake and MuJoCo 4: the cantilever of 1600 and 3200 tetrahedra on the same mesh, in Drake with the
 *    corotated law and with its default, whose rotations are those at the start of a step, in MuJoCo as a flex; and a ball on a plane.
 *
 *   npm run build && node benchmarks/soft.mjs [rounds] [growth | peers | ball]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import RAPIER from '@dimforge/rapier3d-compat';
import { compileModel, Simulation } from '../packages/engine/dist/index.js';

const ROUNDS = Number(process.argv[2] ?? 5);
/** Which part alone is run. */
const ONLY = process.argv[3];
const STEPS = 30;
const [LENGTH, THICKNESS, DENSITY, G] = [1, 0.1, 1000, 9.81];

/** Sag of the end of a beam with shear, m. */
function beamSag(young, poisson) {
  const bending = (DENSITY * G * THICKNESS ** 2 * LENGTH ** 4) / (8 * young * (THICKNESS ** 4 / 12));
  const shear = (DENSITY * G * LENGTH ** 2) / (2 * (5 / 6) * (young / (2 * (1 + poisson))));
  return bending + shear;
}

/** Processor time of this process, ms. */
function readClock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function createOurs(model, young, cells, options = {}) {
  const scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 1 / 60, ...options },
    softBodies: [
      {
        name: 'beam',
        mesh: { kind: 'box', halfSize: [LENGTH / 2, THICKNESS / 2, THICKNESS / 2], cells },
        contact: 'none',
        elasticity: { model, youngsModulus: young, poissonRatio: 0.3, density: DENSITY, stiffnessDamping: 0.02 },
      },
    ],
  };
  const { soft, size } = compileModel(scene);
  const at = (x) =>
    Array.from({ length: size.softVertex }, (_, v) => v).filter((v) => Math.abs(soft.rest[3 * v] - x) < 1e-9);
  scene.softBodies[0].pinned = at(-LENGTH / 2);
  const end = at(LENGTH / 2);
  const simulation = new Simulation(compileModel(scene));
  return {
    tetrahedra: soft.tetrahedron.length / 4,
    mesh: soft,
    step: () => simulation.step(),
    report: () => simulation.report,
    sag: () =>
      -end.reduce((sum, v) => sum + simulation.softPosition('beam')[3 * v + 2] - soft.rest[3 * v + 2], 0) / end.length,
  };
}

function createRapier(young, cells) {
  const world = new RAPIER.World({ x: 0, y: 0, z: -G });
  world.timestep = 1 / 60;
  const half = { x: LENGTH / 2, y: THICKNESS / 2, z: THICKNESS / 2 };
  const desc = RAPIER.SoftBodyDesc.cuboid({ x: 0, y: 0, z: 0 }, half, cells[0] + 1, cells[1] + 1, cells[2] + 1);
  const material = new RAPIER.SoftBodyMaterial();
  material.youngModulus = young;
  material.poissonRatio = 0.3;
  desc.setMaterial(material);
  desc.setMass(DENSITY * LENGTH * THICKNESS * THICKNESS);
  desc.setCellModel(RAPIER.SoftBodyCellModel.Corotational);
  desc.setSolver(RAPIER.SoftBodySolver.Fem);
  desc.setCanSleep(false);
  const body = world.createSoftBody(desc);
  const start = body.particlePositions();
  const at = (x) =>
    Array.from({ length: body.numParticles() }, (_, v) => v).filter((v) => Math.abs(start[3 * v] - x) < 1e-4);
  for (const v of at(-LENGTH / 2)) body.setParticlePinned(v, true);
  const end = at(LENGTH / 2);
  return {
    tetrahedra: body.numCells(),
    step: () => world.step(),
    sag: () => {
      const x = body.particlePositions();
      return -end.reduce((sum, v) => sum + x[3 * v + 2] - start[3 * v + 2], 0) / end.length;
    },
  };
}

/** Least processor time per step over the rounds, ms; sides take turns. */
function race(sides) {
  const best = sides.map(() => Infinity);
  for (const { step } of sides) for (let n = 0; n < STEPS; n++) step();
  for (let round = 0; round < ROUNDS; round++) {
    sides.forEach(({ step }, k) => {
      const start = readClock();
      for (let n = 0; n < STEPS; n++) step();
      best[k] = Math.min(best[k], (readClock() - start) / STEPS);
    });
  }
  return best;
}

async function raceRapier() {
  await RAPIER.init();
  console.log('cantilever, h = 1/60 s, ms per step (processor time), sag at the end and its error against beam theory');
  for (const young of [1e6, 1e7, 1e8]) {
    const cells = [40, 4, 4];
    const names = ['ours, corotated', 'ours, neo-Hookean', 'ours, linear', 'Rapier, defaults'];
    const sides = [
      createOurs('corotated', young, cells),
      createOurs('neoHookean', young, cells),
      createOurs('linear', young, cells),
      createRapier(young, cells),
    ];
    const times = race(sides);
    for (const { step } of sides) for (let n = 0; n < 300; n++) step();
    const exact = beamSag(young, 0.3);
    sides.forEach(({ tetrahedra, sag, report }, k) => {
      const error = 100 * (sag() / exact - 1);
      const residual = report ? `residual ${report().residual.toExponential(1)}` : '';
      console.log(
        `E = ${young.toExponential(0)}  ${names[k].padEnd(18)} ${tetrahedra} tets  ${times[k].toFixed(2).padStart(7)} ms  ` +
          `${(times[k] / times[3]).toFixed(2)} of Rapier  sag ${(1000 * sag()).toFixed(1)} mm (${error.toFixed(1)} %)  ${residual}`,
      );
    });
  }
}

/** A bar of 0.025 m cells, clamped along its side at y = 0 or lying on a plane. */
function createBar(cells, isClamped) {
  const half = 0.0125 * cells;
  const scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 0.005, sap: { solver: 'pcg' } },
    bodies: isClamped ? [] : [{ name: 'floor', shapes: [{ kind: 'plane' }] }],
    softBodies: [
      {
        name: 'bar',
        position: [0, 0, isClamped ? 0 : 0.05],
        mesh: { kind: 'box', halfSize: [half, 0.05, 0.05], cells: [cells, 4, 4] },
        contact: isClamped ? 'none' : 'point',
        elasticity: { model: 'corotated', youngsModulus: 1e6, poissonRatio: 0.3, density: DENSITY },
      },
    ],
  };
  if (isClamped) {
    const { soft, size } = compileModel(scene);
    scene.softBodies[0].pinned = Array.from({ length: size.softVertex }, (_, v) => v).filter(
      (v) => soft.rest[3 * v + 1] < -0.05 + 1e-9,
    );
  }
  const simulation = new Simulation(compileModel(scene));
  return {
    tetrahedra: simulation.model.soft.tetrahedron.length / 4,
    step: () => simulation.step(),
    restart: () => simulation.reset(),
  };
}

function growBars() {
  for (const isClamped of [true, false]) {
    console.log(`\ngrowth, conjugate gradients: a bar ${isClamped ? 'clamped along a side' : 'on a plane'}`);
    for (const cells of [13, 63, 313, 625]) {
      const { tetrahedra, step, restart } = createBar(cells, isClamped);
      let best = Infinity;
      // the same first ten steps in every round: a bar that has settled costs less
      for (let round = 0; round < ROUNDS; round++) {
        restart();
        const start = readClock();
        for (let n = 0; n < 10; n++) step();
        best = Math.min(best, (readClock() - start) / 10);
      }
      const each = (1e6 * best) / tetrahedra;
      console.log(
        `${String(tetrahedra).padStart(6)} tets  ${best.toFixed(1).padStart(7)} ms  ${each.toFixed(0)} ns per tetrahedron`,
      );
    }
  }
}

function refineBeam() {
  console.log('\ngrowth: the cantilever with finer cells, E = 1e7, ms per step (processor time)');
  let last;
  for (const n of [4, 8, 16]) {
    const { tetrahedra, step, report } = createOurs('corotated', 1e7, [10 * n, n, n]);
    // small ones take more steps until they are compiled
    for (let k = 0; k < 100 / n; k++) step();
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const start = readClock();
      step();
      best = Math.min(best, readClock() - start);
    }
    const exponent = last ? Math.log(best / last.best) / Math.log(tetrahedra / last.tetrahedra) : undefined;
    console.log(
      `${String(tetrahedra).padStart(6)} tets  ${best.toFixed(1).padStart(7)} ms  ${report().status}` +
        (exponent === undefined ? '' : `  exponent ${exponent.toFixed(2)}`),
    );
    last = { tetrahedra, best };
  }
}

/** The mesh of a model as a file that Drake reads. */
function formatVtk({ rest, tetrahedron }) {
  const list = (numbers, width, head = '') =>
    Array.from(
      { length: numbers.length / width },
      (_, k) => head + numbers.slice(width * k, width * (k + 1)).join(' '),
    );
  const count = tetrahedron.length / 4;
  return [
    '# vtk DataFile Version 3.0\nbeam\nASCII\nDATASET UNSTRUCTURED_GRID',
    `POINTS ${rest.length / 3} double`,
    ...list(rest, 3),
    `CELLS ${count} ${5 * count}`,
    ...list(tetrahedron, 4, '4 '),
    `CELL_TYPES ${count}`,
    ...new Array(count).fill('10'),
    '',
  ].join('\n');
}

/** What a script of a peer prints: ms per step, mm, and what else. */
function runPeer(python, script, inputs) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const text = execFileSync(python, [path, ...inputs.map(String)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text.trim().split('\n').pop().split(' ').map(Number);
}

/**
 * Our steps and those of peers in turns, a process of each peer in every round; the least time of each. All begin at rest and take the
 * same steps: some that are not timed, then as many that are.
 */
function racePeers(create, steps, peers) {
  const best = [Infinity, ...peers.map(() => Infinity)];
  const found = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = create();
    for (let n = 0; n < steps; n++) ours.step();
    const start = readClock();
    for (let n = 0; n < steps; n++) ours.step();
    best[0] = Math.min(best[0], (readClock() - start) / steps);
    found[0] = 1000 * ours.sag();
    peers.forEach((peer, k) => {
      const [time, end] = peer();
      best[k + 1] = Math.min(best[k + 1], time);
      found[k + 1] = end;
    });
  }
  return { best, found };
}

function report(title, names, { best, found }, what) {
  console.log(`${title}  ours ${best[0].toFixed(2)} ms, ${what} ${found[0].toFixed(1)} mm`);
  names.forEach((name, k) => {
    const ratio = (best[0] / best[k + 1]).toFixed(2);
    console.log(
      `   ${name.padEnd(28)} ${best[k + 1].toFixed(2)} ms, ${what} ${found[k + 1].toFixed(1)} mm  ratio ${ratio}`,
    );
  });
}

const BEAM_STEPS = 10;

function raceBeams(python) {
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-soft-'));
  console.log(
    '\ncantilever beside peers, E = 1e7, h = 1/60 s: ms per step (processor time), sag after the same 20 steps',
  );
  for (const cells of [
    [20, 4, 4],
    [40, 4, 4],
  ]) {
    const create = () => createOurs('corotated', 1e7, cells);
    const { mesh, tetrahedra } = create();
    const vtk = join(folder, 'beam.vtk');
    const json = join(folder, 'beam.json');
    writeFileSync(vtk, formatVtk(mesh));
    const points = [...mesh.rest];
    const pinned = points.flatMap((x, i) => (i % 3 === 0 && x < 1e-9 - LENGTH / 2 ? [i / 3] : []));
    writeFileSync(json, JSON.stringify({ points, tetrahedra: [...mesh.tetrahedron], pinned }));
    const inputs = [1e7, 0.3, DENSITY, 0.02, 1 / 60, BEAM_STEPS, 1];
    const names = ['Drake, corotated', 'Drake, linear corotated', 'MuJoCo, flex'];
    const result = racePeers(create, BEAM_STEPS, [
      () => runPeer(python, 'soft-drake.py', ['beam', vtk, ...inputs, 'corotated']),
      () => runPeer(python, 'soft-drake.py', ['beam', vtk, ...inputs, 'linearCorotated']),
      () => runPeer(python, 'soft-mujoco.py', [json, ...inputs]),
    ]);
    report(`${tetrahedra} tets`, names, result, 'sag');
  }
  rmSync(folder, { recursive: true, force: true });
}

/** A ball of 0.1 m radius that falls 1 cm on a plane. */
function createBall() {
  const scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 0.005 },
    bodies: [{ name: 'floor', shapes: [{ kind: 'plane' }] }],
    softBodies: [
      {
        name: 'ball',
        position: [0, 0, 0.11],
        mesh: { kind: 'sphere', radius: 0.1, resolution: 0.025 },
        elasticity: {
          model: 'corotated',
          youngsModulus: 1e5,
          poissonRatio: 0.3,
          density: DENSITY,
          stiffnessDamping: 0.01,
        },
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  const { soft } = simulation.model;
  return {
    tetrahedra: soft.tetrahedron.length / 4,
    mesh: soft,
    step: () => simulation.step(),
    sag: () => simulation.softPosition('ball').reduce((sum, x, i) => (i % 3 === 2 ? Math.max(sum, x) : sum), 0),
  };
}

const BALL_STEPS = 40;

function raceBall(python) {
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-soft-'));
  const { mesh, tetrahedra } = createBall();
  const vtk = join(folder, 'ball.vtk');
  writeFileSync(vtk, formatVtk(mesh));
  console.log(
    '\nball on a plane, E = 1e5, h = 5 ms: ms per step (processor time), height of its top after the same 80 steps',
  );
  const inputs = [1e5, 0.3, DENSITY, 0.01, 0.005, BALL_STEPS, 1];
  const names = ['Drake, corotated', 'Drake, linear corotated'];
  const result = racePeers(createBall, BALL_STEPS, [
    () => runPeer(python, 'soft-drake.py', ['ball', vtk, ...inputs, 'corotated']),
    () => runPeer(python, 'soft-drake.py', ['ball', vtk, ...inputs, 'linearCorotated']),
  ]);
  report(`${tetrahedra} tets`, names, result, 'height');
  rmSync(folder, { recursive: true, force: true });
}

if (!ONLY) await raceRapier();
if (!ONLY) growBars();
if (!ONLY || ONLY === 'growth') refineBeam();
const python = process.env.NEXDYN_PYTHON;
if (python && (!ONLY || ONLY === 'peers' || ONLY === 'ball')) {
  if (ONLY !== 'ball') raceBeams(python);
  raceBall(python);
}
