/** What `npm test` takes a part of, or leaves out, and `npm run validate` does in full. */
import { test } from 'vitest';

/** Whether this is the run of `npm run validate`. */
export const isLongRun: boolean = process.env['NEXDYN_LONG'] !== undefined;

/** How many of `all` random samples or steps a test takes: a part in `npm test`, all of them in `npm run validate`. */
export function takeSamples(all: number, part: number): number {
  return isLongRun ? all : Math.ceil(all * part);
}

/** The cases of a table: every `stride`th in `npm test`, all of them in `npm run validate`. */
export function takeCases<T>(all: readonly T[], stride: number): T[] {
  return all.filter((_, i) => isLongRun || i % stride === 0);
}

/** A test of many seconds, of `npm run validate` alone. */
export const longTest: typeof test = isLongRun ? test : leaveOut();

function leaveOut(): typeof test {
  const nothing = (): void => {};
  return Object.assign(nothing, { each: () => nothing }) as unknown as typeof test;
}
