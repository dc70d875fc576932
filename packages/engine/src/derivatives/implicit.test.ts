/** The implicit function theorem against differences of whole steps: kinds of joints, actuators, constraints and shapes, one at a time. */
import { describe, expect, test } from 'vitest';
import { createTurns, longTest, takeCases } from '../../../../scripts/long-run.ts';
import { jvp, linearize, vjp } from '../derivatives.ts';
import {
  type Actuator,
  type Body,
  compileModel,
  type Joint,
  type Scene,
  type SceneOptions,
  type Shape,
  Simulation,
} from '../index.ts';

const takeTurn = createTurns();

/** Of the size of the row and the column. */
const TOLERANCE = 1e-6;

function build(formulation: string, parts: Partial<Scene>): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, options: { timestep: 0.004 }, ...parts };
  return new Simulation(compileModel(scene, { formulation }));
}

const inertia: Body['inertia'] = { kind: 'principal', mass: 2, center: [0.1, 0.02, -0.3], moments: [0.05, 0.06, 0.04] };

/** Two links with the same kind of joint. */
const chain = (joint: Joint): Body[] => [
  {
    name: 'upper',
    joints: [{ ...joint, name: 'shoulder' }],
    inertia,
    bodies: [{ name: 'lower', position: [0.1, 0, -0.5], joints: [{ ...joint, name: 'elbow' }], inertia }],
  },
];

function disturb({ state }: Simulation): void {
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = 0.8 * Math.sin(2 + 3 * i);
  state.control.fill(0.7);
}

const JOINTS: Record<string, Joint> = {
  hinge: { kind: 'hinge', axis: [0.2, 1, 0.1] },
  slide: { kind: 'slide', axis: [1, 0.3, 0.2] },
  ball: { kind: 'ball' },
  'hinge with spring, damper and armature': {
    kind: 'hinge',
    axis: [0, 1, 0],
    stiffness: 30,
    damping: 0.5,
    armature: 0.1,
    springReference: 0.2,
  },
  'hinge with dry friction': { kind: 'hinge', axis: [0, 1, 0], frictionLoss: 0.3 },
  'hinge at its limit': { kind: 'hinge', axis: [0, 1, 0], limit: { range: [-0.3, 0.004] } },
  'hinge beyond its limit': { kind: 'hinge', axis: [0, 1, 0], limit: { range: [-1, -0.2] } },
};

const ACTUATORS: Record<string, Actuator> = {
  motor: { kind: 'motor', transmission: { kind: 'joint', joint: 'shoulder', gear: [3] } },
  position: { kind: 'position', stiffness: 50, damping: 2, transmission: { kind: 'joint', joint: 'elbow' } },
  velocity: { kind: 'velocity', gain: 4, transmission: { kind: 'joint', joint: 'elbow' } },
  filtered: {
    kind: 'general',
    gain: [5, 0.2, 0.1],
    bias: [0.1, -2, -0.3],
    activation: { kind: 'filter', timeConstant: 0.05 },
    transmission: { kind: 'joint', joint: 'elbow' },
  },
};

const SHAPES: Record<string, Shape> = {
  sphere: { kind: 'sphere', radius: 0.1 },
  capsule: { kind: 'capsule', radius: 0.05, halfLength: 0.1 },
  box: { kind: 'box', halfSize: [0.1, 0.12, 0.1] },
  ellipsoid: { kind: 'ellipsoid', radii: [0.1, 0.12, 0.09] },
  cylinder: { kind: 'cylinder', radius: 0.1, halfLength: 0.08 },
} as Record<string, Shape>;

const FORMULATIONS = ['mujoco', 'sap', 'ccp'];

