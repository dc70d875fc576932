import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { findNearestOnTriangle, NearestOnTriangle } from '../triangle-distance.ts';
import {
  ADVANCE_DEFAULTS,
  type AdvanceOptions,
  createTimeOfImpact,
  type TimeOfImpact,
} from './conservative-advancement.ts';
import { MovingStencil } from './moving-stencil.ts';
import { createPosePaths, PATH, writePoint } from './pose-path.ts';
import { advanceEdgeEdge, advancePointEdge, advancePointPoint, advancePointTriangle } from './primitive-approach.ts';

type Kind = 'point-triangle' | 'edge-edge' | 'point-edge' | 'point-point';
const ADVANCE = {
  'point-triangle': { run: advancePointTriangle, split: 1, count: 4 },
  'edge-edge': { run: advanceEdgeEdge, split: 2, count: 4 },
  'point-edge': { run: advancePointEdge, split: 1, count: 3 },
  'point-point': { run: advancePointPoint, split: 1, count: 2 },
} as const;
/** Ends with a thousandth of the gap. */
const FINE = { ...ADVANCE_DEFAULTS, fraction: 0.999, rest: 1e-3 };

// distances by other means than those of the queries: a triangle region by region, an edge by its ends and its inside

function pointToEdge(p: number[], a: number[], b: number[]): number {
  const e = b.map((x, k) => x - a[k]);
  const square = e.reduce((sum, x) => sum + x * x, 0);
  const along = e.reduce((sum, x, k) => sum + x * (p[k] - a[k]), 0);
  const s = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
  return Math.hypot(...p.map((x, k) => x - a[k] - s * e[k]));
}

