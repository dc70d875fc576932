import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../../../../scripts/long-run.ts';
import {
  EDGE_OF,
  fillLatticeTetrahedron,
  LARGEST_ANGLE,
  SMALLEST_ANGLE,
  SNAP_LONG,
  SNAP_SHORT,
} from './lattice-stencil.ts';
import { measureQuality } from './mesh-quality.ts';
import { computeVolume } from './tetrahedral-mesh.ts';

// two centres and two corners of a lattice of spacing 1, positive volume 1/12
const CORNERS = [
  [-0.5, 0.5, 0.5],
  [0.5, 0.5, 0.5],
  [0, 1, 0],
  [0, 1, 1],
];
const isLong = (i: number, j: number): boolean => i >> 1 === j >> 1;
const mix = (a: number[], b: number[], t: number): number[] => a.map((x, k) => x + t * (b[k] - x));

/** Offsets along which a vertex may move to a cut: the ends of its 14 edges, as far as it may at most. */
const MOVES: number[][] = [[0, 0, 0]];
for (let k = 0; k < 3; k++) {
  for (const s of [-SNAP_LONG, SNAP_LONG]) MOVES.push([0, 1, 2].map((i) => (i === k ? s : 0)));
}
for (let octant = 0; octant < 8; octant++) {
  MOVES.push([0, 1, 2].map((k) => ((octant >> k) & 1 ? 0.5 : -0.5) * SNAP_SHORT));
}

/** Whether two moved corners moved towards each other: they have one cut between them, which only one of them takes. */
function areFacing(i: number, j: number, p: number[], q: number[]): boolean {
  const edge = CORNERS[j].map((x, k) => x - CORNERS[i][k]);
  const isAlong = (move: number[], sign: number): boolean => {
    const length = Math.hypot(...move);
    const dot = move.reduce((sum, x, k) => sum + sign * x * edge[k], 0);
    return length > 0 && dot > (1 - 1e-9) * length * Math.hypot(...edge);
  };
  return (
    isAlong(
      p.map((x, k) => x - CORNERS[i][k]),
      1,
    ) &&
    isAlong(
      q.map((x, k) => x - CORNERS[j][k]),
      -1,
    )
  );
}

/** No divisor of the numbers of moves and cuts, so that all of them come up together. */
const STRIDE = isLongRun ? 1 : 11;

/** All signs; corners on the surface moved in every way, cuts at both ends of their range and between: one of STRIDE of them. */
function visitCases(visit: (signs: Int8Array, points: number[][], cuts: Int32Array) => void): void {
  let n = 0;
  for (let code = 0; code < 81; code++) {
    const signs = Int8Array.from([1, 3, 9, 27], (power) => (Math.floor(code / power) % 3) - 1);
    if (!signs.includes(1)) continue;
    const choices = CORNERS.map((corner, i) =>
      signs[i] === 0 ? MOVES.map((move) => corner.map((x, k) => x + move[k])) : [corner],
    );
    const cuts = new Int32Array(6).fill(-1);
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) {
        if (!(signs[i] > 0 && signs[j] < 0)) continue;
        cuts[EDGE_OF[4 * i + j]] = choices.length;
        const snap = isLong(i, j) ? SNAP_LONG : SNAP_SHORT;
        choices.push(
          [snap, (snap + 0.5) / 2, 0.5, 0.75 - snap / 2, 1 - snap].map((t) => mix(CORNERS[i], CORNERS[j], t)),
        );
      }
    }
    const index = choices.map(() => 0);
    for (let more = true; more; ) {
      if (n++ % STRIDE === 0) {
        const points = choices.map((list, i) => list[index[i]]);
        const isPossible = [0, 1, 2, 3].every((i) => [0, 1, 2, 3].every((j) => !areFacing(i, j, points[i], points[j])));
        if (isPossible) visit(signs, points, cuts);
      }
      let k = 0;
      while (k < index.length && ++index[k] === choices[k].length) index[k++] = 0;
      more = k < index.length;
    }
  }
}

describe('stencils of the lattice', () => {
  test('every corner and cut in any place: angles within the stated bounds, no volume lost', () => {
    let cases = 0;
    let [smallest, largest, least] = [Math.PI, 0, 1];
    visitCases((signs, points, cuts) => {
      const vertices = Float64Array.from(points.flat());
      const out: number[] = [];
      fillLatticeTetrahedron(out, { corners: Int32Array.of(0, 1, 2, 3), signs, cuts }, vertices);
      const mesh = { vertices, tetrahedra: Int32Array.from(out) };
      const quality = measureQuality(mesh);
      smallest = Math.min(smallest, quality.smallestAngle);
      largest = Math.max(largest, quality.largestAngle);
      least = Math.min(least, computeVolume(mesh));
      cases++;
    });
    expect(cases).toBeGreaterThan(20000 / STRIDE);
    expect(smallest).toBeGreaterThan(SMALLEST_ANGLE);
    expect(largest).toBeLessThan(LARGEST_ANGLE);
    expect(least).toBeGreaterThan(0);
  });

  test('inside and outside part of the same cut fill the tetrahedron', () => {
    visitCases((signs, points, cuts) => {
      if (signs.includes(0) || !signs.includes(-1)) return;
      const vertices = Float64Array.from(points.flat());
      const volumes = [1, -1].map((side) => {
        const out: number[] = [];
        const turned = signs.map((sign) => side * sign);
        fillLatticeTetrahedron(out, { corners: Int32Array.of(0, 1, 2, 3), signs: turned, cuts }, vertices);
        return computeVolume({ vertices, tetrahedra: Int32Array.from(out) });
      });
      // four cuts need not lie in a plane: the two sides then choose a diagonal each, and may overlap in a sliver
      const isPlane = signs.reduce((sum, sign) => sum + sign, 0) !== 0;
      if (isPlane) expect(volumes[0] + volumes[1]).toBeCloseTo(1 / 12, 12);
      else expect(Math.abs(volumes[0] + volumes[1] - 1 / 12)).toBeLessThan(0.02);
    });
  });
});
