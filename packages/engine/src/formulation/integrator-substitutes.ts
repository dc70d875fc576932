/**
 * What formulations over velocities, impulses and positions take in place of MuJoCo's integrators. A step is one minimisation with
 * springs, dampers and servos in it: stages of Runge-Kutta have no place there, and explicit forces no use.
 */
import type { Integrator } from '../scene/options.ts';

const SEMI_IMPLICIT_ONLY: Readonly<Partial<Record<Integrator, Integrator>>> = {
  euler: 'semiImplicit',
  implicitfast: 'semiImplicit',
  implicit: 'semiImplicit',
  rk4: 'semiImplicit',
  rkmk4: 'semiImplicit',
};

/** Where springs of contact are explicit, nothing is of the second order. */
export const BY_SEMI_IMPLICIT: Readonly<Partial<Record<Integrator, Integrator>>> = {
  ...SEMI_IMPLICIT_ONLY,
  midpoint: 'semiImplicit',
  bdf2: 'semiImplicit',
};

/** Over velocities and impulses, the second order is the midpoint rule, at the cost of a second solve. */
export const BY_MIDPOINT: Readonly<Partial<Record<Integrator, Integrator>>> = {
  ...SEMI_IMPLICIT_ONLY,
  bdf2: 'midpoint',
};
/** Over positions it is BDF2, at no cost: whoever asks for order four gets two. */
export const BY_BDF2: Readonly<Partial<Record<Integrator, Integrator>>> = {
  ...SEMI_IMPLICIT_ONLY,
  midpoint: 'bdf2',
  rk4: 'bdf2',
  rkmk4: 'bdf2',
};
