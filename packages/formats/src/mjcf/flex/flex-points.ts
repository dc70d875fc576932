/**
 * Points and elements that <flexcomp> makes by itself, numbered as MuJoCo numbers them: pins, equalities and keyframes of a file count
 * on it. A grid runs over x, then y, then z, the last fastest; a box has a point in its centre, then those of its six sides.
 */
import type { Vec3 } from '@nexdyn/engine';

/** Points, and dim + 1 of them per element. */
export interface FlexMesh {
  dim: 1 | 2 | 3;
  /** x, y, z of each point, m. */
  points: number[];
  elements: number[];
}

export interface FlexLayout {
  /** Points along each axis. */
  count: Vec3;
  /** Between neighbours along each axis, m. */
  spacing: Vec3;
}

/** A line of points along x, or a ring of them about z. */
export function makeLine({ count, spacing }: FlexLayout, isRing: boolean): FlexMesh {
  const points: number[] = [];
  const elements: number[] = [];
  // the last point of a ring is its first
  const n = isRing ? count[0] - 1 : count[0];
  const turn = (2 * Math.PI) / n;
  const radius = spacing[0] / Math.sin(turn / 2) / 2;
  for (let i = 0; i < n; i++) {
    if (isRing) points.push(radius * Math.cos(turn * i), radius * Math.sin(turn * i), 0);
    else points.push(spacing[0] * (i - 0.5 * (n - 1)), 0, 0);
    if (i + 1 < n) elements.push(i, i + 1);
    else if (isRing) elements.push(i, 0);
  }
  return { dim: 1, points, elements };
}

/** A rectangle of triangles, or a disc when its squares are drawn to circles. */
export function makeSheet({ count, spacing }: FlexLayout, isDisc: boolean): FlexMesh {
  const points: number[] = [];
  const elements: number[] = [];
  const half = [0.5 * spacing[0] * (count[0] - 1), 0.5 * spacing[1] * (count[1] - 1)] as const;
  for (let i = 0; i < count[0]; i++)
    for (let j = 0; j < count[1]; j++) {
      const x = spacing[0] * (i - 0.5 * (count[0] - 1));
      const y = spacing[1] * (j - 0.5 * (count[1] - 1));
      if (isDisc) {
        const reach = Math.max(Math.abs(x), Math.abs(y));
        const norm = Math.hypot(x, y);
        // MuJoCo gives the middle the direction of x
        const [u, v] = norm > 1e-14 ? [x / norm, y / norm] : [1, 0];
        points.push(u * half[0] * reach, v * half[1] * reach, 0);
      } else points.push(x, y, 0);
      if (i + 1 === count[0] || j + 1 === count[1]) continue;
      const at = (a: number, b: number): number => count[1] * (i + a) + j + b;
      const corner = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)] as const;
      const isTurned = isDisc && ((x < -1e-14 && y > -1e-14) || (x > -1e-14 && y < -1e-14));
      const order = isTurned ? [0, 1, 3, 1, 2, 3] : [0, 1, 2, 0, 2, 3];
      for (const k of order) elements.push(corner[k]!);
    }
  return { dim: 2, points, elements };
}

/** Six tetrahedra of a cell with corners 0 to 7, around its corner 7. */
const CELL = [0, 3, 1, 7, 0, 1, 4, 7, 1, 3, 2, 7, 1, 2, 6, 7, 1, 5, 4, 7, 1, 6, 5, 7];

/** A block of cells. */
export function makeBlock({ count, spacing }: FlexLayout): FlexMesh {
  const points: number[] = [];
  const elements: number[] = [];
  for (let i = 0; i < count[0]; i++)
    for (let j = 0; j < count[1]; j++)
      for (let k = 0; k < count[2]; k++) {
        const place = [i, j, k].map((n, c) => spacing[c]! * (n - 0.5 * (count[c]! - 1)));
        points.push(place[0]!, place[1]!, place[2]!);
        if (i + 1 === count[0] || j + 1 === count[1] || k + 1 === count[2]) continue;
        const at = (a: number, b: number, c: number): number => (count[1] * (i + a) + j + b) * count[2] + k + c;
        const low = [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)];
        const corner = [...low, at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)];
        for (const c of CELL) elements.push(corner[c]!);
      }
  return { dim: 3, points, elements };
}

