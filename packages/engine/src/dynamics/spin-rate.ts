/**
 * Derivatives of the gyroscopic step of single bodies (inertial-motion.ts): of Δ and s by the angular velocity ω of the body, in its axes.
 * The step knows no direction of space: Δ and s of rotation, in the axes of the body, do not depend on where it is turned, and those of a
 * body off its centre turn along with it, δΔ = θ × Δ. By centred differences of one body, six evaluations.
 */
import type { Model } from '../model/model.ts';
import { measureSpin } from './inertial-motion.ts';
import type { Workspace } from './workspace.ts';

/** Shares of the speed, and rad/s. */
const SHARE = 1e-5;
const LEAST = 1e-5;

/** Writes ∂(Δ, s)/∂ω of body b: twelve rows of three at `o`; those of Δ first. The workspace keeps its Δ and s. */
export function differentiateSpin(
  out: Float64Array,
  o: number,
  model: Model,
  velocity: Float64Array,
  work: Workspace,
  b: number,
  h: number,
): void {
  const first = model.body.dofStart[b];
  const count = model.body.dofCount[b];
  const spin = first + count - 3;
  const { inertialChange, advanceShift } = work;
  const change = inertialChange.slice(first, first + count);
  const shift = advanceShift.slice(first, first + count);
  out.fill(0, o, o + 36);
  const step = SHARE * (Math.abs(velocity[spin]) + Math.abs(velocity[spin + 1]) + Math.abs(velocity[spin + 2])) + LEAST;
  for (let c = 0; c < 3; c++) {
    const at = velocity[spin + c];
    for (const sign of [1, -1]) {
      velocity[spin + c] = at + sign * step;
      advanceShift.fill(0, first, first + count);
      measureSpin(model, velocity, work, b, h);
      for (let r = 0; r < count; r++) {
        out[o + 3 * r + c] += (0.5 * sign * inertialChange[first + r]) / step;
        out[o + 18 + 3 * r + c] += (0.5 * sign * advanceShift[first + r]) / step;
      }
    }
    velocity[spin + c] = at;
  }
  inertialChange.set(change, first);
  advanceShift.set(shift, first);
}
