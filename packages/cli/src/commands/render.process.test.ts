/** Films of a scene, made by a browser without a window and looked at by another program. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPng } from '@nexdyn/formats';
import { afterAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';

const chromium = process.env['NEXDYN_CHROMIUM'] ?? '/usr/bin/chromium';
const program = fileURLToPath(new URL('../../../../scripts/nexdyn.mjs', import.meta.url));
const ffprobe = process.env['NEXDYN_FFPROBE'] ?? 'ffprobe';
const hasTools = existsSync(chromium) && spawnSync(ffprobe, ['-version']).status === 0;

describe.skipIf(!hasTools)('nexdyn render (needs Chromium and ffprobe)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-render-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const render = (...args: string[]) =>
    spawnSync(process.execPath, [program, 'render', ...args], { encoding: 'utf8', timeout: 120_000 });

  const size = ['--size', '160x90', '--seconds', '0.1', '--fps', '20', '--quiet'];
  const checkFrames = (frames: string): void => {
    expect(readdirSync(frames)).toEqual(['frame-00000.png', 'frame-00001.png', 'frame-00002.png']);
    const painted = readdirSync(frames).map((name) => readFileSync(join(frames, name)));
    expect(painted[0]!.equals(painted[2]!)).toBe(false);
    const { width, height } = readPng('frame.png', painted[0]!);
    expect([width, height]).toEqual([160, 90]);
  };

  test('a video and PNG files have the asked for pictures, size and times', () => {
    const [video, frames] = [join(folder, 'film.mp4'), join(folder, 'frames')];
    const { status, stderr } = render(
      ...['double-pendulum', '--video', video, '--frames', frames, '--formulations', 'mujoco,sap'],
      ...size,
    );
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('3 frames, up to 0.1 s') });
    const fields = 'stream=width,height,nb_frames:frame=pts_time';
    const probe = execFileSync(ffprobe, ['-v', 'error', '-show_entries', fields, '-of', 'json', video]);
    const { streams, frames: pictures } = JSON.parse(probe.toString()) as {
      streams: { width: number; height: number; nb_frames: string }[];
      frames: { pts_time: string }[];
    };
    expect(streams[0]).toMatchObject({ width: 160, height: 90, nb_frames: '3' });
    pictures.forEach(({ pts_time }, n) => {
      expect(Number(pts_time)).toBeCloseTo(n / 20, 3);
    });

    checkFrames(frames);
    // nothing is lost: a film that is there stays
    expect(render('double-pendulum', '--video', video).stderr).toContain('pass --force');
  });

  longTest('PNG files without a background', () => {
    const frames = join(folder, 'transparent');
    expect(render('double-pendulum', '--frames', frames, '--transparent', ...size).status).toBe(0);
    checkFrames(frames);
  });
});
