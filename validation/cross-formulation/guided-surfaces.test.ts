/**
 * Surfaces that joints guide past each other at a gap: wheels beside the chassis of a car. Nothing touches there, so the wheels reach the speed of
 * their motors, though the cone of friction asks surfaces that slide for a gap of μ h |u_t|: 33 mm at the rim, where there are 20.
 */
import { type Body, compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

/** Speed of the motors, rad/s, and radius of the wheels, m. */
const SPIN = 10;
const RADIUS = 0.2;
const TURN = Math.SQRT1_2;
const PLACES = [
  [0.4, 0.32],
  [0.4, -0.32],
  [-0.4, 0.32],
  [-0.4, -0.32],
] as const;

/** Each wheel on a strut with a spring; the rear ones are driven. */
function createCar(): Scene {
  const struts = PLACES.map(([x, y], n): Body => {
    const wheel: Body = {
      joints: [{ kind: 'hinge', name: `axle ${n}`, axis: [0, 1, 0] }],
      shapes: [{ kind: 'cylinder', radius: RADIUS, halfLength: 0.05, orientation: [TURN, TURN, 0, 0], mass: 3 }],
    };
    return {
      position: [x, y, -0.15],
      joints: [{ kind: 'slide', axis: [0, 0, 1], stiffness: 4000, damping: 300, limit: { range: [-0.05, 0.05] } }],
      inertia: { kind: 'principal', mass: 1, moments: [0.01, 0.01, 0.01] },
      bodies: [wheel],
    };
  });
  const chassis: Body = {
    name: 'chassis',
    position: [0, 0, 0.35],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.6, 0.25, 0.1], mass: 40 }],
    bodies: struts,
  };
  const actuators: Scene['actuators'] = [2, 3].map((n) => ({
    kind: 'velocity',
    name: `motor ${n}`,
    transmission: { kind: 'joint', joint: `axle ${n}` },
    gain: 20,
    forceRange: [-15, 15],
  }));
  const options = { timestep: 1 / 60 };
  return { format: 'nexdyn-scene', version: 1, options, shapes: [{ kind: 'plane' }], bodies: [chassis], actuators };
}

describe.each(['sap', 'ccp'] as const)('%s', (formulation) => {
  // 30 N m on 57 kg: at its speed after 0.8 s
  test.each(['joint', 'body'] as const)('wheels beside a chassis turn freely (%s coordinates)', (coordinates) => {
    const simulation = new Simulation(compileModel(createCar(), { formulation, coordinates }));
    simulation.state.control.fill(SPIN);
    for (let n = 0; n < 75; n++) expect(simulation.step().status).toBe('converged');
    expect(simulation.velocity('chassis').linear[0] / (SPIN * RADIUS)).toBeCloseTo(1, 1);
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
