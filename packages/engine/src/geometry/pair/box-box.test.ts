import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../../../../scripts/long-run.ts';
import { createOraclePair, loadOracle } from '../../testing/contact-oracle.ts';
import { createRandom } from '../../testing/forest.ts';
import {
  type Contact,
  compareUnordered,
  moveShape,
  multiply,
  quarterTurns,
  randomQuaternion,
  rotate,
  runPair,
  smallTurn,
  surfacePoint,
  toMatrix,
} from '../../testing/pair-poses.ts';
import { signedDistance } from '../../testing/primitive-distance.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { testBoxBox } from './box-box.ts';

const takeTurn = createTurns();

const mujoco = await loadOracle();

const EVERYWHERE = Number.POSITIVE_INFINITY;
const SIZES = [
  [
    [0.1, 0.2, 0.3],
    [0.2, 0.15, 0.1],
  ],
  [
    [0.1, 0.1, 0.1],
    [0.1, 0.1, 0.1],
  ],
  [
    [1, 0.01, 1],
    [0.1, 0.3, 0.02],
  ],
];

const MODES = ['any rotation', 'parallel faces', 'nearly parallel faces'] as const;

function randomTurns(random: () => number, mode: (typeof MODES)[number]): [number[], number[]] {
  const turn = randomQuaternion(random);
  if (mode === 'any rotation') return [turn, randomQuaternion(random)];
  const other = multiply(turn, quarterTurns(random));
  return [turn, mode === 'parallel faces' ? other : multiply(other, smallTurn(random, 10 ** (-10 * random())))];
}

const corners = (box: PlacedShape): number[][] =>
  Array.from({ length: 8 }, (_, n) =>
    rotate(
      box.rotation,
      [0, 1, 2].map((k) => (n & (1 << k) ? box.size[k] : -box.size[k])),
    ).map((x, k) => x + box.position[k]),
  );
const dot = (p: readonly number[], q: readonly number[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const axesOf = (box: PlacedShape) => [0, 1, 2].map((k) => [box.rotation[k], box.rotation[k + 3], box.rotation[k + 6]]);

/** Largest separation over the fifteen axes, by projecting all corners. */
function largestSeparation(a: PlacedShape, b: PlacedShape): number {
  const directions = [...axesOf(a), ...axesOf(b)];
  for (const p of axesOf(a)) {
    for (const q of axesOf(b)) {
      const cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
      const length = Math.hypot(...cross);
      if (length > 1e-8) directions.push(cross.map((x) => x / length));
    }
  }
  const [cornersA, cornersB] = [corners(a), corners(b)];
  let largest = Number.NEGATIVE_INFINITY;
  for (const direction of directions) {
    const heightsA = cornersA.map((p) => dot(direction, p));
    const heightsB = cornersB.map((p) => dot(direction, p));
    largest = Math.max(largest, Math.min(...heightsB) - Math.max(...heightsA));
    largest = Math.max(largest, Math.min(...heightsA) - Math.max(...heightsB));
  }
  return largest;
}

/** Distance of separated boxes by all corners against boxes and all edges against edges. */
function bruteDistance(a: PlacedShape, b: PlacedShape): number {
  const [cornersA, cornersB] = [corners(a), corners(b)];
  let least = Math.min(...cornersA.map((p) => signedDistance(b, p)), ...cornersB.map((p) => signedDistance(a, p)));
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 8; k++) {
        for (let l = 0; l < 3; l++) {
          if (i & (1 << j) || k & (1 << l)) continue;
          const p = cornersA[i];
          const q = cornersB[k];
          const d = cornersA[i | (1 << j)].map((x, n) => x - p[n]);
          const e = cornersB[k | (1 << l)].map((x, n) => x - q[n]);
          const w = p.map((x, n) => x - q[n]);
          const det = dot(d, d) * dot(e, e) - dot(d, e) ** 2;
          if (det <= 1e-14 * dot(d, d) * dot(e, e)) continue;
          const s = (dot(d, e) * dot(e, w) - dot(e, e) * dot(d, w)) / det;
          const t = (dot(d, d) * dot(e, w) - dot(d, e) * dot(d, w)) / det;
          // closest points beyond an end belong to a corner
          if (s < 0 || s > 1 || t < 0 || t > 1) continue;
          least = Math.min(least, Math.hypot(...w.map((x, n) => x + s * d[n] - t * e[n])));
        }
      }
    }
  }
  return least;
}

const least = (contacts: readonly Contact[]) => Math.min(...contacts.map((contact) => contact.gap));

