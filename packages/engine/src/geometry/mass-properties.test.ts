import { describe, expect, test } from 'vitest';
import {
  createMassProperties,
  moveMassProperties,
  principalMassProperties,
  scaleMass,
  sumMassProperties,
} from './mass-properties.ts';
import { boxMass, sphereMass } from './primitive-mass.ts';

const unit = Float64Array.of(1, 0, 0, 0);

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, digits = 12): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) expect(actual[i]).toBeCloseTo(expected[i], digits);
}

describe('mass properties', () => {
  test('of a box are the sum of its eight parts', () => {
    const [a, b, c] = [0.3, 0.5, 0.9];
    const whole = boxMass(a, b, c, false);
    const parts = [];
    for (let i = 0; i < 8; i++) {
      const at = Float64Array.of((i & 1 ? a : -a) / 2, (i & 2 ? b : -b) / 2, (i & 4 ? c : -c) / 2);
      parts.push(moveMassProperties(boxMass(a / 2, b / 2, c / 2, false), at, unit));
    }
    const sum = sumMassProperties(parts);
    expect(sum.mass).toBeCloseTo(whole.mass, 14);
    expectClose(sum.center, [0, 0, 0]);
    expectClose(sum.tensor, whole.tensor);
  });

  test('do not depend on the frame in which they are summed', () => {
    const angle = 0.7;
    const q = Float64Array.of(Math.cos(angle / 2), 0, Math.sin(angle / 2), 0);
    const at = Float64Array.of(1, -2, 0.5);
    const parts = [
      moveMassProperties(boxMass(0.1, 0.2, 0.3, false), Float64Array.of(0.4, 0, 0.1), q),
      moveMassProperties(sphereMass(0.2, false), Float64Array.of(-0.3, 0.2, 0), unit),
    ];
    const movedSum = moveMassProperties(sumMassProperties(parts), at, q);
    const sumOfMoved = sumMassProperties(parts.map((part) => moveMassProperties(part, at, q)));
    expect(sumOfMoved.mass).toBeCloseTo(movedSum.mass, 14);
    expectClose(sumOfMoved.center, movedSum.center);
    expectClose(sumOfMoved.tensor, movedSum.tensor);
  });

  test('turn by a quarter: x and y change places', () => {
    const q = Float64Array.of(Math.SQRT1_2, 0, 0, Math.SQRT1_2);
    const turned = moveMassProperties(principalMassProperties(2, 1, 2, 2.5), Float64Array.of(0, 0, 0), q);
    expectClose(turned.tensor, [2, 1, 2.5, 0, 0, 0], 14);
  });

  test('two points on a rod: the parallel-axes theorem alone', () => {
    const point = principalMassProperties(3, 0, 0, 0);
    const sum = sumMassProperties([
      moveMassProperties(point, Float64Array.of(1, 1, 0), unit),
      moveMassProperties(point, Float64Array.of(3, 3, 0), unit),
    ]);
    expectClose(sum.center, [2, 2, 0]);
    // each 3 kg at (±1, ±1): 2·3·1 about x and y, 2·3·2 about z, −2·3·1 in xy
    expectClose(sum.tensor, [6, 6, 12, -6, 0, 0]);
  });

  test('scale with the mass, and nothing stays nothing', () => {
    const twice = scaleMass(principalMassProperties(2, 1, 2, 2.5), 4);
    expect(twice.mass).toBe(4);
    expectClose(twice.tensor, [2, 4, 5, 0, 0, 0], 15);
    expect(scaleMass(createMassProperties(), 0).tensor).toEqual(new Float64Array(6));
    expect(sumMassProperties([createMassProperties(), createMassProperties()])).toEqual(createMassProperties());
  });
});
