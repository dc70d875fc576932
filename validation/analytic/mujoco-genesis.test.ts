/** What the variant of Genesis changes in contacts: four edges with one coefficient, whatever the shapes ask for. */
import { compileModel, type MujocoOptions, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

function ball(mujoco: MujocoOptions, condim: 1 | 3 | 6, friction: number): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { mujoco },
    shapes: [{ kind: 'plane', friction, rollFriction: 0.2, spinFriction: 0.3, mujoco: { condim } }],
    bodies: [
      {
        position: [0, 0, 0.0999],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: 0.1, friction, rollFriction: 0.2, spinFriction: 0.3, mujoco: { condim } }],
      },
    ],
  };
}

function solve(scene: Scene): Simulation {
  const simulation = new Simulation(compileModel(scene));
  simulation.state.velocity.set([0.5, 0.2, 0, 1, 2, 3]);
  simulation.forward();
  return simulation;
}

describe('contacts of genesis', () => {
  test('a contact with rolling friction is one with four edges', () => {
    const six = solve(ball({ variant: 'genesis' }, 6, 0.5));
    const three = solve(ball({ cone: 'pyramidal' }, 3, 0.5));
    expect(six.formulation.problem?.rowCount).toBe(3);
    expect([...six.derived.constraintForce]).toEqual([...three.derived.constraintForce]);
    expect(six.unresolved).toEqual(['spin and rolling friction (genesis has none)']);
  });

  test('the impedance ratio and the elliptic cone are left out, and said so', () => {
    const variant = solve(ball({ variant: 'genesis', cone: 'elliptic', impedanceRatio: 10 }, 3, 0.5));
    const plain = solve(ball({ cone: 'pyramidal' }, 3, 0.5));
    expect([...variant.derived.constraintForce]).toEqual([...plain.derived.constraintForce]);
    expect(variant.unresolved).toHaveLength(2);
  });

  test('friction is at least a hundredth, also where a contact is to have none', () => {
    const { formulation, unresolved } = solve(ball({ variant: 'genesis' }, 1, 0));
    expect(formulation.problem?.rowCount).toBe(3);
    expect(formulation.problem?.friction[1]).toBe(0.01);
    expect(unresolved).toEqual(['frictionless contacts (genesis has none)']);
  });

  test('its conjugate gradients find the minimum that newton finds', () => {
    const exact = { variant: 'genesis', tolerance: 0, iterations: 200 } as const;
    const expected = solve(ball({ ...exact, solver: 'newton' }, 3, 0.5)).derived.constraintForce;
    const actual = solve(ball({ ...exact, solver: 'cg' }, 3, 0.5)).derived.constraintForce;
    const scale = Math.max(...expected.map(Math.abs));
    for (let i = 0; i < 6; i++) expect(Math.abs(actual[i] - expected[i])).toBeLessThan(1e-12 * scale);
  });
});
