import { findFormulation, type Integrator } from '@nexdyn/engine';
import type { SceneFacts } from '../session/protocol.ts';

const WORDS: Readonly<Record<Integrator, string>> = {
  semiImplicit: 'semi-implicit Euler',
  euler: 'Euler, implicit damping',
  implicitfast: 'implicit in velocity, fast',
  implicit: 'implicit in velocity',
  rk4: 'Runge-Kutta 4',
  rkmk4: 'Runge-Kutta-Munthe-Kaas 4',
  midpoint: 'implicit midpoint',
  bdf2: 'BDF2',
};

/** What an integrator is called. A step over positions takes forces at its end: the first-order one is backward Euler there. */
export function nameIntegrator({ formulation, integrator }: Pick<SceneFacts, 'formulation' | 'integrator'>): string {
  const isOverPositions = findFormulation(formulation).unknown === 'position';
  return isOverPositions && integrator === 'semiImplicit' ? 'backward Euler' : WORDS[integrator];
}
