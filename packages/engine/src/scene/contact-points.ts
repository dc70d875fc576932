/** Which rule makes the contact points of a scene. */
import type { ContactPointRule, FormulationId, Integrator, SceneOptions } from './options.ts';

/** Integrators of MuJoCo, and what improves on one of them. */
export const MUJOCO_INTEGRATORS: ReadonlySet<Integrator> = new Set([
  'euler',
  'implicitfast',
  'implicit',
  'rk4',
  'rkmk4',
]);

/** What the options say; else MuJoCo's rule under `mujoco` with one of its integrators, as files of MuJoCo have. */
export function chooseContactPoints(options: SceneOptions | undefined, formulation: FormulationId): ContactPointRule {
  if (options?.contactPoints !== undefined) return options.contactPoints;
  const { integrator } = options ?? {};
  return formulation === 'mujoco' && integrator !== undefined && MUJOCO_INTEGRATORS.has(integrator)
    ? 'mujoco'
    : 'spread';
}
