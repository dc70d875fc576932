import { describe, expect, test } from 'vitest';
import './formulation/ccp/provide.ts';
import './formulation/ipc/provide.ts';
import { compileModel } from './model/compile.ts';
import type { SceneOptions } from './scene/options.ts';
import type { Scene } from './scene/scene.ts';
import { Simulation } from './simulation.ts';

function createPendulum(options: SceneOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1 / 60, ...options },
    bodies: [
      {
        position: [0, 0, 1],
        joints: [{ kind: 'hinge', name: 'pivot', axis: [0, 1, 0] }],
        shapes: [{ kind: 'capsule', radius: 0.03, halfLength: 0.2, position: [0.3, 0, 0], mass: 1 }],
      },
    ],
  };
}

function createBall(options: SceneOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1 / 60, ...options },
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        name: 'ball',
        position: [0, 0, 0.5],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
      },
    ],
  };
}

const FORMULATIONS = ['mujoco', 'sap', 'ccp', 'ipc'] as const;

describe('error-controlled steps', () => {
  test.each(FORMULATIONS)('meet the accuracy, end at the outputs and come nearer to the truth (%s)', (formulation) => {
    // the exact swing, by Runge-Kutta of order four in small steps
    const truth = new Simulation(compileModel(createPendulum({ integrator: 'rkmk4', timestep: 1e-3 })));
    truth.step(200);
    const exact = truth.jointPosition('pivot');
    const errors = [1e-3, 1e-4].map((accuracy) => {
      // `midpoint`, the default under sap, needs no shorter steps for the second than for the first
      const integrator = formulation === 'ipc' ? 'bdf2' : 'semiImplicit';
      const simulation = new Simulation(compileModel(createPendulum({ accuracy, integrator }), { formulation }));
      for (let n = 1; n <= 12; n++) {
        const { steps } = simulation.step();
        expect(steps?.isMet).toBe(true);
        expect(steps?.error).toBeLessThanOrEqual(accuracy);
        expect(steps?.lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(1 / 60, 12);
        expect(simulation.time).toBeCloseTo(n / 60, 12);
      }
      return Math.abs(simulation.jointPosition('pivot') - exact);
    });
    // a method of order one: the error falls with the square root of that of a step, by 3.2
    expect(errors[1]).toBeLessThan(0.5 * errors[0]!);
  });

  // under sap and ccp, which meet a floor at its height, halves of a step land where it does
  test('are long in flight and short at the impact of a soft floor', () => {
    const simulation = new Simulation(compileModel(createBall({ accuracy: 1e-3 })));
    const shortest: number[] = [];
    for (let n = 0; n < 24; n++) shortest.push(Math.min(...simulation.step().steps!.lengths));
    // 0.4 m are fallen after 0.286 s, in the 18th interval; g h²/8 of a step of 1/60 s is 3.4e-4 m
    expect(Math.min(...shortest.slice(1, 15))).toBe(1 / 60);
    expect(Math.min(...shortest.slice(16, 20))).toBeLessThan(1 / 200);
  });

  // a least time constant of twice the output interval, 33 ms, would leave it 19 mm deeper, whatever the accuracy
  test('mujoco: follow the contact law of the scene, whatever the output interval', () => {
    const simulation = new Simulation(compileModel(createBall({ accuracy: 1e-4 }), { formulation: 'mujoco' }));
    let sum = 0;
    for (let n = 0; n < 21; n++) for (const error of simulation.step().steps!.errors) sum += error;
    const small = new Simulation(compileModel(createBall({ timestep: 1 / 24000 }), { formulation: 'mujoco' }));
    small.step(8400);
    expect(small.time).toBeCloseTo(simulation.time, 9);
    // errors of steps add up, and steps of a constant length are off by g h t/2
    expect(sum).toBeLessThan(0.01);
    const off = Math.abs(simulation.state.position[2] - small.state.position[2]);
    expect(off).toBeLessThan(sum + (9.81 * 0.35) / 48000);
  });

  test.each(FORMULATIONS)('repeat bit by bit from a snapshot (%s)', (formulation) => {
    const simulation = new Simulation(compileModel(createBall({ accuracy: 1e-3 }), { formulation }));
    simulation.step(16);
    const snapshot = simulation.snapshot();
    simulation.step(4);
    const hash = simulation.hash();
    simulation.restore(snapshot);
    simulation.step(4);
    expect(simulation.hash()).toBe(hash);
    const twin = new Simulation(compileModel(createBall({ accuracy: 1e-3 }), { formulation }));
    twin.step(20);
    expect(twin.hash()).toBe(hash);
  });

  // steps of order one fall by g h²/2 less in each, T √(a e) = 2.5 mm in all
  test.each(['sap', 'ccp'] as const)('%s: follow free fall and impact to a tenth of a millimetre', (formulation) => {
    const simulation = new Simulation(compileModel(createBall({ accuracy: 1e-4 }), { formulation }));
    simulation.step(16);
    expect(Math.abs(simulation.state.position[2]! - (0.5 - 4.905 * (16 / 60) ** 2))).toBeLessThan(1e-4);
    simulation.step(8);
    expect(Math.abs(simulation.state.position[2]! - 0.1)).toBeLessThan(1e-4);
  });

  test('tell where the shortest step is too long, and go on', () => {
    const simulation = new Simulation(compileModel(createBall({ accuracy: 1e-300, timestep: 1e-3 })));
    const { steps, status } = simulation.step();
    expect(status).toBe('converged');
    expect(steps?.isMet).toBe(false);
    expect(steps?.error).toBeGreaterThan(1e-300);
    expect(simulation.time).toBeCloseTo(1e-3, 15);
  }, 20_000);

  test('forces are those of the last of them', () => {
    const simulation = new Simulation(compileModel(createBall({ accuracy: 1e-3, formulation: 'sap' })));
    simulation.step(60);
    const force = simulation.contactForces().reduce((sum, contact) => sum + Math.abs(contact.force[2]), 0);
    expect(force).toBeCloseTo(9.81, 1);
  });
});
