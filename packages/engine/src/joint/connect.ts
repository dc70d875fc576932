/** Connect: a point of body 1 is a point of body 2, as by a ball joint. Three rows, x₁ − x₂ (see coincidence.ts). */
import { addRelativeBlock } from '../dynamics/relative-rows.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Model } from '../model/model.ts';
import { writeCoincidence } from './coincidence.ts';
import type { Residual } from './residual.ts';
import { dropZeroBlock } from './zero-block.ts';

/** Adds the block of equality e; -1 where nothing can move the points apart. */
export function writeConnect(rows: BlockRows, model: Model, work: Workspace, e: number, out: Residual): number {
  const { object1, object2, data } = model.equality;
  const block = addRelativeBlock(rows, model, object1[e], object2[e], 3, true);
  writeCoincidence(rows, block, model, work, object1[e], data, 11 * e, object2[e], data, 11 * e + 3, out);
  out.dimension = 3;
  return dropZeroBlock(rows, block);
}
