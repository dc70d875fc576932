import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandFolder } from './commands/command-folder.ts';

const folder = new CommandFolder();
beforeEach(() => folder.create());
afterEach(() => folder.remove());

/** Runs a command in the folder. */
const nexdyn = (...args: string[]) => folder.run(...args);

describe('nexdyn', () => {
  test('help and version are data and end well', async () => {
    expect(await nexdyn('--help')).toMatchObject({ status: 0, stderr: '' });
    expect((await nexdyn('--help')).stdout).toMatch(/run[\s\S]*inspect[\s\S]*convert[\s\S]*bench[\s\S]*studio/);
    expect(await nexdyn('--version')).toMatchObject({ status: 0, stdout: '0.1.0\n' });
    expect((await nexdyn('run', '--help')).stdout).toContain('--seconds');
  });

  test.each([
    [[], /no command given/],
    [['fly'], /unknown command 'fly'/],
    [['run'], /missing required argument 'file'/],
    [['run', 'ball.xml', '--fast'], /unknown option '--fast'/],
    [['run', 'ball.xml', '--dt', '0'], /above 0/],
    [['run', 'ball.xml', '--dt', 'soon'], /not a finite number/],
    [['run', 'ball.xml', '--seconds', '-1'], /0 or more/],
    [['run', 'ball.xml', '--every', '1.5'], /whole number/],
    [['run', 'ball.xml', '--out', 'out', '--format', 'npz,avi'], /'avi' is not one of npz, csv, mcap, glb/],
    [['run', 'ball.xml', '--formulation', 'lcp'], /mujoco, sap, ccp, ipc, penalty/],
    [['run', 'ball.xml', '--formulation', 'hertz'], /hint: .*; or load the module that adds it: --import FILE/],
    [['run', 'ball.xml', '--formulation', 'sapp'], /hint: did you mean 'sap'\?/],
    [['run', 'ball.xml', '--set', 'mujoco.solvr=cg'], /--set mujoco\.solvr=cg: options\.mujoco\.solvr is not a field/],
    [['run', 'ball.xml', '--set', 'mujoco.solver=simplex'], /--set mujoco\.solver=simplex: options\.mujoco\.solver/],
    [['run', 'ball.xml', '--solver', 'simplex'], /--solver simplex: options\.mujoco\.solver/],
    [['run', 'ball.xml', '--cone', 'round'], /pyramidal, elliptic/],
    [['run', 'ball.xml', '--limit', 'sample=3'], /Limits are bodies/],
    [['run', 'ball.xml', '--limit', 'samples=many'], /0 or more/],
    [['run', 'ball.xml', '--formulation', 'sap', '--cone', 'elliptic'], /sap has no choice of cones/],
    [['inspect', 'ball.xml', '--contacts', '--set', 'gravity=1'], /--set gravity=1: options\.gravity/],
    [['run', 'ball.xml', '--keyframe', 'down'], /no keyframe "down"\nhint: choose from up, or none/],
    [['inspect', 'ball.xml', '--keyframe', 'up'], /add --contacts/],
    [['inspect', 'ball.xml', '--contacts', '--keyframe', 'down'], /no keyframe "down"/],
    [['convert', 'ball.xml', 'ball.txt'], /ends neither in \.json nor in \.xml/],
    [['bench', 'nothing'], /no benchmark 'nothing'/],
    [['studio', '--port', '99999'], /0 to 65535/],
  ])('wrong usage %j: exit code 1 and a hint', async (args, message) => {
    const { status, stdout, stderr } = await nexdyn(...args);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error\[invalid-argument\] .*$/m);
    expect(stderr).toMatch(message);
    expect(folder.list()).toEqual(['ball.xml']);
  });
});

describe('bad files', () => {
  const cases: [string, string, RegExp][] = [
    ['malformed.xml', '<mujoco><worldbody></mujoco>', /^error\[malformed-xml\] malformed\.xml:1:\d+/m],
    ['malformed.json', '{"format": "nexdyn-scene", "version": 1, ]', /^error\[malformed-json\] malformed\.json:1:\d+/m],
    ['empty.xml', '', /^error\[malformed-xml\] empty\.xml/m],
    [
      'mass.json',
      '{"format":"nexdyn-scene","version":1,"bodies":[{"joints":[{"kind":"free"}],"shapes":[{"kind":"sphere","radius":1,"mass":-1}]}]}',
      /^error\[[a-z-]+\] mass\.json.*bodies\[0\]/m,
    ],
    [
      'outside.xml',
      '<mujoco><include file="../secret.xml"/></mujoco>',
      /^error\[path-outside-folder\] outside\.xml:1:\d+/m,
    ],
    ['link.xml', '<mujoco><include file="linked.xml"/></mujoco>', /^error\[path-outside-folder\]/m],
    [
      'mesh.xml',
      '<mujoco><asset><mesh file="none.obj"/></asset></mujoco>',
      /^error\[file-not-found\] mesh\.xml:1:\d+/m,
    ],
    [
      'term.json',
      '{"format":"nexdyn-scene","version":1,"terms":[{"kind":"tide"}]}',
      /^error\[unknown-reference\] term\.json terms\[0\]\.kind: .*\nhint: .*registerTerm \(command line: --import FILE\)$/m,
    ],
    ['scene.docx', 'hello', /^error\[unknown-format\] scene\.docx/m],
  ];
  test.each(cases)('%s: exit code 2, a place, and no folder', async (name, content, message) => {
    folder.write(name, content);
    symlinkSync(fileURLToPath(import.meta.url), join(folder.path, 'linked.xml'));
    const before = folder.list();
    const { status, stdout, stderr } = await nexdyn('run', name, '--out', 'out');
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(folder.list()).toEqual(before);
  });

  test('a file that is not there, a folder, a name that fits nothing', async () => {
    for (const argument of ['none.xml', '.', 'no-such-scene-at-all']) {
      const { status, stderr } = await nexdyn('run', argument, '--out', 'deep/er/out');
      expect(status, argument).toBe(2);
      expect(stderr, argument).toMatch(/^error\[(file-not-found|file-unreadable|unknown-format)\]/);
      expect(stderr, argument).toMatch(/^hint: /m);
    }
    expect(folder.list()).toEqual(['ball.xml']);
  });

  test('with --json the error is data as well', async () => {
    folder.write('bad.xml', '<mujoco>\n  <worldbody>\n</mujoco>');
    const { status, stdout } = await nexdyn('inspect', 'bad.xml', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'malformed-xml', file: 'bad.xml', line: 3 });
  });
});
