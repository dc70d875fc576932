/**
 * Friction of the cones of `sap` and `ccp`. Their rows are scaled by 1/μ_k, so that every coefficient of a cone has to be positive; a
 * contact whose sliding coefficient is not above the least one has a normal row alone, and no cone.
 */

/** Coefficients up to this value count as no friction (slide 1; spin and roll m). */
export const LEAST_CONE_FRICTION = 1e-5;
