import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import { IndexList } from '../bounding-tree/index-list.ts';
import type { HeightField } from '../height-field.ts';
import { HeightFieldPatch, listPatch, readPatch } from './height-field-patch.ts';
import { measureHeight } from './surface-height.ts';

function makeField(rows: number, columns: number, seed: number): HeightField {
  const random = createRandom(seed);
  const heights = Float64Array.from({ length: rows * columns }, () => 0.3 * random());
  return { rows, columns, halfSizeX: 1.5, halfSizeY: 1, baseDepth: 0.2, heights };
}

const EVERYTHING = Float64Array.of(-9, -9, -9, 9, 9, 9);

describe.each([
  [2, 2],
  [2, 5],
  [4, 3],
  [7, 9],
])('%i by %i samples', (rows, columns) => {
  const field = makeField(rows, columns, 10 * rows + columns);
  const patch = new HeightFieldPatch();
  const list = new IndexList();

  test('the whole field is a closed solid but for the seam at its base', () => {
    readPatch(patch, field, EVERYTHING);
    const cells = (rows - 1) * (columns - 1);
    const walls = 2 * (rows - 1 + columns - 1);
    expect(patch.count).toBe(2 * cells + 2 * walls + 2);
    // volume by the divergence theorem, against columns of two triangles each
    let volume = 0;
    for (let t = 0; t < patch.count; t++) {
      const [a, b, c] = corners(patch, t);
      volume +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
    }
    let expected = 0;
    const area = (3 / (columns - 1)) * (2 / (rows - 1));
    for (let r = 0; r + 1 < rows; r++) {
      for (let c = 0; c + 1 < columns; c++) {
        const h = (i: number, j: number) => field.heights[(r + i) * columns + c + j] + field.baseDepth;
        expected += (area / 6) * (2 * h(0, 0) + 2 * h(1, 1) + h(0, 1) + h(1, 0));
      }
    }
    expect(volume).toBeCloseTo(expected, 12);
  });

  test('neighbours share their edge, and every edge above the base has one', () => {
    readPatch(patch, field, EVERYTHING);
    for (let t = 0; t < patch.count; t++) {
      const own = corners(patch, t);
      for (let k = 0; k < 3; k++) {
        const across = patch.neighbors[3 * t + k];
        const isAtBase = own[k][2] === -field.baseDepth && own[(k + 1) % 3][2] === -field.baseDepth;
        if (across < 0) {
          expect(isAtBase).toBe(true);
          continue;
        }
        const others = corners(patch, across);
        const back = [0, 1, 2].find((j) => patch.neighbors[3 * across + j] === t) as number;
        expect(others[back]).toEqual(own[(k + 1) % 3]);
        expect(others[(back + 1) % 3]).toEqual(own[k]);
        // and the vertices are the same numbers, so that walks around a vertex close
        expect(patch.triangles[3 * across + back]).toBe(patch.triangles[3 * t + ((k + 1) % 3)]);
      }
    }
  });

  test('a part of the field is that part of the whole, with the same numbers', () => {
    const random = createRandom(5);
    readPatch(patch, field, EVERYTHING);
    const whole = new Map<number, string>();
    for (let t = 0; t < patch.count; t++) whole.set(patch.numbers[t], JSON.stringify(corners(patch, t)));
    expect(whole.size).toBe(patch.count);
    for (let i = 0; i < 50; i++) {
      const low = [3.4 * (random() - 0.5), 2.4 * (random() - 0.5), 0.8 * (random() - 0.5)];
      const box = Float64Array.of(...low, ...low.map((x) => x + random()));
      readPatch(patch, field, box);
      listPatch(list, patch, field, box);
      const found = new Set<number>();
      for (let k = 0; k < list.count; k++) {
        const t = list.values[k];
        found.add(patch.numbers[t]);
        expect(JSON.stringify(corners(patch, t))).toBe(whole.get(patch.numbers[t]));
      }
      // by brute force: all triangles of the whole whose box meets the box
      for (const [number, text] of whole) {
        const points = JSON.parse(text) as number[][];
        const meets = [0, 1, 2].every(
          (k) => Math.min(...points.map((p) => p[k])) <= box[3 + k] && Math.max(...points.map((p) => p[k])) >= box[k],
        );
        expect(found.has(number)).toBe(meets);
      }
    }
  });

  test('the height over a point is that of the triangle there', () => {
    const random = createRandom(6);
    readPatch(patch, field, EVERYTHING);
    for (let i = 0; i < 200; i++) {
      const x = 3 * (random() - 0.5);
      const y = 2 * (random() - 0.5);
      let found = Number.NaN;
      for (let t = 0; t < 2 * (rows - 1) * (columns - 1); t++) {
        const [a, b, c] = corners(patch, t);
        const whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        const v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / whole;
        const w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / whole;
        if (v >= 0 && w >= 0 && v + w <= 1) found = a[2] + v * (b[2] - a[2]) + w * (c[2] - a[2]);
      }
      expect(measureHeight(field, x, y)).toBeCloseTo(found, 12);
    }
  });
});

function corners(patch: HeightFieldPatch, t: number): number[][] {
  return [0, 1, 2].map((k) => {
    const v = 3 * patch.triangles[3 * t + k];
    return Array.from(patch.vertices.slice(v, v + 3));
  });
}
