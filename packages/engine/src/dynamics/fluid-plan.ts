/**
 * Shapes that a fluid acts on as ellipsoids, with what depends on their sizes alone: half axes d, coefficients, and the mass and inertia of the
 * fluid that moves along, per density, of potential flow around an ellipsoid of volume V,
 *   m_x = V κ_x / (2 − κ_x)     I_x = V/5 (d_y² − d_z²)² |κ_z − κ_y| / |2 (d_y² − d_z²) + (d_y² + d_z²)(κ_y − κ_z)|
 *   κ_x = d_x d_y d_z ∫₀^∞ dλ / √((d_x² + λ)³ (d_y² + λ)(d_z² + λ))
 * The integral is taken by Gauss and Kronrod's rule of 15 points over x, λ = s x³/(1 − x)², with eight digits as in MuJoCo.
 * Source: MuJoCo documentation, "Fluid forces / Ellipsoid model"; Lamb, Hydrodynamics (1932), section 114.
 */
import { exp, log } from '../linear-algebra/elementary.ts';
import type { Model } from '../model/model.ts';
import { isFluidShape, writeFluidAxes } from './fluid-shape.ts';

export interface FluidPlan {
  /** Bodies with shapes on which the fluid acts as on ellipsoids; the others are boxes of their inertia. */
  readonly isEllipsoid: Uint8Array;
  /** Such shapes, in the order of their bodies, and per body the first of them; one more than there are bodies. */
  readonly shape: Int32Array;
  readonly start: Int32Array;
  /** Per shape: half axes, m; added mass over density, m³; added inertia over density, m⁵; nine numbers. */
  readonly numbers: Float64Array;
}

export function createFluidPlan(model: Model): FluidPlan {
  const { body, size } = model;
  const shapes: number[] = [];
  const start = new Int32Array(size.body + 1);
  const isEllipsoid = new Uint8Array(size.body);
  for (let b = 0; b < size.body; b++) {
    for (let s = body.shapeStart[b]; s < body.shapeStart[b] + body.shapeCount[b]; s++) {
      if (!isFluidShape(model, s)) continue;
      shapes.push(s);
      isEllipsoid[b] = 1;
    }
    start[b + 1] = shapes.length;
  }
  const numbers = new Float64Array(9 * shapes.length);
  shapes.forEach((s, n) => {
    writeFluidAxes(numbers, 9 * n, model, s);
    addMassOfFluid(numbers, 9 * n);
  });
  return { isEllipsoid, shape: Int32Array.from(shapes), start, numbers };
}

function addMassOfFluid(numbers: Float64Array, at: number): void {
  const d = numbers.subarray(at, at + 3);
  const volume = (4 / 3) * Math.PI * d[0] * d[1] * d[2];
  const kappa = [0, 1, 2].map((i) => integrateKappa(d[i], d[(i + 1) % 3], d[(i + 2) % 3]));
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    numbers[at + 3 + i] = (volume * kappa[i]) / Math.max(LEAST, 2 - kappa[i]);
    const difference = d[j] * d[j] - d[k] * d[k];
    const below = 2 * difference + (d[j] * d[j] + d[k] * d[k]) * (kappa[j] - kappa[k]);
    const factor = (difference * difference * Math.abs(kappa[k] - kappa[j])) / Math.max(LEAST, Math.abs(below));
    numbers[at + 6 + i] = (volume * factor) / 5;
  }
}

const LEAST = 1e-15;

/** Points of the rule on (0, ½] and their weights; those beyond are their mirror images. */
const POINTS = [0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638, 0.29707742, 0.39610752, 0.5];
const WEIGHTS = [0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107];

function integrateKappa(dx: number, dy: number, dz: number): number {
  const scale = exp(0.4 * log(dx * dx * dx * dy * dz));
  let sum = 0;
  for (let n = 0; n < 15; n++) {
    const m = Math.min(n, 14 - n);
    const x = n < 8 ? POINTS[m] : 1 - POINTS[m];
    const lambda = (scale * x * x * x) / ((1 - x) * (1 - x));
    const slope = (scale * x * x * (3 - x)) / ((1 - x) * (1 - x) * (1 - x));
    const along = 1 + lambda / (dx * dx);
    const root = Math.sqrt(along * (1 + lambda / (dy * dy)) * (1 + lambda / (dz * dz)));
    sum += (WEIGHTS[m] * slope) / (along * root);
  }
  return sum / (dx * dx);
}
