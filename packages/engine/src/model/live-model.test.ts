import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeCases, takeSamples } from '../../../../scripts/long-run.ts';
import { compileModel, type FormulationId, type Model, type Scene, Simulation, scene } from '../index.ts';
import type { ModelParameters } from './model-parameters.ts';
import { isSame } from './same-assets.ts';
import { changeModel } from './scene-parameters.ts';

const FORMULATIONS: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];

function readScene(name: string): Scene {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`../../../../scenes/${name}.json`, import.meta.url)), 'utf8'));
}

/** Everything that a number of the scene can reach: given inertia, shapes that weigh together, tendons, servos of all kinds, cameras. */
function buildEverything(restitution?: number): Scene {
  const world = scene('everything').timestep(0.004);
  world.material('rubber', {
    friction: 0.8,
    density: 1200,
    stiffness: 1e6,
    dissipation: 2,
    ...(restitution && { restitution }),
  });
  world.plane('floor', { friction: 0.7 });
  const base = world.body('base', { position: [0, 0, 0.4] }).free();
  base.box('hull', { halfSize: [0.2, 0.15, 0.05], mass: 3 });
  base.sphere('knob', { radius: 0.04, position: [0.1, 0, 0.08], material: 'rubber' });
  const arm = base.body('arm', { position: [0.2, 0, 0.05] });
  arm.hinge('shoulder', { axis: [0, 1, 0], stiffness: 4, damping: 0.3, armature: 0.02, frictionLoss: 0.05 });
  arm.capsule('upper', { from: [0, 0, 0], to: [0.3, 0, 0], radius: 0.03 });
  const hand = arm.body('hand', { position: [0.3, 0, 0] });
  hand.slide('reach', { axis: [1, 0, 0], limit: { range: [-0.05, 0.1] }, damping: 1 });
  hand.sphere('fist', { radius: 0.05, density: 800, position: [0.02, 0, 0] });
  const wheel = world.body('wheel', { position: [1, 0, 0.3] });
  wheel.hinge('axle', { axis: [0, 1, 0] });
  wheel.cylinder('tyre', { radius: 0.1, halfLength: 0.02, material: 'rubber' });
  world.positionServo('servo', { joint: 'shoulder', stiffness: 20, damping: 1 });
  world.motor('push', { joint: 'reach' });
  const built = world.build();
  const [, ring] = built.bodies!;
  ring!.inertia = { kind: 'tensor', mass: 2, center: [0.01, 0, 0], tensor: [0.02, 0.03, 0.025, 0.001, 0, 0] };
  ring!.gravityCompensation = 0.4;
  ring!.joints![0]!.springDamper = [0.2, 0.7];
  built.tendons = [
    {
      kind: 'fixed',
      name: 'link',
      terms: [
        { joint: 'shoulder', coefficient: 1 },
        { joint: 'axle', coefficient: -0.5 },
      ],
      stiffness: 3,
      damping: 0.2,
      armature: 0.01,
      frictionLoss: 0.1,
    },
  ];
  built.actuators!.push(
    {
      kind: 'position',
      name: 'critical',
      transmission: { kind: 'joint', joint: 'axle' },
      stiffness: 5,
      dampingRatio: 1,
    },
    { kind: 'velocity', name: 'spin', transmission: { kind: 'joint', joint: 'axle' }, gain: 0.3 },
    {
      kind: 'general',
      name: 'law',
      transmission: { kind: 'joint', joint: 'reach' },
      gain: [2, 0, 0],
      bias: [0, -3, -0.5],
    },
  );
  built.bodies![0]!.cameras = [{ name: 'follower', mode: 'trackCenter', position: [0, -2, 1] }];
  built.keyframes = [{ name: 'up', position: [0, 0, 0.6, 1, 0, 0, 0, 0.2, 0.01, 0.3] }];
  return built;
}

const amount = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true });
const place = (reach: number) => fc.tuple(amount(-reach, reach), amount(-reach, reach), amount(-reach, reach));
/** Every kind of parameter that is set without the compiler. */
const IN_PLACE: Record<string, fc.Arbitrary<unknown>> = {
  gravity: fc.tuple(amount(-4, 4), amount(-4, 4), amount(-20, -1)),
  'gravity.2': amount(-20, -1),
  'options.gravity.0': amount(-3, 3),
  'bodies.base.mass': amount(0.5, 9),
  'bodies.arm.mass': amount(0.2, 5),
  'bodies.wheel.mass': amount(0.2, 5),
  'bodies.*.mass': amount(0.2, 5),
  'bodies.wheel.gravityCompensation': amount(0.1, 1),
  'shapes.*.friction': amount(0, 1.5),
  'shapes.hull.friction': amount(0, 1.5),
  'shapes.fist.spinFriction': amount(0, 0.1),
  'shapes.fist.rollFriction': amount(0, 0.1),
  'shapes.fist.density': amount(100, 9000),
  'shapes.hull.mass': amount(0.5, 9),
  'shapes.fist.position': place(0.02),
  'shapes.knob.position.0': amount(-0.1, 0.1),
  'shapes.knob.orientation': fc.tuple(amount(0.2, 1), amount(-1, 1), amount(-1, 1), amount(-1, 1)),
  'shapes.floor.position.2': amount(-0.01, 0),
  'joints.shoulder.stiffness': amount(0.5, 4000),
  'joints.shoulder.damping': amount(0.01, 30),
  'joints.shoulder.armature': amount(0.001, 0.5),
  'joints.shoulder.frictionLoss': amount(0.01, 2),
  'joints.reach.damping': amount(0.01, 30),
  'tendons.link.stiffness': amount(0.1, 100),
  'tendons.link.damping': amount(0.01, 5),
  'tendons.link.armature': amount(0.001, 0.1),
  'tendons.link.frictionLoss': amount(0.01, 1),
  'actuators.servo.stiffness': amount(1, 3000),
  'actuators.servo.damping': amount(0.1, 50),
  'actuators.critical.dampingRatio': amount(0.1, 3),
  'actuators.critical.stiffness': amount(1, 50),
  'actuators.spin.gain': amount(0.1, 3),
  'actuators.law.gain': fc.tuple(amount(0.1, 5), fc.constant(0), fc.constant(0)),
  'actuators.law.bias.1': amount(-9, -1),
  'materials.rubber.friction': amount(0, 1.5),
  'materials.rubber.density': amount(300, 3000),
  'materials.rubber.stiffness': amount(1e4, 1e7),
  'materials.rubber.dissipation': amount(0.1, 5),
  'materials.rubber.restitution': amount(0.1, 0.9),
};
/** What the compiler must judge, and what it refuses. */
const COMPILED: Record<string, unknown> = {
  timestep: 0.003,
  'joints.shoulder.limit': { range: [-0.1, 0.1] },
  'joints.reach.stiffness': 5,
  'joints.axle.springDamper': [0.1, 1],
  'shapes.hull.halfSize': [0.1, 0.1, 0.1],
  'bodies.base.position': [0, 0, 1],
  'gravity.3': 1,
  'shapes.fist.friction': -1,
  'bodies.arm.mass': 0,
  'bodies.base.inertia': { kind: 'principal', mass: 1, moments: [1, 1, 5] },
  'bodies.nobody.mass': 1,
  'actuators.servo.dampingRatio': 1,
};

