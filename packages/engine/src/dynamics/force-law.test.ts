/** Tangents of muscles and motors against differences of their forces. */
import { describe, expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Actuator } from '../scene/actuator.ts';
import { Simulation } from '../simulation.ts';
import { type ForceLaw, writeForceLaw } from './force-law.ts';

/** s: short, so that a current hardly follows within it. */
const STEP = 1e-3;
const transmission = { kind: 'joint', joint: 'axle' } as const;
const motor = { kind: 'dcMotor', transmission, resistance: 2, motorConstant: 0.5 } as const;
const muscle: Actuator = {
  kind: 'muscle',
  transmission,
  lengthRange: [-0.5, 0.5],
  operatingRange: [0.5, 1.5],
  force: 100,
};

/** A wheel at an angle and a speed, with its forces. */
function stand(actuator: Actuator, control: number, angle: number, speed: number): Simulation {
  const model = compileModel({
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: STEP, gravity: [0, 0, 0], formulation: 'sap', coordinates: 'joint' },
    bodies: [
      {
        joints: [{ name: 'axle', kind: 'hinge', axis: [0, 0, 1] }],
        shapes: [{ kind: 'cylinder', radius: 0.2, halfLength: 0.05, mass: 1e12 }],
      },
    ],
    actuators: [actuator],
  });
  const simulation = new Simulation(model);
  simulation.state.position[0] = angle;
  simulation.state.velocity[0] = speed;
  simulation.state.control[0] = control;
  if (actuator.kind === 'muscle') simulation.state.activation[0] = 0.7;
  simulation.forward();
  return simulation;
}

function readLaw(actuator: Actuator, control: number, angle: number, speed: number): ForceLaw {
  const law: ForceLaw = { force: 0, stiffness: 0, damping: 0, low: 0, high: 0 };
  const { model, state, derived } = stand(actuator, control, angle, speed);
  writeForceLaw(law, model, state, derived, 0, STEP);
  return law;
}

const ACTUATORS: [string, Actuator, number][] = [
  ['a muscle', muscle, 0.7],
  ['a motor with a servo', { ...motor, controller: { stiffness: 30, damping: 2 } }, 0.4],
  ['a motor with a servo of its speed', { ...motor, controller: { input: 'velocity', damping: 3 } }, 0.4],
  ['a motor that warms', { ...motor, thermal: { resistance: 1, capacity: 5, coefficient: 0.01, ambient: 60 } }, 3],
  ['a servo with cogging', { ...motor, controller: { stiffness: 30 }, cogging: { amplitude: 0, poles: 6 } }, 0.4],
];

describe.each(ACTUATORS)('%s', (_, actuator, control) => {
  // between the corners of its parabolas
  test.each([
    [-0.35, 0.1],
    [-0.15, -0.3],
    [0.12, 0.05],
    [0.4, -0.1],
  ])('at %d rad and %d rad/s', (angle, speed) => {
    const { force, stiffness, damping } = readLaw(actuator, control, angle, speed);
    // the force at rest along the tangent
    const at = (l: number, v: number): number => {
      const law = readLaw(actuator, control, l, v);
      return law.force - law.damping * v;
    };
    const d = 1e-6;
    const slope = -(at(angle + d, speed) - at(angle - d, speed)) / (2 * d);
    const rate = -(at(angle, speed + d) - at(angle, speed - d)) / (2 * d);
    expect(at(angle, speed)).toBeCloseTo(force - damping * speed, 12);
    expect(Math.abs(stiffness - Math.max(0, slope))).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
    expect(Math.abs(damping - Math.max(0, rate))).toBeLessThan(1e-6 * (1 + Math.abs(rate)));
  });
});

test('the largest voltages are limits of the force', () => {
  const limited: Actuator = { ...motor, controller: { stiffness: 1e5, voltageLimit: 12 } };
  const { force, low, high } = readLaw(limited, 1, 0, 2);
  // K/R (±12 V − K v)
  expect(high).toBeCloseTo(0.25 * (12 - 0.5 * 2), 12);
  expect(low).toBeCloseTo(0.25 * (-12 - 0.5 * 2), 12);
  expect(force).toBeCloseTo(1e5, 6);
  // faster than 12 V drive it: back-EMF alone
  const fast = readLaw(limited, 1, 0, 30);
  expect(fast.damping).toBeCloseTo(0.125, 12);
  expect(fast.stiffness).toBe(0);
  expect(fast.force - fast.damping * 30).toBeCloseTo(0.25 * (12 - 0.5 * 30), 12);
});
