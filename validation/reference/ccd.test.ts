/**
 * Recorded queries of rotating edges, points and triangles on curved paths, most of them near misses, with reference times of
 * impact. Wanted: never later than the reference, no hit where there is none unless nearer than stated, and from the time
 * returned the query goes on.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ADVANCE_DEFAULTS,
  type AdvanceOptions,
  type Approach,
  advance,
  createTimeOfImpact,
  type TimeOfImpact,
} from '../../packages/engine/src/geometry/motion/conservative-advancement.ts';
import { MovingStencil } from '../../packages/engine/src/geometry/motion/moving-stencil.ts';
import { boundApproach, createPosePaths, PATH } from '../../packages/engine/src/geometry/motion/pose-path.ts';
import { advanceEdgeEdge, advancePointTriangle } from '../../packages/engine/src/geometry/motion/primitive-approach.ts';
import { REFERENCE } from '../oracle/shared-data.ts';

interface Pose {
  position: number[];
  rotation: number[];
}

interface Side {
  points: number[][];
  pose0: Pose;
  pose1: Pose;
}

interface Query {
  name: string;
  kind: 'edge-edge' | 'face-vertex';
  a: Side;
  b: Side;
  distance0: number;
  pathBound: number;
  impact: number | null;
  sampledMinimum: { distance: number; time: number };
}

const FILE = join(REFERENCE, 'ccd/rigid-queries.jsonl');
const queries: Query[] = existsSync(FILE)
  ? readFileSync(FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Query)
  : [];

const stencil = new MovingStencil();
stencil.paths = createPosePaths(2);
stencil.a = 0;
stencil.b = 1;
const out = createTimeOfImpact();

/** The point of a query of a face and a vertex comes first, as body 0. */
function fill(query: Query): void {
  const sides = query.kind === 'face-vertex' ? [query.b, query.a] : [query.a, query.b];
  for (const [i, { pose0, pose1 }] of sides.entries()) {
    const o = PATH.stride * i;
    for (let k = 0; k < 3; k++) {
      stencil.paths[o + PATH.position + k] = pose0.position[k];
      stencil.paths[o + PATH.displacement + k] = pose1.position[k] - pose0.position[k];
      stencil.paths[o + PATH.lead + k] = pose0.rotation[k];
      stencil.paths[o + PATH.turn + k] = pose1.rotation[k] - pose0.rotation[k];
    }
  }
  stencil.local.set(sides.flatMap((side) => side.points.flat()));
}

function solve(query: Query, options: Partial<AdvanceOptions> = {}, separation = 0): TimeOfImpact {
  fill(query);
  const run = query.kind === 'face-vertex' ? advancePointTriangle : advanceEdgeEdge;
  run(out, stencil, separation, { ...ADVANCE_DEFAULTS, ...options });
  return { ...out };
}

const measure = (query: Query, t: number): number => solve(query, { start: t, end: t }).distance;

