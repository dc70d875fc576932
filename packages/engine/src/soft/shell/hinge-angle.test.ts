import { expect, test } from 'vitest';
import { compareLists, differentiate } from '../../testing/central-differences.ts';
import { createRandom } from '../../testing/forest.ts';
import { differentiateHinge, differentiateHingeTwice, measureHinge } from './hinge-angle.ts';

const CORNERS = Int32Array.of(0, 1, 2, 3);
const PAIRS = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
];
const random = createRandom(3);
const FLAT = Float64Array.of(0, 0, 0, 1, 0, 0, 0.4, 1, 0, 0.3, -0.8, 0);

function gradientAt(x: Float64Array): Float64Array {
  const gradient = new Float64Array(12);
  differentiateHinge(gradient, 0, x, CORNERS, 0);
  return gradient;
}

test('the angle is that by which a corner is turned about the edge, positive towards the normal', () => {
  for (const angle of [-3, -1, 0, 1e-9, 0.5, 3]) {
    const x = FLAT.slice();
    x[7] = Math.cos(angle);
    x[8] = Math.sin(angle);
    expect(Math.abs(measureHinge(x, CORNERS, 0) - angle)).toBeLessThan(1e-15);
  }
});

test('gradient and Hessian are the derivatives of the angle, flat, bent and nearly closed', () => {
  for (let n = 0; n < 20; n++) {
    const x = FLAT.map((value) => value + (n % 4 === 0 ? 0 : 0.4) * (2 * random() - 1));
    if (n % 5 === 4) for (let k = 0; k < 3; k++) x[9 + k] = x[6 + k] + 0.2 * random();
    const slopes = differentiate(x, 1e-3, (at) => measureHinge(at, CORNERS, 0)).flat();
    expect(compareLists(gradientAt(x), slopes)).toBeLessThan(1e-7);
    const curvature = differentiate(x, 1e-3, (at) => gradientAt(at)).map((row) => Array.from(row));
    const blocks = new Float64Array(45);
    differentiateHingeTwice(blocks, x, CORNERS, 0);
    const expected = PAIRS.flatMap(([a, b]) =>
      [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => curvature[3 * a + i][3 * b + j])),
    );
    expect(compareLists(blocks, expected)).toBeLessThan(1e-6);
    // the opposite corners do not act on each other
    for (let i = 0; i < 9; i++) expect(Math.abs(curvature[6 + (i % 3)][9 + Math.floor(i / 3)])).toBeLessThan(1e-6);
  }
});
