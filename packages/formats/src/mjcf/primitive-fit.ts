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
import type { PrimitiveType } from './primitive-types.ts';

/** A primitive: its frame in that of the mesh, and its sizes in the order of MJCF. */
export interface Fit {
  frame: Frame;
  size: [number, number, number];
}

/** Fits a primitive to a mesh; undefined where it cannot stand for one. */
export function fitPrimitive(mesh: MeshAsset, type: PrimitiveType, boundingBox: boolean): Fit | undefined {
  const { fitInertia, fitInside } = type;
  if (!fitInertia || !fitInside) return undefined;
  const { frame, halfSize } = findInertiaBox(mesh);
  if (!boundingBox) return { frame, size: fitInertia(halfSize) };
  const box = findBoundingBox(mesh, frame);
  return { frame: box.frame, size: fitInside(box.halfSize) };
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

/** The bounding box of the vertices in the principal axes, and the frame at its centre. */
function findBoundingBox(mesh: MeshAsset, principal: Frame): { frame: Frame; halfSize: Vec3 } {
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
  return { frame, halfSize: [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2] };
}
