/** Scenes built call by call: what a client's builder was told is told to the engine's, so that there is one of it. */
import { type BodyBuilder, NexdynError, type Scene, type SceneBuilder, scene } from '@nexdyn/engine';

/** One call of a method: of the scene (0) or of the body that an earlier call returned, counted from 1. */
export type BuilderCall = readonly [target: number, method: string, ...args: unknown[]];

/** The scene that a list of calls builds. */
export function buildScene(name: string | undefined, calls: readonly BuilderCall[]): Scene {
  const builder = scene(name);
  const targets: (SceneBuilder | BodyBuilder)[] = [builder];
  for (const [target, method, ...args] of calls) {
    const owner = targets[target] as unknown as Record<string, (...args: unknown[]) => unknown>;
    if (method === 'build' || method === 'toBody' || typeof owner?.[method] !== 'function') {
      throw new NexdynError('invalid-argument', `a builder has no method '${method}'`);
    }
    const result = owner[method](...args);
    if (method === 'body') targets.push(result as BodyBuilder);
  }
  return builder.build();
}
