/**
 * A hand with two fingers, each pressed by a motor with 1 N, closes on a soft ball and a soft cube, lifts them by 5 cm with a servo and
 * holds them for two seconds: robot, soft body and floor in one solve, at points and by pressure.
 */
import { type Body, compileModel, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';

const H = 1 / 120;

function createFinger(name: string, y: number): Body {
  return {
    name,
    position: [0, y, 0],
    joints: [{ name, kind: 'slide', axis: [0, -Math.sign(y), 0], damping: 5 }],
    shapes: [{ kind: 'box', halfSize: [0.02, 0.005, 0.03], material: 'rubber' }],
  };
}

function createGripper(shape: 'ball' | 'cube', contact: 'point' | 'hydroelastic'): Simulation {
  const isBall = shape === 'ball';
  return new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap', timestep: H },
      materials: [{ name: 'rubber', friction: 1 }],
      bodies: [
        { name: 'floor', shapes: [{ kind: 'plane', material: 'rubber' }] },
        {
          name: 'hand',
          position: [0, 0, 0.035],
          joints: [{ name: 'lift', kind: 'slide', axis: [0, 0, 1] }],
          shapes: [
            {
              kind: 'box',
              halfSize: [0.02, 0.06, 0.01],
              position: [0, 0, 0.06],
              collisionGroups: 0,
              collisionMask: 0,
            },
          ],
          bodies: [createFinger('left', 0.04), createFinger('right', -0.04)],
        },
      ],
      actuators: [
        {
          name: 'lift',
          kind: 'position',
          transmission: { kind: 'joint', joint: 'lift' },
          stiffness: 2000,
          damping: 200,
        },
        { name: 'left', kind: 'motor', transmission: { kind: 'joint', joint: 'left' } },
        { name: 'right', kind: 'motor', transmission: { kind: 'joint', joint: 'right' } },
      ],
      softBodies: [
        {
          name: 'object',
          position: [0, 0, 0.0201],
          mesh: isBall
            ? { kind: 'sphere', radius: 0.02, resolution: 0.008 }
            : { kind: 'box', halfSize: [0.02, 0.02, 0.02], cells: [4, 4, 4] },
          material: 'rubber',
          contact,
          elasticity: { youngsModulus: isBall ? 1e5 : 1e6, poissonRatio: 0.4, stiffnessDamping: 0.001 },
        },
      ],
    }),
  );
}

function measureHeight(simulation: Simulation): number {
  const x = simulation.softPosition('object');
  return x.reduce((sum, value, i) => sum + (i % 3 === 2 ? value : 0), 0) / (x.length / 3);
}

const CASES = [
  ['cube', 'point'],
  ['cube', 'hydroelastic'],
  ['ball', 'point'],
  ['ball', 'hydroelastic'],
] as const;

// a cube at points, or all
test.each(takeCases(CASES, 4))('a soft %s is lifted by 5 cm and held without slip: %s', (shape, contact) => {
  const simulation = createGripper(shape, contact);
  const start = measureHeight(simulation);
  simulation.setControl('left', 1);
  simulation.setControl('right', 1);
  const step = (count: number, lift?: (n: number) => number): void => {
    for (let n = 1; n <= count; n++) {
      if (lift) simulation.setControl('lift', lift(n));
      expect(simulation.step().status).toBe('converged');
    }
  };
  step(60);
  // the hand sags by its weight over the servo's stiffness
  step(100, (n) => 0.052 * (n / 100));
  step(60);
  const lifted = measureHeight(simulation);
  expect(Math.abs(lifted - start - 0.05)).toBeLessThan(5e-3);
  // two seconds, or half a second in the short run: what the object loses against the hand
  const seconds = takeSamples(200, 0.1) / 100;
  const hand = simulation.state.position[0];
  step(Math.round(seconds / H));
  const slip = measureHeight(simulation) - lifted - (simulation.state.position[0] - hand);
  expect(Math.abs(slip)).toBeLessThan(5e-4 * seconds);
  // friction of the fingers carries it: nothing else touches
  const forces = simulation.contactForces().filter(({ normalForce }) => normalForce > 0);
  expect(
    forces.every(({ bodyName1, bodyName2 }) => [bodyName1, bodyName2].some((name) => /left|right/.test(name))),
  ).toBe(true);
  const upward = forces.reduce((sum, { force, bodyName2 }) => sum + (bodyName2 === 'object' ? force[2] : -force[2]), 0);
  const mass = measureMass(simulation);
  expect(Math.abs(upward / (9.81 * mass) - 1)).toBeLessThan(1e-3);
  // each finger presses with its motor
  const press = forces.reduce((sum, { force }) => sum + Math.abs(force[1]), 0);
  expect(Math.abs(press - 2)).toBeLessThan(0.05);
});

/** Mass of the soft body, from its momentum at unit velocity. */
function measureMass(simulation: Simulation): number {
  const twin = new Simulation(simulation.model);
  twin.softVelocity('object').fill(1);
  return twin.momentum().linear[0];
}
