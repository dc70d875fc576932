/**
 * Gradient and Hessian of a contact of two frames in their twelve numbers, and its sum into the Newton matrix: twins of the engine's
 * formulation/ipc/terms/pair-blocks.ts and formulation/ipc/body-matrix.ts, lane by lane in their order of operations. Lanes are neighbours in a row.
 */
import { Doubles } from './doubles';

// places of the numbers of a record, as PairBlocks lays them out
const ARM_A: i32 = 0;
const ARM_B: i32 = 3;
const FORCE: i32 = 6;
const STIFFNESS: i32 = 9;
const SLIDING: i32 = 18;
const GRADIENT: i32 = 54;
const HESSIAN: i32 = 66;
/** [a]× q and [b]× q; then columns of G, twelve numbers each. */
const TURN_A: i32 = 210;
const TURN_B: i32 = 219;
const COLUMNS: i32 = 228;

/** Bytes of a row of the Hessian, and of a row of a block of the matrix. */
const ROW: usize = 96;
const BLOCK_ROW: usize = 48;

@inline
function writeCross(out: Doubles, o: i32, a: Doubles, f: Doubles, sign: f64): void {
  out[o] = sign * (a[1] * f[2] - a[2] * f[1]);
  out[o + 1] = sign * (a[2] * f[0] - a[0] * f[2]);
  out[o + 2] = sign * (a[0] * f[1] - a[1] * f[0]);
}

@inline
function turnColumns(out: Doubles, a: Doubles, q: Doubles): void {
  for (let j: i32 = 0; j < 3; j++) {
    out[j] = a[1] * q[6 + j] - a[2] * q[3 + j];
    out[3 + j] = a[2] * q[j] - a[0] * q[6 + j];
    out[6 + j] = a[0] * q[3 + j] - a[1] * q[j];
  }
}

/** Cᵀ q C, the lower triangle. */
@inline
function writeProduct(h: Doubles, a: Doubles, b: Doubles, q: Doubles, u: Doubles, v: Doubles): void {
  turnColumns(u, a, q);
  turnColumns(v, b, q);
  for (let i: i32 = 0; i < 3; i++) {
    const row: i32 = 12 * i;
    const u0: f64 = u[3 * i];
    const u1: f64 = u[3 * i + 1];
    const u2: f64 = u[3 * i + 2];
    const v0: f64 = v[3 * i];
    const v1: f64 = v[3 * i + 1];
    const v2: f64 = v[3 * i + 2];
    for (let j: i32 = 0; j < 3; j++) {
      const value: f64 = q[3 * i + j];
      h[row + j] = value;
      h[row + 78 + j] = value;
      h[row + 72 + j] = -value;
      h[row + 36 + j] = u[3 * i + j];
      h[row + 75 + j] = -u[3 * j + i];
      h[row + 108 + j] = -v[3 * i + j];
      h[row + 114 + j] = v[3 * i + j];
    }
    h[row + 39] = a[1] * u2 - a[2] * u1;
    h[row + 40] = a[2] * u0 - a[0] * u2;
    h[row + 41] = a[0] * u1 - a[1] * u0;
    h[row + 111] = a[2] * v1 - a[1] * v2;
    h[row + 112] = a[0] * v2 - a[2] * v0;
    h[row + 113] = a[1] * v0 - a[0] * v1;
    h[row + 117] = b[1] * v2 - b[2] * v1;
    h[row + 118] = b[2] * v0 - b[0] * v2;
    h[row + 119] = b[0] * v1 - b[1] * v0;
  }
}

/** Adds sign [a]× to rows r, r + 1, r + 2 of G, whose columns are x, y and z. */
@inline
function addSkew(x: Doubles, y: Doubles, z: Doubles, r: i32, a: Doubles, sign: f64): void {
  y[r] -= sign * a[2];
  z[r] += sign * a[1];
  x[r + 1] += sign * a[2];
  z[r + 1] -= sign * a[0];
  x[r + 2] -= sign * a[1];
  y[r + 2] += sign * a[0];
}

/** − s G Gᵀ, the lower triangle; a number beyond the diagonal may be overwritten. */
@inline
function addSliding(h: Doubles, a: Doubles, b: Doubles, sliding: Doubles, x: Doubles, s: f64): void {
  const y: Doubles = changetype<Doubles>(x.at(12));
  const z: Doubles = changetype<Doubles>(x.at(24));
  for (let i: i32 = 0; i < 12; i++) {
    x[i] = sliding[3 * i];
    y[i] = sliding[3 * i + 1];
    z[i] = sliding[3 * i + 2];
  }
  x[0] += 1;
  y[1] += 1;
  z[2] += 1;
  x[6] -= 1;
  y[7] -= 1;
  z[8] -= 1;
  addSkew(x, y, z, 3, a, 1);
  addSkew(x, y, z, 9, b, -1);
  const g: usize = x.at(0);
  for (let i: i32 = 0; i < 12; i++) {
    const gx: v128 = f64x2.splat(s * x[i]);
    const gy: v128 = f64x2.splat(s * y[i]);
    const gz: v128 = f64x2.splat(s * z[i]);
    const row: usize = h.at(12 * i);
    for (let j: usize = 0; j <= (<usize>i) << 3; j += 16) {
      const sum: v128 = f64x2.add(
        f64x2.add(f64x2.mul(gx, v128.load(g + j)), f64x2.mul(gy, v128.load(g + j, 96))),
        f64x2.mul(gz, v128.load(g + j, 192)),
      );
      v128.store(row + j, f64x2.sub(v128.load(row + j), sum));
    }
  }
}

