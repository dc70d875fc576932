import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { unrotateByQuaternion } from '../../linear-algebra/pose.ts';
import { createRandom } from '../../testing/box-sets.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import { buildGridField } from '../signed-distance/grid-field.ts';
import { createBoxField, createPlaneField, createTorusField } from '../signed-distance/primitive-field.ts';
import { ADVANCE_DEFAULTS, createTimeOfImpact } from './conservative-advancement.ts';
import { advancePointField, MovingSample, measureFieldReach, type PlacedField } from './field-approach.ts';
import { MovingStencil } from './moving-stencil.ts';
import { advancePointPlane } from './plane-approach.ts';
import { createPosePaths, PATH, writePoint, writePoseAt } from './pose-path.ts';

const FINE = { ...ADVANCE_DEFAULTS, fraction: 0.999, rest: 1e-3 };
const out = createTimeOfImpact();
const random = createRandom(9);
const draw = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random() - 1));

/** The point of body 0 in the frame of body 1 at t. */
function seePoint(paths: Float64Array, local: Float64Array, t: number): Float64Array {
  const point = new Float64Array(3);
  const pose = new Float64Array(7);
  writePoint(point, 0, paths, 0, local, 0, t);
  writePoseAt(pose, 0, paths, 1, t);
  for (let k = 0; k < 3; k++) point[k] -= pose[k];
  unrotateByQuaternion(point, 0, pose, 3, point, 0);
  return point;
}

/** Two bodies; the second stands still, or moves as well. */
function drawPaths(isStill: boolean, hasLead: boolean): Float64Array {
  const paths = createPosePaths(2);
  paths.set([...draw(0.5).slice(0, 2), 1.2 + random()], PATH.position);
  paths.set([...draw(1).slice(0, 2), -2.5 * random()], PATH.displacement);
  paths.set(draw(3), PATH.turn);
  if (hasLead) paths.set(draw(2), PATH.lead);
  if (isStill) return paths;
  paths.set(draw(0.3), PATH.stride + PATH.position);
  paths.set(draw(0.3), PATH.stride + PATH.displacement);
  paths.set(draw(1), PATH.stride + PATH.turn);
  if (hasLead) paths.set(draw(0.5), PATH.stride + PATH.lead);
  return paths;
}

/** Compares with distances at 500 times: the lower bound that a query uses is `scale` (φ − error). */
function expectSafe(distance: (t: number) => number, separation: number, error: number, lipschitz: number): boolean {
  let first = Infinity;
  let least = Infinity;
  for (let k = 0; k <= 500; k++) {
    const d = distance(k / 500);
    least = Math.min(least, d);
    if (d <= separation) first = Math.min(first, k / 500);
  }
  const start = (distance(0) - error) / lipschitz - separation;
  if (!(start > 1e-9)) {
    expect(out.time).toBe(0);
    return false;
  }
  expect(out.time).toBeLessThan(first);
  expect(distance(out.time)).toBeGreaterThan(separation);
  if (out.status === 'free') expect(least).toBeGreaterThan(separation);
  // a tenth of the gap, and what happens between samples
  else expect((least - error) / lipschitz - separation).toBeLessThan(0.1 * start + 0.03);
  expect(out.status).not.toBe('capped');
  return out.status === 'hit';
}

