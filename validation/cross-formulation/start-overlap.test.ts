/**
 * Bodies that overlap at the start, under formulations whose contacts push them apart: no faster than the recovery speed, left out until
 * they have come apart, or refused, by the rule of the scene.
 */
import {
  type Body,
  compileModel,
  type FormulationId,
  type Joint,
  type Scene,
  type SceneOptions,
  type Shape,
  Simulation,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const FORMULATIONS: FormulationId[] = ['mujoco', 'sap', 'ccp'];
const FLOOR: Shape = { kind: 'plane', name: 'floor' };
/** 8 kg. */
const CUBE: Shape = { kind: 'box', halfSize: [0.1, 0.1, 0.1], density: 1000 };
/** N. */
const WEIGHT = 8 * 9.81;
/** m/s. */
const RECOVERY = 0.6;

const free = (name: string, position: [number, number, number], shape: Shape): Body => ({
  name,
  position,
  joints: [{ kind: 'free' }],
  shapes: [shape],
});

function start(formulation: FormulationId, bodies: Body[], options: SceneOptions = {}, shapes = [FLOOR]): Simulation {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, shapes, bodies, options };
  return new Simulation(compileModel(scene, { formulation }));
}

interface Motion {
  speed: number;
  force: number;
  height: number;
  energy: number;
  statuses: Set<string>;
}

/** Largest speed, contact force, height and kinetic energy on the way. */
function follow(simulation: Simulation, body: string, steps: number): Motion {
  const b = simulation.model.body.name.indexOf(body);
  const motion: Motion = { speed: 0, force: 0, height: -Infinity, energy: 0, statuses: new Set() };
  for (let n = 0; n < steps; n++) {
    motion.statuses.add(simulation.step().status);
    motion.speed = Math.max(motion.speed, Math.hypot(...simulation.velocity(body).linear));
    motion.height = Math.max(motion.height, simulation.bodyPosition[3 * b + 2]!);
    motion.energy = Math.max(motion.energy, simulation.energy().kinetic);
    for (const { normalForce } of simulation.contactForces()) motion.force = Math.max(motion.force, normalForce);
  }
  return motion;
}

