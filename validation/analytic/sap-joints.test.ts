/** Limits, equalities, dry friction and servos under `sap`: when they have rows, and where they lead. */
import { type ActuatorOptions, compileModel, type Joint, type Scene, Simulation } from '@nexdyn/engine';
import { SOURCE } from '@nexdyn/engine/solvers';
import { describe, expect, test } from 'vitest';

const H = 0.01;

function countRows(simulation: Simulation, source: number): number {
  const { problem } = simulation.formulation;
  if (!problem) throw new Error('sap has a problem');
  let count = 0;
  for (let b = 0; b < problem.blockCount; b++) if (problem.source[b] === source) count++;
  return count;
}

function createSlider(joint: Partial<Joint> & object, rest: Partial<Scene> = {}): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    ...rest,
    options: { formulation: 'sap', timestep: H, gravity: [0, 0, 0], ...rest.options },
    bodies: [
      {
        name: 'slider',
        joints: [{ kind: 'slide', name: 'x', axis: [1, 0, 0], ...joint } as Joint],
        inertia: { kind: 'principal', mass: 2, moments: [1, 1, 1] },
      },
    ],
  };
  return new Simulation(compileModel(scene));
}

describe('a limit', () => {
  const limit = { range: [-0.1, 0.2] as [number, number] };

  test.each([
    // position, velocity, force, rows: the window is q ± 2 h max(|v|, |v*|)
    ['at rest in the middle', 0, 0, 0, 0],
    ['at rest at the lower limit', -0.1, 0, 0, 0],
    ['below the lower limit', -0.11, 0, 0, 1],
    ['above the upper limit', 0.25, 0, 0, 1],
    ['will cross the upper one', 0.15, 2.6, 0, 1],
    ['will not come near it', 0.15, 2.4, 0, 0],
    ['leaves the upper one, close by', 0.19, -1, 0, 1],
    ['driven towards it by a force', 0.15, 0, 520, 1],
    ['driven less', 0.15, 0, 480, 0],
    ['so fast that both are near', 0, 20, 0, 2],
  ])('%s', (_, position, velocity, force, rows) => {
    const simulation = createSlider({ limit });
    simulation.state.position[0] = position;
    simulation.state.velocity[0] = velocity;
    simulation.state.appliedForce[0] = force;
    simulation.step();
    expect(countRows(simulation, SOURCE.jointLimit)).toBe(rows);
  });

  test('without rows the step is the free one, bit for bit', () => {
    const simulation = createSlider({ limit });
    simulation.state.velocity[0] = 1;
    simulation.state.appliedForce[0] = 3;
    simulation.step();
    expect(simulation.state.velocity[0]).toBe(1 + H * (3 / 2));
    expect(simulation.report.iterations).toBe(0);
  });

  test.each([
    ['below', -0.13, -0.03],
    ['above', 0.3, 0.1],
  ])(
    'from %s it returns inside at a bounded speed, the depth over a tenth of a second, whatever the step',
    (_, position, error) => {
      const simulation = createSlider({ limit });
      simulation.state.position[0] = position;
      simulation.step();
      // R of the near-rigid limit gives way by 1/(1 + R m), 2.5e-4
      const expected = -error / 0.1;
      expect(Math.abs((simulation.state.velocity[0] ?? NaN) / expected - 1)).toBeLessThan(3e-4);
      // d exp(−t/T) down to 2 mm, and from there at 0.02 m/s: 0.49 s for the deeper one
      simulation.step(Math.ceil(0.6 / H));
      const q = simulation.state.position[0] ?? NaN;
      expect(q).toBeGreaterThan(-0.1);
      expect(q).toBeLessThan(0.2);
    },
  );

  test('running into it stops it there', () => {
    const simulation = createSlider({ limit });
    simulation.state.position[0] = 0.1;
    simulation.state.velocity[0] = 5;
    simulation.step(100);
    const q = simulation.state.position[0] ?? NaN;
    expect(q).toBeLessThan(0.2 + 1e-6);
    expect(q).toBeGreaterThan(0.18);
    expect(Math.abs(simulation.state.velocity[0] ?? NaN)).toBeLessThan(1e-3);
  });

  test('carries a load at the depth of the near-rigid limit, (h + τ) R f h', () => {
    const simulation = createSlider({ limit });
    simulation.state.appliedForce[0] = 100;
    simulation.step(1000);
    const regularization = (0.1 / (2 * Math.PI)) ** 2 / 2;
    const depth = 2 * H * regularization * 100 * H;
    expect(Math.abs((simulation.state.position[0] ?? NaN) - 0.2 - depth)).toBeLessThan(1e-9);
  });
});

