/** Soft bodies in a simulation under `sap`, nothing touching: closed forms of free motion, holds, springs, forces, read-outs. */
import { compileModel, NexdynError, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const G = 9.81;
const CUBE: SoftBody = {
  name: 'cube',
  mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
  elasticity: { model: 'corotated', youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 },
  contact: 'none',
};

function simulate(body: Partial<SoftBody>, scene: Partial<Scene> = {}, h = 0.002): Simulation {
  const { options, ...rest } = scene;
  return new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      ...rest,
      options: { formulation: 'sap', timestep: h, ...options },
      softBodies: [{ ...CUBE, ...body }],
    }),
  );
}

describe.each(['linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff'] as const)('%s', (model) => {
  const elasticity = { ...CUBE.elasticity, model };

  test('free fall: every vertex by ½ g n(n + 1) h², the shape unchanged', () => {
    const simulation = simulate({ position: [1, 2, 3], elasticity });
    const start = simulation.softPosition('cube').slice();
    const report = simulation.step(30);
    expect(report.status).toBe('converged');
    const fall = 0.5 * G * 30 * 31 * 0.002 ** 2;
    const x = simulation.softPosition('cube');
    for (let i = 0; i < x.length; i++) {
      expect(Math.abs(x[i] - start[i] + (i % 3 === 2 ? fall : 0))).toBeLessThan(1e-11);
    }
  });

  test('elastic forces of a squeezed cube that turns add neither momentum nor moment', () => {
    const simulation = simulate({ elasticity }, { options: { gravity: [0, 0, 0] } });
    const x = simulation.softPosition('cube');
    const v = simulation.softVelocity('cube');
    for (let i = 0; i < x.length; i += 3) {
      x[i] *= 0.9;
      v.set([0.3 - 2 * x[i + 1], 0.1 + 2 * x[i], 0.2], i);
    }
    for (let n = 0; n < 50; n++) {
      const before = simulation.momentum();
      // the moment of impulses where they act, at the end of the step: Σ x⁺ × m (v⁺ − v) = L⁺ − Σ x⁺ × m v
      const old = v.slice();
      simulation.step();
      const after = simulation.momentum();
      const kept = v.slice();
      v.set(old);
      const moved = simulation.momentum();
      v.set(kept);
      for (let k = 0; k < 3; k++) {
        // what the solver's tolerance leaves of momenta of 0.1 kg m/s and lengths of 0.1 m
        expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(1e-7);
        // the linear law is not made for turns
        if (model !== 'linear') expect(Math.abs(after.angular[k] - moved.angular[k])).toBeLessThan(1e-8);
      }
    }
  });
});

test('energy: weight, elastic part and springs; centre of mass', () => {
  const simulation = simulate({ position: [0, 0, 1], springs: [{ vertices: [0], stiffness: 40 }] });
  const mass = 1000 * 0.1 ** 3;
  const rest = simulation.energy();
  expect(rest.elastic).toBeLessThan(1e-24);
  expect(Math.abs(rest.potential - mass * G)).toBeLessThan(1e-12);
  // stretched along x by s: W = V s² (μ + λ/2) for the corotated law
  const [s, mu, lambda] = [0.1, 1e5 / 2.6, (1e5 * 0.3) / (1.3 * 0.4)];
  const x = simulation.softPosition('cube');
  for (let i = 0; i < x.length; i += 3) x[i] *= 1 + s;
  const { elastic, potential, total } = simulation.energy();
  expect(Math.abs(elastic / (0.1 ** 3 * s * s * (mu + lambda / 2)) - 1)).toBeLessThan(1e-12);
  expect(Math.abs(potential - elastic - mass * G - 0.5 * 40 * 0.005 ** 2)).toBeLessThan(1e-12);
  expect(total).toBe(potential);
  const center = simulation.centerOfMass();
  expect(Math.abs(center[2] - 1)).toBeLessThan(1e-14);
});

