/** Inverse masses that contacts of soft bodies see, 1/kg. */
import { CARRIER, type ContactSet } from '../../collision/contact-set.ts';
import type { BlockRows } from '../../linear-algebra/block-rows.ts';
import type { Model } from '../../model/model.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';

/** Of the soft bodies of contact i that move as one; nothing where all vertices of a body are held. */
export function weighSoftSides(soft: SoftBodies, contacts: ContactSet, i: number): number {
  let inverse = 0;
  if (contacts.carrierKind1[i] === CARRIER.soft) inverse += invertWhole(soft, contacts.carrier1[i]);
  if (contacts.carrierKind2[i] === CARRIER.soft) inverse += invertWhole(soft, contacts.carrier2[i]);
  return inverse;
}

function invertWhole(soft: SoftBodies, n: number): number {
  const whole = soft.measureWhole(n);
  return whole > 0 ? 1 / whole : 0;
}

/** Of a row of a block, whose neighbours stand still: Σ J² of the columns of soft vertices, with the diagonal of A⁻¹. */
export function weighSoftColumns(
  soft: SoftBodies,
  { soft: { vertexStart }, size }: Model,
  { column, columnStart, columnCount, value, valueStart }: BlockRows,
  block: number,
  row: number,
): number {
  const count = columnCount[block];
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const c = column[columnStart[block] + i] - size.velocity;
    if (c < 0) continue;
    const v = Math.trunc(c / 3);
    let n = 0;
    while (vertexStart[n + 1] <= v) n++;
    const entry = value[valueStart[block] + row * count + i];
    sum += entry * entry * soft.invertedDiagonal(n)[9 * (v - vertexStart[n]) + 4 * (c - 3 * v)];
  }
  return sum;
}

/** Square of the largest entry of the first row of a block in the columns of rigid bodies. */
export function measureColumns(
  { size }: Model,
  { column, columnStart, columnCount, value, valueStart }: BlockRows,
  block: number,
): number {
  let most = 0;
  for (let i = 0; i < columnCount[block]; i++) {
    const entry = value[valueStart[block] + i];
    if (column[columnStart[block] + i] < size.velocity) most = Math.max(most, entry * entry);
  }
  return most;
}
