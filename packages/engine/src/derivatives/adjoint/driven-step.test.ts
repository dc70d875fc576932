/** Drives, armature and dry friction of joints under `ipc`, in reverse: every entry against centred differences of whole steps. */
import { describe, expect, test } from 'vitest';
import { longTest } from '../../../../../scripts/long-run.ts';
import { compileModel } from '../../model/compile.ts';
import type { Actuator } from '../../scene/actuator.ts';
import type { Body } from '../../scene/body.ts';
import type { Joint } from '../../scene/joint.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';
import { linearize } from '../linearize.ts';
import { jvp, vjp } from '../products.ts';
import { rollout } from '../rollout.ts';
import { findTwin } from '../twin.ts';
import { findAdjoint } from './twin-adjoint.ts';

const link = (name: string, joints: Joint[], bodies: Body[] = [], parts: Partial<Body> = {}): Body => ({
  name,
  position: [0.3, 0, 0],
  joints,
  shapes: [{ kind: 'box', position: [0.15, 0.02, 0], halfSize: [0.1, 0.02, 0.03], density: 500 }],
  bodies,
  ...parts,
});

const hinge = (name: string, axis: [number, number, number], parts: object = {}): Joint => ({
  kind: 'hinge',
  name,
  axis,
  ...parts,
});

const slide = (name: string, parts: object = {}): Joint => ({ kind: 'slide', name, axis: [1, 0.2, 0], ...parts });

const on = (joint: string, parts: object): Actuator =>
  ({ transmission: { kind: 'joint', joint }, ...parts }) as unknown as Actuator;

const SCENES: Readonly<Record<string, Partial<Scene>>> = {
  'servos of hinges, one with a lag': {
    bodies: [link('a', [hinge('h', [0, 1, 0])], [link('b', [hinge('k', [0, 1, 0.4], { damping: 0.2 })])])],
    actuators: [
      on('h', { kind: 'position', stiffness: 40, damping: 4, timeConstant: 0.05 }),
      on('k', { kind: 'position', stiffness: 20, damping: 1 }),
    ],
  },
  'a servo of a slide on a swing': {
    bodies: [link('a', [hinge('h', [0, 1, 0])], [link('b', [slide('s')])])],
    actuators: [on('s', { kind: 'position', stiffness: 60, damping: 3 })],
  },
  'motors of a hinge and of a slide': {
    bodies: [link('a', [hinge('h', [0, 1, 0.3])], [link('b', [slide('s')])])],
    actuators: [on('h', { kind: 'motor' }), on('s', { kind: 'motor' })],
  },
  'armature, springs and dry friction': {
    bodies: [
      link(
        'a',
        [hinge('h', [0, 1, 0], { armature: 0.05, stiffness: 6, springReference: 0.2 })],
        [link('b', [slide('s', { armature: 0.4, frictionLoss: 0.4, damping: 1 })])],
      ),
    ],
  },
  'balls with dampers': {
    bodies: [link('a', [{ kind: 'ball', damping: 0.05 }], [link('b', [{ kind: 'ball', damping: 0.02 }])])],
  },
  'hinges that are tied by a polynomial': {
    bodies: [link('a', [hinge('h', [0, 1, 0])], [link('b', [hinge('k', [0, 1, 0.4], { damping: 0.2 })])])],
    equalities: [{ kind: 'joint', joint1: 'h', joint2: 'k', coefficients: [0, 0.7, 0.3, 0, 0] }],
    actuators: [on('k', { kind: 'motor' })],
  },
  'a hinge at its limit, with another one on the same body': {
    bodies: [
      link('a', [
        hinge('h', [0, 1, 0], { limit: { range: [-0.001, 0.001] } }),
        hinge('k', [0, 0.2, 1], { stiffness: 8, damping: 0.2 }),
      ]),
    ],
    actuators: [on('k', { kind: 'motor' })],
  },
  'two hinges of one body': {
    bodies: [
      link('a', [
        hinge('h', [0, 1, 0], { armature: 0.02, damping: 0.3 }),
        hinge('k', [0, 0.2, 1], { stiffness: 8, damping: 0.2 }),
      ]),
    ],
    actuators: [on('k', { kind: 'position', stiffness: 30, damping: 1 }), on('h', { kind: 'motor' })],
  },
  'a servo at its largest force, and weight that is carried': {
    bodies: [
      link('a', [hinge('h', [0, 1, 0])], [link('b', [hinge('k', [0, 1, 0])], [], { gravityCompensation: 0.8 })], {
        gravityCompensation: 0.8,
      }),
    ],
    actuators: [
      on('h', { kind: 'position', stiffness: 40, damping: 4, forceRange: [-0.5, 0.5] }),
      on('k', { kind: 'velocity', gain: 2 }),
    ],
  },
};

