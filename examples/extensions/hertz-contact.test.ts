/** The formulation of hertz-contact.js, loaded as a user would: by the command line, with no change of the engine. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileModel, listFormulations, type Scene, Simulation } from '@nexdyn/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureRun } from '../../packages/cli/src/commands/captured-run.ts';

const EXTENSION = join(import.meta.dirname, 'hertz-contact.js');
const G = 9.81;

/** A crate of 2 kg on the floor, thrown along it. */
function crate(speed: number): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    name: 'crate',
    options: { timestep: 0.001 },
    shapes: [{ kind: 'plane', friction: 0.4 }],
    bodies: [
      {
        name: 'crate',
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 2, friction: 0.4 }],
      },
    ],
    keyframes: [{ position: [0, 0, 0.1, 1, 0, 0, 0], velocity: [speed, 0, 0, 0, 0, 0] }],
  };
}

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-hertz-'));
  file = join(folder, 'crate.json');
  writeFileSync(file, JSON.stringify(crate(3)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a formulation from outside', () => {
  test('is unknown until its file is imported, and then runs', async () => {
    const args = ['run', file, '--formulation', 'hertz', '--seconds', '0.5', '--json', '--quiet'];
    const before = await captureRun(...args);
    expect(before.status).toBe(1);
    expect(before.messages).toMatch(/mujoco, sap, ccp, ipc, penalty/);
    const { status, data } = await captureRun(...args, '--import', EXTENSION, '--set', 'hertz.slipSpeed=0.005');
    expect(status).toBe(0);
    expect(JSON.parse(data)).toMatchObject({ formulation: 'hertz', status: 'completed' });
    expect(listFormulations().map(({ id }) => id)).toEqual(['mujoco', 'sap', 'ccp', 'ipc', 'penalty', 'hertz']);
  });

  test('its options are checked like all others', async () => {
    const args = ['run', file, '--formulation', 'hertz', '--import', EXTENSION, '--quiet'];
    const wrong = await captureRun(...args, '--set', 'hertz.stiffness=-1');
    expect(wrong.status).toBe(1);
    expect(wrong.messages).toMatch(/options\.hertz\.stiffness/);
    expect((await captureRun(...args, '--set', 'hertz.stifness=1')).messages).toMatch(/did you mean 'stiffness'/);
  });

  test('has a column of its own in a comparison', async () => {
    const args = ['compare', file, '--import', EXTENSION, '--formulations', 'sap,hertz', '--time', '0.2'];
    const report = join(folder, 'report.html');
    const { status, data } = await captureRun(...args, '--refine', '0', '--report', report, '--quiet');
    expect(status).toBe(0);
    const head = data.split('\n').find((line) => line.includes('hertz'))!;
    expect(head.indexOf('sap')).toBeLessThan(head.indexOf('hertz'));
    expect(readFileSync(report, 'utf8')).toContain('class="key c5"');
  });

  test('rests at the depth (m g/(n k))^(2/3) and slides with the deceleration μ g', () => {
    const depthOf = (stiffness: number): number => {
      const written = crate(0);
      Object.assign(written.options!, { hertz: { stiffness, dissipation: 60 } });
      const simulation = new Simulation(compileModel(written, { formulation: 'hertz' }));
      simulation.step(3000);
      return 0.1 - simulation.state.position[2]!;
    };
    // four corners carry the crate; vibrations have died out
    for (const k of [2e5, 1e6]) expect(depthOf(k)).toBeCloseTo(((2 * G) / (4 * k)) ** (2 / 3), 7);

    const written = crate(3);
    Object.assign(written.options!, { hertz: { slipSpeed: 1e-3 } });
    const simulation = new Simulation(compileModel(written, { formulation: 'hertz' }));
    simulation.reset();
    // the crate settles first, and friction pushes it a little into the floor in front: forces sum to m g on average
    simulation.step(200);
    const start = simulation.state.velocity[0]!;
    simulation.step(300);
    const deceleration = (start - simulation.state.velocity[0]!) / 0.3;
    expect(Math.abs(deceleration - 0.4 * G)).toBeLessThan(0.01 * 0.4 * G);
  });

  test('says what it does not resolve, and what cannot be is an error', () => {
    const written = crate(0);
    delete written.keyframes;
    written.bodies!.push({
      position: [1, 0, 1],
      joints: [{ kind: 'hinge', limit: { range: [-1, 1] }, frictionLoss: 0.1 }],
      shapes: [{ kind: 'sphere', radius: 0.1 }],
    });
    const { unresolved } = new Simulation(compileModel(written, { formulation: 'hertz' }));
    expect(unresolved).toEqual(['limits of joints', 'dry friction of joints']);
    expect(() => new Simulation(compileModel(crate(0), { formulation: 'hertz', coordinates: 'body' }))).toThrow(
      /hertz needs joint coordinates/,
    );
  });

  test('files that are missing or fail are named', async () => {
    const missing = await captureRun('run', file, '--import', join(folder, 'none.mjs'));
    expect(missing.status).toBe(2);
    expect(missing.messages).toMatch(/none\.mjs: there is no such file/);
    const broken = join(folder, 'broken.mjs');
    writeFileSync(broken, "throw new Error('not today');");
    const failed = await captureRun('inspect', file, `--import=${broken}`, '--json');
    expect(failed.status).toBe(2);
    expect(JSON.parse(failed.data).error).toMatchObject({ code: 'file-unreadable', file: broken });
    expect(failed.messages).toMatch(/not today/);
  });
});

test('energy terms are explicit forces, and external ones count as applied', () => {
  const points = [{ body: 'ball' }, { body: 'world' }];
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.01, gravity: [0, 0, 0] },
    bodies: [
      {
        name: 'ball',
        position: [0.3, 0, 0],
        joints: [{ kind: 'free' }],
        inertia: { kind: 'principal', mass: 2, moments: [1, 1, 1] },
      },
    ],
    terms: [
      { kind: 'springNetwork', weight: 2, points, springs: [{ between: [0, 1], stiffness: 100, restLength: 0 }] },
      { kind: 'wind', points: [{ body: 'ball' }], velocity: [3, 0, 0], drag: 4 },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'hertz' }));
  let [x, v] = [0.3, 0];
  for (let n = 0; n < 30; n++) {
    simulation.step();
    // symplectic Euler; the wind is taken at the velocity of the start, which its displacement since then does not show yet
    v += (0.01 * (-200 * x + 4 * 3)) / 2;
    x += 0.01 * v;
    expect(simulation.bodyPosition[3]).toBeCloseTo(x, 12);
    expect(simulation.derived.externalForce[0]).toBeCloseTo(4 * 3, 12);
  }
});
