/**
 * Passes over the rows of an island that do several things at each block while its numbers are near. Blocks of three rows over one or two
 * bodies of six dofs each, and pyramids with two sides, are written out; contacts of a pair follow each other, and what they share stays in lanes.
 */
import { Doubles, Integers } from './doubles';
import { clearChanged, curvature, hasChanged, noteChange, setCurvature } from './evaluation';
import { changeEdges, curveEdges, pushEdges, slopeOfEdges, writeEdges } from './friction-pyramid';
import { Island } from './island';
import { sumLanes } from './lanes';
import { differentiateLawAlongLine, moveLaw, PYRAMID } from './laws';
import { addBlock, areNeighbors, areSixes, multiplyBlock, multiplySix, multiplyTwelve } from './rows';

/** Kinds of columns. */
const OTHER: i32 = 0;
const SIX: i32 = 1;
const TWICE_SIX: i32 = 2;

@inline
function findKind(n: i32, c: usize): i32 {
  if (n == 12) return areSixes(c) ? TWICE_SIX : OTHER;
  return n == 6 && areNeighbors(c) ? SIX : OTHER;
}

/** w = J d; returns the curvature at the start of the line, that of the metric included. */
export function aimRows(a: Island, metricCurvature: f64): f64 {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const columnStart: Integers = a.columnStart;
  const columnCount: Integers = a.columnCount;
  const valueStart: Integers = a.valueStart;
  const column: Integers = a.column;
  const value: Doubles = a.value;
  const law: Integers = a.law;
  const residual: Doubles = a.residual;
  const friction: Doubles = a.friction;
  const stiffness: Doubles = a.stiffness;
  const out: Doubles = a.rowDirection;
  const x: Doubles = a.direction;
  const end: i32 = a.endBlock;
  let before: usize = 0;
  let kind: i32 = OTHER;
  let x0: v128 = f64x2.splat(0);
  let x1: v128 = x0;
  let x2: v128 = x0;
  let y0: v128 = x0;
  let y1: v128 = x0;
  let y2: v128 = x0;
  let sum: f64 = metricCurvature;
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const n: i32 = columnCount[b];
    const first: i32 = rowStart[b];
    const dimension: i32 = rowStart[b + 1] - first;
    const c: usize = column.at(columnStart[b]);
    const k: usize = value.at(valueStart[b]);
    const w: usize = out.at(first);
    if (c != before) {
      before = c;
      kind = findKind(n, c);
      if (kind != OTHER) {
        const at: usize = x.at(load<i32>(c));
        x0 = v128.load(at);
        x1 = v128.load(at, 16);
        x2 = v128.load(at, 32);
      }
      if (kind == TWICE_SIX) {
        const at: usize = x.at(load<i32>(c, 24));
        y0 = v128.load(at);
        y1 = v128.load(at, 16);
        y2 = v128.load(at, 32);
      }
    }
    if (dimension == 3 && kind == TWICE_SIX) {
      store<f64>(w, multiplyTwelve(k, x0, x1, x2, y0, y1, y2));
      store<f64>(w, multiplyTwelve(k + 96, x0, x1, x2, y0, y1, y2), 8);
      store<f64>(w, multiplyTwelve(k + 192, x0, x1, x2, y0, y1, y2), 16);
    } else if (dimension == 3 && kind == SIX) {
      store<f64>(w, multiplySix(k, x0, x1, x2));
      store<f64>(w, multiplySix(k + 48, x0, x1, x2), 8);
      store<f64>(w, multiplySix(k + 96, x0, x1, x2), 16);
    } else multiplyBlock(false, dimension, n, w, k, c, x);
    if (dimension == 3 && law[b] == PYRAMID) {
      const y: usize = residual.at(first);
      const m: v128 = v128.load(friction.at(first), 8);
      const normal: v128 = v128.load64_splat(y);
      const side: v128 = f64x2.mul(m, v128.load(y, 8));
      const along: v128 = v128.load64_splat(w);
      const across: v128 = f64x2.mul(m, v128.load(w, 8));
      const plus: v128 = f64x2.add(normal, side);
      const minus: v128 = f64x2.sub(normal, side);
      sum += stiffness[first] * curveEdges(plus, minus, f64x2.add(along, across), f64x2.sub(along, across));
    } else {
      setCurvature(sum);
      differentiateLawAlongLine(a, b, 0);
      sum = curvature;
    }
  }
  return sum;
}

