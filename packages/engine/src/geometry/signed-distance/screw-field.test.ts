/** Bowl, bolt, nut and gear: their formulas at chosen points, slopes by differences, the Lipschitz bound, boxes and masses. */
import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../../../../scripts/long-run.ts';
import { findInconsistentEdge, triangleMass } from '../mesh-mass.ts';
import { createBoltField } from './bolt-field.ts';
import { createBowlField } from './bowl-field.ts';
import { triangulateBowl } from './bowl-surface.ts';
import type { SignedDistanceField } from './field.ts';
import { integrateField } from './field-mass.ts';
import { createGearField, type GearSize } from './gear-field.ts';
import { createNutField } from './nut-field.ts';
import { boundThreadSlope } from './screw-thread.ts';
import { type TracedSurface, traceSurface } from './trace-surface.ts';

const takeTurn = createTurns();

const FIELDS: [string, SignedDistanceField][] = [
  ['bowl', createBowlField(1, 0.4, 0.02)],
  ['shallow bowl', createBowlField(1, -0.6, 0.05)],
  ['bolt', createBoltField(0.26)],
  ['thin bolt', createBoltField(0.03)],
  ['thick bolt', createBoltField(0.7)],
  ['nut', createNutField(0.26)],
  ['narrow nut', createNutField(0.05)],
  ['gear', createGearField({ diameter: 1, teeth: 12, thickness: 0.3, innerDiameter: 0.3, angle: 0.2 })],
  ['gear without a hole', createGearField({ diameter: 0.1, teeth: 40, thickness: 0.02, innerDiameter: 0 })],
];

// equidistributed points of a box larger than that of the field by a half
function* points({ bounds: b }: SignedDistanceField, count: number): Generator<[number, number, number]> {
  for (let n = 1; n <= count; n++) {
    const at = [0.8191725134, 0.6710436067, 0.5497004779].map((step) => ((n * step) % 1) * 1.5 - 0.25);
    yield at.map((u, k) => b[k] + u * (b[k + 3] - b[k])) as [number, number, number];
  }
}

describe.each(FIELDS)('%s', (_, field) => {
  const test = takeTurn();
  test('its gradient is the limit of differences wherever it is continuous', () => {
    const h = 1e-6;
    const g = new Float64Array(3);
    const near = new Float64Array(3);
    let compared = 0;
    for (const p of points(field, takeSamples(2000, 0.2))) {
      expect(field.gradient(g, ...p)).toBe(field.distance(...p));
      for (let k = 0; k < 3; k++) {
        const [above, below] = [1, -1].map((side) => p.map((v, i) => (i === k ? v + side * h : v)) as typeof p);
        field.gradient(near, ...above!);
        const jump = Math.hypot(near[0] - g[0], near[1] - g[1], near[2] - g[2]);
        field.gradient(near, ...below!);
        // a kink lies between
        if (jump + Math.hypot(near[0] - g[0], near[1] - g[1], near[2] - g[2]) > 1e-3) continue;
        compared++;
        // second derivatives are at most about 1/ρ² of the thread, rounding ε/h
        expect(Math.abs((field.distance(...above!) - field.distance(...below!)) / (2 * h) - g[k])).toBeLessThan(1e-7);
      }
    }
    expect(compared).toBeGreaterThan(takeSamples(5000, 0.2));
  });

  test('its slope is at most 1, and it is at least as far as its box', () => {
    const list = [...points(field, takeSamples(1500, 0.3))];
    const values = list.map((p) => field.distance(...p));
    const { bounds: b } = field;
    let nearest = Infinity;
    let steepest = 0;
    list.forEach((p, n) => {
      const away = Math.hypot(...p.map((v, k) => Math.max(b[k] - v, 0, v - b[k + 3])));
      if (away > 0) nearest = Math.min(nearest, values[n]! - away);
      // near ones as well as far ones
      const close = p.map((v, k) => v + 1e-3 * Math.sin(7 * n + k)) as typeof p;
      const step = Math.hypot(close[0] - p[0], close[1] - p[1], close[2] - p[2]);
      steepest = Math.max(steepest, Math.abs(field.distance(...close) - values[n]!) / step);
      for (let m = Math.max(0, n - 40); m < n; m++) {
        const way = Math.hypot(p[0] - list[m]![0], p[1] - list[m]![1], p[2] - list[m]![2]);
        steepest = Math.max(steepest, Math.abs(values[n]! - values[m]!) / way);
      }
    });
    expect(nearest).toBeGreaterThan(-1e-12);
    expect(steepest).toBeLessThan(1 + 1e-9);
    // across the axis as well, where the angle has no value
    for (let a = 0; a < 6; a++) {
      const [x, y] = [1e-9 * Math.cos(a), 1e-9 * Math.sin(a)];
      expect(Math.abs(field.distance(x, y, -0.4) - field.distance(-x, -y, -0.4))).toBeLessThanOrEqual(2e-9 + 1e-15);
    }
  });
});

