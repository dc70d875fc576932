import { InvalidArgumentError } from 'commander';

/** A part of the runs, as `2/5` on the command line; `index` from 0. */
export interface ShardChoice {
  index: number;
  count: number;
}

export function parseShard(text: string): ShardChoice {
  const [, part, count] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  if (!(Number(part) >= 1 && Number(part) <= Number(count))) {
    throw new InvalidArgumentError('It must be i/n with i from 1 to n, as in 2/5.');
  }
  return { index: Number(part) - 1, count: Number(count) };
}
