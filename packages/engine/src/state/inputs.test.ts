import { describe, expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { gravity: [0, 0, 0], timestep: 0.001 },
  bodies: [
    {
      name: 'box',
      joints: [{ kind: 'free' }],
      inertia: { kind: 'principal', mass: 2, center: [0.1, 0, 0], moments: [0.3, 0.4, 0.5] },
    },
    { name: 'target', mocap: true, position: [1, 2, 3], bodies: [{ name: 'flag', position: [0, 0, 1] }] },
    {
      name: 'wheel',
      joints: [{ kind: 'hinge', name: 'axle', axis: [0, 0, 1] }],
      inertia: { kind: 'principal', mass: 1, moments: [1, 1, 0.2] },
    },
  ],
  actuators: [{ kind: 'motor', name: 'drive', transmission: { kind: 'joint', joint: 'axle' } }],
};

describe('inputs', () => {
  test('a force at the centre of mass moves it by F/m and turns nothing', () => {
    const simulation = new Simulation(compileModel(scene));
    simulation.applyForce('box', { force: [4, 0, -2] });
    simulation.step(100);
    const { linear, angular } = simulation.momentum();
    expect(linear[0]).toBeCloseTo(4 * 0.1, 12);
    expect(linear[2]).toBeCloseTo(-2 * 0.1, 12);
    expect(Math.hypot(...simulation.state.velocity.slice(3, 6))).toBeLessThan(1e-12);
    expect(angular[1]).toBeCloseTo(0.1 * 0.2, 3);
  });

  test('a force off the centre gives its moment, a torque its own', () => {
    const simulation = new Simulation(compileModel(scene));
    simulation.applyForce('box', { force: [0, 3, 0], torque: [0, 0, 1], point: [0.6, 0, 0] });
    simulation.step();
    // (0.6 − 0.1) · 3 + 1 about z, moment 0.5
    expect(simulation.state.velocity[5]).toBeCloseTo((2.5 / 0.5) * 0.001, 12);
    simulation.clearForces();
    const before = simulation.state.velocity[5];
    simulation.step();
    expect(simulation.state.velocity[5]).toBeCloseTo(before, 8);
  });

  test('joint forces and controls', () => {
    const simulation = new Simulation(compileModel(scene));
    simulation.setControl('drive', 0.4);
    simulation.state.appliedForce[6] = 0.6;
    simulation.step();
    expect(simulation.state.velocity[6]).toBeCloseTo((1 / 0.2) * 0.001, 14);
  });

  test('a mocap body goes where it is put and carries what is on it', () => {
    const simulation = new Simulation(compileModel(scene));
    const flag = simulation.model.body.name.indexOf('flag');
    expect([...simulation.bodyPosition.subarray(3 * flag, 3 * flag + 3)]).toEqual([1, 2, 4]);
    simulation.setMocapPose('target', [5, 0, 0], [Math.SQRT1_2, Math.SQRT1_2, 0, 0]);
    simulation.step();
    const at = [...simulation.bodyPosition.subarray(3 * flag, 3 * flag + 3)];
    for (const [k, value] of [5, -1, 0].entries()) expect(at[k]).toBeCloseTo(value, 12);
  });

  test('names that do not exist are refused with those that do', () => {
    const simulation = new Simulation(compileModel(scene));
    expect(() => simulation.setControl('motor', 1)).toThrow(/no actuator "motor".*drive/);
    expect(() => simulation.applyForce('bx', {})).toThrow(/no body "bx".*box/);
    expect(() => simulation.applyForce(99, {})).toThrow(/no body 99/);
    expect(() => simulation.setMocapPose('box', [0, 0, 0])).toThrow(/not a mocap body/);
  });
});
