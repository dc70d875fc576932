/** Sensors against closed forms under every formulation; validation/oracle/sensors.test.ts compares them with MuJoCo. */
import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../../../scripts/long-run.ts';
import '../index.ts';
import { NexdynError } from '../error.ts';
import { compileModel } from '../model/compile.ts';
import { scene } from '../scene/builder.ts';
import type { FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { SENSOR_KINDS } from '../scene/sensor-kinds.ts';
import type { Tendon } from '../scene/tendon.ts';
import { Simulation } from '../simulation.ts';

const takeTurn = createTurns();

const FORMULATIONS: FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];
const GRAVITY = 9.81;

/** A box of 3 kg on the floor that carries a load of 1 kg, and a pendulum at rest. */
function describeScale(): Scene {
  const world = scene('scale').timestep(0.005);
  world.plane('floor');
  const box = world.body('box', { position: [0, 0, 0.1] }).free();
  box.box('block', { halfSize: [0.1, 0.1, 0.1], mass: 3 });
  box.site('sole', { shape: 'box', size: [0.2, 0.2, 0.03], position: [0, 0, -0.1] });
  box.site('face', { position: [0, 0, -0.1], orientation: [0, 1, 0, 0] });
  box.site('eye', { position: [0, 0, 0.05], orientation: [0, 1, 0, 0] });
  const load = box.body('load', { position: [0.02, 0, 0.15] });
  load.sphere({ radius: 0.05, mass: 1 });
  load.site('gauge', { position: [0, 0, -0.05] });
  const arm = world.body('arm', { position: [1, 0, 1] }).hinge('pivot', { axis: [0, 1, 0] });
  arm.sphere('bob', { radius: 0.05, position: [0, 0, -0.5], mass: 2 });
  arm.site('hang', {});
  world.sensor('accelerometer', 'imu', { site: 'gauge' });
  world.sensor('force', 'weight above', { site: 'gauge' });
  world.sensor('torque', 'moment', { site: 'gauge' });
  world.sensor('force', 'pull', { site: 'hang' });
  world.sensor('touch', 'support', { site: 'sole' });
  world.sensor('rangefinder', 'height', { site: 'eye' });
  world.sensor('distance', 'gap', {
    first: { kind: 'shape', name: 'bob' },
    second: { kind: 'shape', name: 'floor' },
    cutoff: 3,
  });
  world.sensor('tactile', 'skin', { site: 'face', cells: [4, 3], size: [0.1, 0.1] });
  world.sensor('touchGrid', 'around', { site: 'face', cells: [4, 3], angles: [Math.PI, Math.PI / 2], channels: 3 });
  world.sensor('contactPair', 'pair', {
    first: { kind: 'body', name: 'world' },
    second: { kind: 'body', name: 'box' },
  });
  world.sensor('contact', 'net', {
    second: { kind: 'subtree', name: 'box' },
    reduce: 'netForce',
    data: ['found', 'force'],
  });
  world.sensor('subtreeCenter', 'center', { body: 'box' });
  world.sensor('jointPosition', 'angle', { joint: 'pivot' });
  world.sensor('clock', 'clock', {});
  world.sensor('user', 'mine', { dimension: 2 });
  return world.build();
}

test.each(FORMULATIONS)(
  'what touches the fixed body that carries it does not load its sensor under %s',
  (formulation) => {
    const world = scene('stand').timestep(0.005);
    const stand = world.body('stand', { position: [0, 0, 1] });
    stand.box('table', { halfSize: [0.2, 0.2, 0.05], mass: 2 });
    stand.site('foot', { position: [0, 0, -0.05] });
    const block = stand.body('block', { position: [0, 0, 0.1] }).slide('up', { axis: [0, 0, 1] });
    block.box('block', { halfSize: [0.05, 0.05, 0.05], mass: 1 });
    world.sensor('force', 'load', { site: 'foot' });
    const simulation = new Simulation(compileModel(world.build(), { formulation }));
    simulation.step(200);
    // the contact between the two is a force within; the foot carries both
    expect(simulation.contactForces().length).toBeGreaterThan(0);
    expect(Math.abs(simulation.sensor('load')[2]! / (3 * GRAVITY) - 1)).toBeLessThan(1e-3);
  },
);

