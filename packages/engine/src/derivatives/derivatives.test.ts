import { describe, expect, test } from 'vitest';
import { createTurns } from '../../../../scripts/long-run.ts';
import { jvp, linearize, rollout, vjp } from '../derivatives.ts';
import { type Body, compileModel, type Scene, type SceneOptions, Simulation } from '../index.ts';

const takeTurn = createTurns();

const FORMULATIONS = ['mujoco', 'sap', 'ccp', 'ipc'];
const GRAVITY = 9.81;

function build(formulation: string, bodies: Body[], options: SceneOptions = {}, more: Partial<Scene> = {}): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, options, bodies, ...more };
  return new Simulation(compileModel(scene, { formulation }));
}

const floor: Partial<Scene> = { shapes: [{ kind: 'plane', name: 'floor', friction: 0.5 }] };
const cube = (parts: Partial<Body> = {}): Body => ({
  name: 'cube',
  position: [0, 0, 0.1],
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'box', name: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.5 }],
  ...parts,
});
const ball = (parts: Partial<Body> = {}): Body => ({
  name: 'ball',
  position: [0, 0, 0.1],
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'sphere', name: 'ball', radius: 0.1, friction: 0.5 }],
  ...parts,
});

describe.each(FORMULATIONS)('%s', (formulation) => {
  const test = takeTurn();
  test('free flight: A is the motion of a body without forces, and the weight of gravity is the time step', () => {
    const h = 0.01;
    const simulation = build(formulation, [cube({ position: [0, 0, 5] })], { timestep: h });
    const { A, P, size, report } = linearize(simulation, { inputs: ['state', 'gravity.2', 'bodies.cube.mass'] });
    const at = (row: number, column: number): number => A[row * size + column];
    for (let k = 0; k < 3; k++) {
      expect(at(k, k)).toBeCloseTo(1, 7);
      expect(at(6 + k, 6 + k)).toBeCloseTo(1, 7);
      expect(at(k, 6 + k)).toBeCloseTo(h, 7);
      expect(at(3 + k, 9 + k)).toBeCloseTo(h, 7);
    }
    expect(P[2 * 8]).toBeCloseTo(h, 8);
    expect(P[2 * 2]).toBeCloseTo(h * h, 9);
    // where a body falls does not depend on its mass
    expect(P.filter((_, i) => i % 2 === 1).every((entry) => Math.abs(entry) < 1e-9)).toBe(true);
    expect(report.kinks).toEqual([]);
    expect(report.modes).toEqual({ open: 0, stick: 0, slide: 0, limit: 0 });
  });

  test('the bytes of a simulation are the same with derivatives and without', () => {
    const options: SceneOptions = { timestep: 0.005 };
    const [one, two] = [0, 1].map(() => build(formulation, [ball({ position: [0, 0, 0.12] })], options, floor));
    for (let k = 0; k < 12; k++) {
      one!.step();
      two!.step();
      if (k % 3 === 0) linearize(two!, { inputs: ['state', 'shapes.ball.friction'], outputs: ['contactForces'] });
      expect(two!.hash()).toBe(one!.hash());
    }
  });
});

test('landing point after a bounce, against differences of the whole run', () => {
  const options: SceneOptions = { timestep: 0.002, sap: { relativeTolerance: 1e-14 } };
  const simulation = build('sap', [ball({ position: [0, 0, 0.3] })], options, floor);
  simulation.state.velocity.set([1, 0, -1, 0, 2, 0]);
  const steps = 120;
  const loss = Float64Array.from({ length: 12 }, (_, i) => (i === 0 ? 1 : i === 2 ? 0.5 : 0));
  const run = rollout(simulation, undefined, { steps });
  const { state } = run.backward(loss);
  const measure = (column: number, shift: number): number => {
    const copy = build('sap', [ball({ position: [0, 0, 0.3] })], options, floor);
    copy.restore(simulation.snapshot());
    copy.state.velocity[column]! += shift;
    copy.step(steps);
    return copy.state.position[0]! + 0.5 * copy.state.position[2]!;
  };
  for (const column of [0, 2, 4]) {
    const d = 1e-6;
    const expected = (measure(column, d) - measure(column, -d)) / (2 * d);
    expect(Math.abs(state[6 + column]! - expected)).toBeLessThan(1e-5 * Math.max(1, Math.abs(expected)));
  }
});

