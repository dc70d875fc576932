import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/box-sets.ts';
import {
  boundApproach,
  boundTipSpeed,
  createPosePaths,
  measureTurn,
  PATH,
  writeAngularVelocity,
  writePoint,
  writePosePath,
} from './pose-path.ts';

const random = createRandom(4);
const draw = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random() - 1));

/** A random path; with a lead the axis turns as well. */
function drawPath(turn: number, hasLead: boolean): Float64Array {
  const paths = createPosePaths(1);
  paths.set(draw(2), PATH.position);
  paths.set(draw(1), PATH.displacement);
  paths.set(draw(turn), PATH.turn);
  if (hasLead) paths.set(draw(2), PATH.lead);
  const q = [...draw(1), 2 * random() - 1];
  const norm = Math.hypot(...q);
  paths.set(
    q.map((x) => x / norm),
    PATH.orientation,
  );
  return paths;
}

function pointAt(paths: Float64Array, i: number, local: number[], t: number): number[] {
  const out = new Float64Array(3);
  writePoint(out, 0, paths, i, Float64Array.from(local), 0, t);
  return [...out];
}

test('a quarter turn about z while going along x', () => {
  const paths = createPosePaths(2);
  writePosePath(
    paths,
    1,
    {
      position: Float64Array.of(9, 9, 9, 1, 2, 3),
      orientation: Float64Array.of(1, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0),
      step: Float64Array.of(0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, Math.PI),
    },
    2,
  );
  // the body stands turned by 90 degrees about x: its y is the world's z; half of two half turns is a half turn
  const [x, y, z] = pointAt(paths, 1, [1, 4, 2], 0.5);
  expect(x).toBeCloseTo(1 + 5 - 1, 12);
  expect(y).toBeCloseTo(2 + 2, 12);
  expect(z).toBeCloseTo(3 + 4, 12);
  expect(measureTurn(paths, 1)).toBeCloseTo(2 * Math.PI, 14);
  expect(boundApproach(paths, 0, 7, 1, 3)).toBeCloseTo(10 + 6 * Math.PI, 12);
});

describe.each([false, true])('lead: %s', (hasLead) => {
  test('the velocity is d + ω × r by central differences', () => {
    const h = 1e-5;
    const omega = new Float64Array(3);
    for (let n = 0; n < 200; n++) {
      const paths = drawPath(n % 2 === 0 ? 4 : 1e-4, hasLead);
      if (hasLead && n % 3 === 0) paths.set(draw(1e-4), PATH.lead);
      const local = draw(1);
      const t = random();
      const [low, high] = [pointAt(paths, 0, local, t - h), pointAt(paths, 0, local, t + h)];
      const here = pointAt(paths, 0, local, t);
      const r = here.map((x, k) => x - paths[k] - t * paths[3 + k]);
      writeAngularVelocity(omega, 0, paths, 0, t);
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        const speed = paths[PATH.displacement + k] + omega[i] * r[j] - omega[j] * r[i];
        // error of the difference: h²/6 |d³x/dt³| ≤ 2e-11 · 7³, and 1e-16/h of rounding
        expect((high[k] - low[k]) / (2 * h)).toBeCloseTo(speed, 7);
      }
    }
  });

  test('speed about the origin and acceleration stay within their bounds, and reach them', () => {
    let nearest = 0;
    let nearestCurvature = 0;
    for (let n = 0; n < 3000; n++) {
      const paths = drawPath(4, hasLead);
      if (hasLead && n % 2 === 0) for (let k = 0; k < 3; k++) paths[PATH.lead + k] = -0.5 * paths[PATH.turn + k];
      const local = draw(1);
      const t = random();
      const h = 1e-4;
      const at = [t - h, t, t + h].map((time) =>
        pointAt(paths, 0, local, time).map((x, k) => x - paths[k] - time * paths[3 + k]),
      );
      const bound = boundTipSpeed(paths, 0, at[1][0], at[1][1], at[1][2]);
      const speed = Math.hypot(...at[2].map((x, k) => (x - at[0][k]) / (2 * h)));
      const curvature = Math.hypot(...at[2].map((x, k) => (x - 2 * at[1][k] + at[0][k]) / (h * h)));
      const most = bound * measureTurn(paths, 0);
      expect(speed).toBeLessThan(bound * (1 + 1e-6) + 1e-9);
      // rounding of a second difference: 4e-16/h²
      expect(curvature).toBeLessThan(most * (1 + 1e-6) + 1e-6);
      nearest = Math.max(nearest, speed / bound);
      nearestCurvature = Math.max(nearestCurvature, curvature / most);
    }
    expect(nearest).toBeGreaterThan(0.999);
    expect(nearestCurvature).toBeGreaterThan(0.99);
  });
});
