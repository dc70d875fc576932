/**
 * Cost of a soft step against the size of the body, and memory. A corotated bar (E = 1 MPa, h = 5 ms, clamped along one side)
 * grows in length at one edge length: conjugate gradients keep their number of iterations, so a step is linear in the
 * tetrahedra. Counts, not times, are asserted: they do not depend on the machine. In six steps:
 *
 *   tetrahedra   Newton   conjugate gradients
 *       1040       18             408
 *       5040       19             453
 *      25040       19             430
 *      50000       19             421
 */
import { expect, test } from 'vitest';
import { SolveTrace } from '../../packages/engine/src/minimize/solve-trace.ts';
import {
  SOFT_STEP_DEFAULTS,
  type SoftStepOptions,
  stepSoftBody,
} from '../../packages/engine/src/soft/implicit-step.ts';
import { pinVertices } from '../../packages/engine/src/soft/soft-boundary.ts';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';
import { longTest } from '../../scripts/long-run.ts';
import { boxShape, createSpecimen, type Specimen, selectVertices } from './soft-boxes.ts';

const LOAD = { gravity: [0, 0, -9.81] };
const GRADIENTS: SoftStepOptions = { ...SOFT_STEP_DEFAULTS, solver: 'pcg' };

/** A bar of 0.025 m cells, 4 × 4 across, clamped along its side at y = 0. */
function createBar(cells: number): Specimen {
  const bar = createSpecimen(boxShape([0.025 * cells, 0.1, 0.1], [cells, 4, 4]), {
    model: 'corotated',
    youngsModulus: 1e6,
    poissonRatio: 0.3,
  });
  pinVertices(
    bar.boundary,
    selectVertices(bar.mesh, (_x, y) => y === 0),
    bar.state.position,
  );
  return bar;
}

longTest('work per tetrahedron stays the same from 1000 to 50,000 tetrahedra', () => {
  const rows = [13, 63, 313, 625].map((cells) => {
    const { mesh, state, boundary, work } = createBar(cells);
    const trace = new SolveTrace();
    let gradients = 0;
    for (let n = 0; n < 6; n++) {
      expect(stepSoftBody(mesh, state, boundary, LOAD, work, 0.005, GRADIENTS, trace)).toBe(0);
      gradients += work.gradientIterations;
    }
    return { count: mesh.tetrahedronCount, newton: trace.count, gradients, pairs: mesh.pattern.pairCount };
  });
  const [first] = rows;
  for (const row of rows) {
    expect(row.pairs / row.count).toBeLessThan(1.1 * (first.pairs / first.count));
    expect(row.newton).toBeLessThanOrEqual(first.newton + 6);
    expect(row.gradients).toBeLessThan(1.5 * first.gradients);
  }
});

test.each(['pcg', 'cholesky'] as const)('settled steps allocate nothing: %s', (solver) => {
  const { mesh, state, boundary, work } = createBar(2);
  const options = { ...SOFT_STEP_DEFAULTS, solver };
  const trace = new SolveTrace();
  const run = (count: number): void => {
    for (let n = 0; n < count; n++) {
      trace.clear();
      stepSoftBody(mesh, state, boundary, LOAD, work, 0.005, options, trace);
    }
  };
  run(200);
  const bytes = work.memory instanceof Object && 'usedBytes' in work.memory ? work.memory.usedBytes : undefined;
  expect(bytes).toBeGreaterThan(0);
  expect(measureKeptMemory(() => run(700), 0.2e6)).toBeLessThan(0.2e6);
  expect('usedBytes' in work.memory && work.memory.usedBytes).toBe(bytes);
});
