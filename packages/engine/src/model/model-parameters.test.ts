import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeCases, takeSamples } from '../../../../scripts/long-run.ts';
import { linearize } from '../derivatives.ts';
import { compileModel, type FormulationId, type Scene, Simulation, scene, setSceneParameters } from '../index.ts';
import { changeModel } from './scene-parameters.ts';

const STEPS = takeSamples(12, 0.5);

function readScene(name: string): Scene {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`../../../../scenes/${name}.json`, import.meta.url)), 'utf8'));
}

/** Joints with springs, a servo, a tendon, materials, limits and contacts in one scene. */
function buildMachine(): Scene {
  const world = scene('machine').timestep(0.004);
  world.plane('floor', { friction: 0.7 });
  const base = world.body('base', { position: [0, 0, 0.32] }).free();
  base.box('hull', { halfSize: [0.2, 0.15, 0.05], mass: 3 });
  const arm = base.body('arm', { position: [0.2, 0, 0.05] });
  arm.hinge('shoulder', { axis: [0, 1, 0], stiffness: 4, damping: 0.3, armature: 0.02, frictionLoss: 0.05 });
  arm.capsule('upper', { from: [0, 0, 0], to: [0.3, 0, 0], radius: 0.03 });
  const hand = arm.body('hand', { position: [0.3, 0, 0] });
  hand.slide('reach', { axis: [1, 0, 0], limit: { range: [-0.05, 0.1] }, damping: 1 });
  hand.sphere('fist', { radius: 0.05, density: 800 });
  world
    .body('crate', { position: [0.65, 0.02, 0.1] })
    .free()
    .box('crate', { halfSize: [0.08, 0.08, 0.1], friction: 0.4 });
  world.positionServo('servo', { joint: 'shoulder', stiffness: 20, damping: 1 });
  world.motor('push', { joint: 'reach' });
  const built = world.build();
  built.sensors = [
    { kind: 'framePosition', name: 'fist', object: { kind: 'shape', name: 'fist' } },
    { kind: 'frameLinearAcceleration', name: 'jolt', object: { kind: 'body', name: 'hand' } },
    { kind: 'subtreeCenter', name: 'whole', body: 'base' },
    { kind: 'potentialEnergy', name: 'height' },
    { kind: 'framePosition', name: 'seen from', object: { kind: 'camera', name: 'follower' } },
  ];
  // they follow centres of mass, which move with masses
  built.bodies![0]!.cameras = [{ name: 'follower', mode: 'trackCenter', position: [0, -2, 1] }];
  built.lights = [{ name: 'lamp', mode: 'targetCenter', target: 'arm', position: [0, 0, 3] }];
  return built;
}

/** A block with all that a solid can have, which slides under a weight, a cloth and a rod. */
function buildSoftBodies(): Scene {
  const world = scene('soft').timestep(0.004);
  world.material('rubber', { friction: 0.6 });
  world.plane('floor', { friction: 0.1 });
  world
    .body('weight', { position: [0, 0, 0.129] })
    .free()
    .box('weight', { halfSize: [0.06, 0.06, 0.03], mass: 1, friction: 0.1 })
    .sphere('stud', { radius: 0.02, position: [0, 0, 0.05], mass: 0.3 });
  const elasticity = { youngsModulus: 5e4, poissonRatio: 0.3, density: 900, massDamping: 2 };
  world.softBody('block', {
    position: [0, 0, 0.049],
    velocity: [0.4, 0, 0],
    material: 'rubber',
    contact: 'point',
    mesh: { kind: 'box', halfSize: [0.1, 0.05, 0.05], cells: [2, 1, 1] },
    elasticity: {
      ...elasticity,
      stiffnessDamping: 0.002,
      viscosity: 20,
      fibers: { youngsModulus: 1e5, direction: [1, 0, 0] },
      plasticity: { yieldStress: 100, hardening: 100 },
    },
  });
  world.softBody('cloth', {
    position: [0.5, 0, 0.001],
    velocity: [0.4, 0, 0],
    material: 'rubber',
    mesh: { kind: 'grid', size: [0.2, 0.2], cells: [2, 2], thickness: 0.002 },
    elasticity,
  });
  world.softBody('rod', {
    position: [0, 0.5, 0.2],
    mesh: { kind: 'polyline', points: [0, 0, 0, 0.1, 0, 0, 0.2, 0, 0.05], radius: 0.01 },
    elasticity,
    pinned: [0],
  });
  return world.build();
}

