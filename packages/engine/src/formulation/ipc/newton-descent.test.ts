/** Steps of Newton's method are taken whatever the size of what they move. */
import { expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import { Simulation } from '../../simulation.ts';
import './provide.ts';

test('shafts without shapes turn by their gear: T/(J₁ + J₂ r²)', () => {
  const shaft = (name: string, moment: number, x: number): Body => ({
    name,
    position: [x, 0, 0],
    joints: [{ kind: 'hinge', name, axis: [0, 1, 0] }],
    inertia: { kind: 'principal', mass: 1, moments: [moment, moment, moment] },
  });
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 0.01 },
        bodies: [shaft('a', 10, 0), shaft('b', 100, 1)],
        equalities: [{ kind: 'joint', joint1: 'b', joint2: 'a', coefficients: [0, -0.1, 0, 0, 0] }],
        actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'a' } }],
      },
      { formulation: 'ipc' },
    ),
  );
  simulation.setControl('motor', 6);
  // from 0.5 s on the gear is engaged; velocities about y are the fifth of each body
  simulation.step(50);
  const before = simulation.state.velocity[4]!;
  simulation.step(50);
  expect((simulation.state.velocity[4]! - before) / 0.5 / (6 / 11)).toBeCloseTo(1, 2);
  expect(simulation.state.velocity[10]! / simulation.state.velocity[4]!).toBeCloseTo(-0.1, 4);
});

// by itself the torque would turn the link by 8 whole turns in the first step; the arm on it lets it turn by a degree
test('a motor on a light link moves what hangs on it: θ = T t²/(2 J)', () => {
  const arm: Body = {
    name: 'arm',
    joints: [{ kind: 'hinge', axis: [1, 0, 0] }],
    inertia: { kind: 'principal', mass: 1, moments: [0.01, 0.01, 0.01] },
  };
  const link: Body = {
    name: 'link',
    joints: [{ kind: 'hinge', name: 'motor', axis: [0, 1, 0] }],
    inertia: { kind: 'principal', mass: 0.01, moments: [1e-6, 1e-6, 1e-6] },
    bodies: [arm],
  };
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 1 / 60, gravity: [0, 0, 0] },
        bodies: [link],
        actuators: [{ kind: 'motor', name: 'motor', transmission: { kind: 'joint', joint: 'motor' } }],
      },
      { formulation: 'ipc' },
    ),
  );
  simulation.setControl('motor', 0.2);
  for (let n = 0; n < 6; n++) {
    expect(simulation.step().status).toBe('converged');
    const t = (n + 1) / 60;
    // T t/J of body coordinates; half a step more or less is what a first step of order one leaves
    expect(simulation.velocity('arm').angular[1]).toBeGreaterThan(20 * (t - 1 / 60));
    expect(simulation.velocity('link').angular[1]).toBeLessThan(20 * t * (1 + 1e-2));
  }
});

test('a tower at rest takes no step that rounding hides: it stays where it is, bit for bit', () => {
  const box = (z: number, turn: number): Body => ({
    position: [0.3, -0.2, z],
    orientation: [Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
  });
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 0.002 },
        shapes: [{ kind: 'plane' }],
        bodies: [box(0.101, 0), box(0.302, 0.3)],
      },
      { formulation: 'ipc' },
    ),
  );
  simulation.step(200);
  const before = simulation.state.position.slice();
  for (let n = 0; n < 3; n++) {
    const { status, trace } = simulation.step();
    expect(status).toBe('converged');
    expect([...trace.step.subarray(0, trace.count)]).toEqual([0]);
  }
  expect(simulation.state.position).toEqual(before);
  expect(Math.max(...simulation.state.velocity.map(Math.abs))).toBeLessThan(1e-13);
});

test('a weak force adds up over steps that are as short as rounding: v = a t', () => {
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 1e-4, gravity: [1e-6, 0, -9.81] },
        shapes: [{ kind: 'plane', friction: 0 }],
        bodies: [
          {
            position: [1, 0, 0.101],
            joints: [{ kind: 'free' }],
            shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0 }],
          },
        ],
      },
      { formulation: 'ipc' },
    ),
  );
  simulation.step(40);
  expect(simulation.state.velocity[0]! / (1e-6 * 40 * 1e-4)).toBeCloseTo(1, 3);
});
