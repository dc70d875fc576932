import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { findLowestVertex, LowVertices } from './lowest-vertices.ts';
import { SurfaceContacts } from './surface-contacts.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

const contacts = /* @__PURE__ */ new SurfaceContacts();
const low = /* @__PURE__ */ new LowVertices();

/** Plane and triangle mesh: the vertices within reach. Planes are unbounded, whatever size they are drawn with. */
export function testPlaneMesh(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const mesh = b.mesh as TriangleMesh;
  const r = b.rotation;
  const nx = a.rotation[2];
  const ny = a.rotation[5];
  const nz = a.rotation[8];
  // the plane u·x = floor in the frame of the mesh
  const ux = r[0] * nx + r[3] * ny + r[6] * nz;
  const uy = r[1] * nx + r[4] * ny + r[7] * nz;
  const uz = r[2] * nx + r[5] * ny + r[8] * nz;
  const floor =
    nx * (a.position[0] - b.position[0]) + ny * (a.position[1] - b.position[1]) + nz * (a.position[2] - b.position[2]);
  const lowest = findLowestVertex(mesh, ux, uy, uz);
  if (!(lowest - floor <= reach)) return;
  low.collect(mesh, ux, uy, uz, reach === Infinity ? lowest : floor + reach);
  contacts.clear();
  const { vertices } = mesh;
  for (let i = 0; i < low.count; i++) {
    const v = low.vertex[i];
    const x = vertices[3 * v];
    const y = vertices[3 * v + 1];
    const z = vertices[3 * v + 2];
    const gap = ux * x + uy * y + uz * z - floor;
    contacts.add(x - gap * ux, y - gap * uy, z - gap * uz, ux, uy, uz, gap, v);
  }
  const { bounds } = mesh.tree;
  contacts.write(out, b, 1, Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]));
}
