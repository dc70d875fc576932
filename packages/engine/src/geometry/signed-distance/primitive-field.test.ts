import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { SHAPE } from '../shape-kind.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { createEllipsoidField } from './ellipsoid-field.ts';
import type { SignedDistanceField } from './field.ts';
import {
  createBoxField,
  createCapsuleField,
  createCylinderField,
  createPlaneField,
  createSphereField,
  createTorusField,
} from './primitive-field.ts';

const takeTurn = createTurns();

type Point = [number, number, number];
/** Surface patches over the unit square; outside of it they go on or stop at their border. */
type Patch = (u: number, v: number) => Point;
interface Solid {
  name: string;
  field: SignedDistanceField;
  patches: Patch[];
  isInside(p: Point): boolean;
}

const TAU = 2 * Math.PI;
const clamp = (u: number) => Math.min(1, Math.max(0, u));

function ellipsoid(a: number, b: number, c: number): Solid {
  return {
    name: `ellipsoid ${a} ${b} ${c}`,
    field: createEllipsoidField(a, b, c),
    patches: [
      (u, v) => [
        a * Math.cos(TAU * u) * Math.sin(Math.PI * v),
        b * Math.sin(TAU * u) * Math.sin(Math.PI * v),
        c * Math.cos(Math.PI * v),
      ],
    ],
    isInside: ([x, y, z]) => (x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2 < 1,
  };
}

function box(a: number, b: number, c: number): Solid {
  const s = (u: number) => 2 * clamp(u) - 1;
  return {
    name: `box ${a} ${b} ${c}`,
    field: createBoxField(a, b, c),
    patches: [-1, 1].flatMap((side): Patch[] => [
      (u, v) => [side * a, s(u) * b, s(v) * c],
      (u, v) => [s(u) * a, side * b, s(v) * c],
      (u, v) => [s(u) * a, s(v) * b, side * c],
    ]),
    isInside: ([x, y, z]) => Math.abs(x) < a && Math.abs(y) < b && Math.abs(z) < c,
  };
}

function cylinder(r: number, h: number): Solid {
  return {
    name: `cylinder ${r} ${h}`,
    field: createCylinderField(r, h),
    patches: [
      (u, v) => [r * Math.cos(TAU * u), r * Math.sin(TAU * u), (2 * clamp(v) - 1) * h],
      (u, v) => [clamp(v) * r * Math.cos(TAU * u), clamp(v) * r * Math.sin(TAU * u), h],
      (u, v) => [clamp(v) * r * Math.cos(TAU * u), clamp(v) * r * Math.sin(TAU * u), -h],
    ],
    isInside: ([x, y, z]) => Math.hypot(x, y) < r && Math.abs(z) < h,
  };
}

function capsule(r: number, h: number, field = createCapsuleField(r, h)): Solid {
  const end =
    (side: number): Patch =>
    (u, v) => {
      const [s, c] = [Math.sin((Math.PI / 2) * clamp(v)), Math.cos((Math.PI / 2) * clamp(v))];
      return [r * s * Math.cos(TAU * u), r * s * Math.sin(TAU * u), side * (h + r * c)];
    };
  return {
    name: `capsule ${r} ${h}`,
    field,
    patches: [end(1), end(-1), (u, v) => [r * Math.cos(TAU * u), r * Math.sin(TAU * u), (2 * clamp(v) - 1) * h]],
    isInside: ([x, y, z]) => Math.hypot(x, y, Math.max(Math.abs(z) - h, 0)) < r,
  };
}

function torus(R: number, r: number): Solid {
  return {
    name: `torus ${R} ${r}`,
    field: createTorusField(R, r),
    patches: [
      (u, v) => {
        const q = R + r * Math.cos(TAU * v);
        return [q * Math.cos(TAU * u), q * Math.sin(TAU * u), r * Math.sin(TAU * v)];
      },
    ],
    isInside: ([x, y, z]) => Math.hypot(Math.hypot(x, y) - R, z) < r,
  };
}

const solids = [
  ellipsoid(1, 0.6, 0.3),
  ellipsoid(0.2, 0.2, 1),
  ellipsoid(1, 0.05, 1),
  ellipsoid(0.5, 0.5, 0.5),
  box(1, 0.5, 0.2),
  box(0.3, 0.3, 0.3),
  cylinder(0.5, 0.8),
  cylinder(1, 0.1),
  capsule(0.3, 0.6),
  capsule(0.7, 0, createSphereField(0.7)),
  torus(1, 0.3),
  torus(0.5, 0.45),
];

/** Distance to the surface without formulas: the best points of a lattice on each patch, each followed downhill. */
function bruteDistance(solid: Solid, p: Point): number {
  const n = 24;
  let best = Infinity;
  for (const patch of solid.patches) {
    const at = (u: number, v: number) => {
      const q = patch(u, v);
      return Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
    };
    const starts: [number, number, number][] = [];
    for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) starts.push([at(i / n, j / n), i / n, j / n]);
    starts.sort((a, b) => a[0] - b[0]);
    for (const [start, u0, v0] of starts.slice(0, 4)) {
      let [d, u, v] = [start, u0, v0];
      // compass search, the value converges as the square of the step
      for (let step = 1 / n; step > 1e-8; ) {
        let moved = false;
        for (const [du, dv] of COMPASS) {
          const un = u + step * du;
          const vn = v + step * dv;
          const dn = at(un, vn);
          if (dn < d) {
            [d, u, v, moved] = [dn, un, vn, true];
          }
        }
        if (!moved) step /= 2;
      }
      best = Math.min(best, d);
    }
  }
  return best;
}