// as MuJoCo writes them, angle by angle
const fract = (x: number): number => x - Math.floor(x);
const thread = (x: number, y: number, z: number, r: number): number =>
  (Math.hypot(x, y) - r - Math.abs(fract(12 * z - Math.atan2(y, x) / (2 * Math.PI)) - 0.5) / 12) * Math.SQRT1_2;
function head(x: number, y: number, z: number, r: number): number {
  const angle = Math.atan2(y, x);
  const turned = angle - Math.floor((angle * 3) / Math.PI + 0.5) * (Math.PI / 3);
  const side = Math.hypot(x, y) * Math.cos(turned) - 0.5;
  return Math.max(side, Math.abs(z + 0.25) - 0.25, (z + Math.hypot(x, y) - r - 0.22) * Math.SQRT1_2);
}

test('bolt and nut are the formulas of MuJoCo over the slope of the thread, off the axis and in their boxes', () => {
  const r = 0.26;
  const [bolt, nut] = [createBoltField(r), createNutField(r)];
  const slope = boundThreadSlope(r);
  expect(slope).toBeGreaterThan(1);
  expect(slope).toBeLessThan(1.003);
  let compared = 0;
  for (const [x, y, z] of points(bolt, takeSamples(3000, 0.3))) {
    if (Math.hypot(x, y) < r / 2 || Math.abs(x) > 0.5 || Math.abs(y) > 0.57 || z > 0 || z < -1) continue;
    const cone = (z - Math.hypot(x, y) + r) * Math.SQRT1_2;
    const shaft = Math.max(thread(x, y, z, r), Math.abs(z + 0.5) - 0.5, -cone - Math.SQRT1_2);
    expect(slope * bolt.distance(x, y, z)).toBeCloseTo(Math.min(shaft, head(x, y, z, r)), 12);
    compared++;
    if (z < -0.5) continue;
    const hole = Math.min(Math.max(thread(x, y, z, r), -cone - 0.5 * Math.SQRT1_2), -cone - 0.05 * Math.SQRT1_2);
    expect(slope * nut.distance(x, y, z)).toBeCloseTo(Math.max(head(x, y, z, r), -hole), 12);
  }
  expect(compared).toBeGreaterThan(takeSamples(700, 0.3));
});

// flanks and tips where rays meet the gear of MuJoCo 4.0.0 (mj_ray on a geom of mujoco.sdf.gear, to 1e-7 m)
test.each<[GearSize, number[][]]>([
  [
    { diameter: 2.8, teeth: 25, thickness: 0.2 },
    [
      [-0.923122835, -0.94591226, -0.036834126],
      [-1.146295888, -0.919958858, 0.069611588],
      [1.368494646, 0.398639178, -0.060114676],
      [-1.159327824, 0.796941263, 0.062443896],
    ],
  ],
  [
    { diameter: 1, teeth: 12, thickness: 0.3, innerDiameter: 0.3, angle: 0.2 },
    [
      [0.287906643, -0.382621596, -0.111939462],
      [0.295274941, -0.451719176, 0.009950693],
      [-0.088435742, -0.453392185, 0.036110226],
      [-0.454658042, -0.295187859, -0.042751346],
    ],
  ],
  [
    { diameter: 2, teeth: 40, thickness: 0.1 },
    [
      [-0.705889631, -0.736317579, -0.018417063],
      [0.614559165, -0.811041798, -0.037313154],
      [0.53642608, -0.85711357, 0.003316898],
      [-0.778160449, -0.669154295, -0.009305796],
    ],
  ],
])('a gear %o has the flanks of MuJoCo', (size, surface) => {
  const gear = createGearField(size);
  for (const [x, y, z] of surface) {
    expect(Math.abs(gear.distance(x, y, z))).toBeLessThan(2e-7);
    // on the flank the other coordinates are free
    expect(Math.abs(gear.distance(x, y, 0))).toBeLessThan(2e-7);
    const turn = (2 * Math.PI) / size.teeth;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    expect(gear.distance(c * x - s * y, s * x + c * y, z)).toBeCloseTo(gear.distance(x, y, z), 12);
  }
  const { diameter: d, teeth, thickness, innerDiameter } = size;
  expect(gear.distance(0.45 * d, 0, thickness / 2 + 0.1)).toBeGreaterThan(0.05);
  const root = d / 2 - (1.2 * d) / teeth;
  const inner = innerDiameter === undefined ? root - 0.14 * d : innerDiameter / 2;
  expect(gear.distance(inner, 0, 0)).toBeCloseTo(0, 12);
  expect(gear.distance(0, (inner + root) / 2, 0)).toBeLessThan(-0.1 * (root - inner));
});

