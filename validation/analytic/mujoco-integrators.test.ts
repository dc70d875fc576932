/**
 * Where only joint dampers depend on velocity, `euler` treats them as `implicitfast` does, and `implicit` too where there are
 * no centrifugal forces: positions after ten steps agree to rounding.
 */
import { compileModel, type Integrator, type Joint, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

function twoLinks(kind: 'hinge' | 'slide', integrator: Integrator): Scene {
  const joint = (axis: [number, number, number], damping: number): Joint => ({ kind, axis, damping });
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { integrator },
    bodies: [
      {
        position: [0, 0, 1],
        joints: [joint([0, 1, 0], 2)],
        shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.2, position: [0.2, 0, 0] }],
        bodies: [
          {
            position: [0.5, 0, 0],
            joints: [joint([0.6, 0.8, 0], 1)],
            shapes: [{ kind: 'capsule', radius: 0.04, halfLength: 0.2, position: [0, 0.1, 0.2] }],
          },
        ],
      },
    ],
  };
}

function run(kind: 'hinge' | 'slide', integrator: Integrator): Float64Array {
  const simulation = new Simulation(compileModel(twoLinks(kind, integrator)));
  simulation.state.velocity.set([1, -2]);
  simulation.step(10);
  return simulation.state.position;
}

test.each([
  { kind: 'hinge', other: 'implicitfast' },
  { kind: 'slide', other: 'implicitfast' },
  { kind: 'slide', other: 'implicit' },
] as const)('euler and $other agree on two links with $kind joints', ({ kind, other }) => {
  const expected = run(kind, 'euler');
  const actual = run(kind, other);
  for (let i = 0; i < 2; i++) {
    expect(Math.abs(expected[i])).toBeGreaterThan(1e-3);
    expect(Math.abs(actual[i] - expected[i])).toBeLessThan(1e-14);
  }
});
