import { expect, test } from 'vitest';
import { compileModel } from './model/compile.ts';
import type { BuiltInFormulationId, SceneOptions } from './scene/options.ts';
import { Simulation } from './simulation.ts';

function compile(formulation: BuiltInFormulationId, options: SceneOptions = {}) {
  const box = (name: string, z: number) => ({
    name,
    position: [0.03 * z, 0, z] as [number, number, number],
    joints: [{ kind: 'free' as const }],
    shapes: [{ kind: 'box' as const, halfSize: [0.1, 0.1, 0.1] as [number, number, number] }],
  });
  return compileModel({
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation, timestep: 0.005, ...options },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [box('low', 0.1005), box('high', 0.302)],
  });
}

/** A clock that goes on by one second whenever somebody looks. */
function createFastClock(): () => number {
  let time = 0;
  return () => {
    time += 1000;
    return time;
  };
}

test.each<BuiltInFormulationId>(['mujoco', 'sap', 'ccp', 'ipc'])(
  '%s: a step whose time is up is given up',
  (formulation) => {
    const model = compile(formulation);
    const simulation = new Simulation(model);
    const twin = new Simulation(model, { clock: createFastClock(), maxStepTime: 0.5 });
    // steps that need no look at the clock are taken
    let taken = 0;
    while (taken < 60 && twin.step().status !== 'timed-out') taken++;
    for (let n = 0; n < taken; n++) simulation.step();
    expect(taken).toBeLessThan(60);
    expect(twin.report.timeout).toMatchObject({ activity: expect.stringMatching(/\w/), elapsed: expect.any(Number) });
    expect(twin.report.timeout!.elapsed).toBeGreaterThan(0.5);
    expect(twin.hash()).toBe(simulation.hash());
    expect(twin.step().status).toBe('timed-out');

    // with time it goes on as if nothing had been
    const later = new Simulation(model);
    later.restore(twin.snapshot());
    expect(later.step(3).status).toBe('converged');
    simulation.step(3);
    expect(later.hash()).toBe(simulation.hash());
  },
);

test('a step that was given up leaves nothing behind: the same simulation goes on', () => {
  let isFast = false;
  let time = 0;
  const model = compile('ipc', { maxStepTime: 10 });
  const simulation = new Simulation(model, {
    clock: () => {
      time += isFast ? 4000 : 0;
      return time;
    },
  });
  const twin = new Simulation(model);
  for (let n = 0; n < 10; n++) {
    isFast = true;
    expect(simulation.step().status).toBe('timed-out');
    isFast = false;
    expect(simulation.step().status).toBe('converged');
    expect(simulation.report.timeout).toBeUndefined();
    twin.step();
  }
  expect(simulation.hash()).toBe(twin.hash());
});

test('steps under error control share the time of their interval', () => {
  let time = 0;
  const clock = (): number => {
    time += 10;
    return time;
  };
  const model = compile('ipc', { timestep: 1 / 60, accuracy: 1e-7 });
  const before = new Simulation(model).hash();
  const simulation = new Simulation(model, { clock, maxStepTime: 0.5 });
  expect(simulation.step().status).toBe('timed-out');
  expect(simulation.report.timeout!.elapsed).toBeLessThan(0.7);
  expect(simulation.hash()).toBe(before);
});

test('without a clock nothing depends on time', () => {
  const simulation = new Simulation(compile('ipc', { maxStepTime: 1e-9 }));
  expect(simulation.step(5).status).toBe('converged');
});

test('ipc: a tolerance below round-off counts as round-off', () => {
  for (const tolerance of [1e-300, 1e-14]) {
    const simulation = new Simulation(compile('ipc', { ipc: { tolerance } }));
    for (let n = 0; n < 10; n++) {
      const { status, iterations } = simulation.step();
      expect(['converged', 'stalled']).toContain(status);
      expect(iterations).toBeLessThan(100);
    }
  }
});

test('ipc: masses whose squares overflow end the step, and do not hold it up', () => {
  const simulation = new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'ipc' },
      bodies: [
        {
          name: 'heavy',
          joints: [{ kind: 'free' }],
          inertia: { kind: 'principal', mass: 1e308, moments: [1000, 1, 1] },
          shapes: [{ kind: 'capsule', radius: 0.1, halfLength: 0.5, mass: 0 }],
        },
      ],
      massRules: { balanceInertia: true },
    }),
  );
  expect(simulation.step().status).not.toBe('converged');
});
