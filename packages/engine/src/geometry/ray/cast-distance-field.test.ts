import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import { createPlaneField, createTorusField } from '../signed-distance/primitive-field.ts';
import { castRayShape, RayHit } from './cast-ray.ts';

const TILTED = [1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8];

/** A field that promises less: φ and its gradient k times as steep, with the Lipschitz bound to match. */
function steepen(field: SignedDistanceField, k: number): SignedDistanceField {
  return {
    distance: (x, y, z) => k * field.distance(x, y, z),
    gradient(out, x, y, z) {
      const distance = field.gradient(out, x, y, z);
      for (let i = 0; i < 3; i++) out[i]! *= k;
      return k * distance;
    },
    bounds: field.bounds,
    errorBound: 0,
    lipschitz: k * field.lipschitz,
  };
}

describe('tracing the field of a primitive meets what its closed form does', () => {
  const random = createRandom(1);
  for (const name of ['sphere', 'capsule', 'cylinder', 'box', 'ellipsoid'] as const) {
    test(name, () => {
      const size = [0.4, 0.7, 0.5];
      const field = SHAPE_TABLE[SHAPE[name]].field!(size);
      const [ours, exact] = [new RayHit(), new RayHit()];
      const position = [0.3, -0.2, 0.1];
      const closed = placeShape(SHAPE[name], size, position, TILTED);
      let hits = 0;
      for (let k = 0; k < takeSamples(4000, 0.2); k++) {
        const shape = placeShape(SHAPE.signedDistance, [], position, TILTED, {
          field: k % 2 ? field : steepen(field, 3),
        });
        const origin = position.map((p) => p + (k % 3 ? 4 : 0.6) * (random() - 0.5));
        const direction = position.map((p, i) => p + 1.5 * (random() - 0.5) - origin[i]!);
        const found = castRayShape(exact, closed, origin, direction, Infinity);
        const length = Math.hypot(...direction);
        const steepness = found ? Math.abs(exact.normal.reduce((s, n, i) => s + (n * direction[i]!) / length, 0)) : 1;
        // a ray that but grazes may be told either way: the tolerance of the march is 1e-9 of the box
        if (steepness < 1e-3) continue;
        const met = castRayShape(ours, shape, origin, direction, Infinity);
        if (!found && met) {
          // within that tolerance of the surface all the same
          const p = origin.map((o, i) => o + ours.distance * direction[i]! - position[i]!);
          const local = [0, 1, 2].map((c) => p.reduce((s, x, i) => s + TILTED[3 * i + c]! * x, 0));
          expect(Math.abs(field.distance(local[0]!, local[1]!, local[2]!))).toBeLessThan(4e-9);
          continue;
        }
        expect(met, `${origin} along ${direction}`).toBe(found);
        if (!found) continue;
        hits++;
        // Newton ends at rounding, or at the tolerance where an edge is met
        expect(Math.abs(ours.distance - exact.distance) * length * steepness).toBeLessThan(4e-9);
        if (Math.hypot(...exact.normal.map((n, i) => n - ours.normal[i]!)) > 1e-6) {
          expect(['box', 'cylinder']).toContain(name);
        }
      }
      expect(hits).toBeGreaterThan(takeSamples(1500, 0.2));
    });
  }
});

test('a ring: the first change of sign along the ray, by small steps and bisection', () => {
  const field = createTorusField(1, 0.3);
  const shape = placeShape(SHAPE.signedDistance, [], [0, 0, 0], undefined, { field });
  const random = createRandom(2);
  const hit = new RayHit();
  let hits = 0;
  let exits = 0;
  for (let k = 0; k < takeSamples(1500, 0.2); k++) {
    const origin = [0, 1, 2].map(() => 3 * (random() - 0.5));
    const direction = origin.map((o, i) => (i < 2 ? 2 : 0.5) * (random() - 0.5) - o);
    const phi = (t: number): number =>
      field.distance(origin[0]! + t * direction[0]!, origin[1]! + t * direction[1]!, origin[2]! + t * direction[2]!);
    const start = Math.sign(phi(0));
    let [before, after] = [0, 0];
    let least = Infinity;
    for (let i = 1; i <= 3000; i++) {
      const value = phi((6 * i) / 3000);
      least = Math.min(least, Math.abs(value));
      if (value * start > 0) continue;
      [before, after] = [(6 * (i - 1)) / 3000, (6 * i) / 3000];
      break;
    }
    if (after === 0) {
      // no crossing seen: ours may see one only where the ray comes within a step of the surface
      if (castRayShape(hit, shape, origin, direction, 6)) expect(least).toBeLessThan(6 / 3000);
      continue;
    }
    for (let i = 0; i < 60; i++) {
      const middle = 0.5 * (before + after);
      if (phi(middle) * start > 0) before = middle;
      else after = middle;
    }
    expect(castRayShape(hit, shape, origin, direction, 6)).toBe(true);
    hits++;
    if (start < 0) exits++;
    const slope = Math.abs(hit.normal.reduce((s, n, i) => s + n * direction[i]!, 0));
    // a graze before may have been passed over by the small steps, never by ours
    expect((hit.distance - after) * slope).toBeLessThan(1e-9);
    expect(Math.abs(phi(hit.distance))).toBeLessThan(1e-9 * 4);
  }
  expect(hits).toBeGreaterThan(takeSamples(500, 0.2));
  expect(exits).toBeGreaterThan(takeSamples(30, 0.2));
});

test('a field without end', () => {
  const hit = new RayHit();
  const shape = placeShape(SHAPE.signedDistance, [], [0, 0, 1], undefined, { field: createPlaneField() });
  expect(castRayShape(hit, shape, [5, 5, 3], [0.1, 0, -1], Infinity)).toBe(true);
  expect(Math.abs(hit.distance - 2)).toBeLessThan(1e-14 * 10);
  expect(Array.from(hit.normal)).toEqual([0, 0, 1]);
  expect(castRayShape(hit, shape, [5, 5, 3], [0.1, 0, 1], Infinity)).toBe(false);
  expect(castRayShape(hit, shape, [5, 5, 3], [0, 0, -1], 1.9)).toBe(false);
});
