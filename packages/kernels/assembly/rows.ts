/** Products with the rows of an island: the twin of linear-algebra/block-rows.ts. Pairs of columns share two lanes. */
import { Doubles, Integers } from './doubles';
import { Island } from './island';
import { addPair, loadPair, sumLanes } from './lanes';

/** out ← J x. */
export function multiplyRows(a: Island, out: Doubles, x: Doubles): void {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const columnStart: Integers = a.columnStart;
  const columnCount: Integers = a.columnCount;
  const valueStart: Integers = a.valueStart;
  const column: Integers = a.column;
  const value: Doubles = a.value;
  const end: i32 = a.endBlock;
  let before: usize = 0;
  let isPair: bool = false;
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const n: i32 = columnCount[b];
    const first: i32 = rowStart[b];
    const dimension: i32 = rowStart[b + 1] - first;
    const c: usize = column.at(columnStart[b]);
    const k: usize = value.at(valueStart[b]);
    if (c != before) {
      before = c;
      isPair = n == 12 && areSixes(c);
    }
    multiplyBlock(isPair, dimension, n, out.at(first), k, c, x);
  }
}

/** The rows of one block, to `out` and on. */
@inline
export function multiplyBlock(isPair: bool, dimension: i32, n: i32, out: usize, k: usize, c: usize, x: Doubles): void {
  if (isPair && dimension == 3) multiplyPair(out, k, x.at(load<i32>(c)), x.at(load<i32>(c, 24)));
  else if (dimension == 3) multiplyThree(out, k, n, c, x);
  else {
    for (let r: i32 = 0; r < dimension; r++) {
      store<f64>(out + ((<usize>r) << 3), multiplyRow(k + ((<usize>(r * n)) << 3), n, c, x));
    }
  }
}

/** Whether twelve columns are two times six neighbours: those of two free bodies. */
@inline
export function areSixes(column: usize): bool {
  return areNeighbors(column) && areNeighbors(column + 24);
}

@inline
export function areNeighbors(column: usize): bool {
  const first: i32 = load<i32>(column);
  return (
    load<i32>(column, 4) == first + 1 &&
    load<i32>(column, 8) == first + 2 &&
    load<i32>(column, 12) == first + 3 &&
    load<i32>(column, 16) == first + 4 &&
    load<i32>(column, 20) == first + 5
  );
}

/** Three rows over two times six neighbours, from x and y on. */
@inline
function multiplyPair(out: usize, value: usize, x: usize, y: usize): void {
  const x0: v128 = v128.load(x);
  const x1: v128 = v128.load(x, 16);
  const x2: v128 = v128.load(x, 32);
  const y0: v128 = v128.load(y);
  const y1: v128 = v128.load(y, 16);
  const y2: v128 = v128.load(y, 32);
  store<f64>(out, multiplyTwelve(value, x0, x1, x2, y0, y1, y2));
  store<f64>(out, multiplyTwelve(value + 96, x0, x1, x2, y0, y1, y2), 8);
  store<f64>(out, multiplyTwelve(value + 192, x0, x1, x2, y0, y1, y2), 16);
}

@inline
export function multiplyTwelve(k: usize, x0: v128, x1: v128, x2: v128, y0: v128, y1: v128, y2: v128): f64 {
  let s: v128 = f64x2.add(f64x2.splat(0), f64x2.mul(v128.load(k), x0));
  s = f64x2.add(s, f64x2.mul(v128.load(k, 16), x1));
  s = f64x2.add(s, f64x2.mul(v128.load(k, 32), x2));
  s = f64x2.add(s, f64x2.mul(v128.load(k, 48), y0));
  s = f64x2.add(s, f64x2.mul(v128.load(k, 64), y1));
  return sumLanes(f64x2.add(s, f64x2.mul(v128.load(k, 80), y2)));
}

@inline
export function multiplySix(k: usize, x0: v128, x1: v128, x2: v128): f64 {
  let s: v128 = f64x2.add(f64x2.splat(0), f64x2.mul(v128.load(k), x0));
  s = f64x2.add(s, f64x2.mul(v128.load(k, 16), x1));
  return sumLanes(f64x2.add(s, f64x2.mul(v128.load(k, 32), x2)));
}

@inline
export function multiplyThree(out: usize, value: usize, n: i32, column: usize, x: Doubles): void {
  const step: usize = (<usize>n) << 3;
  let s0: v128 = f64x2.splat(0);
  let s1: v128 = f64x2.splat(0);
  let s2: v128 = f64x2.splat(0);
  let k: usize = value;
  let c: usize = column;
  let left: i32 = n;
  while (left >= 2) {
    const pair: v128 = loadPair(x.at(load<i32>(c)), x.at(load<i32>(c, 4)));
    s0 = f64x2.add(s0, f64x2.mul(v128.load(k), pair));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(k + step), pair));
    s2 = f64x2.add(s2, f64x2.mul(v128.load(k + 2 * step), pair));
    k += 16;
    c += 8;
    left -= 2;
  }
  let t0: f64 = sumLanes(s0);
  let t1: f64 = sumLanes(s1);
  let t2: f64 = sumLanes(s2);
  if (left > 0) {
    const last: f64 = x[load<i32>(c)];
    t0 += load<f64>(k) * last;
    t1 += load<f64>(k + step) * last;
    t2 += load<f64>(k + 2 * step) * last;
  }
  store<f64>(out, t0);
  store<f64>(out, t1, 8);
  store<f64>(out, t2, 16);
}