describe.each(FORMULATIONS)('sensors at rest under %s', (formulation) => {
  const test = takeTurn();
  const simulation = new Simulation(compileModel(describeScale(), { formulation }));
  simulation.sensor('mine').set([3, 4]);
  simulation.step(400);
  const read = (name: string): number[] => Array.from(simulation.sensor(name));
  // what is left of motion after two seconds
  const near = (name: string, values: number[], within = 2e-5): void => {
    read(name).forEach((value, i) => {
      expect(Math.abs(value - values[i]!), `${name}[${i}] is ${value}`).toBeLessThan(
        within * Math.max(1, Math.abs(values[i]!)),
      );
    });
  };

  test('an accelerometer reads g, a force sensor the weight above it', () => {
    // the load is not in the middle: where contacts give way, the box leans
    const [x, y, z] = read('imu');
    expect(Math.abs(Math.hypot(x!, y!, z!) / GRAVITY - 1)).toBeLessThan(1e-4);
    near('imu', [0, 0, GRAVITY], 5e-3);
    near('weight above', [0, 0, GRAVITY], 5e-3);
    expect(Math.abs(Math.hypot(...read('weight above')) / GRAVITY - 1)).toBeLessThan(1e-4);
    near('moment', [0, 0, 0], 1e-3);
    near('pull', [0, 0, 2 * GRAVITY], 1e-4);
  });

  test('touch, pair and net force are the support', () => {
    near('support', [4 * GRAVITY], 1e-4);
    expect(read('pair')[2]).toBeCloseTo(4 * GRAVITY, 2);
    expect(read('pair')[6]).toBeLessThan(1e-3);
    expect(read('net')[3]).toBeCloseTo(4 * GRAVITY, 2);
    expect(read('net')[0]).toBe(read('pair')[8]);
  });

  test('a ray and a distance are as far as the surface', () => {
    const { position } = simulation.pose('box');
    near('height', [position[2] + 0.05]);
    near('gap', [1 - 0.5 - 0.05]);
    near('center', [position[0] + 0.02 / 4, position[1], position[2] + 0.15 / 4]);
    near('angle', [0]);
    expect(read('clock')[0]).toBeCloseTo(399 * 0.005, 12);
  });

  test('taxels add up to the contact force', () => {
    const total = [0, 0, 0];
    for (const { force } of simulation.contactForces()) for (let k = 0; k < 3; k++) total[k]! += force[k]!;
    const skin = read('skin');
    const sum = [0, 1, 2].map((k) => skin.reduce((all, value, i) => (i % 3 === k ? all + value : all), 0));
    // turns leave lengths as they are, and the box hardly leans
    expect(Math.abs(Math.hypot(...sum) / Math.hypot(...total) - 1)).toBeLessThan(1e-9);
    // z of the site points down: what pushes up presses
    expect(Math.abs(sum[0]! / total[2]! - 1)).toBeLessThan(1e-5);
  });

  test('cells of a touch grid that sees all around add up to the contact force', () => {
    const grid = read('around');
    const [along, x, y] = [0, 1, 2].map((k) => grid.slice(12 * k, 12 * k + 12).reduce((all, value) => all + value, 0));
    // z of the site points down, and the floor pushes up
    expect(Math.abs(along! / (-4 * GRAVITY) - 1)).toBeLessThan(1e-4);
    expect(Math.hypot(x!, y!)).toBeLessThan(5e-3 * 4 * GRAVITY);
  });

  test('what the user has written stays', () => {
    expect(read('mine')).toEqual([3, 4]);
  });
});

