/** What only a process shows: streams, exit codes, signals, the compiled files. What commands say and write is tested without one. */
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { longTest } from '../../../scripts/long-run.ts';
import { BALL } from './commands/command-folder.ts';

const MAIN = fileURLToPath(new URL('../dist-node/main.js', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-cli-'));
  writeFileSync(join(folder, 'ball.xml'), BALL);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the compiled command line in the test's folder. */
function nexdyn(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Names of everything in the test's folder, hidden files included. */
const listFolder = (): string[] => readdirSync(folder).sort();
const readJson = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));

describe('nexdyn', () => {
  test('data goes to stdout, messages to stderr, and the exit code tells success, wrong usage and a bad file', () => {
    expect(nexdyn('--version')).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
    const wrong = nexdyn('run', 'ball.xml', '--formulation', 'sapp');
    expect(wrong).toMatchObject({ status: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/^error\[invalid-argument\] .*\nhint: did you mean 'sap'\?$/m);
    const missing = nexdyn('inspect', 'none.xml', '--json');
    expect(missing.status).toBe(2);
    expect(missing.stderr).toMatch(/^error\[file-not-found\]/);
    expect(JSON.parse(missing.stdout).error.code).toBe('file-not-found');
  });

  // minified, a part that does not come to its end fills in nothing
  test('the bundle has signed-distance fields', () => {
    const scene = {
      format: 'nexdyn-scene',
      version: 1,
      signedDistanceFields: [{ name: 'ring', kind: 'torus', majorRadius: 0.1, minorRadius: 0.04 }],
      bodies: [{ joints: [{ kind: 'free' }], shapes: [{ kind: 'signedDistance', field: 'ring' }] }],
    };
    writeFileSync(join(folder, 'ring.json'), JSON.stringify(scene));
    const { status, stdout } = nexdyn('inspect', 'ring.json', '--json');
    expect(status).toBe(0);
    // a ring of water: 2 π² R r² ρ
    expect(JSON.parse(stdout).totalMass).toBeCloseTo(2 * Math.PI ** 2 * 0.1 * 0.04 ** 2 * 1000, 2);
  });

  test.skipIf(!existsSync('/dev/full'))('data that cannot be written: exit code 1 and an error without a stack', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'inspect', 'ball.xml', '--quiet'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error\[invalid-argument\] what goes to stdout cannot be written \(ENOSPC\)\nhint: .*$/m);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('nexdyn run', () => {
  test('writes a whole folder whose frames follow the fall', () => {
    const { status, stdout, stderr } = nexdyn(
      'run',
      'ball.xml',
      '--seconds',
      '1',
      '--out',
      'a/out',
      '--keyframe',
      'none',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^status +completed$/m);
    expect(stderr).toMatch(/^unsupported\[visual\] ball\.xml:7:\d+ /m);
    expect(stderr).not.toContain('not resolved');
    expect(listFolder()).toEqual(['a', 'ball.xml']);
    expect(readdirSync(join(folder, 'a'))).toEqual(['out']);
    expect(readdirSync(join(folder, 'a/out')).sort()).toEqual([
      'contacts.csv',
      'frames.csv',
      'frames.npz',
      'hashes.csv',
      'manifest.json',
      'scene.json',
      'summary.json',
    ]);

    const manifest = readJson('a/out/manifest.json');
    expect(manifest).toMatchObject({
      format: 'nexdyn-run',
      nexdyn: '0.1.0',
      scene: { name: 'ball', file: 'ball.xml', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      options: {
        formulation: 'mujoco',
        coordinates: 'joint',
        integrator: 'euler',
        timestep: 0.01,
        steps: 100,
        every: 1,
        keyframe: null,
      },
      seed: null,
    });
    const summary = readJson('a/out/summary.json');
    expect(summary).toMatchObject({
      formulation: 'mujoco',
      status: 'completed',
      steps: 100,
      unresolved: [],
      statuses: { converged: 100, 'iteration-limit': 0, stalled: 0, infeasible: 0 },
      contacts: { most: { count: 0, penetration: 0, normalForce: 0 }, end: { count: 0 } },
    });
    expect(summary.time).toBeCloseTo(1, 12);
    expect(summary.unsupported).toHaveLength(1);
    // m g z falls to ½ m v² + m g z with v = g t and z = z₀ − ½ g t (t + h): the drift is −½ m g² h t
    expect(summary.energy.start.total).toBeCloseTo(2 * 9.81 * 100, 9);
    expect(summary.energy.drift).toBeCloseTo(-0.5 * 2 * 9.81 ** 2 * 0.01 * 1, 6);

    // semi-implicit Euler falls g h² n (n + 1) / 2
    const rows = readFileSync(join(folder, 'a/out/frames.csv'), 'utf8')
      .trim()
      .split('\n')
      .filter((row) => /^[-\d]/.test(row));
    expect(rows).toHaveLength(101);
    rows.forEach((row, n) => {
      const numbers = row.split(',').map(Number);
      expect(numbers[0]).toBeCloseTo(0.01 * n, 12);
      expect(numbers[3]).toBeCloseTo(100 - (9.81 * 0.01 ** 2 * n * (n + 1)) / 2, 10);
    });
    const arrays = Object.keys(unzipSync(readFileSync(join(folder, 'a/out/frames.npz'))));
    expect(arrays).toEqual(
      expect.arrayContaining(['time.npy', 'position.npy', 'velocity.npy', 'energy.npy', 'bodyPosition.npy']),
    );
  });
  test('ctrl-C finishes the frame and writes what exists', async () => {
    const child = spawn(process.execPath, [MAIN, 'run', 'ball.xml', '--seconds', '1e7', '--out', 'out', '--json'], {
      cwd: folder,
    });
    let stdout = '';
    let stderr = '';
    let isInterrupted = false;
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => {
      stderr += text;
      // progress shows that it runs; a second interrupt would end it at once
      if (!isInterrupted && /left/.test(String(text))) isInterrupted = child.kill('SIGINT');
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect(status).toBe(130);
    expect(stderr).toMatch(/^ +0 %, .* left, .* simulated$/m);
    const summary = JSON.parse(stdout);
    expect(summary.status).toBe('interrupted');
    expect(summary.steps).toBeGreaterThan(0);
    expect(readJson('out/summary.json').steps).toBe(summary.steps);
    expect(listFolder()).toEqual(['ball.xml', 'out']);
  });
});

describe('nexdyn bench', () => {
  test('lists its scenes', () => {
    const { status, stdout } = nexdyn('bench', '--list');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^chain100 /m);
    expect(stdout).toMatch(/^humanoid-free-fall /m);
  });

  longTest('--json: one object per line', () => {
    const { status, stdout, stderr } = nexdyn('bench', 'chain10', 'free-bodies-10', '--quick', '--json');
    expect(stderr).toMatch(/^1 of 2: chain10/m);
    expect(status).toBe(0);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map((row) => row.scene)).toEqual(['chain10', 'free-bodies-10']);
    for (const row of rows) {
      expect(row).toMatchObject({ formulation: 'mujoco', peer: expect.stringContaining('mujoco'), solver: 'none' });
      expect(row.ratio).toBeCloseTo(row.oursMs / row.peerMs, 12);
      expect(row.oursMs).toBeGreaterThan(0);
      expect(row.difference).toBeLessThan(1e-8);
    }
  });
});

describe('nexdyn studio', () => {
  const isBuilt = existsSync(fileURLToPath(new URL('../../studio/dist/index.html', import.meta.url)));
  test.skipIf(!isBuilt)('serves the page until ctrl-C (needs the studio built)', async () => {
    const child = spawn(process.execPath, [MAIN, 'studio', '--port', '0'], { cwd: folder });
    const line = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
    const url = /^NexDyn studio: (http:\/\/localhost:\d+)\n$/.exec(line)?.[1];
    const page = await (await fetch(`${url}/`)).text();
    expect(page).toMatch(/<!doctype html>/i);
    const closed = new Promise((resolve) => child.on('close', resolve));
    child.kill('SIGINT');
    expect(await closed).toBe(0);
  });
});
