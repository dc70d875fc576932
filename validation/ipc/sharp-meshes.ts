/** Meshes with sharp features: spikes, wedges, tetrahedra, and ground with grooves, pits and inner edges. All in metres. */
import type { MeshAsset, Vec3 } from '@nexdyn/engine';

/** A pyramid over a square, its tip at the origin, its base at z = height. */
export function createSpike(name: string, half: number, height: number): MeshAsset {
  const base = [-half, -half, height, half, -half, height, half, half, height, -half, half, height];
  const faces = [0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 1, 4, 1, 2, 3, 1, 3, 4];
  return { name, vertices: [0, 0, 0, ...base], faces, inertia: 'exact' };
}

/** A prism over a triangle, its sharp edge on the y axis, its base at z = height. */
export function createWedge(name: string, half: number, height: number, halfLength: number): MeshAsset {
  const vertices = [-halfLength, halfLength].flatMap((y) => [0, y, 0, -half, y, height, half, y, height]);
  const faces = [0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 0, 3, 5, 0, 5, 2, 1, 2, 5, 1, 5, 4];
  return { name, vertices, faces, inertia: 'exact' };
}

/** A tetrahedron by its corners; the fourth on the inner side of the first three, counter-clockwise from outside. */
export function createTetrahedron(name: string, corners: readonly [Vec3, Vec3, Vec3, Vec3]): MeshAsset {
  return { name, vertices: corners.flat(), faces: [0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0], inertia: 'exact' };
}

/** A sheet without thickness along y: a line of points in the xz plane, drawn out from y = −half to half in equal strips. */
export function createProfile(
  name: string,
  line: readonly (readonly [x: number, z: number])[],
  half: number,
  strips: number,
): MeshAsset {
  const vertices: number[] = [];
  const faces: number[] = [];
  const n = line.length;
  for (let j = 0; j <= strips; j++) {
    const y = -half + (2 * half * j) / strips;
    for (const [x, z] of line) vertices.push(x, y, z);
  }
  for (let j = 0; j < strips; j++) {
    for (let i = 0; i + 1 < n; i++) {
      const a = j * n + i;
      // diagonals alternate, so that no direction is favoured
      if ((i + j) % 2 === 0) faces.push(a, a + 1, a + n + 1, a, a + n + 1, a + n);
      else faces.push(a, a + 1, a + n, a + 1, a + n + 1, a + n);
    }
  }
  return { name, vertices, faces };
}

/** A square sheet at z = 0 with a pit in the shape of a pyramid in its middle. */
export function createPit(name: string, half: number, depth: number, outer: number): MeshAsset {
  const ring = (h: number): number[] => [-h, -h, 0, h, -h, 0, h, h, 0, -h, h, 0];
  const faces: number[] = [];
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4;
    faces.push(0, 1 + i, 1 + j, 1 + i, 5 + i, 5 + j, 1 + i, 5 + j, 1 + j);
  }
  return { name, vertices: [0, 0, -depth, ...ring(half), ...ring(outer)], faces };
}

/** A sheet of one parallelogram: a corner and two sides. */
export function createParallelogram(name: string, corner: Vec3, u: Vec3, v: Vec3): MeshAsset {
  const at = (s: number, t: number): number[] => corner.map((value, k) => value + s * u[k]! + t * v[k]!);
  return { name, vertices: [...at(0, 0), ...at(1, 0), ...at(1, 1), ...at(0, 1)], faces: [0, 1, 2, 0, 2, 3] };
}

/** A square sheet at z = 0 with a square hole in its middle. */
export function createFrame(name: string, hole: number, outer: number): MeshAsset {
  const ring = (h: number): number[] => [-h, -h, 0, h, -h, 0, h, h, 0, -h, h, 0];
  const faces: number[] = [];
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4;
    faces.push(i, 4 + i, 4 + j, i, 4 + j, j);
  }
  return { name, vertices: [...ring(hole), ...ring(outer)], faces };
}
