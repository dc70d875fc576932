import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXIT } from '../exit-code.ts';
import { CommandFolder, CRATE } from './command-folder.ts';

const folder = new CommandFolder();

beforeEach(() => folder.create());
afterEach(() => folder.remove());

/** An actuator whose activation a program would supply is not read. */
const DIFFERENT = `<mujoco>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/></body>
  </worldbody>
  <actuator><general joint="hinge" dyntype="user" actdim="1"/></actuator>
</mujoco>`;

describe('nexdyn agree', () => {
  test('a table of one file, and no difference', async () => {
    folder.write('crate.xml', CRATE);
    const { status, stdout } = await folder.run('agree', 'crate.xml', '--time', '0.2');
    expect(stdout).toContain('no difference');
    expect(stdout).toMatch(/^\| sizes +\| nq 7, nv 6, nu 0, nbody 2, ngeom 2/m);
    expect(stdout).toMatch(/^\| position at 0\.1 s /m);
    expect(status).toBe(EXIT.ok);
  });

  test('names the first difference', async () => {
    folder.write('different.xml', DIFFERENT);
    const { status, stdout } = await folder.run('agree', 'different.xml', '--time', '0.1');
    expect(stdout).toContain('first difference: sizes: nu 0, not 1');
    expect(status).toBe(EXIT.different);
  });

  test('a folder: a line per model, and totals; files that are no models are left out', async () => {
    // without its keyframe the crate stands on the floor
    folder.write('crate.xml', CRATE.replace(/<keyframe>.*<.keyframe>/, ''));
    folder.write('package.xml', '<package/>');
    const { stdout } = await folder.run('agree', '.', '--time', '0.1', '--quiet');
    expect(stdout.match(/^\| (ball|crate|package)\.xml/gm)).toHaveLength(2);
    expect(stdout).toMatch(/^\| 2 +\| 2 +\| 2 +\| 0 +\| 2 of 2 /m);
    expect(stdout).toMatch(/^\| box-plane +\|/m);
  });

  test('a file that neither loads is named, and is no difference', async () => {
    folder.write('outside.xml', '<mujoco><include file="none.xml"/></mujoco>');
    const { status, stdout } = await folder.run('agree', 'outside.xml');
    expect(stdout).toContain('does not load');
    expect(status).toBe(EXIT.ok);
  });

  test('a Python without MuJoCo is named', async () => {
    const { status, stderr } = await folder.run('agree', 'ball.xml', '--python', './none');
    expect(stderr).toContain("'./none' cannot run MuJoCo");
    expect(status).toBe(EXIT.usage);
  });
});
