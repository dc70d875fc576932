/** Runs commands in this process, in a temporary folder, as if a user had started them there. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExitCode } from '../exit-code.ts';
import { captureRun } from './captured-run.ts';

/** A ball that falls from 100 m, or from 50 m at its keyframe. */
export const BALL = `<mujoco model="ball">
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 100"><freejoint/><geom type="sphere" size="0.1" mass="2"/></body>
  </worldbody>
  <custom><numeric name="mine" data="1"/></custom>
  <keyframe><key name="up" qpos="0 0 50 1 0 0 0" qvel="1 0 0 0 0 0"/></keyframe>
</mujoco>
`;

/** A crate one millimetre in the floor, or far above it at its keyframe. */
export const CRATE = `<mujoco model="crate">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="crate" pos="0 0 0.299"><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>
  </worldbody>
  <keyframe><key name="up" qpos="0 0 5 1 0 0 0"/></keyframe>
</mujoco>
`;

/** What a command printed and its exit code. */
export interface CommandOutput {
  status: ExitCode;
  stdout: string;
  stderr: string;
}

/** What JSON holds. */
type Json = ReturnType<typeof JSON.parse>;

/** A folder to run commands in; made again for each test. */
export class CommandFolder {
  path = '';

  /** Makes the folder, with ball.xml in it. */
  create(): void {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), 'nexdyn-cli-')));
    this.write('ball.xml', BALL);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  /** Runs the command line as if it were started in the folder. */
  async run(...args: string[]): Promise<CommandOutput> {
    const before = process.cwd();
    process.chdir(this.path);
    try {
      const { status, data, messages } = await captureRun(...args);
      return { status, stdout: data, stderr: messages };
    } finally {
      process.chdir(before);
    }
  }

  /** The same, with the output read as JSON. */
  async runJson(...args: string[]): Promise<Json> {
    return JSON.parse((await this.run(...args, '--json')).stdout);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  readJson(name: string): Json {
    return JSON.parse(this.read(name));
  }

  /** Names of everything in the folder or one in it, hidden files included. */
  list(name = '.'): string[] {
    return readdirSync(join(this.path, name)).sort();
  }
}
