/**
 * Points on the zero surface of a field with a known covering radius, for any field with a Lipschitz bound L.
 *
 * Cubes of half diagonal d about c hold no zero if |φ(c)| > L d; the others are cut into eight, level by level. From the
 * centre of each cube that is left, Newton steps along the gradient lead to the surface; points nearer to each other than a
 * given distance are thinned out. A zero y of the field lies in some cube, so with p the point that represents this cube
 *
 *   |y − p| ≤ |y − c| + |c − p| ≤ d + |c − p|,
 *
 * and the largest right side is a covering radius. Where Newton fails, the centre represents its cube.
 */
import type { SignedDistanceField } from './field.ts';
import type { CoveringPoints } from './triangle-samples.ts';

/** Cubes are cut until there are this many (a cut makes about four of one). */
const ENOUGH_CUBES = 16_000;
const MAX_LEVELS = 12;
/** Further cuts where Newton fails. */
const EXTRA_LEVELS = 4;
const NEWTON_STEPS = 20;

/** @param count number of points to aim at */
export function sampleField(field: SignedDistanceField, count: number): CoveringPoints {
  const { bounds } = field;
  const extent = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  let half = extent / 16;
  let cubes = findCubes(field, fillBox(bounds, half), half);
  for (let level = 0; level < MAX_LEVELS && cubes.length < 3 * ENOUGH_CUBES; level++) {
    half /= 2;
    cubes = findCubes(field, cutCubes(cubes, half), half);
  }
  // cubes within L times their half diagonal of the surface fill twice that times its area
  const area = ((cubes.length / 3) * 8 * half * half * half) / (2 * Math.sqrt(3) * half * field.lipschitz);
  const covered: Covered = { centers: [], halves: [], points: [] };
  for (let level = 0; cubes.length > 0; level++) {
    const left = projectCenters(covered, field, cubes, half, 1e-12 * extent, level === EXTRA_LEVELS);
    half /= 2;
    cubes = findCubes(field, cutCubes(left, half), half);
  }
  return thinOut(covered, Math.sqrt((0.75 * area) / count));
}

/** Cubes that may hold a zero, and a point of the surface for each. */
interface Covered {
  centers: number[];
  halves: number[];
  points: number[];
}

// centres of the cubes of half edge `half` that fill a box
function fillBox(bounds: Float64Array, half: number): number[] {
  const centers: number[] = [];
  const counts = [0, 1, 2].map((k) => Math.max(1, Math.ceil((bounds[3 + k] - bounds[k]) / (2 * half))));
  const low = counts.map((n, k) => 0.5 * (bounds[k] + bounds[3 + k]) - (n - 1) * half);
  for (let k = 0; k < counts[2]; k++) {
    for (let j = 0; j < counts[1]; j++) {
      for (let i = 0; i < counts[0]; i++) {
        centers.push(low[0] + 2 * half * i, low[1] + 2 * half * j, low[2] + 2 * half * k);
      }
    }
  }
  return centers;
}

function cutCubes(cubes: number[], half: number): number[] {
  const centers: number[] = [];
  for (let n = 0; n < cubes.length; n += 3) {
    for (let i = 0; i < 8; i++) {
      centers.push(
        cubes[n] + (i & 1 ? half : -half),
        cubes[n + 1] + (i & 2 ? half : -half),
        cubes[n + 2] + (i & 4 ? half : -half),
      );
    }
  }
  return centers;
}

// those that may hold a zero
function findCubes(field: SignedDistanceField, centers: number[], half: number): number[] {
  const reach = Math.sqrt(3) * half * field.lipschitz * (1 + 1e-9);
  const kept: number[] = [];
  for (let n = 0; n < centers.length; n += 3) {
    const d = field.distance(centers[n], centers[n + 1], centers[n + 2]);
    if (d <= reach && d >= -reach) kept.push(centers[n], centers[n + 1], centers[n + 2]);
  }
  return kept;
}

// adds the cubes from whose centres Newton's method finds the surface nearby, at the last level all; returns the others
function projectCenters(
  covered: Covered,
  field: SignedDistanceField,
  cubes: number[],
  half: number,
  tolerance: number,
  isLast: boolean,
): number[] {
  const g = new Float64Array(3);
  const reach = 2 * Math.sqrt(3) * half * field.lipschitz;
  const left: number[] = [];
  for (let n = 0; n < cubes.length; n += 3) {
    const [cx, cy, cz] = [cubes[n], cubes[n + 1], cubes[n + 2]];
    let [x, y, z] = [cx, cy, cz];
    let isThere = false;
    for (let step = 0; step < NEWTON_STEPS; step++) {
      const d = field.gradient(g, x, y, z);
      isThere = Math.abs(d) <= tolerance;
      const squared = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
      if (isThere || !(squared > 1e-6)) break;
      x -= (d * g[0]) / squared;
      y -= (d * g[1]) / squared;
      z -= (d * g[2]) / squared;
    }
    const isFound = isThere && squaredLength(x - cx, y - cy, z - cz) <= reach * reach;
    if (!isFound && !isLast) {
      left.push(cx, cy, cz);
      continue;
    }
    covered.centers.push(cx, cy, cz);
    covered.halves.push(half);
    if (isFound) covered.points.push(x, y, z);
    else covered.points.push(cx, cy, cz);
  }
  return left;
}

// keeps a point if none kept before is within `apart`; a point that is not kept leaves its cube to the one that was
function thinOut({ centers, halves, points }: Covered, apart: number): CoveringPoints {
  const kept: number[] = [];
  const cells = new Map<number, number[]>();
  const cellOf = (x: number) => Math.floor(x / apart) + 524288;
  let covering = 0;
  for (let n = 0; n < points.length; n += 3) {
    const [x, y, z] = [points[n], points[n + 1], points[n + 2]];
    const [i, j, k] = [cellOf(x), cellOf(y), cellOf(z)];
    let nearest = -1;
    let least = apart * apart;
    for (let dk = -1; dk <= 1; dk++) {
      for (let dj = -1; dj <= 1; dj++) {
        for (let di = -1; di <= 1; di++) {
          for (const p of cells.get(cellKey(i + di, j + dj, k + dk)) ?? []) {
            const squared = squaredLength(kept[p] - x, kept[p + 1] - y, kept[p + 2] - z);
            if (squared < least) {
              least = squared;
              nearest = p;
            }
          }
        }
      }
    }
    if (nearest < 0) {
      nearest = kept.length;
      kept.push(x, y, z);
      const key = cellKey(i, j, k);
      const cell = cells.get(key);
      if (cell) cell.push(nearest);
      else cells.set(key, [nearest]);
    }
    const away = squaredLength(
      kept[nearest] - centers[n],
      kept[nearest + 1] - centers[n + 1],
      kept[nearest + 2] - centers[n + 2],
    );
    covering = Math.max(covering, Math.sqrt(3) * halves[n / 3] + Math.sqrt(away));
  }
  return { points: Float64Array.from(kept), coveringRadius: covering };
}

// unlike cells may share a key where a surface is larger than 2¹⁷ cells: then more points are checked, nothing else
function cellKey(i: number, j: number, k: number): number {
  return (i % 131072) + 131072 * (j % 131072) + 17179869184 * (k % 131072);
}

function squaredLength(x: number, y: number, z: number): number {
  return x * x + y * y + z * z;
}
