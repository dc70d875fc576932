/** What reports say of derivatives, and how bad input ends. */
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../scripts/long-run.ts';
import { linearize, rollout, vjp } from '../derivatives.ts';
import { type Body, compileModel, type Scene, type SceneOptions, Simulation } from '../index.ts';
import type { DerivativeReport } from './derivative-report.ts';

const takeTurn = createTurns();

const open = (formulation: string, parts: Partial<Scene>, options: SceneOptions = {}): Simulation =>
  new Simulation(
    compileModel(
      { format: 'nexdyn-scene', version: 1, options: { timestep: 0.005, ...options }, ...parts },
      { formulation },
    ),
  );
const ball = (height: number): Partial<Scene> => ({
  shapes: [{ kind: 'plane' }],
  bodies: [
    {
      name: 'ball',
      position: [0, 0, height],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1 }],
    },
  ],
});

describe.each(['mujoco', 'sap', 'ccp', 'ipc'])('%s', (formulation) => {
  const test = takeTurn();
  test('the report has the condition of the matrix, what is smooth, and no reason to take differences', () => {
    const simulation = open(formulation, ball(0.1));
    simulation.step(20);
    const { report } = linearize(simulation);
    expect(report.method).toBe('implicit');
    expect(report.reason).toBeUndefined();
    expect(report.condition).toBeGreaterThanOrEqual(1);
    expect(report.condition).toBeLessThan(1e15);
    expect(report.smoothing.length).toBe({ mujoco: 1, sap: 2, ccp: 0, ipc: 2 }[formulation]);
  });

  test('a force from a distance gives a gradient before touch, and leaves the motion as it is', () => {
    const simulation = open(formulation, ball(0.15), { gravity: [0, 0, 0] });
    simulation.state.velocity[0] = 0.3;
    const steps = 5;
    const plain = rollout(simulation, undefined, { steps });
    const felt = rollout(simulation, undefined, { steps, fromDistance: { reach: 0.2 } });
    expect(felt.simulation.hash()).toBe(plain.simulation.hash());
    const loss = Float64Array.from({ length: 12 }, (_, i) => (i === 8 ? 1 : 0));
    // the velocity at the end by the height at the start
    expect(plain.backward(loss).state[2]).toBeCloseTo(0, 12);
    expect(felt.backward(loss).state[2]).toBeLessThan(-1e-3);
    const { report } = vjp(simulation, { state: loss }, { fromDistance: { reach: 0.2 } });
    expect(report.smoothing.at(-1)).toContain('distance of 0.2 m');
  });
});

test('the condition is that of the matrix: of a heavy and a light body, the ratio of their masses', () => {
  const body = (name: string, mass: number, x: number): NonNullable<Scene['bodies']>[number] => ({
    name,
    position: [x, 0, 5],
    joints: [{ kind: 'slide', axis: [0, 0, 1] }],
    inertia: { kind: 'principal', mass, moments: [1, 1, 1] },
  });
  const simulation = open('mujoco', { bodies: [body('light', 0.1, 0), body('heavy', 50, 1)] });
  expect(linearize(simulation).report.condition! / 500).toBeCloseTo(1, 6);
});

test('why derivatives are differences is said', () => {
  const midpoint = open('sap', ball(0.1), { integrator: 'midpoint' });
  expect(linearize(midpoint).report.reason).toMatch(/midpoint/);
  const lagged = open('sap', ball(0.1), { sap: { contactModel: 'lagged' } });
  lagged.step(5);
  expect(linearize(lagged).report.reason).toMatch(/lagged friction/);
  const passes = open('ipc', ball(0.1005), { ipc: { frictionPasses: 3 } });
  passes.step(20);
  expect(linearize(passes).report).toMatchObject({ method: 'difference', reason: /passes/ });
  expect(linearize(passes, { method: 'difference' }).report.reason).toBeUndefined();
});

test('a gradient that overflows names its step', () => {
  // a hinge that is pushed away from its place stays there, and the slightest shift grows a thousandfold in every step
  const simulation = open('mujoco', {
    bodies: [
      {
        name: 'arm',
        joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 1, 0] }],
        inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
      },
    ],
    actuators: [
      {
        kind: 'general',
        name: 'push',
        gain: [0, 0, 0],
        bias: [0, 1e9, 0],
        transmission: { kind: 'joint', joint: 'pivot' },
      },
    ],
  });
  const run = rollout(simulation, undefined, { steps: 300 });
  expect(() => run.backward(Float64Array.of(1, 0))).toThrow(/overflows at step \d+ of the rollout/);
});

test.each([
  [{ reach: 0 }, /reach/],
  [{ reach: 0.1, force: -1 }, /force/],
])('%j is refused', (fromDistance, message) => {
  expect(() => linearize(open('sap', ball(0.3)), { fromDistance })).toThrow(message);
});

