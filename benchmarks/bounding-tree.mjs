/**
 * The bounding volume tree as a broad phase: time per box of build, refit and self-overlap as the number of boxes grows at
 * constant density, beside sweep-and-prune and a uniform grid on the same boxes.
 *
 * Every size works through the same 100,000 boxes in a round (100 sets of 1,000, or one of 100,000): the same amount of data,
 * and no set comes again before the branch predictor has forgotten it. A time is the least over the rounds.
 *
 *   npm run build && node benchmarks/bounding-tree.mjs
 */
import { IndexPairs } from '../packages/engine/dist/geometry/bounding-tree/index-list.js';
import { collectSelfOverlaps } from '../packages/engine/dist/geometry/bounding-tree/self-overlap.js';
import {
  buildTree,
  createTreeBuilder,
  refitTree,
} from '../packages/engine/dist/geometry/bounding-tree/tree-builder.js';

const TOTAL = 100_000;
const ROUNDS = 12;

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Boxes with edges of 0.6 to 1.4, one to every 2.46 cubic metres. */
function scatterBoxes(count, seed) {
  const random = createRandom(seed);
  const side = 1.35 * Math.cbrt(count);
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const center = random() * side;
      const half = 0.3 + 0.4 * random();
      boxes[6 * i + k] = center - half;
      boxes[6 * i + 3 + k] = center + half;
    }
  }
  return boxes;
}

function meet(boxes, o, q) {
  return (
    boxes[o] <= boxes[q + 3] &&
    boxes[q] <= boxes[o + 3] &&
    boxes[o + 1] <= boxes[q + 4] &&
    boxes[q + 1] <= boxes[o + 4] &&
    boxes[o + 2] <= boxes[q + 5] &&
    boxes[q + 2] <= boxes[o + 5]
  );
}

/** Boxes sorted along x, each compared with those that begin before it ends. */
function createSweep(count) {
  const keys = new Float64Array(count);
  const order = new Uint32Array(count);
  return (pairs, boxes) => {
    for (let i = 0; i < count; i++) order[i] = i;
    order.sort((a, b) => boxes[6 * a] - boxes[6 * b]);
    for (let i = 0; i < count; i++) keys[i] = boxes[6 * order[i]];
    for (let i = 0; i < count; i++) {
      const o = 6 * order[i];
      for (let j = i + 1; j < count && keys[j] <= boxes[o + 3]; j++) {
        if (meet(boxes, o, 6 * order[j])) pairs.add(Math.min(order[i], order[j]), Math.max(order[i], order[j]));
      }
    }
  };
}

/** Boxes sorted into cells as large as the largest box by their low corners, each compared with those of 27 cells about it. */
function createGrid(count) {
  let starts = new Int32Array(0);
  const cells = new Int32Array(count);
  const items = new Int32Array(count);
  return (pairs, boxes) => {
    let edge = 0;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let o = 0; o < 6 * count; o += 6) {
      for (let k = 0; k < 3; k++) {
        edge = Math.max(edge, boxes[o + 3 + k] - boxes[o + k]);
        low[k] = Math.min(low[k], boxes[o + k]);
        high[k] = Math.max(high[k], boxes[o + k]);
      }
    }
    // one empty cell about the others
    const [nx, ny, nz] = low.map((l, k) => Math.floor((high[k] - l) / edge) + 3);
    if (starts.length < nx * ny * nz + 1) starts = new Int32Array(nx * ny * nz + 1);
    starts.fill(0, 0, nx * ny * nz + 1);
    const scale = 1 / edge;
    for (let i = 0, o = 0; i < count; i++, o += 6) {
      const x = 1 + Math.floor((boxes[o] - low[0]) * scale);
      const y = 1 + Math.floor((boxes[o + 1] - low[1]) * scale);
      const z = 1 + Math.floor((boxes[o + 2] - low[2]) * scale);
      cells[i] = (z * ny + y) * nx + x;
      starts[cells[i]]++;
    }
    for (let c = 1; c <= nx * ny * nz; c++) starts[c] += starts[c - 1];
    for (let i = count - 1; i >= 0; i--) items[--starts[cells[i]]] = i;
    for (let s = 0; s < count; s++) {
      const i = items[s];
      const o = 6 * i;
      // the rest of its own row of cells, then the rows after it
      for (let row = 0; row < 5; row++) {
        const dy = row === 0 ? 0 : row === 1 ? 1 : row - 3;
        const dz = row < 2 ? 0 : 1;
        const c = cells[i] + (dz * ny + dy) * nx;
        const end = starts[c + 2];
        for (let j = row === 0 ? s + 1 : starts[c - 1]; j < end; j++) {
          const other = items[j];
          if (meet(boxes, o, 6 * other)) pairs.add(Math.min(i, other), Math.max(i, other));
        }
      }
    }
  };
}

function measure(count) {
  const sets = Array.from({ length: TOTAL / count }, (_, s) => scatterBoxes(count, s + 1));
  const boxes = new Float64Array(6 * count);
  const builder = createTreeBuilder(count);
  const pairs = new IndexPairs();
  const sweep = createSweep(count);
  const grid = createGrid(count);
  const least = { build: Infinity, refit: Infinity, overlap: Infinity, sweep: Infinity, grid: Infinity };
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const times = { build: 0, refit: 0, overlap: 0, sweep: 0, grid: 0 };
    found = 0;
    const time = (name, run) => {
      const start = performance.now();
      run();
      times[name] += performance.now() - start;
    };
    for (const set of sets) {
      boxes.set(set);
      time('build', () => buildTree(builder, boxes, count));
      time('refit', () => refitTree(builder.tree, boxes));
      pairs.clear();
      time('overlap', () => collectSelfOverlaps(pairs, builder.tree));
      found += pairs.count;
      const expected = pairs.count;
      for (const [name, run] of [
        ['sweep', sweep],
        ['grid', grid],
      ]) {
        // sweeping 100,000 boxes along one axis takes minutes
        if (name === 'sweep' && count > 10_000) continue;
        pairs.clear();
        time(name, () => run(pairs, boxes));
        if (pairs.count !== expected) throw new Error(`${name} finds ${pairs.count} pairs, the tree ${expected}`);
      }
    }
    for (const name of Object.keys(least)) least[name] = Math.min(least[name], times[name]);
  }
  const perBox = Object.fromEntries(Object.entries(least).map(([name, ms]) => [name, (1e6 * ms) / TOTAL]));
  return { boxes: count, pairsPerBox: found / TOTAL, ...perBox, total: perBox.build + perBox.overlap };
}

const rows = [1000, 10_000, 100_000].map(measure);
console.log('ns per box        build   refit overlap   build+overlap   sweep    grid   pairs per box');
for (const row of rows) {
  const cell = (value, width) => (value > 0 ? value.toFixed(0) : '-').padStart(width);
  console.log(
    `${String(row.boxes).padStart(7)} boxes ${cell(row.build, 9)}${cell(row.refit, 8)}${cell(row.overlap, 8)}${cell(row.total, 16)}` +
      `${cell(row.sweep, 8)}${cell(row.grid, 8)}   ${row.pairsPerBox.toFixed(2).padStart(13)}`,
  );
}
console.log(
  `growth of build+overlap per box from 1,000 to 100,000: ${(rows[2].total / rows[0].total).toFixed(2)} (log n: 1.67)`,
);
