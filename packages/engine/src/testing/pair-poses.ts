/** Poses and checks for tests of pairs of shapes. */
import { expect } from 'vitest';
import { ContactPoints } from '../geometry/contact-points.ts';
import type { PairTest } from '../geometry/pair-test.ts';
import { type PlacedShape, placeShape } from '../geometry/placed-shape.ts';
import type { OracleContact } from './contact-oracle.ts';

/** Position x y z and quaternion w x y z. */
export type Pose = number[];

export const AT_ORIGIN: Pose = [0, 0, 0, 1, 0, 0, 0];

/** A uniformly random rotation. */
export function randomQuaternion(random: () => number): number[] {
  for (;;) {
    const q = [0, 0, 0, 0].map(() => 2 * random() - 1);
    const length = Math.hypot(...q);
    if (length > 0.1 && length <= 1) return q.map((x) => x / length);
  }
}

/** One of the 24 rotations that map axes to axes. */
export function quarterTurns(random: () => number): number[] {
  let q = [1, 0, 0, 0];
  for (let k = 0; k < 4; k++) {
    const axis = 1 + Math.floor(3 * random());
    const turn = [Math.SQRT1_2, 0, 0, 0];
    turn[axis] = Math.SQRT1_2;
    if (random() < 0.75) q = multiply(q, turn);
  }
  return q.map((x) => (Math.abs(x) < 1e-9 ? 0 : x));
}

/** A rotation by about `angle` around a random axis. */
export function smallTurn(random: () => number, angle: number): number[] {
  const axis = randomQuaternion(random);
  const q = [1, angle * axis[1], angle * axis[2], angle * axis[3]];
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

export function multiply(p: readonly number[], q: readonly number[]): number[] {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
    p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  ];
}

/** Rotation matrix of a quaternion, row by row. */
export function toMatrix(q: readonly number[]): number[] {
  const [w, x, y, z] = q;
  return [
    w * w + x * x - y * y - z * z,
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    w * w - x * x + y * y - z * z,
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    w * w - x * x - y * y + z * z,
  ];
}

export function rotate(matrix: ArrayLike<number>, v: readonly number[]): number[] {
  return [0, 3, 6].map((k) => matrix[k] * v[0] + matrix[k + 1] * v[1] + matrix[k + 2] * v[2]);
}

/** The pose of a shape after moving everything by a rotation and a translation. */
export function moveShape(shape: PlacedShape, turn: readonly number[], shift: readonly number[]): PlacedShape {
  const r = shape.rotation;
  const columns = [0, 1, 2].map((k) => rotate(turn, [r[k], r[k + 3], r[k + 6]]));
  return placeShape(
    shape.kind,
    shape.size,
    rotate(turn, Array.from(shape.position)).map((x, k) => x + shift[k]),
    [0, 1, 2].flatMap((row) => columns.map((column) => column[row])),
    shape.hull ? { hull: shape.hull } : {},
  );
}

export interface Contact {
  gap: number;
  position: number[];
  normal: number[];
  feature: number;
}

const points = new ContactPoints();

/** Runs a pair test and returns its points as objects; every number must be finite and every normal a unit vector. */
export function runPair(test: PairTest, a: PlacedShape, b: PlacedShape, reach: number): Contact[] {
  points.clear();
  test(points, a, b, reach);
  const contacts: Contact[] = [];
  for (let i = 0; i < points.count; i++) {
    const contact = {
      gap: points.gap[i],
      position: Array.from(points.position.slice(3 * i, 3 * i + 3)),
      normal: Array.from(points.normal.slice(3 * i, 3 * i + 3)),
      feature: points.feature[i],
    };
    const finite = Number.isFinite(contact.gap + contact.position[0] + contact.position[1] + contact.position[2]);
    const unit = Math.abs(Math.hypot(...contact.normal) - 1) < 1e-12;
    if (!finite || !unit || contact.gap > reach) expect.fail(`impossible contact ${JSON.stringify(contact)}`);
    contacts.push(contact);
  }
  return contacts;
}

/** Largest difference between two lists of contacts in order; Infinity if their lengths differ. */
export function compareContacts(ours: readonly Contact[], theirs: readonly OracleContact[]): number {
  if (ours.length !== theirs.length) return Number.POSITIVE_INFINITY;
  let worst = 0;
  for (let i = 0; i < ours.length; i++) {
    worst = Math.max(worst, Math.abs(ours[i].gap - theirs[i].gap));
    for (let k = 0; k < 3; k++) {
      worst = Math.max(worst, Math.abs(ours[i].position[k] - theirs[i].position[k]));
      worst = Math.max(worst, Math.abs(ours[i].normal[k] - theirs[i].normal[k]));
    }
  }
  return worst;
}

/** The same in any order: each contact against the nearest that is left. */
export function compareUnordered(ours: readonly Contact[], theirs: readonly OracleContact[]): number {
  const left = [...theirs];
  const sorted = ours.map((contact) => {
    const far = (other: OracleContact) => Math.hypot(...other.position.map((x, k) => x - contact.position[k]));
    left.sort((p, q) => far(p) - far(q));
    return left.shift() ?? { gap: Number.POSITIVE_INFINITY, position: [0, 0, 0], normal: [0, 0, 0] };
  });
  return left.length > 0 ? Number.POSITIVE_INFINITY : compareContacts(ours, sorted);
}

/** The point of a contact on the surface of A (side −1) or B (side 1). */
export function surfacePoint(contact: Contact, side: number): number[] {
  return contact.position.map((x, k) => x + 0.5 * side * contact.gap * contact.normal[k]);
}
