/** Factor and solve over fronts: twins of the engine's linear-algebra/block-cholesky/{numeric-factor,front-solve}.ts. */
import { Doubles, Integers } from './doubles';
import { sumLanes } from './lanes';
import { countColumns, factorPanel, factorTriangle, PIECE_ROWS, solveRows } from './panel-factor';
import { writeNegativeSquare } from './panel-product';

/** Sizes and addresses, in the order in which the engine writes them (block-cholesky/front-record.ts). */
@unmanaged
export class Fronts {
  frontCount: i32;
  width: Integers;
  boundary: Integers;
  panelStart: Integers;
  restStart: Integers;
  scalarStart: Integers;
  lastChild: Integers;
  previousChild: Integers;
  assemblyStart: Integers;
  assembly: Integers;
  rowRunStart: Integers;
  rowRun: Integers;
  parentRunStart: Integers;
  parentRun: Integers;
  parentRunRest: Integers;
  matrix: Doubles;
  panels: Doubles;
  inverse: Doubles;
  rests: Doubles;
  ordered: Doubles;
  /** Per piece of work: its first front and the one after its last; the column that failed, or −1. */
  pieceFirst: Integers;
  pieceEnd: Integers;
  pieceBad: Integers;
  /** The front that threads work on together, and the first of its columns that are at hand. */
  front: i32;
  column: i32;
}

/** Fronts from `first` to `end` − 1. Returns the first column (in order of elimination) that fails, or −1. */
export function factorFronts(a: Fronts, first: i32, end: i32): i32 {
  for (let f: i32 = first; f < end; f++) {
    const w: i32 = a.width[f];
    const b: i32 = a.boundary[f];
    const panel: usize = a.panels.at(a.panelStart[f]);
    fillPanel(a, f);
    const bad: i32 = factorPanel(panel, a.inverse.at(a.scalarStart[f]), w, w + b);
    if (bad >= 0) return a.scalarStart[f] + bad;
    if (b > 0) writeRest(a, f, 0, b);
  }
  return -1;
}

/** The fronts of a piece, which are whole subtrees. */
export function factorSubtree(a: Fronts, piece: i32): void {
  a.pieceBad[piece] = factorFronts(a, a.pieceFirst[piece], a.pieceEnd[piece]);
}

/** A front that threads work on together: its panel before the factor. */
export function openFront(a: Fronts, f: i32): void {
  a.front = f;
  fillPanel(a, f);
}

/** Of that front, the triangle of the columns from j on. Returns the column (in order of elimination) that fails, or −1. */
export function factorFrontColumns(a: Fronts, j: i32): i32 {
  const f: i32 = a.front;
  a.column = j;
  const first: i32 = a.scalarStart[f];
  const bad: i32 = factorTriangle(a.panels.at(a.panelStart[f]), a.inverse.at(first), a.width[f], j);
  return bad >= 0 ? first + bad : -1;
}

/** Of that front, rows below those columns. */
export function solvePanelRows(a: Fronts, piece: i32): void {
  const f: i32 = a.front;
  const w: i32 = a.width[f];
  const rows: i32 = w + a.boundary[f] - a.column - countColumns(w, a.column);
  const first: i32 = piece * PIECE_ROWS;
  const count: i32 = min<i32>(PIECE_ROWS, rows - first);
  solveRows(a.panels.at(a.panelStart[f]), a.inverse.at(a.scalarStart[f]), w, a.column, first, count);
}

/** Of that front, rows of the Schur complement. */
export function writeRestRows(a: Fronts, piece: i32): void {
  const first: i32 = piece * PIECE_ROWS;
  writeRest(a, a.front, first, min<i32>(a.boundary[a.front], first + PIECE_ROWS));
}

function fillPanel(a: Fronts, f: i32): void {
  const w: i32 = a.width[f];
  const panel: usize = a.panels.at(a.panelStart[f]);
  memory.fill(panel, 0, (<usize>((w + a.boundary[f]) * w)) << 3);
  assemble(a, f);
  for (let c: i32 = a.lastChild[f]; c >= 0; c = a.previousChild[c]) addToPanel(a, c, panel, w);
}

