/**
 * Random heaps of soft and rigid bodies under `sap`: all laws, moduli from 3 kPa to 10 MPa, Poisson's ratios up to 0.48, with and
 * without damping, steps from 1 ms to 1/60 s, both solvers, at points and by pressure, thrown at up to 5 m/s. Every step converges,
 * nothing overflows, and a run from a snapshot ends in the same bytes.
 *
 *   NEXDYN_LONG=1 npx vitest run validation/analytic/soft-random.long.test.ts
 */
import { compileModel, type Scene, type Shape, Simulation, type SoftBody, type Vec3 } from '@nexdyn/engine';
import { expect, test } from 'vitest';

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function createScene(seed: number): Scene {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const count = 1 + Math.floor(3 * random());
  const contact = pick(['point', 'hydroelastic'] as const);
  const softBodies = Array.from(
    { length: count },
    (_, n): SoftBody => ({
      name: `soft ${n}`,
      position: [0.05 * (random() - 0.5), 0.05 * (random() - 0.5), 0.15 + 0.25 * n],
      orientation: [1, random(), random(), random()],
      velocity: [random(), random(), -5 * random()] as Vec3,
      mesh: pick<SoftBody['mesh']>([
        { kind: 'box', halfSize: [0.1, 0.08, 0.06], cells: [3, 2, 2] },
        { kind: 'sphere', radius: 0.1, resolution: 0.06 },
      ]),
      contact,
      material: 'skin',
      elasticity: {
        model: pick(['linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff'] as const),
        youngsModulus: 10 ** (3.5 + 3.5 * random()),
        poissonRatio: 0.1 + 0.38 * random(),
        stiffnessDamping: pick([0, 0.001, 0.01]),
        massDamping: pick([0, 1]),
      },
    }),
  );
  const shape = pick<Shape>([
    { kind: 'box', halfSize: [0.08, 0.08, 0.03], material: 'skin' },
    { kind: 'sphere', radius: 0.06, material: 'skin' },
    { kind: 'capsule', radius: 0.03, halfLength: 0.06, material: 'skin' },
  ]);
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: {
      formulation: 'sap',
      timestep: pick([0.001, 0.005, 0.01, 1 / 60]),
      sap: { solver: pick(['newton', 'pcg'] as const) },
    },
    materials: [{ name: 'skin', friction: pick([0, 0.3, 1]) }],
    bodies: [
      { name: 'floor', shapes: [{ kind: 'plane', material: 'skin' }] },
      { name: 'rigid', position: [0.02, 0, 0.2 + 0.25 * count], joints: [{ kind: 'free' }], shapes: [shape] },
    ],
    softBodies,
  };
}

test.each(Array.from({ length: 40 }, (_, n) => n + 1))('scene %i', (seed) => {
  const model = compileModel(createScene(seed));
  const simulation = new Simulation(model);
  const steps = Math.round(0.4 / simulation.timestep);
  for (let n = 0; n < steps; n++) expect(simulation.step().status).toBe('converged');
  const snapshot = simulation.snapshot();
  simulation.step(5);
  const twin = new Simulation(model);
  twin.restore(snapshot);
  twin.step(5);
  expect(twin.hash()).toBe(simulation.hash());
});
