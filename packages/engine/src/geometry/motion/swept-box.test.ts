import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/box-sets.ts';
import { createPosePaths, PATH, writePoint } from './pose-path.ts';
import { writeSweptBox, writeSweptPoints } from './swept-box.ts';

const random = createRandom(2);
const draw = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random() - 1));

test('a half turn stays inside a box that start and end do not tell', () => {
  const paths = createPosePaths(1);
  paths.set([0, 0, Math.PI], PATH.turn);
  const box = new Float64Array(6);
  writeSweptPoints(box, paths, 0, Float64Array.of(1, 0, 0), 1, 0);
  // from (1, 0) over (0, 1) to (−1, 0); π²/8 = 1.23
  expect(box[4]).toBeGreaterThan(1);
  expect(box[4]).toBeLessThan(1.25);
  expect(box[0]).toBeLessThan(-1);
});

test('a straight path is not grown but by its margin', () => {
  const paths = createPosePaths(1);
  paths.set([1, 2, 3], PATH.position);
  paths.set([5, -6, 0], PATH.displacement);
  const box = new Float64Array(6);
  writeSweptPoints(box, paths, 0, Float64Array.of(0.5, 0, 0), 1, 0.25);
  for (const [k, x] of [1.25, -4.25, 2.75, 6.75, 2.25, 3.25].entries()) expect(box[k]).toBeCloseTo(x, 12);
});

describe.each([0.01, 1, Math.PI, 7, 40])('turns up to %d', (turn) => {
  test.each([false, true])('all points of the curve are inside, lead: %s', (hasLead) => {
    for (let n = 0; n < 60; n++) {
      const paths = createPosePaths(1);
      paths.set(draw(100), PATH.position);
      paths.set(draw(0.3), PATH.displacement);
      paths.set(draw(turn), PATH.turn);
      if (hasLead) paths.set(draw(2), PATH.lead);
      const local = Float64Array.from([...draw(1), ...draw(1)]);
      const boxes = new Float64Array(12);
      writeSweptPoints(boxes, paths, 0, local, 2, 0);
      const bounds = Float64Array.from([0, 1, 2, 0, 1, 2], (k, i) => {
        const pair = [local[k], local[3 + k]];
        return i < 3 ? Math.min(...pair) : Math.max(...pair);
      });
      const body = new Float64Array(6);
      writeSweptBox(body, 0, paths, 0, bounds, 0);
      const point = new Float64Array(3);
      const tight = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
      let inside = Infinity;
      for (let s = 0; s <= 200; s++) {
        for (let v = 0; v < 2; v++) {
          writePoint(point, 0, paths, 0, local, 3 * v, s / 200);
          for (let k = 0; k < 3; k++) {
            inside = Math.min(inside, point[k] - boxes[6 * v + k], boxes[6 * v + 3 + k] - point[k]);
            inside = Math.min(inside, point[k] - body[k], body[3 + k] - point[k]);
            if (v === 1) continue;
            tight[k] = Math.min(tight[k], point[k]);
            tight[3 + k] = Math.max(tight[3 + k], point[k]);
          }
        }
      }
      expect(inside).toBeGreaterThan(0);
      // beyond the curve by no more than the bulge: |ω|² r/8 on each side, and 2 r
      const size = Math.hypot(local[0], local[1], local[2]);
      const angle = Math.hypot(...paths.subarray(PATH.turn, PATH.turn + 3));
      const most = Math.min((angle * angle * size) / 8, 2 * size) + 1e-11;
      for (let k = 0; k < 3; k++) {
        expect(tight[k] - boxes[k]).toBeLessThan(most);
        expect(boxes[3 + k] - tight[3 + k]).toBeLessThan(most);
      }
    }
  });
});
