/**
 * Lamé's constants of a material: μ = E / (2(1 + ν)), λ = E ν / ((1 + ν)(1 − 2ν)), Pa, from Young's modulus E, Pa, and
 * Poisson's ratio ν. The energy of a linear material is positive for E > 0 and −1 < ν < 0.5.
 */
import { NexdynError } from '../error.ts';

export interface Lame {
  /** Shear modulus, Pa. */
  readonly mu: number;
  /** Pa. */
  readonly lambda: number;
}

/** `path` is where the elasticity is in the scene. */
export function computeLame(youngsModulus: number, poissonRatio: number, path: string = 'elasticity'): Lame {
  if (!(youngsModulus > 0 && youngsModulus < Infinity)) {
    throw new NexdynError('invalid-value', `Young's modulus is ${youngsModulus} Pa`, {
      path: `${path}.youngsModulus`,
      hint: 'Give a positive stiffness: rubber about 1e6, foam about 1e4.',
    });
  }
  if (!(poissonRatio > -1 && poissonRatio < 0.5)) {
    throw new NexdynError('invalid-value', `Poisson's ratio is ${poissonRatio}`, {
      path: `${path}.poissonRatio`,
      hint:
        poissonRatio >= 0.5
          ? 'At 0.5 the material cannot change its volume at all and λ is infinite: take up to 0.499, with element tet10 or smoothedTet4, which do not lock.'
          : 'It lies above −1 and below 0.5; most materials have 0.2 to 0.49.',
    });
  }
  return {
    mu: youngsModulus / (2 * (1 + poissonRatio)),
    lambda: (youngsModulus * poissonRatio) / ((1 + poissonRatio) * (1 - 2 * poissonRatio)),
  };
}
