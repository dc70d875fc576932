/** <compiler> and <option>. */
import type { Feature, Integrator, Scene } from '@nexdyn/engine';
import type { Unwritten } from './unwritten.ts';
import { STOPPED_GROUP } from './write-couplings.ts';
import { element, type WrittenElement } from './xml-element.ts';

const FLAGS: Record<Feature, string> = {
  contact: 'contact',
  constraint: 'constraint',
  equality: 'equality',
  limit: 'limit',
  frictionLoss: 'frictionloss',
  spring: 'spring',
  damper: 'damper',
  gravity: 'gravity',
  actuation: 'actuation',
  clampControl: 'clampctrl',
  implicitDamping: 'eulerdamp',
  warmStart: 'warmstart',
  parentFilter: 'filterparent',
  safeReference: 'refsafe',
  island: 'island',
};

/** MuJoCo's integrators by ours; the others have the nearest of them. */
const INTEGRATORS: Partial<Record<Integrator, string>> = {
  euler: 'Euler',
  implicitfast: 'implicitfast',
  implicit: 'implicit',
  rk4: 'RK4',
  rkmk4: 'RK4',
};

/** Angles are in radians, as in scenes. */
export function writeCompiler({ massRules = {} }: Scene): WrittenElement {
  return element('compiler', {
    angle: 'radian',
    boundmass: massRules.minimumMass,
    boundinertia: massRules.minimumInertia,
    settotalmass: massRules.totalMass,
    balanceinertia: massRules.balanceInertia,
  });
}

export function writeOptions({ options = {}, actuators = [] }: Scene, unwritten: Unwritten): WrittenElement {
  const { mujoco = {}, medium = {}, contactOverride: override, disable = [] } = options;
  unwritten.check(
    options,
    [
      'timestep',
      'gravity',
      'integrator',
      'medium',
      'mujoco',
      'contactOverride',
      'disable',
      'magneticField',
      'fastBodies',
      'sleep',
    ],
    'options',
  );
  const integrator = options.integrator ?? 'semiImplicit';
  if (!(integrator in INTEGRATORS))
    unwritten.add('options.integrator', `'implicitfast' takes the place of '${integrator}'`);
  if (mujoco.pyramidEdges !== undefined && mujoco.pyramidEdges !== 4)
    unwritten.add('options.mujoco.pyramidEdges', 'pyramids have four edges');
  if (mujoco.variant === 'genesis') unwritten.add('options.mujoco.variant', 'MuJoCo has its own variant');
  const cone = mujoco.cone ?? (mujoco.pyramidEdges === undefined ? 'elliptic' : 'pyramidal');
  const solvers = { newton: 'Newton', cg: 'CG', pgs: 'PGS' } as const;
  const flags: Record<string, string> = {};
  for (const feature of disable) flags[FLAGS[feature]] = 'disable';
  if (override) flags['override'] = 'enable';
  if (options.sleep) flags['sleep'] = 'enable';
  if (options.fastBodies === 'on') flags['speculative'] = 'enable';
  return element(
    'option',
    {
      timestep: options.timestep,
      gravity: options.gravity,
      integrator: INTEGRATORS[integrator] ?? 'implicitfast',
      density: medium.density,
      viscosity: medium.viscosity,
      wind: medium.wind,
      magnetic: options.magneticField,
      actuatorgroupdisable: actuators.some(({ active }) => active === false) ? STOPPED_GROUP : undefined,
      sleep_tolerance: options.sleep && (options.sleep.tolerance ?? 1e-4),
      solver: mujoco.solver && solvers[mujoco.solver],
      cone,
      jacobian: mujoco.jacobian,
      impratio: mujoco.impedanceRatio ?? (cone === 'elliptic' ? 100 : 1),
      iterations: mujoco.iterations,
      tolerance: mujoco.tolerance,
      ls_iterations: mujoco.lineSearchIterations,
      ls_tolerance: mujoco.lineSearchTolerance,
      noslip_iterations: mujoco.noslipIterations,
      noslip_tolerance: mujoco.noslipTolerance,
      o_margin: override?.margin,
      o_solref: override?.solref,
      o_solimp: override?.solimp,
      o_friction: override?.friction,
    },
    Object.keys(flags).length > 0 ? [element('flag', flags)] : [],
  );
}
