/** A of an island, over the trees it holds: product, and solve with the factor A = Lᵀ D L. Twins: convex-objective, metric-factor. */
import { Doubles, Integers } from './doubles';
import { Island } from './island';
import { addPair, loadPair, sumLanes } from './lanes';
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
    let k: usize = metric.at(rowStart[first]);
    let c: usize = column.at(rowStart[first]);
    for (let g: i32 = first; g < end; g++) {
      const xi: f64 = load<f64>(z + ((<usize>g) << 3));
      const lanes: v128 = f64x2.splat(xi);
      let left: i32 = rowStart[g + 1] - 1 - rowStart[g];
      let pairs: v128 = f64x2.splat(0);
      for (; left >= 2; left -= 2, k += 16, c += 8) {
        const i: usize = (<usize>load<i32>(c)) << 3;
        const j: usize = (<usize>load<i32>(c, 4)) << 3;
        const value: v128 = v128.load(k);
        pairs = f64x2.add(pairs, f64x2.mul(value, loadPair(z + i, z + j)));
        addPair(y + i, y + j, f64x2.mul(value, lanes));
      }
      let sum: f64 = sumLanes(pairs);
      if (left > 0) {
        const j: usize = (<usize>load<i32>(c)) << 3;
        const value: f64 = load<f64>(k);
        sum += value * load<f64>(z + j);
        store<f64>(y + j, load<f64>(y + j) + value * xi);
        k += 8;
        c += 4;
      }
      store<f64>(y + ((<usize>g) << 3), sum + load<f64>(k) * xi);
      k += 8;
      c += 4;
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
