import { expect, test } from 'vitest';
import { Arena } from '../../kernels/arena.ts';
import { createKernels } from '../../kernels/kernels.ts';
import { createRandom } from '../../testing/forest.ts';
import { IndexPairs } from './index-list.ts';
import { collectSelfOverlaps } from './self-overlap.ts';
import { buildTree, createTreeBuilder } from './tree-builder.ts';

test.each([0, 1, 2, 50, 3000])(
  'compiled and portable kernels list the same pairs in the same order, %i boxes',
  (count) => {
    const arena = new Arena();
    const kernels = createKernels(arena);
    expect(kernels.kind).toBe('compiled');
    const random = createRandom(count + 3);
    const boxes = new Float64Array(6 * count);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) {
        // whole numbers now and then, so that boxes touch exactly; negative and positive places
        const low = Math.round(40 * (random() - 0.5)) / (random() < 0.5 ? 1 : 7);
        boxes[6 * i + k] = low;
        boxes[6 * i + 3 + k] = low + Math.floor(4 * random());
      }
    }
    const tree = buildTree(createTreeBuilder(count, arena), boxes, count);
    const compiled = new IndexPairs((length) => arena.i32(length));
    const portable = new IndexPairs();
    for (let round = 0; round < 2; round++) {
      collectSelfOverlaps(compiled, tree, kernels);
      collectSelfOverlaps(portable, tree);
      expect(compiled.count).toBe(portable.count);
      expect([...compiled.values.subarray(0, 2 * compiled.count)]).toEqual([
        ...portable.values.subarray(0, 2 * portable.count),
      ]);
    }
    if (count >= 3000) expect(portable.count).toBeGreaterThan(1000);
  },
);
