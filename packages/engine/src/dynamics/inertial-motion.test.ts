import { describe, expect, test } from 'vitest';
import '../formulation/ccp/provide.ts';
import '../formulation/ipc/provide.ts';
import { compileModel } from '../model/compile.ts';
import type { Body } from '../scene/body.ts';
import type { SceneOptions } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { stepSpin } from './spin-step.ts';

function createScene(bodies: Body[], options: SceneOptions = {}): Scene {
  const whole: SceneOptions = { gravity: [0, 0, 0], timestep: 1 / 60, disable: ['contact'], ...options };
  return { format: 'nexdyn-scene', version: 1, options: whole, bodies };
}

function createBox(position: [number, number, number]): Body {
  const shape = { kind: 'box', halfSize: [0.1, 0.2, 0.3], mass: 1, position } as const;
  return { name: 'box', joints: [{ kind: 'free' }], shapes: [{ ...shape, halfSize: [0.1, 0.2, 0.3] }] };
}

function createChain(count: number, kind: 'ball' | 'hinge', root: 'ball' | 'hinge' | 'free' = kind): Body {
  const joint =
    root === 'hinge'
      ? { kind: root, axis: (count % 2 ? [0, 1, 0] : [1, 0, 0]) as [number, number, number] }
      : { kind: root };
  return {
    position: [0, 0, -0.5],
    joints: [joint],
    shapes: [{ kind: 'capsule', radius: 0.04, halfLength: 0.2, position: [0, 0, -0.25], mass: 1 }],
    bodies: count > 1 ? [createChain(count - 1, kind)] : [],
  };
}

function throwAll(simulation: Simulation, speed: number): void {
  const v = simulation.state.velocity;
  for (let i = 0; i < v.length; i++) v[i] = speed * Math.sin(2.3 * i + 1);
}

const ALL = [
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
  ['ipc', 'body'],
] as const;

describe('a torque-free body', () => {
  test.each(ALL)('keeps energy and angular momentum to round-off at 1/60 s (%s, %s)', (formulation, coordinates) => {
    for (const position of [
      [0, 0, 0],
      [0.3, 0.1, -0.2],
    ] as [number, number, number][]) {
      const simulation = new Simulation(compileModel(createScene([createBox(position)]), { formulation, coordinates }));
      simulation.setVelocity('box', { angular: [0.1, 10, 0.1] });
      const energy = simulation.energy().kinetic;
      const { angular, linear } = simulation.momentum();
      let flips = 0;
      for (let n = 0; n < 600; n++) {
        const before = simulation.state.velocity[4];
        simulation.step();
        if (before * simulation.state.velocity[4] < 0) flips++;
      }
      // 600 steps of round-off in numbers of order 1
      expect(Math.abs(simulation.energy().kinetic / energy - 1)).toBeLessThan(1e-11);
      for (const [k, value] of simulation.momentum().angular.entries()) expect(value).toBeCloseTo(angular[k], 10);
      for (const [k, value] of simulation.momentum().linear.entries()) expect(value).toBeCloseTo(linear[k], 10);
      // the exact solution flips four times, see validation/analytic/torque-free.test.ts
      expect(flips).toBe(4);
    }
  });

  test('keeps them in steps of any angle', () => {
    const spin = new Float64Array(3);
    const out = new Float64Array(6);
    const inertia = Float64Array.of(2, 3.1, 1.3, 0.1, -0.2, 0.05);
    const momentumOf = (w: Float64Array): number[] => [
      inertia[0] * w[0] + inertia[3] * w[1] + inertia[4] * w[2],
      inertia[3] * w[0] + inertia[1] * w[1] + inertia[5] * w[2],
      inertia[4] * w[0] + inertia[5] * w[1] + inertia[2] * w[2],
    ];
    const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (let n = 0; n < 200; n++) {
      const size = 10 ** (4 * Math.abs(Math.sin(n)) - 2);
      for (let k = 0; k < 3; k++) spin[k] = size * Math.sin(7 * n + 2 * k + 1);
      expect(stepSpin(out, inertia, 0, spin, 0, 1)).toBe(true);
      const before = momentumOf(spin);
      const after = momentumOf(out);
      expect(Math.abs(dot(after, out) / dot(before, spin) - 1)).toBeLessThan(1e-12);
      // |p| stays, and p turns back by the angle of the step: rotating about out[3..6) keeps that component
      const axis = out.subarray(3);
      expect(Math.abs(dot(after, after) / dot(before, before) - 1)).toBeLessThan(1e-12);
      expect(Math.abs(dot(after, axis) - dot(before, axis))).toBeLessThan(1e-12 * size * Math.hypot(...axis));
    }
  });
});

describe('trees of joints', () => {
  test('a long chain with a heavy end falls as with small steps', () => {
    const link = (k: number): Body => ({
      name: `link${k}`,
      position: [k === 0 ? 0 : 0.1, 0, 0],
      joints: [{ kind: 'ball' }],
      inertia: {
        kind: 'principal',
        mass: k === 19 ? 10 : 0.1,
        moments: k === 19 ? [0.01, 0.01, 0.01] : [1e-4, 1e-4, 1e-4],
        center: [0.05, 0, 0],
      },
      bodies: k === 19 ? [] : [link(k + 1)],
    });
    const fall = (timestep: number): number => {
      const scene = createScene([link(0)], { timestep, gravity: [0, 0, -9.81] });
      const simulation = new Simulation(compileModel(scene));
      simulation.step(Math.round(0.5 / timestep));
      return simulation.pose('link19').position[2];
    };
    // of order one: half the way of a step at the end
    expect(Math.abs(fall(1 / 240) - fall(1 / 1920))).toBeLessThan((0.5 * 9.81 * 0.5) / 240 + 0.01);
  });

  test.each([
    ['mujoco', 'joint'],
    ['mujoco', 'body'],
    ['sap', 'joint'],
    ['ccp', 'body'],
  ] as const)('what makes them gain much energy is reported (%s, %s)', (formulation, coordinates) => {
    for (const body of [createChain(3, 'ball'), createChain(3, 'hinge'), createChain(3, 'ball', 'free')]) {
      const scene = createScene([body]);
      const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
      throwAll(simulation, coordinates === 'joint' ? 40 : 10);
      // velocities that do not fit the joints are taken out by the first step
      simulation.step();
      const energy = simulation.energy().kinetic;
      let hasFailed = false;
      for (let n = 0; n < 120; n++) hasFailed ||= simulation.step().status === 'unstable';
      // the watch allows ten times what it can explain, and looks where motion has grown tenfold
      if (!hasFailed) expect(simulation.energy().kinetic).toBeLessThan(110 * energy);
    }
  });

  test('a ball pendulum with spin keeps its energy within the order of the step', () => {
    const scene = createScene([createChain(1, 'ball')], { gravity: [0, 0, -9.81] });
    const simulation = new Simulation(compileModel(scene));
    throwAll(simulation, 20);
    const { total, kinetic } = simulation.energy();
    for (let n = 0; n < 600; n++) {
      simulation.step();
      // explicit gyroscopic forces gain a factor of 1e5
      expect(Math.abs(simulation.energy().total - total)).toBeLessThan(0.1 * kinetic);
    }
  });
});