const value = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true });
const CHANGES: Record<string, fc.Arbitrary<unknown>> = {
  'bodies.arm.mass': value(0.2, 5),
  'bodies.base.mass': value(0.5, 9),
  'bodies.crate.mass': value(0.05, 20),
  'shapes.*.friction': fc.oneof(fc.constant(0), value(0.05, 1.5)),
  'shapes.crate.friction': value(0.05, 1.5),
  'shapes.fist.density': value(100, 9000),
  'shapes.fist.position': fc.tuple(value(-0.02, 0.02), value(-0.02, 0.02), value(-0.02, 0.02)),
  'joints.shoulder.stiffness': value(0.5, 4000),
  'joints.shoulder.damping': value(0.01, 30),
  'joints.shoulder.armature': value(0.001, 0.5),
  'joints.shoulder.frictionLoss': value(0.01, 2),
  'joints.reach.damping': value(0.01, 30),
  'actuators.servo.stiffness': value(1, 3000),
  'actuators.servo.damping': value(0.1, 50),
  'gravity.2': value(-20, -1),
  'gravity.0': value(-4, 4),
  // zero comes or goes, another model: these need a simulation of their own
  'joints.reach.stiffness': value(1, 50),
  'joints.shoulder.limit': fc.constant({ range: [-0.1, 0.1] }),
  timestep: value(0.001, 0.005),
};
const OWN = ['joints.reach.stiffness', 'joints.shoulder.limit', 'timestep'];

function advance(simulation: Simulation, state: Float64Array): string {
  simulation.restore(state);
  simulation.step(STEPS);
  return simulation.hash();
}

