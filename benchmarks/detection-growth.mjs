/**
 * The whole detection, from the poses of bodies to the contact set: time per box as the number of loose boxes grows at
 * constant density.
 *
 * Bodies are numbered along a Morton curve (near in space, near in number: a scene laid out in order) or at random (a heap that
 * was stirred). Every size works through 100,000 boxes in a round (100 configurations of 1,000, or one of 100,000), so that no
 * configuration comes again before the branch predictor has forgotten it; each is detected once to warm the caches, then timed.
 * Sizes and numberings take turns within a round, and a time is the least over the rounds.
 *
 *   npm run build && node benchmarks/detection-growth.mjs [rounds]
 */
import { createCollisionWorkspace, detectContacts } from '../packages/engine/dist/collision/detect-contacts.js';
import { compileModel } from '../packages/engine/dist/index.js';
import { Arena } from '../packages/engine/dist/kernels/arena.js';
import { matrixFromQuaternion } from '../packages/engine/dist/linear-algebra/quaternion.js';

const TOTAL = 100_000;
const SIZES = [1000, 10_000, 100_000];
const NUMBERINGS = ['in order', 'at random'];
const ROUNDS = Number(process.argv[2] ?? 12);

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Boxes with edges of 0.6 to 1.4, and a detection that is given the poses of their bodies: any joint makes them move. */
function createDetection(count) {
  const random = createRandom(count);
  const half = () => 0.3 + 0.4 * random();
  const bodies = Array.from({ length: count }, () => ({
    joints: [{ kind: 'slide', axis: [0, 0, 1] }],
    shapes: [{ kind: 'box', halfSize: [half(), half(), half()] }],
  }));
  const model = compileModel({ format: 'nexdyn-scene', version: 1, bodies });
  const arena = new Arena();
  const work = {
    bodyPosition: arena.f64(3 * (count + 1)),
    bodyOrientation: arena.f64(4 * (count + 1)),
    bodyRotation: arena.f64(9 * (count + 1)),
  };
  const collision = createCollisionWorkspace(model, arena);
  return {
    pose(configuration) {
      work.bodyPosition.set(configuration.position);
      work.bodyOrientation.set(configuration.orientation);
      for (let b = 0; b <= count; b++) matrixFromQuaternion(work.bodyRotation, 9 * b, work.bodyOrientation, 4 * b);
    },
    detect() {
      detectContacts(model, work, collision);
      return collision.contacts.count;
    },
  };
}

/** Poses anywhere in a cube with 2.46 cubic metres for each body, turned at random; the world first. */
function scatterBodies(count, seed, isInOrder) {
  const random = createRandom(seed);
  const side = 1.35 * Math.cbrt(count);
  const places = Array.from({ length: count }, () => [side * random(), side * random(), side * random()]);
  if (isInOrder) {
    const codes = new Map(places.map((place) => [place, mortonCode(place, side)]));
    places.sort((a, b) => codes.get(a) - codes.get(b));
  }
  const turns = Array.from({ length: count }, () => {
    const turn = Array.from({ length: 4 }, () => random() + random() + random() - 1.5);
    const length = Math.hypot(...turn);
    return turn.map((value) => value / length);
  });
  return {
    position: Float64Array.from([0, 0, 0, ...places.flat()]),
    orientation: Float64Array.from([1, 0, 0, 0, ...turns.flat()]),
  };
}

function mortonCode(place, side) {
  const cells = place.map((value) => (value / side) * 1024);
  let code = 0;
  for (let bit = 9; bit >= 0; bit--) {
    for (let k = 2; k >= 0; k--) code = 2 * code + ((cells[k] >> bit) & 1);
  }
  return code;
}

const runs = SIZES.flatMap((count) => {
  const detection = createDetection(count);
  return NUMBERINGS.map((numbering) => {
    const scatter = (_, s) => scatterBodies(count, s + 1, numbering === 'in order');
    const configurations = Array.from({ length: TOTAL / count }, scatter);
    return { count, numbering, detection, configurations, least: Infinity, contacts: 0 };
  });
});

for (let round = 0; round < ROUNDS; round++) {
  for (const run of runs) {
    const { detection } = run;
    let time = 0;
    run.contacts = 0;
    for (const configuration of run.configurations) {
      detection.pose(configuration);
      detection.detect();
      const start = performance.now();
      run.contacts += detection.detect();
      time += performance.now() - start;
    }
    run.least = Math.min(run.least, time);
  }
}

console.log('bodies numbered   boxes   ns per box   contacts per box');
for (const numbering of NUMBERINGS) {
  const rows = runs.filter((run) => run.numbering === numbering);
  for (const { count, least, contacts } of rows) {
    const time = ((1e6 * least) / TOTAL).toFixed(0);
    console.log(
      `${numbering.padEnd(15)}${String(count).padStart(8)}${time.padStart(13)}${(contacts / TOTAL).toFixed(2).padStart(19)}`,
    );
  }
  const growth = rows.at(-1).least / rows[0].least;
  console.log(`${numbering.padEnd(15)}growth per box from 1,000 to 100,000: ${growth.toFixed(2)} (log n: 1.67)`);
}
