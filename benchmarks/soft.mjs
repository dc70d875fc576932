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
 * 4. With NEXDYN_PYTHON, a Python that has Drake: the cantilever of 1600 and 3200 tetrahedra on the same mesh, with the corotated law and with
 *    Drake's default, whose rotations are those at the start of a step.
 *
 *   npm run build && node benchmarks/soft.mjs [rounds] [growth | drake]
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

function raceDrake(python) {
  console.log(
    '\ncantilever beside Drake, E = 1e7, h = 1/60 s: ms per step (processor time) and sag after the same steps',
  );
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-drake-'));
  const script = fileURLToPath(new URL('soft-drake.py', import.meta.url));
  const steps = 10;
  for (const cells of [
    [20, 4, 4],
    [40, 4, 4],
  ]) {
    const ours = createOurs('corotated', 1e7, cells);
    const mesh = join(folder, 'beam.vtk');
    writeFileSync(mesh, formatVtk(ours.mesh));
    for (let n = 0; n < steps; n++) ours.step();
    const best = { ours: Infinity, corotated: Infinity, linearCorotated: Infinity };
    const sag = {};
    for (let round = 0; round < ROUNDS; round++) {
      const start = readClock();
      for (let n = 0; n < steps; n++) ours.step();
      best.ours = Math.min(best.ours, (readClock() - start) / steps);
    }
    for (const law of ['corotated', 'linearCorotated']) {
      const inputs = [mesh, 1e7, 0.3, DENSITY, 0.02, 1 / 60, steps, ROUNDS, law].map(String);
      const [time, end] = execFileSync(python, [script, ...inputs], { encoding: 'utf8' })
        .split(' ')
        .map(Number);
      best[law] = time;
      sag[law] = end;
    }
    for (const law of ['corotated', 'linearCorotated'])
      console.log(
        `${ours.tetrahedra} tets  ours ${best.ours.toFixed(2)} ms, sag ${(1000 * ours.sag()).toFixed(1)} mm  ` +
          `Drake ${law} ${best[law].toFixed(2)} ms, sag ${sag[law].toFixed(1)} mm  ratio ${(best.ours / best[law]).toFixed(2)}`,
      );
  }
  rmSync(folder, { recursive: true, force: true });
}

if (!ONLY) await raceRapier();
if (!ONLY) growBars();
if (!ONLY || ONLY === 'growth') refineBeam();
const python = process.env.NEXDYN_PYTHON;
if (python && (!ONLY || ONLY === 'drake')) raceDrake(python);
