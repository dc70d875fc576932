/** Impulses go from step to step with their contacts; where corners are named anew they keep force and torque. */
import { describe, expect, test } from 'vitest';
import { CARRIER, type ContactSet } from '../../collision/contact-set.ts';
import { Arena } from '../../kernels/arena.ts';
import { CONSTRAINT_LAW, ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import { ConstraintImpulses } from '../../state/constraint-impulses.ts';
import { readImpulses, writeImpulses } from './warm-start.ts';

interface Corner {
  feature: number;
  place: [number, number, number];
  impulse?: [number, number, number];
  pair?: number;
}

const NORMAL_FRAME = [0, 0, 1, 1, 0, 0, 0, 1, 0];
/** Of the world and of the body that lies on it. */
const BODY_POSITION = Float64Array.from([0, 0, 0, 0.3, -0.2, 1]);

function build(corners: readonly Corner[], condim = 3): { problem: ConvexProblem; contacts: ContactSet } {
  const n = corners.length;
  const problem = new ConvexProblem(new Arena());
  const contacts = {
    count: n,
    pair: Float64Array.from(corners, ({ pair }) => pair ?? 7),
    feature: Int32Array.from(corners, ({ feature }) => feature),
    position: Float64Array.from(corners.flatMap(({ place }) => place.map((x, k) => x + BODY_POSITION[3 + k]))),
    frame: Float64Array.from(corners.flatMap(() => NORMAL_FRAME)),
    condim: new Uint8Array(n).fill(condim),
    carrierKind1: new Uint8Array(n).fill(CARRIER.world),
    carrierKind2: new Uint8Array(n).fill(CARRIER.body),
    carrier1: new Int32Array(n),
    carrier2: new Int32Array(n).fill(1),
  } as unknown as ContactSet;
  corners.forEach(({ impulse }, i) => {
    problem.rows.add(3, 0);
    const first = problem.describe(CONSTRAINT_LAW.cone, SOURCE.contact, i);
    for (let k = 0; k < 3; k++) problem.data.force[first + k] = impulse?.[k] ?? Number.NaN;
  });
  return { problem, contacts };
}

/** Impulses of `after`, when a step has ended with `before`. */
function carry(before: readonly Corner[], after: readonly Corner[], condim = 3): number[][] {
  const impulses = new ConstraintImpulses(true);
  const old = build(before, condim);
  writeImpulses(old.problem, old.contacts, impulses, BODY_POSITION);
  const { problem, contacts } = build(after, condim);
  readImpulses(problem, contacts, impulses, BODY_POSITION);
  return after.map((_, i) => [...problem.data.force.subarray(3 * i, 3 * i + 3)]);
}

/** Force and torque, in the axes normal, tangent, tangent = z, x, y. */
function sumWrench(corners: readonly Corner[], impulses: readonly (readonly number[])[]): number[] {
  const wrench = [0, 0, 0, 0, 0, 0];
  corners.forEach(({ place: [x, y, z] }, i) => {
    const [fz, fx, fy] = impulses[i];
    [fx, fy, fz, y * fz - z * fy, z * fx - x * fz, x * fy - y * fx].forEach((value, k) => {
      wrench[k] += value;
    });
  });
  return wrench;
}

const SQUARE: Corner[] = [
  { feature: 1, place: [-0.1, -0.1, 0], impulse: [3, 0.5, -0.2] },
  { feature: 2, place: [0.1, -0.1, 0], impulse: [2, 0.1, 0.3] },
  { feature: 3, place: [0.1, 0.1, 0], impulse: [5, -0.4, 0] },
  { feature: 4, place: [-0.1, 0.1, 0], impulse: [1, 0, 0.1] },
];

describe('impulses from step to step', () => {
  test('by feature where the contact has hardly moved', () => {
    // two contacts do not hold every torque, so theirs stays with them
    const edge = SQUARE.slice(0, 2);
    const after = edge.map(({ feature, place: [x, y, z] }) => ({
      feature,
      place: [x + 0.01, y, z] as Corner['place'],
    }));
    expect(carry(edge, after)).toEqual(edge.map(({ impulse }) => impulse));
  });

  test('corners of a face that have moved on keep force and torque', () => {
    // by more than round-off, and in all directions; the last one has a new name
    const moved: Corner[] = SQUARE.map(({ feature, place: [x, y, z] }, i) => ({
      feature: i === 3 ? 9 : feature,
      place: [x + 1e-3 * (i + 1), y - 2e-3 * (i % 2), z + 1e-4 * i] as Corner['place'],
    }));
    const found = carry(SQUARE, moved);
    const expected = sumWrench(
      SQUARE,
      SQUARE.map(({ impulse }) => impulse!),
    );
    sumWrench(moved, found).forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 12);
    });
    // by the least change: each of the shares is near what it was
    found.forEach((impulse, i) => {
      impulse.forEach((value, k) => {
        expect(Math.abs(value - SQUARE[i].impulse![k])).toBeLessThan(0.1);
      });
    });
  });

  test('corners in a line keep what they have', () => {
    const line: Corner[] = [0, 1, 2].map((i) => ({ feature: i, place: [0.1 * i, 0, 0], impulse: [1 + i, 0, 0.1] }));
    const after = line.map(({ feature, place: [x, y, z] }) => ({
      feature,
      place: [x, y + 1e-3, z] as Corner['place'],
    }));
    expect(carry(line, after)).toEqual(line.map(({ impulse }) => impulse));
  });

  test('by place where all features are new, or have gone round', () => {
    for (const shift of [10, -1]) {
      const after = SQUARE.map(({ place }, i) => ({ feature: shift > 0 ? shift + i : 1 + ((i + 3) % 4), place }));
      after.sort((a, b) => a.feature - b.feature);
      const expected = after.map(({ place }) => SQUARE.find((corner) => corner.place === place)!.impulse!);
      carry(SQUARE, after).forEach((impulse, i) => {
        impulse.forEach((value, k) => {
          expect(value).toBeCloseTo(expected[i][k], 14);
        });
      });
    }
  });

  test('a corner in the middle of an edge that vanishes leaves force and torque as they were', () => {
    const before: Corner[] = [...SQUARE, { feature: 5, place: [0.04, 0.1, 0], impulse: [4, 0.3, 0.2] }];
    const found = carry(before, SQUARE);
    const expected = sumWrench(
      before,
      before.map(({ impulse }) => impulse!),
    );
    sumWrench(SQUARE, found).forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 12);
    });
    // of the corners that it lay between, the nearer one has more: 0.7 and 0.3 of 4
    expect(found[2][0]).toBeCloseTo(5 + 0.7 * 4, 12);
    expect(found[3][0]).toBeCloseTo(1 + 0.3 * 4, 12);
  });

  test('a corner that becomes two, and two that become one', () => {
    const twice: Corner[] = [...SQUARE, { feature: 5, place: [-0.1 + 1e-9, 0.1, 0], impulse: [0.5, 0, 0] }];
    const together = carry(twice, SQUARE);
    expect(together[3][0]).toBeCloseTo(1.5, 6);
    const apart = carry(SQUARE, twice);
    expect(apart[3][0] + apart[4][0]).toBeCloseTo(1, 6);
  });

  test('other pairs have none of it, and contacts with spin go by feature alone', () => {
    expect(carry(SQUARE, [{ feature: 1, place: [0, 0, 0], pair: 8 }])).toEqual([[0, 0, 0]]);
    const after: Corner[] = [
      { feature: 2, place: [-0.1, -0.1, 0] },
      { feature: 9, place: [0.1, 0.1, 0] },
    ];
    expect(carry(SQUARE, after, 4)).toEqual([SQUARE[1].impulse, [0, 0, 0]]);
  });
});
