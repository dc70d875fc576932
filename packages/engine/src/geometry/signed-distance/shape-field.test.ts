import { describe, expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import type { AnyShapeSpec } from '../shapes/shape-spec.ts';
import type { SignedDistanceField } from './field.ts';
import { integrateField } from './field-mass.ts';
import { createBoxField, createTorusField } from './primitive-field.ts';
import { createShapeField } from './shape-field.ts';

const R = 0.2;
const r = 0.05;
const torus = createTorusField(R, r);
const spec: AnyShapeSpec = {
  kind: 'ring',
  fields: {} as never,
  bounds: () => [
    [-R - r, -R - r, -r],
    [R + r, R + r, r],
  ],
  distance: () => (x, y, z) => torus.distance(x, y, z),
};

describe('gradient by differences', () => {
  const field = createShapeField(spec, { kind: 'ring' });
  const [found, exact] = [new Float64Array(3), new Float64Array(3)];

  test('is that of the closed form', () => {
    const random = createRandom(3);
    for (let i = 0; i < 500; i++) {
      const [x, y, z] = [0, 1, 2].map(() => 0.6 * (random() - 0.5));
      // farther from the medial axis than the step
      if (Math.hypot(x, y) < 0.01 || Math.hypot(Math.hypot(x, y) - R, z) < 0.005) continue;
      expect(field.gradient(found, x, y, z)).toBe(torus.gradient(exact, x, y, z));
      for (let k = 0; k < 3; k++) expect(Math.abs(found[k] - exact[k])).toBeLessThan(1e-7);
    }
  });

  test('is one of its limits on the medial axis, never their mean', () => {
    for (const angle of [0, 0.3, 1, 2, 4]) {
      for (const off of [0, 1e-7, 1e-6]) {
        field.gradient(found, (R + off) * Math.cos(angle), (R + off) * Math.sin(angle), 0);
        expect(Math.hypot(...found)).toBeGreaterThan(0.9);
        expect(Math.hypot(...found)).toBeLessThan(1 + 1e-9);
      }
    }
  });
});

describe('mass properties by integration', () => {
  // the same field somewhere else and turned by an eighth about z
  const move = (field: SignedDistanceField, [px, py, pz]: number[]): SignedDistanceField => {
    const c = Math.SQRT1_2;
    const inFrame = (x: number, y: number): [number, number] => [
      c * (x - px) + c * (y - py),
      c * (y - py) - c * (x - px),
    ];
    return {
      ...field,
      bounds: Float64Array.of(px - 0.5, py - 0.5, pz - 0.5, px + 0.5, py + 0.5, pz + 0.5),
      errorBound: 0,
      lipschitz: 1,
      distance: (x, y, z) => field.distance(...inFrame(x, y), z - pz),
      gradient: (out, x, y, z) => {
        const value = field.gradient(out, ...inFrame(x, y), z - pz);
        const [a, b] = [out[0], out[1]];
        out[0] = c * (a - b);
        out[1] = c * (a + b);
        return value;
      },
    };
  };

  test('of a box off the origin, turned: centre, moments and products', () => {
    const [a, b, c] = [0.3, 0.2, 0.1];
    const { mass, center, tensor } = integrateField(move(createBoxField(a, b, c), [0.1, -0.2, 0.3]));
    const volume = 8 * a * b * c;
    const [ix, iy, iz] = [b * b + c * c, a * a + c * c, a * a + b * b].map((square) => (volume * square) / 3);
    // flat faces are cut exactly in the mean: what is left is the sampling of edges, a cube each
    const tolerance = 2e-3;
    expect(Math.abs(mass / volume - 1)).toBeLessThan(tolerance);
    [0.1, -0.2, 0.3].forEach((value, k) => {
      expect(Math.abs(center[k] - value)).toBeLessThan(1e-4);
    });
    const expected = [0.5 * (ix + iy), 0.5 * (ix + iy), iz, 0.5 * (ix - iy), 0, 0];
    expected.forEach((value, k) => {
      expect(Math.abs(tensor[k] - value)).toBeLessThan(tolerance * iz);
    });
  });
});
