import './formulation/ccp/provide.ts';
import './formulation/ipc/provide.ts';
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../scripts/long-run.ts';
import { NexdynError } from './error.ts';
import { compileModel } from './model/compile.ts';
import type { Scene } from './scene/scene.ts';
import { Simulation } from './simulation.ts';
import { randomizeState } from './testing/evaluation.ts';
import { mixedScene } from './testing/mixed-scene.ts';

function createMixed(options: Scene['options'] = {}): Simulation {
  const scene = mixedScene();
  scene.options = { ...scene.options, ...options };
  const simulation = new Simulation(compileModel(scene));
  randomizeState(simulation.model, simulation.state, 8, 0.3);
  return simulation;
}

const INTEGRATORS = ['semiImplicit', 'euler', 'implicitfast', 'implicit', 'rk4', 'rkmk4'] as const;

describe('snapshot, restore, hash', () => {
  const STEPS = takeSamples(500, 0.2);
  test.each(INTEGRATORS)(`${STEPS} steps, back, ${STEPS} steps again: same hash (%s)`, (integrator) => {
    const simulation = createMixed({ integrator });
    simulation.step(20);
    const snapshot = simulation.snapshot();
    simulation.step(STEPS);
    const first = simulation.hash();
    simulation.restore(snapshot);
    expect(simulation.hash()).not.toBe(first);
    simulation.step(STEPS);
    expect(simulation.hash()).toBe(first);
  });

  test('two simulations of one model do not touch each other', () => {
    const model = compileModel(mixedScene());
    const alone = new Simulation(model);
    alone.step(50);
    const one = new Simulation(model);
    const other = new Simulation(model);
    other.state.velocity.fill(3);
    for (let n = 0; n < 50; n++) {
      one.step();
      other.step();
    }
    expect(one.hash()).toBe(alone.hash());
    expect(other.hash()).not.toBe(alone.hash());
  });

  test('a snapshot of another model is refused', () => {
    const simulation = createMixed();
    expect(() => simulation.restore(new Float64Array(3))).toThrow(NexdynError);
  });
});

describe('workspace', () => {
  test.each(INTEGRATORS)('nothing is read before it is written in the same step (%s)', (integrator) => {
    const clean = createMixed({ integrator });
    const poisoned = createMixed({ integrator });
    for (let n = 0; n < 3; n++) {
      for (const [name, value] of Object.entries(poisoned.derived)) {
        if (name !== 'plan' && value instanceof Float64Array) value.fill(Number.NaN);
      }
      clean.step();
      poisoned.step();
    }
    expect(poisoned.hash()).toBe(clean.hash());
  });

  test('reading derived arrays does not change the motion', () => {
    const quiet = createMixed();
    const watched = createMixed();
    for (let n = 0; n < 50; n++) {
      quiet.step();
      watched.step();
      watched.energy();
      watched.momentum();
      watched.forward();
    }
    expect(watched.hash()).toBe(quiet.hash());
  });

  test('poses belong to the state after the step, not before', () => {
    const simulation = createMixed();
    simulation.step(5);
    const fromGetter = [...simulation.bodyPosition];
    simulation.forward();
    expect([...simulation.bodyPosition]).toEqual(fromGetter);
  });
});

/** A box of 0.2 m whose centre is at a height over the floor; at 0.1 it rests on it. */
function boxAt(height: number): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        name: 'box',
        position: [0, 0, height],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
      },
    ],
  };
}

describe('evaluation leaves the state alone', () => {
  test.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)(
    'forward() of a box that rests on the floor, %s',
    (formulation) => {
      const model = compileModel(boxAt(0.1), { formulation });
      const simulation = new Simulation(model);
      const before = simulation.hash();
      simulation.forward();
      expect(simulation.hash()).toBe(before);
      expect(simulation.bodyPosition[5]).toBe(0.1);
      // nor does it change what follows
      const other = new Simulation(model);
      for (const each of [simulation, other]) each.step(2);
      expect(simulation.hash()).toBe(other.hash());
      const after = simulation.hash();
      simulation.forward();
      expect(simulation.hash()).toBe(after);
    },
  );

  test('a step of ipc still starts with the box off the floor, with the forces that forward() has given', () => {
    const simulation = new Simulation(compileModel(boxAt(0.1), { formulation: 'ipc' }));
    simulation.forward();
    const force = simulation.contactForces().reduce((sum, { normalForce }) => sum + normalForce, 0);
    simulation.step();
    expect(simulation.contactForces().reduce((sum, { normalForce }) => sum + normalForce, 0)).toBe(force);
    expect(simulation.bodyPosition[5]).toBeGreaterThan(0.1);
  });

  test('an intersecting start raises an error and the state stays as it was', () => {
    const simulation = new Simulation(
      compileModel({ ...boxAt(0.08), options: { start: 'refuse' } }, { formulation: 'ipc' }),
    );
    const before = simulation.hash();
    expect(() => simulation.step()).toThrow('intersect');
    expect(simulation.hash()).toBe(before);
    expect(() => simulation.forward()).toThrow('intersect');
    expect(simulation.hash()).toBe(before);
    // one body in the floor, one that touches it and would be lifted
    const both = boxAt(0.1);
    both.bodies!.push({ ...both.bodies![0], name: 'deep', position: [1, 0, 0.0999] });
    both.options = { start: 'refuse', ipc: { barrierDistance: 1e-4 } };
    const lifted = new Simulation(compileModel(both, { formulation: 'ipc' }));
    const start = lifted.hash();
    expect(() => lifted.step()).toThrow('intersect');
    expect(lifted.hash()).toBe(start);
    // moved out of the floor, the same simulation goes on
    simulation.state.position[2] = 0.2;
    expect(simulation.step().status).toBe('converged');
  });
});

