/** A state that is restored goes on with the same bytes, whatever has happened in between: mocap bodies in contact, friction, fields. */
import { compileModel, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const cube: Shape = { kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.4 };
const scenes: Record<string, Partial<Scene>> = {
  'a hand that pushes a cube': {
    shapes: [{ kind: 'plane', friction: 0.4 }],
    bodies: [
      { name: 'hand', mocap: true, position: [-0.25, 0, 0.15], shapes: [cube] },
      { name: 'a', position: [0, 0, 0.11], joints: [{ kind: 'free' }], shapes: [cube] },
    ],
  },
  'a hand under a ring that is a field': {
    signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.15, minorRadius: 0.04 }],
    bodies: [
      { name: 'hand', mocap: true, position: [-0.25, 0, 0], shapes: [{ kind: 'box', halfSize: [0.4, 0.4, 0.05] }] },
      {
        name: 'a',
        position: [0, 0, 0.12],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'signedDistance', field: 'ring', mass: 1, friction: 0.6 }],
      },
    ],
  },
};

describe('restored', () => {
  for (const [name, parts] of Object.entries(scenes)) {
    const model = compileModel(
      { format: 'nexdyn-scene', version: 1, options: { timestep: 0.01 }, ...parts },
      { formulation: 'ipc' },
    );
    const [x, , z] = parts.bodies![0]!.position!;
    // the hand goes on, and jumps once: it is on its way for some steps then
    const drive = (simulation: Simulation, n: number): void => {
      simulation.setMocapPose('hand', [x + 0.004 * n + (n >= 30 ? 0.1 : 0), 0, z]);
      simulation.step();
    };

    test(`${name}: in the same simulation and in a new one`, () => {
      const simulation = new Simulation(model);
      for (let n = 0; n < 31; n++) drive(simulation, n);
      const snapshot = simulation.snapshot();
      for (let n = 31; n < 45; n++) drive(simulation, n);
      const hash = simulation.hash();
      // back in the same one, after a detour
      simulation.restore(snapshot);
      for (let n = 31; n < 45; n++) drive(simulation, n);
      expect(simulation.hash()).toBe(hash);
      // in one that has never seen the way there
      const other = new Simulation(model);
      other.restore(snapshot);
      for (let n = 31; n < 45; n++) drive(other, n);
      expect(other.hash()).toBe(hash);
    });

    test(`${name}: a reset begins as a new simulation does`, () => {
      const simulation = new Simulation(model);
      for (let n = 0; n < 10; n++) drive(simulation, n);
      const hash = simulation.hash();
      for (let n = 10; n < 40; n++) drive(simulation, n);
      simulation.reset();
      for (let n = 0; n < 10; n++) drive(simulation, n);
      expect(simulation.hash()).toBe(hash);
    });
  }
});
