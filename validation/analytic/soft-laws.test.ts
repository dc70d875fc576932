/** Fibers, viscosity and plasticity of a bar in a scene, against the closed forms of uniaxial stress. */
import { compileModel, type Elasticity, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const E = 1e6;
/** Vertices of the box of 2 × 1 × 1 cells at its ends along x. */
const LEFT = [0, 3, 6, 9];
const RIGHT = [2, 5, 8, 11];

function open(elasticity: Partial<Elasticity>, more: Partial<SoftBody>, timestep: number): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep, gravity: [0, 0, 0] },
    softBodies: [
      {
        name: 'bar',
        contact: 'none',
        mesh: { kind: 'box', halfSize: [0.2, 0.1, 0.1], cells: [2, 1, 1] },
        elasticity: { model: 'linear', youngsModulus: E, poissonRatio: 0, density: 1e-3, ...elasticity },
        ...more,
      },
    ],
  };
  return new Simulation(compileModel(scene, { formulation: 'sap' }));
}

describe('fibers', () => {
  test.each([
    ['along x', [1, 0, 0], E + 3e6],
    ['along y', [0, 2, 0], E],
  ] as const)('%s: stiffness of the bar along x', (_, direction, modulus) => {
    const fibers = { direction: [...direction] as [number, number, number], youngsModulus: 3e6 };
    const driven = [{ vertices: RIGHT, times: [0, 1], displacements: [0, 0, 0, 4e-4, 0, 0] }];
    const simulation = open({ fibers }, { pinned: LEFT, driven }, 10);
    simulation.step(2);
    const { stress } = simulation.softStress('bar');
    for (let t = 0; t < 10; t++) expect(Math.abs(stress[6 * t]! / (1e-3 * modulus) - 1)).toBeLessThan(1e-5);
  });

  test('turn with the body', () => {
    const half = Math.SQRT1_2;
    const fibers = { direction: [0, 1, 0] as [number, number, number], youngsModulus: 3e6 };
    const { soft } = open({ fibers }, { orientation: [half, 0, 0, half] }, 1).model;
    for (let k = 0; k < 3; k++) expect(soft.warp[k]).toBeCloseTo([-1, 0, 0][k]!, 12);
  });
});

test.each(['tet4', 'smoothedTet4', 'tet10'] as const)(
  'viscosity of %s: strain grows as σ/E (1 − e^(−t E/2η)), by the steps of implicit Euler',
  (element) => {
    const viscosity = 5e4;
    const h = (2 * viscosity) / E / 20;
    const pinned = LEFT;
    const simulation = open({ viscosity }, { element, pinned }, h);
    // an even strain: all vertices are driven by their share of the load at rest
    const force = simulation.state.softForce;
    const { rest } = simulation.model.soft;
    const still = open({}, { element, pinned }, 1e3);
    for (const v of RIGHT) still.applySoftForce('bar', v, [10, 0, 0]);
    still.step(2);
    for (const v of RIGHT) force[3 * v] = 10;
    simulation.step(20);
    const end = still.softPosition('bar')[3 * RIGHT[0]!]! - rest[3 * RIGHT[0]!]!;
    const now = simulation.softPosition('bar')[3 * RIGHT[0]!]! - rest[3 * RIGHT[0]!]!;
    // with ν = 0 viscosity and stiffness are proportional, C = (2η/E) K: every mode creeps alike
    expect(Math.abs(now / end - (1 - 1.05 ** -20))).toBeLessThan(1e-5);
  },
);

