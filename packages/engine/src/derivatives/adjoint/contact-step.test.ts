/**
 * Contacts of free bodies in reverse, law by law: every entry against centred differences of whole steps, and against the whole Jacobian, column by
 * column, of the same step.
 */
import { expect, test } from 'vitest';
import { takeCases } from '../../../../../scripts/long-run.ts';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import type { SceneOptions } from '../../scene/options.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Shape } from '../../scene/shape.ts';
import { Simulation } from '../../simulation.ts';
import { linearize } from '../linearize.ts';
import { jvp, vjp } from '../products.ts';
import { findTwin } from '../twin.ts';
import { findAdjoint } from './twin-adjoint.ts';

const body = (name: string, position: number[], shape: object): Body => ({
  name,
  position: position as [number, number, number],
  joints: [{ kind: 'free' }],
  shapes: [{ friction: 0.4, density: 500, ...shape } as Shape],
});
const BOX = { kind: 'box', halfSize: [0.1, 0.12, 0.1] };
const BALL = { kind: 'sphere', radius: 0.1 };

/** What moves, its velocity, and steps before the one that is looked at. */
interface Case {
  bodies: Body[];
  velocity?: number[];
  steps: number;
  ground?: object;
}

const PUSH = [0.6, 0.3, -0.05, 0.2, 0.3, 0.1];
const CASES: Readonly<Record<string, Case>> = {
  'a box that slides': { bodies: [body('a', [0, 0, 0.1002], BOX)], velocity: PUSH, steps: 2 },
  'a box that sticks on four corners': { bodies: [body('a', [0, 0, 0.1002], BOX)], steps: 30 },
  'a ball that rolls': { bodies: [body('a', [0, 0, 0.1002], BALL)], velocity: PUSH, steps: 3 },
  'a box on a box, turned': {
    bodies: [
      body('a', [0, 0, 0.1002], BOX),
      { ...body('b', [0.031, 0.013, 0.3003], BOX), orientation: [0.98, 0.001, 0.002, 0.2] },
    ],
    steps: 40,
  },
  'balls that push each other': {
    bodies: [body('a', [0, 0, 0.1001], BALL), body('b', [0.1999, 0.02, 0.1001], BALL)],
    velocity: [0.4, 0.1, 0, 0, 2, 0, -0.3, 0, 0, 0.5, 0, 0.2],
    steps: 3,
  },
};

/** `without`: cases whose steps are on the border of two modes, where there is no one derivative. */
const LAWS: readonly { formulation: string; options?: SceneOptions; name: string; without?: string }[] = [
  { formulation: 'mujoco', name: 'mujoco' },
  { formulation: 'sap', name: 'sap' },
  { formulation: 'ccp', name: 'ccp' },
  {
    formulation: 'ccp',
    name: 'ccp with compliance',
    options: { ccp: { compliance: 1e-5, relaxation: 0.01 } },
    without: 'a box on a box, turned',
  },
  {
    formulation: 'ccp',
    name: 'ccp with Coulomb friction',
    options: { ccp: { coulomb: true } },
    without: 'a box that slides',
  },
  { formulation: 'penalty', name: 'penalty' },
  { formulation: 'penalty', name: 'explicit penalty', options: { penalty: { contactForce: 'explicit' } } },
];

function open(
  { bodies, velocity, steps, ground }: Case,
  { formulation, options }: { formulation: string; options?: SceneOptions },
): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.004, ...options },
    ...(ground && { materials: [{ name: 'rubber', restitution: 0.7, friction: 0.4 }] }),
    shapes: [{ kind: 'plane', friction: 0.4, ...ground }],
    bodies,
  };
  const simulation = new Simulation(compileModel(scene, { formulation }));
  if (velocity)
    for (let i = 0; i < simulation.state.velocity.length; i++) simulation.state.velocity[i] = velocity[i % 12]!;
  simulation.step(steps);
  return simulation;
}

