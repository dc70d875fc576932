/**
 * The table of formulations. The built-in ones stand in it from the start, also where their solvers are fetched later; others
 * are added by `registerFormulation`.
 */
import { NexdynError } from '../error.ts';
import { CCP } from '../formulation/ccp/ccp-traits.ts';
import { IPC } from '../formulation/ipc/ipc-traits.ts';
import { MUJOCO } from '../formulation/mujoco/mujoco-traits.ts';
import { PENALTY } from '../formulation/penalty/penalty-traits.ts';
import { SAP } from '../formulation/sap/sap-traits.ts';
import type { FormulationAbilities, FormulationTraits } from './formulation-traits.ts';
import { suggestRegistered } from './spelling.ts';

/** The first is the default of scenes that name none. */
const table = new Map<string, FormulationTraits>([MUJOCO, SAP, CCP, IPC, PENALTY].map((traits) => [traits.id, traits]));

/** The formulation of scenes that name none. */
export const DEFAULT_FORMULATION: string = MUJOCO.id;

/** All formulations, in the order in which they are shown. */
export function listFormulations(): readonly FormulationTraits[] {
  return [...table.values()];
}

/** The formulation of a name. */
export function findFormulation(id: string): FormulationTraits {
  const traits = table.get(id);
  if (traits) return traits;
  throw new NexdynError('unsupported-formulation', `there is no formulation '${id}'`, {
    path: 'options.formulation',
    hint: suggestRegistered(id, table.keys(), 'there are', 'registerFormulation'),
  });
}

/** Names of the formulations with an ability, for hints: `'sap' or 'ipc'`. */
export function nameFormulationsWith(ability: keyof FormulationAbilities): string {
  const names = listFormulations().filter(({ resolves }) => resolves[ability]);
  return names.map(({ id }) => `'${id}'`).join(' or ');
}

/** Adds a formulation, or replaces the one of its name. */
export function addFormulation(traits: FormulationTraits): void {
  if (!/^[a-z][A-Za-z0-9-]*$/.test(traits.id) || RESERVED.has(traits.id)) {
    throw new NexdynError('invalid-argument', `a formulation cannot be called '${traits.id}'`, {
      hint: 'a small letter, then letters, digits and dashes; not the name of an option of scenes',
    });
  }
  table.set(traits.id, traits);
}

/** Fields of scene options that no formulation may hide. */
const RESERVED: ReadonlySet<string> = new Set([
  'timestep',
  'accuracy',
  'gravity',
  'integrator',
  'formulation',
  'coordinates',
  'medium',
  'disable',
  'contactOverride',
  'contactKinds',
  'start',
  'fastBodies',
  'contactPoints',
]);
