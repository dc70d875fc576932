/**
 * Points on ellipsoids, cylinders and boxes with a known covering radius ρ (m).
 *
 * Ellipsoid, the image of the unit sphere under E: spherical triangles, from the octants by halving arcs. A point u of the
 * sphere lies over w = |w| u of the plane triangle with corners v, where |w|² ≥ 1 − ⅓ (longest side)², so that
 *
 *   |E u − E v| ≤ |E w − E v| + (1 − |w|) |E u| ≤ (cover of the image of the triangle) + (1 / |w| − 1) max |E v|.
 *
 * Cylinder: rings. On the lateral surface, unrolled to a rectangle of cells w by l, ρ = ½√(w² + l²). On a cap with rings dr apart and
 * half angles δ between the points of the ring at radius r, ρ² = (½ dr)² + r (r + ½ dr) δ².
 *
 * Box: a lattice with cells w by l on each face, ρ = ½√(w² + l²).
 */
import { cos, sin } from '../../linear-algebra/elementary.ts';
import type { SignedDistanceField } from './field.ts';
import { sampleField } from './field-samples.ts';
import { type CoveringPoints, coverByCorners } from './triangle-samples.ts';

const MAX_DEPTH = 30;

/** Ways to cover a surface with points, for the files of the kinds of shapes: sizes, then the covering radius, m. */
export interface SampleMakers {
  ellipsoid(a: number, b: number, c: number, radius: number): CoveringPoints;
  cylinder(r: number, h: number, radius: number): CoveringPoints;
  box(a: number, b: number, c: number, radius: number): CoveringPoints;
  /** Points on the zero set of a field, about so many. */
  field(field: SignedDistanceField, count: number): CoveringPoints;
}

/** Semi-axes and covering radius to reach, m. */
export function sampleEllipsoid(ex: number, ey: number, ez: number, target: number): CoveringPoints {
  const e = [ex, ey, ez];
  const unit = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1];
  const middles = new Map<number, number>();
  const pending: number[] = [];
  for (const x of [0, 1]) for (const y of [2, 3]) for (const z of [4, 5]) pending.push(x, y, z, 0);
  // squared sides, on the sphere and in the image
  const square = (a: number, b: number, scale: readonly number[]) => {
    const [i, j] = [3 * a, 3 * b];
    return squaredLength(
      scale[0] * (unit[i] - unit[j]),
      scale[1] * (unit[i + 1] - unit[j + 1]),
      scale[2] * (unit[i + 2] - unit[j + 2]),
    );
  };
  const one = [1, 1, 1];
  const farthest = (a: number) =>
    Math.sqrt(squaredLength(e[0] * unit[3 * a], e[1] * unit[3 * a + 1], e[2] * unit[3 * a + 2]));
  let covering = 0;
  while (pending.length > 0) {
    const depth = pending.pop()!;
    const c = pending.pop()!;
    const b = pending.pop()!;
    const a = pending.pop()!;
    const image = [square(a, b, e), square(b, c, e), square(c, a, e)];
    const sides = [square(a, b, one), square(b, c, one), square(c, a, one)];
    const flat = coverByCorners(image[0], image[1], image[2]);
    const least = Math.sqrt(1 - Math.max(sides[0], sides[1], sides[2]) / 3);
    const sag = (1 / least - 1) * Math.max(farthest(a), farthest(b), farthest(c));
    if (flat + sag <= target || depth >= MAX_DEPTH) {
      covering = Math.max(covering, flat + sag);
      continue;
    }
    // the longest side of the image, or of the sphere's triangle if its height is the larger share
    const [ab, bc, ca] = flat > sag ? image : sides;
    const [p, q, o] = ab >= bc && ab >= ca ? [a, b, c] : bc >= ca ? [b, c, a] : [c, a, b];
    // the middle of the arc; an edge is cut once
    const key = p < q ? p * 67108864 + q : q * 67108864 + p;
    let m = middles.get(key);
    if (m === undefined) {
      m = unit.length / 3;
      middles.set(key, m);
      const sum = [0, 1, 2].map((k) => unit[3 * p + k] + unit[3 * q + k]);
      const length = Math.sqrt(squaredLength(sum[0], sum[1], sum[2]));
      unit.push(sum[0] / length, sum[1] / length, sum[2] / length);
    }
    pending.push(p, m, o, depth + 1, m, q, o, depth + 1);
  }
  return { points: Float64Array.from(unit, (u, i) => u * e[i % 3]), coveringRadius: covering };
}

function squaredLength(x: number, y: number, z: number): number {
  return x * x + y * y + z * z;
}

/** Radius, half length along z, and covering radius to reach, m. */
export function sampleCylinder(r: number, h: number, target: number): CoveringPoints {
  // cells with sides √2 times the target, counts that the smallest cylinder keeps too
  const side = Math.SQRT2 * target;
  const around = Math.max(8, Math.ceil((2 * Math.PI * r) / side));
  const levels = Math.max(1, Math.ceil((2 * h) / side));
  const rings = Math.max(1, Math.ceil(r / side));
  const points: number[] = [];
  const addRing = (radius: number, z: number, count: number) => {
    for (let i = 0; i < count; i++) {
      const turn = (2 * Math.PI * i) / count;
      points.push(radius * cos(turn), radius * sin(turn), z);
    }
  };
  for (let j = 0; j <= levels; j++) addRing(r, -h + (2 * h * j) / levels, around);
  const width = (2 * Math.PI * r) / around;
  const height = (2 * h) / levels;
  let covering = Math.sqrt(width * width + height * height) / 2;

  // the caps, without their rims: they belong to the lateral surface
  const dr = r / rings;
  for (let j = 0; j < rings; j++) {
    const radius = j * dr;
    const count = j === 0 ? 1 : Math.max(6, Math.ceil((2 * Math.PI * radius) / side));
    for (const z of [-h, h]) addRing(radius, z, count);
    covering = Math.max(covering, coverRing(radius, dr, Math.PI / count));
  }
  covering = Math.max(covering, coverRing(r, dr, Math.PI / around));
  return { points: Float64Array.from(points), coveringRadius: covering };
}

function coverRing(radius: number, dr: number, half: number): number {
  return Math.sqrt((dr * dr) / 4 + radius * (radius + dr / 2) * half * half);
}

/** Half edges and covering radius to reach, m. */
export function sampleBox(ex: number, ey: number, ez: number, target: number): CoveringPoints {
  const e = [ex, ey, ez];
  const counts = e.map((half) => Math.max(1, Math.ceil((2 * half) / (Math.SQRT2 * target))));
  const cells = e.map((half, k) => (2 * half) / counts[k]);
  const points: number[] = [];
  for (let k = 0; k <= counts[2]; k++) {
    for (let j = 0; j <= counts[1]; j++) {
      // whole rows on the faces, only their ends in between
      const isInside = k > 0 && k < counts[2] && j > 0 && j < counts[1];
      for (let i = 0; i <= counts[0]; i += isInside ? counts[0] : 1) {
        points.push(ex * ((2 * i) / counts[0] - 1), ey * ((2 * j) / counts[1] - 1), ez * ((2 * k) / counts[2] - 1));
      }
    }
  }
  let covering = 0;
  for (let k = 0; k < 3; k++) {
    covering = Math.max(covering, Math.sqrt(squaredLength(cells[k], cells[(k + 1) % 3], 0)) / 2);
  }
  return { points: Float64Array.from(points), coveringRadius: covering };
}

export const SAMPLE_MAKERS: SampleMakers = {
  ellipsoid: sampleEllipsoid,
  cylinder: sampleCylinder,
  box: sampleBox,
  field: sampleField,
};
