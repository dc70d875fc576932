/** A separation asked for is kept at all times, at steps of a hundredth of a second and of a whole second. */
import type { Body, Shape } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { advance, body, build, cube, place } from './checked-scene.ts';

const HALF = 0.1;

describe('separation', () => {
  test('cubes 0.05 m apart: the gaps stay between ξ and ξ + d̂ once they rest, and never go below ξ', () => {
    const simulation = build(
      {
        shapes: [{ kind: 'plane' }],
        bodies: [body('a', [0, 0, 0.7], cube(0.5)), body('b', [0.1, 0.1, 1.9], cube(0.5))],
      },
      0.01,
      { separation: 0.05 },
    );
    const gaps = (): [number, number] => {
      const [low, high] = [place(simulation, 1)[2], place(simulation, 2)[2]];
      return [low - 0.5, high - low - 1];
    };
    advance(simulation, 100, () => {
      for (const gap of gaps()) expect(gap).toBeGreaterThan(0.05);
    });
    for (const gap of gaps()) expect(gap).toBeLessThan(0.051);
  });

  test('eight cubes fall into a box with steps of 1 s and stay 1 mm apart from it and from each other', () => {
    const room = 0.25;
    const wall = (x: number, y: number): Shape => ({
      kind: 'box',
      halfSize: [x === 0 ? room + 0.1 : 0.05, y === 0 ? room + 0.1 : 0.05, 1],
      position: [x * (room + 0.06), y * (room + 0.06), 1],
    });
    const shapes: Shape[] = [{ kind: 'plane' }, wall(1, 0), wall(-1, 0), wall(0, 1), wall(0, -1)];
    const bodies: Body[] = Array.from({ length: 8 }, (_, i) => {
      const [x, y, z] = [i & 1, (i >> 1) & 1, i >> 2];
      const half = 0.01 * (i + 1);
      return body(`cube ${i}`, [0.24 * (x - 0.5), 0.24 * (y - 0.5), 0.2 + 0.3 * z], cube(HALF, 0.3), {
        orientation: [Math.cos(half), 0, 0, Math.sin(half)],
      });
    });
    const simulation = build({ shapes, bodies }, 1, { separation: 1e-3, barrierDistance: 1e-3, iterations: 400 });
    advance(simulation, 20, () => {
      for (let b = 1; b <= 8; b++) {
        const [x, y, z] = place(simulation, b);
        expect(z).toBeGreaterThan(HALF + 1e-3);
        expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(room + 0.01 - HALF - 1e-3);
      }
    });
    // four lie on the ground; all have come to rest in two layers
    const heights = Array.from({ length: 8 }, (_, i) => place(simulation, i + 1)[2]).sort((a, b) => a - b);
    expect(heights[3]).toBeLessThan(HALF + 2.1e-3);
    expect(heights[7]).toBeLessThan(3 * HALF + 5e-3);
  });
});