function open(parts: Partial<Scene>, integrator: 'bdf2' | 'semiImplicit'): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, options: { timestep: 0.004, integrator }, ...parts };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
  const { control } = simulation.state;
  for (let k = 0; k < 6; k++) {
    for (let a = 0; a < control.length; a++) control[a] = 0.4 * Math.sin(1 + a + k);
    simulation.step();
  }
  return simulation;
}

const weights = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => Math.sin(1 + 3 * i));
const multiply = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe.each(Object.entries(SCENES))('%s', (_, parts) => {
  test.each(['semiImplicit', 'bdf2'] as const)(
    'along the gradient itself and another direction under %s',
    (integrator) => {
      const simulation = open(parts, integrator);
      const twin = findTwin(simulation);
      twin.restore(simulation.snapshot());
      expect(findAdjoint(twin)?.begin()).toBe(true);
      const { velocity, activation, actuator } = simulation.model.size;
      const lambda = weights(2 * velocity + activation);
      const { state, control } = vjp(simulation, { state: lambda });
      const length = Math.sqrt(multiply(state, state) + multiply(control, control));
      for (const direction of [
        { state: state.map((value) => value / length), control: control.map((value) => value / length) },
        { state: weights(lambda.length).reverse(), control: weights(actuator) },
      ]) {
        const slope = multiply(jvp(simulation, direction, { method: 'difference' }).state, lambda);
        const expected = multiply(state, direction.state) + multiply(control, direction.control);
        expect(Math.abs(slope - expected) / length).toBeLessThan(1e-6);
      }
    },
  );

  longTest.each(['semiImplicit', 'bdf2'] as const)('every entry under %s', (integrator) => {
    const simulation = open(parts, integrator);
    const { report } = linearize(simulation, { check: true, inputs: ['state', 'control', 'appliedForce'] });
    expect(report.method).toBe('implicit');
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(1e-6);
  });
});

test('a rollout carries gradients of servos, by differences of its end along the gradient', () => {
  const simulation = open(SCENES['servos of hinges, one with a lag']!, 'bdf2');
  const { velocity, activation, actuator } = simulation.model.size;
  const steps = 5;
  const lambda = new Float64Array(2 * velocity + activation);
  lambda.set(weights(velocity), velocity);
  const controls = Float64Array.from({ length: steps * actuator }, (_, i) => 0.3 * Math.cos(i));
  const { controls: gradient } = rollout(simulation, controls, { steps }).backward(lambda);
  const length = Math.sqrt(multiply(gradient, gradient));
  const end = (times: number): number => {
    const shifted = controls.map((value, i) => value + (times * gradient[i]!) / length);
    return multiply(rollout(simulation, shifted, { steps }).simulation.state.velocity, lambda.subarray(velocity));
  };
  const size = 1e-2;
  const slope = (8 * (end(size) - end(-size)) - end(2 * size) + end(-2 * size)) / (12 * size);
  // steps of the run end within the tolerance of the scene
  expect(Math.abs(slope / length - 1)).toBeLessThan(1e-3);
});
