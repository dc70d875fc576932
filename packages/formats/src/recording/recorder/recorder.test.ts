import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { countFrameNumbers, createRecorder } from './recorder.ts';

function createSimulation(): Simulation {
  const world = scene('mixed').timestep(0.01);
  world
    .body('base', { position: [0, 0, 3] })
    .free('root')
    .box({ halfSize: [0.1, 0.1, 0.1] });
  const arm = world
    .body('arm')
    .ball('shoulder')
    .sphere({ radius: 0.1, position: [0.2, 0, 0] });
  arm
    .body('hand', { position: [0.4, 0, 0] })
    .hinge('wrist')
    .slide()
    .sphere({ radius: 0.05, position: [0.1, 0, 0] });
  world.motor('turn', { joint: 'wrist' });
  return new Simulation(compileModel(world.build()));
}

describe('recorder', () => {
  test('keeps copies of the state, named by joint and component', () => {
    const simulation = createSimulation();
    const recorder = createRecorder(simulation.model, 5);
    recorder.record(simulation, 0);
    simulation.state.control[0] = 0.5;
    simulation.step(10);
    recorder.record(simulation, 0);
    const recording = recorder.finish({ bodies: true });
    expect(recording.time[0]).toBe(0);
    expect(recording.time[1]).toBeCloseTo(0.1, 12);
    const column = (name: string) => recording.columns.find((candidate) => candidate.name === name)!;
    const names = ['root.x', 'root.y', 'root.z', 'root.qw', 'root.qx', 'root.qy', 'root.qz'];
    expect(column('position').labels!.slice(0, 7)).toEqual(names);
    expect(column('position').labels!.slice(7)).toEqual([
      'shoulder.qw',
      'shoulder.qx',
      'shoulder.qy',
      'shoulder.qz',
      'wrist',
      'joint 3',
    ]);
    expect(column('velocity').labels!.slice(6)).toEqual([
      'shoulder.wx',
      'shoulder.wy',
      'shoulder.wz',
      'wrist',
      'joint 3',
    ]);
    expect(column('position')).toMatchObject({
      unit: 'm or 1 or rad',
      units: ['m', 'm', 'm', '1', '1', '1', '1', '1', '1', '1', '1', 'rad', 'm'],
    });
    expect(column('velocity').units!.slice(3)).toEqual([...new Array(6).fill('rad/s'), 'rad/s', 'm/s']);
    expect(column('control')).toMatchObject({ labels: ['turn'], data: new Float64Array([0, 0.5]) });
    // the second row is the state now, the first is not overwritten
    expect([...column('position').data.slice(13)]).toEqual([...simulation.state.position]);
    expect([...column('position').data.slice(0, 13)]).toEqual([...simulation.model.initialPosition]);
    expect([...column('bodyPosition').data.slice(12)]).toEqual([...simulation.bodyPosition]);
    const { kinetic, potential } = simulation.energy();
    expect([...column('energy').data.slice(2)]).toEqual([kinetic, potential]);
  });

  test('a joint without a name goes by its body, where no other could be meant', () => {
    const world = scene('names');
    for (const name of ['box', 'lid']) {
      const body = world.body(name);
      (name === 'box' ? body.free() : body.hinge('door')).box({ halfSize: [0.1, 0.1, 0.1] });
    }
    world
      .body('door')
      .slide()
      .box({ halfSize: [0.1, 0.1, 0.1] });
    const { columns } = createRecorder(compileModel(world.build()), 1).finish({ bodies: false });
    // the body named door is not the joint of that name
    expect(columns[0]!.labels!.slice(6)).toEqual(['box.qz', 'door', 'joint 2']);
  });

  test('a frame has as many numbers as it says', () => {
    const simulation = createSimulation();
    const recorder = createRecorder(simulation.model, 1);
    recorder.record(simulation, 0);
    const { columns } = recorder.finish({ bodies: true });
    expect(countFrameNumbers(simulation.model)).toBe(1 + columns.reduce((sum, column) => sum + column.data.length, 0));
    const narrow = recorder.finish({ bodies: false }).columns.map((column) => column.name);
    expect(narrow).toEqual([
      'position',
      'velocity',
      'control',
      'actuatorForce',
      'jointForce',
      'jointTorque',
      'energy',
      'termEnergy',
      'termForce',
      'termTorque',
      'iterations',
      'residual',
      'status',
      'contactCount',
      'penetration',
      'normalForce',
    ]);
  });

  test('a resting crate: four contacts, which carry its weight in every frame', () => {
    const world = scene('crate');
    world.plane('floor');
    world
      .body('crate', { position: [0, 0, 0.1] })
      .free()
      .box({ halfSize: [0.1, 0.1, 0.1], mass: 3 });
    const simulation = new Simulation(compileModel(world.build()));
    simulation.step(1000);
    const recorder = createRecorder(simulation.model, 2);
    recorder.record(simulation, 0);
    simulation.step();
    recorder.record(simulation, 0);
    const { columns } = recorder.finish({ bodies: false });
    const data = (name: string): number[] => [...columns.find((column) => column.name === name)!.data];
    expect(data('contactCount')).toEqual([4, 4]);
    expect(data('status')).toEqual([0, 0]);
    for (const force of data('normalForce')) expect(force).toBeCloseTo(3 * 9.81, 6);
    expect(data('penetration')[1]).toBe(Math.max(...simulation.contactForces().map(({ gap }) => -gap)));
    expect(data('iterations')[1]).toBe(simulation.report.iterations);
  });

  test('keeps energy, force and torque of every term, by name', () => {
    const spring = { between: [0, 1], stiffness: 100, restLength: 0 };
    const points = [{ body: 'ball', at: [0, 0, 0] }, { body: 'world' }];
    const model = compileModel({
      format: 'nexdyn-scene',
      version: 1,
      bodies: [
        {
          name: 'ball',
          position: [0, 0, 2],
          joints: [{ kind: 'free' }],
          inertia: { kind: 'principal', mass: 1, moments: [1, 1, 1] },
        },
      ],
      terms: [
        { kind: 'springNetwork', points, springs: [spring] },
        { kind: 'springNetwork', name: 'half', weight: 0.5, points, springs: [spring] },
      ],
    });
    const simulation = new Simulation(model);
    const recorder = createRecorder(model, 1);
    recorder.record(simulation, 0);
    const { columns } = recorder.finish({ bodies: false });
    const column = (name: string) => columns.find((candidate) => candidate.name === name)!;
    const names = ['kinetic', 'gravity', 'springs', 'elastic', 'contacts', 'friction', 'joints'];
    const labels = [...names, 'springNetwork 1', 'half'];
    expect(column('termEnergy')).toMatchObject({ unit: 'J', labels });
    expect(column('termForce')).toMatchObject({ unit: 'N', labels });
    expect(column('termTorque')).toMatchObject({ unit: 'N m', labels });
    // ½ k z² and k z at z = 2 m; no step has given the forces of inertia and contacts yet
    const weight = expect.closeTo(9.81, 12);
    expect([...column('termEnergy').data]).toEqual([0, expect.closeTo(2 * 9.81, 12), 0, 0, 0, 0, 0, 200, 100]);
    expect([...column('termForce').data]).toEqual([0, weight, 0, 0, 0, 0, 0, 200, 100]);
    simulation.step();
    const next = createRecorder(model, 1);
    next.record(simulation, 1);
    const { columns: after } = next.finish({ bodies: false });
    const force = after.find(({ name }) => name === 'termForce')!.data;
    // m a, implicit: the springs and the weight pull the same way
    expect(force[0]! / (9.81 + force[7]! + force[8]!)).toBeCloseTo(1, 4);
    expect(column('energy').data[1]).toBeCloseTo(300 + 9.81 * 2, 9);
  });
});
