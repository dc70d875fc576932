/** Bodies that nothing touches: gyroscopic motion in reverse, and led by a contact, against centred differences of whole steps. */
import { expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { FormulationId } from '../../scene/options.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';
import { linearize } from '../linearize.ts';

const FORMULATIONS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];

function check(formulation: FormulationId, height: number, center: [number, number, number], speed: number): void {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.01, integrator: 'semiImplicit' },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      {
        name: 'plate',
        position: [0, 0, height],
        joints: [{ kind: 'free' }],
        inertia: { kind: 'principal', mass: 1, center, moments: [0.004, 0.013, 0.017] },
        shapes: [{ kind: 'box', halfSize: [0.2, 0.1, 0.05] }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.state.velocity.set([0.1, 0.2, 0, 0.3 * speed, 0.6 * speed, -0.5 * speed]);
  simulation.step(2);
  const { report } = linearize(simulation, { check: true });
  expect(report.method).toBe('implicit');
  expect(report.check!.error, JSON.stringify(report.check)).toBeLessThan(1e-6);
}

test.each(FORMULATIONS)('%s: a plate that spins in the air', (formulation) => check(formulation, 3, [0, 0, 0], 30));

test.each(FORMULATIONS)('%s: the same off its centre of mass', (formulation) =>
  check(formulation, 3, [0.05, -0.02, 0.01], 30),
);
