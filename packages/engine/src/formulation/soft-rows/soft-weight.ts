/** Inverse masses that contacts of soft bodies see, 1/kg. */
import { CARRIER, type ContactSet } from '../../collision/contact-set.ts';
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

/** Of a vertex whose neighbours stand still: the mean of the diagonal block of A⁻¹; nothing where it is held. */
export function weighVertex(
  soft: SoftBodies,
  { soft: { vertexStart } }: Model,
  vertex: number,
  held: Float64Array,
): number {
  if (held[vertex] !== 0) return 0;
  let n = 0;
  while (vertexStart[n + 1] <= vertex) n++;
  const inverse = soft.invertedDiagonal(n);
  const p = 9 * (vertex - vertexStart[n]);
  return (inverse[p] + inverse[p + 4] + inverse[p + 8]) / 3;
}