function writeRest(a: Fronts, f: i32, first: i32, end: i32): void {
  const w: i32 = a.width[f];
  const b: i32 = a.boundary[f];
  const rest: usize = a.rests.at(a.restStart[f]);
  writeNegativeSquare(rest, b, a.panels.at(a.panelStart[f]) + ((<usize>(w * w)) << 3), w, first, end);
  for (let c: i32 = a.lastChild[f]; c >= 0; c = a.previousChild[c]) addToRest(a, c, rest, w, b, first, end);
}

function assemble(a: Fronts, f: i32): void {
  const end: i32 = a.assemblyStart[f + 1];
  const stride: usize = (<usize>a.width[f]) << 3;
  for (let k: i32 = a.assemblyStart[f]; k < end; k += 5) {
    let source: usize = a.matrix.at(a.assembly[k]);
    let target: usize = a.panels.at(a.assembly[k + 1]);
    const rows: i32 = a.assembly[k + 2];
    const columns: i32 = a.assembly[k + 3];
    if (a.assembly[k + 4] == 0) {
      for (let i: i32 = 0; i < rows; i++, target += stride) {
        let t: usize = target;
        let left: i32 = columns;
        for (; left >= 2; left -= 2, t += 16, source += 16) v128.store(t, v128.load(source));
        if (left > 0) {
          store<f64>(t, load<f64>(source));
          source += 8;
        }
      }
    } else {
      for (let j: i32 = 0; j < columns; j++, target += 8) {
        let t: usize = target;
        for (let i: i32 = 0; i < rows; i++, t += stride, source += 8) store<f64>(t, load<f64>(source));
      }
    }
  }
}

function addToPanel(a: Fronts, c: i32, panel: usize, w: i32): void {
  const parentRun: Integers = a.parentRun;
  const first: i32 = a.parentRunStart[c];
  const middle: i32 = a.parentRunRest[c];
  const end: i32 = a.parentRunStart[c + 1];
  const size: usize = (<usize>a.boundary[c]) << 3;
  let source: usize = a.rests.at(a.restStart[c]);
  for (let k: i32 = first; k < end; k += 2) {
    const length: i32 = parentRun[k + 1];
    let row: usize = panel + ((<usize>(parentRun[k] * w)) << 3);
    for (let i: i32 = 1; i <= length; i++) {
      let from: usize = source;
      for (let m: i32 = first; m < middle && m <= k; m += 2) {
        from = addRange(row + ((<usize>parentRun[m]) << 3), from, m < k ? parentRun[m + 1] : i);
      }
      source += size;
      row += (<usize>w) << 3;
    }
  }
}

function addToRest(a: Fronts, c: i32, rest: usize, w: i32, b: i32, low: i32, high: i32): void {
  const parentRun: Integers = a.parentRun;
  const middle: i32 = a.parentRunRest[c];
  const end: i32 = a.parentRunStart[c + 1];
  const size: i32 = a.boundary[c];
  let taken: i32 = 0;
  for (let k: i32 = a.parentRunStart[c]; k < middle; k += 2) taken += parentRun[k + 1];
  let source: usize = a.rests.at(a.restStart[c] + taken * size + taken);
  for (let k: i32 = middle; k < end; k += 2) {
    const top: i32 = parentRun[k] - w;
    const length: i32 = parentRun[k + 1];
    const skipped: i32 = min<i32>(max<i32>(low - top, 0), length);
    const last: i32 = min<i32>(high - top, length);
    let next: usize = source + ((<usize>(skipped * size)) << 3);
    let row: usize = rest + ((<usize>((top + skipped) * b)) << 3);
    for (let i: i32 = skipped + 1; i <= last; i++) {
      let from: usize = next;
      for (let m: i32 = middle; m <= k; m += 2) {
        from = addRange(row + ((<usize>(parentRun[m] - w)) << 3), from, m < k ? parentRun[m + 1] : i);
      }
      next += (<usize>size) << 3;
      row += (<usize>b) << 3;
    }
    source += (<usize>(length * size)) << 3;
  }
}