function edgeToEdge(a: number[], b: number[], c: number[], d: number[]): number {
  let least = Math.min(pointToEdge(a, c, d), pointToEdge(b, c, d), pointToEdge(c, a, b), pointToEdge(d, a, b));
  const u = b.map((x, k) => x - a[k]);
  const v = d.map((x, k) => x - c[k]);
  const w = a.map((x, k) => x - c[k]);
  const dot = (x: number[], y: number[]): number => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const det = dot(u, u) * dot(v, v) - dot(u, v) ** 2;
  if (det > 1e-12 * dot(u, u) * dot(v, v)) {
    const s = (dot(u, v) * dot(v, w) - dot(v, v) * dot(u, w)) / det;
    const t = (dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / det;
    if (s > 0 && s < 1 && t > 0 && t < 1)
      least = Math.min(least, Math.hypot(...w.map((x, k) => x + s * u[k] - t * v[k])));
  }
  return least;
}

function distanceAt(kind: Kind, stencil: MovingStencil, t: number): number {
  const { split, count } = ADVANCE[kind];
  const points = Array.from({ length: count }, (_, i) => {
    const out = new Float64Array(3);
    const body = stencil.own?.[i] ?? (i < split ? stencil.a : stencil.b);
    writePoint(out, 0, stencil.paths, body, stencil.local, 3 * i, t);
    return [...out];
  });
  if (kind === 'point-point') return Math.hypot(...points[0].map((x, k) => x - points[1][k]));
  if (kind === 'point-edge') return pointToEdge(points[0], points[1], points[2]);
  if (kind === 'edge-edge') return edgeToEdge(points[0], points[1], points[2], points[3]);
  const [x, y, z] = points[0];
  return Math.sqrt(
    findNearestOnTriangle(new NearestOnTriangle(), Float64Array.from(points.slice(1).flat()), 0, x, y, z),
  );
}

/** What n samples say: the least distance, and the first of them that is not above the separation. */
function sample(kind: Kind, stencil: MovingStencil, separation: number, n: number): { least: number; first: number } {
  let least = Infinity;
  let first = Infinity;
  for (let k = 0; k <= n; k++) {
    const d = distanceAt(kind, stencil, k / n);
    if (d <= separation) first = Math.min(first, k / n);
    least = Math.min(least, d);
  }
  return { least, first };
}

const stencil = new MovingStencil();
const out = createTimeOfImpact();

function solve(kind: Kind, separation = 0, options: AdvanceOptions = ADVANCE_DEFAULTS): TimeOfImpact {
  const isLimited = ADVANCE[kind].run(out, stencil, separation, options);
  expect(isLimited).toBe(out.status !== 'free');
  return { ...out };
}

/** Points that go straight, each on its own, from where they start to where they end. */
function moveStraight(start: number[][], end: number[][]): void {
  stencil.paths = createPosePaths(start.length);
  stencil.own = Int32Array.from(start.keys());
  stencil.local.fill(0);
  for (const [i, point] of start.entries()) {
    for (let k = 0; k < 3; k++) {
      stencil.paths[PATH.stride * i + PATH.position + k] = point[k] ?? 0;
      stencil.paths[PATH.stride * i + PATH.displacement + k] = (end[i][k] ?? 0) - (point[k] ?? 0);
    }
  }
}

/** Body 0 stands still, body 1 turns by `turn` about its origin, which is that of the world. */
function turnSecond(points: number[][], turn: number[]): void {
  stencil.paths = createPosePaths(2);
  stencil.own = undefined;
  stencil.a = 0;
  stencil.b = 1;
  stencil.paths.set(turn, PATH.stride + PATH.turn);
  stencil.local.set(points.flat());
}

describe('points that go straight', () => {
  test.each([0, 1e-6, 1e-4, 1e-2])('two points meet head-on, apart by %d', (separation) => {
    moveStraight(
      [
        [0, 0, 0],
        [1, 1, 0],
      ],
      [
        [1, 1, 1],
        [0, 0, 1],
      ],
    );
    const { status, time } = solve('point-point', separation, FINE);
    const impact = 0.5 - separation / Math.sqrt(8);
    expect(status).toBe('hit');
    expect(time).toBeLessThanOrEqual(impact);
    expect(time).toBeGreaterThan(impact - 1e-3);
  });

  // start and end of the point and of the two ends of the edge, and the time of impact
  const edges: [string, number[][], number[][], number | null][] = [
    [
      'edge loses its length before',
      [
        [0, 1],
        [-1, 0],
        [1, 0],
      ],
      [
        [0, -1],
        [3, 0],
        [-3, 0],
      ],
      0.5,
    ],
    [
      'edge loses its length after',
      [
        [0, 1],
        [-1, 0],
        [1, 0],
      ],
      [
        [0, -1],
        [0.5, 0],
        [-0.5, 0],
      ],
      0.5,
    ],
    [
      'towards each other',
      [
        [-1, 0],
        [1, -1],
        [1, 1],
      ],
      [
        [1, 0],
        [-1, -1],
        [-1, 1],
      ],
      0.5,
    ],
    [
      'along the line of the edge',
      [
        [0, 0],
        [0, 1],
        [0, 2],
      ],
      [
        [0, 2],
        [0, 1],
        [0, 2],
      ],
      0.5,
    ],
    [
      'side by side',
      [
        [0, 1],
        [1, 0],
        [1, 2],
      ],
      [
        [0, 2],
        [1, 1],
        [1, 3],
      ],
      null,
    ],
    [
      'stretching edge, at the end of the path',
      [
        [0, 0],
        [1, 1],
        [1, -1],
      ],
      [
        [1, 0],
        [1, 2],
        [1, -2],
      ],
      1,
    ],
    [
      'on an end of the edge',
      [
        [1.11111, 0.5],
        [1, 0.5],
        [1, 0.75],
      ],
      [
        [0.888889, 0.5],
        [1, 0.5],
        [1, 0.75],
      ],
      0.5,
    ],
    [
      'twice',
      [
        [0, 0.5],
        [-1, 0],
        [1, 0],
      ],
      [
        [0, -0.5],
        [0.6730970740318298, 0.8025388419628143],
        [-0.616142749786377, -0.6420311331748962],
      ],
      0.4482900963,
    ],
  ];
  test.each(edges)('point and edge: %s', (_, start, end, impact) => {
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
    ]) {
      moveStraight(
        order.map((i) => start[i]),
        order.map((i) => end[i]),
      );
      for (const options of [ADVANCE_DEFAULTS, FINE]) {
        const { status, time } = solve('point-edge', 0, options);
        expect(status).toBe(impact === null ? 'free' : 'hit');
        if (impact === null) continue;
        // 1.11111 and 0.888889 are rounded: the sixth digit
        expect(time).toBeLessThanOrEqual(impact + 1e-5);
        if (options === FINE) expect(time).toBeGreaterThan(impact - 1e-2);
      }
    }
  });

  test.each([1 + 1e-6, 2, 4])('point and edge at right angles, closing at %d', (speed) => {
    for (let j = 0; j <= 4; j++) {
      for (const dx of [0.5, 0, -0.5]) {
        const rise = ((j - 1) * speed) / 2;
        const end = [
          [0, 1 - ((3 - j) * speed) / 2],
          [-1 - dx, rise],
          [1 + dx, rise],
        ];
        moveStraight(
          [
            [0, 1],
            [-1, 0],
            [1, 0],
          ],
          end,
        );
        const { status, time } = solve('point-edge', 0, FINE);
        expect(status).toBe('hit');
        expect(time).toBeLessThanOrEqual(1 / speed);
        expect(time).toBeGreaterThan(1 / speed - 2e-3);
      }
    }
  });

  const single = 2 ** -23;
  test('point and triangle: a hit where −u₀ + u₁ ≥ 1 and the point is over it', () => {
    for (const v0z of [0, -1]) {
      for (const u0y of [1, 0, -0.5 + single, -0.5, -0.5 - single, -1, -2]) {
        for (const u0z of [-single, 0, single]) {
          for (const u1y of [-1, 0, 0.5 - single, 0.5, 0.5 + single, 1, 2]) {
            moveStraight(
              [
                [0, 1, v0z],
                [-1, 0, 1],
                [1, 0, 1],
                [0, 0, -1],
              ],
              [
                [0, 1 + u0y, v0z + u0z],
                [-1, u1y, 1],
                [1, u1y, 1],
                [0, u1y, -1],
              ],
            );
            const { status, time } = solve('point-triangle');
            // the point may pass the corner at a height, in which case the hit is at another place: only the page's cases
            const closing = u1y - u0y;
            const isHit = closing >= 1 && v0z + u0z >= -1;
            if (isHit) expect(status).toBe('hit');
            if (isHit) expect(time).toBeLessThanOrEqual(1 / closing);
            // a miss by more than a tenth of the first gap is no hit
            if (closing < 0.89) expect(status).toBe('free');
          }
        }
      }
    }
  });

  test('triangle that folds over on its way', () => {
    moveStraight(
      [
        [0.1, 0.1, 0.1],
        [0, 0, 1],
        [1, 0, 1],
        [0, 1, 1],
      ],
      [
        [0.1, 0.1, 0.1],
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
      ],
    );
    const { status, time } = solve('point-triangle', 0, FINE);
    expect(status).toBe('hit');
    expect(time).toBeLessThanOrEqual(0.9);
    expect(time).toBeGreaterThan(0.89);
  });

  test.each([-single, 0, single])('point beside or in the triangle at the start, at %d', (y) => {
    moveStraight(
      [
        [0, y, 0],
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
      ],
      [
        [0, y, 0],
        [0, 0, 1],
        [0, 1, 1],
        [1, 0, 1],
      ],
    );
    const { status, time } = solve('point-triangle');
    expect(status).toBe(y < 0 ? 'free' : 'hit');
    expect(time).toBe(y < 0 ? 1 : 0);
  });

  test('a point that goes along with a triangle nearby is free, not a hit at 0', () => {
    moveStraight(
      [
        [0.0133653, 0.100651, -0.0215935],
        [0.0100485, 0.0950896, -0.0171013],
        [0.0130388, 0.100666, -0.0218112],
        [0.015413, 0.100554, -0.0202265],
      ],
      [
        [0.0133652999767858, 0.099670000268615, -0.0215934999996444],
        [0.0100484999799995, 0.0941086002577558, -0.0171012999972189],
        [0.0130387999724314, 0.0996850002629403, -0.0218111999936902],
        [0.0154129999740718, 0.0995730002646605, -0.020226499996014],
      ],
    );
    const { status, iterations } = solve('point-triangle');
    expect(status).toBe('free');
    expect(iterations).toBe(1);
  });

  test('edges with two times of contact: the first counts', () => {
    moveStraight(
      [
        [-3.00222, 0.236258, 0.0165247],
        [-3.234785, 0.831238, -0.1151003],
        [-3.03199, 0.314875, 0],
        [-2.85488, 0.0900349, 0],
      ],
      [
        [-2.89956, 0.0345838, 0.063858],
        [-3.171693, 0.6104858, -0.071334],
        [-3.03199, 0.314875, 0],
        [-2.85488, 0.0900349, 0],
      ],
    );
    expect(solve('edge-edge').status).toBe('hit');
    // a crosses b at (1 ± √0.6)/2 of the full way, of which a part is gone
    for (const part of [0.5, 0.8, 0.88, 0.9, 1]) {
      moveStraight(
        [
          [0, 0, 1],
          [0, 1, 1],
          [0.1, 0.2, 2],
          [0.1, 0.2, -1],
        ],
        [
          [part, part, 1 - part],
          [0, 1 - part, 1 - part],
          [0.1, 0.2, 2],
          [0.1, 0.2, -1],
        ],
      );
      const impact = (1 - Math.sqrt(0.6)) / 2 / part;
      const { status, time } = solve('edge-edge', 0, FINE);
      expect(status).toBe('hit');
      expect(time).toBeLessThanOrEqual(impact);
      expect(time).toBeGreaterThan(impact - 2e-3);
    }
  });

  test('edges that are nearly in one plane, or nearly parallel', () => {
    moveStraight(
      [
        [1, 0.50803125, 0],
        [0, 0.50803125, 1],
        [-5e-7, 0.5, 0],
        [-5e-7, 0.5, 1],
      ],
      [
        [1, 0.47124375, 0],
        [0, 0.47124375, 1],
        [-5e-7, 0.5, 0],
        [-5e-7, 0.5, 1],
      ],
    );
    const first = solve('edge-edge');
    expect(first.status).toBe('hit');
    expect(first.time).toBeLessThan(0.00803125 / 0.0367875);
    moveStraight(
      [
        [1.00002232466453, 0.500004786049044, -2.06727783590977e-5],
        [1.64687846177844e-5, 0.499996645067319, 1.63939999009028e-5],
        [1, 0.5, 0],
        [0, 0.5, 0],
      ],
      [
        [1.00294282700155, 0.498652627047143, 0.003626320742036],
        [-0.00219276550735626, 0.500871179186644, -0.00315828804921928],
        [1, 0.5, 0],
        [0, 0.5, 0],
      ],
    );
    const end = 2.8076171875e-3;
    const second = solve('edge-edge', 0, { ...ADVANCE_DEFAULTS, end });
    const start = distanceAt('edge-edge', stencil, 0);
    let least = Infinity;
    for (let k = 0; k <= 1000; k++) least = Math.min(least, distanceAt('edge-edge', stencil, (end * k) / 1000));
    // reported where less than a tenth of the distance is left
    expect(second.status).toBe(least < 0.1 * start ? 'hit' : 'free');
  });

  test.each([1e-2, 1e-4, 1e-6, 1e-8])('edges %d apart that close and stretch: stretching costs nothing', (d) => {
    const s = 1e-3;
    moveStraight(
      [
        [-1, -d / 2, 0],
        [1, -d / 2, 0],
        [0, d / 2, -1],
        [0, d / 2, 1],
      ],
      [
        [-1 - s, d / 2, -s],
        [1 + s, d / 2, s],
        [s, -d / 2, -1 + s],
        [-s, -d / 2, 1 - s],
      ],
    );
    const { status, time, iterations } = solve('edge-edge');
    expect(status).toBe('hit');
    expect(time).toBeLessThan(0.5);
    expect(time).toBeGreaterThan(0.4);
    // the plain bound takes 2, 36, 3618 and 361816
    expect(iterations).toBeLessThanOrEqual(3);
  });
});