describe('numbers that are not finite', () => {
  test('a NaN control is named and the state is kept', () => {
    const simulation = createMixed();
    simulation.step();
    simulation.state.control[1] = Number.NaN;
    const before = simulation.snapshot();
    const report = simulation.step(10);
    expect(report.status).toBe('diverged');
    expect(report.nonFinite).toEqual({ quantity: 'control', index: 1, name: 'servo' });
    expect([...simulation.state.all]).toEqual([...before]);
    simulation.state.control[1] = 0;
    expect(simulation.step()).toMatchObject({ status: 'converged', nonFinite: undefined });
  });

  test('an overflowing velocity is named by its joint and the last finite state is kept', () => {
    const simulation = createMixed();
    const index = simulation.model.joint.dofStart[simulation.model.joint.name.indexOf('wrist')];
    simulation.state.velocity[index] = 1e200;
    const report = simulation.step(5);
    expect(report.status).toBe('diverged');
    expect(report.nonFinite?.quantity).toBe('acceleration');
    expect(simulation.state.all.every(Number.isFinite)).toBe(true);
  });

  test('resetting clears the verdict', () => {
    const simulation = createMixed();
    simulation.state.velocity[0] = Number.POSITIVE_INFINITY;
    expect(simulation.step().status).toBe('diverged');
    simulation.reset();
    expect(simulation.step().status).toBe('converged');
  });
});

describe('keyframes', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [{ joints: [{ kind: 'hinge' }], shapes: [{ kind: 'sphere', radius: 0.1, position: [0.3, 0, 0] }] }],
    keyframes: [{ name: 'up', position: [1], velocity: [2], time: 3 }, { position: [4] }],
  };

  test('the first is the start; others by name or number; null is the initial pose', () => {
    const simulation = new Simulation(compileModel(scene));
    expect([simulation.time, simulation.state.position[0], simulation.state.velocity[0]]).toEqual([3, 1, 2]);
    simulation.reset(1);
    expect(simulation.state.position[0]).toBe(4);
    simulation.reset('up');
    expect(simulation.state.position[0]).toBe(1);
    simulation.reset(null);
    expect(simulation.state.position[0]).toBe(0);
  });

  test('an unknown keyframe lists the known ones', () => {
    const simulation = new Simulation(compileModel(scene));
    expect(() => simulation.reset('down')).toThrow(/no keyframe "down".*up/);
  });
});

describe('what is not resolved', () => {
  test('is said in words, and nothing is said where all is resolved', () => {
    const scene = mixedScene();
    scene.bodies![1].joints![0] = { kind: 'hinge', name: 'swing', limit: { range: [-1, 1] }, frictionLoss: 0.1 };
    scene.equalities = [{ kind: 'connect', body1: 'hand' }];
    expect(new Simulation(compileModel(scene)).unresolved).toEqual([]);
    expect(new Simulation(compileModel(scene, { formulation: 'ccp' })).unresolved).toEqual([]);
    expect(new Simulation(compileModel(scene, { formulation: 'ipc' })).unresolved).toEqual([]);
  });
});

describe('cost', () => {
  test("phases are timed by the caller's clock", () => {
    let now = 0;
    const simulation = new Simulation(compileModel(mixedScene()), { clock: () => now++ });
    simulation.step(2);
    expect(Object.values(simulation.phaseTimes()).every((time) => time > 0)).toBe(true);
  });
});

test('ipc in joint coordinates is refused with the way out', () => {
  const model = compileModel(mixedScene(), { coordinates: 'joint', formulation: 'ipc' });
  expect(() => new Simulation(model)).toThrow(/ipc needs body coordinates.*coordinates: 'body'/);
});