const COMPASS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
];

function drawPoint(solid: Solid, random: () => number): Point {
  const { bounds } = solid.field;
  return [0, 1, 2].map((k) => 2 * (bounds[k] + random() * (bounds[3 + k] - bounds[k]))) as Point;
}

describe.each(solids)('$name', (solid) => {
  const test = takeTurn();
  const { field } = solid;
  const out = new Float64Array(3);

  test('the distance is that of a search over the surface to 1e-9, with the sign of the solid', () => {
    const random = createRandom(1);
    for (let i = 0; i < takeSamples(150, 0.3); i++) {
      const p = drawPoint(solid, random);
      const sign = solid.isInside(p) ? -1 : 1;
      expect(Math.abs(field.distance(...p) - sign * bruteDistance(solid, p))).toBeLessThan(1e-9);
    }
  });

  test('the gradient is a unit vector that leads to a surface point with the same normal', () => {
    const random = createRandom(2);
    for (let i = 0; i < takeSamples(2000, 0.2); i++) {
      const p = drawPoint(solid, random);
      const d = field.gradient(out, ...p);
      expect(d).toBe(field.distance(...p));
      expect(Math.abs(Math.hypot(...out) - 1)).toBeLessThan(1e-14);
      // the nearest point: on the surface, so the field falls by the whole distance along the gradient
      expect(Math.abs(field.distance(p[0] - d * out[0], p[1] - d * out[1], p[2] - d * out[2]))).toBeLessThan(1e-14);
    }
  });

  test('the gradient is the slope of the distance', () => {
    const random = createRandom(3);
    const h = 1e-6;
    let compared = 0;
    const trials = takeSamples(500, 0.3);
    for (let i = 0; i < trials; i++) {
      const p = drawPoint(solid, random);
      const slope = [0, 1, 2].map((k) => {
        const [a, b] = [[...p] as Point, [...p] as Point];
        a[k] += h;
        b[k] -= h;
        return (field.distance(...a) - field.distance(...b)) / (2 * h);
      });
      // a stencil across the medial axis has a shorter slope and no gradient
      if (Math.hypot(...slope) < 1 - 1e-4) continue;
      compared++;
      field.gradient(out, ...p);
      for (let k = 0; k < 3; k++) expect(Math.abs(slope[k] - out[k])).toBeLessThan(1e-4);
    }
    expect(compared).toBeGreaterThan(0.98 * trials);
  });

  test('distances of two points differ by no more than the way between them; bounds hold the solid', () => {
    const random = createRandom(4);
    for (let i = 0; i < takeSamples(2000, 0.2); i++) {
      const p = drawPoint(solid, random);
      const q = drawPoint(solid, random);
      const way = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
      expect(Math.abs(field.distance(...p) - field.distance(...q))).toBeLessThanOrEqual(way * (1 + 1e-14));
      const { bounds } = field;
      const away = Math.hypot(...p.map((x, k) => Math.max(bounds[k] - x, x - bounds[3 + k], 0)));
      if (away > 0) expect(field.distance(...p)).toBeGreaterThanOrEqual(away - 1e-15);
    }
  });
});