describe.each(FORMULATIONS)('%s', (formulation) => {
  const test = takeTurn();
  // in a short run every kind is seen by one of the formulations
  const take = <T>(kinds: Record<string, T>): [string, T][] =>
    takeCases(Object.entries(kinds), FORMULATIONS.length, FORMULATIONS.indexOf(formulation));

  test.each(take(JOINTS))('%s', (_, joint) => {
    const simulation = build(formulation, { bodies: chain(joint) });
    disturb(simulation);
    simulation.step(2);
    const { report } = linearize(simulation, { check: true, inputs: ['state', 'appliedForce', 'gravity'] });
    expect(report.method).toBe('implicit');
    expect(report.kinks).toEqual([]);
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(TOLERANCE);
  });

  test.each(take(ACTUATORS))('actuator %s', (_, actuator) => {
    const simulation = build(formulation, { bodies: chain(JOINTS['hinge']!), actuators: [{ ...actuator, name: 'a' }] });
    disturb(simulation);
    simulation.step(2);
    const { report, B } = linearize(simulation, { check: true });
    expect(B.some((entry) => entry !== 0)).toBe(true);
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(TOLERANCE);
  });

  test.each(take(SHAPES))('%s that slides and rolls over the ground', (_, shape) => {
    const simulation = build(formulation, {
      shapes: [{ kind: 'plane', friction: 0.4 }],
      bodies: [
        {
          name: 'body',
          position: [0, 0, 0.125],
          orientation: [1, 0.1, 0.05, 0.2],
          joints: [{ kind: 'free' }],
          shapes: [{ ...shape, friction: 0.4 }],
        },
      ],
    });
    simulation.state.velocity.set([0.9, 0.3, -0.5, 1, 0.5, 0.2]);
    // before a step in which it touches the ground
    let before = simulation.snapshot();
    for (let k = 0; k < 60; k++) {
      before = simulation.snapshot();
      simulation.step();
      if (k > 2 && simulation.contactForces().some(({ normalForce }) => normalForce > 0)) break;
    }
    simulation.restore(before);
    const { report } = linearize(simulation, { check: true, outputs: ['contactForces'] });
    expect(report.modes.stick + report.modes.slide).toBeGreaterThan(0);
    expect(report.method).toBe('implicit');
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(TOLERANCE);
  });

  test('two boxes on each other, in body coordinates', () => {
    const box = (name: string, z: number, turn: number): Body => ({
      name,
      position: [0.01 * z, 0, z],
      orientation: [1, 0, 0, turn],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.6 }],
    });
    const options = { timestep: 0.004, coordinates: 'body' as const };
    const simulation = build(formulation, {
      options,
      shapes: [{ kind: 'plane' }],
      bodies: [box('low', 0.1, 0), box('high', 0.3, 0.2)],
    });
    simulation.step(30);
    const { report } = linearize(simulation, { check: true, inputs: ['state', 'bodies.high.mass'] });
    expect(report.modes.stick).toBeGreaterThanOrEqual(8);
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(TOLERANCE);
  });
});