describe('parameters set in place', () => {
  const formulations: FormulationId[] = ['mujoco', 'sap', 'ccp', 'penalty', 'ipc'];
  const machine = buildMachine();
  it.each(formulations)('go on as a simulation of the changed scene does, under %s', (formulation) => {
    const model = compileModel(machine, { formulation });
    const simulation = new Simulation(model, { ownParameters: true });
    simulation.setControl('servo', 0.4);
    simulation.setControl('push', 2);
    const start = simulation.snapshot();
    const plain = advance(simulation, start);
    const paths = Object.keys(CHANGES);
    const changes = fc.subarray(paths, { minLength: 1, maxLength: 5 }).chain((chosen) => fc.record(pick(chosen)));
    let inPlace = 0;
    fc.assert(
      fc.property(changes, (values) => {
        const changed = changeModel(model, values);
        expect(changed).toEqual(compileModel(setSceneParameters(machine, values), { formulation }));
        const parameters = simulation.matchParameters(changed);
        if (!Object.keys(values).some((path) => OWN.includes(path))) expect(parameters).toBeDefined();
        if (!parameters) return;
        inPlace++;
        simulation.setParameters(parameters);
        const twin = new Simulation(changed);
        expect(advance(simulation, start)).toBe(advance(twin, start));
        expect(simulation.sensorData).toEqual(twin.sensorData);
        expect(simulation.energy()).toEqual(twin.energy());
      }),
      // two of them can be taken in place for sure
      {
        numRuns: takeSamples(10, 0.5),
        examples: [[{ 'bodies.arm.mass': 2 }], [{ 'gravity.2': -5, 'shapes.*.friction': 0.3 }]],
      },
    );
    expect(inPlace).toBeGreaterThan(1);
    // and back
    simulation.setParameters(simulation.matchParameters(model)!);
    expect(advance(simulation, start)).toBe(plain);
  });

  const SCENES = ['robot-arm', 'gripper', 'conveyor'];
  it.each(SCENES)('are the same in %s', (name) => {
    const source = readScene(name);
    for (const formulation of takeCases(formulations, 2, SCENES.indexOf(name) % 2)) {
      const model = compileModel(source, { formulation });
      const simulation = new Simulation(model, { ownParameters: true });
      const start = simulation.snapshot();
      advance(simulation, start);
      for (const k of takeCases([0.6, 1.7], 2)) {
        const values = { 'shapes.*.friction': 0.45 * k, 'gravity.2': -8 * k, ...scaleMasses(source, k) };
        const changed = changeModel(model, values);
        const parameters = simulation.matchParameters(changed);
        expect(parameters).toBeDefined();
        simulation.setParameters(parameters!);
        expect(advance(simulation, start)).toBe(advance(new Simulation(changed), start));
      }
    }
  });

  // what the change of each is seen in: soft bodies of three kinds that slide, fall and carry a weight
  const soft = buildSoftBodies();
  const SOFT_CHANGES: Record<string, Record<string, unknown>> = {
    E: { 'softBodies.*.E': 3e4 },
    "Poisson's ratio": { 'softBodies.*.elasticity.poissonRatio': 0.21 },
    density: { 'softBodies.*.elasticity.density': 400 },
    'damping of mass': { 'softBodies.*.elasticity.massDamping': 0.7 },
    'damping of stiffness': { 'softBodies.block.elasticity.stiffnessDamping': 0.005 },
    viscosity: { 'softBodies.block.elasticity.viscosity': 60 },
    fibers: { 'softBodies.block.elasticity.fibers.youngsModulus': 4e5 },
    yield: { 'softBodies.block.elasticity.plasticity.yieldStress': 5 },
    friction: { 'materials.rubber.friction': 0.1 },
    'mass of a body': { 'bodies.weight.mass': 3 },
    'place of a shape': { 'shapes.weight.position.2': -0.003 },
    'all together': {
      'softBodies.*.E': 7e4,
      'softBodies.*.elasticity.density': 1500,
      'materials.rubber.friction': 0.2,
    },
  };
  it.each(formulations)('of soft bodies go on as a simulation of the changed scene does, under %s', (formulation) => {
    const model = compileModel(soft, { formulation });
    const simulation = new Simulation(model, { ownParameters: true });
    const start = simulation.snapshot();
    const go = (moving: Simulation): string => {
      moving.restore(start);
      moving.step(4);
      return moving.hash();
    };
    const plain = go(simulation);
    // in a short run a third of the changes, the other thirds under the next formulations
    const chosen = takeCases(Object.entries(SOFT_CHANGES), 3, formulations.indexOf(formulation) % 3);
    for (const [name, values] of chosen) {
      const changed = changeModel(model, values);
      const parameters = simulation.matchParameters(changed);
      expect(parameters, name).toBeDefined();
      simulation.setParameters(parameters!);
      const hash = go(simulation);
      expect(hash, name).not.toBe(plain);
      const twin = new Simulation(changed);
      expect(go(twin), name).toBe(hash);
      expect(simulation.energy()).toEqual(twin.energy());
    }
    simulation.setParameters(simulation.matchParameters(model)!);
    expect(go(simulation)).toBe(plain);
  });

  it('are not taken where a soft body would have other elements', () => {
    const model = compileModel(soft, { formulation: 'sap' });
    const simulation = new Simulation(model, { ownParameters: true });
    for (const values of [
      { 'softBodies.block.elasticity.model': 'neoHookean' },
      { 'softBodies.block.elasticity.viscosity': 0 },
      { 'softBodies.block.mesh.cells': [2, 2, 1] },
    ])
      expect(simulation.matchParameters(changeModel(model, values))).toBeUndefined();
  });

  it('leave the model that the simulation was made with as it is', () => {
    const model = compileModel(machine);
    const simulation = new Simulation(model, { ownParameters: true });
    simulation.setParameters(simulation.matchParameters(changeModel(model, { 'gravity.2': -3 }))!);
    expect(simulation.model.options.gravity[2]).toBe(-3);
    expect(model.options.gravity[2]).toBe(-9.81);
    expect(() => linearize(simulation)).toThrow(/ownParameters/);
  });

  it('are not taken by a simulation without its own', () => {
    const model = compileModel(machine);
    expect(new Simulation(model).matchParameters(changeModel(model, { 'gravity.2': -3 }))).toBeUndefined();
  });
});

function pick(paths: string[]): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(paths.map((path) => [path, CHANGES[path]]));
}

/** Bodies that weigh something, heavier by a factor that differs from body to body. */
function scaleMasses(source: Scene, k: number): Record<string, number> {
  const model = compileModel(source, { formulation: 'mujoco' });
  const entries = [...model.body.mass.keys()]
    .filter((b) => b > 0 && model.body.mass[b] > 0)
    .map((b) => [`bodies.${b - 1}.mass`, model.body.mass[b] * (k + 0.01 * b)]);
  return Object.fromEntries(entries);
}
