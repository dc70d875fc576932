import { describe, expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Actuator } from '../scene/actuator.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

/** A 2 kg block on a frictionless slide. */
function slider(actuator: Omit<Actuator, 'transmission'>, joint: object = {}): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { gravity: [0, 0, 0], timestep: 0.001 },
    bodies: [
      {
        joints: [{ kind: 'slide', name: 'x', axis: [1, 0, 0], ...joint }],
        inertia: { kind: 'principal', mass: 2, moments: [1, 1, 1] },
      },
    ],
    actuators: [{ ...actuator, transmission: { kind: 'joint', joint: 'x' } } as Actuator],
  };
}

describe('actuators on a 2 kg block', () => {
  test('a motor gives control / mass, clamped by control and force range', () => {
    const simulation = new Simulation(
      compileModel(slider({ kind: 'motor', controlRange: [-1, 1], forceRange: [-0.5, 0.5] })),
    );
    simulation.state.control[0] = 10;
    simulation.step();
    expect(simulation.state.velocity[0]).toBeCloseTo((0.5 / 2) * 0.001, 15);
  });

  test('the joint clamps the sum of its actuators', () => {
    const simulation = new Simulation(compileModel(slider({ kind: 'motor' }, { actuatorForceRange: [-0.4, 0.4] })));
    simulation.state.control[0] = -3;
    simulation.forward();
    expect(simulation.derived.actuatorJointForce[0]).toBe(-0.4);
  });

  test('a critically damped position servo follows x = 1 − (1 + ωt) e^(−ωt)', () => {
    const stiffness = 50;
    const omega = Math.sqrt(stiffness / 2);
    const scene = slider({ kind: 'position', stiffness, damping: 2 * 2 * omega } as Omit<Actuator, 'transmission'>);
    scene.options = { ...scene.options, integrator: 'rk4' };
    const simulation = new Simulation(compileModel(scene));
    simulation.state.control[0] = 1;
    simulation.step(500);
    const expected = 1 - (1 + omega * 0.5) * Math.exp(-omega * 0.5);
    // Runge-Kutta of order 4 at h ω = 0.005: error below 1e-10
    expect(Math.abs(simulation.state.position[0] - expected)).toBeLessThan(1e-10);
  });

  test('filterExact is exponential for any step, filter to first order', () => {
    for (const timestep of [0.001, 0.01, 0.1]) {
      const scene = slider({ kind: 'general', activation: { kind: 'filterExact', timeConstant: 0.2 } } as Omit<
        Actuator,
        'transmission'
      >);
      scene.options = { ...scene.options, timestep };
      const simulation = new Simulation(compileModel(scene));
      simulation.state.control[0] = 1;
      simulation.step(Math.round(0.5 / timestep));
      expect(simulation.state.activation[0]).toBeCloseTo(1 - Math.exp(-0.5 / 0.2), 12);
    }
  });

  test('an integrator sums the control and stops at its range', () => {
    const scene = slider({ kind: 'general', activation: { kind: 'integrator', range: [0, 0.3] } } as Omit<
      Actuator,
      'transmission'
    >);
    const simulation = new Simulation(compileModel(scene));
    simulation.state.control[0] = 1;
    simulation.step(200);
    expect(simulation.state.activation[0]).toBeCloseTo(0.2, 12);
    simulation.step(200);
    expect(simulation.state.activation[0]).toBe(0.3);
  });
});

test('a servo on a ball joint takes the shorter way round: 2.5 rad to −2.5 rad goes over π', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [{ joints: [{ kind: 'ball', name: 'b' }], shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3] }] }],
    actuators: [{ kind: 'position', stiffness: 2, transmission: { kind: 'joint', joint: 'b', gear: [0, 0, 1] } }],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.state.position.set([Math.cos(1.25), 0, 0, Math.sin(1.25)]);
  simulation.state.control[0] = -2.5;
  simulation.forward();
  expect(simulation.derived.actuatorForce[0]).toBeCloseTo(2 * (2 * Math.PI - 5), 12);
});
