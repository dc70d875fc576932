/**
 * Every reader on 600 damaged inputs (10,000 in `npm run validate`): half of them the same in every run, half of a seed that changes
 * every day. Of 24 each (200), what the readers of scenes accept is compiled and stepped. `npm run fuzz` takes more.
 * NEXDYN_FUZZ_SEED repeats the day of a failure, which its message names.
 */
import { expect, test } from 'vitest';
import { takeSamples } from '../../scripts/long-run.ts';
import { fuzzTarget, readCorpus, tryInput } from './fuzz-run.ts';
import { FUZZ_TARGETS } from './fuzz-targets.ts';

const INPUTS = Number(process.env.NEXDYN_FUZZ_INPUTS ?? takeSamples(10_000, 0.06));
/** Inputs that are compiled and stepped cost more. */
const STEPPED_SHARE = takeSamples(200, 0.12) / takeSamples(10_000, 0.06);
const today = Math.floor(Date.now() / 86_400_000);
const rotating = Number(process.env.NEXDYN_FUZZ_SEED ?? 1_000_000 * (1 + (today % 4000)));

test.each(FUZZ_TARGETS.map((target) => [target.name, target] as const))('%s', async (_, target) => {
  const corpus = readCorpus(target);
  const inputs = target.isGentle ? STEPPED_SHARE * INPUTS : INPUTS;
  expect(corpus.length).toBeGreaterThan(1);
  for (const file of corpus) expect(await tryInput(target, file), file.name).toBeUndefined();
  for (const seed of [1, rotating]) {
    const { faults, read, refused } = await fuzzTarget(target, corpus, seed, inputs / 2);
    expect(faults.map((fault) => `seed ${fault.seed}, made from ${fault.file}: ${fault.what}`)).toEqual([]);
    expect(read + refused).toBe(inputs / 2);
    // damage that no reader notices, or that is noticed at the first byte, tests nothing
    if (target.name !== 'folder') expect(refused).toBeGreaterThan(inputs / 50);
    // a handful may all be refused
    if (inputs >= 100) expect(read).toBeGreaterThan(inputs / 200);
  }
});
