import { describe, expect, test } from 'vitest';
import { fit, type RecordedMotion } from '../derivatives.ts';
import { compileModel, type Scene, Simulation } from '../index.ts';
import { findEigenvectors } from './eigenvectors.ts';

/** Every few steps of a run. */
function record(simulation: Simulation, frames: number, stride: number): RecordedMotion {
  const time: number[] = [];
  const position: number[] = [];
  const velocity: number[] = [];
  for (let k = 0; k < frames; k++) {
    time.push(simulation.time);
    position.push(...simulation.state.position);
    velocity.push(...simulation.state.velocity);
    simulation.step(stride);
  }
  return { time, position, velocity };
}

const open = (scene: Scene, formulation: string): Simulation => new Simulation(compileModel(scene, { formulation }));

const toss = (friction: number): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.004 },
  shapes: [{ kind: 'plane', friction }],
  bodies: [
    {
      name: 'cube',
      position: [0, 0, 0.15],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction }],
    },
  ],
});

const arm = (stiffness: number, damping: number): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.004 },
  bodies: [
    {
      name: 'arm',
      joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 1, 0], damping }],
      inertia: { kind: 'principal', mass: 1, center: [0.3, 0, 0], moments: [0.01, 0.01, 0.01] },
    },
  ],
  actuators: [{ kind: 'position', name: 'servo', stiffness, transmission: { kind: 'joint', joint: 'pivot' } }],
});

