import { describe, expect, test } from 'vitest';
import { longTest } from '../../../../../scripts/long-run.ts';
import { createOraclePair, loadOracle } from '../../testing/contact-oracle.ts';
import { createRandom } from '../../testing/forest.ts';
import {
  type Contact,
  compareUnordered,
  moveShape,
  randomQuaternion,
  runPair,
  smallTurn,
  surfacePoint,
  toMatrix,
} from '../../testing/pair-poses.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { testPlaneBox } from './plane-box.ts';
import { testPlaneConvex } from './plane-convex.ts';

const mujoco = await loadOracle();

const EVERYWHERE = Number.POSITIVE_INFINITY;
const PLANE = placeShape(SHAPE.plane, [0, 0, 0]);

const boxCorners = (size: number[]) =>
  Array.from({ length: 8 }, (_, n) => size.map((x, k) => (n & (1 << k) ? x : -x))).flat();

/** A regular prism standing on z = −half. */
function prism(sides: number, radius: number, half: number): number[] {
  return Array.from({ length: 2 * sides }, (_, i) => {
    const angle = (2 * Math.PI * (i % sides)) / sides;
    return [radius * Math.cos(angle), radius * Math.sin(angle), i < sides ? -half : half];
  }).flat();
}

function place(vertices: number[], position: number[], turn: number[] = [1, 0, 0, 0]): PlacedShape {
  const n = vertices.length / 3;
  const center = [0, 1, 2].map((k) => vertices.filter((_, i) => i % 3 === k).reduce((x, y) => x + y, 0) / n);
  // faces and edges are not asked for
  const hull = { vertices: Float64Array.from(vertices), center: Float64Array.from(center) } as ConvexPolyhedron;
  return placeShape(SHAPE.convexMesh, [0, 0, 0], position, toMatrix(turn), { hull });
}

const least = (contacts: readonly { gap: number }[]) => Math.min(...contacts.map((contact) => contact.gap));

/** Area of the convex polygon of the contact points, seen along z. */
function supportArea(contacts: readonly Contact[]): number {
  const middle = [0, 1].map((k) => contacts.reduce((sum, c) => sum + c.position[k], 0) / contacts.length);
  const angle = (c: Contact) => Math.atan2(c.position[1] - middle[1], c.position[0] - middle[0]);
  const around = [...contacts].sort((p, q) => angle(p) - angle(q)).map((c) => c.position);
  return around.reduce((sum, p, i) => {
    const q = around[(i + 1) % around.length];
    return sum + 0.5 * (p[0] * q[1] - p[1] * q[0]);
  }, 0);
}

