import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { METRIC_NAMES, METRICS, type Scene } from '@nexdyn/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longTest } from '../../../../scripts/long-run.ts';
import type { CompareRecord } from '../compare/compare-record.ts';
import { EXIT } from '../exit-code.ts';
import { captureRun } from './captured-run.ts';

/** A ball that cannot turn, sliding from the height at which `ccp` hovers, μ h v. */
const SLIDE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  name: 'slide',
  options: { timestep: 0.01, ccp: { tolerance: 1e-10 }, sap: { stiffness: 1e8, dissipation: 0 } },
  shapes: [{ kind: 'plane', friction: 0.5 }],
  bodies: [
    {
      name: 'ball',
      position: [0, 0, 0.1],
      joints: [
        { kind: 'slide', axis: [1, 0, 0] },
        { kind: 'slide', axis: [0, 1, 0] },
        { kind: 'slide', axis: [0, 0, 1] },
      ],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, friction: 0.5, margin: 0.05 }],
    },
  ],
  keyframes: [{ position: [0, 0, 0.025], velocity: [5, 0, 0] }],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-compare-'));
  writeFileSync(join(folder, 'slide.json'), JSON.stringify(SLIDE));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const compare = (...args: string[]) => captureRun('compare', ...args);

const parse = (data: string): CompareRecord[] =>
  data
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('one JSON object per formulation, with every metric, its unit and numbers that closed forms know', async () => {
  const { status, data } = await compare(
    join(folder, 'slide.json'),
    '--formulations',
    'sap,ccp',
    '--time',
    '0.3',
    '--refine',
    '2',
    '--json',
    '--quiet',
  );
  expect(status).toBe(EXIT.ok);
  const records = parse(data);
  expect(records.map(({ formulation }) => formulation)).toEqual(['sap', 'ccp']);
  for (const { status: state, metrics, steps, timestep, coordinates } of records) {
    expect([state, steps, timestep]).toEqual(['completed', 30, 0.01]);
    expect(coordinates).toMatch(/joint|body/);
    for (const name of METRIC_NAMES) expect(metrics![name].unit).toBe(METRICS[name].unit);
  }
  const [sap, ccp] = records as [CompareRecord, CompareRecord];
  // the dilation gap is μ h v, v between 5 m/s and 5 − μ g t
  for (const { metrics } of records) {
    expect(metrics!.gap.max! / (0.5 * 0.01 * 5)).toBeGreaterThan(0.97);
    expect(metrics!.gap.max! / (0.5 * 0.01 * 5)).toBeLessThan(1.001);
    expect(metrics!.gap.last! / (0.5 * 0.01 * (5 - 0.5 * 9.81 * 0.3))).toBeCloseTo(1, 1);
  }
  expect(ccp.metrics!.coneComplementarity.max).toBeLessThan(1e-8);
  expect(ccp.metrics!.signorini.max).toBeGreaterThan(0.1);
  expect(sap.difference).toBeNull();
  expect(ccp.difference).toMatchObject({ from: 'sap', unit: 'm' });
  expect(ccp.difference!.max).toBeLessThan(0.01);
  // semi-implicit Euler is of order one
  for (const { refinement } of records) {
    expect(refinement!.levels.map(({ timestep }) => timestep)).toEqual([0.01, 0.005, 0.0025]);
    expect(refinement!.levels[0]!.order).toBeCloseTo(1, 0);
  }
});

test('the table has a row per metric, the report is one file without anything from outside', async () => {
  const out = join(folder, 'out');
  const { status, data, messages } = await compare(
    join(folder, 'slide.json'),
    '--time',
    '0.1',
    '--refine',
    '1',
    '--out',
    out,
    '--quiet',
  );
  expect(status).toBe(EXIT.ok);
  for (const name of METRIC_NAMES) expect(data).toContain(METRICS[name].label);
  expect(data.split('\n')[0]).toMatch(/mujoco.*sap.*ccp.*ipc/);
  // what each promises, and what it comes to
  expect(data).toMatch(/guarantee .*(?:exact cone, kept .*){3}no intersection, kept/);
  expect(data).toContain('limit violation (no limit is reached)');
  expect(data).toMatch(/^A step of `\w+` takes [\d.]+ [mµ]s; .+\.$/m);
  expect(messages).toContain('report.html');
  expect(readdirSync(out).sort()).toEqual(['manifest.json', 'report.html', 'summary.json']);
  const report = readFileSync(join(out, 'report.html'), 'utf8');
  expect(report).not.toMatch(/(?:src|href)="(?!data:)/);
  expect(report).not.toContain('<script');
  expect(report.match(/class="picture"/g)).toHaveLength(4);
  expect(report.match(/class="plot"/g)!.length).toBeGreaterThan(10);
  expect(report).toContain('Refinement in the time step');
  expect(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))).toHaveLength(4);
});

