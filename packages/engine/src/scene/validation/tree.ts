import { NexdynError } from '../../error.ts';
import { checkSceneLimit, type SceneLimits } from '../limits.ts';
import { formatPath, type Place } from '../place.ts';

interface Visit {
  body: object;
  place: Place;
  /** Number of bodies above it. */
  depth: number;
}

/**
 * Raises an error where a body contains itself, or where bodies are too deep or too many to go on.
 * It runs before the structure is known, so it passes over whatever is not a body.
 */
export function checkTree(scene: unknown, limits: Partial<SceneLimits> = {}): void {
  const ancestors: object[] = [];
  const above = new Set<object>();
  const open: Visit[] = listChildren(scene, undefined, 0);
  let count = 0;
  for (let visit = open.pop(); visit; visit = open.pop()) {
    // go back up to the parent of this body
    while (ancestors.length > visit.depth) above.delete(ancestors.pop()!);
    const path = () => formatPath(visit.place);
    if (above.has(visit.body)) {
      const hint = 'a tree of bodies has no loops; close a loop of bodies with an equality';
      throw new NexdynError('cyclic-tree', 'the body contains itself', { path: path(), hint });
    }
    checkSceneLimit(visit.depth + 1, 'bodyDepth', limits, 'bodies inside each other', path);
    checkSceneLimit(++count, 'bodies', limits, 'bodies', path);
    ancestors.push(visit.body);
    above.add(visit.body);
    for (const child of listChildren(visit.body, visit.place, visit.depth + 1)) open.push(child);
  }
}

/** The bodies directly below, last first: a stack then gives them in order. */
function listChildren(parent: unknown, place: Place | undefined, depth: number): Visit[] {
  const bodies = typeof parent === 'object' && parent !== null && 'bodies' in parent ? parent.bodies : undefined;
  if (!Array.isArray(bodies)) return [];
  const list = { parent: place, key: 'bodies' };
  const visits: Visit[] = [];
  for (let i = bodies.length - 1; i >= 0; i--) {
    const body: unknown = bodies[i];
    if (typeof body === 'object' && body !== null) visits.push({ body, place: { parent: list, key: i }, depth });
  }
  return visits;
}