/** Adds `count` numbers; returns the address after the last one. */
function addRange(to: usize, from: usize, count: i32): usize {
  let left: i32 = count;
  for (; left >= 2; left -= 2, to += 16, from += 16) v128.store(to, f64x2.add(v128.load(to), v128.load(from)));
  if (left > 0) {
    store<f64>(to, load<f64>(to) + load<f64>(from));
    from += 8;
  }
  return from;
}

/** y ← L⁻ᵀ L⁻¹ y, in the order of elimination. */
export function solveFronts(a: Fronts): void {
  for (let f: i32 = 0; f < a.frontCount; f++) {
    const w: i32 = a.width[f];
    const y: usize = a.ordered.at(a.scalarStart[f]);
    const panel: usize = a.panels.at(a.panelStart[f]);
    solveLower(panel, a.inverse.at(a.scalarStart[f]), y, w);
    subtractBelow(a, f, panel + ((<usize>(w * w)) << 3), y, w);
  }
  for (let f: i32 = a.frontCount - 1; f >= 0; f--) {
    const w: i32 = a.width[f];
    const y: usize = a.ordered.at(a.scalarStart[f]);
    const panel: usize = a.panels.at(a.panelStart[f]);
    subtractAbove(a, f, panel + ((<usize>(w * w)) << 3), y, w);
    solveUpper(panel, a.inverse.at(a.scalarStart[f]), y, w);
  }
}

function dotPairs(x: usize, y: usize, pairs: i32): f64 {
  let sum: v128 = f64x2.splat(0);
  for (let k: i32 = 0; k < pairs; k += 2, x += 16, y += 16) sum = f64x2.add(sum, f64x2.mul(v128.load(x), v128.load(y)));
  return sumLanes(sum);
}

@inline
function solveLower(panel: usize, inverse: usize, y: usize, w: i32): void {
  const stride: usize = (<usize>w) << 3;
  let p: usize = panel;
  let i: i32 = 0;
  for (; i + 1 < w; i += 2, p += 2 * stride) {
    const at: usize = (<usize>i) << 3;
    const s0: f64 = (load<f64>(y + at) - dotPairs(p, y, i)) * load<f64>(inverse + at);
    const s1: f64 = load<f64>(y + at, 8) - dotPairs(p + stride, y, i);
    store<f64>(y + at, s0);
    store<f64>(y + at, (s1 - load<f64>(p + stride + at) * s0) * load<f64>(inverse + at, 8), 8);
  }
  if (i < w) {
    const at: usize = (<usize>i) << 3;
    store<f64>(y + at, (load<f64>(y + at) - dotPairs(p, y, i)) * load<f64>(inverse + at));
  }
}

@inline
function solveUpper(panel: usize, inverse: usize, y: usize, w: i32): void {
  const stride: usize = (<usize>w) << 3;
  let i: i32 = w - 1;
  if (w & 1) {
    const p: usize = panel + <usize>i * stride;
    const at: usize = (<usize>i) << 3;
    const s: f64 = load<f64>(y + at) * load<f64>(inverse + at);
    store<f64>(y + at, s);
    const lanes: v128 = f64x2.splat(s);
    for (let k: usize = 0; k < at; k += 16) {
      v128.store(y + k, f64x2.sub(v128.load(y + k), f64x2.mul(v128.load(p + k), lanes)));
    }
    i--;
  }
  for (; i > 0; i -= 2) {
    const q: usize = panel + <usize>i * stride;
    const p: usize = q - stride;
    const at: usize = (<usize>(i - 1)) << 3;
    const s1: f64 = load<f64>(y + at, 8) * load<f64>(inverse + at, 8);
    const s0: f64 = (load<f64>(y + at) - load<f64>(q + at) * s1) * load<f64>(inverse + at);
    store<f64>(y + at, s0);
    store<f64>(y + at, s1, 8);
    const lanes0: v128 = f64x2.splat(s0);
    const lanes1: v128 = f64x2.splat(s1);
    for (let k: usize = 0; k < at; k += 16) {
      const value: v128 = f64x2.sub(v128.load(y + k), f64x2.mul(v128.load(q + k), lanes1));
      v128.store(y + k, f64x2.sub(value, f64x2.mul(v128.load(p + k), lanes0)));
    }
  }
}

