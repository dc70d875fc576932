/**
 * Mocap bodies carry by friction what lies on them. Under `mujoco` they have no velocity and carry nothing, as in MuJoCo. A body that is
 * placed at the start of a step is known to move from then on: what it carries is behind by the way of a step.
 */
import { compileModel, type FormulationId, type SapOptions, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const H = 0.004;
/** m/s² and rad/s. */
const ACCELERATION = 0.5;
const SPIN = 1;
const RADIUS = 0.3;

function start(
  formulation: FormulationId,
  x = 0,
  timestep = H,
  sap: SapOptions = {},
  accuracy: number | undefined = undefined,
): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep, sap, ...(accuracy !== undefined && { accuracy }) },
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
  const test = takeTurn();
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

// many steps lead from one pose of the plate to the next: all have its velocity, and a run that goes on from a snapshot in the same way too
test.each<FormulationId>(['sap', 'ccp', 'penalty'])(
  '%s: a plate carries a box with error-controlled steps',
  (formulation) => {
    const h = 0.01;
    const simulation = start(formulation, 0, h, {}, 1e-5);
    const restored = start(formulation, 0, h, {}, 1e-5);
    for (let k = 1; k <= 40; k++) {
      if (k === 20) restored.restore(simulation.snapshot());
      for (const one of k < 20 ? [simulation] : [simulation, restored]) {
        one.setMocapPose('plate', [0.5 * ACCELERATION * (k * h) ** 2, 0, 0.5]);
        one.step();
      }
    }
    const speed = ACCELERATION * 40 * h;
    const behind = simulation.pose('plate').position[0] - simulation.pose('box').position[0];
    expect(Math.abs(behind)).toBeLessThan(3 * speed * h);
    expect(Math.abs(simulation.velocity('box').linear[0] - speed)).toBeLessThan(3 * ACCELERATION * h);
    expect(restored.hash()).toBe(simulation.hash());
  },
);

/** Where a box is over a plate that moves up or down, after a step, m: the least and the most. */
const RESTING: Readonly<Record<string, (speed: number, h: number) => [number, number]>> = {
  // a millimetre at the most, as from the ground: the damper does not work against the lift
  sap: () => [-1e-3, 1e-5],
  ccp: () => [-1e-3, 1e-5],
  ipc: () => [0, 1e-3],
  // four springs of 0.1 m/h² carry it at the start of the step, v h before its end
  penalty: (speed, h) => {
    const gap = speed * h - (9.81 * h * h) / 0.4;
    return [gap - 1e-3, gap + 1e-3];
  },
};

// the damper of sap kept the box v τ = 5 mm in the plate or over it; under penalty its force ended at 0.5 m/s, and under ccp the plate was
// faster than overlaps are undone: the box fell through, all steps converged
describe.each(['sap', 'ccp', 'penalty', 'ipc'])('%s: a lift', (formulation) => {
  test.each([
    ['rises', 0.5, 1 / 60],
    ['rises', 0.5, 1 / 240],
    ['rises fast', 2, 1 / 120],
    ['sinks', -0.5, 1 / 240],
  ])('that %s carries a box (%d m/s, h = %d s)', (_, speed, h) => {
    const simulation = start(formulation, 0, h);
    const steps = Math.round(0.7 / h);
    for (let k = 1; k <= steps; k++) {
      // it starts gently, within the first 0.1 s
      const t = Math.max(0, k * h - 0.1);
      const way = speed * (t + 5 * Math.min(k * h, 0.1) ** 2);
      simulation.setMocapPose('plate', [0, 0, 0.5 + way]);
      expect(simulation.step().status).toBe('converged');
    }
    const gap = simulation.pose('box').position[2] - 0.1 - simulation.pose('plate').position[2] - 0.05;
    const [least, most] = RESTING[formulation](speed, h);
    expect(gap).toBeGreaterThan(least);
    expect(gap).toBeLessThan(most);
    expect(Math.abs(simulation.velocity('box').linear[2] - speed)).toBeLessThan(0.01 * Math.abs(speed));
  });
});

test('sap: the lagged law of contact sees the lift as well', () => {
  const simulation = start('sap', 0, 1 / 240, { contactModel: 'lagged' });
  for (let k = 1; k <= 120; k++) {
    simulation.setMocapPose('plate', [0, 0, 0.5 + (0.5 * k) / 240]);
    simulation.step();
  }
  const gap = simulation.pose('box').position[2] - 0.1 - simulation.pose('plate').position[2] - 0.05;
  expect(Math.abs(gap)).toBeLessThan(1e-4);
});

// a paddle that comes up at 2 m/s sends a ball at rest off at (1 + e) 2 m/s
test('ccp: a mocap paddle gives a ball its speed and the bounce', () => {
  const h = 1e-3;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: h, gravity: [0, 0, 0] },
    materials: [{ name: 'rubber', restitution: 0.5 }],
    bodies: [
      { name: 'paddle', mocap: true, shapes: [{ kind: 'box', halfSize: [0.2, 0.2, 0.02], material: 'rubber' }] },
      {
        name: 'ball',
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: 0.05, material: 'rubber' }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ccp' }));
  for (let k = 1; k <= 40; k++) {
    simulation.setMocapPose('paddle', [0, 0, 2 * k * h]);
    simulation.step();
  }
  expect(simulation.velocity('ball').linear[2]).toBeCloseTo(3, 6);
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
