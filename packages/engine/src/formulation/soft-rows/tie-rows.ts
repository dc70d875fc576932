/**
 * Rows of ties (soft/tie-place.ts) and of clamped edges of rods over velocities:
 *   tie     three rows along the axes of the world, C = x − p = 0
 *   clamp   one row, r (θ − φ) = 0: the edge with tangent t turns about itself as the body does,  r θ̇ − r t·ω = 0
 * Held vertices have no columns: what they add to the velocity of the rows is `heldVelocity`.
 */
import { writeSide } from '../../contact/contact-rows.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { BlockRows } from '../../linear-algebra/block-rows.ts';
import { atan2 } from '../../linear-algebra/elementary.ts';
import type { Model } from '../../model/model.ts';
import { readDirector, TiePlace } from '../../soft/tie-place.ts';

export class TieRows {
  /** Residual and velocity that held vertices give the last block, along its rows; m and m/s. */
  readonly residual: Float64Array = new Float64Array(3);
  readonly heldVelocity: Float64Array = new Float64Array(3);
  readonly #tie = new TiePlace();
  /** Vertices of the tie in ascending order. */
  readonly #order = new Int32Array(6);
  readonly #place = {
    frame: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    position: new Float64Array(3),
    sweep: new Float64Array(3),
  };

  /** Adds the rows of tie k; the block, or −1 where nothing moves either side. */
  addTie(
    rows: BlockRows,
    model: Model,
    work: Workspace,
    held: Float64Array,
    directors: Float64Array,
    k: number,
  ): number {
    const tie = this.#tie;
    tie.read(model, work, directors, k);
    const body = model.soft.tie.body[k];
    const free = this.#sort(work, held);
    this.residual.set(tie.residual);
    const block = addColumns(rows, model, 3, body, this.#order, free, tie.vertex);
    if (block < 0) return -1;
    const { columnCount, value, valueStart } = rows;
    const count = columnCount[block];
    if (body >= 0 && model.body.lastDof[body] >= 0) {
      for (let c = 0; c < 3; c++) this.#place.position[c] = work.softPosition[3 * tie.vertex[0] + c];
      writeSide(rows, block, 3, model, work, body, this.#place, 0, -1);
    }
    const rigid = count - 3 * free;
    for (let r = 0; r < 3; r++) {
      for (let n = 0, to = valueStart[block] + r * count + rigid; n < free; n++)
        for (let c = 0; c < 3; c++) value[to++] = tie.block[9 * this.#order[n] + 3 * r + c];
    }
    return block;
  }

  /** Adds the row of clamp k; the block, or −1 where nothing turns either side. */
  addClamp(
    rows: BlockRows,
    model: Model,
    work: Workspace,
    held: Float64Array,
    directors: Float64Array,
    k: number,
  ): number {
    const { clamp } = model.soft;
    const body = clamp.body[k];
    const angle = clamp.angle[k];
    const radius = clamp.radius[k];
    this.heldVelocity.fill(0);
    this.residual[0] = radius * measureTurn(tangent, model, work, directors, k);
    one[0] = angle;
    const free = held[angle] === 0 ? 1 : 0;
    if (free === 0) this.heldVelocity[0] = work.softVelocity[3 * angle];
    const block = addColumns(rows, model, 1, body, FIRST, free, one);
    if (block < 0) return -1;
    const { columnCount, value, valueStart } = rows;
    let at = valueStart[block] + columnCount[block] - 3 * free;
    if (free === 1) value[at] = 1;
    const { motionSubspace } = work;
    for (let d = model.body.lastDof[body]; d >= 0; d = model.dof.parent[d])
      value[--at] =
        -radius *
        (tangent[0] * motionSubspace[6 * d] +
          tangent[1] * motionSubspace[6 * d + 1] +
          tangent[2] * motionSubspace[6 * d + 2]);
    return block;
  }

  // free vertices of the tie first in `#order`, ascending; how many there are
  #sort(work: Workspace, held: Float64Array): number {
    const { count, vertex, block } = this.#tie;
    const order = this.#order;
    let free = 0;
    this.heldVelocity.fill(0);
    for (let n = 0; n < count; n++) {
      const v = vertex[n];
      if (held[v] !== 0) {
        for (let r = 0; r < 3; r++)
          for (let c = 0; c < 3; c++) this.heldVelocity[r] += block[9 * n + 3 * r + c] * work.softVelocity[3 * v + c];
        continue;
      }
      let at = free++;
      while (at > 0 && vertex[order[at - 1]] > v) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = n;
    }
    return free;
  }
}

/** Angle by which the director of a clamped edge is ahead of that of its body, rad; writes the tangent of the edge. */
export function measureTurn(
  tangent: Float64Array,
  { soft }: Model,
  work: Workspace,
  directors: Float64Array,
  k: number,
): number {
  const { edge, body, direction } = soft.clamp;
  const x = work.softPosition;
  const e = edge[k];
  const [a, b] = [3 * soft.edge[2 * e], 3 * soft.edge[2 * e + 1]];
  for (let c = 0; c < 3; c++) tangent[c] = x[b + c] - x[a + c];
  const length = Math.sqrt(tangent[0] ** 2 + tangent[1] ** 2 + tangent[2] ** 2);
  for (let c = 0; c < 3; c++) tangent[c] /= length;
  readDirector(director, tangent, directors, e);
  const m = 9 * body[k];
  const r = work.bodyRotation;
  for (let c = 0; c < 3; c++)
    wanted[c] =
      r[m + 3 * c] * direction[3 * k] +
      r[m + 3 * c + 1] * direction[3 * k + 1] +
      r[m + 3 * c + 2] * direction[3 * k + 2];
  const [tx, ty, tz] = tangent;
  const [wx, wy, wz] = wanted;
  const [dx, dy, dz] = director;
  const sine = tx * (wy * dz - wz * dy) + ty * (wz * dx - wx * dz) + tz * (wx * dy - wy * dx);
  return atan2(sine, wx * dx + wy * dy + wz * dz);
}

const tangent = /* @__PURE__ */ new Float64Array(3);
const director = /* @__PURE__ */ new Float64Array(3);
const wanted = /* @__PURE__ */ new Float64Array(3);
const one = /* @__PURE__ */ new Int32Array(1);
const FIRST = /* @__PURE__ */ new Int32Array(1);

// a block with the dofs of a body and three columns for each of some vertices, all values zero
function addColumns(
  rows: BlockRows,
  model: Model,
  dimension: number,
  body: number,
  order: Int32Array,
  free: number,
  vertex: Int32Array,
): number {
  const { parent } = model.dof;
  const last = body < 0 ? -1 : model.body.lastDof[body];
  let rigid = 0;
  for (let d = last; d >= 0; d = parent[d]) rigid++;
  if (rigid + free === 0) return -1;
  const block = rows.add(dimension, rigid + 3 * free);
  const { column, columnStart, value, valueStart } = rows;
  let at = columnStart[block] + rigid;
  for (let d = last; d >= 0; d = parent[d]) column[--at] = d;
  at = columnStart[block] + rigid;
  for (let n = 0; n < free; n++)
    for (let c = 0; c < 3; c++) column[at++] = model.size.velocity + 3 * vertex[order[n]] + c;
  value.fill(0, valueStart[block], rows.valueEnd);
  return block;
}
