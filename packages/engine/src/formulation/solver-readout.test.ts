/** Gradient, v − v* and impulse of the last solve against momentum, masses and contact forces measured from outside. */
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../../../scripts/long-run.ts';
import '../compliance.ts';
import './ccp/provide.ts';
import './ipc/provide.ts';
import { compileModel } from '../model/compile.ts';
import type { FormulationId, SceneOptions } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

const H = 0.005;
const G = 9.81;
const MASS = 8;
const FORMULATIONS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
/** Solved to round-off, so that the balance holds to 1e-6 of the impulses. */
const TIGHT: SceneOptions = {
  timestep: H,
  mujoco: { tolerance: 1e-14, iterations: 200 },
  sap: { relativeTolerance: 1e-10, iterations: 200 },
  ccp: { tolerance: 1e-10, iterations: 20_000 },
  ipc: { tolerance: 1e-8, iterations: 300 },
};

/** A box of 8 kg that comes down sliding, on one edge. */
function createLanding(): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: TIGHT,
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      {
        name: 'box',
        position: [0, 0, 0.13],
        orientation: [Math.cos(0.1), Math.sin(0.1), 0, 0],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.5, density: 1000 }],
      },
    ],
  };
}

function createSoftLanding(): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: TIGHT,
    shapes: [{ kind: 'plane', friction: 0.5 }],
    softBodies: [
      {
        name: 'block',
        position: [0, 0, 0.11],
        velocity: [0.3, 0, -1],
        mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 },
      },
    ],
  };
}

const sumEveryThird = (numbers: Float64Array, first: number): number =>
  numbers.reduce((sum, value, i) => (i % 3 === first ? sum + value : sum), 0);

describe.each(FORMULATIONS)('a box lands, %s', (formulation) => {
  const simulation = new Simulation(compileModel(createLanding(), { formulation }));
  simulation.state.velocity.set([0.5, 0, -1, 0, 0, 0]);

  test('v − v*, impulse and gradient are those of the motion', () => {
    let largest = 0;
    for (let n = 0; n < 60; n++) {
      const before = simulation.state.velocity.slice();
      simulation.step();
      const { gradient, velocityChange, impulse } = simulation.solverReadout();
      const after = simulation.state.velocity;
      const weight = [0, 0, -G * H];
      // what the tolerances leave, N s, against m g h = 0.39 and an impact of 8
      const left = 1e-5;
      for (let k = 0; k < 3; k++) {
        const change = after[k] - before[k] - weight[k];
        expect(Math.abs(velocityChange[k] - change)).toBeLessThan(1e-9);
        expect(Math.abs(impulse[k] - MASS * change)).toBeLessThan(left);
        expect(Math.abs(MASS * change - impulse[k] - gradient[k])).toBeLessThan(1e-8);
      }
      for (const value of gradient) expect(Math.abs(value)).toBeLessThan(left);
      // the box turns about x: I ω of its change, by the angular impulse about its centre
      const inertia = (MASS * 0.2 ** 2) / 6;
      expect(Math.abs(inertia * velocityChange[3] - impulse[3])).toBeLessThan(left);
      largest = Math.max(largest, impulse[2]);
    }
    // it has landed: the impact takes at least its fall
    expect(largest).toBeGreaterThan(1);
  });

  test('the impulse is that of the contact forces', () => {
    const { impulse } = simulation.solverReadout();
    const push = simulation.contactForces().reduce((sum, { force }) => sum + Math.abs(force[2]), 0);
    expect(push).toBeGreaterThan(0);
    // barrier forces of ipc are those at the accepted poses, too
    expect(H * push).toBeCloseTo(impulse[2], 4);
  });

  test('reading changes nothing', () => {
    const [read, plain] = [0, 1].map(() => new Simulation(compileModel(createLanding(), { formulation })));
    for (let n = 0; n < 40; n++) {
      read?.step();
      read?.solverReadout();
      plain?.step();
    }
    expect(read?.hash()).toBe(plain?.hash());
  });

  test('in free flight there is nothing to read', () => {
    const flying = new Simulation(compileModel(createLanding(), { formulation }));
    flying.state.velocity.set([0, 0, 3, 0, 0, 0]);
    flying.step(3);
    const { gradient, velocityChange, impulse } = flying.solverReadout();
    for (const values of [gradient, velocityChange, impulse])
      for (const value of values) expect(Math.abs(value)).toBeLessThan(1e-9);
  });
});

describe.each(takeCases<FormulationId>(['mujoco', 'sap', 'ccp', 'ipc'], 2, 1))(
  'a soft block lands, %s',
  (formulation) => {
    test('impulses on its vertices add up to the change of momentum', () => {
      const simulation = new Simulation(compileModel(createSoftLanding(), { formulation }));
      let largest = 0;
      // it lands in the second
      for (let n = 0; n < takeSamples(40, 0.2); n++) {
        const before = simulation.momentum().linear.slice();
        simulation.step();
        const after = simulation.momentum().linear;
        const { softImpulse, softGradient } = simulation.solverReadout();
        for (let k = 0; k < 3; k++) {
          const change = after[k] - before[k] + (k === 2 ? 4 * G * H : 0);
          expect(Math.abs(sumEveryThird(softImpulse, k) - change)).toBeLessThan(1e-5);
        }
        for (const value of softGradient) expect(Math.abs(value)).toBeLessThan(1e-5);
        largest = Math.max(largest, sumEveryThird(softImpulse, 2));
      }
      expect(largest).toBeGreaterThan(0.1);
    });
  },
);