@inline
function addCurvature(h: Doubles, o: i32, a: Doubles, f: Doubles, sign: f64): void {
  const dot: f64 = a[0] * f[0] + a[1] * f[1] + a[2] * f[2];
  for (let i: i32 = 0; i < 3; i++) {
    for (let j: i32 = 0; j <= i; j++) {
      const value: f64 = 0.5 * (a[i] * f[j] + f[i] * a[j]) - (i == j ? dot : 0);
      h[12 * (o + i) + o + j] += sign * value;
    }
  }
}

/** The upper triangle is the lower one. */
@inline
function mirror(h: usize): void {
  for (let i: usize = 1; i < 12; i++) {
    const row: usize = h + ROW * i;
    const column: usize = h + 8 * i;
    for (let j: usize = 0; j < i; j++) store<f64>(column + ROW * j, load<f64>(row + 8 * j));
  }
}

/** Gradient and Hessian of two frames that are both unknowns, from the inputs of the record. */
export function expandPairBlocks(record: Doubles, slide: f64, withCurvature: i32): void {
  const a: Doubles = changetype<Doubles>(record.at(ARM_A));
  const b: Doubles = changetype<Doubles>(record.at(ARM_B));
  const f: Doubles = changetype<Doubles>(record.at(FORCE));
  const h: Doubles = changetype<Doubles>(record.at(HESSIAN));
  const g: Doubles = changetype<Doubles>(record.at(GRADIENT));
  for (let k: i32 = 0; k < 3; k++) {
    g[k] = f[k];
    g[6 + k] = -f[k];
  }
  writeCross(g, 3, a, f, 1);
  writeCross(g, 9, b, f, -1);
  // the columns of G are written later
  const q: Doubles = changetype<Doubles>(record.at(COLUMNS));
  for (let k: i32 = 0; k < 9; k++) q[k] = record[STIFFNESS + k];
  q[0] += slide;
  q[4] += slide;
  q[8] += slide;
  writeProduct(h, a, b, q, changetype<Doubles>(record.at(TURN_A)), changetype<Doubles>(record.at(TURN_B)));
  if (slide != 0) addSliding(h, a, b, changetype<Doubles>(record.at(SLIDING)), q, slide);
  if (withCurvature) {
    addCurvature(h, 3, a, f, 1);
    addCurvature(h, 9, b, f, -1);
  }
  mirror(h.at(0));
}

/** The Hessian W Q Wᵀ of the two ways W, twelve numbers each, one after the other in the place of K; Q = (q, r; r, s). */
export function writeTwoWays(record: Doubles, q: f64, r: f64, s: f64): void {
  const one: Doubles = changetype<Doubles>(record.at(SLIDING));
  const two: Doubles = changetype<Doubles>(record.at(SLIDING + 12));
  const h: usize = record.at(HESSIAN);
  for (let i: i32 = 0; i < 12; i++) {
    const left: v128 = f64x2.splat(q * one[i] + r * two[i]);
    const right: v128 = f64x2.splat(r * one[i] + s * two[i]);
    const row: usize = h + ROW * i;
    for (let j: i32 = 0; j <= i; j += 2) {
      const sum: v128 = f64x2.add(f64x2.mul(left, v128.load(one.at(j))), f64x2.mul(right, v128.load(two.at(j))));
      v128.store(row + ((<usize>j) << 3), sum);
    }
  }
  mirror(h);
}

@inline
function addSquare(to: usize, from: usize): void {
  for (let i: i32 = 0; i < 6; i++, to += BLOCK_ROW, from += ROW) {
    v128.store(to, f64x2.add(v128.load(to), v128.load(from)));
    v128.store(to, f64x2.add(v128.load(to, 16), v128.load(from, 16)), 16);
    v128.store(to, f64x2.add(v128.load(to, 32), v128.load(from, 32)), 32);
  }
}

/** Adds the Hessian of a record to blocks of the matrix: those of a and b, and that between them, with the rows of b where `isTurned`. */
export function addPairBlocks(record: Doubles, ofA: usize, ofB: usize, between: usize, isTurned: i32): void {
  const h: usize = record.at(HESSIAN);
  addSquare(ofA, h);
  addSquare(ofB, h + 78 * 8);
  if (between == 0) return;
  const block: usize = h + 6 * 8;
  if (!isTurned) {
    addSquare(between, block);
    return;
  }
  for (let i: usize = 0; i < 6; i++) {
    const to: usize = between + BLOCK_ROW * i;
    const from: usize = block + 8 * i;
    for (let k: usize = 0; k < 6; k++) {
      store<f64>(to + 8 * k, load<f64>(to + 8 * k) + load<f64>(from + ROW * k));
    }
  }
}
