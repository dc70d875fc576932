/** Energy that appears from nothing is never behind a step that counts as converged: scenes in which it once did, by defaults. */
import { type Body, compileModel, type FormulationId, type Scene, Simulation, type Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun, takeCases } from '../../scripts/long-run.ts';

const ALL: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
const brick = (name: string, position: Vec3): Body => ({
  name,
  position,
  joints: [{ kind: 'free' }],
  shapes: [{ kind: 'box', halfSize: [0.1, 0.06, 0.03], density: 1000, friction: 0.8 }],
});

/** Largest energy over that of the start, in steps that were taken, and whether the run went on to its end. */
function follow(simulation: Simulation, steps: number): { growth: number; isWhole: boolean } {
  const start = simulation.energy().total;
  let most = start;
  for (let n = 0; n < steps; n++) {
    const { status } = simulation.step();
    if (status === 'unstable' || status === 'diverged') return { growth: most / start, isWhole: false };
    most = Math.max(most, simulation.energy().total);
  }
  return { growth: most / start, isWhole: true };
}

// a turn of one radian a step, about an axis that no principal axis is near
test.each(ALL)('%s: a free box at 100 rad/s and 10 ms keeps its energy', (formulation) => {
  const options = { timestep: 0.01, gravity: [0, 0, 0] as Vec3 };
  const scene: Scene = { format: 'nexdyn-scene', version: 1, options, bodies: [brick('box', [0, 0, 0])] };
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.setVelocity('box', { angular: [60, 70, 40] });
  const { growth, isWhole } = follow(simulation, 200);
  expect(isWhole).toBe(true);
  expect(growth).toBeLessThan(1 + 1e-6);
});

describe.each(['pyramidal', 'elliptic'] as const)('mujoco, %s', (cone) => {
  // contacts are springs with dampers: what they return is a part of the fall, so the energy never exceeds that of the start
  test.each(takeCases(['newton', 'cg', 'pgs'] as const, 2, cone === 'elliptic' ? 0 : 1))(
    'bricks that fall on each other gain nothing under %s',
    (solver) => {
      // the slow one takes a step each with its cones in `npm test`
      const isShort = !isLongRun && solver === 'pgs';
      for (const timestep of isShort ? [cone === 'elliptic' ? 1 / 60 : 0.002] : [0.002, 1 / 60]) {
        const bodies = [0, 1, 2, 3].map((n) => brick(`brick ${n}`, [0.03 * n, 0.02 * n, 0.1 + 0.15 * n]));
        const options = { timestep, mujoco: { cone, solver, impedanceRatio: 10 } };
        const scene: Scene = { format: 'nexdyn-scene', version: 1, options, shapes: [{ kind: 'plane' }], bodies };
        const simulation = new Simulation(compileModel(scene, { formulation: 'mujoco' }));
        expect(follow(simulation, Math.round(0.5 / timestep)).growth).toBeLessThan(1 + 1e-6);
      }
    },
  );
});
