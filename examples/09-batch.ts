import { simulateBatch } from '@nexdyn/batch';
import { scene } from '@nexdyn/engine';

// how far a block slides, over friction: one environment for each coefficient, on all cores
const world = scene('sweep');
world.plane('floor');
world
  .body('block', { position: [0, 0, 0.05] })
  .free()
  .box({ halfSize: [0.1, 0.1, 0.05] });

const frictions = [0.1, 0.2, 0.4, 0.8];
const { results, failed } = await simulateBatch(
  world.build(),
  frictions.map((friction) => ({ set: { velocity: [1, 0, 0, 0, 0, 0] }, changes: { friction: { '*': friction } } })),
  { compile: { formulation: 'ccp' }, steps: 2000, rest: { speed: 1e-3 } },
);
for (const { index, status, steps, state } of results) {
  const truth = 1 / (2 * frictions[index] * 9.81);
  console.log(
    `friction ${frictions[index]}: ${status} after ${steps} steps, ${state[1].toFixed(3)} m of ${truth.toFixed(3)} m`,
  );
}
console.log(`${failed.length} failed`);
