/**
 * A bolt along z with its head on top: the thread from z = −1 to 0, chamfered at its lower end, and a hexagonal head from −½ to 0.
 *
 *   f = min(max(thread, |z + ½| − ½, √½ (ρ − r − z − 1)), head)
 *
 * thread, head, ρ and r as in screw-thread.ts; cones and faces have slope 1, so the bound L is that of the thread.
 * φ = f / L (bounded-field.ts). Lengths in m. Source: MuJoCo, plugin/sdf/bolt.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { BoundedField } from './bounded-field.ts';
import type { SignedDistanceField } from './field.ts';
import { AxisPoint, boundThreadSlope, HEAD_CORNER, setHead, setThread, THREAD_DEPTH } from './screw-thread.ts';
import { SlopedValue } from './sloped-value.ts';

/** @param r radius at the bottom of the thread, m */
export function createBoltField(r: number, subject = 'the bolt', place: ErrorPlace = {}): SignedDistanceField {
  if (!(r > 0 && r < Infinity)) {
    const reason = `${subject} has a thread of radius ${r}`;
    throw new NexdynError('invalid-value', reason, { hint: 'give a positive radius', ...place });
  }
  const at = new AxisPoint();
  const head = new SlopedValue();
  const outer = r + THREAD_DEPTH;
  const [width, depth] = [Math.max(0.5, outer), Math.max(HEAD_CORNER, outer)];
  const bounds = Float64Array.of(-width, -depth, -1, width, depth, 0);
  return new BoundedField(bounds, boundThreadSlope(r), (out, x, y, z) => {
    at.set(x, y);
    setThread(out, at, z, r);
    out.cut(Math.abs(z + 0.5) - 0.5, 0, 0, z < -0.5 ? -1 : 1);
    const { rho, ux, uy } = at;
    out.cut(Math.SQRT1_2 * (rho - r - z - 1), Math.SQRT1_2 * ux, Math.SQRT1_2 * uy, -Math.SQRT1_2);
    setHead(head, at, x, y, z, r);
    out.join(head.value, head.x, head.y, head.z);
  });
}
