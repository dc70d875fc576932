/** Random forests and numbers for tests of algorithms over trees. */
import type { TreeSparsity } from '../model/model.ts';

/** Deterministic numbers in [0, 1): the same on every run. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Parents of n dofs in depth-first order; -1 begins a new tree. */
export function randomParents(n: number, random: () => number): number[] {
  const parents: number[] = [];
  for (let i = 0; i < n; i++) {
    // step back from the last dof a few times, so that branches appear
    let parent = i - 1;
    while (parent >= 0 && random() < 0.3) parent = parents[parent];
    parents.push(parent);
  }
  return parents;
}

export function sparsityOf(parents: readonly number[]): TreeSparsity {
  const rowStart = [0];
  const column: number[] = [];
  for (let i = 0; i < parents.length; i++) {
    const row = [i];
    for (let j = parents[i]; j >= 0; j = parents[j]) row.unshift(j);
    column.push(...row);
    rowStart.push(column.length);
  }
  return { rowStart: Int32Array.from(rowStart), column: Int32Array.from(column) };
}

/** Dense solution of A x = b by Gauss elimination with pivoting: the slow, plain twin. */
export function solveDense(matrix: readonly number[][], right: readonly number[]): number[] {
  const n = right.length;
  const a = matrix.map((row, i) => [...row, right[i]]);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i][k]) > Math.abs(a[pivot][k])) pivot = i;
    [a[k], a[pivot]] = [a[pivot], a[k]];
    for (let i = k + 1; i < n; i++) {
      const scale = a[i][k] / a[k][k];
      for (let j = k; j <= n; j++) a[i][j] -= scale * a[k][j];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let sum = a[i][n];
    for (let j = i + 1; j < n; j++) sum -= a[i][j] * x[j];
    x[i] = sum / a[i][i];
  }
  return x;
}
