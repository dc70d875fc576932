/**
 * Mocap bodies carry by friction what lies on them. Under `mujoco` they have no velocity and carry nothing, as in MuJoCo. A body that is
 * placed at the start of a step is known to move from then on: what it carries is behind by the way of a step.
 */
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const H = 0.004;
/** m/s² and rad/s. */
const ACCELERATION = 0.5;
const SPIN = 1;
const RADIUS = 0.3;

function start(formulation: FormulationId, x = 0): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H },
    bodies: [
      { name: 'plate', mocap: true, position: [0, 0, 0.5], shapes: [{ kind: 'box', halfSize: [0.5, 0.5, 0.05] }] },
      {
        name: 'box',
        position: [x, 0, 0.65],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 1 }],
      },
    ],
  };
  return new Simulation(compileModel(scene, { formulation }));
}

describe.each<FormulationId>(['sap', 'ccp', 'penalty', 'ipc'])('%s', (formulation) => {
  test('a plate that accelerates carries a box', () => {
    const simulation = start(formulation);
    for (let k = 1; k <= 100; k++) {
      simulation.setMocapPose('plate', [0.5 * ACCELERATION * (k * H) ** 2, 0, 0.5]);
      simulation.step();
    }
    const speed = ACCELERATION * 100 * H;
    const behind = simulation.pose('plate').position[0] - simulation.pose('box').position[0];
    expect(Math.abs(behind)).toBeLessThan(3 * speed * H);
    expect(Math.abs(simulation.velocity('box').linear[0] - speed)).toBeLessThan(3 * ACCELERATION * H);
  });

  test('a turntable carries a box around', () => {
    const simulation = start(formulation, RADIUS);
    for (let k = 1; k <= 125; k++) {
      const half = 0.5 * SPIN * k * H;
      simulation.setMocapPose('plate', [0, 0, 0.5], [Math.cos(half), 0, 0, Math.sin(half)]);
      simulation.step();
    }
    const [x, y] = simulation.pose('box').position;
    // it starts at rest and slips until it goes along: v²/(2 μ g)
    const slip = (SPIN * RADIUS) ** 2 / (2 * 9.81);
    expect(Math.abs(Math.atan2(y, x) - SPIN * 125 * H)).toBeLessThan((slip + 3 * SPIN * RADIUS * H) / RADIUS);
    expect(Math.abs(Math.hypot(x, y) - RADIUS)).toBeLessThan(slip + 3 * SPIN * RADIUS * H);
  });
});

test('under mujoco mocap bodies have no velocity', () => {
  const simulation = start('mujoco');
  for (let k = 1; k <= 50; k++) {
    simulation.setMocapPose('plate', [0.5 * ACCELERATION * (k * H) ** 2, 0, 0.5]);
    simulation.step();
  }
  expect(Math.abs(simulation.pose('box').position[0])).toBeLessThan(1e-6);
});

test.each<FormulationId>(['sap', 'ccp'])(
  '%s: a snapshot goes on with the same bytes, and a jump carries nothing',
  (formulation) => {
    const simulation = start(formulation);
    const other = start(formulation);
    const move = (on: Simulation, k: number): void => {
      on.setMocapPose('plate', [0.5 * ACCELERATION * (k * H) ** 2, 0, 0.5]);
      on.step();
    };
    for (let k = 1; k <= 20; k++) move(simulation, k);
    other.restore(simulation.snapshot());
    for (let k = 21; k <= 25; k++) {
      move(simulation, k);
      move(other, k);
    }
    expect(other.hash()).toBe(simulation.hash());
    // farther than the plate is long
    const speed = simulation.velocity('box').linear[0];
    simulation.setMocapPose('plate', [-0.1, 2, 0.5]);
    simulation.step();
    expect(Math.abs(simulation.velocity('box').linear[1])).toBeLessThan(1e-6);
    expect(simulation.velocity('box').linear[0]).toBeCloseTo(speed, 6);
  },
);
