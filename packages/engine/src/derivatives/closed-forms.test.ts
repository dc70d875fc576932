/** Derivatives that formulas of mechanics give, and what holds of every derivative, formulation by formulation. */
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../scripts/long-run.ts';
import { jvp, linearize, rollout, vjp } from '../derivatives.ts';
import { type Body, compileModel, type Scene, type SceneOptions, Simulation } from '../index.ts';

const takeTurn = createTurns();

const GRAVITY = 9.81;
const FORMULATIONS = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];

function build(formulation: string, bodies: Body[], options: SceneOptions, more: Partial<Scene> = {}): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, options, bodies, ...more };
  return new Simulation(compileModel(scene, { formulation }));
}

const floor: Partial<Scene> = { shapes: [{ kind: 'plane', name: 'floor', friction: 0.5 }] };
const cube = (z: number): Body => ({
  name: 'cube',
  position: [0, 0, z],
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'box', name: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.5, density: 500 }],
});
const lamp = (joint: object = {}): Body => ({
  name: 'lamp',
  joints: [{ kind: 'hinge', name: 'hook', axis: [0, 1, 0], ...joint }],
  inertia: { kind: 'principal', mass: 2, center: [0, 0, -0.5], moments: [0.01, 0.01, 0.01] },
});
const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe.each(FORMULATIONS)('%s', (formulation) => {
  const test = takeTurn();
  const ipc = { frictionPasses: 1 };

  test('stop distance of a sliding block: d/dμ = −v²/(2 μ² g), d/dv = v/(μ g)', () => {
    const v = 0.6;
    const mu = 0.5;
    const h = 0.005;
    const simulation = build(formulation, [cube(formulation === 'ipc' ? 0.1002 : 0.1)], { timestep: h, ipc }, floor);
    simulation.step(40);
    simulation.state.velocity[0] = v;
    const time = v / (mu * GRAVITY);
    const run = rollout(simulation, undefined, { steps: Math.ceil(time / h) + 4, parameters: ['shapes.*.friction'] });
    const loss = new Float64Array(12);
    loss[0] = 1;
    const { parameters, state } = run.backward(loss);
    // steps, soft contact and smoothed friction add terms of first order in h
    const share = (5 * h) / time;
    expect(Math.abs(parameters['shapes.*.friction']! / (-(v * v) / (2 * mu * mu * GRAVITY)) - 1)).toBeLessThan(share);
    expect(Math.abs(state[6]! / time - 1)).toBeLessThan(share);
  });

  test('the force of a hinge that carries a body grows by g per kilogram', () => {
    const simulation = build(formulation, [lamp()], { timestep: 1e-3 });
    const { E, names } = linearize(simulation, { inputs: ['bodies.lamp.mass'], outputs: ['jointForces'] });
    expect(E[names.output.indexOf('force of hook z')]).toBeCloseTo(GRAVITY, 5);
  });

  test('the gradient is that of differences along any direction, and along itself', () => {
    const simulation = build(formulation, [cube(0.1002)], { timestep: 0.004, ipc }, floor);
    simulation.state.velocity.set([0.6, 0.3, -0.05, 0.2, 0.3, 0.1]);
    simulation.step(3);
    const lambda = Float64Array.from({ length: 12 }, (_, i) => Math.cos(2 * i));
    const gradient = vjp(simulation, { state: lambda }).state;
    const length = Math.hypot(...gradient);
    const any = Float64Array.from({ length: 12 }, (_, i) => Math.sin(i + 1));
    for (const direction of [any, gradient.map((value) => value / length)]) {
      const forward = dot(lambda, jvp(simulation, { state: direction }).state);
      const reverse = dot(gradient, direction);
      expect(Math.abs(forward - reverse)).toBeLessThan(1e-12 * length);
      const difference = dot(lambda, jvp(simulation, { state: direction }, { method: 'difference' }).state);
      expect(Math.abs(difference - reverse)).toBeLessThan(1e-6 * length);
    }
  });
});

test.each(['mujoco', 'sap', 'ccp'])(
  '%s: what a push at one dof does at another it does the other way round',
  (formulation) => {
    const simulation = build(formulation, [cube(0.1)], { timestep: 0.004 }, floor);
    simulation.step(30);
    simulation.state.velocity.set([0.6, 0.3, -0.01, 0.02, 0.03, 0.1]);
    const { F } = linearize(simulation, { inputs: ['appliedForce'] });
    // ∂v⁺/∂τ = h H⁻¹, and the laws of contact are potentials
    let largest = 0;
    let worst = 0;
    for (let r = 0; r < 6; r++) {
      for (let c = 0; c < 6; c++) {
        largest = Math.max(largest, Math.abs(F[6 * (6 + r) + c]!));
        worst = Math.max(worst, Math.abs(F[6 * (6 + r) + c]! - F[6 * (6 + c) + r]!));
      }
    }
    expect(worst).toBeLessThan(1e-6 * largest);
  },
);

test('sensors are outputs', () => {
  const sensors = [{ kind: 'jointPosition', name: 'angle', joint: 'hook' }] as unknown as NonNullable<Scene['sensors']>;
  const simulation = build('sap', [lamp()], { timestep: 1e-3 }, { sensors });
  const { C, names } = linearize(simulation, { outputs: ['sensors'] });
  expect(names.output).toEqual(['angle 0']);
  // positions are those where the step began
  expect([...C]).toEqual([expect.closeTo(1, 8), expect.closeTo(0, 8)]);
});

describe('parameters by path', () => {
  const scene = (formulation: string): Simulation =>
    build(
      formulation,
      [lamp({ stiffness: 3, damping: 0.2, armature: 0.01, springReference: 0.1 })],
      { timestep: 2e-3 },
      {
        actuators: [
          {
            kind: 'position',
            name: 'servo',
            stiffness: 20,
            damping: 0.5,
            transmission: { kind: 'joint', joint: 'hook' },
          },
        ],
      },
    );

  test.each(['mujoco', 'sap', 'penalty'])(
    '%s: gains, springs, dampers, gravity, mass and centre of an arm',
    (formulation) => {
      const simulation = scene(formulation);
      simulation.setJointPosition('hook', 0.3);
      simulation.state.velocity[0] = 0.7;
      simulation.state.control[0] = 0.5;
      const inputs = [
        'actuators.servo.stiffness',
        'actuators.servo.damping',
        'joints.hook.stiffness',
        'joints.hook.damping',
        'joints.hook.armature',
        'joints.hook.springReference',
        'gravity.2',
        'bodies.lamp.mass',
        'bodies.lamp.inertia.center.2',
      ];
      const { P, report } = linearize(simulation, { inputs, check: true });
      expect(report.check!.error).toBeLessThan(1e-6);
      expect(report.unread).toEqual([]);
      expect(report.withoutEffect).toEqual([]);
      // the servo pushes by its stiffness times what is missing: to first order in h
      const inertia = 0.01 + 0.01 + 2 * 0.25;
      expect(P[inputs.length] / ((2e-3 * (0.5 - 0.3)) / inertia)).toBeCloseTo(1, 1);
      expect(P[inputs.length + 3] / ((-2e-3 * 0.7) / inertia)).toBeCloseTo(1, 1);
    },
  );
});