describe.each(MODES)('box and box, %s', (mode) => {
  const test = takeTurn();
  test('overlapping as by MuJoCo in every point, apart as by MuJoCo where it states the distance', () => {
    const random = createRandom(mode.length);
    const seen = { face: 0, edge: 0, corner: 0 };
    let worst = 0;
    let kept = 0;
    let total = 0;
    for (const [sizeA, sizeB] of SIZES) {
      for (const reach of [0, 0.02, 100]) {
        const oracle = createOraclePair(
          mujoco,
          { kind: SHAPE.box, size: sizeA },
          { kind: SHAPE.box, size: sizeB },
          reach,
        );
        for (let i = 0; i < takeSamples(1200, 0.15); i++) {
          const [turnA, turnB] = randomTurns(random, mode);
          const place = sizeA.map((x, k) => 1.1 * (x + sizeB[k]) * (2 * random() - 1));
          const theirs = oracle.collide([0, 0, 0, ...turnA], [...place, ...turnB]);
          const ours = runPair(testBoxBox, oracle.a, oracle.b, reach);
          total++;
          if (ours.length > 0) seen[ours[0].feature >= 16384 ? 'corner' : ours[0].feature >= 8192 ? 'edge' : 'face']++;
          const difference = compareUnordered(ours, theirs);
          if (difference < 1e-9) {
            worst = Math.max(worst, difference);
            continue;
          }
          kept++;
          const separation = largestSeparation(oracle.a, oracle.b);
          if (separation > 0) {
            // kept difference 1: the distance, not its lower bound
            const distance = bruteDistance(oracle.a, oracle.b);
            expect(ours.length > 0).toBe(distance <= reach);
            if (ours.length > 0) expect(Math.abs(least(ours) - distance)).toBeLessThan(1e-9);
          } else {
            // kept difference 2: within 1e-6 of the sum of the half edges a face, where MuJoCo takes a pair of edges
            expect(theirs.length).toBe(1);
            expect(ours.length).toBeGreaterThan(1);
            const sum = [...sizeA, ...sizeB].reduce((x, y) => x + y);
            expect(Math.abs(least(ours) - theirs[0].gap)).toBeLessThan(0.05 * Math.abs(theirs[0].gap) + 1e-6 * sum);
          }
        }
        oracle.free();
      }
    }
    expect(worst).toBeLessThan(1e-9);
    expect(kept / total).toBeLessThan(0.03);
    expect(seen.face).toBeGreaterThan(takeSamples(3000, 0.15));
    if (mode === 'any rotation') expect(seen.edge).toBeGreaterThan(takeSamples(1000, 0.15));
    if (mode === 'any rotation') expect(seen.corner).toBeGreaterThan(takeSamples(50, 0.15));
  });

  test('points lie on both surfaces; the least gap is the depth or distance to 5 %; swapping and moving change no gap', () => {
    const random = createRandom(100 + mode.length);
    let worst = 0;
    for (let i = 0; i < takeSamples(3000, 0.2); i++) {
      const [sizeA, sizeB] = SIZES[i % SIZES.length];
      const [turnA, turnB] = randomTurns(random, mode);
      const place = sizeA.map((x, k) => 1.2 * (x + sizeB[k]) * (2 * random() - 1));
      const a = placeShape(SHAPE.box, sizeA, [0, 0, 0], toMatrix(turnA));
      const b = placeShape(SHAPE.box, sizeB, place, toMatrix(turnB));
      const contacts = runPair(testBoxBox, a, b, EVERYWHERE);
      expect(contacts.length).toBeGreaterThan(0);
      expect(contacts.length).toBeLessThanOrEqual(8);
      expect(new Set(contacts.map((contact) => contact.feature)).size).toBe(contacts.length);
      for (const contact of contacts) {
        worst = Math.max(worst, Math.abs(signedDistance(a, surfacePoint(contact, -1))));
        worst = Math.max(worst, Math.abs(signedDistance(b, surfacePoint(contact, 1))));
      }
      const separation = largestSeparation(a, b);
      const exact = separation > 0 ? bruteDistance(a, b) : separation;
      const sum = [...sizeA, ...sizeB].reduce((x, y) => x + y);
      expect(Math.abs(least(contacts) - exact)).toBeLessThanOrEqual(0.05 * Math.abs(exact) + 1e-6 * sum);
      // pairs of edges and corners have no such freedom
      if (contacts[0].feature >= 8192)
        expect(Math.abs(least(contacts) - exact)).toBeLessThan(1e-6 * Math.abs(exact) + 1e-12);
      const swapped = runPair(testBoxBox, b, a, EVERYWHERE);
      expect(Math.abs(least(swapped) - least(contacts))).toBeLessThan(0.05 * Math.abs(exact) + 1e-6 * sum);
      const turn = toMatrix(randomQuaternion(random));
      const moved = runPair(testBoxBox, moveShape(a, turn, place), moveShape(b, turn, place), EVERYWHERE);
      expect(Math.abs(least(moved) - least(contacts))).toBeLessThan(mode === 'parallel faces' ? 1e-8 : 1e-12);
    }
    expect(worst).toBeLessThan(1e-12);
  });
});