describe('a soft body', () => {
  const build = (): Scene => {
    const world = scene('soft scale').timestep(0.005);
    world.plane('floor');
    world.softBody('jelly', {
      position: [0, 0, 0.101],
      mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
      elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500, stiffnessDamping: 0.05 },
    });
    world.sensor('vertexPosition', 'corner', { softBody: 'jelly', vertex: 0 });
    world.sensor('softVolume', 'volume', { softBody: 'jelly' });
    world.sensor('softStrain', 'strain', { softBody: 'jelly' });
    world.sensor('softPressure', 'pressure', { softBody: 'jelly' });
    world.sensor('contactPair', 'pair', {
      first: { kind: 'body', name: 'world' },
      second: { kind: 'softBody', name: 'jelly' },
    });
    return world.build();
  };

  test.each(['sap', 'ipc'] as const)('is weighed under %s', (formulation) => {
    const simulation = new Simulation(compileModel(build(), { formulation }));
    // for a second: motions die out with e^(−20 t)
    simulation.step(200);
    const weight = 500 * 0.2 ** 3 * GRAVITY;
    expect(Math.abs(simulation.sensor('pair')[2]! / weight - 1)).toBeLessThan(1e-2);
    // the whole lower face carries it, in thirds of triangles: all of the face, and parts of those beside it
    const pressure = simulation.sensor('pressure')[0]!;
    expect(pressure).toBeGreaterThan(0.3 * (weight / 0.04));
    expect(pressure).toBeLessThan(1.05 * (weight / 0.04));
    expect(Math.abs(simulation.sensor('volume')[0]! / 0.008 - 1)).toBeLessThan(0.01);
    expect(simulation.sensor('strain')[0]!).toBeGreaterThan(1e-4);
    expect(simulation.sensor('corner')[2]!).toBeLessThan(0.01);
  });
});

test('readings are of the start of a step, and of the state after forward', () => {
  const world = scene('drop').timestep(0.01);
  world.body('ball').free().sphere({ radius: 0.1 }).site('s', {});
  world.sensor('framePosition', 'p', { object: { kind: 'site', name: 's' } });
  world.sensor('velocimeter', 'v', { site: 's' });
  const simulation = new Simulation(compileModel(world.build()));
  expect(simulation.sensor('v')[2]).toBe(0);
  simulation.step();
  expect(simulation.sensor('v')[2]).toBe(0);
  simulation.forward();
  expect(simulation.sensor('v')[2]).toBeCloseTo(-GRAVITY * 0.01, 12);
  const view = simulation.sensor('v');
  simulation.step(5);
  expect(simulation.sensor('v').buffer).toBe(view.buffer);
  expect(view[2]).toBeCloseTo(-GRAVITY * 0.05, 12);
  expect(simulation.model.sensor.unit).toEqual(['m', 'm/s']);
});

test.each(FORMULATIONS)('a site of the world feels all that hangs from it: %s', (formulation) => {
  const world = scene('hanging').options({ formulation });
  world.site('ceiling', { position: [0.3, 0, 1] });
  for (const [name, x, mass] of [
    ['left', 0, 2],
    ['right', 1, 3],
  ] as const) {
    const arm = world.body(name, { position: [x, 0, 1] }).hinge(`${name} pivot`, { axis: [0, 1, 0] });
    arm.sphere({ radius: 0.05, position: [0, 0, -0.5], mass });
  }
  world.sensor('force', 'pull', { site: 'ceiling' });
  world.sensor('torque', 'moment', { site: 'ceiling' });
  const simulation = new Simulation(compileModel(world.build()));
  simulation.step(10);
  const [, , pull] = simulation.sensor('pull');
  const [, moment] = simulation.sensor('moment');
  // as near as the arm of the scale below; Σ (x − 0.3) × m g
  expect(Math.abs(pull! / (5 * GRAVITY) - 1)).toBeLessThan(1e-4);
  expect(Math.abs(moment! / (-(3 * 0.7 - 2 * 0.3) * GRAVITY) - 1)).toBeLessThan(1e-4);
});

// a load of 1 kg on a rail, held by a cable at 45°: the rail carries the horizontal share of the cable and no weight
const REST = Math.SQRT2 * (1 - GRAVITY / 1000);
const CABLES: [string, Partial<Tendon>, number][] = [
  ['spring and damper', { stiffness: 1000, damping: 3, springLength: [REST, REST] }, 0],
  ['motor', {}, -Math.SQRT2 * GRAVITY],
  ['limit', { limit: { range: [0, Math.SQRT2] } }, 0],
  ['dry friction', { frictionLoss: 50 }, 0],
];