/** Slope of the costs at α on top of `start`; leaves the curvature on top of `bend`. */
export function slopeRows(a: Island, alpha: f64, start: f64, bend: f64): f64 {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const law: Integers = a.law;
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const friction: Doubles = a.friction;
  const stiffness: Doubles = a.stiffness;
  const end: i32 = a.endBlock;
  const length: v128 = f64x2.splat(alpha);
  let slope: f64 = start;
  let sum: f64 = bend;
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const first: i32 = rowStart[b];
    if (law[b] == PYRAMID && rowStart[b + 1] == first + 3) {
      const w: usize = direction.at(first);
      const y: usize = residual.at(first);
      const m: v128 = v128.load(friction.at(first), 8);
      const d: f64 = stiffness[first];
      const along: v128 = v128.load64_splat(w);
      const across: v128 = f64x2.mul(m, v128.load(w, 8));
      const normal: v128 = f64x2.add(v128.load64_splat(y), f64x2.mul(length, along));
      const side: v128 = f64x2.add(f64x2.mul(m, v128.load(y, 8)), f64x2.mul(length, across));
      const plus: v128 = f64x2.add(normal, side);
      const minus: v128 = f64x2.sub(normal, side);
      const plusDelta: v128 = f64x2.add(along, across);
      const minusDelta: v128 = f64x2.sub(along, across);
      slope += d * slopeOfEdges(plus, minus, plusDelta, minusDelta);
      sum += d * curveEdges(plus, minus, plusDelta, minusDelta);
    } else {
      setCurvature(sum);
      slope += differentiateLawAlongLine(a, b, alpha);
      sum = curvature;
    }
  }
  setCurvature(sum);
  return slope;
}