describe('special placements', () => {
  const box = (size: number[], place: number[], turn = [1, 0, 0, 0]) =>
    placeShape(SHAPE.box, size, place, toMatrix(turn));
  const cube = [0.1, 0.1, 0.1];

  test('equal boxes in one place part along the first axis, nested ones along the nearest face', () => {
    const same = runPair(testBoxBox, box(cube, [0, 0, 0]), box(cube, [0, 0, 0]), 0);
    expect(same.map((contact) => contact.gap)).toEqual([-0.2, -0.2, -0.2, -0.2]);
    expect(same[0].normal).toEqual([1, 0, 0]);
    const nested = runPair(testBoxBox, box([1, 1, 1], [0, 0, 0]), box(cube, [0, -0.5, 0.2]), 0);
    expect(nested.length).toBe(4);
    expect(nested[0].normal[1]).toBe(-1);
    expect(least(nested)).toBeCloseTo(-0.6, 12);
  });

  test('flush faces at a gap of exactly zero, and one rounding error to either side', () => {
    for (const off of [0, 2 ** -54, -(2 ** -54), 1e-15, -1e-15]) {
      for (const tilt of [0, 1e-17, 1e-12, 1e-9]) {
        const upper = box(cube, [0.007, 0.011, 0.2 + off], [1, tilt, -tilt, 0]);
        const contacts = runPair(testBoxBox, box(cube, [0, 0, 0]), upper, 1e-6);
        expect(contacts.length).toBe(4);
        for (const contact of contacts) expect(contact.normal[2]).toBeCloseTo(1, 12);
      }
    }
  });

  test('eight points where two squares cross at 45°', () => {
    const turn = [Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)];
    const contacts = runPair(testBoxBox, box(cube, [0, 0, 0]), box(cube, [0, 0, 0.199], turn), 0);
    expect(contacts.length).toBe(8);
    for (const { position, gap } of contacts) {
      expect(gap).toBeCloseTo(-0.001, 12);
      expect(Math.hypot(position[0], position[1])).toBeCloseTo(0.1 / Math.cos(Math.PI / 8), 12);
      expect(position[2]).toBeCloseTo(0.0995, 12);
    }
  });

  test('crossed edges, touching corners, and corners apart', () => {
    const q = Math.PI / 8;
    const a = box(cube, [0, 0, 0], [Math.cos(q), Math.sin(q), 0, 0]);
    const b = box(cube, [0, 0, 0.2 * Math.SQRT2 + 0.01], [Math.cos(q), 0, Math.sin(q), 0]);
    const [crossed] = runPair(testBoxBox, a, b, EVERYWHERE);
    expect(crossed.gap).toBeCloseTo(0.01, 12);
    expect(crossed.normal[2]).toBeCloseTo(1, 12);
    expect(crossed.position[2]).toBeCloseTo(0.1 * Math.SQRT2 + 0.005, 12);
    const [apart] = runPair(testBoxBox, box(cube, [0, 0, 0]), box(cube, [0.3, -0.3, 0.3]), EVERYWHERE);
    expect(apart.gap).toBeCloseTo(0.1 * Math.sqrt(3), 12);
    expect(apart.normal[1]).toBeCloseTo(-1 / Math.sqrt(3), 12);
    expect(apart.position.map((x) => Math.round(1e9 * x))).toEqual([150000000, -150000000, 150000000]);
    const touching = runPair(testBoxBox, box(cube, [0, 0, 0]), box(cube, [0.2, 0.2, 0.2]), EVERYWHERE);
    expect(least(touching)).toBeCloseTo(0, 12);
  });

  test('boxes without thickness', () => {
    const flats = [
      [0, 0, 0],
      [0.1, 0, 0],
      [0.1, 0.2, 0],
    ];
    const random = createRandom(9);
    for (const sizeA of flats) {
      for (const sizeB of flats) {
        for (let i = 0; i < takeSamples(200, 0.2); i++) {
          const [turnA, turnB] = randomTurns(random, MODES[i % 3]);
          const place = i % 5 ? [random() - 0.5, random() - 0.5, random() - 0.5] : [0, 0, 0];
          const a = box(sizeA, [0, 0, 0], turnA);
          const b = box(sizeB, place, turnB);
          const contacts = runPair(testBoxBox, a, b, EVERYWHERE);
          const separation = largestSeparation(a, b);
          const exact = separation > 1e-12 ? bruteDistance(a, b) : separation;
          if (contacts.length === 0) expect.fail('no closest point');
          expect(Math.abs(least(contacts) - exact)).toBeLessThanOrEqual(0.05 * Math.abs(exact) + 1e-6);
        }
      }
    }
  });

  test('a small motion keeps the features', () => {
    const random = createRandom(12);
    let changed = 0;
    for (let i = 0; i < takeSamples(1000, 0.3); i++) {
      const [turnA, turnB] = randomTurns(random, MODES[i % 3]);
      const [sizeA, sizeB] = SIZES[i % 2];
      const place = sizeA.map((x, k) => (x + sizeB[k]) * (2 * random() - 1));
      const a = box(sizeA, [0, 0, 0], turnA);
      const before = runPair(testBoxBox, a, box(sizeB, place, turnB), 0.01);
      const after = runPair(
        testBoxBox,
        a,
        box(
          sizeB,
          place.map((x) => x + 1e-9 * random()),
          turnB,
        ),
        0.01,
      );
      if (before.map((c) => c.feature).join() !== after.map((c) => c.feature).join()) changed++;
    }
    // only at the border between two regimes
    expect(changed).toBeLessThan(takeSamples(5, 0.3));
  });
});
