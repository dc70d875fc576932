import { checkSceneLimit, type SceneLimits } from '../scene/limits.ts';
import type { TreeSparsity } from './model.ts';

/** Raises an error where long chains of joints would take too long: inverting one costs the cube of its length. */
export function checkTreeOperations(parent: Int32Array, limits: Partial<SceneLimits> = {}): void {
  const above = new Float64Array(parent.length);
  let operations = 0;
  for (let i = 0; i < parent.length; i++) {
    above[i] = parent[i] < 0 ? 1 : above[parent[i]] + 1;
    operations += above[i] * above[i];
  }
  const what = 'operations for joints that hang below each other';
  checkSceneLimit(operations, 'treeOperations', limits, what, () => 'bodies');
}

/** The pattern of a matrix over a forest of dofs: row i is the row of its parent, then i. */
export function buildTreeSparsity(parent: Int32Array): TreeSparsity {
  const count = parent.length;
  const rowStart = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) {
    const above = parent[i] < 0 ? 0 : rowStart[parent[i] + 1] - rowStart[parent[i]];
    rowStart[i + 1] = rowStart[i] + above + 1;
  }
  const column = new Int32Array(rowStart[count]);
  for (let i = 0; i < count; i++) {
    if (parent[i] >= 0) column.copyWithin(rowStart[i], rowStart[parent[i]], rowStart[parent[i] + 1]);
    column[rowStart[i + 1] - 1] = i;
  }
  return { rowStart, column };
}
