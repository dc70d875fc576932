/** Soft bodies that move without contact: free fall, momentum, energy, prescribed vertices, springs; both solvers. */
import { describe, expect, test } from 'vitest';
import { OUTCOME, SolveTrace } from '../../packages/engine/src/minimize/solve-trace.ts';
import { evaluateElasticEnergy } from '../../packages/engine/src/soft/elastic-energy.ts';
import { SOFT_STEP_DEFAULTS, stepSoftBody } from '../../packages/engine/src/soft/implicit-step.ts';
import { applyBoundary, driveVertices, pinVertices } from '../../packages/engine/src/soft/soft-boundary.ts';
import { createStressReadout, readStress } from '../../packages/engine/src/soft/stress-readout.ts';
import { createTurns } from '../../scripts/long-run.ts';
import { boxShape, createSpecimen, type Specimen, selectVertices, sumWeighted, WEIGHTLESS } from './soft-boxes.ts';

const takeTurn = createTurns();

const MODELS = ['linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff'] as const;
const SOLVERS = ['pcg', 'cholesky'] as const;
const H = 0.01;

function createCube(model: (typeof MODELS)[number], more: object = {}): Specimen {
  const elasticity = { model, youngsModulus: 1e5, poissonRatio: 0.3, density: 1000, ...more };
  return createSpecimen(boxShape([0.1, 0.1, 0.1], [3, 3, 3]), elasticity);
}

describe.each(MODELS)('%s', (model) => {
  const test = takeTurn();
  test('free fall is that of implicit Euler, without an iteration', () => {
    const { mesh, state, boundary, work } = createCube(model);
    const trace = new SolveTrace();
    for (let n = 1; n <= 50; n++) {
      stepSoftBody(mesh, state, boundary, { gravity: [0, 0, -10] }, work, H, SOFT_STEP_DEFAULTS, trace);
      const fall = (-10 * n * (n + 1) * H * H) / 2;
      for (let v = 0; v < mesh.vertexCount; v++) {
        expect(Math.abs(state.position[3 * v + 2] - mesh.rest[3 * v + 2] - fall)).toBeLessThan(1e-12);
      }
    }
    expect(trace.count).toBe(0);
  });

  test('gravity adds mass times g to the momentum of a body that vibrates', () => {
    const { mesh, state, boundary, work } = createCube(model);
    for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = Math.sin(3 * i);
    const before = sumWeighted(mesh, state.velocity);
    const options = { ...SOFT_STEP_DEFAULTS, solver: 'cholesky' as const, relativeTolerance: 1e-11 };
    for (let n = 0; n < 20; n++) stepSoftBody(mesh, state, boundary, { gravity: [1, 2, -10] }, work, H, options);
    // 1 kg for 0.2 s
    sumWeighted(mesh, state.velocity).forEach((value, c) => {
      expect(Math.abs(value - before[c] - [0.2, 0.4, -2][c])).toBeLessThan(1e-10);
    });
  });

  test.each(SOLVERS)('momentum is kept and energy falls, %s', (solver) => {
    const { mesh, state, boundary, work } = createCube(model);
    for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = 0.3 + 0.5 * Math.sin(3 * i);
    const before = sumWeighted(mesh, state.velocity);
    // 30 steps that each leave at most this share of about 1 kg m/s
    const options = { ...SOFT_STEP_DEFAULTS, solver, relativeTolerance: 1e-12 };
    const total = (): number =>
      evaluateElasticEnergy(mesh, state.position) +
      0.5 * mesh.mass.reduce((sum, m, v) => sum + m * Math.hypot(...state.velocity.subarray(3 * v, 3 * v + 3)) ** 2, 0);
    let last = total();
    for (let n = 0; n < 30; n++) {
      expect(stepSoftBody(mesh, state, boundary, WEIGHTLESS, work, H, options)).toBe(OUTCOME.converged);
      const now = total();
      expect(now).toBeLessThanOrEqual(last * (1 + 1e-10));
      last = now;
    }
    sumWeighted(mesh, state.velocity).forEach((value, c) => {
      expect(Math.abs(value - before[c])).toBeLessThan(1e-10);
    });
  });

  test('both solvers give the same motion', () => {
    const ends = SOLVERS.map((solver) => {
      const { mesh, state, boundary, work } = createCube(model, { stiffnessDamping: 0.002, massDamping: 0.5 });
      pinVertices(
        boundary,
        selectVertices(mesh, (x) => x === 0),
        state.position,
      );
      const options = { ...SOFT_STEP_DEFAULTS, solver, relativeTolerance: 1e-10 };
      for (let n = 0; n < 20; n++) {
        expect(stepSoftBody(mesh, state, boundary, { gravity: [0, 0, -10] }, work, H, options)).toBe(OUTCOME.converged);
      }
      return state.position;
    });
    for (let i = 0; i < ends[0].length; i++) expect(Math.abs(ends[0][i] - ends[1][i])).toBeLessThan(1e-9);
  });

  test('patch test: boundary vertices on x ↦ A x put all others there, with one stress everywhere', () => {
    const { mesh, state, boundary, work } = createCube(model);
    const isInside = (value: number): boolean => value > 1e-9 && value < 0.1 - 1e-9;
    const outer = selectVertices(mesh, (x, y, z) => !(isInside(x) && isInside(y) && isInside(z)));
    expect(outer.length).toBe(mesh.vertexCount - 8);
    const a = [1.02, 0.03, 0, 0.01, 0.99, -0.02, 0, 0.01, 1.01];
    const placed = mesh.rest.map((_, i) => {
      const v = i - (i % 3);
      const row = 3 * (i % 3);
      return a[row] * mesh.rest[v] + a[row + 1] * mesh.rest[v + 1] + a[row + 2] * mesh.rest[v + 2];
    });
    pinVertices(boundary, outer, placed);
    const options = { ...SOFT_STEP_DEFAULTS, solver: 'cholesky' as const, relativeTolerance: 1e-13 };
    for (let n = 0; n < 5; n++) stepSoftBody(mesh, state, boundary, WEIGHTLESS, work, 1e3, options);
    for (let i = 0; i < placed.length; i++) expect(Math.abs(state.position[i] - placed[i])).toBeLessThan(1e-12);
    const readout = createStressReadout(mesh, work.memory);
    readStress(readout, mesh, state.position);
    const largest = Math.max(...readout.stress.map(Math.abs));
    for (let k = 6; k < readout.stress.length; k++) {
      expect(Math.abs(readout.stress[k] - readout.stress[k % 6])).toBeLessThan(1e-9 * largest);
    }
  });
});

