/**
 * What contact does to the surface of a soft body, per vertex: the force of every contact is shared among the vertices that carry it,
 *   f_v = Σ w f,   p_v = Σ w f_n / a_v,   τ_v = |Σ w f_t| / a_v
 * w the weights of a contact (they sum to 1), f_n its normal and f_t its tangential force (N), a_v a third of the triangles around the
 * vertex where they are now, of rods half of the sides of the edges beside it (m²). Σ f_v is the contact force on the body, and
 * Σ p_v a_v the sum of its normal forces. Contacts by pressure act in tetrahedra: what a vertex inside would carry counts for those of
 * the surface beside it.
 */
import { CARRIER, type ContactSet } from '../../collision/contact-set.ts';
import { computeTriangleArea } from '../../geometry/tetrahedra/mesh-surface.ts';
import type { Model } from '../../model/model.ts';

/** Forces of contacts on the vertices of a soft body, in the last step. */
export interface SurfaceReadout {
  /** Per vertex: part of the surface, m²; 0 inside. */
  readonly area: Float64Array;
  /** Per vertex: force of all contacts, three numbers, N. */
  readonly force: Float64Array;
  /** Per vertex: normal force per area, Pa. */
  readonly pressure: Float64Array;
  /** Per vertex: tangential force per area, Pa. */
  readonly shear: Float64Array;
}

export function createSurfaceReadout(vertexCount: number): SurfaceReadout {
  return {
    area: new Float64Array(vertexCount),
    force: new Float64Array(3 * vertexCount),
    pressure: new Float64Array(vertexCount),
    shear: new Float64Array(vertexCount),
  };
}

/** Reads soft body n from the contacts of a step; `position` are all vertices, m. */
export function readSurface(
  out: SurfaceReadout,
  model: Model,
  contacts: ContactSet,
  n: number,
  position: Float64Array,
): void {
  const { area, force, pressure, shear } = out;
  const tangential = new Float64Array(force.length);
  writeAreas(area, model, n, position);
  force.fill(0);
  pressure.fill(0);
  for (let i = 0; i < contacts.count; i++) {
    if (contacts.carrierKind1[i] === CARRIER.soft && contacts.carrier1[i] === n)
      addContact(out, tangential, model, contacts, i, n, -1, position);
    if (contacts.carrierKind2[i] === CARRIER.soft && contacts.carrier2[i] === n)
      addContact(out, tangential, model, contacts, i, n, 1, position);
  }
  for (let v = 0; v < area.length; v++) {
    const scale = area[v] > 0 ? 1 / area[v] : 0;
    pressure[v] *= scale;
    shear[v] = scale * Math.hypot(tangential[3 * v], tangential[3 * v + 1], tangential[3 * v + 2]);
  }
}

const share = /* @__PURE__ */ new Float64Array(4);

function addContact(
  { area, force, pressure }: SurfaceReadout,
  tangential: Float64Array,
  model: Model,
  contacts: ContactSet,
  i: number,
  n: number,
  sign: number,
  position: Float64Array,
): void {
  const first = model.soft.vertexStart[n];
  const vertex = sign < 0 ? contacts.vertex1 : contacts.vertex2;
  const weight = sign < 0 ? contacts.weight1 : contacts.weight2;
  const normalForce = contacts.force[6 * i];
  let outer = 0;
  for (let k = 0; k < 4; k++) {
    const v = vertex[4 * i + k] - first;
    share[k] = vertex[4 * i + k] >= 0 && area[v] > 0 ? weight[4 * i + k] : 0;
    outer += share[k];
  }
  // deep inside no vertex is on the surface: the nearest one is
  const nearest = outer > 0 ? -1 : findNearest(area, position, first, contacts.position, 3 * i);
  for (let k = 0; k < 4; k++) {
    const v = outer > 0 ? vertex[4 * i + k] - first : k === 0 ? nearest : -1;
    const part = outer > 0 ? share[k] / outer : 1;
    if (v < 0 || v >= area.length || part === 0) continue;
    pressure[v] += part * normalForce;
    for (let c = 0; c < 3; c++) {
      const along = contacts.frame[9 * i + c] * normalForce;
      const across =
        contacts.frame[9 * i + 3 + c] * contacts.force[6 * i + 1] +
        contacts.frame[9 * i + 6 + c] * contacts.force[6 * i + 2];
      force[3 * v + c] += sign * part * (along + across);
      tangential[3 * v + c] += sign * part * across;
    }
  }
}

function findNearest(area: Float64Array, x: Float64Array, first: number, point: Float64Array, at: number): number {
  let nearest = -1;
  let least = Infinity;
  for (let v = 0; v < area.length; v++) {
    if (area[v] === 0) continue;
    const i = 3 * (first + v);
    const square = (x[i] - point[at]) ** 2 + (x[i + 1] - point[at + 1]) ** 2 + (x[i + 2] - point[at + 2]) ** 2;
    if (square < least) {
      least = square;
      nearest = v;
    }
  }
  return nearest;
}

function writeAreas(area: Float64Array, { soft }: Model, n: number, x: Float64Array): void {
  const first = soft.vertexStart[n];
  area.fill(0);
  for (let t = 3 * soft.triangleStart[n]; t < 3 * soft.triangleStart[n + 1]; t += 3) {
    const third = computeTriangleArea(x, soft.triangle, t) / 3;
    for (let k = 0; k < 3; k++) area[soft.triangle[t + k] - first] += third;
  }
  for (let e = soft.edgeStart[n]; e < soft.edgeStart[n + 1]; e++) {
    const [a, b] = [3 * soft.edge[2 * e], 3 * soft.edge[2 * e + 1]];
    const length = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
    const half = 0.5 * Math.PI * soft.thickness[n] * length;
    area[a / 3 - first] += half;
    area[b / 3 - first] += half;
  }
}
