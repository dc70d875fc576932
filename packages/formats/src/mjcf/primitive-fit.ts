/**
 * Fits a primitive to a mesh.
 *
 * By inertia (the default): the box of half sizes s with the volume integrals of the mesh, in its principal axes,
 * sᵢ = ½ √(6 (Iⱼ + Iₖ − Iᵢ) / V), with I the principal moments at density 1 in decreasing order and V the volume; round
 * primitives take means of s. By bounding box: the same with the bounding box of the vertices in the principal axes, round
 * primitives taking the larger side.
 */
import { compileModel, type MeshAsset, type Quaternion, type Vec3 } from '@nexdyn/engine';
import { conjugate, type Frame, rotate, transformPoint } from './orientation.ts';

/** Primitives that can represent a mesh. */
export type FittedKind = 'sphere' | 'capsule' | 'ellipsoid' | 'cylinder' | 'box';

/** A primitive: its frame in that of the mesh, and its sizes in the order of MJCF. */
export interface Fit {
  frame: Frame;
  size: [number, number, number];
}

/** Fits a primitive to a mesh. */
export function fitPrimitive(mesh: MeshAsset, kind: FittedKind, boundingBox: boolean): Fit {
  const { frame, halfSize } = findInertiaBox(mesh);
  if (boundingBox) return fitAround(mesh, kind, frame);
  const [a, b, c] = halfSize;
  const round = (a + b) / 2;
  switch (kind) {
    case 'sphere':
      return { frame, size: [(a + b + c) / 3, 0, 0] };
    case 'capsule':
      return { frame, size: [round, Math.max(0, c - round / 2), 0] };
    case 'cylinder':
      return { frame, size: [round, c, 0] };
    default:
      return { frame, size: [a, b, c] };
  }
}

/** The principal frame of a mesh and the box that has its inertia. */
function findInertiaBox(mesh: MeshAsset): { frame: Frame; halfSize: Vec3 } {
  // a scene with nothing else in it weighs the mesh
  const { body } = compileModel({
    format: 'nexdyn-scene',
    version: 1,
    meshes: [mesh],
    bodies: [{ shapes: [{ kind: 'convexMesh', mesh: mesh.name, density: 1 }] }],
  });
  const volume = body.mass[1]!;
  const [i, j, k] = body.inertiaMoments.slice(3, 6) as unknown as Vec3;
  const edge = (sum: number): number => Math.sqrt((6 * Math.max(0, sum)) / volume) / 2;
  return {
    frame: {
      position: [...body.inertiaCenter.slice(3, 6)] as Vec3,
      orientation: [...body.inertiaOrientation.slice(4, 8)] as Quaternion,
    },
    halfSize: [edge(j + k - i), edge(i + k - j), edge(i + j - k)],
  };
}

/** The primitive that touches the bounding box of the vertices in the principal axes from inside, with its centre. */
function fitAround(mesh: MeshAsset, kind: FittedKind, principal: Frame): Fit {
  const back = conjugate(principal.orientation);
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let v = 0; v + 2 < mesh.vertices.length; v += 3) {
    const [x, y, z] = principal.position;
    const point = rotate(back, [mesh.vertices[v]! - x, mesh.vertices[v + 1]! - y, mesh.vertices[v + 2]! - z]);
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis]!, point[axis]!);
      high[axis] = Math.max(high[axis]!, point[axis]!);
    }
  }
  const center: Vec3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const frame: Frame = { position: transformPoint(principal, center), orientation: principal.orientation };
  const [a, b, c]: Vec3 = [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2];
  const across = Math.max(a, b);
  switch (kind) {
    case 'sphere':
      return { frame, size: [Math.max(across, c), 0, 0] };
    case 'capsule':
      return { frame, size: [across, Math.max(0, c - across), 0] };
    case 'cylinder':
      return { frame, size: [across, c, 0] };
    default:
      return { frame, size: [a, b, c] };
  }
}
