/** Environments on threads against the same ones on one thread, against a notification that comes late, and threads that die. */
import { type Scene, scene } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { EnvironmentSet } from './environment-set.ts';
import {
  CALL,
  type EnvironmentThread,
  openEnvironments,
  type SharedEnvironments,
  startThread,
} from './environment-threads.ts';

const COUNT = 4;
const STEPS = 2;

function createCart(): Scene {
  const world = scene('cart').options({ timestep: 0.01 });
  world
    .body('cart')
    .slide('rail', { axis: [1, 0, 0] })
    .box({ halfSize: [0.1, 0.1, 0.1] });
  world.motor('push', { joint: 'rail' });
  return world.build();
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test('a late notification does not make a thread take the steps of a call twice', () => {
  const cart = createCart();
  const alone = new EnvironmentSet(cart, {}, COUNT, STEPS, []);
  const threaded = openEnvironments({ scene: cart, compile: {}, count: COUNT, steps: STEPS, fields: [], threads: 2 });
  const { call } = threaded.observations as unknown as SharedEnvironments;
  const controls = Float64Array.of(1, 2, 3, 4);
  try {
    for (let k = 0; k < 3; k++) {
      alone.step(controls);
      threaded.step(controls);
      // wakes the threads as the notification of a call that they have answered already would
      for (let tries = 0; tries < 50 && Atomics.notify(call, CALL.number) < 2; tries++) pause(5);
    }
    expect(threaded.observations.position).toEqual(alone.observations.position);
    expect(threaded.observations.velocity).toEqual(alone.observations.velocity);
  } finally {
    threaded.close();
  }
});

test('a thread that has died is told, now and from then on; nobody waits for it', () => {
  const started: EnvironmentThread[] = [];
  const plan = { scene: createCart(), compile: {}, count: COUNT, steps: STEPS, fields: [], threads: 2 };
  const threaded = openEnvironments(plan, (data) => {
    const thread = startThread(data);
    started.push(thread);
    return thread;
  });
  const controls = new Float64Array(COUNT);
  threaded.step(controls);
  started[0]!.end();
  // it may answer once more before it ends
  const lost = expect.objectContaining({ code: 'thread-lost' });
  expect(() => {
    for (;;) threaded.step(controls);
  }).toThrow(lost);
  expect(() => threaded.step(controls)).toThrow(lost);
});
