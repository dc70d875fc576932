import { describe, expect, test } from 'vitest';
import '../formulation/ccp/provide.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { Vec3 } from '../scene/pose.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

/** A light root that floats, a heavy link on a ball joint and a light one on a hinge, off each other's lines. */
function createTree(): Body {
  const part = (mass: number, moment: number) => ({
    kind: 'principal' as const,
    mass,
    moments: [moment, 1.2 * moment, 0.9 * moment] as Vec3,
  });
  return {
    joints: [{ kind: 'free' }],
    inertia: part(0.01, 6e-6),
    bodies: [
      {
        position: [0.12, 0.01, 0],
        orientation: [0.9, 0.3, 0.15, 0.3],
        joints: [{ kind: 'ball', anchor: [-0.06, 0, 0] }],
        inertia: part(3.7, 3e-3),
        bodies: [
          {
            position: [0.12, 0.01, 0],
            joints: [{ kind: 'hinge', name: 'hinge', axis: [0.74, -0.65, -0.17], anchor: [-0.06, 0, 0] }],
            inertia: part(0.06, 2e-5),
          },
        ],
      },
    ],
  };
}

function createScene(gravity: Vec3, actuators: Scene['actuators'] = []): Scene {
  const options = { gravity, timestep: 1 / 60, integrator: 'semiImplicit' as const };
  return { format: 'nexdyn-scene', version: 1, options, bodies: [createTree()], actuators };
}

function throwAll({ state: { velocity } }: Simulation, speed: number): void {
  for (let i = 0; i < velocity.length; i++) velocity[i] = speed * Math.sin(2.3 * i + 1);
}

describe('a tree that floats', () => {
  // both are dissipated by an implicit servo: kinetic energy and that of its spring, which is relaxed at first
  test.each(['mujoco', 'sap', 'ccp'] as const)('gains no energy from a servo that holds a link (%s)', (formulation) => {
    const transmission = { kind: 'joint' as const, joint: 'hinge' };
    const servo = { kind: 'position' as const, name: 'servo', transmission, stiffness: 1600, damping: 160 };
    for (const speed of [20, 60]) {
      const scene = createScene([0, 0, 0], [servo]);
      const simulation = new Simulation(compileModel(scene, { formulation, coordinates: 'joint' }));
      throwAll(simulation, speed);
      const start = simulation.energy().kinetic;
      for (let n = 0; n < 40; n++) {
        expect(simulation.step().status).toBe('converged');
        expect(simulation.energy().kinetic).toBeLessThan(start * (1 + 1e-9));
      }
    }
  });

  // links turn by more than half a radian in a step; tolerance: round-off of energies, whose roots the step takes, grows tenfold in three steps
  test('falls as it flies without weight', () => {
    const [flying, falling] = [0, -9.81].map((g) => new Simulation(compileModel(createScene([0, 0, g]))));
    for (const simulation of [flying, falling]) throwAll(simulation, 40);
    for (let n = 1; n <= 10; n++) {
      flying.step();
      falling.step();
      // velocities first: n (n + 1)/2 times g h²
      const fall = (0.5 * n * (n + 1) * 9.81) / 3600;
      for (const [i, x] of falling.state.position.entries())
        expect(x + (i === 2 ? fall : 0)).toBeCloseTo(flying.state.position[i], 6);
    }
  });
});

/** Six light links and a heavy ball at their end, released from the side. */
function createWreckingBall(n = 0): Body {
  const position: Vec3 = n === 0 ? [0, 0, 2.6] : [0, 0, -0.2];
  const joints: Body['joints'] = [{ kind: 'hinge', name: `hinge ${n}`, axis: [0, 1, 0] }];
  if (n === 6)
    return { position, joints, shapes: [{ kind: 'sphere', radius: 0.2, position: [0, 0, -0.25], mass: 100 }] };
  const link = { kind: 'capsule' as const, radius: 0.01, halfLength: 0.09, position: [0, 0, -0.1] as Vec3, mass: 0.2 };
  return { position, joints, shapes: [link], bodies: [createWreckingBall(n + 1)] };
}

// the link at the ball turns about the ball, which hardly moves, and takes the light links above it along: h² λ/D is 50, not 0.1
test.each(['mujoco', 'sap'] as const)('light links do not vibrate under a heavy ball (%s)', (formulation) => {
  const options = { timestep: 1 / 60 };
  const scene: Scene = { format: 'nexdyn-scene', version: 1, options, bodies: [createWreckingBall()] };
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.setJointPosition('hinge 0', 1.2);
  const start = simulation.energy().total;
  let most = 0;
  for (let n = 0; n < 75; n++) {
    expect(simulation.step().status).toBe('converged');
    const { total, kinetic } = simulation.energy();
    most = Math.max(most, kinetic);
    expect(total - start).toBeLessThan(0.01 * most);
    for (let k = 1; k < 6; k++) expect(Math.abs(simulation.jointPosition(`hinge ${k}`))).toBeLessThan(0.05);
  }
  expect(most).toBeGreaterThan(800);
});