/** Residuals and laws at α on the line, and the gradient p − Jᵀ f there; returns the change of the costs on top of `start`. */
export function moveRows(a: Island, alpha: f64, start: f64): f64 {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const columnStart: Integers = a.columnStart;
  const columnCount: Integers = a.columnCount;
  const valueStart: Integers = a.valueStart;
  const column: Integers = a.column;
  const value: Doubles = a.value;
  const law: Integers = a.law;
  const direction: Doubles = a.rowDirection;
  const residual: Doubles = a.residual;
  const friction: Doubles = a.friction;
  const stiffness: Doubles = a.stiffness;
  const force: Doubles = a.force;
  const cost: Doubles = a.cost;
  const zone: Integers = a.zone;
  const hessianStart: Integers = a.hessianStart;
  const hessian: Doubles = a.hessian;
  const gradient: Doubles = a.gradient;
  const length: v128 = f64x2.splat(alpha);
  const end: i32 = a.endBlock;
  memory.copy(gradient.at(0), a.momentum.at(0), (<usize>a.size) << 3);
  let before: usize = 0;
  let kind: i32 = OTHER;
  // the gradient at the bodies of the last block
  let p: usize = 0;
  let q: usize = 0;
  let g0: v128 = f64x2.splat(0);
  let g1: v128 = g0;
  let g2: v128 = g0;
  let h0: v128 = g0;
  let h1: v128 = g0;
  let h2: v128 = g0;
  let change: f64 = start;
  clearChanged();
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const n: i32 = columnCount[b];
    const first: i32 = rowStart[b];
    const dimension: i32 = rowStart[b + 1] - first;
    const c: usize = column.at(columnStart[b]);
    let k: usize = value.at(valueStart[b]);
    const f: usize = force.at(first);
    if (dimension == 3 && law[b] == PYRAMID) {
      const w: usize = direction.at(first);
      const y: usize = residual.at(first);
      const mu: usize = friction.at(first);
      const d: f64 = stiffness[first];
      const m: v128 = v128.load(mu, 8);
      const normalDelta: v128 = f64x2.mul(length, v128.load64_splat(w));
      const normal: v128 = f64x2.add(v128.load64_splat(y), normalDelta);
      const along: v128 = v128.load(w, 8);
      const tangent: v128 = f64x2.add(v128.load(y, 8), f64x2.mul(length, along));
      store<f64>(y, f64x2.extract_lane(normal, 0));
      v128.store(y, tangent, 8);
      const side: v128 = f64x2.mul(m, tangent);
      const plus: v128 = f64x2.add(normal, side);
      const minus: v128 = f64x2.sub(normal, side);
      pushEdges(plus, minus, m, d, f, cost.at(b));
      if (writeEdges(plus, minus, mu, d, zone.at(first), hessian.at(hessianStart[b]))) noteChange();
      const sideDelta: v128 = f64x2.mul(f64x2.mul(m, length), along);
      const ofPlus: f64 = sumLanes(changeEdges(plus, f64x2.add(normalDelta, sideDelta)));
      const ofMinus: f64 = sumLanes(changeEdges(minus, f64x2.sub(normalDelta, sideDelta)));
      change += d * (ofPlus + ofMinus);
    } else change += moveLaw(a, b, alpha);
    if (c != before || dimension != 3) {
      // what the last bodies have got
      if (p != 0) {
        v128.store(p, g0);
        v128.store(p, g1, 16);
        v128.store(p, g2, 32);
        p = 0;
      }
      if (q != 0) {
        v128.store(q, h0);
        v128.store(q, h1, 16);
        v128.store(q, h2, 32);
        q = 0;
      }
      before = dimension == 3 ? c : 0;
      kind = dimension == 3 ? findKind(n, c) : OTHER;
      if (kind != OTHER) {
        p = gradient.at(load<i32>(c));
        g0 = v128.load(p);
        g1 = v128.load(p, 16);
        g2 = v128.load(p, 32);
      }
      if (kind == TWICE_SIX) {
        q = gradient.at(load<i32>(c, 24));
        h0 = v128.load(q);
        h1 = v128.load(q, 16);
        h2 = v128.load(q, 32);
      }
    }
    if (kind == OTHER) {
      addBlock(false, dimension, n, gradient, k, c, f, -1);
      continue;
    }
    const n0: f64 = -1 * load<f64>(f);
    const n1: f64 = -1 * load<f64>(f, 8);
    const n2: f64 = -1 * load<f64>(f, 16);
    if (n0 == 0 && n1 == 0 && n2 == 0) continue;
    const f0: v128 = f64x2.splat(n0);
    const f1: v128 = f64x2.splat(n1);
    const f2: v128 = f64x2.splat(n2);
    if (kind == TWICE_SIX) {
      g0 = f64x2.add(g0, sumThree(k, 96, 192, f0, f1, f2));
      g1 = f64x2.add(g1, sumThree(k + 16, 96, 192, f0, f1, f2));
      g2 = f64x2.add(g2, sumThree(k + 32, 96, 192, f0, f1, f2));
      h0 = f64x2.add(h0, sumThree(k + 48, 96, 192, f0, f1, f2));
      h1 = f64x2.add(h1, sumThree(k + 64, 96, 192, f0, f1, f2));
      h2 = f64x2.add(h2, sumThree(k + 80, 96, 192, f0, f1, f2));
    } else {
      g0 = f64x2.add(g0, sumThree(k, 48, 96, f0, f1, f2));
      g1 = f64x2.add(g1, sumThree(k + 16, 48, 96, f0, f1, f2));
      g2 = f64x2.add(g2, sumThree(k + 32, 48, 96, f0, f1, f2));
    }
  }
  if (p != 0) {
    v128.store(p, g0);
    v128.store(p, g1, 16);
    v128.store(p, g2, 32);
  }
  if (q != 0) {
    v128.store(q, h0);
    v128.store(q, h1, 16);
    v128.store(q, h2, 32);
  }
  a.hasChanged = i32(hasChanged);
  return change;
}

/** Two columns of three rows times their forces. */
@inline
function sumThree(k: usize, second: usize, third: usize, f0: v128, f1: v128, f2: v128): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(v128.load(k), f0), f64x2.mul(v128.load(k + second), f1)),
    f64x2.mul(v128.load(k + third), f2),
  );
}