describe('equalities from a large initial error', () => {
  function createPair(equality: NonNullable<Scene['equalities']>[number]): Simulation {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap', timestep: H, gravity: [0, 0, -9.81] },
      bodies: [
        {
          name: 'one',
          position: [0, 0, 0],
          joints: [{ kind: 'free', damping: 2 }],
          inertia: { kind: 'principal', mass: 1, moments: [0.02, 0.03, 0.04] },
        },
      ],
      equalities: [equality],
    };
    const simulation = new Simulation(compileModel(scene));
    simulation.state.position.set([0.15, -0.1, 0.12, Math.cos(0.4), 0, Math.sin(0.4), 0]);
    return simulation;
  }

  test('a weld comes together to 1e-5 m', () => {
    const simulation = createPair({ kind: 'weld', body1: 'one' });
    simulation.step(500);
    const [x = NaN, y = NaN, z = NaN, w = NaN] = simulation.state.position;
    expect(Math.hypot(x, y, z)).toBeLessThan(1e-5);
    expect(2 * Math.acos(Math.min(1, Math.abs(w)))).toBeLessThan(1e-4);
  });

  test('a ball joint comes together to 1e-5 m', () => {
    const simulation = createPair({ kind: 'connect', body1: 'one', anchor: [0, 0, 0.2] });
    simulation.step(500);
    const rotation = simulation.derived.bodyRotation;
    const point = [0, 1, 2].map(
      (k) => (simulation.bodyPosition[3 + k] ?? NaN) + 0.2 * (rotation[9 + 3 * k + 2] ?? NaN),
    );
    expect(Math.hypot(point[0] ?? NaN, point[1] ?? NaN, (point[2] ?? NaN) - 0.2)).toBeLessThan(1e-5);
  });

  test('a rod keeps its length to 1e-5 m while it swings', () => {
    const simulation = createPair({ kind: 'distance', body1: 'one', point2: [0, 0, 0.5], distance: 0.4 });
    simulation.step(200);
    for (let n = 0; n < 100; n++) {
      simulation.step();
      const [x = NaN, y = NaN, z = NaN] = simulation.state.position;
      expect(Math.abs(Math.hypot(x, y, z - 0.5) - 0.4)).toBeLessThan(1e-5);
    }
  });
});

describe('dry friction', () => {
  test('holds below its bound, creeping by R γ; above it the excess accelerates', () => {
    const simulation = createSlider({ frictionLoss: 10 });
    simulation.state.appliedForce[0] = 9;
    simulation.step(100);
    const creep = ((0.1 / (2 * Math.PI)) ** 2 / 2) * 9 * H;
    expect(Math.abs((simulation.state.velocity[0] ?? NaN) / creep - 1)).toBeLessThan(1e-6);
    simulation.state.velocity[0] = 0;
    simulation.state.appliedForce[0] = 14;
    simulation.step(50);
    expect(Math.abs((simulation.state.velocity[0] ?? NaN) - ((14 - 10) / 2) * 50 * H)).toBeLessThan(1e-9);
  });
});