function compare(simulation: Simulation): void {
  const twin = findTwin(simulation);
  twin.restore(simulation.snapshot());
  expect(findAdjoint(twin)?.begin()).toBe(true);
  const inputs = ['state', 'appliedForce'] as const;
  const reverse = linearize(simulation, { check: true, inputs });
  expect(reverse.report.method).toBe('implicit');
  // differences of two lengths may be farther apart than that where corners share a load
  const { error, doubt } = reverse.report.check!;
  expect(error, JSON.stringify(reverse.report.check)).toBeLessThan(Math.max(1e-6, Math.min(doubt, 1e-5)));
  // outputs are taken column by column
  const whole = linearize(simulation, { inputs, outputs: ['momentum'] }).A;
  const size = reverse.A.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  expect(whole.length).toBe(reverse.A.length);
  const differences = whole.map((value, i) => Math.abs(value - reverse.A[i]!) / size);
  expect(Math.max(...differences)).toBeLessThan(1e-6);
}

// in a short run half of the cases, the other half with the next law
for (const [l, law] of LAWS.entries())
  for (const [name, one] of takeCases(Object.entries(CASES), 2, l % 2))
    if (name !== law.without) test(`${law.name}: ${name}`, () => compare(open(one, law)));

test('a ball that bounces under ccp', () => {
  const one: Case = {
    bodies: [body('a', [0, 0, 0.101], { ...BALL, material: 'rubber' })],
    velocity: [0.4, 0.1, -2, 0.3, 0, 0.1],
    steps: 0,
    ground: { material: 'rubber' },
  };
  const simulation = open(one, { formulation: 'ccp' });
  compare(simulation);
  const before = simulation.state.velocity[2]!;
  const { A } = linearize(simulation);
  simulation.step();
  expect(simulation.state.velocity[2]! / before).toBeCloseTo(-0.7, 2);
  // ∂v_z⁺/∂v_z = −e
  expect(A[8 * 12 + 8]).toBeCloseTo(-0.7, 9);
});

// friction that asks for no slip in the middle of the step depends on more than rates know: differences of the residual see it
test.each(['mujoco', 'sap', 'ccp'])('an egg that rolls under %s', (formulation) => {
  const egg = { kind: 'ellipsoid', radii: [0.2, 0.15, 0.1] };
  const one: Case = { bodies: [body('a', [0, 0, 0.0999], egg)], velocity: [1, 0.3, 0, -2, 8, 1], steps: 5 };
  const simulation = open(one, { formulation, options: { timestep: 1 / 60 } });
  expect(simulation.contacts().length).toBeGreaterThan(0);
  const { A, report } = linearize(simulation, { check: true });
  expect(report.method).toBe('implicit');
  expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(1e-6);
  const lambda = Float64Array.from({ length: 12 }, (_, i) => Math.sin(1 + 3 * i));
  const { state } = vjp(simulation, { state: lambda });
  for (let c = 0; c < 12; c++) {
    let product = 0;
    for (let r = 0; r < 12; r++) product += lambda[r]! * A[12 * r + c]!;
    expect(state[c]).toBeCloseTo(product, 5);
  }
});

test('along the gradient itself, whatever the law', () => {
  for (const law of LAWS) {
    const simulation = open(CASES['a ball that rolls']!, law);
    const lambda = Float64Array.from({ length: 12 }, (_, i) => Math.sin(1 + 3 * i));
    const { state } = vjp(simulation, { state: lambda });
    const length = Math.hypot(...state);
    const along = jvp(simulation, { state: state.map((value) => value / length) }, { method: 'difference' }).state;
    const slope = along.reduce((sum, value, i) => sum + value * lambda[i]!, 0);
    expect(Math.abs(slope / length - 1), law.name).toBeLessThan(1e-6);
  }
});

test('velocities by applied forces are symmetric where the law is a potential', () => {
  for (const law of LAWS) {
    if (law.options?.ccp?.coulomb || law.options?.penalty) continue;
    const simulation = open({ ...CASES['a ball that rolls']!, steps: 0 }, law);
    const { F } = linearize(simulation, { inputs: ['state', 'appliedForce'] });
    let largest = 0;
    for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) largest = Math.max(largest, Math.abs(F[(6 + r) * 6 + c]!));
    for (let r = 0; r < 6; r++)
      for (let c = 0; c < 6; c++)
        expect(Math.abs(F[(6 + r) * 6 + c]! - F[(6 + c) * 6 + r]!) / largest, law.name).toBeLessThan(1e-9);
  }
});