export type HullKind = 'box' | 'cylinder' | 'ellipsoid';

/** The sides of a box, drawn to a cylinder or an ellipsoid: as a shell without its upper side, or filled from the centre. */
export function makeHull(layout: FlexLayout, kind: HullKind, dim: 2 | 3): FlexMesh {
  const { count } = layout;
  const points: number[] = dim === 3 ? [0, 0, 0] : [];
  const number = new Map<number, number>();
  const place = (i: number, j: number, k: number): number => (i * count[1] + j) * count[2] + k;
  const last = count.map((n) => n - 1) as Vec3;
  const isOpen = dim === 2;
  const add = (i: number, j: number, k: number): void => {
    number.set(place(i, j, k), points.length / 3);
    points.push(...project(layout, kind, [i, j, k]));
  };
  const isBetween = (k: number): boolean => k > 0 && (isOpen || k < last[2]);
  for (const k of isOpen ? [0] : [0, last[2]])
    for (let i = 0; i < count[0]; i++) for (let j = 0; j < count[1]; j++) add(i, j, k);
  for (const j of [0, last[1]])
    for (let i = 0; i < count[0]; i++) for (let k = 0; k < count[2]; k++) if (isBetween(k)) add(i, j, k);
  for (const i of [0, last[0]])
    for (let j = 1; j < last[1]; j++) for (let k = 0; k < count[2]; k++) if (isBetween(k)) add(i, j, k);

  const elements: number[] = [];
  const triangle = (...corners: Vec3[]): void => {
    if (dim === 3) elements.push(0);
    for (const [i, j, k] of corners) elements.push(number.get(place(i, j, k))!);
  };
  // a quadrilateral with the diagonal from its first corner to its third
  const quad = (a: Vec3, b: Vec3, c: Vec3, d: Vec3): void => {
    triangle(a, b, c);
    triangle(a, c, d);
  };
  for (const k of isOpen ? [0] : [0, last[2]])
    for (let i = 0; i < last[0]; i++)
      for (let j = 0; j < last[1]; j++) {
        if (k === 0) quad([i, j, k], [i, j + 1, k], [i + 1, j + 1, k], [i + 1, j, k]);
        else quad([i, j, k], [i + 1, j, k], [i + 1, j + 1, k], [i, j + 1, k]);
      }
  for (const j of [0, last[1]])
    for (let i = 0; i < last[0]; i++)
      for (let k = 0; k < last[2]; k++) {
        // a filled box has the same diagonal on both sides, a shell one that turns with the side
        const [a, b] = j === 0 || dim === 3 ? [i, i + 1] : [i + 1, i];
        quad([a, j, k], [b, j, k], [b, j, k + 1], [a, j, k + 1]);
      }
  for (const i of [0, last[0]])
    for (let j = 0; j < last[1]; j++)
      for (let k = 0; k < last[2]; k++) {
        const [a, b] = i !== 0 || dim === 3 ? [j, j + 1] : [j + 1, j];
        quad([i, a, k], [i, b, k], [i, b, k + 1], [i, a, k + 1]);
      }
  return { dim, points, elements };
}

/** A point of the box on the surface of its kind. */
function project({ count, spacing }: FlexLayout, kind: HullKind, index: Vec3): Vec3 {
  const p = index.map((n, c) => (2 * n) / (count[c]! - 1) - 1) as Vec3;
  const half = spacing.map((gap, c) => 0.5 * gap * (count[c]! - 1));
  if (kind === 'cylinder') {
    const reach = Math.max(Math.abs(p[0]), Math.abs(p[1]));
    const norm = Math.hypot(p[0], p[1]);
    const [x, y] = norm > 1e-14 ? [p[0] / norm, p[1] / norm] : [1, 0];
    [p[0], p[1]] = [x * reach, y * reach];
  } else if (kind === 'ellipsoid') {
    const norm = Math.hypot(...p);
    for (let c = 0; c < 3; c++) p[c]! /= norm;
  }
  return p.map((value, c) => value * half[c]!) as Vec3;
}