describe('in reverse', () => {
  /** A floating arm with a motor, a limit and feet on the ground, under MuJoCo's own integrator: everything that a sweep goes through. */
  const createWalker = (formulation: string, integrator: 'euler' | 'semiImplicit'): Simulation => {
    const foot: Shape = { kind: 'capsule', radius: 0.04, halfLength: 0.1, friction: 0.3, density: 900 } as Shape;
    const lower: Body = {
      name: 'shin',
      position: [0, 0, -0.3],
      joints: [
        { name: 'knee', kind: 'hinge', axis: [0, 1, 0.1], damping: 0.4, limit: { range: [-0.2, 0.002] } },
        { name: 'ankle', kind: 'hinge', axis: [1, 0, 0], stiffness: 20, armature: 0.02, frictionLoss: 0.1 },
      ],
      shapes: [{ ...foot, position: [0, 0, -0.1] } as Shape],
    };
    const simulation = build(formulation, {
      options: { timestep: 0.004, integrator },
      shapes: [{ kind: 'plane', friction: 0 } as Shape],
      bodies: [
        {
          name: 'trunk',
          position: [0, 0, 0.535],
          joints: [{ kind: 'free', name: 'root' }],
          shapes: [{ kind: 'sphere', radius: 0.1, density: 700 } as Shape],
          bodies: integrator === 'euler' ? [lower] : [],
        },
        ...(integrator === 'euler' ? [] : [{ ...lower, position: [0, 0, 0.24], joints: [{ kind: 'free' }] } as Body]),
      ],
      ...(integrator === 'euler' && {
        actuators: [{ ...ACTUATORS['motor']!, transmission: { kind: 'joint', joint: 'knee', gear: [3] } } as Actuator],
      }),
    });
    disturb(simulation);
    simulation.state.velocity[2] = -0.2;
    if (integrator !== 'euler') simulation.state.velocity[8] = -0.5;
    simulation.step(3);
    return simulation;
  };

  test.each([
    ['mujoco', 'euler'],
    ['mujoco', 'semiImplicit'],
    ['sap', 'semiImplicit'],
  ] as const)('%s, %s: rows, products and differences are the same', (formulation, integrator) => {
    const simulation = createWalker(formulation, integrator);
    const { A, B, size, report } = linearize(simulation, { check: true });
    expect(report.modes.stick + report.modes.slide).toBeGreaterThan(0);
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(TOLERANCE);
    const lambda = Float64Array.from({ length: size }, (_, i) => Math.sin(1 + i));
    const pulled = vjp(simulation, { state: lambda });
    // forward = reverse, along the gradient itself
    const pushed = jvp(simulation, { state: pulled.state, control: pulled.control });
    const forward = pushed.state.reduce((sum, value, i) => sum + value * lambda[i]!, 0);
    const reverse = [...pulled.state, ...pulled.control].reduce((sum, value) => sum + value * value, 0);
    expect(Math.abs(forward / reverse - 1)).toBeLessThan(1e-12);
    const controls = pulled.control.length;
    pulled.state.forEach((value, c) => {
      let sum = 0;
      let scale = 0;
      for (let r = 0; r < size; r++) sum += lambda[r]! * A[r * size + c]!;
      for (let r = 0; r < size; r++) scale += Math.abs(lambda[r]! * A[r * size + c]!);
      expect(Math.abs(value - sum)).toBeLessThan(1e-12 * scale);
    });
    pulled.control.forEach((value, c) => {
      let sum = 0;
      for (let r = 0; r < size; r++) sum += lambda[r]! * B[r * controls + c]!;
      expect(Math.abs(value - sum)).toBeLessThan(1e-12);
    });
  });
});

describe('ccp', () => {
  const slide = (shape: Shape, options: SceneOptions): Simulation => {
    const simulation = build('ccp', {
      options: { timestep: 0.004, ...options },
      materials: [{ name: 'rubber', stiffness: 1e4, dissipation: 0.02 }],
      shapes: [{ kind: 'plane', friction: 0.4 }],
      bodies: [{ name: 'body', position: [0, 0, 0.0995], joints: [{ kind: 'free' }], shapes: [shape] }],
    });
    simulation.state.velocity.set([0.6, 0.3, -0.05, 0.2, 0.3, 0.1]);
    simulation.step(2);
    return simulation;
  };

  test.each([
    ['four contacts with compliance', { ...SHAPES['box'], material: 'rubber' }, {}],
    ["Coulomb's law", SHAPES['sphere'], { ccp: { coulomb: true } }],
  ] as [string, Shape, SceneOptions][])('%s that slide', (_, shape, options) => {
    const { report } = linearize(slide({ ...shape, friction: 0.4 } as Shape, options), {
      check: true,
      inputs: ['state', 'shapes.*.friction', 'bodies.body.mass'],
    });
    expect(report.modes.slide).toBeGreaterThan(0);
    expect(report.method).toBe('implicit');
    expect(report.margin).toBeGreaterThan(1e-3);
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(TOLERANCE);
  });

  test('a partition on the border of another is reported, and both sides are looked at', () => {
    // a ball without weight touches the ground without force
    const simulation = build('ccp', {
      options: { timestep: 0.004, gravity: [0, 0, 0] },
      shapes: [{ kind: 'plane' }],
      bodies: [{ name: 'body', position: [0, 0, 0.1], joints: [{ kind: 'free' }], shapes: [SHAPES['sphere']!] }],
    });
    const { report, A, size } = linearize(simulation);
    const sides = (['forward', 'backward'] as const).map((side) => linearize(simulation, { side }).A[8 * size + 8]);
    expect(sides[0]).toBeCloseTo(1, 9);
    expect(sides[1]).toBeCloseTo(0, 9);
    expect(A[8 * size + 8]).toBeCloseTo(0.5, 9);
    expect(report.margin).toBeLessThan(1e-8);
    expect(report.kinks).toContain('contact modes');
    expect(report.method).toBe('difference');
  });
});

