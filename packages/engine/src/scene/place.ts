/** Where a value stands in a scene: the key of each step from the root, innermost first. The root is `undefined`. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

/** The place some keys below another. */
export function placeBelow(parent: Place | undefined, ...keys: (string | number)[]): Place {
  let place = parent;
  for (const key of keys) place = { parent: place, key };
  if (!place) throw new RangeError('placeBelow needs a key');
  return place;
}

/** The path as users write it: `bodies[2].joints[0].axis[1]`; empty at the root. */
export function formatPath(place: Place | undefined): string {
  const parts: string[] = [];
  for (let at = place; at; at = at.parent) {
    if (typeof at.key === 'number') parts.push(`[${at.key}]`);
    else if (!/^[A-Za-z_$][\w$]*$/.test(at.key)) parts.push(`[${JSON.stringify(at.key)}]`);
    else parts.push(at.parent ? `.${at.key}` : at.key);
  }
  return parts.reverse().join('');
}