describe('bodies that turn', () => {
  // a point of a, which stands still, and what b has; its turn; the time of impact
  const cases: [string, Kind, number[][], number[], number][] = [
    [
      'point to point',
      'point-point',
      [
        [0, 1, 0],
        [1, 0, 0],
      ],
      [0, 0, Math.PI],
      0.5,
    ],
    [
      'edge by π, ends swapped, to a point',
      'point-edge',
      [
        [0, 0.5, 0],
        [-1, 0, 0],
        [1, 0, 0],
      ],
      [0, 0, Math.PI],
      0.5,
    ],
    [
      'edge by 2π to a point',
      'point-edge',
      [
        [0, 0.5, 0],
        [-1, 0, 0],
        [1, 0, 0],
      ],
      [0, 0, 2 * Math.PI],
      0.25,
    ],
    [
      'edge by 2π to an edge',
      'edge-edge',
      [
        [-1, 0.5, 0],
        [1, 0.5, 0],
        [-1, 0, 0],
        [1, 0, 0],
      ],
      [0, 0, 2 * Math.PI],
      30 / 360,
    ],
    [
      'triangle by π, corner inside',
      'point-triangle',
      [
        [0, 0.5, 0],
        [1, 0, 0],
        [-0.1, 0, 1],
        [-0.1, 0, -1],
      ],
      [0, 0, Math.PI],
      0.5,
    ],
    [
      'triangle by π, on its edge',
      'point-triangle',
      [
        [0, 0.5, 0],
        [1, 0, 0],
        [0, 0, 1],
        [0, 0, -1],
      ],
      [0, 0, Math.PI],
      0.5,
    ],
    [
      'triangle by π, beside the axis',
      'point-triangle',
      [
        [0, 0.5, 0],
        [1, 0, 0],
        [0.1, 0, 1],
        [0.1, 0, -1],
      ],
      [0, 0, Math.PI],
      0.5,
    ],
  ];
  test.each(cases)('%s', (_, kind, points, turn, impact) => {
    turnSecond(points, turn);
    const fine = solve(kind, 0, FINE);
    expect(fine.status).toBe('hit');
    expect(fine.time).toBeLessThanOrEqual(impact);
    expect(fine.time).toBeGreaterThanOrEqual(impact - 1e-2);
    const coarse = solve(kind);
    expect(coarse.status).toBe('hit');
    expect(coarse.time).toBeLessThanOrEqual(impact);
    expect(coarse.iterations).toBeLessThan(30);
  });

  test('edge to a point at 30 degrees: (1/6) π/θ', () => {
    for (const theta of [0.6, Math.PI, 2 * Math.PI, 9]) {
      turnSecond(
        [
          [0.5 * Math.cos(Math.PI / 6), 0.25, 0],
          [0, 0, 0],
          [1, 0, 0],
        ],
        [0, 0, theta],
      );
      const impact = Math.PI / 6 / theta;
      const { status, time } = solve('point-edge', 0, FINE);
      expect(status).toBe('hit');
      expect(time).toBeLessThanOrEqual(impact);
      expect(time).toBeGreaterThan(impact - 2e-3);
    }
  });

  test('a capsule is an edge with a radius: it touches a sphere when the sum of the radii is left', () => {
    turnSecond(
      [
        [0, 0.5, 0],
        [-1, 0, 0],
        [1, 0, 0],
      ],
      [0, 0, Math.PI],
    );
    // the distance of (0, ½) from the line at angle α is ½ cos α
    const impact = Math.acos(0.3 / 0.5) / Math.PI;
    const { status, time, distance } = solve('point-edge', 0.1 + 0.2, FINE);
    expect(status).toBe('hit');
    expect(time).toBeLessThanOrEqual(impact);
    expect(time).toBeGreaterThan(impact - 1e-3);
    expect(distance).toBeGreaterThan(0.3);
  });
});