test('pinned vertices stay to the bit; driven ones follow their path; released ones fall', () => {
  const simulation = simulate({
    pinned: [0, 1],
    driven: [{ vertices: [25, 26], times: [0, 0.1, 0.2], displacements: [0, 0, 0, 0.02, 0, 0.01, 0, 0, 0] }],
  });
  const start = simulation.softPosition('cube').slice();
  for (let n = 1; n <= 100; n++) {
    simulation.step();
    const x = simulation.softPosition('cube');
    for (let i = 0; i < 6; i++) expect(x[i]).toBe(start[i]);
    const share = simulation.time <= 0.1 ? simulation.time / 0.1 : (0.2 - simulation.time) / 0.1;
    expect(Math.abs(x[75] - start[75] - 0.02 * share)).toBeLessThan(1e-14);
    expect(Math.abs(x[77] - start[77] - 0.01 * share)).toBeLessThan(1e-14);
  }
  simulation.releaseVertices('cube', [0, 1, 25, 26]);
  const [, , velocity] = simulation.momentum().linear;
  simulation.step(50);
  expect(Math.abs(simulation.momentum().linear[2] - velocity + 1 * G * 0.1)).toBeLessThan(1e-5);
});

test('a hold at run time survives a snapshot; the same bytes follow', () => {
  const simulation = simulate({});
  simulation.step(10);
  simulation.holdVertices('cube', [3, 4]);
  const snapshot = simulation.snapshot();
  simulation.step(20);
  const hash = simulation.hash();
  const other = simulate({});
  other.restore(snapshot);
  other.step(20);
  expect(other.hash()).toBe(hash);
  const x = simulation.softPosition('cube');
  for (let i = 9; i < 15; i++) expect(x[i]).toBe(snapshot[1 + i]);
});

test('a force on a vertex gives its impulse; clearing ends it', () => {
  const simulation = simulate({}, { options: { gravity: [0, 0, 0] } });
  simulation.applySoftForce('cube', 5, [0, 2, 0]);
  simulation.step(50);
  expect(Math.abs(simulation.momentum().linear[1] - 2 * 50 * 0.002)).toBeLessThan(1e-6);
  simulation.clearForces();
  simulation.step(50);
  expect(Math.abs(simulation.momentum().linear[1] - 2 * 50 * 0.002)).toBeLessThan(1e-6);
});

test('stress of a stretched cube: σ = λ e + 2 μ e along the stretch of the linear law', () => {
  const simulation = simulate({ elasticity: { ...CUBE.elasticity, model: 'linear' } });
  const x = simulation.softPosition('cube');
  for (let i = 0; i < x.length; i += 3) x[i] *= 1.01;
  const [mu, lambda] = [1e5 / 2.6, (1e5 * 0.3) / (1.3 * 0.4)];
  const { stress, strain, vonMises, vertexVonMises } = simulation.softStress('cube');
  expect(Math.abs(stress[0] / (0.01 * (lambda + 2 * mu)) - 1)).toBeLessThan(1e-10);
  expect(Math.abs(strain[0] - 0.01)).toBeLessThan(1e-14);
  expect(Math.abs(vonMises[0] / (0.01 * 2 * mu) - 1)).toBeLessThan(1e-10);
  expect(Math.abs(vertexVonMises[7] / vonMises[0] - 1)).toBeLessThan(1e-12);
});

/**
 * A body of 1 kg whose eight corners hang on springs of 10 N/m each, no gravity, v₀ = 0.2 m/s: stiff enough to move as one, it
 * follows the critically damped oscillator with k = 80 N/m, c = 2 √k: x = v₀ t e^(−ω t), ω = √80 /s.
 */
