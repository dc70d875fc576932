import { describe, expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import '../index.ts';
import { ContactEvents } from './contact-events.ts';

/** A ball of 2 kg that falls 5 cm on a floor and stays there, and one that flies beside it. */
const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.002 },
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'ball',
      position: [0, 0, 0.15],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 2 }],
    },
    {
      name: 'other',
      position: [1, 0, 9],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1, mass: 2 }],
    },
  ],
};

describe.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)('contact events under %s', (formulation) => {
  test('a contact begins once, goes on, and ends when the body is lifted; impulses add up to the change of momentum', () => {
    const simulation = new Simulation(compileModel(SCENE, { formulation }));
    const events = new ContactEvents(simulation);
    const kinds: string[] = [];
    let impulse = 0;
    const steps = 400;
    for (let n = 0; n < steps; n++) {
      simulation.step();
      for (const event of events.update()) {
        kinds.push(event.kind);
        expect([event.shape1, event.shape2, event.body2]).toEqual([0, 1, 'ball']);
        impulse += event.impulse[2];
        expect(event.impulse[2]).toBeCloseTo(event.normalImpulse, 12);
      }
    }
    expect(kinds[0]).toBe('begin');
    expect(kinds.filter((kind) => kind === 'persist').length).toBeGreaterThan(200);
    // m v = ∫ (N − m g) dt
    const momentum = 2 * simulation.velocity('ball').linear[2];
    expect(impulse - 2 * 9.81 * steps * 0.002).toBeCloseTo(momentum, 2);
    // lifted, it touches no more
    simulation.setPose('ball', { position: [0, 0, 1] });
    simulation.step();
    const last = events.update();
    expect(last.map(({ kind }) => kind)).toEqual(['end']);
    expect(last[0]!.impulse).toEqual([0, 0, 0]);
    simulation.step();
    expect(events.update()).toEqual([]);
  });
});