test('formulations that cannot run the scene are listed with the reason', async () => {
  const scene = structuredClone(SLIDE);
  scene.materials = [{ name: 'rubber', restitution: 0.5 }];
  scene.shapes![0]!.material = 'rubber';
  writeFileSync(join(folder, 'bounce.json'), JSON.stringify(scene));
  const { status, data, messages } = await compare(
    join(folder, 'bounce.json'),
    '--time',
    '0.05',
    '--refine',
    '0',
    '--json',
    '--quiet',
  );
  expect(status).toBe(EXIT.ok);
  const records = parse(data);
  expect(records.map((record) => [record.formulation, record.status])).toEqual([
    ['mujoco', 'not-applicable'],
    ['sap', 'not-applicable'],
    ['ccp', 'completed'],
    ['ipc', 'not-applicable'],
  ]);
  expect(records[0]!.reason).toMatch(/restitution/);
  expect(records[0]!.metrics).toBeNull();
  expect(messages).toContain('mujoco does not apply');
});

test('exit codes: nothing applies, not converged, diverged, wrong usage', async () => {
  const file = join(folder, 'slide.json');
  const short = ['--time', '0.05', '--refine', '0', '--json', '--quiet'];
  const starved = await compare(
    file,
    '--formulations',
    'ccp',
    '--set',
    'ccp.iterations=2',
    '--set',
    'ccp.tolerance=1e-17',
    ...short,
  );
  expect(starved.status).toBe(EXIT.notConverged);
  expect(parse(starved.data)[0]!.status).toBe('not-converged');
  expect((await compare(file, '--formulations', 'ipc', '--coordinates', 'joint', ...short)).status).toBe(EXIT.badScene);
  expect((await compare(file, '--formulations', 'bullet', ...short)).status).toBe(EXIT.usage);
  expect((await compare(file, '--dt', '0.01,0.02', ...short)).status).toBe(EXIT.usage);
  expect((await compare(file, '--time', '0.05', '--refine', '0.5')).status).toBe(EXIT.usage);
  expect((await compare(file, '--formulations', 'constructor', ...short)).status).toBe(EXIT.usage);
  const typed = await compare(file, '--formulations', 'sap,mujoko', ...short);
  expect(typed).toMatchObject({ status: EXIT.usage, messages: expect.stringContaining("did you mean 'mujoco'?") });
  // before anything runs
  const lost = await compare(file, '--report', join(folder, 'none/report.html'));
  expect(lost).toMatchObject({ status: EXIT.usage, data: '', messages: expect.stringContaining('there is no folder') });
  const wild = await compare(file, '--formulations', 'mujoco', '--set', 'gravity=1e308,0,1e308', ...short);
  expect(wild.status).toBe(EXIT.diverged);
  expect(parse(wild.data)[0]!.reason).toMatch(/not finite/);
});

test('a run that diverged is no measure for others, and earns no praise', async () => {
  // an explicit spring that steps of 0.05 s cannot follow; `ipc` takes it implicitly
  const stiff: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    name: 'stiff',
    options: { timestep: 0.05, integrator: 'euler' },
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        name: 'bob',
        position: [0, 0, 1],
        joints: [{ kind: 'slide', name: 'guide', axis: [0, 0, 1], stiffness: 2000 }],
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
      },
    ],
    keyframes: [{ position: [0.01] }],
  };
  const [file, report] = [join(folder, 'stiff.json'), join(folder, 'report.html')];
  writeFileSync(file, JSON.stringify(stiff));
  const common = ['--formulations', 'mujoco,ipc', '--time', '2', '--refine', '0', '--json', '--quiet'];
  const { status, data, messages } = await compare(file, ...common, '--report', report);
  expect(status).toBe(EXIT.diverged);
  expect(messages).toMatch(/mujoco became unstable: energy without a cause in 'guide' at [\d.]{1,5} s/);
  const [mujoco, ipc] = parse(data);
  expect(mujoco).toMatchObject({ status: 'unstable', difference: { from: 'ipc' } });
  expect(ipc).toMatchObject({ status: 'completed', difference: null });
  const page = readFileSync(report, 'utf8');
  expect(page).toContain('2 s in steps of 0.05 s');
  // its first step is refused, so it has no numbers; alone, `ipc` is not called the best
  expect(page).toMatch(/<td>worst penetration \(nothing touches\)<\/td><td>m<\/td><td>-<\/td><td>0 /);
  // colours go with formulations: the first of all and the fourth, though two ran
  expect(page).toMatch(/<th><span class="key c0"><\/span>mujoco<\/th><th><span class="key c3"><\/span>ipc<\/th>/);
});

