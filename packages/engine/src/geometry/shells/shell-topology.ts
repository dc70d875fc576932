/**
 * Who is next to whom in a shell: the edges between two triangles are its hinges. An edge may have one triangle or two; triangles need
 * not be oriented alike, so that a Möbius strip is a shell too.
 */
import { NexdynError } from '../../error.ts';

export interface ShellTopology {
  /** Four vertices per hinge: the ends of the edge in the order of its first triangle, the corner of that, the corner of the other. */
  readonly hinge: Int32Array;
  /** Per triangle and edge k, which lies opposite to its corner k: the hinge, −1 on the border. */
  readonly hingeOf: Int32Array;
  /** Per triangle and edge: 1 where its normal is on the side of the first triangle of the hinge, else −1. */
  readonly side: Int8Array;
  /** Per triangle and edge: 1 where it is the first triangle of the hinge, −1 where the second. */
  readonly part: Int8Array;
  /** Per triangle and edge: the corner of the triangle beyond it, −1 on the border. */
  readonly beyond: Int32Array;
}

/** `path` is that of the mesh of the soft body. */
export function findHinges(triangles: Int32Array, vertexCount: number, path: string): ShellTopology {
  const count = triangles.length / 3;
  const firstOf = new Map<number, number>();
  const hingeOf = new Int32Array(3 * count).fill(-1);
  const beyond = new Int32Array(3 * count).fill(-1);
  const side = new Int8Array(3 * count).fill(1);
  const part = new Int8Array(3 * count).fill(1);
  const hinge: number[] = [];
  for (let i = 0; i < 3 * count; i++) {
    const t = 3 * Math.floor(i / 3);
    const k = i - t;
    const a = triangles[t + ((k + 1) % 3)];
    const b = triangles[t + ((k + 2) % 3)];
    const key = Math.min(a, b) * vertexCount + Math.max(a, b);
    const first = firstOf.get(key);
    if (first === undefined) {
      firstOf.set(key, i);
      continue;
    }
    if (hingeOf[first] >= 0) throw tooManyTriangles(a, b, triangles, path);
    if (triangles[first] === triangles[i]) throw sameTriangle(Math.floor(first / 3), Math.floor(i / 3), path);
    const owner = 3 * Math.floor(first / 3);
    const start = triangles[owner + ((first - owner + 1) % 3)];
    const end = triangles[owner + ((first - owner + 2) % 3)];
    hingeOf[first] = hingeOf[i] = hinge.length / 4;
    hinge.push(start, end, triangles[first], triangles[i]);
    // seen from the same side, the second triangle runs along the edge the other way
    side[i] = a === start ? -1 : 1;
    part[i] = -1;
    beyond[first] = triangles[i];
    beyond[i] = triangles[first];
  }
  return { hinge: Int32Array.from(hinge), hingeOf, side, part, beyond };
}

function sameTriangle(first: number, second: number, path: string): NexdynError {
  return new NexdynError('invalid-mesh', `triangles ${first} and ${second} have the same three vertices`, {
    path: `${path}.triangles`,
    hint: 'leave out one of them, or give each sheet vertices of its own',
  });
}

function tooManyTriangles(a: number, b: number, triangles: Int32Array, path: string): NexdynError {
  const owners: number[] = [];
  for (let t = 0; 3 * t < triangles.length; t++) {
    const corners = triangles.subarray(3 * t, 3 * t + 3);
    if (corners.includes(a) && corners.includes(b)) owners.push(t);
  }
  return new NexdynError(
    'invalid-mesh',
    `the edge between vertices ${a} and ${b} belongs to ${owners.length} triangles: ${owners.slice(0, 4).join(', ')}`,
    {
      path: `${path}.triangles`,
      hint: 'An edge of a shell has one triangle or two: cut the surface there, with vertices of its own for each sheet.',
    },
  );
}
