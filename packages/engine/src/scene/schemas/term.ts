import { name, number, object, openObject, optional, type Schema } from '../schema.ts';
import type { SceneTerm } from '../term.ts';

/** What every term has; its kind checks the rest when a simulation is made. */
export const term: Schema<SceneTerm> = openObject<SceneTerm>(
  object<Pick<SceneTerm, 'kind'> & { name?: string; weight?: number }>(
    { kind: name(), name: optional(name()), weight: optional(number()) },
    'SceneTerm',
  ),
);
