import { NexdynError, STATE_FIELDS, type StateFieldName } from '@nexdyn/engine/core';

/** The name of a part of a state that a caller gave at its own path; an error where there is none. */
export function requireStateField(name: string, path: string): StateFieldName {
  if (Object.hasOwn(STATE_FIELDS, name)) return name as StateFieldName;
  const hint = `one of ${Object.keys(STATE_FIELDS).join(', ')}`;
  throw new NexdynError('invalid-argument', `'${name}' is not part of a state`, { path, hint });
}