test('a pendulum turns faster where it is shorter: θ̈ = −g sin θ / l of a point mass', () => {
  const h = 1e-3;
  const bob: Body = {
    name: 'bob',
    joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 1, 0] }],
    inertia: { kind: 'principal', mass: 2, center: [0, 0, -0.5], moments: [1e-9, 1e-9, 1e-9] },
  };
  const simulation = build('sap', [bob], { timestep: h });
  simulation.setJointPosition('pivot', 0.3);
  const { P, A, size } = linearize(simulation, { inputs: ['state', 'bodies.bob.inertia.center', 'gravity.2'] });
  const l = 0.5;
  // columns: x, y, z of the centre, gravity; row: velocity of the pivot
  expect(P[4 + 2]).toBeCloseTo((-h * GRAVITY * Math.sin(0.3)) / (l * l), 7);
  expect(P[4 + 3]).toBeCloseTo((h * Math.sin(0.3)) / l, 9);
  expect(A[size]).toBeCloseTo((-h * GRAVITY * Math.cos(0.3)) / l, 7);
});

test('resting depth of a ball grows by g/k per kilogram', () => {
  const k = 1e4;
  const material = { name: 'rubber', stiffness: k, dissipation: 0.05 };
  const make = (mass: number): Simulation =>
    build(
      'sap',
      [ball({ shapes: [{ kind: 'sphere', name: 'ball', radius: 0.1, material: 'rubber', mass }] })],
      { timestep: 0.002, sap: { nearRigid: 0, relativeTolerance: 1e-14 } },
      { materials: [material], shapes: [{ kind: 'plane', material: 'rubber' }] },
    );
  const simulation = make(1);
  simulation.step(1500);
  // two equal springs in a row: k/2
  const steps = 400;
  const run = rollout(simulation, undefined, { steps, parameters: ['bodies.ball.mass'] });
  const { parameters } = run.backward(Float64Array.from({ length: 12 }, (_, i) => (i === 2 ? 1 : 0)));
  const depth = 0.1 - run.simulation.state.position[2]!;
  expect(parameters['bodies.ball.mass']! / -depth).toBeCloseTo(1, 2);
});

describe('paths of parameters', () => {
  const simulation = build('sap', [ball()], { timestep: 0.005 }, { ...floor, materials: [{ name: 'rubber' }] });

  test.each([
    ['bodies.bal.mass', /did you mean 'ball'/],
    ['shaps.ball.friction', /did you mean 'shapes'/],
    ['shapes.ball.colour', /not given in the scene/],
    ['shapes.ball.kind', /is no number/],
    ['bodies', /names no field/],
    ['', /not a path/],
    ['gravity.3', /has no entry 3/],
  ])('%j is refused', (path, message) => {
    expect(() => linearize(simulation, { inputs: [path] })).toThrow(message);
  });

  test('what the formulation does not read is said, and what has no effect in the step', () => {
    const { report } = linearize(simulation, { inputs: ['mujoco.impedanceRatio', 'materials.rubber.density'] });
    expect(report.unread).toEqual(['mujoco.impedanceRatio: sap does not read the options of mujoco']);
    expect(report.withoutEffect).toEqual(['materials.rubber.density']);
  });

  test('a scene that was changed after it was compiled is noticed', () => {
    const scene: Scene = { format: 'nexdyn-scene', version: 1, bodies: [ball()] };
    const changed = new Simulation(compileModel(scene));
    scene.options = { gravity: [0, 0, -1] };
    expect(() => linearize(changed, { inputs: ['gravity'] })).toThrow(/changed after it was compiled/);
  });

  test('a friction of 0 has one side', () => {
    const smooth = build('sap', [ball()], { timestep: 0.005 }, floor);
    smooth.step(20);
    const { P } = linearize(smooth, { inputs: ['joints.0.damping', 'gravity'] });
    expect(P.every(Number.isFinite)).toBe(true);
  });
});

