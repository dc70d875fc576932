/** Contacts with fields against a look at every sample, and their barrier and friction against differences of value and gradient. */
import { describe, expect, test } from 'vitest';
import type { FieldPair } from '../../../collision/candidates/field-pairs.ts';
import { FieldCollisions } from '../../../collision/collisions/field-collisions.ts';
import { WitnessPoints } from '../../../collision/collisions/witness-points.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import { measureFieldReach } from '../../../geometry/motion/field-approach.ts';
import type { SignedDistanceField } from '../../../geometry/signed-distance/field.ts';
import {
  createBoxField,
  createPlaneField,
  createTorusField,
} from '../../../geometry/signed-distance/primitive-field.ts';
import { buildSampleTree } from '../../../geometry/signed-distance/sample-tree.ts';
import { transformPoint, untransformPoint } from '../../../linear-algebra/pose.ts';
import {
  matrixFromQuaternion,
  multiplyQuaternions,
  normalizeQuaternion,
  quaternionFromAxisAngle,
} from '../../../linear-algebra/quaternion.ts';
import { createRandom } from '../../../testing/box-sets.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import { FieldTerm } from './field-term.ts';
import { IncrementalDisplacement } from './incremental-displacement.ts';
import { RigidFriction } from './rigid-friction.ts';

const RANGE = 0.05;
const spin = new Float64Array(4);
const LEVEL = 0.01;
const quaternion = Float64Array.of(0.9, 0.1, -0.3, 0.2);
normalizeQuaternion(quaternion, 0, quaternion, 0);

/** Scattered samples on frame 0 in a field on frame 1. */
function createPair(field: SignedDistanceField, count: number, size: number): FieldPair {
  const random = createRandom(7);
  const points = Float64Array.from({ length: 3 * count }, () => size * (random() - 0.5));
  const position = Float64Array.of(0.02, -0.03, 0.01);
  const rotation = new Float64Array(9);
  matrixFromQuaternion(rotation, 0, quaternion, 0);
  const areas = Float64Array.from({ length: count }, () => 0.01 * (0.5 + random()));
  const samples = { shape: 0, frame: 0, points, areas, radius: 0.004, coveringRadius: 0, own: undefined };
  return {
    samples: { ...samples, tree: buildSampleTree(points), reach: 1 },
    shape: 1,
    frame: 1,
    target: {
      field,
      position,
      orientation: quaternion,
      reach: measureFieldReach(field, position, quaternion) + LEVEL,
      level: LEVEL,
    },
    rotation,
    margin: 0,
    friction: 0.5,
    anisotropy: Float64Array.of(1, 0.4),
    fieldArea: 0,
  };
}

/** Poses of two frames after perturbations q of twelve numbers. */
function placeFrames(q: ArrayLike<number>): FramePoses {
  const poses = {
    position: Float64Array.of(0.11, 0.02, 0.05, -0.02, 0.03, -0.04),
    orientation: Float64Array.of(0.8, 0.3, 0.2, 0.1, 0.7, -0.2, 0.4, 0.3),
    rotation: new Float64Array(18),
  };
  for (let f = 0; f < 2; f++) {
    const { position, orientation, rotation } = poses;
    normalizeQuaternion(orientation, 4 * f, orientation, 4 * f);
    matrixFromQuaternion(rotation, 9 * f, orientation, 4 * f);
    for (let k = 0; k < 3; k++) position[3 * f + k] += q[6 * f + k];
    // exp(θ) R by Rodrigues
    const [x, y, z] = [q[6 * f + 3], q[6 * f + 4], q[6 * f + 5]];
    const angle = Math.sqrt(x * x + y * y + z * z);
    const s = angle > 0 ? Math.sin(angle) / angle : 1;
    const c = angle > 0 ? (1 - Math.cos(angle)) / (angle * angle) : 0.5;
    const cross = [0, -z, y, z, 0, -x, -y, x, 0];
    const exp = [0, 1, 2].flatMap((i) =>
      [0, 1, 2].map((j) => {
        let square = 0;
        for (let k = 0; k < 3; k++) square += cross[3 * i + k] * cross[3 * k + j];
        return (i === j ? 1 : 0) + s * cross[3 * i + j] + c * square;
      }),
    );
    quaternionFromAxisAngle(
      spin,
      0,
      angle > 0 ? Float64Array.of(x / angle, y / angle, z / angle) : Float64Array.of(1, 0, 0),
      0,
      angle,
    );
    multiplyQuaternions(orientation, 4 * f, spin, 0, orientation, 4 * f);
    const old = rotation.slice(9 * f, 9 * f + 9);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        rotation[9 * f + 3 * i + j] = exp[3 * i] * old[j] + exp[3 * i + 1] * old[3 + j] + exp[3 * i + 2] * old[6 + j];
  }
  return poses;
}