describe('a half-space', () => {
  const stencil = new MovingStencil();
  stencil.a = 0;
  stencil.b = 1;

  test('a corner that swings down: h = 1 − sin(π t)', () => {
    stencil.paths = createPosePaths(2);
    stencil.paths.set([0, 0, 1], PATH.position);
    stencil.paths.set([0, Math.PI, 0], PATH.turn);
    stencil.local.set([1, 0, 0, 5, 5, 0.5, 0, 0, 1]);
    // down to the plane z = ½ at 30 degrees
    expect(advancePointPlane(out, stencil, 0, FINE)).toBe(true);
    expect(out.time).toBeLessThanOrEqual(1 / 6);
    expect(out.time).toBeGreaterThan(1 / 6 - 1e-3);
    // the plane z = 0 is touched at a quarter turn and no sooner
    stencil.local[5] = 0;
    expect(advancePointPlane(out, stencil, 0, FINE)).toBe(true);
    expect(out.time).toBeLessThanOrEqual(0.5);
    expect(out.time).toBeGreaterThan(0.5 - 1.5e-2);
    // below it is not reached: free, in few steps
    stencil.local[5] = -0.01;
    expect(advancePointPlane(out, stencil, 0, ADVANCE_DEFAULTS)).toBe(true);
    stencil.local[5] = -0.2;
    expect(advancePointPlane(out, stencil, 0, ADVANCE_DEFAULTS)).toBe(false);
    expect(out.iterations).toBeLessThan(12);
    // two turns: also the second way, by which the curvature says nothing
    stencil.local[5] = -0.2;
    stencil.paths.set([0, 4 * Math.PI, 0], PATH.turn);
    expect(advancePointPlane(out, stencil, 0, ADVANCE_DEFAULTS)).toBe(false);
  });

  test('a straight fall takes one step', () => {
    stencil.paths = createPosePaths(2);
    stencil.paths.set([0, 0, 2], PATH.position);
    stencil.paths.set([9, 0, -4], PATH.displacement);
    stencil.local.set([0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(advancePointPlane(out, stencil, 0.4, FINE)).toBe(true);
    expect(out.time).toBeCloseTo(0.4 * 0.999, 12);
    expect(out.iterations).toBe(2);
  });

  test.each([
    [true, false],
    [true, true],
    [false, false],
    [false, true],
  ])('random paths, plane still: %s, lead: %s', (isStill, hasLead) => {
    let hits = 0;
    const trials = takeSamples(150, 0.4);
    for (let n = 0; n < trials; n++) {
      stencil.paths = drawPaths(isStill, hasLead);
      const normal = [...draw(0.5).slice(0, 2), 1];
      const length = Math.hypot(...normal);
      stencil.local.set([...draw(0.5), ...draw(0.2), ...normal.map((x) => x / length)]);
      const separation = n % 2 === 0 ? 0 : 0.1;
      advancePointPlane(out, stencil, separation, ADVANCE_DEFAULTS);
      const height = (t: number): number => {
        const p = seePoint(stencil.paths, stencil.local, t);
        return p.reduce((sum, x, k) => sum + (x - stencil.local[3 + k]) * stencil.local[6 + k], 0);
      };
      if (expectSafe(height, separation, 0, 1)) hits++;
    }
    expect(hits).toBeGreaterThan((20 / 150) * trials);
    expect(hits).toBeLessThan((140 / 150) * trials);
  });
});

describe('a signed-distance field', () => {
  const place = (field: SignedDistanceField): PlacedField => {
    const position = Float64Array.of(0.1, -0.2, 0.05);
    const orientation = Float64Array.of(Math.SQRT1_2, 0, Math.SQRT1_2, 0);
    return { field, position, orientation, reach: measureFieldReach(field, position, orientation) };
  };
  /** A sphere of radius ½ as samples: the bounds of error and slope are above 0 and 1. */
  const createGrid = (): SignedDistanceField => {
    const spacing = 0.15;
    const values: number[] = [];
    for (let k = 0; k < 13; k++) {
      for (let j = 0; j < 13; j++) {
        for (let i = 0; i < 13; i++) values.push(Math.hypot(i - 6, j - 6, k - 6) * spacing - 0.5);
      }
    }
    return buildGridField({ origin: [-0.9, -0.9, -0.9], spacing, counts: [13, 13, 13], values });
  };
  const fields: [string, SignedDistanceField][] = [
    ['box', createBoxField(0.3, 0.4, 0.5)],
    ['torus', createTorusField(0.6, 0.2)],
    ['plane', createPlaneField()],
    ['samples of a sphere', createGrid()],
  ];
  const sample = new MovingSample();
  sample.a = 0;
  sample.b = 1;

  test('reach: the farthest corner', () => {
    // the box turns by 90 degrees about y: z becomes x
    expect(place(fields[0][1]).reach).toBeCloseTo(Math.hypot(0.1 + 0.5, 0.2 + 0.4, 0.05 + 0.3), 12);
  });

  test.each(fields)('%s, random paths', (_, field) => {
    sample.target = place(field);
    const { position, orientation } = sample.target;
    let hits = 0;
    const trials = takeSamples(200, 0.3);
    for (let n = 0; n < trials; n++) {
      sample.paths = drawPaths(n % 3 === 0, n % 2 === 0);
      sample.local.set(draw(0.5));
      const separation = n % 4 < 2 ? 0 : 0.05;
      advancePointField(out, sample, separation, ADVANCE_DEFAULTS);
      const distance = (t: number): number => {
        const p = seePoint(sample.paths, sample.local, t);
        for (let k = 0; k < 3; k++) p[k] -= position[k];
        unrotateByQuaternion(p, 0, orientation, 0, p, 0);
        return field.distance(p[0], p[1], p[2]);
      };
      if (expectSafe(distance, separation, field.errorBound, field.lipschitz)) hits++;
    }
    expect(hits).toBeGreaterThan(0.1 * trials);
    expect(hits).toBeLessThan(0.95 * trials);
  });
});
