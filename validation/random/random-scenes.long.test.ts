/**
 * A thousand random scenes under every formulation, 200 steps each, with a table of what happened.
 *
 *   NEXDYN_LONG=1 npx vitest run validation/random/random-scenes.long.test.ts
 *   NEXDYN_RANDOM=100,300 NEXDYN_LONG=1 npx vitest run ... takes the scenes from 100 on, up to 300
 */
import type { BuiltInFormulationId } from '@nexdyn/engine';
import { afterAll, expect, test } from 'vitest';
import { type RandomRun, runRandomScene } from './random-run.ts';
import { createRandomScene } from './random-scene.ts';

const [FIRST = 1, END = 1001] = (process.env.NEXDYN_RANDOM ?? '').split(',').filter(Boolean).map(Number);
const STEPS = 200;
const STATUSES = [
  'converged',
  'iteration-limit',
  'stalled',
  'infeasible',
  'unstable',
  'diverged',
  'timed-out',
  'refused',
] as const;

const table = new Map<string, RandomRun[]>();

afterAll(() => console.log(formatTable(table)));

test.each<BuiltInFormulationId>(['mujoco', 'sap', 'ccp', 'ipc', 'penalty'])(
  '%s',
  (formulation) => {
    const runs: RandomRun[] = [];
    for (let seed = FIRST; seed < END; seed++)
      runs.push(runRandomScene(createRandomScene(seed), seed, formulation, STEPS, 5));
    table.set(formulation, runs);
    const faults = runs.flatMap((run) => run.faults.slice(0, 1).map((fault) => `scene ${run.seed}: ${fault}`));
    expect(faults).toEqual([]);
  },
  12 * 3600 * 1000,
);

// one column per formulation
function formatTable(all: ReadonlyMap<string, readonly RandomRun[]>): string {
  const columns = [...all].map(([formulation, runs]) => {
    const count = (status: keyof RandomRun['statuses']): string =>
      String(runs.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0));
    const most = (read: (run: RandomRun) => number): string => Math.max(...runs.map(read)).toExponential(1);
    return [
      ['', formulation],
      ['scenes', String(runs.length)],
      ...STATUSES.map((status) => [`steps ${status}`, count(status)]),
      ['momentum residual, converged', most((run) => run.momentum)],
      ['cone violation over normal force, converged', most((run) => run.cone)],
      ['joint drift, converged, m or rad', most((run) => run.drift)],
      ['energy gained over what there was', most((run) => run.growth)],
      ['longest step, s', most((run) => run.longest)],
    ];
  });
  const names = columns[0]?.map(([name]) => name!) ?? [];
  return names.map((name, r) => name.padEnd(46) + columns.map((c) => c[r]![1]!.padStart(12)).join('')).join('\n');
}