/** y₂ ← y₂ − L₂₁ y₁, three rows at once. */
@inline
function subtractBelow(a: Fronts, f: i32, below: usize, y: usize, w: i32): void {
  const stride: usize = (<usize>w) << 3;
  const pairs: usize = y + ((<usize>(w & ~1)) << 3);
  const end: i32 = a.rowRunStart[f + 1];
  let p: usize = below;
  for (let k: i32 = a.rowRunStart[f]; k < end; k += 2) {
    let r: usize = a.ordered.at(a.rowRun[k]);
    let left: i32 = a.rowRun[k + 1];
    for (; left > 2; left -= 3, r += 24, p += 3 * stride) {
      let s0: v128 = f64x2.splat(0);
      let s1: v128 = f64x2.splat(0);
      let s2: v128 = f64x2.splat(0);
      let x: usize = p;
      let z: usize = y;
      for (; z < pairs; z += 16, x += 16) {
        const value: v128 = v128.load(z);
        s0 = f64x2.add(s0, f64x2.mul(v128.load(x), value));
        s1 = f64x2.add(s1, f64x2.mul(v128.load(x + stride), value));
        s2 = f64x2.add(s2, f64x2.mul(v128.load(x + 2 * stride), value));
      }
      let t0: f64 = load<f64>(r) - sumLanes(s0);
      let t1: f64 = load<f64>(r, 8) - sumLanes(s1);
      let t2: f64 = load<f64>(r, 16) - sumLanes(s2);
      if (w & 1) {
        const value: f64 = load<f64>(z);
        t0 -= load<f64>(x) * value;
        t1 -= load<f64>(x + stride) * value;
        t2 -= load<f64>(x + 2 * stride) * value;
      }
      store<f64>(r, t0);
      store<f64>(r, t1, 8);
      store<f64>(r, t2, 16);
    }
    for (; left > 0; left--, r += 8, p += stride) {
      let s: f64 = load<f64>(r) - dotPairs(p, y, w & ~1);
      if (w & 1) s -= load<f64>(p + stride - 8) * load<f64>(pairs);
      store<f64>(r, s);
    }
  }
}

/** y₁ ← y₁ − L₂₁ᵀ y₂, three rows at once. */
@inline
function subtractAbove(a: Fronts, f: i32, below: usize, y: usize, w: i32): void {
  const stride: usize = (<usize>w) << 3;
  const pairs: usize = y + ((<usize>(w & ~1)) << 3);
  const end: i32 = a.rowRunStart[f + 1];
  let p: usize = below;
  for (let k: i32 = a.rowRunStart[f]; k < end; k += 2) {
    let r: usize = a.ordered.at(a.rowRun[k]);
    let left: i32 = a.rowRun[k + 1];
    for (; left > 2; left -= 3, r += 24, p += 3 * stride) {
      const s0: v128 = v128.load64_splat(r);
      const s1: v128 = v128.load64_splat(r, 8);
      const s2: v128 = v128.load64_splat(r, 16);
      let x: usize = p;
      let z: usize = y;
      for (; z < pairs; z += 16, x += 16) {
        let value: v128 = f64x2.sub(v128.load(z), f64x2.mul(v128.load(x), s0));
        value = f64x2.sub(value, f64x2.mul(v128.load(x + stride), s1));
        v128.store(z, f64x2.sub(value, f64x2.mul(v128.load(x + 2 * stride), s2)));
      }
      if (w & 1) {
        let value: f64 = load<f64>(z) - load<f64>(x) * load<f64>(r);
        value -= load<f64>(x + stride) * load<f64>(r, 8);
        store<f64>(z, value - load<f64>(x + 2 * stride) * load<f64>(r, 16));
      }
    }
    for (; left > 0; left--, r += 8, p += stride) {
      const s: f64 = load<f64>(r);
      for (let j: i32 = 0; j < w; j++) {
        const at: usize = y + ((<usize>j) << 3);
        store<f64>(at, load<f64>(at) - load<f64>(p + ((<usize>j) << 3)) * s);
      }
    }
  }
}