describe.each(FORMULATIONS)('%s', (formulation) => {
  const test = takeTurn();
  test.each([0.002, 0.027, 0.09])('a box %d m deep in the floor is lifted slowly and does not hop', (depth) => {
    const simulation = start(formulation, [free('box', [0, 0, 0.1 - depth], CUBE)]);
    const { speed, force, height, energy, statuses } = follow(simulation, 'box', 400);
    expect([...statuses]).toEqual(['converged']);
    expect(speed).toBeLessThan(1.05 * RECOVERY);
    expect(energy).toBeLessThan(0.5 * 8 * (1.05 * RECOVERY) ** 2);
    expect(force).toBeLessThan(10 * WEIGHT);
    expect(height).toBeLessThan(0.1005);
    expect(simulation.bodyPosition[5]).toBeGreaterThan(0.0995);
    expect(simulation.unresolved).toEqual([]);
  });

  test('a jointed link in the floor turns out of it slowly', () => {
    const arm: Body = {
      name: 'upper',
      position: [0, 0, 0.2],
      joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
      shapes: [{ kind: 'capsule', radius: 0.05, halfLength: 0.25, position: [0.3, 0, 0], mass: 1 }],
      bodies: [
        { name: 'lower', position: [0.6, 0, -0.12], joints: [{ kind: 'hinge', axis: [0, 1, 0] }], shapes: [CUBE] },
      ],
    };
    const { speed, force, statuses } = follow(start(formulation, [arm]), 'lower', 100);
    expect([...statuses]).toEqual(['converged']);
    expect(speed).toBeLessThan(1.5);
    expect(force).toBeLessThan(100 * WEIGHT);
  });

  test('two links that overlap by 0.13 m are left out until they have come apart', () => {
    const rod: Shape = { kind: 'capsule', radius: 0.08, halfLength: 0.2, mass: 2 };
    const hinge: Joint = { kind: 'hinge', axis: [0, 1, 0] };
    const simulation = start(
      formulation,
      [
        { name: 'a', position: [0, 0, 1], joints: [{ ...hinge, name: 'turn', anchor: [0, 0, 0.6] }], shapes: [rod] },
        { name: 'b', position: [0, 0.03, 1], joints: [{ ...hinge, anchor: [0, 0, 0.6] }], shapes: [rod] },
      ],
      { gravity: [0, 0, 0], coordinates: 'joint' },
      [],
    );
    expect(simulation.unresolved).toEqual([expect.stringMatching(/"a" and the shape of "b", which overlap by 130 mm/)]);
    const { energy, statuses } = follow(simulation, 'a', 50);
    expect([...statuses]).toEqual(['converged']);
    expect(energy).toBe(0);
    simulation.setJointVelocity('turn', 3);
    for (let n = 0; n < 200; n++) simulation.step();
    expect(simulation.unresolved).toEqual([]);
  });

  test('ignore-pairs leaves out what separate would push apart; refuse names it', () => {
    const bodies = [free('deep', [0, 0, 0.09], CUBE), free('touching', [1, 0, 0.1], CUBE)];
    const ignoring = start(formulation, bodies, { start: 'ignore-pairs' });
    expect(ignoring.unresolved).toEqual([expect.stringMatching(/"floor" and the shape of "deep".* 10 mm/)]);
    for (let n = 0; n < 50; n++) ignoring.step();
    expect(ignoring.bodyPosition[5]).toBeCloseTo(0.09 - 0.5 * 9.81 * 0.1 * 0.102, 6);
    expect(ignoring.bodyPosition[8]).toBeGreaterThan(0.099);
    const refusing = start(formulation, bodies, { start: 'refuse' });
    expect(() => refusing.step()).toThrow(/"floor" and the shape of "deep" intersect at the start by 10 mm/);
    expect(refusing.time).toBe(0);
  });

  test('a body that is pushed has no contact with what it was left out of', () => {
    const post: Shape = { kind: 'box', halfSize: [0.1, 0.1, 1], position: [0, 0, 1] };
    const options: SceneOptions = { start: 'ignore-pairs', timestep: 1 / 60, gravity: [0, 0, 0] };
    const simulation = start(formulation, [free('box', [0.05, 0, 1], CUBE)], options, [post]);
    const push = 20 * WEIGHT;
    simulation.applyForce('box', { force: [0, 0, push] });
    for (let n = 1; n <= 3; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(simulation.contactForces()).toEqual([]);
      expect(simulation.velocity('box').linear).toEqual([0, 0, expect.closeTo((n * push) / (8 * 60), 9)]);
    }
  });

  test('a body that the user puts into the floor is lifted slowly', () => {
    const simulation = start(formulation, [free('box', [0, 0, 0.1], CUBE), free('other', [2, 0, 0.1], CUBE)]);
    for (let n = 0; n < 10; n++) simulation.step();
    simulation.setPose('box', { position: [0, 0, 0.06] });
    const { speed, height } = follow(simulation, 'box', 300);
    expect(speed).toBeLessThan(1.05 * RECOVERY);
    expect(height).toBeLessThan(0.1005);
    expect(simulation.bodyPosition[5]).toBeGreaterThan(0.0995);
  });

  test('pairs are a part of the state', () => {
    const bodies = [free('box', [0, 0, 0.04], CUBE), free('deep', [1, 0, -0.02], CUBE)];
    const one = start(formulation, bodies);
    for (let n = 0; n < 5; n++) one.step();
    const two = start(formulation, bodies);
    two.restore(one.snapshot());
    expect(two.unresolved).toHaveLength(2);
    for (let n = 0; n < 60; n++) {
      one.forward();
      one.step();
      two.step();
      expect(two.hash()).toBe(one.hash());
    }
  });
});

test.each<[FormulationId, Shape, number]>(
  (['mujoco', 'sap', 'ccp', 'ipc'] as const).flatMap((formulation): [FormulationId, Shape, number][] => [
    [formulation, { kind: 'capsule', radius: 0.05, halfLength: 0.2, density: 1000 }, 0.25],
    [formulation, { kind: 'box', halfSize: [0.05, 0.05, 0.3], density: 1000 }, 0.3],
  ]),
)('%s: what stands with its centre on the floor comes out of it: %o', (formulation, shape, height) => {
  const simulation = start(formulation, [free('post', [0, 0, 0], shape)], { timestep: 1 / 240 });
  for (let n = 0; n < 360; n++) expect(simulation.step().status).toBe('converged');
  // it rests within the depth of springs, or the range of the barrier
  expect(Math.abs(simulation.pose('post').position[2] - height)).toBeLessThan(1.5e-3);
  expect(simulation.unresolved.filter((text) => text.includes('contact of'))).toEqual([]);
});

test('sap: bodies that start where their springs carry them stay there', () => {
  // four corners: m g / 4 k = 39 mm
  const depth = WEIGHT / (4 * 500);
  const { speed } = follow(
    start('sap', [free('box', [0, 0, 0.1 - depth], CUBE)], { sap: { stiffness: 500 } }),
    'box',
    100,
  );
  expect(speed).toBeLessThan(1e-6);
});

test("mujoco: files keep MuJoCo's way of pushing overlaps apart", () => {
  const simulation = start('mujoco', [free('box', [0, 0, 0.01], CUBE)], { integrator: 'euler' });
  expect(simulation.unresolved).toEqual([]);
  expect(follow(simulation, 'box', 100).speed).toBeGreaterThan(1);
});
