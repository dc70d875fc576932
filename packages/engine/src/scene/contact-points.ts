/** Which rule makes the contact points of a scene. */
import { findFormulation } from './formulation-table.ts';
import type { ContactPointRule, FormulationId, Integrator, SceneOptions } from './options.ts';

/** Integrators of MuJoCo, and what improves on one of them. */
export const MUJOCO_INTEGRATORS: ReadonlySet<Integrator> = new Set([
  'euler',
  'implicitfast',
  'implicit',
  'rk4',
  'rkmk4',
]);

/** What the options say; else MuJoCo's rule where a formulation has the integrator of MuJoCo that the scene names, as its files do. */
export function chooseContactPoints(options: SceneOptions | undefined, formulation: FormulationId): ContactPointRule {
  if (options?.contactPoints !== undefined) return options.contactPoints;
  const integrator = options?.integrator;
  if (integrator === undefined || !MUJOCO_INTEGRATORS.has(integrator)) return 'spread';
  return findFormulation(formulation).integrators.includes(integrator) ? 'mujoco' : 'spread';
}
