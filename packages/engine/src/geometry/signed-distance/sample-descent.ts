/**
 * Moves a sample of S to the nearby surface point of S that is deepest in the field φ of F.
 *
 *   minimise φ(x) over the surface of S, |x − p| ≤ reach
 *
 * p the sample; the reach is the covering radius, since the sample represents the surface around it, or no limit. Steps against the gradient, each projected
 * back onto the surface of S by its own field ψ (x − ψ ∇ψ) or to the core of a capsule, with the step length of Barzilai and
 * Borwein (|Δx|² / Δx·Δg, 1988) and halved until φ falls. The result is never above the sample's own value.
 */
import type { ContactSurface } from './contact-surface.ts';
import type { SignedDistanceField } from './field.ts';
import { readGradient } from './field-frame.ts';

const MAX_TRIALS = 14;

/** A point of the surface, in the frame of S. */
export class SurfaceFoot {
  /** m. */
  readonly foot: Float64Array = new Float64Array(3);
  /** Gradient of φ there, of unit length. */
  readonly slope: Float64Array = new Float64Array(3);
}

const trial = /* @__PURE__ */ new Float64Array(3);
const trialSlope = /* @__PURE__ */ new Float64Array(3);
const scratch = /* @__PURE__ */ new Float64Array(3);

/** Goes to a sample and returns φ there, m. */
export function startAtSample(
  { foot, slope }: SurfaceFoot,
  surface: ContactSurface,
  sample: number,
  field: SignedDistanceField,
): number {
  const { points } = surface.samples!;
  foot[0] = points[3 * sample];
  foot[1] = points[3 * sample + 1];
  foot[2] = points[3 * sample + 2];
  return readGradient(slope, field, foot);
}

/** Moves a point downhill from the value φ there, at most by `reach` (m); returns the value reached, m. */
export function descend(
  { foot, slope }: SurfaceFoot,
  surface: ContactSurface,
  field: SignedDistanceField,
  value: number,
  reach: number,
): number {
  const scale = surface.samples!.coveringRadius;
  if (!(scale > 0) || (surface.core < 0 && surface.field === undefined)) return value;
  const px = foot[0];
  const py = foot[1];
  const pz = foot[2];
  const least = 1e-4 * scale;
  let step = scale;
  for (let i = 0; i < MAX_TRIALS && step > least; i++) {
    trial[0] = foot[0] - step * slope[0];
    trial[1] = foot[1] - step * slope[1];
    trial[2] = foot[2] - step * slope[2];
    carryBack(surface);
    // stay with the sample
    const ox = trial[0] - px;
    const oy = trial[1] - py;
    const oz = trial[2] - pz;
    const away = Math.sqrt(ox * ox + oy * oy + oz * oz);
    if (away > reach) {
      trial[0] = px + (ox * reach) / away;
      trial[1] = py + (oy * reach) / away;
      trial[2] = pz + (oz * reach) / away;
      carryBack(surface);
    }
    const dx = trial[0] - foot[0];
    const dy = trial[1] - foot[1];
    const dz = trial[2] - foot[2];
    const moved = dx * dx + dy * dy + dz * dz;
    // the gradient is normal to the surface
    if (moved <= 1e-12 * step * step) break;
    const next = readGradient(trialSlope, field, trial);
    if (!(next < value)) {
      step *= 0.3;
      continue;
    }
    const turned = dx * (trialSlope[0] - slope[0]) + dy * (trialSlope[1] - slope[1]) + dz * (trialSlope[2] - slope[2]);
    const gain = value - next;
    for (let k = 0; k < 3; k++) {
      foot[k] = trial[k];
      slope[k] = trialSlope[k];
    }
    value = next;
    // done when the next step would gain no more than rounding
    if (gain <= 1e-12 * scale) break;
    step = turned > 0 ? Math.min(moved / turned, 100 * scale) : 4 * step;
  }
  return value;
}

// the trial point back to the surface of S, or to the core that its samples lie on
function carryBack(surface: ContactSurface): void {
  const { core, field } = surface;
  if (core >= 0) {
    trial[0] = 0;
    trial[1] = 0;
    trial[2] = Math.min(Math.max(trial[2], -core), core);
    return;
  }
  if (field === undefined) return;
  // one step is exact for an exact field
  for (let i = 0; i < (field.errorBound > 0 ? 3 : 1); i++) {
    const d = field.gradient(scratch, trial[0], trial[1], trial[2]);
    const squared = scratch[0] * scratch[0] + scratch[1] * scratch[1] + scratch[2] * scratch[2];
    const scale = squared > 1e-12 ? d / squared : 0;
    trial[0] -= scale * scratch[0];
    trial[1] -= scale * scratch[1];
    trial[2] -= scale * scratch[2];
  }
}
