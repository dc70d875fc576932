/** Servos with force limits, dry friction and limits of joints are solved for exactly: no iteration, closed forms to round-off. */
import { describe, expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';

const H = 0.002;

/** 1 kg on a slide from −1 m to 0 m with dry friction of 2 N and a servo of at most 10 N. */
function slider(position: number, velocity: number, control: number): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H, gravity: [0, 0, 0], formulation: 'ccp' },
    bodies: [
      {
        inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
        joints: [{ kind: 'slide', name: 'x', axis: [1, 0, 0], limit: { range: [-1, 0] }, frictionLoss: 2 }],
      },
    ],
    actuators: [
      {
        kind: 'position',
        stiffness: 4000,
        damping: 5,
        forceRange: [-10, 10],
        transmission: { kind: 'joint', joint: 'x' },
      },
    ],
    keyframes: [{ position: [position], velocity: [velocity], control: [control] }],
  };
}

describe.each(['joint', 'body'] as const)('%s coordinates', (coordinates) => {
  // h² k = 0.016: the servo's stiffness is that of the start
  test.each([
    ['the servo at its limit against friction', -0.5, 0, 1, H * (10 - 2)],
    ['the servo at its other limit', -0.5, 0.1, -1, 0.1 - H * (10 + 2)],
    ['the servo within its range, sliding', -0.5, 0.3, -0.5, (0.3 - H * 2) / (1 + H * 5)],
    ['friction holds', -0.5, 0, -0.5 + 0.0004, 0],
    ['friction stops what is slow', -0.5, 0.001, -0.5, 0],
    ['the limit takes what friction leaves', 0, 0, 1, 0],
    ['away from the limit', 0, 0, -1, -H * (10 - 2)],
  ])('%s', (_, position, velocity, control, expected) => {
    const simulation = new Simulation(compileModel(slider(position, velocity, control), { coordinates }));
    const report = simulation.step();
    expect(report.status).toBe('converged');
    expect(report.iterations).toBe(0);
    expect(Math.abs(simulation.jointVelocity('x') - expected)).toBeLessThan(1e-9);
  });

  test('the limit pushes with what the servo and friction leave', () => {
    const simulation = new Simulation(compileModel(slider(0, 0, 1), { coordinates }));
    for (let n = 0; n < 5; n++) {
      simulation.step();
      expect(Math.abs(simulation.jointPosition('x'))).toBeLessThan(1e-9);
      expect(simulation.derived.actuatorForce[0]).toBeCloseTo(10, 9);
    }
  });
});