describe('fits to recorded motions', () => {
  test.each(['mujoco', 'sap'])('%s: friction of a cube that was tossed', (formulation) => {
    const truth = open(toss(0.35), formulation);
    truth.state.velocity.set([1, 0, 0, 0, 0, 0]);
    const data = record(truth, 12, 6);
    const found = fit(open(toss(0.5), formulation), { parameters: ['shapes.*.friction'], data });
    expect(found.isConverged).toBe(true);
    expect(found.parameters[0]!.value).toBeCloseTo(0.35, 4);
    expect(found.rms).toBeLessThan(1e-3 * found.rmsBefore);
  });

  test('friction of a cube that tumbles, with other minima on the way', () => {
    const tumble = (friction: number): Simulation => {
      const scene = toss(friction);
      scene.options = { timestep: 0.002 };
      scene.shapes = [{ kind: 'plane', friction: 0 }];
      Object.assign(scene.bodies![0]!, {
        position: [0, 0, 0.25],
        orientation: [0.95, 0.1, 0.25, 0.1],
        shapes: [{ kind: 'box', halfSize: [0.05, 0.05, 0.05], name: 'cube', friction, density: 500 }],
      });
      const simulation = open(scene, 'sap');
      simulation.state.velocity.set([1, 0.3, 0, 2, 3, 1]);
      return simulation;
    };
    const data = record(tumble(0.35), 61, 5);
    const found = fit(tumble(0.42), { parameters: ['shapes.cube.friction'], data });
    expect(Math.abs(found.parameters[0]!.value / 0.35 - 1)).toBeLessThan(1e-2);
    expect(found.rms).toBeLessThan(0.05 * found.rmsBefore);
  });

  // its edges touch and leave: slopes at a point and over a jump of the motion mislead, and those over wide differences converge slowly
  test.each([0.5, 0.2])('friction of a box that slides and spins, from %d', (start) => {
    const sled = (friction: number): Simulation => {
      const scene = toss(friction);
      scene.options = { timestep: 0.004, integrator: 'euler', mujoco: { cone: 'pyramidal', impedanceRatio: 1 } };
      scene.shapes = [{ kind: 'plane' }];
      const shape = { kind: 'box', name: 'runner', halfSize: [0.1, 0.07, 0.05], mass: 1.3, friction };
      Object.assign(scene.bodies![0]!, { position: [0, 0, 0.05], shapes: [{ ...shape, mujoco: { priority: 1 } }] });
      const simulation = open(scene, 'mujoco');
      simulation.state.velocity.set([1.2, 0.3, 0, 0, 0, 1]);
      return simulation;
    };
    const data = record(sled(0.3), 201, 1);
    const found = fit(sled(start), { parameters: ['shapes.runner.friction'], data });
    expect(found.isConverged).toBe(true);
    expect(found.parameters[0]!.value).toBeCloseTo(0.3, 6);
  });

  test.each(['mujoco', 'ccp', 'penalty'])('%s: the mass of what slides alone is refused', (formulation) => {
    const truth = open(toss(0.35), formulation);
    truth.state.velocity.set([1, 0.2, 0, 0, 0, 1]);
    const data = record(truth, 12, 6);
    for (const parameters of [['bodies.cube.mass'], ['shapes.*.friction', 'bodies.cube.mass']])
      expect(() => fit(open(toss(0.35), formulation), { parameters, data })).toThrow(
        /does not depend on bodies.cube.mass/,
      );
  });

  test('residuals that follow a pattern are told from noise', () => {
    const truth = open(arm(40, 0.6), 'sap');
    const data = record(truth, 30, 5);
    // the damping of another arm: no gain of the servo explains its motion
    const found = fit(open(arm(25, 0.1), 'sap'), { parameters: ['actuators.servo.stiffness'], data });
    expect(found.pattern).toBeGreaterThan(0.5);
    const [position] = [Array.from(data.position, (q, k) => q + 1e-3 * Math.sin(1e4 * k * k))];
    const noisy = fit(open(arm(25, 0.6), 'sap'), {
      parameters: ['actuators.servo.stiffness'],
      data: { ...data, position },
    });
    expect(Math.abs(noisy.pattern)).toBeLessThan(0.5);
  });

  test('gain of a servo and damping of its joint', () => {
    const truth = open(arm(40, 0.6), 'sap');
    const data = record(truth, 30, 5);
    const start = open(arm(25, 0.2), 'sap');
    const found = fit(start, { parameters: ['actuators.servo.stiffness', 'joints.pivot.damping'], data });
    expect(found.parameters.map(({ value }) => value)).toEqual([expect.closeTo(40, 3), expect.closeTo(0.6, 5)]);
    expect(found.blind).toEqual([]);
    for (const { error, value } of found.parameters) expect(error).toBeLessThan(1e-3 * value);
  });

  test('what the data cannot tell is said', () => {
    const truth = open(arm(40, 0.6), 'sap');
    const data = record(truth, 20, 5);
    // weight and inertia of a lone arm, and the forces on it, grow together: only their ratios show
    const parameters = ['bodies.arm.mass', 'actuators.servo.stiffness', 'joints.pivot.damping'];
    const found = fit(open(arm(35, 0.5), 'sap'), { parameters, data });
    expect(found.blind).toHaveLength(1);
    const shares = parameters.map((path) => found.blind[0]![path]!);
    expect(shares[1]! / shares[0]!).toBeCloseTo(1, 3);
    expect(shares[2]! / shares[0]!).toBeCloseTo(1, 3);
    expect(found.parameters[0]!.error).toBe(Infinity);
  });

  test('a parameter on which nothing depends is refused, and bounds hold', () => {
    const data = record(open(arm(40, 0.6), 'sap'), 10, 5);
    const start = open(arm(25, 0.2), 'sap');
    expect(() => fit(start, { parameters: ['gravity.1'], data })).toThrow(/does not depend on gravity.1/);
    const bounds = { 'joints.pivot.damping': [0, 0.4] as const };
    const [damping] = fit(start, { parameters: ['joints.pivot.damping'], data, bounds }).parameters;
    expect(damping!.value).toBeLessThanOrEqual(0.4);
  });
});

test('eigenvectors of a symmetric matrix', () => {
  const matrix = Float64Array.of(4, 1, 0.5, 1, 3, -0.2, 0.5, -0.2, 1);
  const { values, vectors } = findEigenvectors(matrix, 3);
  values.forEach((value, k) => {
    for (let i = 0; i < 3; i++) {
      let sum = 0;
      for (let j = 0; j < 3; j++) sum += matrix[3 * i + j]! * vectors[k]![j]!;
      expect(sum).toBeCloseTo(value * vectors[k]![i]!, 12);
    }
  });
});
