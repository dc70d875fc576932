/**
 * Taxels on the vertices of a mesh, as MuJoCo 4.0 measures them. x is a vertex in the world; shapes g of other bodies count that have a contact
 * with the welded bodies b of the sensor:
 *   depth      max_g max(−φ_g(x), 0)
 *   sliding    Σ_g |t · (v_b(x) − v_g(x))| over the shapes that x is in, for the two directions t of the vertex
 * φ is the signed distance of a shape, as MuJoCo takes it (taxel-distance.ts).
 * v are velocities of bodies at x.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { TaxelDistance } from '../geometry/mujoco/taxel-distance.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import type { Model } from '../model/model.ts';
import type { MeshTactileSensor } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import { type CarriedFrame, frameOfShape } from './carried-frame.ts';
import type { SensorReader } from './sensor-reader.ts';

const point = /* @__PURE__ */ new Float64Array(3);
const local = /* @__PURE__ */ new Float64Array(3);
const velocity = /* @__PURE__ */ new Float64Array(3);
const other = /* @__PURE__ */ new Float64Array(3);

export function createMeshTactile(model: Model, { shape, mesh, tangents }: MeshTactileSensor): SensorReader {
  const taxels = new Taxels(model, frameOfShape(model, shape, false), mesh, tangents);
  return {
    needs: ['shapes'],
    read({ work, contacts, queries }, out, at): void {
      taxels.read(out, at, work, contacts, queries.plan.placed);
    },
  };
}

class Taxels {
  readonly #model: Model;
  readonly #frame: CarriedFrame;
  readonly #vertices: Float64Array;
  readonly #tangents: Float64Array | undefined;
  readonly #count: number;
  /** Per shape: 1 where it touches what carries the sensor. */
  readonly #touches: Uint8Array;
  /** Per shape: its distance in its frame, made when it first touches; undefined also for shapes that taxels do not feel. */
  readonly #distances: (TaxelDistance | undefined)[] = [];

  constructor(model: Model, frame: CarriedFrame, mesh: string, tangents: readonly number[] | undefined) {
    const { vertexStart, vertexCount, vertices, name } = model.mesh;
    const m = findIndex(name, mesh, 'mesh');
    this.#model = model;
    this.#frame = frame;
    this.#count = vertexCount[m];
    this.#vertices = vertices.subarray(3 * vertexStart[m], 3 * (vertexStart[m] + vertexCount[m]));
    this.#tangents = tangents && Float64Array.from(tangents);
    this.#touches = new Uint8Array(model.size.shape);
  }

  read(out: Float64Array, at: number, work: Workspace, contacts: ContactSet, placed: readonly PlacedShape[]): void {
    out.fill(0, at, at + 3 * this.#count);
    if (!this.#findTouching(contacts)) return;
    this.#frame.place(work);
    for (let s = 0; s < placed.length; s++) {
      if (this.#touches[s] === 0) continue;
      const distance = (this.#distances[s] ??= findDistance(placed[s]));
      if (distance) this.#feel(out, at, work, placed[s], this.#model.shape.body[s], distance);
    }
  }

  #findTouching({ count, shape1, shape2 }: ContactSet): boolean {
    const { body, shape } = this.#model;
    const own = body.weld[this.#frame.body];
    let some = false;
    this.#touches.fill(0);
    for (let i = 0; i < count; i++) {
      // shapes beyond the others are soft bodies
      if (shape1[i] >= shape.body.length || shape2[i] >= shape.body.length) continue;
      if (body.weld[shape.body[shape1[i]]] === own) this.#touches[shape2[i]] = 1;
      else if (body.weld[shape.body[shape2[i]]] === own) this.#touches[shape1[i]] = 1;
      else continue;
      some = true;
    }
    return some;
  }

  #feel(
    out: Float64Array,
    at: number,
    work: Workspace,
    { position, rotation }: PlacedShape,
    body: number,
    distance: TaxelDistance,
  ): void {
    const n = this.#count;
    const frame = this.#frame;
    for (let v = 0; v < n; v++) {
      const [x, y, z] = [this.#vertices[3 * v], this.#vertices[3 * v + 1], this.#vertices[3 * v + 2]];
      for (let k = 0; k < 3; k++) {
        const r = 3 * k;
        point[k] = frame.position[k] + frame.rotation[r] * x + frame.rotation[r + 1] * y + frame.rotation[r + 2] * z;
      }
      for (let k = 0; k < 3; k++) {
        local[k] = 0;
        for (let i = 0; i < 3; i++) local[k] += rotation[3 * i + k] * (point[i] - position[i]);
      }
      const depth = -distance(local[0], local[1], local[2]);
      if (!(depth > 0)) continue;
      out[at + v] = Math.max(out[at + v], depth);
      if (this.#tangents) this.#addSliding(out, at + v, work, body, this.#tangents, 6 * v);
    }
  }

  #addSliding(out: Float64Array, at: number, work: Workspace, body: number, tangents: Float64Array, t: number): void {
    const { rotation } = this.#frame;
    readVelocity(velocity, this.#model, work, this.#frame.body);
    readVelocity(other, this.#model, work, body);
    for (let row = 0; row < 2; row++) {
      let speed = 0;
      for (let k = 0; k < 3; k++) {
        let along = 0;
        for (let i = 0; i < 3; i++) along += rotation[3 * k + i] * tangents[t + 3 * row + i];
        speed += along * (velocity[k] - other[k]);
      }
      out[at + (row + 1) * this.#count] += Math.abs(speed);
    }
  }
}

// of a body at `point`, world axes
function readVelocity(out: Float64Array, model: Model, { bodyTwist: s, treeCenter: c }: Workspace, body: number): void {
  const i = 6 * body;
  const r = 3 * model.body.root[body];
  const [x, y, z] = [point[0] - c[r], point[1] - c[r + 1], point[2] - c[r + 2]];
  out[0] = s[i + 3] + s[i + 1] * z - s[i + 2] * y;
  out[1] = s[i + 4] + s[i + 2] * x - s[i] * z;
  out[2] = s[i + 5] + s[i] * y - s[i + 1] * x;
}

// meshes and height fields are not felt
function findDistance({ kind, size, field }: PlacedShape): TaxelDistance | undefined {
  const entry = SHAPE_TABLE[kind];
  if (entry.taxelDistance) return entry.taxelDistance(size);
  const known = field ?? entry.field?.(size);
  return known && ((x, y, z) => known.distance(x, y, z));
}
