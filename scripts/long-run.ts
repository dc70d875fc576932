/** What `npm test` takes a part of, or leaves out, and `npm run validate` does in full. */
import { test } from 'vitest';

/** Whether this is the run of `npm run validate`. */
export const isLongRun: boolean = process.env['NEXDYN_LONG'] !== undefined;

/** How many of `all` random samples or steps a test takes: a part in `npm test`, all of them in `npm run validate`. */
export function takeSamples(all: number, part: number): number {
  return isLongRun ? all : Math.ceil(all * part);
}

/** The cases of a table: every `stride`th from `first` on in `npm test`, all of them in `npm run validate`. */
export function takeCases<T>(all: readonly T[], stride: number, first = 0): T[] {
  return all.filter((_, i) => isLongRun || i % stride === first);
}

/** A test of many seconds, of `npm run validate` alone. */
export const longTest: typeof test = isLongRun ? test : leaveOut();

function leaveOut(): typeof test {
  const nothing = (): void => {};
  return Object.assign(nothing, { each: () => nothing }) as unknown as typeof test;
}

/**
 * `test` for the blocks of a `describe.each`, as of every formulation: a call at the beginning of each block gives the one of the block.
 * In `npm test` each test is in every `stride`th block, in turn: the next test is in the next block. In `npm run validate` all are in all.
 */
export function createTurns(stride = 2): () => typeof test {
  let place = 0;
  return () => {
    let count = place++;
    const isTurn = (): boolean => isLongRun || count++ % stride === 0;
    const take = (...args: Parameters<typeof test>): void => {
      if (isTurn()) test(...args);
    };
    const each = (table: readonly unknown[]): unknown => (isTurn() ? test.each(table) : () => {});
    return Object.assign(take, { each }) as unknown as typeof test;
  };
}