describe('plane and convex mesh', () => {
  longTest('10,000 poses: the deepest vertex as by MuJoCo, every other point a vertex within reach', () => {
    const random = createRandom(21);
    const clouds = [
      boxCorners([0.1, 0.2, 0.3]),
      prism(12, 0.3, 0.1),
      Array.from({ length: 90 }, () => random() - 0.5),
      Array.from({ length: 200 }, () => rotated(random)).flat(),
    ];
    let touching = 0;
    let worst = 0;
    for (const vertices of clouds) {
      for (const reach of [0, 0.1, 100]) {
        const oracle = createOraclePair(
          mujoco,
          { kind: SHAPE.plane, size: [0, 0, 1] },
          { kind: SHAPE.convexMesh, size: [], vertices },
          reach,
        );
        for (let i = 0; i < 834; i++) {
          const position = [random(), random(), 1.2 * (random() - 0.5)];
          const turn = i % 3 ? randomQuaternion(random) : smallTurn(random, 10 ** (-9 * random()));
          const theirs = oracle.collide([0, 0, 0, 1, 0, 0, 0], [...position, ...turn]);
          const ours = runPair(testPlaneConvex, oracle.a, oracle.b, reach);
          expect(ours.length > 0).toBe(theirs.length > 0);
          if (ours.length === 0) continue;
          touching++;
          expect(ours.length).toBeLessThanOrEqual(4);
          expect(new Set(ours.map((contact) => contact.feature)).size).toBe(ours.length);
          worst = Math.max(worst, Math.abs(least(ours) - least(theirs)));
          for (const contact of ours) {
            const { rotation: r, position: p } = oracle.b;
            const v = oracle.b.hull?.vertices.slice(3 * contact.feature, 3 * contact.feature + 3) ?? [];
            const on = surfacePoint(contact, 1);
            for (let k = 0; k < 3; k++) {
              const x = p[k] + r[3 * k] * v[0] + r[3 * k + 1] * v[1] + r[3 * k + 2] * v[2];
              worst = Math.max(worst, Math.abs(x - on[k]));
            }
            worst = Math.max(worst, Math.abs(surfacePoint(contact, -1)[2]));
          }
        }
        oracle.free();
      }
    }
    expect(touching).toBeGreaterThan(3000);
    expect(worst).toBeLessThan(1e-9);
  });

  test('a box as a mesh touches with the corners of the box', () => {
    const random = createRandom(22);
    for (let i = 0; i < 1000; i++) {
      const turn = smallTurn(random, 0.1 * random());
      const position = [random(), random(), 0.3 + 0.02 * (random() - 0.7)];
      const box = placeShape(SHAPE.box, [0.1, 0.2, 0.3], position, toMatrix(turn));
      const ours = runPair(testPlaneConvex, PLANE, place(boxCorners([0.1, 0.2, 0.3]), position, turn), 0);
      const expected = runPair(testPlaneBox, PLANE, box, 0);
      expect(compareUnordered(ours, expected)).toBeLessThan(1e-12);
    }
  });

  test('a prism stands on four points with most of its area and its axis between them', () => {
    const random = createRandom(23);
    for (let sides = 3; sides <= 40; sides++) {
      for (const tilt of [0, 1e-14, 1e-9, 1e-5]) {
        const standing = place(prism(sides, 1, 0.4), [0, 0, 0.4 - 1e-4], tilt ? smallTurn(random, tilt) : undefined);
        const contacts = runPair(testPlaneConvex, PLANE, standing, 0);
        expect(contacts.length).toBe(Math.min(4, sides));
        // the largest quadrilateral in a circle has 2/π of its area; the greedy choice loses little of it
        const area = 0.5 * sides * Math.sin((2 * Math.PI) / sides);
        expect(supportArea(contacts)).toBeGreaterThan(0.55 * area);
        for (const side of [0, 1]) {
          const values = contacts.map((contact) => contact.position[side]);
          expect(Math.min(...values)).toBeLessThan(-0.2);
          expect(Math.max(...values)).toBeGreaterThan(0.2);
        }
      }
    }
  });

  test('a wide brim above the foot is not taken for the support', () => {
    const foot = prism(8, 0.1, 0.3);
    const hat = [...foot.slice(0, 24), ...prism(8, 0.5, 0.3).slice(24)];
    const contacts = runPair(testPlaneConvex, PLANE, place(hat, [0, 0, 0.3]), EVERYWHERE);
    expect(contacts.length).toBe(4);
    for (const contact of contacts) expect(Math.abs(contact.gap)).toBeLessThan(1e-12);
  });

  test('points, lines and flat hulls, tips and edges down', () => {
    const touch = (vertices: number[], turn?: number[]) =>
      runPair(testPlaneConvex, PLANE, place(vertices, [0, 0, 1], turn), EVERYWHERE);
    expect(touch([0, 0, 0]).map((contact) => contact.gap)).toEqual([1]);
    expect(touch([0, 0, 0, 0, 0, 0]).length).toBe(1);
    expect(touch([-1, 0, 0, 1, 0, 0]).map((contact) => contact.gap)).toEqual([1, 1]);
    expect(touch([0, 0, -1, 0, 0, 1]).map((contact) => contact.gap)).toEqual([0]);
    expect(touch([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]).length).toBe(4);
    expect(touch([0, 0, -1, 1, 0, 1, -1, 1, 1, -1, -1, 1]).length).toBe(1);
    // nothing to touch with
    expect(runPair(testPlaneConvex, PLANE, placeShape(SHAPE.convexMesh, [0, 0, 0]), 1)).toEqual([]);
    expect(touch([]).length).toBe(0);
  });

  test('moving the pair changes no gap and no feature', () => {
    const random = createRandom(24);
    const cloud = Array.from({ length: 90 }, () => random() - 0.5);
    for (let i = 0; i < 1000; i++) {
      const b = place(cloud, [random(), random(), random() - 0.5], randomQuaternion(random));
      const before = runPair(testPlaneConvex, PLANE, b, 1);
      const turn = toMatrix(randomQuaternion(random));
      const shift = [random(), random(), random()];
      const after = runPair(testPlaneConvex, moveShape(PLANE, turn, shift), moveShape(b, turn, shift), 1);
      expect(after.map((contact) => contact.feature)).toEqual(before.map((contact) => contact.feature));
      after.forEach((contact, k) => {
        expect(Math.abs(contact.gap - before[k].gap)).toBeLessThan(1e-12);
      });
    }
  });
});

/** A point on the unit sphere. */
function rotated(random: () => number): number[] {
  const matrix = toMatrix(randomQuaternion(random));
  return [0.3 * matrix[0], 0.3 * matrix[3], 0.3 * matrix[6]];
}