describe('parameters computed by path', () => {
  it.each(FORMULATIONS)('are those of the changed scene, compiled, to the last bit, under %s', (formulation) => {
    // only one of them knows restitution
    const isBouncing = formulation === 'ccp';
    const model = compileModel(buildEverything(isBouncing ? 0.3 : undefined), { formulation });
    const simulation = new Simulation(model, { ownParameters: true });
    const compare = (values: Record<string, unknown>): void => {
      const found = simulation.computeParameters(values);
      expect(found, Object.keys(values).join()).toBeDefined();
      const changed = changeModel(model, values);
      expectSame(found, simulation.matchParameters(changed));
      // all of the model, not only what is a parameter
      simulation.setParameters(found!);
      expectSameModel(simulation.model, changed);
    };
    const paths = Object.keys(IN_PLACE).filter((path) => isBouncing || !path.endsWith('restitution'));
    for (const path of takeCases(paths, 4, FORMULATIONS.indexOf(formulation) % 4)) {
      for (const value of fc.sample(IN_PLACE[path], { numRuns: 2, seed: 7 })) compare({ [path]: value });
    }
    const several = fc
      .subarray(paths, { minLength: 2, maxLength: 8 })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((path) => [path, IN_PLACE[path]!]))));
    fc.assert(fc.property(several, compare), { numRuns: takeSamples(12, 0.5) });
    // nothing is left of them
    expect(simulation.computeParameters({})).toStrictEqual(simulation.matchParameters(model));
  });

  it('are left to the compiler where it must judge', () => {
    const simulation = new Simulation(compileModel(buildEverything()), { ownParameters: true });
    for (const [path, value] of Object.entries(COMPILED)) {
      expect(simulation.computeParameters({ 'gravity.2': -3, [path]: value }), path).toBeUndefined();
      // and what was refused leaves no trace
      expect(simulation.computeParameters({})!.values.size, path).toBe(0);
    }
    const soft = new Simulation(compileModel(readScene('soft-gripper')), { ownParameters: true });
    expect(soft.computeParameters({ 'gravity.2': -3 })).toBeUndefined();
  });

  const SCENES = ['robot-arm', 'ragdoll', 'incline', 'box-stack', 'gripper', 'conveyor'];
  it.each(SCENES)('are the same in %s', (name) => {
    const source = readScene(name);
    for (const formulation of takeCases(FORMULATIONS, 3, SCENES.indexOf(name) % 3)) {
      const model = compileModel(source, { formulation });
      const simulation = new Simulation(model, { ownParameters: true });
      for (const k of [0.61, 1.73]) {
        const masses = [...model.body.mass.keys()]
          .filter((b) => b > 0 && model.body.mass[b] > 0)
          .map((b) => [`bodies.${b - 1}.mass`, model.body.mass[b] * (k + 0.013 * b)]);
        const values = { 'shapes.*.friction': 0.45 * k, 'gravity.2': -8 * k, ...Object.fromEntries(masses) };
        const found = simulation.computeParameters(values);
        expect(found).toBeDefined();
        expectSame(found, simulation.matchParameters(changeModel(model, values)));
      }
    }
  });
});

/** Numbers to the last bit. */
function expectSame(a: ModelParameters | undefined, b: ModelParameters | undefined): void {
  expect([...a!.values.keys()]).toEqual([...b!.values.keys()]);
  for (const [field, numbers] of a!.values) expect(isSame(numbers, b!.values.get(field)), `field ${field}`).toBe(true);
  expect(a!.meanInertia).toBe(b!.meanInertia);
}

/** Every number of two models; records of materials have room behind them. */
function expectSameModel(own: Model, compiled: Model): void {
  const { surface, geometry, ...rest } = compiled;
  for (const [section, part] of Object.entries(rest)) {
    expect(isSame(own[section as keyof Model], part), section).toBe(true);
  }
  expect(isSame(own.surface.number, surface.number)).toBe(true);
  expect(isSame(own.surface.record.slice(0, surface.record.length), surface.record)).toBe(true);
}
