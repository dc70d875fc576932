/** The triangles of a rigid surface that presses on compliant bodies, with their normals and a tree of boxes. */
import { NexdynError } from '../../error.ts';
import type { BoundingTree } from '../bounding-tree/bounding-tree.ts';
import { buildBoundingTree } from '../bounding-tree/tree-builder.ts';
import { triangleArea } from '../mesh-mass.ts';

export interface RigidSurface {
  /** Nine coordinates per triangle, counter-clockwise from outside, m. */
  readonly corners: Float64Array;
  /** Outward unit normal per triangle. */
  readonly normal: Float64Array;
  /** Boxes of the triangles in the frame of the surface. */
  readonly tree: BoundingTree;
}

/** Most triangles that halving may add. */
const MOST_ADDED = 200_000;

/** Triangles are halved at their longest edges until none is longer than the resolution (m); Infinity leaves them as they are. */
export function buildRigidSurface(
  vertices: ArrayLike<number>,
  triangles: ArrayLike<number>,
  resolution: number,
): RigidSurface {
  const open: number[][] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corner = (i: number): number[] => [0, 1, 2].map((k) => vertices[3 * triangles[t + i] + k]);
    open.push([...corner(0), ...corner(1), ...corner(2)]);
  }
  // from the last to the first, so that the order of the triangles stays
  open.reverse();
  const done: number[] = [];
  const most = triangles.length / 3 + MOST_ADDED;
  const refuse = (): never => {
    const reason = `a surface at a resolution of ${resolution} m has more than ${MOST_ADDED} triangles`;
    throw new NexdynError('too-large', reason, { hint: 'use a larger resolution' });
  };
  // none with edges up to r is larger than the regular one, √3/4 r²: a resolution that is far too fine is refused at once
  if (triangleArea(vertices, triangles) > (most * Math.sqrt(3) * resolution * resolution) / 4) refuse();
  while (open.length > 0) {
    const triangle = open.pop()!;
    const [edge, length] = findLongestEdge(triangle);
    if (length <= resolution * (1 + 1e-9)) {
      done.push(...triangle);
      continue;
    }
    if (done.length / 9 + open.length > most) refuse();
    const [a, b, c] = [edge, (edge + 1) % 3, (edge + 2) % 3].map((i) => triangle.slice(3 * i, 3 * i + 3));
    const middle = a.map((x, k) => 0.5 * (x + b[k]));
    open.push([...middle, ...b, ...c], [...a, ...middle, ...c]);
  }
  return finishSurface(done);
}

function finishSurface(list: readonly number[]): RigidSurface {
  const kept: number[] = [];
  const normal: number[] = [];
  for (let o = 0; o < list.length; o += 9) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = list.slice(o, o + 9);
    const [ux, uy, uz, vx, vy, vz] = [bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(x * x + y * y + z * z);
    // triangles without area press on nothing
    if (!(length > 0)) continue;
    kept.push(ax, ay, az, bx, by, bz, cx, cy, cz);
    normal.push(x / length, y / length, z / length);
  }
  const corners = Float64Array.from(kept);
  const count = corners.length / 9;
  const boxes = new Float64Array(6 * count);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [corners[9 * t + k], corners[9 * t + 3 + k], corners[9 * t + 6 + k]];
      boxes[6 * t + k] = Math.min(a, b, c);
      boxes[6 * t + 3 + k] = Math.max(a, b, c);
    }
  }
  return { corners, normal: Float64Array.from(normal), tree: buildBoundingTree(boxes, count) };
}

function findLongestEdge(triangle: readonly number[]): [number, number] {
  let longest: [number, number] = [0, -1];
  for (let i = 0; i < 3; i++) {
    let squared = 0;
    for (let k = 0; k < 3; k++) squared += (triangle[3 * i + k] - triangle[3 * ((i + 1) % 3) + k]) ** 2;
    if (squared > longest[1] * (1 + 1e-12)) longest = [i, squared];
  }
  return [longest[0], Math.sqrt(longest[1])];
}
