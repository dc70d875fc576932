/** Adhesion, direct-current motors, late controls and fluids under every formulation and in both coordinates, against closed forms. */
import { type Coordinates, compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const CHOICES: [FormulationId, Coordinates][] = [
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
  ['ipc', 'body'],
  ['penalty', 'joint'],
];

/** kg. */
const MASS = 2;
const WEIGHT = 9.81 * MASS;

/** A ball that touches a ceiling from below; under `ipc` just within the reach of the barrier. */
const ceiling = (distance: number): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.002 },
  shapes: [{ kind: 'box', halfSize: [1, 1, 0.1], position: [0, 0, 0.2 + distance] }],
  bodies: [{ name: 'ball', joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1, mass: MASS }] }],
  actuators: [{ kind: 'adhesion', transmission: { kind: 'body', body: 'ball' }, gain: 10 }],
});

/** A wheel on a hinge. */
const wheel = (actuators: Scene['actuators']): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.001, gravity: [0, 0, 0] },
  bodies: [
    {
      joints: [{ name: 'axle', kind: 'hinge', axis: [0, 0, 1] }],
      shapes: [{ kind: 'cylinder', radius: 0.2, halfLength: 0.05, mass: 1 }],
    },
  ],
  actuators: actuators!,
});
/** m r²/2. */
const INERTIA = 0.02;