/** E, ∇E and ∇²E of barrier and friction at a perturbation, friction lagged at none. */
function createEnergy(field: SignedDistanceField, withFriction: boolean) {
  // as high as the barrier has a value at all samples
  const probe = new FieldCollisions([createPair(field, 2000, 0.5)]);
  probe.collect(placeFrames(new Float64Array(12)), 10);
  const contacts = new FieldCollisions([createPair(lifted(field, 0.3 * RANGE - probe.nearest), 2000, 0.5)]);
  const barrier = new FieldTerm(RANGE);
  const start = placeFrames([-1e-3, 2e-3, 1e-3, 3e-3, 0, -1e-3, 0, 1e-3, 0, 0, 2e-3, 1e-3]);
  const displacement = new IncrementalDisplacement(start, 2, 2);
  displacement.begin(new Float64Array(12), 1);
  const friction = new RigidFriction(displacement);
  barrier.stiffness = 1000;
  friction.smoothing = 0.01;
  contacts.collect(placeFrames(new Float64Array(12)), RANGE);
  const feet = new WitnessPoints();
  for (let n = 0; n < (withFriction ? contacts.count : 0); n++) {
    contacts.writeWitnessPoints(feet, n);
    friction.append(feet, 0.5 * barrier.measureForce(contacts, n), placeFrames(new Float64Array(12)));
  }
  const matrix = new DenseMatrix();
  return {
    contacts,
    friction,
    value(q: ArrayLike<number>): number {
      const poses = placeFrames(q);
      contacts.collect(poses, RANGE);
      return barrier.value(contacts, 0.5) + friction.value(poses, 0.5);
    },
    /** ∇E and ∇²E. */
    differentiate(q: ArrayLike<number>): DenseMatrix {
      const poses = placeFrames(q);
      contacts.collect(poses, RANGE);
      matrix.gradient.fill(0);
      matrix.hessian.fill(0);
      barrier.add(matrix as unknown as BodyMatrix, contacts, poses, 0.5, false);
      friction.add(matrix as unknown as BodyMatrix, poses, 0.5, false);
      return matrix;
    },
  };
}

/** Takes the blocks of two frames into one matrix of twelve rows. */
class DenseMatrix {
  readonly count = 2;
  readonly gradient = new Float64Array(12);
  readonly hessian = new Float64Array(144);

  blockOf(frame: number): number {
    return frame;
  }

  rowOf(block: number): number {
    return 6 * block;
  }

  addDiagonal(a: number, i: number, j: number, value: number): void {
    this.hessian[12 * (6 * a + i) + 6 * a + j] += value;
  }

  addPair(a: number, b: number, block: Float64Array): void {
    const row = (i: number): number => (i < 6 ? 6 * a + i : 6 * b + i - 6);
    for (let i = 0; i < 12; i++) for (let j = 0; j < 12; j++) this.hessian[12 * row(i) + row(j)] += block[12 * i + j];
  }
}