describe.each([
  ['corotated', 'tet4'],
  ['neoHookean', 'tet4'],
  ['corotated', 'smoothedTet4'],
  ['neoHookean', 'tet10'],
] as const)('plasticity, %s, %s', (model, element) => {
  const [yieldStress, hardening, most] = [1e3, 2e5, 5e-3];

  function drive(): Simulation {
    const times = [0, 1, 2];
    const displacements = [0, 0, 0, 0.4 * most, 0, 0, 0, 0, 0];
    const plasticity = { yieldStress, hardening };
    return open(
      { model, plasticity, poissonRatio: 0.3 },
      { element, driven: [{ vertices: RIGHT, times, displacements }], pinned: LEFT },
      0.01,
    );
  }

  test('stress follows the hardening line; what is unloaded stays stretched', () => {
    // the ends hold the cross-section: compare with the law, tetrahedron by tetrahedron
    const simulation = drive();
    simulation.step(100);
    const { vonMises } = simulation.softStress('bar');
    const { softPlastic } = simulation.state;
    // of other elements a stress is not that of one point
    for (let t = 0; t < (element === 'tet4' ? vonMises.length : 0); t++) {
      const alpha = softPlastic[10 * t + 9]!;
      expect(alpha).toBeGreaterThan(1e-3);
      expect(Math.abs(vonMises[t]! / (yieldStress + hardening * alpha) - 1)).toBeLessThan(0.02);
    }
    const gone = [...softPlastic];
    simulation.step(100);
    // driven back to no strain, the bar is under compression
    expect(simulation.softStress('bar').stress[0]).toBeLessThan(-0.5 * yieldStress);
    for (let k = 9; k < gone.length; k += 10) expect(softPlastic[k]).toBeGreaterThanOrEqual(gone[k]!);
  });

  test('a snapshot has the flow: the run goes on as it did', () => {
    const simulation = drive();
    simulation.step(60);
    const snapshot = simulation.snapshot();
    simulation.step(20);
    const hash = simulation.hash();
    simulation.step(30);
    simulation.restore(snapshot);
    simulation.step(20);
    expect(simulation.hash()).toBe(hash);
  });
});

test.each([
  ['tet4', 0.3],
  ['tet10', 0.2],
  ['tet10', 0.3],
  ['smoothedTet4', 0.3],
] as const)(
  'plasticity of %s, ν = %d: an even stretch flows at every point by the closed form',
  (element, poissonRatio) => {
    // stretches e^(ε), e^(−ε/2), e^(−ε/2) on straight paths: 3μ (ε − α) = σ_y + H α, whatever the steps
    const [yieldStress, hardening, strain] = [1e3, 2e5, 4e-3];
    const elasticity = { model: 'corotated', poissonRatio, plasticity: { yieldStress, hardening } } as const;
    const { rest } = open(elasticity, { element }, 1).model.soft;
    const stretch = [Math.exp(strain) - 1, Math.exp(-strain / 2) - 1, Math.exp(-strain / 2) - 1];
    const driven = Array.from({ length: rest.length / 3 }, (_, v) => ({
      vertices: [v],
      times: [0, 1],
      displacements: [0, 0, 0, ...stretch.map((s, k) => s * rest[3 * v + k]!)],
    }));
    const simulation = open(elasticity, { element, driven }, 0.1);
    simulation.step(10);
    const mu = E / (2 * (1 + poissonRatio));
    const alpha = (3 * mu * strain - yieldStress) / (3 * mu + hardening);
    const { softPlastic } = simulation.state;
    const gone = Array.from({ length: softPlastic.length / 10 }, (_, k) => softPlastic[10 * k + 9]!);
    // without a part of volume, 10-node elements have four points of the five that are kept
    const flowing = gone.filter(
      (value, k) => value > 0 || element !== 'tet10' || poissonRatio > 0.25 || k < 0.8 * gone.length,
    );
    expect(flowing.length).toBeGreaterThan(0);
    // from one straight path to the next, the stretch in the middle is of constant volume but for its square
    for (const value of flowing) expect(Math.abs(value / alpha - 1)).toBeLessThan(strain * strain);
    const { vonMises } = simulation.softStress('bar');
    // the law sees strains, not their logarithms: half of the elastic strain apart
    for (const value of vonMises) expect(Math.abs(value / (yieldStress + hardening * alpha) - 1)).toBeLessThan(strain);
  },
);

test('plasticity of the linear law is an error that names the place', () => {
  expect(() => open({ model: 'linear', plasticity: { yieldStress: 1 } }, {}, 1)).toThrow(
    /the linear law does not flow/,
  );
});
