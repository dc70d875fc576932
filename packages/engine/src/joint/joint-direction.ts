import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { JointWorkspace } from './joint-workspace.ts';

/** Adds the row of one free direction of a joint of body coordinates, q̇ = J v; -1 where it would be zero. A ball has three. */
export function writeJointDirection(rows: BlockRows, joints: JointWorkspace, c: number, direction: number): number {
  const { coordinates, row } = joints;
  row.clear();
  row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c] + direction, 1);
  return row.write(rows, 1);
}