describe.each(['mujoco', 'penalty'])('%s: a cube that touches the ground exactly', (formulation) => {
  const touching = (height = 0.1): Simulation =>
    new Simulation(
      compileModel(
        {
          format: 'nexdyn-scene',
          version: 1,
          options: { timestep: 0.004 },
          shapes: [{ kind: 'plane' }],
          bodies: [
            {
              name: 'cube',
              position: [0, 0, height],
              joints: [{ kind: 'free' }],
              shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
            },
          ],
        },
        { formulation },
      ),
    );
  const fall = (side: 'forward' | 'backward'): number => linearize(touching(), { side }).A[8 * 12 + 2]!;

  test('is at a kink, which is said, and has two sides', () => {
    const { report } = linearize(touching());
    expect(report.margin).toBe(0);
    expect(report.kinks).toContain('cube (z)');
    expect(report.reason).toMatch(/border of two modes/);
    // higher up it falls as before; deeper it is pushed out
    expect(fall('forward')).toBeCloseTo(0, 6);
    const deeper = linearize(touching(0.1 - 1e-6)).A[8 * 12 + 2]!;
    expect(deeper).toBeLessThan(-1);
    expect(Math.abs(fall('backward') / deeper - 1)).toBeLessThan(0.01);
  });
});

test('a check says how far differences of two lengths are apart, and does not go across a change of mode near by', () => {
  const box = (name: string, position: [number, number, number]): Body => ({
    name,
    position,
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.12, 0.1], friction: 0.4, density: 500 }],
  });
  const measure = (formulation: 'ccp' | 'sap', bodies: Body[], share: number): DerivativeReport => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.004 },
      shapes: [{ kind: 'plane', friction: 0.4 }],
      bodies,
    };
    const simulation = new Simulation(compileModel(scene, { formulation }));
    const { velocity } = simulation.state;
    for (let i = 0; i < velocity.length; i++) velocity[i] = share * [0.6, 0.3, -0.05, 0.2, 0.3, 0.1][i % 6]!;
    simulation.step(2);
    return linearize(simulation, { check: true }).report;
  };
  const tower = [box('a', [0, 0, 0.1002]), box('b', [0.021, 0.013, 0.3003]), box('c', [-0.015, 0.02, 0.5004])];
  const { margin, check } = measure('ccp', tower, 1);
  // less than a shift of positions by their difference over h
  expect(margin).toBeLessThan(2e-7 / 0.004);
  expect(check!.error).toBeLessThan(1e-6);
  // friction that hardly slides is strongly curved
  const curved = measure('sap', [box('a', [0, 0, 0.1001]), box('b', [0.021, 0.013, 0.3003])], 0.01).check!;
  expect(curved.doubt).toBeGreaterThan(1e-6);
  expect(curved.error).toBeLessThan(1e-6);
});

// m v⁺ = m v − h f while it slides; it sticks from v⁺ = R f on, with R far below 1/m
test.each(['sap', 'ccp', 'penalty'])(
  'the margin of a slide with dry friction is the speed it has left (%s)',
  (formulation) => {
    const [mass, friction, speed, h] = [2, 3, 0.01, 0.005];
    const block: Body = {
      name: 'block',
      joints: [{ kind: 'slide', name: 'rail', axis: [1, 0, 0], frictionLoss: friction }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass }],
    };
    const options: SceneOptions = { timestep: h, gravity: [0, 0, 0], coordinates: 'joint' };
    const simulation = open(formulation, { bodies: [block] }, options);
    simulation.state.velocity[0] = speed;
    const left = speed - (h * friction) / mass;
    expect(linearize(simulation).report.margin).toBeGreaterThan(0.8 * left);
    expect(linearize(simulation).report.margin).toBeLessThan(1.2 * left);
  },
);

test.each(['sap', 'ipc'])(
  '%s: contacts with signed-distance fields are named where their points are searched for',
  (formulation) => {
    const simulation = new Simulation(
      compileModel(
        {
          format: 'nexdyn-scene',
          version: 1,
          signedDistanceFields: [{ name: 'ring', kind: 'torus', majorRadius: 0.1, minorRadius: 0.04 }],
          shapes: [{ kind: 'plane' }],
          bodies: [
            { joints: [{ kind: 'free' }], position: [0, 0, 1], shapes: [{ kind: 'signedDistance', field: 'ring' }] },
          ],
        },
        { formulation },
      ),
    );
    const { smoothing } = linearize(simulation).report;
    expect(smoothing.some((words) => words.includes('search of few steps'))).toBe(formulation === 'sap');
  },
);
