/** Comparisons and validations as processes: what ctrl-C leaves; runs that are killed and go on from a checkpoint. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import { BALL, CRATE } from './command-folder.ts';

const MAIN = fileURLToPath(new URL('../../dist-node/main.js', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-interrupt-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command and interrupts it once when it says something that fits. */
async function interrupt(
  when: RegExp,
  ...args: string[]
): Promise<{ status: unknown; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder });
  let stdout = '';
  let stderr = '';
  let isInterrupted = false;
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => {
    stderr += text;
    if (!isInterrupted && when.test(stderr)) isInterrupted = child.kill('SIGINT');
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status, stdout, stderr };
}

test('ctrl-C in a comparison: what ran is measured and reported, the rest is named', async () => {
  const { status, stdout, stderr } = await interrupt(
    /left, mujoco/,
    'compare',
    'incline',
    '--time',
    '1e4',
    '--out',
    'out',
    '--json',
  );
  expect(status).toBe(130);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ formulation, status: one }) => [formulation, one])).toEqual(
    ['mujoco', 'sap', 'ccp', 'ipc'].map((name) => [name, 'interrupted']),
  );
  expect(lines[0].steps).toBeGreaterThan(0);
  expect(lines[0].metrics.penetration).toMatchObject({ unit: 'm', max: expect.any(Number) });
  expect(lines[1].metrics).toBeNull();
  expect(stderr).toMatch(/^ipc was not run: interrupted$/m);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['manifest.json', 'report.html', 'summary.json']);
  expect(readFileSync(join(folder, 'out/report.html'), 'utf8')).toMatch(/<\/html>\s*$/);
});

longTest('ctrl-C in the study of the time step is no success', async () => {
  const args = ['compare', 'rolling-spheres', '--formulations', 'mujoco', '--time', '0.1', '--refine', '16', '--json'];
  const { status, stdout } = await interrupt(/with smaller steps/, ...args);
  expect(status).toBe(130);
  expect(JSON.parse(stdout).metrics.contacts.unit).toBe('1');
});

longTest('ctrl-C in a validation: the verdicts so far', async () => {
  const { status, stdout, stderr } = await interrupt(/ under /, 'validate', '--json');
  expect(status).toBe(130);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.every(({ pass }) => pass)).toBe(true);
  expect(stderr).toMatch(
    new RegExp(`^interrupted after ${lines.length} of \\d+: ${lines.length} of ${lines.length} pass`, 'm'),
  );
});

longTest('kill -9 while the output is written: nothing half is there, the rest is named and cleaned', async () => {
  writeFileSync(join(folder, 'ball.xml'), BALL);
  const child = spawn(process.execPath, [MAIN, 'run', 'ball.xml', '--seconds', '150', '--every', '1', '--out', 'out'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const listPartial = (): string[] => readdirSync(folder).filter((name) => name.includes('nexdyn-partial'));
  // the table of 15000 frames takes a while to write
  while (listPartial().length === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill('SIGKILL');
  await ended;
  const [left] = listPartial();
  expect(left).toBeDefined();
  expect(existsSync(join(folder, 'out'))).toBe(false);
  writeFileSync(join(folder, 'precious.txt'), 'mine');

  const nexdyn = (...args: string[]) => spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, encoding: 'utf8' });
  const next = nexdyn('run', 'ball.xml', '--seconds', '0.1', '--out', 'out');
  expect(next.status).toBe(0);
  expect(next.stderr).toContain(`left by a process that was killed: ${left}`);
  expect(next.stderr).toContain('nexdyn clean .');
  const before = readdirSync(folder).sort();
  expect(nexdyn('clean', '--dry-run').stdout).toMatch(`would remove ${left}`);
  expect(readdirSync(folder).sort()).toEqual(before);
  const cleaned = nexdyn('clean');
  expect([cleaned.status, cleaned.stdout]).toEqual([0, expect.stringMatching(`^removed ${left} `)]);
  expect(readdirSync(folder).sort()).toEqual(['ball.xml', 'out', 'precious.txt']);
  expect(nexdyn('clean').stderr).toBe('nothing to clean\n');
});

// ipc has the most to keep: the steps before
test('a run that is killed goes on from its checkpoint to the same bytes', async () => {
  writeFileSync(join(folder, 'crate.xml'), CRATE);
  const args = ['run', 'crate.xml', '--formulation', 'ipc', '--seconds', '0.5', '--quiet', '--out'];
  const start = (...more: string[]) => spawn(process.execPath, [MAIN, ...args, ...more], { cwd: folder });
  const killed = start('killed', '--checkpoint', '0.01s');
  const ended = new Promise((resolve) => killed.on('close', resolve));
  while (!existsSync(join(folder, 'killed.checkpoint')) && killed.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  killed.kill('SIGKILL');
  await ended;
  expect(existsSync(join(folder, 'killed'))).toBe(false);
  const run = (...more: string[]) =>
    spawnSync(process.execPath, [MAIN, ...args, ...more], { cwd: folder, encoding: 'utf8' });
  const other = run('killed', '--resume', '--dt', '0.001');
  expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining('the checkpoint of another run') });
  writeFileSync(join(folder, 'module.mjs'), 'export const nothing = 0;');
  expect(run('killed', '--resume', '--import', 'module.mjs').stderr).toContain('the checkpoint of another run');
  const resumed = run('killed', '--resume');
  expect(resumed.stderr).toMatch(/^continues from the checkpoint at [\d.e-]+ s$/m);
  expect(resumed.status).toBe(0);
  expect(run('whole').status).toBe(0);
  for (const name of ['hashes.csv', 'frames.csv', 'frames.npz', 'scene.json']) {
    expect(readFileSync(join(folder, 'killed', name)).equals(readFileSync(join(folder, 'whole', name))), name).toBe(
      true,
    );
  }
  const energy = (name: string) => JSON.parse(readFileSync(join(folder, name, 'summary.json'), 'utf8')).energy;
  expect(energy('killed')).toEqual(energy('whole'));
  expect(existsSync(join(folder, 'killed.checkpoint'))).toBe(false);
  writeFileSync(join(folder, 'next.checkpoint'), 'nexdyn-checkpoint 1\nnothing');
  expect(run('next', '--resume').stderr).toContain('damaged');
});