describe.each(CHOICES)('%s in %s coordinates', (formulation, coordinates) => {
  const test = takeTurn();
  const create = (scene: Scene): Simulation => new Simulation(compileModel(scene, { formulation, coordinates }));

  test('adhesion above the weight holds a ball at the ceiling, below it lets go', () => {
    const held = create(ceiling(formulation === 'ipc' ? 9.5e-4 : 0));
    held.state.control[0] = (2 * WEIGHT) / 10;
    for (let n = 0; n < 200; n++) held.step();
    expect(Math.abs(held.state.position[2]!)).toBeLessThan(2e-3);
    expect(held.derived.actuatorForce[0]).toBeCloseTo(2 * WEIGHT, 9);
    held.forward();
    // what pulls less the weight presses against the ceiling
    const pressing = held.contactForces().reduce((sum, { normalForce }) => sum + normalForce, 0);
    expect(Math.abs(pressing - WEIGHT)).toBeLessThan(0.02 * WEIGHT);
    held.state.control[0] = (0.5 * WEIGHT) / 10;
    for (let n = 0; n < 200; n++) held.step();
    expect(held.state.position[2]).toBeLessThan(-0.3);
  });

  test('a motor without load runs up to V/K with the time constant of its inertia', () => {
    const [R, K, V] = [2, 0.5, 6];
    const simulation = create(
      wheel([{ kind: 'dcMotor', transmission: { kind: 'joint', joint: 'axle' }, resistance: R, motorConstant: K }]),
    );
    simulation.state.control[0] = V;
    const tau = (INERTIA * R) / (K * K);
    for (let n = 0; n < 160; n++) simulation.step();
    const speed = simulation.jointVelocity('axle');
    // an error of order one in h/τ
    expect(Math.abs(speed - (V / K) * (1 - Math.exp(-0.16 / tau)))).toBeLessThan((0.001 / tau) * (V / K));
  });

  // 0.04 ms is the time constant of the inertia, a fiftieth of the step
  test.each([
    ['a winding that warms', { thermal: { resistance: 1, capacity: 1e9 } }],
    ['an inductance', { inductance: 2e-8 }],
  ])('a strong motor with %s is at V/K at once', (_, more) => {
    const [R, K, V] = [2e-4, 0.3, 6];
    const simulation = create(
      wheel([
        { kind: 'dcMotor', transmission: { kind: 'joint', joint: 'axle' }, resistance: R, motorConstant: K, ...more },
      ]),
    );
    simulation.state.control[0] = V;
    for (let n = 0; n < 50; n++) expect(simulation.step().status).toBe('converged');
    expect(Math.abs(simulation.jointVelocity('axle') / (V / K) - 1)).toBeLessThan(1e-6);
  });

  // stiffer by 1e4 than a step resolves; a motor of 24 V turns at no more than V/K
  test.each([
    ['position', { stiffness: 1e7, damping: 1e2, voltageLimit: 24 }, 0.5, 0],
    ['position', { stiffness: 1e7, damping: 1e4 }, 0.5, 0],
    ['velocity', { damping: 1e7, voltageLimit: 24 }, 0.5, 0.5],
    ['velocity', { damping: 1e7 }, 0.5, 0.5],
  ] as const)('a motor whose controller of its %s has %o arrives', (input, gains, control, speed) => {
    const simulation = create(
      wheel([
        {
          kind: 'dcMotor',
          transmission: { kind: 'joint', joint: 'axle' },
          resistance: 1,
          motorConstant: 1,
          controller: { input, ...gains },
        },
      ]),
    );
    simulation.state.control[0] = control;
    let most = 0;
    for (let n = 0; n < 500; n++) {
      expect(simulation.step().status).toBe('converged');
      most = Math.max(most, Math.abs(simulation.jointVelocity('axle')));
    }
    expect(Math.abs(simulation.jointVelocity('axle') - speed)).toBeLessThan(1e-6);
    if (input === 'position') expect(Math.abs(simulation.derived.actuatorLength[0]! - control)).toBeLessThan(1e-6);
    if ('voltageLimit' in gains) expect(most).toBeLessThan(24);
  });

  // it pulls no more at its largest speed, which the tangent of its force at the start of a step does not overestimate
  test('a strong muscle shortens no faster than it can', () => {
    const maxVelocity = 1.5;
    const simulation = create(
      wheel([
        {
          kind: 'muscle',
          transmission: { kind: 'joint', joint: 'axle' },
          lengthRange: [-0.3, 0.3],
          operatingRange: [0.5, 1.5],
          force: 1e4,
          maxVelocity,
        },
      ]),
    );
    simulation.state.control[0] = 1;
    // the optimal length is 0.6
    for (let n = 0; n < 300; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(Math.abs(simulation.jointVelocity('axle'))).toBeLessThan(0.6 * maxVelocity);
    }
  });

  // its tissue alone: a spring of 2 MN m/rad on 0.02 kg m²
  test('a strong muscle at rest gives back no more than has stretched it', () => {
    const simulation = create(
      wheel([
        {
          kind: 'muscle',
          transmission: { kind: 'joint', joint: 'axle' },
          lengthRange: [-0.3, 0.3],
          operatingRange: [0.5, 1.5],
          force: 2.4e5,
        },
      ]),
    );
    simulation.state.velocity[simulation.state.velocity.length - 1] = 20;
    const start = simulation.energy().kinetic;
    for (let n = 0; n < 200; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(simulation.energy().kinetic).toBeLessThan(start * (1 + 1e-9));
    }
  });

  // the limit carries what the servo pulls, more the stiffer it is than the limit; nothing contradicts anything
  test('a servo whose target is beyond a limit rests there', () => {
    const scene = wheel([
      { kind: 'position', transmission: { kind: 'joint', joint: 'axle' }, stiffness: 100, damping: 1 },
    ]);
    scene.bodies![0]!.joints![0] = { name: 'axle', kind: 'hinge', axis: [0, 0, 1], limit: { range: [-1, 1] } };
    const simulation = create(scene);
    simulation.state.control[0] = 1.5;
    for (let n = 0; n < 1000; n++) expect(simulation.step().status).toBe('converged');
    expect(Math.abs(simulation.jointVelocity('axle'))).toBeLessThan(1e-6);
    const force = 100 * (1.5 - simulation.derived.actuatorLength[0]!);
    expect(Math.abs(simulation.derived.actuatorForce[0]! - force)).toBeLessThan(1e-3 * force);
  });

  test('a control acts when its delay is over', () => {
    const simulation = create(
      wheel([{ kind: 'motor', transmission: { kind: 'joint', joint: 'axle' }, delay: 0.01, interpolation: 'linear' }]),
    );
    simulation.state.control[0] = 0.02;
    for (let n = 0; n < 9; n++) simulation.step();
    expect(Math.abs(simulation.jointVelocity('axle'))).toBeLessThan(1e-12);
    const snapshot = simulation.snapshot();
    for (let n = 0; n < 21; n++) simulation.step();
    const reached = simulation.jointVelocity('axle');
    // 20 steps of full torque; integrators of order two spread its beginning over a step
    expect(Math.abs(reached - 0.02)).toBeLessThan(0.001);
    // what is under way is part of the state
    simulation.restore(snapshot);
    for (let n = 0; n < 21; n++) simulation.step();
    expect(simulation.jointVelocity('axle')).toBe(reached);
  });

  test('an ellipsoid falls in oil at the speed that drag and weight agree on', () => {
    const viscosity = 40;
    const simulation = create({
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.002, medium: { viscosity } },
      bodies: [
        {
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'sphere', radius: 0.1, mass: MASS, fluid: [0.5, 0.25, 1.5, 1, 1] }],
        },
      ],
    });
    for (let n = 0; n < 600; n++) simulation.step();
    // Stokes: 6π r μ v
    const speed = WEIGHT / (6 * Math.PI * 0.1 * viscosity);
    expect(Math.abs(simulation.state.velocity[2]! + speed)).toBeLessThan(1e-3 * speed);
  });
});
