/** out ← out + Σ Jᵀ (G (J x)) over the blocks of an island, each block read once: the twin of the engine's objective/matrix-free-hessian.ts. */
import { Doubles, Integers } from './doubles';
import { Island } from './island';
import { addRow, addThree, multiplyRow, multiplyThree } from './rows';

/** `w` has room for the rows of the largest block. */
export function addCurvature(a: Island, out: Doubles, x: Doubles, w: Doubles): void {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const columnStart: Integers = a.columnStart;
  const columnCount: Integers = a.columnCount;
  const valueStart: Integers = a.valueStart;
  const hessianStart: Integers = a.hessianStart;
  const column: Integers = a.column;
  const value: Doubles = a.value;
  const hessian: Doubles = a.hessian;
  const end: i32 = a.endBlock;
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const n: i32 = columnCount[b];
    const dimension: i32 = rowStart[b + 1] - rowStart[b];
    const c: usize = column.at(columnStart[b]);
    const k: usize = value.at(valueStart[b]);
    const g: usize = hessian.at(hessianStart[b]);
    if (dimension == 3) {
      multiplyThree(w.at(0), k, n, c, x);
      const f0: f64 = weigh(g, w);
      const f1: f64 = weigh(g + 24, w);
      const f2: f64 = weigh(g + 48, w);
      if (f0 != 0 || f1 != 0 || f2 != 0) addThree(out, k, n, c, f0, f1, f2);
      continue;
    }
    for (let r: i32 = 0; r < dimension; r++) w[r] = multiplyRow(k + ((<usize>(r * n)) << 3), n, c, x);
    for (let r: i32 = 0; r < dimension; r++) {
      let f: f64 = 0;
      for (let j: i32 = 0; j < dimension; j++) f += load<f64>(g + ((<usize>(r * dimension + j)) << 3)) * w[j];
      if (f != 0) addRow(out, k + ((<usize>(r * n)) << 3), n, c, f);
    }
  }
}

// a row of G times three numbers
@inline
function weigh(g: usize, w: Doubles): f64 {
  let sum: f64 = 0;
  sum += load<f64>(g) * w[0];
  sum += load<f64>(g, 8) * w[1];
  sum += load<f64>(g, 16) * w[2];
  return sum;
}
