import { createTower } from './tower.ts';

/** What the worker sends: poses of all bodies, and at the end the hash of the state. */
export interface Frame {
  time: number;
  position: Float64Array;
  orientation: Float64Array;
  hash: string | undefined;
}

const STEPS = 1000;
const STEPS_PER_FRAME = 8;

let simulation = createTower();
let steps = 0;

/** Sixty frames a second, for as long as there are steps to take; a slow machine shows them slower and gets the same. */
function run(): void {
  simulation.step(STEPS_PER_FRAME);
  steps += STEPS_PER_FRAME;
  const isEnd = steps >= STEPS;
  const frame: Frame = {
    time: simulation.time,
    // copies: the arrays of the simulation go on
    position: simulation.bodyPosition.slice(),
    orientation: simulation.bodyOrientation.slice(),
    hash: isEnd ? simulation.hash() : undefined,
  };
  self.postMessage(frame);
  if (!isEnd) setTimeout(run, 1000 / 60);
}

self.addEventListener('message', () => {
  if (steps < STEPS) return;
  simulation = createTower();
  steps = 0;
  run();
});
run();
