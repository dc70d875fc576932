/** Hinges of body coordinates count whole turns, as those of joint coordinates do: servos and springs act on the sum of all. */
import { describe, expect } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import '../formulation/ipc/provide.ts';
import { createTurns } from '../../../../scripts/long-run.ts';

const takeTurn = createTurns();

/** A wheel of 1 kg m² on a vertical axis. */
function wheel(stiffness: number, damping: number): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.01, gravity: [0, 0, 0] },
    bodies: [
      {
        inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
        joints: [{ kind: 'hinge', name: 'axle', axis: [0, 0, 1] }],
      },
    ],
    actuators: [{ kind: 'position', transmission: { kind: 'joint', joint: 'axle' }, stiffness, damping }],
    keyframes: [{ name: 'half a turn', position: [Math.PI], control: [Math.PI] }],
  };
}

function start(formulation: FormulationId, scene: Scene): Simulation {
  return new Simulation(compileModel(scene, { formulation, coordinates: 'body' }));
}

describe.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)('%s', (formulation) => {
  const test = takeTurn();
  test('a servo turns its wheel one and a half times', () => {
    const simulation = start(formulation, wheel(100, 20));
    simulation.reset(null);
    simulation.setControl(0, 10);
    simulation.step(100);
    const half = simulation.snapshot();
    simulation.step(200);
    // critically damped with 10 rad/s: 10 (1 + 10 t) e^(−10 t) is left, less than 1e-9 rad after 3 s
    expect(simulation.jointPosition('axle')).toBeCloseTo(10, 6);
    const end = simulation.hash();
    simulation.restore(half);
    simulation.step(200);
    expect(simulation.hash()).toBe(end);
  });

  test('a servo holds half a turn, where the angle of the poses jumps', () => {
    const simulation = start(formulation, wheel(1000, 10));
    simulation.reset('half a turn');
    expect(simulation.jointPosition('axle')).toBeCloseTo(Math.PI, 12);
    for (let n = 0; n < 100; n++) {
      // to and fro across the place where the angle jumps
      simulation.setControl(0, Math.PI + (n % 2 === 0 ? 1e-3 : -1e-3));
      simulation.step();
      expect(Math.abs(simulation.jointPosition('axle') - Math.PI)).toBeLessThan(2e-3);
    }
  });
});