describe('random paths: safe, and hits only where there is something to hit', () => {
  const kinds = Object.keys(ADVANCE) as Kind[];
  test.each(kinds)('%s', (kind) => {
    const random = createRandom(7);
    const draw = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random() - 1));
    const counts = { free: 0, hit: 0, capped: 0 };
    let iterations = 0;
    let most = 0;
    const paths = takeSamples(400, 0.15);
    for (let n = 0; n < paths; n++) {
      stencil.paths = createPosePaths(4);
      stencil.own = n % 4 === 3 ? Int32Array.of(0, 1, 2, 3) : undefined;
      stencil.a = 0;
      stencil.b = 1;
      for (let i = 0; i < 4; i++) {
        const o = PATH.stride * i;
        const isSecond = stencil.own === undefined ? i === 1 : i >= ADVANCE[kind].split;
        stencil.paths.set(
          draw(0.2).map((x) => x + (isSecond ? 1 : 0)),
          o + PATH.position,
        );
        stencil.paths.set(
          draw(0.5).map((x) => x - (isSecond ? 1 : 0)),
          o + PATH.displacement,
        );
        stencil.paths.set(draw(n % 2 === 0 ? 0.5 : 5), o + PATH.turn);
        if (n % 3 === 0) stencil.paths.set(draw(2), o + PATH.lead);
      }
      stencil.local.set([...draw(1), ...draw(1), ...draw(1), ...draw(1)]);
      const separation = n % 2 === 0 ? 0 : 0.05;
      const start = distanceAt(kind, stencil, 0);
      const { status, time, distance, ...rest } = solve(kind, separation);
      counts[status]++;
      iterations += rest.iterations;
      most = Math.max(most, rest.iterations);
      const { least, first } = sample(kind, stencil, separation, 500);
      if (!(start > separation + 1e-9)) {
        expect(time).toBe(0);
        continue;
      }
      // never later than a time at which they are known to be too near, and apart when it says so
      expect(time).toBeLessThan(first);
      expect(distanceAt(kind, stencil, time)).toBeGreaterThan(separation);
      if (status !== 'free') expect(time).toBeGreaterThan(0);
      if (status !== 'free') expect(distance).toBeLessThanOrEqual(distanceAt(kind, stencil, time) + 1e-12);
      if (status === 'free') expect(least).toBeGreaterThan(separation);
      // no hit where more than a tenth of the gap is left always (and a bit, for the times between samples)
      else expect(least - separation).toBeLessThan(0.1 * (start - separation) + 0.02);
      // from the time returned it goes on
      if (status === 'hit') {
        const again = solve(kind, separation, { ...ADVANCE_DEFAULTS, start: time });
        expect(again.time).toBeGreaterThan(time);
        expect(again.time).toBeLessThan(first);
      }
    }
    expect(counts.capped).toBe(0);
    expect(counts.free).toBeGreaterThan(0.125 * paths);
    expect(counts.hit).toBeGreaterThan(kind === 'point-point' ? 0 : 0.075 * paths);
    expect(iterations / paths).toBeLessThan(6);
    expect(most).toBeLessThan(100);
  });
});

