/** Contact points here and in MuJoCo, in the poses that contact-points.py records. */

import { ContactPoints } from '../../packages/engine/src/geometry/contact-points.ts';
import { buildPolyhedron } from '../../packages/engine/src/geometry/convex/build-polyhedron.ts';
import type { PairTest } from '../../packages/engine/src/geometry/pair-test.ts';
import { type PlacedShape, placeShape } from '../../packages/engine/src/geometry/placed-shape.ts';
import { SHAPE } from '../../packages/engine/src/geometry/shape-kind.ts';

interface RecordedShape {
  kind: string;
  size: number[];
  vertices?: number[];
  field?: { rows: number; columns: number; size: number[]; heights: number[] };
}

export interface RecordedPair {
  pair: string;
  way: 'random' | 'flat' | 'margin';
  reach: number;
  shapes: RecordedShape[];
  /** Position and rotation matrix of both shapes; position, normal and distance of each contact. */
  states: { poses: number[][]; contacts: number[][] }[];
}

export interface PointRecord {
  mujoco: string;
  pairs: RecordedPair[];
}

/** Points within this share of the size of the shapes (0.2 m) are equal; normals within the tolerance of MuJoCo's iteration. */
export const EQUAL = 1e-6 * 0.2;
export const EQUAL_NORMAL = 1e-6;

const KINDS: Readonly<Record<string, number>> = {
  plane: SHAPE.plane,
  hfield: SHAPE.heightField,
  sphere: SHAPE.sphere,
  capsule: SHAPE.capsule,
  ellipsoid: SHAPE.ellipsoid,
  cylinder: SHAPE.cylinder,
  box: SHAPE.box,
  mesh: SHAPE.convexMesh,
  brick: SHAPE.convexMesh,
};

function place({ kind, size, vertices, field }: RecordedShape, name: string): PlacedShape {
  return placeShape(KINDS[kind]!, size, undefined, undefined, {
    ...(vertices && { hull: buildPolyhedron(vertices, undefined, name) }),
    ...(field && {
      heightField: {
        rows: field.rows,
        columns: field.columns,
        halfSizeX: field.size[0]!,
        halfSizeY: field.size[1]!,
        baseDepth: field.size[3]!,
        heights: Float64Array.from(field.heights, (h) => h * field.size[2]!),
      },
    }),
  });
}

/** In how many states the points are the same as MuJoCo's, whatever their order. */
export function countEqual(record: RecordedPair, findTest: (a: number, b: number) => PairTest | undefined): number {
  const [a, b] = record.shapes.map((shape, i) => place(shape, `${record.pair} ${i}`)) as [PlacedShape, PlacedShape];
  const isSwapped = a.kind > b.kind;
  const test = isSwapped ? findTest(b.kind, a.kind) : findTest(a.kind, b.kind);
  if (!test) throw new Error(`${record.pair} has no test`);
  const points = new ContactPoints();
  let equal = 0;
  for (const { poses, contacts } of record.states) {
    for (const [i, shape] of [a, b].entries()) {
      shape.position.set(poses[i]!.slice(0, 3));
      shape.rotation.set(poses[i]!.slice(3));
    }
    points.clear();
    test(points, isSwapped ? b : a, isSwapped ? a : b, record.reach);
    const sign = isSwapped ? -1 : 1;
    if (points.count === contacts.length && contacts.every((contact) => hasPoint(points, contact, sign))) equal++;
  }
  return equal;
}

function hasPoint({ count, position, normal, gap }: ContactPoints, contact: readonly number[], sign: number): boolean {
  for (let i = 0; i < count; i++) {
    let isEqual = Math.abs(gap[i]! - contact[6]!) <= EQUAL;
    for (let k = 0; k < 3; k++) {
      if (Math.abs(position[3 * i + k]! - contact[k]!) > EQUAL) isEqual = false;
      if (Math.abs(sign * normal[3 * i + k]! - contact[3 + k]!) > EQUAL_NORMAL) isEqual = false;
    }
    if (isEqual) return true;
  }
  return false;
}
