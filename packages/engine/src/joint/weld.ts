/**
 * Weld: body 2 keeps its pose in body 1. Six rows: x₁ − x₂ of the anchor seen from both (coincidence.ts), then
 * torque scale × vec(q₂* q₁ r), r the orientation of body 2 in body 1 (alignment.ts).
 */
import { addRelativeBlock } from '../dynamics/relative-rows.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Model } from '../model/model.ts';
import { writeAlignment } from './alignment.ts';
import { writeCoincidence } from './coincidence.ts';
import type { Residual } from './residual.ts';
import { dropZeroBlock } from './zero-block.ts';

/** Adds the block of equality e; -1 where nothing can move the bodies apart. */
export function writeWeld(rows: BlockRows, model: Model, work: Workspace, e: number, out: Residual): number {
  const { object1, object2, data } = model.equality;
  const body1 = object1[e];
  const body2 = object2[e];
  const d = 11 * e;
  const block = addRelativeBlock(rows, model, body1, body2, 6, true);
  writeCoincidence(rows, block, model, work, body1, data, d + 3, body2, data, d, out);
  writeAlignment(rows, block, 3, model, work, body1, body2, data, d + 6, data[d + 10], out);
  out.dimension = 6;
  return dropZeroBlock(rows, block);
}