describe('what is measured is proven: never above the true distance, and not far below it', () => {
  const random = createRandom(17);
  const draw = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random() - 1));
  /** Both bodies at one random pose: distances stay, coordinates get rounded. */
  const place = (points: number[][]): void => {
    stencil.paths = createPosePaths(2);
    stencil.own = undefined;
    const [position, lead] = [draw(1), draw(2)];
    for (const o of [0, PATH.stride]) {
      stencil.paths.set(position, o + PATH.position);
      stencil.paths.set(lead, o + PATH.lead);
    }
    stencil.local.set(points.flat());
  };

  test.each([1e-1, 1e-3, 1e-6, 1e-8, 1e-10, 0])('edges that cross under an angle of %d', (angle) => {
    for (const d of [1, 1e-2, 1e-4, 1e-6, 1e-8]) {
      for (let n = 0; n < 40; n++) {
        const [s, t] = [0.2 + 0.6 * random(), 0.2 + 0.6 * random()];
        const [c, q] = [Math.cos(angle), Math.sin(angle)];
        place([
          [-s, 0, d],
          [1 - s, 0, d],
          [-t * c, -t * q, 0],
          [(1 - t) * c, (1 - t) * q, 0],
        ]);
        const { distance } = solve('edge-edge', 0, { ...ADVANCE_DEFAULTS, end: 0 });
        // coordinates are known to 1e-15, the direction to that over the angle or the distance: at 1e-8 m this begins to cost
        expect(distance).toBeLessThan(d + 2e-15);
        expect(distance).toBeGreaterThan(d > 1e-8 ? 0.999 * d - 1e-12 : 0.8 * d);
      }
    }
  });

  test('points over faces, edges and corners of triangles, also thin ones', () => {
    for (const height of [1, 1e-3, 1e-6]) {
      for (const d of [1, 1e-2, 1e-4, 1e-6]) {
        for (let n = 0; n < 40; n++) {
          const triangle = [
            [0, 0, 0],
            [1, 0, 0],
            [random(), height, 0],
          ];
          const inside = 0.3 * triangle[0][0] + 0.3 * triangle[1][0] + 0.4 * triangle[2][0];
          const point = [
            [inside, 0.4 * height, d],
            [0.5, -d, 0],
            [-d, 0, 0],
          ][n % 3];
          place([point, ...triangle]);
          const { distance } = solve('point-triangle', 0, { ...ADVANCE_DEFAULTS, end: 0 });
          expect(distance).toBeLessThan(d + 2e-15);
          expect(distance).toBeGreaterThan(0.999 * d - 1e-12);
        }
      }
    }
  });
});