test('driven vertices are on their path to round-off', () => {
  const { mesh, state, boundary, work } = createCube('corotated');
  const start = state.position.slice();
  const driven = [{ vertices: [5, 7], times: [0, 0.2], displacements: [0, 0, 0, 0.05, 0, 0.1] }];
  applyBoundary(boundary, { driven }, start);
  for (let n = 1; n <= 20; n++) {
    driveVertices(boundary, driven, start, n * H);
    stepSoftBody(mesh, state, boundary, { gravity: [0, 0, -10] }, work, H);
    for (const v of [5, 7]) {
      expect(Math.abs(state.position[3 * v] - start[3 * v] - (0.05 * n) / 20)).toBeLessThan(1e-14);
      expect(state.velocity[3 * v]).toBeCloseTo(0.25, 10);
    }
  }
});

test('a box on springs moves as one critically damped mass', () => {
  // 1 kg, eight springs of 10 N/m, c = 2 √(k m): x = v₀ t e^(−ωt), ω = √80; implicit Euler is of first order
  const { mesh, state, boundary, work } = createSpecimen(boxShape([0.1, 0.1, 0.1], [1, 1, 1]), {
    youngsModulus: 1e8,
    poissonRatio: 0.3,
  });
  const vertices = Array.from({ length: 8 }, (_, v) => v);
  // each vertex pulls as its mass has it, so that the box does not turn
  for (const v of vertices) {
    applyBoundary(
      boundary,
      { springs: [{ vertices: [v], stiffness: 80 * mesh.mass[v], damping: 2 * Math.sqrt(80) * mesh.mass[v] }] },
      state.position,
    );
  }
  for (let i = 0; i < 24; i += 3) state.velocity[i] = 0.2;
  let worst = 0;
  for (let n = 1; n <= 2000; n++) {
    stepSoftBody(mesh, state, boundary, WEIGHTLESS, work, 1e-3);
    const t = n * 1e-3;
    const moved = sumWeighted(mesh, state.position)[0] - sumWeighted(mesh, mesh.rest)[0];
    worst = Math.max(worst, Math.abs(moved - 0.2 * t * Math.exp(-Math.sqrt(80) * t)));
  }
  expect(worst).toBeLessThan(1e-3);
  expect(worst).toBeGreaterThan(0);
});
