/**
 * A hexagonal nut from z = −½ to 0 with a threaded hole along z, chamfered at both ends.
 *
 *   f = max(head, −hole),   hole = min(max(thread, √½ (ρ − r − z − ½)), √½ (ρ − r − z − 0.05))
 *
 * thread, head, ρ and r as in screw-thread.ts; cones and faces have slope 1, so the bound L is that of the thread.
 * φ = f / L (bounded-field.ts). Lengths in m. Source: MuJoCo, plugin/sdf/nut.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { BoundedField } from './bounded-field.ts';
import type { SignedDistanceField } from './field.ts';
import { AxisPoint, boundThreadSlope, HEAD_CORNER, setHead, setThread, THREAD_DEPTH } from './screw-thread.ts';
import { SlopedValue } from './sloped-value.ts';

/** @param r radius of the hole between the turns of the thread, m */
export function createNutField(r: number, subject = 'the nut', place: ErrorPlace = {}): SignedDistanceField {
  if (!(r > 0 && r + THREAD_DEPTH < 0.5)) {
    const reason = `${subject} has a hole of radius ${r}, but is 1 m wide`;
    throw new NexdynError('invalid-value', reason, { hint: 'give a radius between 0 and 0.45 m', ...place });
  }
  const at = new AxisPoint();
  const hole = new SlopedValue();
  const bounds = Float64Array.of(-0.5, -HEAD_CORNER, -0.5, 0.5, HEAD_CORNER, 0);
  return new BoundedField(bounds, boundThreadSlope(r), (out, x, y, z) => {
    at.set(x, y);
    setHead(out, at, x, y, z, r);
    setThread(hole, at, z, r);
    const ux = Math.SQRT1_2 * at.ux;
    const uy = Math.SQRT1_2 * at.uy;
    const cone = Math.SQRT1_2 * (at.rho - r - z);
    hole.cut(cone - 0.5 * Math.SQRT1_2, ux, uy, -Math.SQRT1_2);
    hole.join(cone - 0.05 * Math.SQRT1_2, ux, uy, -Math.SQRT1_2);
    out.cut(-hole.value, -hole.x, -hole.y, -hole.z);
  });
}