test('eight damped springs: the critically damped oscillator', () => {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7];
  const damping = (2 * Math.sqrt(80)) / 8;
  const simulation = simulate(
    {
      mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [1, 1, 1] },
      velocity: [0.2, 0, 0],
      springs: [{ vertices: corners, stiffness: 10, damping }],
      elasticity: { model: 'corotated', youngsModulus: 1e6, poissonRatio: 0.3 },
    },
    { options: { gravity: [0, 0, 0] } },
    0.001,
  );
  let worst = 0;
  for (let n = 1; n <= 2000; n++) {
    simulation.step();
    const t = simulation.time;
    worst = Math.max(worst, Math.abs(simulation.centerOfMass()[0] - 0.2 * t * Math.exp(-Math.sqrt(80) * t)));
  }
  expect(worst).toBeLessThan(1e-3);
  // first order: implicit Euler with h = 1 ms
  expect(worst).toBeLessThan(0.2 * Math.sqrt(80) * 0.001 * 0.1);
});

/** The same beam as in soft-cantilever.test.ts, two cells across, as a scene: steps so long that inertia does not count. */
test('a cantilever in a scene sags as the body alone does', () => {
  const beam: Partial<SoftBody> = {
    name: 'beam',
    mesh: { kind: 'box', halfSize: [0.5, 0.05, 0.05], cells: [20, 2, 2] },
    elasticity: { model: 'linear', youngsModulus: 1e6, poissonRatio: 0 },
  };
  const { rest } = simulate(beam).model.soft;
  const verticesAt = (x: number): number[] =>
    Array.from({ length: rest.length / 3 }, (_, v) => v).filter((v) => Math.abs(rest[3 * v] - x) < 1e-9);
  for (const solver of ['newton', 'pcg'] as const) {
    const options = { sap: { solver, relativeTolerance: 1e-8 } };
    const simulation = simulate({ ...beam, pinned: verticesAt(-0.5) }, { options }, 1e3);
    expect(simulation.step(2).status).toBe('converged');
    const end = verticesAt(0.5);
    const x = simulation.softPosition('beam');
    const sag = -end.reduce((sum, v) => sum + x[3 * v + 2] - rest[3 * v + 2], 0) / end.length;
    expect(Math.abs(sag / 0.95174 - 1)).toBeLessThan(1e-5);
  }
});

test('a number that is not finite is named with its vertex', () => {
  const simulation = simulate({});
  simulation.softPosition('cube')[3 * 4 + 1] = Number.NaN;
  const report = simulation.step();
  expect(report.status).toBe('diverged');
  expect(report.nonFinite?.name).toBe('vertex 4 of cube');
});

describe('bad input is an error with its place', () => {
  const attempt = (change: Partial<SoftBody>): NexdynError => {
    try {
      simulate(change);
    } catch (error) {
      if (error instanceof NexdynError) return error;
      throw error;
    }
    throw new Error('no error');
  };

  test.each([
    [{ elasticity: { youngsModulus: 1e5, poissonRatio: 0.5 } }, 'softBodies[0].elasticity.poissonRatio'],
    [{ elasticity: { youngsModulus: 0, poissonRatio: 0.3 } }, 'softBodies[0].elasticity.youngsModulus'],
    [{ elasticity: { youngsModulus: 1, poissonRatio: 0, density: 0 } }, 'softBodies[0].elasticity.density'],
    [{ attachments: [{ vertices: [99], body: 'world' }] }, 'softBodies[0].attachments[0].vertices'],
    [{ attachments: [{ vertices: [0], body: 'nobody' }] }, 'softBodies[0].attachments[0].body'],
    [{ pinned: [27] }, 'softBodies[0].pinned'],
    [
      { mesh: { kind: 'tetrahedra', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [1, 0, 2, 3] } },
      'softBodies[0].mesh.tetrahedra[0]',
    ],
    [
      { driven: [{ vertices: [0], times: [0, 0], displacements: [0, 0, 0, 0, 0, 0] }] },
      'softBodies[0].driven[0].times',
    ],
  ] as [Partial<SoftBody>, string][])('%j', (change, path) => {
    const error = attempt(change);
    expect(error.path).toBe(path);
    expect(error.message.length).toBeGreaterThan(10);
  });
});
