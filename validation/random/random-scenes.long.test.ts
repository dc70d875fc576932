/**
 * A thousand random scenes under every formulation, 200 steps each, with a table of what happened.
 *
 *   NEXDYN_LONG=1 npx vitest run validation/random/random-scenes.long.test.ts
 *   NEXDYN_RANDOM=100,300 NEXDYN_LONG=1 npx vitest run ... takes the scenes from 100 on, up to 300
 */
import type { BuiltInFormulationId } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { type RandomRun, runRandomScene } from './random-run.ts';
import { createRandomScene } from './random-scene.ts';

const [FIRST = 1, END = 1001] = (process.env.NEXDYN_RANDOM ?? '').split(',').filter(Boolean).map(Number);
const STEPS = 200;

test.each<BuiltInFormulationId>(['mujoco', 'sap', 'ccp', 'ipc'])(
  '%s',
  (formulation) => {
    const runs: RandomRun[] = [];
    for (let seed = FIRST; seed < END; seed++)
      runs.push(runRandomScene(createRandomScene(seed), seed, formulation, STEPS, 5));
    console.log(formatTable(formulation, runs));
    const faults = runs.flatMap((run) => run.faults.slice(0, 1).map((fault) => `scene ${run.seed}: ${fault}`));
    expect(faults).toEqual([]);
  },
  12 * 3600 * 1000,
);

function formatTable(formulation: string, runs: readonly RandomRun[]): string {
  const statuses: Record<string, number> = {};
  for (const run of runs)
    for (const [status, count] of Object.entries(run.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  const most = (read: (run: RandomRun) => number): string => Math.max(...runs.map(read)).toExponential(1);
  const rows = [
    ['scenes', String(runs.length)],
    ...Object.entries(statuses).map(([status, count]) => [`steps ${status}`, String(count)]),
    ['momentum residual, converged', most((run) => run.momentum)],
    ['cone violation over normal force, converged', most((run) => run.cone)],
    ['joint drift, converged, m or rad', most((run) => run.drift)],
    ['longest step, s', most((run) => run.longest)],
  ];
  return [formulation, ...rows.map(([name, value]) => `  ${name!.padEnd(46)}${value}`)].join('\n');
}
