/**
 * An overhand knot whose ends are pulled apart under ipc, so that it tightens on itself. The middle line is (t³ − 3t, t⁴ − 4t², (t⁵ − 10t)/4), a long
 * trefoil (Shastri 1992). The rod of radius r does not intersect itself where any two edges that share no point are at least 2 r apart.
 */

import { simulate, takeStep } from '../case-scene.ts';
import { distanceSquaredOfSegments } from './segment-distance.ts';

export interface TightKnot {
  /** Smallest distance of two edges that are no neighbours in all steps, over the diameter of the rod. */
  gap: number;
  /** Distance of the ends over the length of the rod; a rod without a knot would come to 1. */
  reach: number;
}

const CELLS = 80;
const RADIUS = 0.003;

export function tightenKnot(): TightKnot {
  const points = meshKnot();
  const end = points.slice(-3).map((value, c) => value - points[c]!);
  const apart = Math.hypot(...end);
  // the ends go apart until they are a length of 0.72 m away from each other, of a rod of 1 m
  const way = end.map((value) => (value / apart) * 0.5 * (0.72 - apart));
  const simulation = simulate('ipc', {
    options: { gravity: [0, 0, 0], timestep: 0.02, ipc: { tolerance: 1e-3, frictionPasses: 1 } },
    softBodies: [
      {
        name: 'rod',
        mesh: { kind: 'polyline', points, radius: RADIUS },
        elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, massDamping: 20 },
        selfContact: true,
        driven: [
          { vertices: [0], times: [0, 1], displacements: [0, 0, 0, ...way.map((value) => -value)] },
          { vertices: [CELLS], times: [0, 1], displacements: [0, 0, 0, ...way] },
        ],
      },
    ],
  });
  let gap = Infinity;
  for (let k = 0; k < 55; k++) {
    takeStep(simulation);
    gap = Math.min(gap, findGap(simulation.softPosition('rod')));
  }
  const now = simulation.softPosition('rod');
  const reach = Math.hypot(...[0, 1, 2].map((c) => now[3 * CELLS + c]! - now[c]!));
  return { gap: gap / (2 * RADIUS), reach };
}

/** Edges next to each other meet; those after them are apart by an edge. */
function findGap(x: Float64Array): number {
  let least = Infinity;
  for (let i = 0; i < CELLS; i++)
    for (let j = i + 2; j < CELLS; j++)
      least = Math.min(least, distanceSquaredOfSegments(x, 3 * i, 3 * i + 3, 3 * j, 3 * j + 3));
  return Math.sqrt(least);
}

function meshKnot(): number[] {
  const curve = (t: number): number[] => [t ** 3 - 3 * t, t ** 4 - 4 * t * t, (t ** 5 - 10 * t) / 4];
  const fine = Array.from({ length: 4001 }, (_, i) => curve(-2.25 + (4.5 * i) / 4000));
  const along = [0];
  for (let i = 1; i < fine.length; i++)
    along.push(along[i - 1]! + Math.hypot(...fine[i]!.map((value, c) => value - fine[i - 1]![c]!)));
  const total = along.at(-1)!;
  const points: number[] = [];
  for (let k = 0, i = 0; k <= CELLS; k++) {
    while (i + 1 < fine.length && along[i]! < (total * k) / CELLS) i++;
    points.push(...fine[i]!.map((value) => value / total));
  }
  return points;
}
