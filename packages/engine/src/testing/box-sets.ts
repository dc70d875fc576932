/** Sets of boxes for the tests of the tree: random ones and degenerate ones. Low x y z, high x y z each. */
import { UNBOUNDED } from '../geometry/bounds/unbounded.ts';

export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Boxes with edges of 0.6 to 1.4, one to every 2.46 cubic metres: about three neighbours each whatever the count. */
export function scatterBoxes(count: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const side = 1.35 * Math.cbrt(count);
  return fillBoxes(count, () => {
    const center = random() * side;
    const half = 0.3 + 0.4 * random();
    return [center - half, center + half];
  });
}

/** Boxes from their low and high along each axis. */
function fillBoxes(count: number, range: (item: number, axis: number) => [number, number]): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) [boxes[6 * i + k], boxes[6 * i + 3 + k]] = range(i, k);
  }
  return boxes;
}

/** Kinds of sets, each for any count. */
export const BOX_SETS: Record<string, (count: number, seed: number) => Float64Array> = {
  scattered: scatterBoxes,
  'all the same box': (count) => fillBoxes(count, (_, k) => [k, k + 1]),
  'points on one point': (count) => fillBoxes(count, (_, k) => [0.1 * k, 0.1 * k]),
  'scattered points': (count, seed) => {
    const random = createRandom(seed);
    return fillBoxes(count, () => {
      const x = random();
      return [x, x];
    });
  },
  'touching cubes on a line': (count) => fillBoxes(count, (i, k) => (k === 0 ? [i, i + 1] : [0, 1])),
  'touching cubes on a lattice': (count) => {
    const n = Math.ceil(Math.cbrt(count));
    return fillBoxes(count, (i, k) => {
      const x = Math.floor(i / n ** k) % n;
      return [x, x + 1];
    });
  },
  'one centre, many sizes': (count, seed) => {
    const random = createRandom(seed);
    return fillBoxes(count, () => {
      const half = random();
      return [-half, half];
    });
  },
  'flat on the ground': (count, seed) => {
    const random = createRandom(seed);
    const side = 1.5 * Math.sqrt(count);
    return fillBoxes(count, (_, k) => {
      const x = random() * side;
      return k === 2 ? [0, 0] : [x, x + 1];
    });
  },
  'far from the origin': (count, seed) => {
    const random = createRandom(seed);
    const side = 1e9 * Math.cbrt(count);
    return fillBoxes(count, () => {
      const x = 1e15 + random() * side;
      return [x, x + 1e9 * random()];
    });
  },
  'as large as numbers get': (count, seed) => {
    const random = createRandom(seed);
    return fillBoxes(count, () => {
      const a = (2 * random() - 1) * Number.MAX_VALUE;
      const b = (2 * random() - 1) * Number.MAX_VALUE;
      return [Math.min(a, b), Math.max(a, b)];
    });
  },
  'as small as numbers get': (count, seed) => {
    const random = createRandom(seed);
    return fillBoxes(count, () => {
      const x = Math.floor(random() * 20) * Number.MIN_VALUE;
      return [x, x + Number.MIN_VALUE];
    });
  },
  'a heap and a few far away': (count, seed) => {
    const boxes = scatterBoxes(count, seed);
    for (let i = 0; i < count; i += 97) for (let k = 0; k < 6; k++) boxes[6 * i + k] += 1e7 * (1 + i);
    return boxes;
  },
  'a heap above an endless ground': (count, seed) => {
    const boxes = scatterBoxes(count, seed);
    boxes.set([-UNBOUNDED, -UNBOUNDED, -UNBOUNDED, UNBOUNDED, UNBOUNDED, 0.5], 0);
    if (count > 1) boxes.fill(-UNBOUNDED, 6, 9).fill(UNBOUNDED, 9, 12);
    return boxes;
  },
};
