import type { Model } from '../model/model.ts';

/** The trees of dofs of a model: dofs joined by `dof.parent`. Those of a tree stand in one run. */
export interface Forest {
  readonly count: number;
  /** First dof of each tree; one more than there are trees. */
  readonly start: Int32Array;
  /** Per dof: its tree. */
  readonly treeOf: Int32Array;
}

export function listTrees(model: Model): Forest {
  const { parent } = model.dof;
  const start: number[] = [];
  const treeOf = new Int32Array(parent.length);
  for (let i = 0; i < parent.length; i++) {
    if (parent[i] < 0) start.push(i);
    treeOf[i] = start.length - 1;
  }
  const count = start.length;
  start.push(parent.length);
  return { count, start: Int32Array.from(start), treeOf };
}