const lifted = (field: SignedDistanceField, height: number): SignedDistanceField => ({
  bounds: field.bounds,
  errorBound: field.errorBound,
  lipschitz: field.lipschitz,
  distance: (x, y, z) => field.distance(x, y, z) + height,
  gradient: (out, x, y, z) => field.gradient(out, x, y, z) + height,
});

const fields: Record<string, SignedDistanceField> = {
  plane: createPlaneField(),
  torus: createTorusField(0.15, 0.05),
  box: createBoxField(0.01, 0.02, 0.03),
};

describe('contacts with a field', () => {
  for (const [name, field] of Object.entries(fields)) {
    test(`${name}: all samples nearer than the range, and no others`, () => {
      const pair = createPair(field, 3000, 0.6);
      const contacts = new FieldCollisions([pair]);
      const poses = placeFrames(new Float64Array(12));
      contacts.collect(poses, RANGE);
      const found = new Set(contacts.sample.subarray(0, contacts.count));
      const x = new Float64Array(3);
      let expected = 0;
      for (let i = 0; i < 3000; i++) {
        transformPoint(x, 0, poses, 0, pair.samples.points, 3 * i);
        untransformPoint(x, 0, poses, 1, x, 0);
        untransformPoint(x, 0, pair.target, 0, x, 0);
        const gap = field.distance(x[0], x[1], x[2]) - LEVEL;
        if (gap < RANGE) expected++;
        expect(found.has(i)).toBe(gap < RANGE);
      }
      expect(expected).toBeGreaterThan(3);
      expect(expected).toBeLessThan(2900);
    });
  }
});

describe('the barrier of a field and its friction', () => {
  const zero = new Float64Array(12);
  // Richardson: central differences at e and 2 e
  const richardson = (e: number, f: (s: number) => number): number =>
    (8 * (f(e) - f(-e)) - (f(2 * e) - f(-2 * e))) / (12 * e);

  for (const [name, field] of Object.entries(fields)) {
    test(`${name}: the gradient is that of differences to 1e-6`, () => {
      for (const withFriction of [false, true]) {
        const energy = createEnergy(field, withFriction);
        const gradient = energy.differentiate(zero).gradient.slice();
        expect(energy.contacts.count).toBeGreaterThan(2);
        expect(energy.friction.count).toBe(withFriction ? energy.contacts.count : 0);
        const scale = Math.max(...gradient.map(Math.abs));
        for (let i = 0; i < 12; i++) {
          const measured = richardson(2e-5, (s) => energy.value(zero.map((_, k) => (k === i ? s : 0))));
          expect(Math.abs(measured - gradient[i])).toBeLessThan(1e-6 * scale);
        }
      }
    });
  }

  test('plane: the Hessian is that of differences to 1e-6, whichever frame turns', () => {
    for (const withFriction of [false, true]) {
      const energy = createEnergy(fields.plane, withFriction);
      const hessian = energy.differentiate(zero).hessian.slice();
      const scale = Math.max(...hessian.map(Math.abs));
      for (let i = 0; i < 12; i++) {
        for (let j = 0; j <= i; j++) {
          expect(hessian[12 * i + j]).toBeCloseTo(hessian[12 * j + i], 12);
          // the second derivative along e_i + e_j, e_i and e_j: perturbations are taken from the same poses
          const curvature = (p: readonly number[]): number => {
            const at = (s: number): number => energy.value(zero.map((_, k) => (p.includes(k) ? s : 0)));
            const second = (e: number): number => (at(e) - 2 * at(0) + at(-e)) / (e * e);
            return (4 * second(5e-5) - second(1e-4)) / 3;
          };
          const measured = i === j ? curvature([i]) : 0.5 * (curvature([i, j]) - curvature([i]) - curvature([j]));
          expect(Math.abs(measured - hessian[12 * i + j])).toBeLessThan(1e-6 * scale);
        }
      }
    }
  });
});
