import { expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import { randomQuaternion, rotate, toMatrix } from '../../testing/pair-poses.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { CORE, type SupportFunction } from './core-kind.ts';
import { MinkowskiDifference } from './minkowski.ts';
import { writeCurvature } from './support-curvature.ts';

const curvature = new Float64Array(6);

test('the curvature is the derivative of the support point of the difference', () => {
  const random = createRandom(2);
  const m = new MinkowskiDifference();
  const shapes = () => [
    placeShape(SHAPE.ellipsoid, [0.1, 0.2, 0.4], [1, 2, 3], toMatrix(randomQuaternion(random))),
    placeShape(SHAPE.cylinder, [0.2, 0.3], [1, 2, 3], toMatrix(randomQuaternion(random))),
    placeShape(SHAPE.capsule, [0.2, 0.3], [1, 2, 3], toMatrix(randomQuaternion(random))),
  ];
  const matrix = [0, 1, 2, 1, 3, 4, 2, 4, 5];
  let tried = 0;
  for (let trial = 0; trial < 300; trial++) {
    const a = shapes()[trial % 3];
    const b = shapes()[Math.floor(trial / 3) % 3];
    m.set(a, b);
    const n = rotate(toMatrix(randomQuaternion(random)), [0, 0, 1]);
    // the difference is not smooth where n is across or along an axis
    const cosines = [a, b].map(({ rotation: r }) => Math.abs(r[2] * n[0] + r[5] * n[1] + r[8] * n[2]));
    if (cosines.some((c) => c < 0.05 || c > 0.98)) continue;
    tried++;
    writeCurvature(curvature, m, Float64Array.from(n));
    const step = 1e-5;
    for (let j = 0; j < 3; j++) {
      m.support(
        0,
        Float64Array.from(n, (x, k) => x + (k === j ? step : 0)),
        1,
      );
      m.support(
        1,
        Float64Array.from(n, (x, k) => x - (k === j ? step : 0)),
        1,
      );
      // g = min n·x falls off by the curvature: ∂w/∂n = −H; central differences are good to the square of the step
      for (let k = 0; k < 3; k++) {
        const difference = (m.w[k] - m.w[3 + k]) / (2 * step);
        expect(Math.abs(difference + curvature[matrix[3 * k + j]])).toBeLessThan(1e-6);
      }
    }
  }
  expect(tried).toBeGreaterThan(200);
});

test('of a core that is known by its support function alone it is that of the closed form', () => {
  const random = createRandom(3);
  const m = new MinkowskiDifference();
  for (let trial = 0; trial < 50; trial++) {
    const size = [0.1 + random(), 0.1 + random(), 0.1 + random()];
    const exact = placeShape(SHAPE.ellipsoid, size, [0, 0, 0], toMatrix(randomQuaternion(random)));
    const support: SupportFunction = (out, s, d) => {
      const h = Math.hypot(s[0] * d[0], s[1] * d[1], s[2] * d[2]);
      for (let k = 0; k < 3; k++) out[k] = (s[k] * s[k] * d[k]) / h;
    };
    const n = Float64Array.from(rotate(toMatrix(randomQuaternion(random)), [0, 0, 1]));
    m.set(exact, exact);
    writeCurvature(curvature, m, n);
    const expected = curvature.slice();
    const smooth = { ...exact, core: CORE.smooth, support };
    m.set(smooth, smooth);
    writeCurvature(curvature, m, n);
    // rounding ε/6e-6 and truncation (6e-6)² of support points up to 1.1 m, with half axes down to 0.1 m
    for (let k = 0; k < 6; k++) expect(Math.abs(curvature[k] - expected[k])).toBeLessThan(1e-6);
  }
});
