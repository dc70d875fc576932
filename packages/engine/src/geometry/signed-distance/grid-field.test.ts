import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { buildGridField, type Grid } from './grid-field.ts';
import { createTorusField } from './primitive-field.ts';

/** Samples of a function on a cube of side 2 about the origin and `layers` around it. */
function sample(f: (x: number, y: number, z: number) => number, spacing: number, layers = 2): Grid {
  const n = Math.ceil(2 / spacing) + 1 + 2 * layers;
  const low = (-(n - 1) * spacing) / 2;
  const values = new Float64Array(n ** 3);
  for (let i = 0; i < values.length; i++) {
    const [x, y, z] = [i % n, Math.floor(i / n) % n, Math.floor(i / n ** 2)];
    values[i] = f(low + x * spacing, low + y * spacing, low + z * spacing);
  }
  return { origin: [low, low, low], spacing, counts: [n, n, n], values };
}

const ball = (x: number, y: number, z: number) => Math.hypot(x, y, z) - 0.8;

test('a quadratic is reproduced, with its gradient', () => {
  const f = (x: number, y: number, z: number) =>
    x * x + 2 * y * y - 0.5 * z * z + x * y - y * z + 0.3 * x - 0.2 + 3 * z * z;
  const field = buildGridField(sample(f, 0.25, 3));
  const random = createRandom(1);
  const g = new Float64Array(3);
  for (let i = 0; i < 2000; i++) {
    const [x, y, z] = [0, 1, 2].map(() => 2 * random() - 1);
    expect(field.gradient(g, x, y, z)).toBeCloseTo(f(x, y, z), 13);
    expect(g[0]).toBeCloseTo(2 * x + y + 0.3, 12);
    expect(g[1]).toBeCloseTo(4 * y + x - z, 12);
    expect(g[2]).toBeCloseTo(5 * z - y, 12);
  }
});

test('where the distance is smooth the error falls with the cube of the spacing', () => {
  const errors = [0.1, 0.05].map((spacing) => {
    const field = buildGridField(sample(ball, spacing));
    const random = createRandom(2);
    let worst = 0;
    for (let i = 0; i < 20_000; i++) {
      const p = [random() - 0.5, random() - 0.5, random() - 0.5];
      const scale = (0.7 + 0.2 * random()) / Math.hypot(...p);
      const [x, y, z] = p.map((c) => scale * c);
      worst = Math.max(worst, Math.abs(field.distance(x, y, z) - ball(x, y, z)));
    }
    return worst;
  });
  expect(errors[0] / errors[1]).toBeGreaterThan(6);
  expect(errors[0] / errors[1]).toBeLessThan(18);
  // far below the bound that holds for every surface
  expect(errors[1]).toBeLessThan(1e-3 * 0.05);
});

describe('the stated bounds', () => {
  const R = 0.6;
  const r = 0.25;
  const exact = createTorusField(R, r);
  const grid = sample((x, y, z) => exact.distance(x, y, z), 0.08);
  const field = buildGridField(grid);

  test('of the error hold in the whole grid', () => {
    const random = createRandom(3);
    let worst = 0;
    for (let i = 0; i < takeSamples(100_000, 0.2); i++) {
      const [x, y, z] = [0, 1, 2].map(() => 2.2 * random() - 1.1);
      worst = Math.max(worst, Math.abs(field.distance(x, y, z) - exact.distance(x, y, z)));
    }
    expect(worst).toBeLessThan(field.errorBound);
    expect(field.errorBound).toBeLessThan(Math.sqrt(3) * grid.spacing);
  });

  test('of the slope hold for samples that are no distances', () => {
    const random = createRandom(4);
    const { counts, values } = grid;
    const noisy = Float64Array.from(values, (v) => (v < 0.1 ? v + 0.3 * random() : v) - 0.15);
    // the outermost layer stays outside
    const n = counts[0];
    for (let i = 0; i < noisy.length; i++) {
      const at = [i % n, Math.floor(i / n) % n, Math.floor(i / n ** 2)];
      if (at.some((c) => c === 0 || c === n - 1)) noisy[i] = Math.abs(noisy[i]) + 0.01;
    }
    const rough = buildGridField({ ...grid, values: noisy });
    expect(rough.lipschitz).toBeGreaterThan(2);
    const g = new Float64Array(3);
    let steepest = 0;
    for (let i = 0; i < takeSamples(100_000, 0.2); i++) {
      const [x, y, z] = [0, 1, 2].map(() => 3 * random() - 1.5);
      rough.gradient(g, x, y, z);
      steepest = Math.max(steepest, Math.hypot(...g));
    }
    expect(steepest).toBeLessThanOrEqual(rough.lipschitz);
    // not idle: the bound is met to a factor
    expect(steepest).toBeGreaterThan(0.3 * rough.lipschitz);
  });
});

test('the value is continuous across the border of the grid, and finite everywhere', () => {
  const field = buildGridField(sample(ball, 0.2));
  const edge = field.bounds[3] - 0.1;
  for (const y of [0, 0.3, 2]) {
    expect(field.distance(edge + 1e-9, y, 0)).toBeCloseTo(field.distance(edge - 1e-9, y, 0), 8);
  }
  expect(field.distance(1e9, -1e9, 1e9) / (1e9 * Math.sqrt(3))).toBeCloseTo(1, 6);
});

test('bad grids are refused by name', () => {
  const grid = sample(ball, 0.2);
  const build = (change: Partial<Grid>) => () => buildGridField({ ...grid, ...change }, "field 'ball'");
  expect(build({ spacing: 0 })).toThrow(/field 'ball' has a spacing of 0/);
  expect(build({ counts: [3, 3, 2] })).toThrow(/three in each direction/);
  expect(build({ counts: [3, 3, 3] })).toThrow(/instead of 3 by 3 by 3/);
  expect(build({ counts: [1000, 1000, 1000] })).toThrow(/more than 16777216/);
  expect(build({ values: Float64Array.from(grid.values, (v, i) => (i === 17 ? Number.NaN : v)) })).toThrow(
    /sample 2, 1, 0 of field 'ball' is not a finite number/,
  );
  expect(build({ values: Float64Array.from(grid.values, (v) => v - 2) })).toThrow(/cut off at its border/);
  expect(build({ values: Float64Array.from(grid.values, (v) => Math.abs(v) + 1) })).toThrow(/no sample inside/);
});
