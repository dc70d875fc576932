/** Geometries of shapes in their frames; cylinders and capsules lie along z, as in a scene. */
import { describePicture, type Model } from '@nexdyn/engine';
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
} from 'three';

/** Half the size at which a plane without end is drawn, m. */
const ENDLESS = 50;

/** The geometry of shape s; undefined where there is nothing to draw. */
export function createShapeGeometry(model: Model, s: number): BufferGeometry | undefined {
  const picture = describePicture(model, s);
  if (!picture) return undefined;
  const [a, b, c] = picture.size;
  const make: Readonly<Record<string, () => BufferGeometry | undefined>> = {
    plane: () => new PlaneGeometry(2 * (a || ENDLESS), 2 * (b || ENDLESS)),
    sphere: () => new SphereGeometry(a, 32, 24),
    ellipsoid: () => new SphereGeometry(1, 32, 24).scale(a, b, c),
    box: () => new BoxGeometry(2 * a, 2 * b, 2 * c),
    cylinder: () => new CylinderGeometry(a, a, 2 * b, 40).rotateX(Math.PI / 2),
    capsule: () => new CapsuleGeometry(a, 2 * b, 10, 28).rotateX(Math.PI / 2),
    torus: () => new TorusGeometry(a, b, 20, 48),
    mesh: () => createMesh(model, picture.asset),
    triangles: () => picture.surface && createSurface(picture.surface.vertices, picture.surface.triangles),
  };
  return make[picture.kind]?.();
}

function createMesh({ mesh }: Model, m: number): BufferGeometry {
  const vertices = mesh.vertices.subarray(3 * mesh.vertexStart[m]!, 3 * (mesh.vertexStart[m]! + mesh.vertexCount[m]!));
  const faces = mesh.faces.subarray(3 * mesh.faceStart[m]!, 3 * (mesh.faceStart[m]! + mesh.faceCount[m]!));
  return createSurface(vertices, faces);
}

function createSurface(vertices: ArrayLike<number>, triangles: ArrayLike<number>): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(vertices), 3));
  geometry.setIndex(Array.from(triangles));
  geometry.computeVertexNormals();
  return geometry;
}
