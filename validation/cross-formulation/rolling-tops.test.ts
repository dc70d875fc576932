/**
 * Eggs and capsules that spin upright on a floor with friction: they roll and slide, and nothing brings energy in. A step that asks for no
 * slip at its start instead of its middle pushes them along: it gains 5 to 20 % in 4 s. Semi-implicit steps may
 * show as energy what belongs to half a step of falling, m g h v, here up to 2 %.
 */
import { compileModel, type FormulationId, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const TILT = 0.1;
const EGG: Shape = { kind: 'ellipsoid', radii: [0.06, 0.06, 0.09], mass: 1, friction: 0.5 };
const ROD: Shape = { kind: 'capsule', radius: 0.03, halfLength: 0.1, mass: 0.5, friction: 0.5 };

const CASES: readonly [FormulationId, string, number][] = [
  ['ccp', 'egg', 15],
  ['ccp', 'capsule', 75],
  ['sap', 'egg', 15],
  ['mujoco', 'egg', 15],
  ['mujoco', 'capsule', 75],
];

test.each(CASES)('%s: the energy of an upright %s at %d rad/s does not grow', (formulation, kind, spin) => {
  const shape = kind === 'egg' ? EGG : ROD;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1 / 60, formulation },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      {
        position: [0, 0, kind === 'egg' ? 0.091 : 0.131],
        orientation: [Math.cos(TILT / 2), Math.sin(TILT / 2), 0, 0],
        joints: [{ kind: 'free' }],
        shapes: [shape],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.state.velocity[5] = spin;
  const measure = (): number => simulation.energy().kinetic + simulation.energy().potential;
  const start = measure();
  let most = -Infinity;
  for (let n = 0; n < 24; n++) {
    simulation.step(10);
    most = Math.max(most, measure());
  }
  expect(most).toBeLessThan(1.025 * start);
});
