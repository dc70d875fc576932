/** A ball on a ring, by the field of the ring: in its middle all of the ring is equally near, and the field has a kink. */
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import { advance, body, build, G, place, sumNormalForces } from './checked-scene.ts';

const MAJOR = 0.1;
const MINOR = 0.03;
const RADIUS = 0.09;
const MASS = 2;

describe('a ball on the kink of a field', () => {
  for (const start of [0, 0.002, 0.02]) {
    for (const h of takeCases([0.01, 0.002], 2)) {
      test(`dropped ${start} m beside the middle of a ring it comes to rest there, h = ${h} s`, () => {
        const simulation = build(
          {
            signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: MAJOR, minorRadius: MINOR }],
            shapes: [{ kind: 'signedDistance', field: 'ring', friction: 0.5 }],
            bodies: [body('ball', [start, 0, 0.1], { kind: 'sphere', radius: RADIUS, mass: MASS, friction: 0.5 })],
          },
          h,
        );
        advance(simulation, Math.round(1 / h));
        const [x, y, z] = place(simulation, 1);
        expect(Math.hypot(x, y)).toBeLessThan(1e-6);
        // along the axis the distance grows with z/√(R² + z²)
        const push = (sumNormalForces(simulation) * z) / Math.hypot(MAJOR, z);
        expect(push / (MASS * G)).toBeCloseTo(1, 4);
        const gap = Math.hypot(MAJOR, z) - MINOR - RADIUS;
        expect(gap).toBeGreaterThan(0);
        expect(gap).toBeLessThan(1e-3);
      });
    }
  }
});
