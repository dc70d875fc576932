import { type BuiltInFormulationId, NexdynError } from '@nexdyn/engine';
import { ARTEFACTS } from './cases/artefacts.ts';
import { COMPARED_SCENES } from './cases/compared-scenes.ts';
import { CONTACT } from './cases/contact.ts';
import { CROSS_FORMULATION } from './cases/cross-formulation.ts';
import { DERIVATIVES } from './cases/derivatives.ts';
import { ELASTICITY } from './cases/elasticity.ts';
import { FREE_MOTION } from './cases/free-motion.ts';
import { FRICTION } from './cases/friction.ts';
import { GAME_RATES } from './cases/game-rates.ts';
import { JOINTS } from './cases/joints.ts';
import { LAWS } from './cases/laws.ts';
import { ORDERS } from './cases/orders.ts';
import { PUBLISHED } from './cases/published.ts';
import { REFERENCES } from './cases/references.ts';
import { ROLLING } from './cases/rolling.ts';
import { SOFT_BODIES } from './cases/soft-bodies.ts';
import { SOFT_CONTACTS } from './cases/soft-contacts.ts';
import { ALL, type ValidationCase } from './validation-case.ts';

/** Every case, group after group. */
export const CASES: readonly ValidationCase[] = [
  ...FREE_MOTION,
  ...ORDERS,
  ...JOINTS,
  ...CONTACT,
  ...FRICTION,
  ...ROLLING,
  ...SOFT_BODIES,
  ...SOFT_CONTACTS,
  ...ELASTICITY,
  ...LAWS,
  ...DERIVATIVES,
  ...ARTEFACTS,
  ...PUBLISHED,
  ...COMPARED_SCENES,
  ...GAME_RATES,
  ...CROSS_FORMULATION,
  ...REFERENCES,
];

/** Groups that are known in closed form. */
export const ANALYTIC: ReadonlySet<string> = new Set([
  'free motion',
  'joints',
  'contact',
  'friction',
  'rolling',
  'soft bodies',
  'elasticity',
  'contact laws',
  'artefacts',
  'published tests',
  'compared scenes',
  'game rates',
]);

/** Cases whose name or group fits a pattern in which * is for anything. */
export function selectCases(pattern: string | undefined, cases: readonly ValidationCase[] = CASES): ValidationCase[] {
  if (pattern === undefined) return [...cases];
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const test = new RegExp(`^${parts.join('.*')}$`, 'i');
  const found = cases.filter(({ name, group }) => test.test(name) || test.test(group));
  if (found.length > 0) return found;
  throw new NexdynError('invalid-argument', `no case matches '${pattern}'`, {
    hint: 'nexdyn validate --list prints all cases; * matches anything, as in slide-*',
  });
}

/** The formulations of a case that are asked for. */
export function listClaims(
  { formulations }: ValidationCase,
  wanted: readonly BuiltInFormulationId[] = ALL,
): BuiltInFormulationId[] {
  return formulations.filter((formulation) => wanted.includes(formulation));
}
