/** Measures of sensors, actuators and the state, and scenes that begin where runs do. */
import { compileModel, type FormulationId, type Scene, Simulation, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../plan/read-plan.ts';
import { createSweep } from '../results/sweep-folder.ts';
import { checkSweep } from '../sweep.ts';
import { createRunScene, runOnce } from './run-once.ts';

/** A cart of 2 kg on a rail, pushed by a motor, seen by sensors. */
function createCart(): Scene {
  const world = scene('cart').options({ timestep: 0.01 });
  const cart = world
    .body('cart')
    .slide('rail', { axis: [1, 0, 0] })
    .sphere({ radius: 0.1, mass: 2 });
  cart.site('top', { position: [0, 0, 0.1] });
  world.motor('push', { joint: 'rail', gear: 3 });
  world.sensor('jointPosition', 'place', { joint: 'rail' });
  world.sensor('accelerometer', 'imu.top', { site: 'top' });
  return world.build();
}

function open(change: object) {
  const plan = readPlan({ format: 'nexdyn-sweep', version: 1, scene: 'cart', seconds: 0.1, ...change });
  return createSweep(plan, createCart(), '1');
}

describe('signals', () => {
  test.each<FormulationId>(['mujoco', 'ccp'])('of sensors, actuators and the state (%s)', (formulation) => {
    const sweep = open({
      formulations: [formulation],
      set: { 'state.actuators.push.control': 2, 'state.joints.rail.velocity': 1 },
      measure: {
        place: 'last(sensors.place)',
        ahead: 'mean(sensors.imu.top.x)',
        up: 'last(sensors.imu.top.2)',
        control: 'last(actuators.push.control)',
        force: 'last(actuators.push.force)',
        clock: 'last(state.time.0)',
        speed: 'last(joints.rail.velocity)',
      },
    });
    checkSweep(sweep, 1);
    const { status, measures } = runOnce(sweep, sweep.runs.run(0));
    expect(status).toBe('completed');
    // a = gear u / m = 3 m/s²; v = 1 + a t; the reading is that of the start of the last step: Σ h v over 9 steps
    expect(measures['speed']).toBeCloseTo(1.3, 9);
    expect(measures['place']).toBeCloseTo(0.01 * (9 + 3 * 0.01 * 45), 9);
    expect(measures['ahead']).toBeCloseTo(3, 6);
    expect(measures['up']).toBeCloseTo(9.81, 6);
    expect(measures['control']).toBe(2);
    expect(measures['force']).toBeCloseTo(2, 12);
    expect(measures['clock']).toBeCloseTo(0.1, 12);
  });

  test.each([
    ['sensors.plce', /sensors are place, imu\.top/],
    ['sensors.imu.top', /sensors\.imu\.top\.0 to sensors\.imu\.top\.2/],
    ['sensors.place.1', /is one number/],
    ['actuators.push.gain', /control or force/],
    ['actuators.pull.force', /actuators are push/],
    ['state.place.0', /fields of the state are/],
    ['state.velocity.9', /state\.velocity\.0 to state\.velocity\.0/],
    ['bodies.cart', /position\.x/],
    ['softBodies.a.stress', /no softBodies with names/],
  ])('%s is refused', (signal, hint) => {
    expect(() => checkSweep(open({ measure: { x: signal } }), 1)).toThrow(hint);
  });
});

test.each<FormulationId>(['mujoco', 'ccp'])('the scene of a run begins where the run does (%s)', (formulation) => {
  const sweep = open({
    formulations: [formulation],
    set: { 'state.joints.rail.position': 0.4, 'state.joints.rail.velocity': -1, 'state.actuators.push.control': 0.5 },
    measure: { end: 'last(bodies.cart.position.x)' },
  });
  const run = sweep.runs.run(0);
  const simulation = new Simulation(compileModel(createRunScene(sweep.scene, run)));
  simulation.reset(0);
  simulation.step(10);
  expect(simulation.pose('cart').position[0]).toBeCloseTo(runOnce(sweep, run).measures['end']!, 12);
});