test.each(
  FORMULATIONS.flatMap((formulation) =>
    CABLES.map(([name, cable, pull]) => ({ formulation, name, cable, pull })),
  ).filter(
    // its friction along tendons is an energy without a row
    ({ formulation, name }) => !(formulation === 'ipc' && name === 'dry friction'),
  ),
)('a cable is not carried by the joint beside it: $name, $formulation', ({ formulation, cable, pull }) => {
  const simulation = new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation, timestep: 0.002 },
      sites: [{ name: 'hook', position: [0, 0, 1] }],
      bodies: [
        {
          position: [1, 0, 0],
          joints: [{ kind: 'slide', axis: [0, 0, 1] }],
          shapes: [{ kind: 'sphere', radius: 0.1, mass: 1 }],
          sites: [{ name: 'load' }],
        },
      ],
      tendons: [
        {
          kind: 'spatial',
          name: 'cable',
          path: [
            { kind: 'site', site: 'hook' },
            { kind: 'site', site: 'load' },
          ],
          ...cable,
        } as Tendon,
      ],
      actuators: [{ kind: 'motor', name: 'winch', transmission: { kind: 'tendon', tendon: 'cable' } }],
      sensors: [{ kind: 'force', name: 'rail', site: 'load' }],
    }),
  );
  simulation.setControl('winch', pull);
  simulation.step(200);
  const [x, y, z] = simulation.sensor('rail');
  // a soft cable gives by millimetres; along the rail as near as the site of the world above
  expect(Math.abs(x! / GRAVITY - 1)).toBeLessThan(1e-2);
  expect(Math.abs(y!)).toBeLessThan(1e-9);
  expect(Math.abs(z! / GRAVITY)).toBeLessThan(1e-4);
});

test('limits and actuators that are switched off read 0', () => {
  const world = scene('off').options({ disable: ['limit', 'actuation'] });
  const arm = world.body('arm').hinge('pivot', { axis: [0, 1, 0], limit: { range: [0.1, 1] } });
  arm.sphere({ radius: 0.05, position: [0.5, 0, 0], mass: 2 });
  world.motor('drive', { joint: 'pivot' });
  for (const kind of ['jointLimitPosition', 'jointLimitVelocity', 'jointLimitForce', 'jointVelocity'] as const)
    world.sensor(kind, kind, { joint: 'pivot' });
  world.sensor('actuatorVelocity', 'speed', { actuator: 'drive' });
  const simulation = new Simulation(compileModel(world.build()));
  simulation.step(20);
  expect(Math.abs(simulation.sensor('jointVelocity')[0])).toBeGreaterThan(0.1);
  for (const name of ['jointLimitPosition', 'jointLimitVelocity', 'jointLimitForce', 'speed'])
    expect([...simulation.sensor(name)], name).toEqual([0]);
});

test('names that are not there are refused with a hint', () => {
  const bad = describeScale();
  bad.sensors = [{ kind: 'gyro', site: 'gauga' }];
  expect(() => compileModel(bad)).toThrow(NexdynError);
  expect(() => compileModel(bad)).toThrow("there is no site 'gauga'");
  const simulation = new Simulation(compileModel(describeScale()));
  expect(() => simulation.sensor('suport')).toThrow(NexdynError);
});

test('every kind has a unit', () => {
  for (const { unit } of Object.values(SENSOR_KINDS)) expect(unit.length).toBeGreaterThan(0);
});

