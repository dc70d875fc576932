import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { writeNpzArrays } from '@nexdyn/formats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findControllableRank } from '../linearize/controllability.ts';
import { findEigenvalues } from '../linearize/eigenvalues.ts';
import { captureRun } from './captured-run.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-linearize-'));
  file = join(folder, 'scene.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const H = 0.01;
const arm = (damping = 0.5): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: H, gravity: [0, 0, 0], formulation: 'sap' },
  bodies: [
    {
      name: 'arm',
      joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 0, 1], damping }],
      inertia: { kind: 'principal', mass: 1, moments: [2, 2, 2] },
    },
  ],
  actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'pivot' } }],
  keyframes: [{ name: 'fast', velocity: [3], control: [1] }],
});

describe('nexdyn linearize', () => {
  test('a damped wheel: A, B and eigenvalues are those of the implicit step', async () => {
    writeFileSync(file, JSON.stringify(arm()));
    const out = join(folder, 'step.npz');
    const { status, data } = await captureRun('linearize', file, '--at', 'fast', '--json', '--check', '--out', out);
    expect(status).toBe(0);
    const found = JSON.parse(data);
    // (I + h d) v⁺ = I v + h u
    const keep = 2 / (2 + H * 0.5);
    const push = H / (2 + H * 0.5);
    expect(found.A[1][1]).toBeCloseTo(keep, 8);
    expect(found.A[0][1]).toBeCloseTo(H * keep, 8);
    expect(found.B[1][0]).toBeCloseTo(push, 8);
    expect(found.eigenvalues.map(({ re }: { re: number }) => re)).toEqual([
      expect.closeTo(1, 7),
      expect.closeTo(keep, 7),
    ]);
    expect(found.controllableRank).toBe(2);
    expect(found.report.check.error).toBeLessThan(1e-6);
    expect(existsSync(out) && readFileSync(out).length > 0).toBe(true);
  });

  test('a table for people, with parameters; unknown ones are named', async () => {
    writeFileSync(file, JSON.stringify(arm()));
    const { data } = await captureRun('linearize', file, '--at', 'fast', '--parameters', 'joints.pivot.damping');
    expect(data).toMatch(/controls reach 2 of 2/);
    expect(data).toMatch(/joints.pivot.damping +most in velocity of pivot/);
    const wrong = await captureRun('linearize', file, '--parameters', 'joints.pivt.damping');
    expect(wrong.status).not.toBe(0);
    expect(wrong.messages).toMatch(/did you mean 'pivot'/);
  });
});

describe('nexdyn fit', () => {
  test('finds the damping of a recorded motion and refuses what has no effect', async () => {
    const truth = new Simulation(compileModel(arm(0.8)));
    const frames = 20;
    const [time, position, velocity, control] = [0, 1, 2, 3].map(() => new Float64Array(frames));
    for (let k = 0; k < frames; k++) {
      time![k] = truth.time;
      position![k] = truth.state.position[0]!;
      velocity![k] = truth.state.velocity[0]!;
      control![k] = truth.state.control[0]!;
      truth.step(5);
    }
    const run = join(folder, 'run.npz');
    const column = (values: Float64Array) => ({ shape: [frames, 1], data: values });
    writeFileSync(
      run,
      writeNpzArrays({
        time: { shape: [frames], data: time! },
        position: column(position!),
        velocity: column(velocity!),
        control: column(control!),
      }),
    );
    writeFileSync(file, JSON.stringify(arm(0.3)));
    const args = ['fit', file, '--data', run, '--parameters', 'joints.pivot.damping'];
    const { status, data } = await captureRun(...args, '--json', '--bound', 'joints.pivot.damping=0:5');
    expect(status).toBe(0);
    expect(JSON.parse(data).parameters[0].value).toBeCloseTo(0.8, 5);
    expect((await captureRun(...args)).data).toMatch(/joints.pivot.damping +0.8.* \(was 0.3\)/);
    const blind = await captureRun('fit', file, '--data', run, '--parameters', 'sap.stiffness');
    expect(blind.messages).toMatch(/does not depend on sap.stiffness/);
    const wrong = await captureRun(...args, '--bound', 'joints.pivot.damping');
    expect(wrong.messages).toMatch(/path=low:high/);
  });
});

test('eigenvalues of real matrices, complex pairs among them', () => {
  // companion matrix of (x − 3)(x + 2)(x² − 2x + 5): x⁴ − 3x³ + x² + 7x − 30
  const companion = Float64Array.of(3, -1, -7, 30, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
  const found = findEigenvalues(companion, 4);
  const expected = [
    [3, 0],
    [1, 2],
    [1, -2],
    [-2, 0],
  ];
  expect(found.map(({ re, im }) => [re, im])).toEqual(
    expected.map((pair) => pair.map((part) => expect.closeTo(part, 10))),
  );
});

test('states that controls reach', () => {
  // a chain of two integrators and one that nothing drives
  expect(findControllableRank(Float64Array.of(1, 1, 0, 0, 1, 0, 0, 0, 1), Float64Array.of(0, 1, 0), 3)).toBe(2);
  expect(findControllableRank(Float64Array.of(1, 0, 0, 1), new Float64Array(0), 2)).toBe(0);
});

test('fit --report: a page with intervals, residuals and what the data can tell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-fit-report-'));
  const [file, run, page] = ['slide.json', 'run', 'fit.html'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const slide = (damping: number, mass: number): object => ({
    format: 'nexdyn-scene',
    version: 1,
    name: 'slide',
    options: { timestep: 0.01, gravity: [0, 0, 0] },
    bodies: [
      {
        name: 'cart',
        joints: [{ kind: 'slide', name: 'track', axis: [1, 0, 0], damping }],
        shapes: [{ kind: 'sphere', radius: 0.1, mass }],
      },
    ],
    keyframes: [{ position: [0], velocity: [1] }],
  });
  writeFileSync(file, JSON.stringify(slide(1.2, 1)));
  await captureRun('run', file, '--seconds', '0.4', '--out', run, '--quiet');
  writeFileSync(file, JSON.stringify(slide(0.6, 1)));
  const fitted = ['fit', file, '--data', run, '--report', page, '--parameters'];
  const { status } = await captureRun(...fitted, 'joints.track.damping,bodies.cart.mass');
  expect(status).toBe(0);
  const text = readFileSync(page, 'utf8');
  rmSync(folder, { recursive: true, force: true });
  // only the ratio of damping and mass shows in the motion
  expect(text).toMatch(/One combination<?[^.]*of parameters cannot be told/);
  expect(text).toContain('not told');
  expect(text).toContain('95 % interval');
  expect(text.match(/<svg/g)).toHaveLength(2);
});
