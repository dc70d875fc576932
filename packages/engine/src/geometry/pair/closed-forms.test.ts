import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { quarterTurns, randomQuaternion, runPair, toMatrix } from '../../testing/pair-poses.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { PairTest } from '../pair-test.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { findClosedForm } from './closed-forms.ts';
import { testPlaneCore } from './plane-core.ts';

const KINDS = Object.values(SHAPE);
// the hull of a cube, of which a plane asks the vertices alone
const hull = {
  vertices: Float64Array.from({ length: 24 }, (_, i) => ((i / 3) & (1 << (i % 3)) ? 0.1 : -0.1)),
  center: new Float64Array(3),
} as ConvexPolyhedron;

describe('table of closed forms', () => {
  test('has fourteen pairs, each under the lower kind', () => {
    const found = KINDS.flatMap((a) => KINDS.filter((b) => findClosedForm(a, b)).map((b) => [a, b]));
    expect(found.length).toBe(14);
    for (const [a, b] of found) expect(a).toBeLessThanOrEqual(b);
    expect(findClosedForm(SHAPE.cylinder, SHAPE.box)).toBeUndefined();
    expect(findClosedForm(SHAPE.box, SHAPE.sphere)).toBeUndefined();
  });

  test('every pair has a closest point and finite numbers: any size from nothing up, any place, near and far', () => {
    const random = createRandom(77);
    const sizes = [0, 1e-300, 1e-9, 0.1, 1, 1e3];
    const places = [0, 1e-300, 1e-16, 1e-9, 0.1, 1, 1e6];
    const pick = (list: readonly number[]) => list[Math.floor(list.length * random())];
    for (const kindA of KINDS) {
      for (const kindB of KINDS) {
        const pair = findClosedForm(kindA, kindB);
        if (!pair) continue;
        for (let i = 0; i < takeSamples(3000, 0.2); i++) {
          const turn = i % 2 ? quarterTurns(random) : randomQuaternion(random);
          const other = i % 3 ? (i % 3 === 1 ? quarterTurns(random) : turn) : randomQuaternion(random);
          const size = [pick(sizes), pick(sizes), pick(sizes)];
          const a = placeShape(kindA, i % 5 ? size.map(() => pick(sizes)) : size, [0, 0, 0], toMatrix(turn), { hull });
          const b = placeShape(kindB, size, [pick(places), pick(places), -pick(places)], toMatrix(other), { hull });
          // runPair itself fails on numbers that are not finite and on normals without unit length
          const contacts = runPair(pair, a, b, Number.POSITIVE_INFINITY);
          if (contacts.length === 0)
            expect.fail(`nothing between kinds ${kindA} and ${kindB}: ${a.size} ${b.size} ${b.position}`);
        }
      }
    }
  });
});

test('the general test of a plane finds the lowest point that the closed forms find', () => {
  const random = createRandom(5);
  for (const kind of [SHAPE.sphere, SHAPE.capsule, SHAPE.ellipsoid, SHAPE.cylinder, SHAPE.box]) {
    const exact = findClosedForm(SHAPE.plane, kind)!;
    for (let i = 0; i < 200; i++) {
      const size = [0.1 + random(), 0.1 + random(), 0.1 + random()];
      const turn = i % 2 ? quarterTurns(random) : randomQuaternion(random);
      const plane = placeShape(SHAPE.plane, [], [0.1, 0.2, 0.3], toMatrix(randomQuaternion(random)));
      const solid = placeShape(kind, size, [random(), random(), random()], toMatrix(turn));
      const lowest = (test: PairTest) => Math.min(...runPair(test, plane, solid, Infinity).map(({ gap }) => gap));
      // where a side lies almost flat its corners stand for it: a cap by twelve of them, 1 − cos 15° inside the rim
      expect(lowest(testPlaneCore)).toBeGreaterThan(lowest(exact) - 1e-12);
      expect(lowest(testPlaneCore)).toBeLessThan(lowest(exact) + (kind === SHAPE.cylinder ? 0.0035 * size[0] : 1e-12));
    }
  }
});