test('forward and reverse products are the same numbers', () => {
  const simulation = build('mujoco', [ball()], { timestep: 0.005 }, floor);
  simulation.state.velocity.set([0.5, 0, -0.3, 0, 1, 0]);
  simulation.step(20);
  const state = Float64Array.from({ length: 12 }, (_, i) => Math.sin(i + 1));
  const cotangent = Float64Array.from({ length: 12 }, (_, i) => Math.cos(2 * i));
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const forward = dot(cotangent, jvp(simulation, { state }).state);
  const reverse = dot(vjp(simulation, { state: cotangent }).state, state);
  expect(Math.abs(forward - reverse)).toBeLessThan(1e-12 * Math.abs(forward));
  const along = jvp(simulation, { state }, { method: 'difference' }).state;
  expect(dot(cotangent, along)).toBeCloseTo(forward, 4);
});

test('ipc: two steps of order two chain through the state before them', () => {
  // a spinning body on a spring: its derivative depends on the step before
  const spring: Body = cube({
    position: [0, 0, 2],
    joints: [{ kind: 'free', damping: 3 }],
    inertia: { kind: 'principal', mass: 1, moments: [0.01, 0.02, 0.025] },
  });
  const simulation = build('ipc', [spring], { timestep: 0.01 });
  simulation.state.velocity.set([1, 2, 3, 4, 1, 2]);
  simulation.step(3);
  const loss = Float64Array.from({ length: 12 }, (_, i) => 1 / (1 + i));
  const steps = 6;
  const { state } = rollout(simulation, undefined, { steps }).backward(loss);
  const measure = (column: number, shift: number): Float64Array => {
    const copy = build('ipc', [spring], { timestep: 0.01, ipc: { tolerance: 1e-11 } });
    copy.restore(simulation.snapshot());
    copy.formulation.changeState!(copy.state, () => {
      copy.state.velocity[column]! += shift;
    });
    copy.formulation.noteState?.(copy.state);
    copy.step(steps);
    return Float64Array.of(...copy.state.position.subarray(0, 3), ...copy.state.velocity);
  };
  for (let column = 0; column < 3; column++) {
    const d = 1e-5;
    const [plus, minus] = [measure(column, d), measure(column, -d)];
    // translation alone: positions 0..3 and velocities 6..9
    let expected = 0;
    for (let k = 0; k < 3; k++) {
      expected += (loss[k]! * (plus[k]! - minus[k]!)) / (2 * d);
      expected += (loss[6 + k]! * (plus[3 + k]! - minus[3 + k]!)) / (2 * d);
    }
    expect(state[6 + column]).toBeCloseTo(expected, 7);
  }
});

test('500 steps: the gradient of a rolling, bouncing ball is finite and is that of its differences', () => {
  const options: SceneOptions = { timestep: 0.002, sap: { relativeTolerance: 1e-14 } };
  const simulation = build('sap', [ball({ position: [0, 0, 0.2] })], options, floor);
  simulation.state.velocity.set([1, 0.5, 0, 0, 0, 3]);
  const run = rollout(simulation, undefined, { steps: 500 });
  const loss = new Float64Array(12);
  loss.set([1, -2]);
  const { state } = run.backward(loss);
  const measure = (shift: number): number => {
    const copy = build('sap', [ball({ position: [0, 0, 0.2] })], options, floor);
    copy.restore(simulation.snapshot());
    copy.state.velocity[0]! += shift;
    copy.step(500);
    return copy.state.position[0]! - 2 * copy.state.position[1]!;
  };
  const d = 1e-6;
  const expected = (measure(d) - measure(-d)) / (2 * d);
  expect(state.every(Number.isFinite)).toBe(true);
  expect(Math.abs(state[6]! / expected - 1)).toBeLessThan(1e-5);
});
