/** How large a scene may be. Each limit is checked before the memory or time is taken; options of `compileModel` and of readers raise them. */
import { NexdynError } from '../error.ts';

/** The most that a scene may have. */
export interface SceneLimits {
  /** Bodies. */
  bodies: number;
  /** Levels of bodies inside each other. */
  bodyDepth: number;
  /** Operations that compiling the joints takes: for each degree of freedom, the square of the number of those above it. */
  treeOperations: number;
}

/** The limits that hold where an option does not raise them. A chain of 1440 hinges takes 1e9 operations. */
export const DEFAULT_SCENE_LIMITS: Readonly<SceneLimits> = { bodies: 200_000, bodyDepth: 4096, treeOperations: 1e9 };

/** Raises an error where a count is beyond a limit. `what` is the plural of what is counted. */
export function checkSceneLimit(
  count: number,
  name: keyof SceneLimits,
  limits: Partial<SceneLimits>,
  what: string,
  path: () => string,
): void {
  const limit = limits[name] ?? DEFAULT_SCENE_LIMITS[name];
  if (count <= limit) return;
  throw new NexdynError('too-large', `${count} ${what} are more than the limit of ${limit}`, {
    path: path(),
    hint: `make the scene smaller, or raise the limit '${name}'`,
  });
}
