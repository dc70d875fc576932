import type { Model } from '../model/model.ts';

/**
 * The trees of dofs of a model: dofs joined by `dof.parent`; behind them, where asked for, the vertices of each soft body, three
 * dofs per vertex. Those of a tree are contiguous.
 */
export interface Forest {
  readonly count: number;
  /** Trees that are joints; the others are soft bodies. */
  readonly rigidCount: number;
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
  return { count, rigidCount: count, start: Int32Array.from(start), treeOf };
}

/** Trees of joints, then soft bodies: dof `size.velocity` + 3 v + k is coordinate k of vertex v. */
export function listCliques(model: Model): Forest {
  const trees = listTrees(model);
  const { size, soft } = model;
  if (size.softBody === 0) return trees;
  const dofs = size.velocity + 3 * size.softVertex;
  const start = Int32Array.from({ length: trees.count + size.softBody + 1 }, (_, t) =>
    t < trees.count ? trees.start[t] : size.velocity + 3 * soft.vertexStart[t - trees.count],
  );
  const treeOf = new Int32Array(dofs);
  treeOf.set(trees.treeOf);
  for (let t = trees.count; t < start.length - 1; t++) treeOf.fill(t, start[t], start[t + 1]);
  return { count: start.length - 1, rigidCount: trees.count, start, treeOf };
}