describe('a servo', () => {
  const drive = { transmission: { kind: 'joint', joint: 'x' } } as const;

  function createServo(servo: Partial<ActuatorOptions<object>> & Record<string, unknown>, joint = {}): Simulation {
    return createSlider(joint, { actuators: [{ kind: 'position', name: 'servo', ...drive, ...servo }] as never });
  }

  // β = 1 − m/(h² k_p), 0 for soft gains
  test.each([
    [50, 0],
    [1e7, 1 - 2 / (H * H * 1e7)],
  ])(
    'takes its gains at the end of the step: v⁺ = (v + h k_p (c − q)/m) / (1 + h (β h k_p + k_d)/m), k_p = %d',
    (k, share) => {
      const simulation = createServo({ stiffness: k, damping: 3 });
      simulation.state.position[0] = 0.1;
      simulation.state.velocity[0] = 0.4;
      simulation.setControl('servo', 1);
      simulation.step();
      const expected = (0.4 + (H * k * 0.9) / 2) / (1 + (H * (share * H * k + 3)) / 2);
      expect(Math.abs((simulation.state.velocity[0] ?? NaN) / expected - 1)).toBeLessThan(1e-12);
      const force = simulation.derived.actuatorForce[0] ?? NaN;
      expect(Math.abs(force / ((2 * (expected - 0.4)) / H) - 1)).toBeLessThan(1e-10);
      expect(Math.abs(simulation.derived.constraintForce[0] ?? NaN)).toBeLessThan(1e-10 * Math.max(1, Math.abs(force)));
      expect(countRows(simulation, SOURCE.drive)).toBe(1);
    },
  );

  test.each(['euler', 'implicitfast', 'implicit'] as const)(
    '%s: gains a thousand times too stiff stay calm',
    (integrator) => {
      const simulation = createSlider(
        {},
        {
          options: { integrator, formulation: 'sap', timestep: H, gravity: [0, 0, 0] },
          actuators: [{ kind: 'position', name: 'servo', stiffness: 1e7, damping: 1e4, ...drive }],
        },
      );
      simulation.setControl('servo', 0.5);
      simulation.step(100);
      expect(Math.abs((simulation.state.position[0] ?? NaN) - 0.5)).toBeLessThan(1e-9);
      expect(Math.abs(simulation.state.velocity[0] ?? NaN)).toBeLessThan(1e-9);
    },
  );

  test('pushes no harder than its range, nor than that of its joint', () => {
    for (const [servo, joint, most] of [
      [{ forceRange: [-6, 4] }, {}, 4],
      [{}, { actuatorForceRange: [-1, 3] }, 3],
      [{ forceRange: [-6, 2], transmission: { kind: 'joint', joint: 'x', gear: [0.5] } }, {}, 1],
    ] as const) {
      const simulation = createServo({ stiffness: 1e5, ...servo }, joint);
      simulation.setControl('servo', 10);
      simulation.step(10);
      expect(Math.abs((simulation.state.velocity[0] ?? NaN) - (most / 2) * 10 * H)).toBeLessThan(1e-9);
    }
  });

  test('a velocity servo reaches its speed', () => {
    const simulation = createSlider({}, { actuators: [{ kind: 'velocity', name: 'servo', gain: 1e6, ...drive }] });
    simulation.setControl('servo', 0.7);
    simulation.step(20);
    expect(Math.abs((simulation.state.velocity[0] ?? NaN) - 0.7)).toBeLessThan(1e-9);
  });

  test('a motor is left as it is', () => {
    const simulation = createSlider({}, { actuators: [{ kind: 'motor', name: 'servo', ...drive }] });
    simulation.setControl('servo', 5);
    simulation.step(10);
    expect(Math.abs((simulation.state.velocity[0] ?? NaN) - (5 / 2) * 10 * H)).toBeLessThan(1e-12);
    expect(countRows(simulation, SOURCE.drive)).toBe(0);
  });
});

test.each([
  ['sap', 'semiImplicit'],
  ['ccp', 'semiImplicit'],
  ['ipc', 'bdf2'],
] as const)('under %s a Runge-Kutta integrator is replaced, and the simulation says so', (formulation, integrator) => {
  const simulation = createSlider({}, { options: { integrator: 'rk4', formulation, timestep: H } });
  expect(simulation.unresolved).toEqual([`integrator rk4: steps of ${formulation} are implicit`]);
  expect(simulation.model.options.integrator).toBe(integrator);
});
