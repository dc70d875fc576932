/** A cube pressed to a tenth of its height, tetrahedra inside out and all, and released: it takes its shape again. */
import { expect, test } from 'vitest';
import { SOFT_STEP_DEFAULTS, stepSoftBody } from '../../packages/engine/src/soft/implicit-step.ts';
import { pinVertices, releaseVertices } from '../../packages/engine/src/soft/soft-boundary.ts';
import { createStressReadout, readStress } from '../../packages/engine/src/soft/stress-readout.ts';
import { boxShape, createSpecimen, selectVertices, WEIGHTLESS } from './soft-boxes.ts';

test.each([
  ['corotated', 0.3],
  ['corotated', 0.45],
  ['neoHookean', 0.3],
  ['neoHookean', 0.45],
] as const)('%s, ν = %f', (model, poissonRatio) => {
  const { mesh, state, boundary, work } = createSpecimen(boxShape([0.1, 0.1, 0.1], [4, 4, 4]), {
    model,
    youngsModulus: 1e5,
    poissonRatio,
    stiffnessDamping: 0.01,
  });
  const { position } = state;
  const ends = selectVertices(mesh, (_x, _y, z) => z === 0 || z === 0.1);
  pinVertices(boundary, ends, position);
  const step = (): number => stepSoftBody(mesh, state, boundary, WEIGHTLESS, work, 0.01, SOFT_STEP_DEFAULTS);
  // half a second down, every step solved to its tolerance
  for (let n = 1; n <= 50; n++) {
    for (const v of ends) if (mesh.rest[3 * v + 2] > 0) boundary.target[3 * v + 2] = 0.1 - (0.09 * n) / 50;
    expect(step()).toBe(0);
  }
  const readout = createStressReadout(mesh, work.memory);
  readStress(readout, mesh, position);
  expect(readout.volumeRatio.some((ratio) => ratio < 0)).toBe(true);
  expect(readout.vonMises.every(Number.isFinite)).toBe(true);

  releaseVertices(boundary, ends);
  for (let n = 0; n < 300; n++) step();
  readStress(readout, mesh, position);
  expect(readout.volumeRatio.every((ratio) => Math.abs(ratio - 1) < 1e-3)).toBe(true);
  // every edge has its length back; the slow end of the damped motion is left
  const { pairCount, low, high } = mesh.pattern;
  const length = (x: Float64Array, p: number): number =>
    Math.hypot(...[0, 1, 2].map((c) => x[3 * low[p] + c] - x[3 * high[p] + c]));
  for (let p = 0; p < pairCount; p++) {
    expect(Math.abs(length(position, p) / length(mesh.rest, p) - 1)).toBeLessThan(1e-3);
  }
});
