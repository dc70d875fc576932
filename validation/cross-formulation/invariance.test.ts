/** What must not matter does not: islands, the order in which things are written down, the storage of the matrix, the solver. */
import { compileModel, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

type Tight = 'mujoco' | 'sap';

/** Solved to round-off. */
function tight(formulation: Tight, more: SceneOptions = {}): SceneOptions {
  return {
    formulation,
    timestep: 0.004,
    ...more,
    mujoco: { tolerance: 1e-15, cone: 'elliptic', ...more.mujoco },
    sap: { relativeTolerance: 1e-14, absoluteTolerance: 1e-18, ...more.sap },
  };
}

/** Three heaps of boxes and balls that have just fallen together, and a pendulum with a limit. */
function heaps(options: SceneOptions, order?: readonly number[]): Scene {
  const bodies: NonNullable<Scene['bodies']> = [];
  for (let heap = 0; heap < 3; heap++) {
    for (let i = 0; i < 5; i++) {
      bodies.push({
        name: `${heap}.${i}`,
        position: [2 * heap + 0.03 * ((i * 7) % 3), 0.02 * ((i * 5) % 4), 0.099 + 0.195 * i],
        orientation: [Math.cos(0.04 * i), 0, 0, Math.sin(0.04 * i)],
        joints: [{ kind: 'free' }],
        shapes: [
          i === 3
            ? { kind: 'sphere', radius: 0.1, mass: 1 }
            : { kind: 'box', halfSize: [0.1 + 0.01 * i, 0.12, 0.1], mass: 1 + i },
        ],
      });
    }
  }
  bodies.push({
    name: 'pendulum',
    position: [-2, 0, 2],
    joints: [{ kind: 'hinge', axis: [0, 1, 0], limit: { range: [-0.1, 0.1] }, frictionLoss: 0.2 }],
    inertia: { kind: 'principal', mass: 1, center: [0.3, 0, 0], moments: [0.01, 0.02, 0.02] },
  });
  return {
    format: 'nexdyn-scene',
    version: 1,
    options,
    shapes: [{ kind: 'plane' }],
    bodies: order ? order.map((i) => bodies[i]!) : bodies,
  };
}

/** Velocity of every body after some steps, by name: linear at the frame's origin of its tree, angular. */
function velocities(scene: Scene, steps: number): Map<string, number[]> {
  const simulation = new Simulation(compileModel(scene));
  for (let n = 0; n < steps; n++) simulation.step();
  expect(simulation.solvedContacts.count).toBeGreaterThan(30);
  const { bodyTwist } = simulation.derived;
  const names = simulation.model.body.name;
  return new Map(names.map((name, b) => [name, [...bodyTwist.subarray(6 * b, 6 * b + 6)]]));
}

function difference(a: Map<string, number[]>, b: Map<string, number[]>): number {
  let worst = 0;
  for (const [name, values] of a) {
    values.forEach((value, k) => {
      worst = Math.max(worst, Math.abs(value - b.get(name)![k]!));
    });
  }
  return worst;
}

describe.each(['mujoco', 'sap'] as const)('%s', (formulation) => {
  const reference = velocities(heaps(tight(formulation)), 3);

  test('islands or one problem: 1e-12', () => {
    const whole = velocities(heaps(tight(formulation, { disable: ['island'] })), 3);
    expect(difference(reference, whole)).toBeLessThan(1e-12);
  });

  test('bodies and so contacts in another order: 1e-10', () => {
    const order = [12, 3, 15, 0, 9, 6, 1, 14, 5, 10, 2, 13, 8, 4, 11, 7];
    const shuffled = velocities(heaps(tight(formulation), order), 3);
    expect(difference(reference, shuffled)).toBeLessThan(1e-10);
  });

  test('dense or sparse: 1e-12', () => {
    for (const storage of ['dense', 'sparse'] as const) {
      const options = tight(formulation, {
        disable: ['island'],
        mujoco: { jacobian: storage },
        sap: { matrix: storage },
      });
      expect(difference(reference, velocities(heaps(options), 3)), storage).toBeLessThan(1e-12);
    }
  });
});

test('sap by conjugate gradients: 1e-10', () => {
  const options = tight('sap', { sap: { solver: 'pcg', relativeTolerance: 1e-12 } });
  expect(difference(velocities(heaps(tight('sap')), 3), velocities(heaps(options), 3))).toBeLessThan(1e-10);
});