test('points on the medial axis get a finite distance and one unit gradient', () => {
  const out = new Float64Array(3);
  for (const solid of solids) {
    for (const p of [
      [0, 0, 0],
      [0, 0, 0.01],
      [0.01, 0, 0],
      [0, 1e-200, 0],
      [1e-310, 0, 1e-310],
      [0, 0, 5],
      [-5, 0, 0],
    ] as Point[]) {
      const d = solid.field.gradient(out, ...p);
      expect(d).toBe(solid.field.distance(...p));
      expect(Number.isFinite(d)).toBe(true);
      expect(Math.abs(Math.hypot(...out) - 1)).toBeLessThan(1e-14);
    }
  }
});

test('an ellipsoid near its plane of symmetry keeps its digits', () => {
  // closed form of the height-free case: the foot is x = a² y / (a² − c²), its height from the surface
  const [a, b, c] = [1, 0.5, 0.1];
  const field = createEllipsoidField(a, b, c);
  const [y0, y1] = [0.3, 0.2];
  const x0 = (y0 * a * a) / (a * a - c * c);
  const x1 = (y1 * b * b) / (b * b - c * c);
  const exact = Math.hypot(x0 - y0, x1 - y1, c * Math.sqrt(1 - (x0 / a) ** 2 - (x1 / b) ** 2));
  for (const y2 of [0, 1e-300, 1e-160, 1e-90, 1e-30, 1e-17]) {
    expect(Math.abs(field.distance(y0, y1, y2) + exact)).toBeLessThan(1e-16);
    expect(Math.abs(field.distance(y0, y1, -y2) + exact)).toBeLessThan(1e-16);
  }
});

test('shapes without size are points, segments and plates; none gives NaN', () => {
  const out = new Float64Array(3);
  const kinds = [SHAPE.sphere, SHAPE.capsule, SHAPE.ellipsoid, SHAPE.cylinder, SHAPE.box];
  for (const kind of kinds) {
    const field = SHAPE_TABLE[kind].field!([0, 0, 0]);
    expect(Math.abs(field.gradient(out, 3, 4, 12) - 13)).toBeLessThan(1e-14);
    expect(field.gradient(out, 0, 0, 0)).toBeCloseTo(0, 15);
    expect(Math.abs(Math.hypot(...out) - 1)).toBeLessThan(1e-14);
  }
  expect(Math.abs(createEllipsoidField(1, 1, 0).distance(0, 0, 2) - 2)).toBeLessThan(1e-7);
});

test('a plane is solid below', () => {
  const out = new Float64Array(3);
  expect(createPlaneField().gradient(out, 3, 4, -2)).toBe(-2);
  expect([...out]).toEqual([0, 0, 1]);
});

test('a torus without a hole is refused by name', () => {
  expect(() => createTorusField(0.2, 0.3, "field 'ring'")).toThrow(/field 'ring' has a ring of radius 0.2/);
});
