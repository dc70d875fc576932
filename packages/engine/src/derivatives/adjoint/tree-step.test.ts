/** Trees of joints, servos and equalities in reverse, under `semiImplicit` and `implicitfast`: every entry against centred differences of whole steps. */
import { expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { Actuator } from '../../scene/actuator.ts';
import type { Body } from '../../scene/body.ts';
import type { Joint } from '../../scene/joint.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';
import { linearize } from '../linearize.ts';
import { findTwin } from '../twin.ts';
import { findAdjoint } from './twin-adjoint.ts';

const inertia: Body['inertia'] = { kind: 'principal', mass: 2, center: [0.1, 0.02, -0.3], moments: [0.05, 0.06, 0.04] };

const chain = (first: object, second: object): Body[] => [
  {
    name: 'upper',
    joints: [{ name: 'shoulder', ...first } as Joint],
    inertia,
    bodies: [{ name: 'lower', position: [0.1, 0, -0.5], joints: [{ name: 'elbow', ...second } as Joint], inertia }],
  },
];
const hinge = { kind: 'hinge', axis: [0.2, 1, 0.1] };
const hinges = (parts: object = {}): Body[] =>
  chain({ ...hinge, ...parts }, { ...hinge, axis: [0.3, 1, 0.2], ...parts });
const drive = (joint: string, parts: object): Actuator =>
  ({ transmission: { kind: 'joint', joint }, ...parts }) as unknown as Actuator;

const SCENES: Readonly<Record<string, Partial<Scene>>> = {
  'two hinges': { bodies: hinges() },
  'springs, dampers and armature': { bodies: hinges({ stiffness: 30, damping: 0.5, armature: 0.1 }) },
  'two balls': { bodies: chain({ kind: 'ball' }, { kind: 'ball' }) },
  'a tree that floats': {
    bodies: [{ name: 'root', position: [0, 0, 2], joints: [{ kind: 'free' }], inertia, bodies: hinges() }],
  },
  'hinges at their limits': { bodies: hinges({ limit: { range: [-0.3, 0.004] } }) },
  'a position servo': {
    bodies: hinges(),
    actuators: [drive('elbow', { kind: 'position', stiffness: 50, damping: 2 })],
  },
  'servos at and within their limits': {
    bodies: hinges(),
    actuators: [
      drive('elbow', { kind: 'position', stiffness: 5000, damping: 2, forceRange: [-3, 3] }),
      drive('shoulder', { kind: 'velocity', gain: 3 }),
    ],
  },
};

const EQUALITIES: Readonly<Record<string, Partial<Scene>>> = {
  'a connect, away from its place': {
    bodies: hinges(),
    equalities: [{ kind: 'connect', body1: 'lower', anchor: [0.1, 0.05, -0.2] }],
  },
  'a weld': {
    bodies: chain({ kind: 'ball' }, { kind: 'ball' }),
    equalities: [{ kind: 'weld', body1: 'lower', body2: 'world' }],
  },
  'joints that follow each other': {
    bodies: hinges(),
    equalities: [{ kind: 'joint', joint1: 'elbow', joint2: 'shoulder', coefficients: [0.1, 0.5, 0.3, 0, 0] }],
  },
} as Record<string, Partial<Scene>>;

const CASES = [
  ...Object.entries(EQUALITIES).flatMap(([name, parts]) => [
    { name, parts, formulation: 'mujoco', integrator: 'euler' } as const,
    { name, parts, formulation: 'sap', integrator: 'semiImplicit' } as const,
    { name, parts, formulation: 'penalty', integrator: 'semiImplicit' } as const,
  ]),
  ...Object.entries(SCENES).flatMap(([name, parts]) => [
    { name, parts, formulation: 'sap', integrator: 'semiImplicit' } as const,
    { name, parts, formulation: 'penalty', integrator: 'semiImplicit' } as const,
    { name, parts, formulation: 'mujoco', integrator: 'semiImplicit' } as const,
    { name, parts, formulation: 'mujoco', integrator: 'implicitfast' } as const,
  ]),
];

// a body that turns about an axis of inertia: what free motion changes of its spin is zero, and how it depends on that is not
test.each([0, 0.3])('mujoco, semiImplicit: a free body that hangs from two points, begun at %f m/s', (speed) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.004 },
    bodies: [
      {
        name: 'door',
        position: [0, 0, 1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.03], density: 500 }],
      },
    ],
    equalities: [
      { kind: 'connect', body1: 'door', anchor: [0.1, 0.2, 0] },
      { kind: 'connect', body1: 'door', anchor: [0.1, -0.2, 0] },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'mujoco' }));
  const { velocity } = simulation.state;
  for (let i = 0; i < velocity.length; i++) velocity[i] = speed * Math.sin(2 + 3 * i);
  simulation.step(4);
  const twin = findTwin(simulation);
  twin.restore(simulation.snapshot());
  expect(findAdjoint(twin)?.begin()).toBe(true);
  const { report } = linearize(simulation, { check: true });
  expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(1e-6);
});

for (const { name, parts, formulation, integrator } of CASES) {
  test(`${formulation}, ${integrator}: ${name}`, () => {
    const scene: Scene = { format: 'nexdyn-scene', version: 1, options: { timestep: 0.004, integrator }, ...parts };
    const simulation = new Simulation(compileModel(scene, { formulation }));
    const { velocity, control } = simulation.state;
    for (let i = 0; i < velocity.length; i++) velocity[i] = 0.8 * Math.sin(2 + 3 * i);
    control.fill(0.7);
    simulation.step(4);
    const twin = findTwin(simulation);
    twin.restore(simulation.snapshot());
    expect(findAdjoint(twin)?.begin()).toBe(true);
    const { report } = linearize(simulation, { check: true, inputs: ['state', 'control', 'appliedForce'] });
    expect(report.method).toBe('implicit');
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(1e-6);
  });
}
