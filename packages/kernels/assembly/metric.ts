/** A of an island, over the trees it holds: product, and solve with the factor A = Lᵀ D L. Twins: convex-objective, metric-factor. */
import { Doubles, Integers } from './doubles';
import { Island } from './island';
import { solveRows } from './tree-ldl';

/** out ← A x. */
export function multiplyMetric(a: Island, out: Doubles, x: Doubles): void {
  const tree: Integers = a.tree;
  const treeDof: Integers = a.treeDof;
  const localDof: Integers = a.localDof;
  const rowStart: Integers = a.patternRow;
  const column: Integers = a.patternColumn;
  const metric: Doubles = a.metric;
  const endTree: i32 = a.endTree;
  for (let s: i32 = a.firstTree; s < endTree; s++) {
    const first: i32 = treeDof[tree[s]];
    const end: i32 = treeDof[tree[s] + 1];
    const shift: i32 = localDof[first] - first;
    const y: usize = out.at(shift);
    const z: usize = x.at(shift);
    let k: i32 = rowStart[first];
    for (let g: i32 = first; g < end; g++) {
      const last: i32 = rowStart[g + 1] - 1;
      const xi: f64 = load<f64>(z + ((<usize>g) << 3));
      let sum: f64 = metric[last] * xi;
      for (; k < last; k++) {
        const j: usize = (<usize>column[k]) << 3;
        const value: f64 = metric[k];
        sum += value * load<f64>(z + j);
        store<f64>(y + j, load<f64>(y + j) + value * xi);
      }
      k++;
      store<f64>(y + ((<usize>g) << 3), sum);
    }
  }
}

/** d ← A⁻¹ d. */
export function solveMetric(a: Island, d: Doubles, factor: Doubles, inverseDiagonal: Doubles): void {
  const tree: Integers = a.tree;
  const treeDof: Integers = a.treeDof;
  const localDof: Integers = a.localDof;
  const rowStart: Integers = a.patternRow;
  const column: Integers = a.patternColumn;
  const endTree: i32 = a.endTree;
  for (let s: i32 = a.firstTree; s < endTree; s++) {
    const first: i32 = treeDof[tree[s]];
    const end: i32 = treeDof[tree[s] + 1];
    solveRows(d.at(localDof[first] - first), first, end, factor, inverseDiagonal, rowStart, column);
  }
}