@inline
export function multiplyRow(value: usize, n: i32, column: usize, x: Doubles): f64 {
  let s: v128 = f64x2.splat(0);
  let k: usize = value;
  let c: usize = column;
  let left: i32 = n;
  while (left >= 2) {
    s = f64x2.add(s, f64x2.mul(v128.load(k), loadPair(x.at(load<i32>(c)), x.at(load<i32>(c, 4)))));
    k += 16;
    c += 8;
    left -= 2;
  }
  let sum: f64 = sumLanes(s);
  if (left > 0) sum += load<f64>(k) * x[load<i32>(c)];
  return sum;
}

/** out ← out + scale Jᵀ f. */
export function addTransposed(a: Island, out: Doubles, scale: f64, f: Doubles): void {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const columnStart: Integers = a.columnStart;
  const columnCount: Integers = a.columnCount;
  const valueStart: Integers = a.valueStart;
  const column: Integers = a.column;
  const value: Doubles = a.value;
  const end: i32 = a.endBlock;
  let before: usize = 0;
  let isPair: bool = false;
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const n: i32 = columnCount[b];
    const first: i32 = rowStart[b];
    const dimension: i32 = rowStart[b + 1] - first;
    const c: usize = column.at(columnStart[b]);
    const k: usize = value.at(valueStart[b]);
    if (c != before) {
      before = c;
      isPair = n == 12 && areSixes(c);
    }
    addBlock(isPair, dimension, n, out, k, c, f.at(first), scale);
  }
}

/** Adds the transposed rows of one block times their forces, from `f` on. */
@inline
export function addBlock(
  isPair: bool,
  dimension: i32,
  n: i32,
  out: Doubles,
  k: usize,
  c: usize,
  f: usize,
  scale: f64,
): void {
  if (dimension == 3) {
    const f0: f64 = scale * load<f64>(f);
    const f1: f64 = scale * load<f64>(f, 8);
    const f2: f64 = scale * load<f64>(f, 16);
    if (f0 == 0 && f1 == 0 && f2 == 0) return;
    if (isPair) {
      addSix(out.at(load<i32>(c)), k, f0, f1, f2);
      addSix(out.at(load<i32>(c, 24)), k + 48, f0, f1, f2);
    } else addThree(out, k, n, c, f0, f1, f2);
  } else {
    for (let r: i32 = 0; r < dimension; r++) {
      const force: f64 = scale * load<f64>(f + ((<usize>r) << 3));
      if (force != 0) addRow(out, k + ((<usize>(r * n)) << 3), n, c, force);
    }
  }
}

/** Six neighbours of twelve columns. */
@inline
function addSix(out: usize, k: usize, f0: f64, f1: f64, f2: f64): void {
  const p0: v128 = f64x2.splat(f0);
  const p1: v128 = f64x2.splat(f1);
  const p2: v128 = f64x2.splat(f2);
  for (let i: usize = 0; i < 48; i += 16, k += 16) {
    const v: v128 = f64x2.add(
      f64x2.add(f64x2.mul(v128.load(k), p0), f64x2.mul(v128.load(k, 96), p1)),
      f64x2.mul(v128.load(k, 192), p2),
    );
    v128.store(out + i, f64x2.add(v128.load(out + i), v));
  }
}

@inline
export function addThree(out: Doubles, value: usize, n: i32, column: usize, f0: f64, f1: f64, f2: f64): void {
  const step: usize = (<usize>n) << 3;
  const p0: v128 = f64x2.splat(f0);
  const p1: v128 = f64x2.splat(f1);
  const p2: v128 = f64x2.splat(f2);
  let k: usize = value;
  let c: usize = column;
  let left: i32 = n;
  while (left >= 2) {
    const v: v128 = f64x2.add(
      f64x2.add(f64x2.mul(v128.load(k), p0), f64x2.mul(v128.load(k + step), p1)),
      f64x2.mul(v128.load(k + 2 * step), p2),
    );
    addPair(out.at(load<i32>(c)), out.at(load<i32>(c, 4)), v);
    k += 16;
    c += 8;
    left -= 2;
  }
  if (left > 0) {
    const at: usize = out.at(load<i32>(c));
    const sum: f64 = load<f64>(k) * f0 + load<f64>(k + step) * f1 + load<f64>(k + 2 * step) * f2;
    store<f64>(at, load<f64>(at) + sum);
  }
}

@inline
export function addRow(out: Doubles, value: usize, n: i32, column: usize, force: f64): void {
  for (let i: i32 = 0; i < n; i++) {
    const at: usize = out.at(load<i32>(column + ((<usize>i) << 2)));
    store<f64>(at, load<f64>(at) + load<f64>(value + ((<usize>i) << 3)) * force);
  }
}
