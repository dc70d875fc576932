/**
 * Triangles of a solid, counter-clockwise from outside.
 *
 * Round solids are grids over (u, v) with the normal of the true surface at each vertex. A chord of a circle of radius r
 * in n pieces is off by r (1 − cos(π/n)): 0.5 % of r for the 32 pieces used here.
 */
import type { Vec3 } from '@nexdyn/engine';
import { addCreaseNormals } from './crease-normals.ts';
import type { Solid } from './solid.ts';

/** Triangles with a normal at each vertex. */
export interface Surface {
  /** x, y, z of each vertex, m. */
  positions: Float32Array;
  /** A unit vector for each vertex. */
  normals: Float32Array;
  /** Three vertices per triangle. */
  indices: Uint32Array;
}

/** Pieces of a circle. */
const AROUND = 32;
/** Pieces of half a circle. */
const ALONG = 16;

/** How each solid is cut into triangles. */
const TRIANGULATE: { readonly [K in Solid['kind']]: (solid: Extract<Solid, { kind: K }>) => Surface } = {
  rectangle: ({ halfSize: [x, y] }) => joinQuads([{ center: [0, 0, 0], u: [x, 0, 0], v: [0, y, 0] }]),
  box: ({ halfSize }) => triangulateBox(halfSize),
  ellipsoid: ({ radii }) => triangulateEllipsoid(radii),
  capsule: ({ radius, halfLength }) => triangulateProfile(listCapsuleProfile(radius, halfLength)),
  cylinder: ({ radius, halfLength }) => triangulateProfile(listCylinderProfile(radius, halfLength)),
  torus: ({ majorRadius, minorRadius }) => triangulateTorus(majorRadius, minorRadius),
  mesh: ({ vertices, faces }) => addCreaseNormals(vertices, faces),
};

/** Triangles of a solid, counter-clockwise from outside. */
export function triangulate(solid: Solid): Surface {
  return TRIANGULATE[solid.kind](solid as never);
}

/** A flat parallelogram center ± u ± v whose normal is u × v. */
interface Quad {
  center: Vec3;
  u: Vec3;
  v: Vec3;
}

function triangulateBox([x, y, z]: Vec3): Surface {
  return joinQuads([
    { center: [x, 0, 0], u: [0, y, 0], v: [0, 0, z] },
    { center: [-x, 0, 0], u: [0, 0, z], v: [0, y, 0] },
    { center: [0, y, 0], u: [0, 0, z], v: [x, 0, 0] },
    { center: [0, -y, 0], u: [x, 0, 0], v: [0, 0, z] },
    { center: [0, 0, z], u: [x, 0, 0], v: [0, y, 0] },
    { center: [0, 0, -z], u: [0, y, 0], v: [x, 0, 0] },
  ]);
}

function joinQuads(quads: readonly Quad[]): Surface {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (const { center, u, v } of quads) {
    const first = positions.length / 3;
    const normal = normalize([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]);
    for (const [a, b] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const) {
      for (let k = 0; k < 3; k++) positions.push(center[k]! + a * u[k]! + b * v[k]!);
      normals.push(...normal);
    }
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
  };
}

/** Point of a half plane that is turned about z: distance from the axis, height, and the normal there. */
interface ProfilePoint {
  r: number;
  z: number;
  nr: number;
  nz: number;
}

/** From the lower pole to the upper one. */
function listArc(radius: number, from: number, to: number, height: number, pieces: number): ProfilePoint[] {
  return Array.from({ length: pieces + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / pieces;
    // at the poles exactly on the axis
    const nr = Math.cos(angle) < 1e-12 ? 0 : Math.cos(angle);
    const nz = Math.sin(angle);
    return { r: radius * nr, z: height + radius * nz, nr, nz };
  });
}

function listCapsuleProfile(radius: number, halfLength: number): ProfilePoint[] {
  return [
    ...listArc(radius, -Math.PI / 2, 0, -halfLength, ALONG / 2),
    ...listArc(radius, 0, Math.PI / 2, halfLength, ALONG / 2),
  ];
}

/** The rim has two vertices per point, one for each side of the sharp edge. */
function listCylinderProfile(radius: number, halfLength: number): ProfilePoint[] {
  return [
    { r: 0, z: -halfLength, nr: 0, nz: -1 },
    { r: radius, z: -halfLength, nr: 0, nz: -1 },
    { r: radius, z: -halfLength, nr: 1, nz: 0 },
    { r: radius, z: halfLength, nr: 1, nz: 0 },
    { r: radius, z: halfLength, nr: 0, nz: 1 },
    { r: 0, z: halfLength, nr: 0, nz: 1 },
  ];
}

/** Turns a profile about z. */
function triangulateProfile(profile: readonly ProfilePoint[]): Surface {
  return triangulateGrid(profile.length, AROUND + 1, (row, column) => {
    const { r, z, nr, nz } = profile[row]!;
    const [cos, sin] = turn(column, AROUND);
    return { point: [r * cos, r * sin, z], normal: [nr * cos, nr * sin, nz] };
  });
}

function triangulateEllipsoid([a, b, c]: Vec3): Surface {
  const arc = listArc(1, -Math.PI / 2, Math.PI / 2, 0, ALONG);
  return triangulateGrid(arc.length, AROUND + 1, (row, column) => {
    const [cos, sin] = turn(column, AROUND);
    const { r, z } = arc[row]!;
    // the normal of an ellipsoid is that of the sphere divided by the radii
    return { point: [a * r * cos, b * r * sin, c * z], normal: normalize([(r * cos) / a, (r * sin) / b, z / c]) };
  });
}

function triangulateTorus(major: number, minor: number): Surface {
  return triangulateGrid(ALONG + 1, AROUND + 1, (row, column) => {
    const [outward, up] = turn(row, ALONG);
    const [cos, sin] = turn(column, AROUND);
    const r = major + minor * outward;
    return { point: [r * cos, r * sin, minor * up], normal: [outward * cos, outward * sin, up] };
  });
}

/** A grid whose rows go up and whose columns go around, counter-clockwise from above; triangles of no area are left out. */
function triangulateGrid(
  rows: number,
  columns: number,
  evaluate: (row: number, column: number) => { point: Vec3; normal: Vec3 },
): Surface {
  const positions = new Float32Array(3 * rows * columns);
  const normals = new Float32Array(3 * rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const { point, normal } = evaluate(row, column);
      positions.set(point, 3 * (row * columns + column));
      normals.set(normal, 3 * (row * columns + column));
    }
  }
  const indices: number[] = [];
  const isSame = (a: number, b: number): boolean =>
    [0, 1, 2].every((k) => positions[3 * a + k] === positions[3 * b + k]);
  const add = (a: number, b: number, c: number): void => {
    if (!isSame(a, b) && !isSame(b, c) && !isSame(c, a)) indices.push(a, b, c);
  };
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const corner = row * columns + column;
      add(corner, corner + 1, corner + columns + 1);
      add(corner, corner + columns + 1, corner + columns);
    }
  }
  return { positions, normals, indices: Uint32Array.from(indices) };
}

/** Cosine and sine of a piece of the circle; the last piece ends exactly where the first begins. */
function turn(piece: number, pieces: number): [number, number] {
  const angle = (2 * Math.PI * (piece % pieces)) / pieces;
  return [Math.cos(angle), Math.sin(angle)];
}

function normalize([x, y, z]: Vec3): Vec3 {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}