describe.skipIf(queries.length === 0)('reference/ccd beside the repository', () => {
  test('202 queries, 7 with an impact; distances at the start and bounds as recorded', () => {
    expect(queries.length).toBe(202);
    expect(queries.filter((query) => query.impact !== null).length).toBe(7);
    for (const query of queries) {
      const distance = measure(query, 0);
      // a proven distance is below the true one, by rounding of coordinates of a few metres
      expect(distance).toBeLessThanOrEqual(query.distance0 + 1e-14);
      expect(distance).toBeGreaterThan(query.distance0 - 1e-6 * query.distance0 - 1e-13);
      const radius = (side: number): number => {
        const split = query.kind === 'face-vertex' ? 1 : 2;
        const points = [0, 1, 2, 3].filter((i) => (side === 0 ? i < split : i >= split));
        return Math.max(...points.map((i) => Math.hypot(...stencil.local.subarray(3 * i, 3 * i + 3))));
      };
      expect(boundApproach(stencil.paths, 0, radius(0), 1, radius(1))).toBeCloseTo(query.pathBound, 10);
    }
  });

  test('never later than the impact, and near to it; free where there is none', () => {
    for (const query of queries) {
      const { status, time, distance } = solve(query);
      if (query.impact === null) {
        // a tenth of the first distance is the tolerance stated
        expect(query.sampledMinimum.distance).toBeGreaterThan(0);
        if (query.sampledMinimum.distance > 0.1 * query.distance0) expect(status, query.name).toBe('free');
        if (status !== 'free') expect(query.sampledMinimum.distance).toBeLessThan(0.1 * query.distance0);
        continue;
      }
      expect(status, query.name).toBe('hit');
      expect(time).toBeGreaterThan(0);
      expect(time).toBeLessThanOrEqual(query.impact);
      expect(distance).toBeGreaterThan(0);
      // to a thousandth of the gap: within a hundredth of the time
      const fine = solve(query, { fraction: 0.999, rest: 1e-3, limit: 10_000 });
      expect(fine.time).toBeLessThanOrEqual(query.impact);
      expect(fine.time).toBeGreaterThan(0.99 * query.impact);
    }
  });

  test('all are free or a hit with a thousandth as the tolerance too: none is near enough for a false hit', () => {
    for (const query of queries) {
      const { status } = solve(query, { fraction: 0.999, rest: 1e-3 });
      expect(status, query.name).toBe(query.impact === null ? 'free' : 'hit');
    }
  });

  test('the same query from the time returned goes on, up to the impact', () => {
    for (const query of queries) {
      if (query.impact === null) continue;
      let time = 0;
      for (let k = 0; k < 4; k++) {
        // the reference calls it an impact when 1e-10 m are left
        const next = solve(query, { start: time }, 1e-10);
        expect(next.time).toBeGreaterThan(time);
        expect(next.time).toBeLessThanOrEqual(query.impact);
        expect(next.distance).toBeGreaterThan(1e-10);
        time = next.time;
      }
      expect(query.impact - time).toBeLessThan(1e-2 * query.impact);
      // and a path that ends where the answer was is free
      expect(solve(query, { end: solve(query).time }).status).toBe('free');
    }
  });

  test('cost: below 32 measurements each, where the plain bound L takes up to thousands', () => {
    const counts = queries.map((query) => solve(query).iterations).sort((x, y) => x - y);
    expect(counts[101]).toBe(1);
    expect(counts[191]).toBeLessThanOrEqual(4);
    expect(counts[201]).toBeLessThan(32);

    // the distance divided by L: as safe, and slower by orders of magnitude where things slide past each other
    const plain: number[] = [];
    for (const query of queries) {
      let last = 0;
      const byBound: Approach = {
        measure(t) {
          last = measure(query, t);
          return last;
        },
        span: (floor) => (last - floor) / query.pathBound,
      };
      const answer = createTimeOfImpact();
      advance(answer, byBound, 0, { ...ADVANCE_DEFAULTS, limit: 20_000 });
      plain.push(answer.iterations);
      if (query.impact === null) expect(answer.status).not.toBe('hit');
      else expect(answer.time).toBeLessThanOrEqual(query.impact);
    }
    const total = (list: number[]): number => list.reduce((sum, x) => sum + x, 0);
    expect(total(plain)).toBeGreaterThan(50 * total(counts));
    // with the plain bound a small cap is reached: reported, and at a time that is safe
    expect(Math.max(...plain)).toBeGreaterThan(ADVANCE_DEFAULTS.limit);
  });

  test('a cap of 2 is reported as such, at a safe time', () => {
    let capped = 0;
    for (const query of queries) {
      const { status, time } = solve(query, { limit: 2 });
      if (status !== 'capped') continue;
      capped++;
      expect(time).toBeGreaterThan(0);
      expect(time).toBeLessThanOrEqual(query.impact ?? 1);
    }
    expect(capped).toBeGreaterThanOrEqual(7);
  });
});
