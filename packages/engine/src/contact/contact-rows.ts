/**
 * Jacobian of a contact between two carriers: rows normal, tangents, spin, roll, roll — the velocity of side 2 minus that of
 * side 1 at the contact point, in the contact frame. A dof with axis s moves the point by s_lin + s_ang × (point − c), c the
 * centre of its tree. Dofs that move both sides cancel and have no column. Contacts of the same two bodies share columns.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { addRelativeBlock } from '../dynamics/relative-rows.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { COMPILED_ROWS } from './compiled-rows.ts';
import type { ContactRecord } from './contact-record.ts';

export class ContactRows {
  /** The last block and its bodies; −1 where there is none yet. */
  block = -1;
  body1 = -1;
  body2 = -1;
  /** Where the compiled twin is to be had. */
  readonly record: ContactRecord | undefined;
  /** Whether it reaches the contacts of the step. */
  isCompiled = false;

  constructor(model: Model, memory: Memory) {
    const compiled = memory.compiledDynamics;
    this.record = compiled && new (COMPILED_ROWS.require().ContactRecord)(compiled, model, memory);
  }

  /** Before the first contact of a step. */
  begin(work: Workspace, contacts: ContactSet): void {
    this.block = -1;
    this.isCompiled = this.record?.bind(work, contacts) === true;
  }

  /** Adds the rows of contact i; returns the block, or −1 where nothing moves either side. */
  add(rows: BlockRows, model: Model, work: Workspace, contacts: ContactSet, i: number, dimension: number): number {
    const body1 = contacts.carrier1[i];
    const body2 = contacts.carrier2[i];
    let block: number;
    if (this.block >= 0 && body1 === this.body1 && body2 === this.body2) {
      block = rows.addLike(dimension, this.block);
    } else {
      if (model.body.lastDof[body1] === model.body.lastDof[body2]) return -1;
      block = addRelativeBlock(rows, model, body1, body2, dimension, false);
      this.body1 = body1;
      this.body2 = body2;
    }
    this.block = block;
    if (this.isCompiled) {
      this.record!.write(rows, block, dimension, i);
      return block;
    }
    writeSide(rows, block, dimension, model, work, body1, contacts, i, -1);
    writeSide(rows, block, dimension, model, work, body2, contacts, i, 1);
    return block;
  }
}

/** Adds the columns of a rigid body's dofs to the rows of a block: values of those that have a column. */
export function writeSide(
  rows: BlockRows,
  block: number,
  dimension: number,
  model: Model,
  work: Workspace,
  body: number,
  contacts: Pick<ContactSet, 'frame' | 'position' | 'sweep'>,
  contact: number,
  sign: number,
): void {
  const { parent } = model.dof;
  const { motionSubspace, treeCenter } = work;
  const { column, columnStart, columnCount, value, valueStart } = rows;
  const { frame, position, sweep } = contacts;
  const c = 3 * model.body.root[body];
  const side = sign > 0 ? 1 : 0;
  const dx = position[3 * contact] + side * sweep[3 * contact] - treeCenter[c];
  const dy = position[3 * contact + 1] + side * sweep[3 * contact + 1] - treeCenter[c + 1];
  const dz = position[3 * contact + 2] + side * sweep[3 * contact + 2] - treeCenter[c + 2];
  const f = 9 * contact;
  const f0 = sign * frame[f];
  const f1 = sign * frame[f + 1];
  const f2 = sign * frame[f + 2];
  const f3 = sign * frame[f + 3];
  const f4 = sign * frame[f + 4];
  const f5 = sign * frame[f + 5];
  const f6 = sign * frame[f + 6];
  const f7 = sign * frame[f + 7];
  const f8 = sign * frame[f + 8];
  const start = columnStart[block];
  const n = columnCount[block];
  const first = valueStart[block];
  let at = n - 1;
  for (let i = model.body.lastDof[body]; i >= 0; i = parent[i]) {
    while (at >= 0 && column[start + at] > i) at--;
    // dofs below the first column move both sides
    if (at < 0 || column[start + at] !== i) return;
    const s = 6 * i;
    const wx = motionSubspace[s];
    const wy = motionSubspace[s + 1];
    const wz = motionSubspace[s + 2];
    const vx = motionSubspace[s + 3] + wy * dz - wz * dy;
    const vy = motionSubspace[s + 4] + wz * dx - wx * dz;
    const vz = motionSubspace[s + 5] + wx * dy - wy * dx;
    let k = first + at;
    value[k] = f0 * vx + f1 * vy + f2 * vz;
    if (dimension === 1) continue;
    k += n;
    value[k] = f3 * vx + f4 * vy + f5 * vz;
    k += n;
    value[k] = f6 * vx + f7 * vy + f8 * vz;
    if (dimension === 3) continue;
    k += n;
    value[k] = f0 * wx + f1 * wy + f2 * wz;
    if (dimension === 4) continue;
    k += n;
    value[k] = f3 * wx + f4 * wy + f5 * wz;
    k += n;
    value[k] = f6 * wx + f7 * wy + f8 * wz;
  }
}