describe('ipc', () => {
  const onGround = (parts: Partial<Body>): Partial<Scene> => ({
    shapes: [{ kind: 'plane', friction: 0.4 } as Shape],
    bodies: [{ position: [0, 0, 0.1012], joints: [{ kind: 'free' }], ...parts }],
  });
  const check = (simulation: Simulation): void => {
    const { report } = linearize(simulation, { check: true });
    expect(report.method).toBe('implicit');
    expect(report.kinks).toEqual([]);
    expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(TOLERANCE);
  };

  test.each(['sphere', 'box'])('%s that slides over the ground', (kind) => {
    const simulation = build('ipc', onGround({ shapes: [{ ...SHAPES[kind], friction: 0.4, density: 500 } as Shape] }));
    disturb(simulation);
    simulation.step(5);
    check(simulation);
  });

  // friction that sticks is stiff within 4e-6 m of where it was taken, twenty differences
  test('a ball that sticks', () => {
    const simulation = build('ipc', onGround({ shapes: [{ ...SHAPES['sphere'], friction: 0.4 } as Shape] }));
    simulation.step(20);
    check(simulation);
    const { modes } = linearize(simulation, { inputs: [] }).report;
    expect(modes.stick).toBe(1);
  });

  const checkLinks = (bodies: Body[]): void => {
    const simulation = build('ipc', { bodies, options: { timestep: 0.004 } });
    disturb(simulation);
    simulation.step(2);
    check(simulation);
  };

  test('two links, ball: multipliers are unknowns', () => checkLinks(chain(JOINTS['ball']!)));

  test('one link, hinge at its limit: multipliers are unknowns', () =>
    checkLinks([{ name: 'link', joints: [JOINTS['hinge at its limit']!], inertia }]));

  longTest('two links, hinge at its limit: multipliers are unknowns', () =>
    checkLinks(chain(JOINTS['hinge at its limit']!)),
  );

  test('a mocap body that is moved pushes another', () => {
    const simulation = build('ipc', {
      options: { timestep: 0.004, gravity: [0, 0, 0] },
      bodies: [
        { name: 'hand', mocap: true, shapes: [{ ...SHAPES['sphere'], friction: 0.3 } as Shape] },
        {
          position: [0.2003, 0.01, 0],
          joints: [{ kind: 'free' }],
          shapes: [{ ...SHAPES['sphere'], friction: 0.3 } as Shape],
        },
      ],
    });
    simulation.state.velocity.set([-0.1, 0.02, 0, 0, 0, 1]);
    simulation.step();
    simulation.setMocapPose('hand', [1e-4, 0, 2e-5]);
    check(simulation);
  });
});

// along the normal it gives thousands of times as much as its inverse mass, which must not count as that across it
test('ccp: a box on soft patches with more rows than it needs', () => {
  const shape = { friction: 0.4, contact: 'hydroelastic' } as const;
  const simulation = build('ccp', {
    shapes: [{ kind: 'plane', ...shape }],
    bodies: [
      {
        name: 'box',
        position: [0, 0, 0.097],
        joints: [{ kind: 'free' }],
        shapes: [
          {
            kind: 'box',
            halfSize: [0.1, 0.12, 0.1],
            density: 500,
            hydroelastic: { modulus: 1e3, resolution: 0.1 },
            ...shape,
          },
        ],
      },
    ],
  });
  simulation.state.velocity.set([0.03, 0.015, -0.0025, 0.01, 0.015, 0.005]);
  simulation.step(15);
  // outputs are not gone through in reverse: every column is Newton steps from the solution
  const { report } = linearize(simulation, { check: true, outputs: ['energy'] });
  expect(report.method).toBe('implicit');
  expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(TOLERANCE);
});
