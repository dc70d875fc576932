/** A thread with a range of environments: sleeps until it is called, and works on shared memory. */
import { workerData } from 'node:worker_threads';
import { EnvironmentSet } from './environment-set.ts';
import { CALL, COMMAND, type ThreadData } from './environment-threads.ts';

const { scene, compile, start, end, steps, fields, shared } = workerData as ThreadData;
const { call, message } = shared;
const count = end - start;
const set = new EnvironmentSet(scene, compile, count, steps, fields);
const { positions, velocities } = set.joints;

function step(): void {
  const width = set.model.size.actuator;
  set.step(shared.control.subarray(start * width, end * width), shared.mask.subarray(start, end));
}

function reset(): void {
  const indices = Array.from({ length: count }, (_, i) => i).filter((i) => shared.mask[start + i]);
  const q = new Float64Array(indices.length * positions);
  const v = new Float64Array(indices.length * velocities);
  indices.forEach((i, row) => {
    const e = start + i;
    q.set(shared.position.subarray(e * positions, (e + 1) * positions), row * positions);
    v.set(shared.velocity.subarray(e * velocities, (e + 1) * velocities), row * velocities);
  });
  set.reset(indices, q, v);
}

function publish(): void {
  const { observations } = set;
  shared.position.set(observations.position, start * positions);
  shared.velocity.set(observations.velocity, start * velocities);
  shared.failed.set(observations.failed, start);
  for (const name of fields) {
    const array = observations.fields[name]!;
    shared.fields[name]!.set(array, (start * array.length) / count);
  }
}

for (let number = 0; ; number++) {
  // a call may have been seen and answered before its notification comes: only a new number is a new call
  while (Atomics.load(call, CALL.number) === number) Atomics.wait(call, CALL.number, number);
  try {
    if (call[CALL.command] === COMMAND.step) step();
    else reset();
    publish();
  } catch (error) {
    message.fill(0);
    message.set(Buffer.from((error as Error).message).subarray(0, message.length - 1));
    Atomics.store(call, CALL.failed, 1);
  }
  Atomics.add(call, CALL.done, 1);
  Atomics.notify(call, CALL.done);
}