test('free fall is of order one, whatever share of a step the time has', async () => {
  const fall: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.016 },
    bodies: [{ position: [0, 0, 9], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }] }],
  };
  const file = join(folder, 'fall.json');
  writeFileSync(file, JSON.stringify(fall));
  const { data } = await compare(file, '--formulations', 'sap', '--time', '0.3', '--refine', '2', '--json', '--quiet');
  const [first, second] = parse(data)[0]!.refinement!.levels;
  // after n steps g h² n (n + 1)/2, which is g t (t + h)/2: apart by g t (h − h')/2
  expect(first!.order).toBeCloseTo(1, 9);
  expect(first!.error).toBeCloseTo((9.81 * 0.304 * 0.012) / 2, 9);
  expect(second!.error).toBeCloseTo((9.81 * 0.304 * 0.004) / 2, 9);
  const uneven = await compare(file, '--dt', '0.01,0.007', '--time', '0.3', '--quiet');
  expect(uneven).toMatchObject({ status: EXIT.usage, messages: expect.stringContaining('steps of 0.007 s') });
});

test('bodies that ipc separates at the start are reported, and count as no energy created by steps', async () => {
  const rest: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.002 },
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 2 }],
      },
    ],
  };
  const file = join(folder, 'rest.json');
  writeFileSync(file, JSON.stringify(rest));
  const args = ['--formulations', 'ccp,ipc', '--time', '0.02', '--refine', '0', '--json', '--quiet'];
  const { data, messages } = await compare(file, ...args);
  const [ccp, ipc] = parse(data);
  // to where the barrier of 1 mm carries it, in its upper tenth: it stays there
  const lift = ipc!.energy!.start - ipc!.energy!.placed;
  expect(lift).toBeGreaterThan(2 * 9.81 * 0.9e-3);
  expect(lift).toBeLessThan(2 * 9.81 * 1e-3);
  expect(ipc!.metrics!.energyCreated.max!).toBeLessThan(lift / 1000);
  expect(ccp!.energy!.start).toBe(ccp!.energy!.placed);
  expect(messages).toBe(`ipc separates bodies that touch before the first step (+${lift.toPrecision(3)} J)\n`);
});

longTest('several time steps are the levels of the study', async () => {
  const { data } = await compare(
    join(folder, 'slide.json'),
    '--formulations',
    'ccp',
    '--time',
    '0.06',
    '--dt',
    '0.02,0.01,0.005',
    '--json',
    '--quiet',
  );
  const [record] = parse(data);
  expect(record!.timestep).toBe(0.02);
  expect(record!.refinement!.levels.map(({ timestep }) => timestep)).toEqual([0.02, 0.01, 0.005]);
});

test.each([
  ['wrong use', 1, ['compare', 'incline', '--dt', '0.001,0.002']],
  ['no such file', 2, ['compare', 'none.json']],
  [
    'not converged',
    3,
    [
      ...['compare', 'gripper', '--formulations', 'ccp', '--time', '0.1', '--json'],
      ...['--set', 'ccp.solver=apgd', '--set', 'ccp.iterations=1'],
    ],
  ],
  ['no such case', 1, ['validate', '--case', 'none']],
] as const)('%s ends with code %d', async (_, code, args) => {
  const { status, data, messages } = await captureRun(...args);
  expect(status).toBe(code);
  if (code !== 3) expect(data).toBe('');
  else expect(messages).toMatch(/^ccp did not converge in \d+ of 50 steps \(iteration-limit\)$/m);
});

longTest('--table: theory, stability, accuracy, differentiability and speed of all five, measured', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-table-'));
  const file = join(folder, 'ball.json');
  const ball = {
    name: 'ball',
    position: [0, 0, 0.12],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
  };
  const scene = { format: 'nexdyn-scene', version: 1, options: { timestep: 0.005 }, shapes: [{ kind: 'plane' }] };
  writeFileSync(file, JSON.stringify({ ...scene, bodies: [ball] }));
  const args = ['compare', file, '--table', '--time', '0.1', '--refine', '1', '--quiet'];
  const { status, data } = await captureRun(...args, '--report', join(folder, 'report.html'));
  rmSync(folder, { recursive: true, force: true });
  expect(status).toBe(0);
  const rows = new Map(data.split('\n').map((line) => [line.split('|')[1]?.trim(), line.split('|').slice(2, 7)]));
  expect(rows.get('property')!.map((cell) => cell.trim())).toEqual(['mujoco', 'sap', 'ccp', 'ipc', 'penalty']);
  const numbers = (name: string): number[] => rows.get(name)!.map((cell) => Number.parseFloat(cell));
  // penetration: none under ipc, the most where contact is a spring
  const [, sap, ccp, ipc, penalty] = numbers('accuracy: worst penetration, m');
  expect(ipc).toBe(0);
  expect(penalty).toBeGreaterThan(Math.max(sap!, ccp!));
  // the ball of 1 kg on one spring: k = 0.1 m/h², h ω = √0.1
  expect(numbers('stable step by its own estimate, s')[4]).toBeCloseTo((0.9 * 2 * 0.005) / Math.sqrt(0.1), 3);
  for (const error of numbers('differentiability: gradient error over 1e-6 m/s')) expect(error).toBeLessThan(1e-3);
  for (const cost of numbers('speed: time per step, ms')) expect(cost).toBeGreaterThan(0);
});