test('noise has its deviation, repeats itself, and is there only where it is asked for', () => {
  const world = scene('noisy');
  world.body('ball').free().sphere({ radius: 0.1 }).site('s', {});
  world.gravity([0, 0, 0]);
  world.sensor('gyro', 'gyro', { site: 's', noise: 0.1 });
  world.sensor('frameXAxis', 'axis', { object: { kind: 'site', name: 's' }, noise: 0.1 });
  const model = compileModel(world.build());
  const count = takeSamples(2000, 0.3);
  const read = (sensorNoise?: number): number[] => {
    const simulation = new Simulation(model, sensorNoise === undefined ? {} : { sensorNoise });
    return Array.from({ length: count }, () => {
      simulation.step();
      expect(Math.hypot(...simulation.sensor('axis'))).toBeCloseTo(1, 12);
      return simulation.sensor('gyro')[1]!;
    });
  };
  const noisy = read(7);
  expect(read(7)).toEqual(noisy);
  expect(read(8)).not.toEqual(noisy);
  expect(read().every((value) => value === 0)).toBe(true);
  const mean = noisy.reduce((sum, value) => sum + value, 0) / noisy.length;
  const deviation = Math.sqrt(noisy.reduce((sum, value) => sum + (value - mean) ** 2, 0) / noisy.length);
  // four standard errors
  expect(Math.abs(mean)).toBeLessThan((4 * 0.1) / Math.sqrt(count));
  expect(Math.abs(deviation / 0.1 - 1)).toBeLessThan(4 / Math.sqrt(2 * count));
});

describe.each(FORMULATIONS)('what holds things under %s', (formulation) => {
  const test = takeTurn();
  const world = scene('held').timestep(0.005);
  // a bar of 2 kg that leans on its limit, and a ball of 1 kg that hangs on a point
  const bar = world.body('bar', { position: [0, 0, 1] });
  bar.hinge('stop', { axis: [0, 1, 0], limit: { range: [-1, 0.2] }, damping: 0.5 });
  bar.box({ halfSize: [0.1, 0.02, 0.02], position: [0.5, 0, 0], mass: 2, contact: 'none' });
  const ball = world.body('ball', { position: [2, 0, 1] }).free();
  ball.sphere({ radius: 0.1, mass: 1 });
  ball.site('middle', {});
  world.connect({ body1: 'ball', anchor: [0, 0, 0.1] });
  world.sensor('jointLimitForce', 'limit', { joint: 'stop' });
  world.sensor('force', 'nothing', { site: 'middle' });
  world.sensor('accelerometer', 'imu', { site: 'middle' });
  const simulation = new Simulation(compileModel(world.build(), { formulation }));
  simulation.step(600);

  test('a limit carries the moment of the weight', () => {
    const moment = 2 * GRAVITY * 0.5 * Math.cos(simulation.jointPosition('stop'));
    const [force] = simulation.sensor('limit');
    // under `ipc` the bar trembles on its limit; what inverse dynamics finds is the limit and a little damping
    expect(Math.abs(force! / moment - 1)).toBeLessThan(2e-2);
    expect(Math.abs(force! + simulation.jointForce('stop').axial)).toBeLessThan(1e-3 * moment);
  });

  test('what an equality holds is carried by no parent', () => {
    expect(Math.hypot(...simulation.sensor('nothing'))).toBeLessThan(2e-2);
    expect(Math.abs(simulation.sensor('imu')[2]! / GRAVITY - 1)).toBeLessThan(2e-3);
  });
});

describe.each(FORMULATIONS)('a rod let go level under %s', (formulation) => {
  // α = m g l / (I + m l²): the site at the distance r falls with α r, and feels g − α r
  const [mass, lever, radius, place] = [2, 0.5, 0.05, 0.4];
  const expected = GRAVITY - ((mass * GRAVITY * lever) / (mass * (0.4 * radius ** 2 + lever ** 2))) * place;

  test.each(['euler', 'semiImplicit'] as const)('the accelerometer feels it fall: %s', (integrator) => {
    const world = scene('rod').timestep(2e-3).integrator(integrator);
    const arm = world.body('arm', { position: [0, 0, 1] }).hinge('pivot', { axis: [0, 1, 0] });
    arm.sphere({ radius, position: [lever, 0, 0], mass });
    arm.site('tip', { position: [place, 0, 0] });
    world.sensor('accelerometer', 'felt', { site: 'tip' });
    const simulation = new Simulation(compileModel(world.build(), { formulation }));
    // a milliradian later; multipliers of joints under `ipc` have settled
    simulation.step(5);
    expect(simulation.sensor('felt')[2]).toBeCloseTo(expected, 2);
  });
});
