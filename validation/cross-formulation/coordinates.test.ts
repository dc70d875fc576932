/**
 * The same mechanism in joint and in body coordinates. Under `mujoco` with a Runge-Kutta integrator both follow the same
 * differential equation up to the softness of the joints: an offset of R f / (K d), 1e-4 × acceleration × (2 h)²  ≈ 1e-9 m per joint here, which adds up and grows along the motion.
 */
import { compileModel, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';
import { arm, fourBar, sliderCrank } from './mechanisms.ts';

const OPTIONS: SceneOptions = {
  formulation: 'mujoco',
  integrator: 'rkmk4',
  timestep: 2.5e-4,
  mujoco: { tolerance: 1e-14 },
};

const STEPS = takeSamples(4000, 0.5);

function run(scene: Scene, coordinates: 'joint' | 'body'): Simulation {
  const simulation = new Simulation(compileModel(scene, { coordinates }));
  for (let n = 0; n < STEPS; n++) expect(simulation.step().status).toBe('converged');
  return simulation;
}

describe('a mechanism moves alike in joint and in body coordinates', () => {
  test.each(
    takeCases(
      [
        ['four-bar', fourBar],
        ['slider-crank', sliderCrank],
        ['robot arm', arm],
      ] as const,
      3,
      1,
    ),
  )(`%s, ${STEPS * OPTIONS.timestep!} s`, (_, create) => {
    const joint = run(create(OPTIONS), 'joint');
    const body = run(create(OPTIONS), 'body');
    const start = new Simulation(compileModel(create(OPTIONS)));
    let travel = 0;
    let worst = 0;
    for (let k = 3; k < joint.bodyPosition.length; k++) {
      worst = Math.max(worst, Math.abs(joint.bodyPosition[k] - body.bodyPosition[k]));
      travel = Math.max(travel, Math.abs(joint.bodyPosition[k] - start.bodyPosition[k]));
    }
    expect(travel).toBeGreaterThan(0.1);
    expect(worst).toBeLessThan(1e-6);
  });
});

describe('strong dampers are implicit in both coordinates', () => {
  // explicit, a damper of 500 N m s/rad on 0.1 kg m² would blow up beyond h = 2 I / d = 0.4 ms
  test.each(['joint', 'body'] as const)('%s', (coordinates) => {
    const scene = arm({ formulation: 'mujoco', integrator: 'euler', timestep: 2e-3 });
    scene.bodies![0]!.joints![0]!.damping = 500;
    const simulation = new Simulation(compileModel(scene, { coordinates }));
    expect(simulation.step(500).status).toBe('converged');
    const [, , , , , , , , wz] = simulation.derived.bodyTwist.subarray(0, 9);
    expect(Math.abs(wz)).toBeLessThan(0.05);
  });
});
