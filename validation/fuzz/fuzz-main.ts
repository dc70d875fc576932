/** What `npm run fuzz` runs: the options of the command line, then the loop. It runs while it is imported, so that modules can be loaded. */
import { parseArgs } from 'node:util';
import { runFuzzLoop } from './fuzz-loop.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    inputs: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});
const isClean = await runFuzzLoop({
  minutes: Number(values.minutes),
  inputs: values.inputs === undefined ? undefined : Number(values.inputs),
  seed: values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed),
  only: values.only?.split(','),
});
if (!isClean) process.exitCode = 1;
