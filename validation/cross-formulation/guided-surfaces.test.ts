/**
 * Surfaces that joints guide past each other at a gap: a flywheel beside its frame. Nothing touches, so the wheel keeps its spin,
 * though the cone of friction asks surfaces that slide for a gap of μ h |u_t|: 33 mm at the rim, where there are 10.
 */
import { type Body, compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const SPIN = 10;
const TURN = Math.SQRT1_2;

/** A wheel on a hinge along y, 10 mm beside a plate. */
function createFlywheel(isFree: boolean): Scene {
  const wheel: Body = {
    name: 'wheel',
    position: [0, 0.06, 0],
    joints: [{ kind: 'hinge', name: 'axle', axis: [0, 1, 0] }],
    shapes: [{ kind: 'cylinder', radius: 0.2, halfLength: 0.03, orientation: [TURN, TURN, 0, 0], mass: 3 }],
  };
  const frame: Body = {
    name: 'frame',
    position: [0, 0, 1],
    ...(isFree && { joints: [{ kind: 'free' }] }),
    shapes: [{ kind: 'box', halfSize: [0.3, 0.02, 0.3], mass: 20 }],
    bodies: [wheel],
  };
  const options = { timestep: 1 / 60, gravity: [0, 0, 0] as [number, number, number] };
  return { format: 'nexdyn-scene', version: 1, options, bodies: [frame] };
}

describe.each(['sap', 'ccp'] as const)('%s', (formulation) => {
  test.each([
    ['the world', false, 'joint'],
    ['the world', false, 'body'],
    ['a free frame', true, 'joint'],
    ['a free frame', true, 'body'],
  ] as const)('a flywheel beside %s spins on (free: %s, %s coordinates)', (_, isFree, coordinates) => {
    const simulation = new Simulation(compileModel(createFlywheel(isFree), { formulation, coordinates }));
    if (coordinates === 'joint') simulation.setJointVelocity('axle', SPIN);
    else simulation.setVelocity('wheel', { angular: [0, SPIN, 0] });
    for (let n = 0; n < 30; n++) expect(simulation.step().status).toBe('converged');
    expect(simulation.jointVelocity('axle')).toBeCloseTo(SPIN, 6);
  });

  // the lid of a box may fall on it: what a joint can close still rubs and stops
  test('a door that a joint can close is stopped', () => {
    const door: Body = {
      position: [0, 0, 0.2],
      joints: [{ kind: 'hinge', name: 'hinge', axis: [0, 1, 0] }],
      shapes: [{ kind: 'box', halfSize: [0.3, 0.2, 0.01], position: [0.3, 0, 0.1], mass: 1 }],
    };
    const shapes: Scene['shapes'] = [{ kind: 'box', halfSize: [0.1, 0.2, 0.05], position: [0.5, 0, 0.05] }];
    const scene: Scene = { format: 'nexdyn-scene', version: 1, options: { timestep: 1 / 60 }, shapes, bodies: [door] };
    const simulation = new Simulation(compileModel(scene, { formulation }));
    for (let n = 0; n < 60; n++) simulation.step();
    expect(Math.abs(simulation.jointVelocity('hinge'))).toBeLessThan(1e-3);
    expect(simulation.jointPosition('hinge')).toBeLessThan(1);
  });
});
