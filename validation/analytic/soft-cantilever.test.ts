/**
 * A cantilever 1 m long and 0.1 m thick under its own weight, linear law, against beam theory with shear (Timoshenko, κ = 5/6):
 *
 *   w = ρ g A L⁴ / (8 E I) + ρ g L² / (2 κ G)
 *
 * Linear tetrahedra lock in bending: they add stiffness in proportion to (edge / thickness)². With ν = 0, five tetrahedra per cube:
 *
 *   cells across   tetrahedra   deflection   error     added stiffness w/w_h − 1   order
 *        2              400      0.95174     −35.8 %           0.558
 *        4             3200      1.30061     −12.3 %           0.140                1.99
 *        8            25600      1.43289      −3.4 %           0.035                2.00
 *
 * (metres, E = 1 MPa: the linear law does not mind.) The error of the deflection itself falls with orders 1.54 and 1.86, on the
 * way to 2, for it is the inverse of one plus the added stiffness.
 */
import { describe, expect, test } from 'vitest';
import { OUTCOME, SolveTrace } from '../../packages/engine/src/minimize/solve-trace.ts';
import { SOFT_STEP_DEFAULTS, stepSoftBody } from '../../packages/engine/src/soft/implicit-step.ts';
import { pinVertices } from '../../packages/engine/src/soft/soft-boundary.ts';
import { boxShape, createSpecimen, selectVertices } from './soft-boxes.ts';

const [LENGTH, THICKNESS, E, DENSITY, G] = [1, 0.1, 1e6, 1000, 9.81];
const BENDING = (DENSITY * G * THICKNESS ** 2 * LENGTH ** 4) / (8 * E * (THICKNESS ** 4 / 12));
const SHEAR = (DENSITY * G * LENGTH ** 2) / (2 * (5 / 6) * (E / 2));
const EXACT = BENDING + SHEAR;

/** Mean sag of the free end, at rest: steps so long that inertia does not count. */
function measureSag(cells: number, solver: 'pcg' | 'cholesky'): number {
  const { mesh, state, boundary, work } = createSpecimen(
    boxShape([LENGTH, THICKNESS, THICKNESS], [10 * cells, cells, cells]),
    { model: 'linear', youngsModulus: E, poissonRatio: 0, density: DENSITY },
  );
  pinVertices(
    boundary,
    selectVertices(mesh, (x) => x === 0),
    state.position,
  );
  const trace = new SolveTrace();
  const options = { ...SOFT_STEP_DEFAULTS, solver, relativeTolerance: 1e-8, gradientIterations: 20_000 };
  for (let k = 0; k < 2; k++) stepSoftBody(mesh, state, boundary, { gravity: [0, 0, -G] }, work, 1e3, options, trace);
  expect([...trace.outcome.subarray(0, 2)]).toEqual([OUTCOME.converged, OUTCOME.converged]);
  const tip = selectVertices(mesh, (x) => x === LENGTH);
  return -tip.reduce((sum, v) => sum + state.position[3 * v + 2] - mesh.rest[3 * v + 2], 0) / tip.length;
}

describe('a cantilever under its own weight', () => {
  const sags = [2, 4, 8].map((cells) => measureSag(cells, 'cholesky'));
  const errors = sags.map((sag) => Math.abs(sag / EXACT - 1));
  const stiffening = sags.map((sag) => EXACT / sag - 1);

  test('sags less than a beam, by less and less: 4 % at eight cells across', () => {
    for (const sag of sags) expect(sag).toBeLessThan(EXACT);
    expect(errors[2]).toBeLessThan(0.04);
  });

  test('the added stiffness falls with the square of the edge', () => {
    for (const k of [1, 2]) {
      const order = Math.log2(stiffening[k - 1] / stiffening[k]);
      expect(order).toBeGreaterThan(1.85);
      expect(order).toBeLessThan(2.15);
    }
    expect(Math.log2(errors[1] / errors[2])).toBeGreaterThan(Math.log2(errors[0] / errors[1]));
    expect(Math.log2(errors[1] / errors[2])).toBeGreaterThan(1.7);
  });

  test('conjugate gradients find the same sag', () => {
    expect(Math.abs(measureSag(2, 'pcg') / sags[0] - 1)).toBeLessThan(1e-5);
  });
});