test('points on the surfaces', () => {
  const [bolt, nut, bowl] = [createBoltField(0.26), createNutField(0.26), createBowlField(1, 0.4, 0.02)];
  // flat of the head, tip, crest of the thread: fract(12 z − θ/2π) = 0 at θ = 0, z = −9/12
  expect(bolt.distance(0.5, 0, -0.2)).toBeCloseTo(0, 14);
  expect(bolt.distance(0, 0, -1)).toBeCloseTo(0, 14);
  expect(bolt.distance(0.26 + 1 / 24, 0, -0.75)).toBeCloseTo(0, 14);
  expect(bolt.distance(0.26, 0, -0.75 + 1 / 24)).toBeCloseTo(0, 14);
  expect(nut.distance(0, 0, -0.25)).toBeGreaterThan(0.15);
  expect(nut.distance(0.4, 0, -0.25)).toBeLessThan(-0.05);
  expect(bowl.distance(0, 0, -1)).toBeCloseTo(-0.02, 15);
  expect(bowl.distance(0, 0, 0)).toBeCloseTo(0.98, 15);
  // above the rim
  expect(bowl.distance(Math.sqrt(0.84), 0, 0.5)).toBeCloseTo(0.08, 14);
});

test('a bowl weighs as the wall and half the ring of its rim', () => {
  const [R, h, t] = [1, 0.4, 0.1];
  const wall = (2 * Math.PI * (1 + h / R) * ((R + t) ** 3 - (R - t) ** 3)) / 3;
  // half a disk turned about the axis: its area times the way of its centre, which lies 4t/3π beyond the rim
  const w = Math.sqrt(R * R - h * h);
  const ring = ((Math.PI * t * t) / 2) * 2 * Math.PI * (w - ((4 * t) / (3 * Math.PI)) * (h / R));
  // the error of field-mass.ts: (cell / radius of curvature)², the rim being the sharpest
  expect(integrateField(createBowlField(R, h, t)).mass / (wall + ring)).toBeCloseTo(1, 3);
});

test.each<[string, TracedSurface, SignedDistanceField]>([
  ['bowl', triangulateBowl(1, 0.4, 0.1), createBowlField(1, 0.4, 0.1)],
  ['shallow bowl', triangulateBowl(1, -0.6, 0.1), createBowlField(1, -0.6, 0.1)],
  ['nut', traceSurface(createNutField(0.26)), createNutField(0.26)],
])('the triangles of a %s have their corners on it and hold it', (_, { vertices, triangles }, field) => {
  let worst = 0;
  for (let i = 0; i < vertices.length; i += 3)
    worst = Math.max(worst, Math.abs(field.distance(vertices[i], vertices[i + 1], vertices[i + 2])));
  expect(worst).toBeLessThan(1e-6);
  expect(findInconsistentEdge(triangles, vertices.length / 3)).toBeUndefined();
  // chords of 64 slices and 32 arcs: less by (2π/64)²/6, threads by more
  expect(triangleMass(vertices, triangles, 'exact').mass / integrateField(field).mass).toBeCloseTo(1, 1);
});

test('numbers that describe no solid are refused', () => {
  for (const make of [
    () => createBowlField(1, 1, 0.1),
    () => createBowlField(1, 0, 1),
    () => createBoltField(0),
    () => createNutField(0.46),
    () => createNutField(Number.NaN),
    () => createGearField({ diameter: 1, teeth: 114, thickness: 0.1 }),
    () => createGearField({ diameter: 1, teeth: 12, thickness: 0 }),
    () => createGearField({ diameter: 1, teeth: 12, thickness: 0.1, innerDiameter: 0.9 }),
  ])
    expect(make).toThrow(expect.objectContaining({ code: 'invalid-value' }));
});
