/**
 * Six rows of a tree that are dense, those of a free joint: the steps of tree-ldl.ts without loops. Row r stands at r (r + 1)/2.
 */

/** Whether row i is the last of six that belong to each other alone. */
@inline
export function isLastOfSix(i: i32, length: i32, firstColumn: i32): bool {
  return length == 6 && firstColumn == i - 5;
}

/** Factors the rows at `p`; the smallest row whose pivot is not positive, or -1. */
export function factorSix(p: usize, inverseDiagonal: usize): i32 {
  let bad: i32 = -1;
  if (!invert(p + 160, inverseDiagonal + 40)) bad = 5;
  const i5: f64 = load<f64>(inverseDiagonal, 40);
  subtract5(p + 80, p + 120, scale(p + 152, i5));
  subtract4(p + 48, p + 120, scale(p + 144, i5));
  subtract3(p + 24, p + 120, scale(p + 136, i5));
  subtract2(p + 8, p + 120, scale(p + 128, i5));
  subtract1(p, p + 120, scale(p + 120, i5));
  divide5(p + 120, i5);
  if (!invert(p + 112, inverseDiagonal + 32)) bad = 4;
  const i4: f64 = load<f64>(inverseDiagonal, 32);
  subtract4(p + 48, p + 80, scale(p + 104, i4));
  subtract3(p + 24, p + 80, scale(p + 96, i4));
  subtract2(p + 8, p + 80, scale(p + 88, i4));
  subtract1(p, p + 80, scale(p + 80, i4));
  divide4(p + 80, i4);
  if (!invert(p + 72, inverseDiagonal + 24)) bad = 3;
  const i3: f64 = load<f64>(inverseDiagonal, 24);
  subtract3(p + 24, p + 48, scale(p + 64, i3));
  subtract2(p + 8, p + 48, scale(p + 56, i3));
  subtract1(p, p + 48, scale(p + 48, i3));
  divide3(p + 48, i3);
  if (!invert(p + 40, inverseDiagonal + 16)) bad = 2;
  const i2: f64 = load<f64>(inverseDiagonal, 16);
  subtract2(p + 8, p + 24, scale(p + 32, i2));
  subtract1(p, p + 24, scale(p + 24, i2));
  divide2(p + 24, i2);
  if (!invert(p + 16, inverseDiagonal + 8)) bad = 1;
  const i1: f64 = load<f64>(inverseDiagonal, 8);
  subtract1(p, p + 8, scale(p + 8, i1));
  store<f64>(p, load<f64>(p, 8) * i1, 8);
  if (!invert(p, inverseDiagonal)) bad = 0;
  return bad;
}

@inline
function invert(pivot: usize, out: usize): bool {
  const value: f64 = load<f64>(pivot);
  store<f64>(out, 1 / value);
  return value > 0;
}

@inline
function scale(entry: usize, inverse: f64): f64 {
  return load<f64>(entry) * inverse;
}

@inline
function subtract1(target: usize, source: usize, s: f64): void {
  store<f64>(target, load<f64>(target) - s * load<f64>(source));
}

@inline
function subtract2(target: usize, source: usize, s: f64): void {
  v128.store(target, f64x2.sub(v128.load(target), f64x2.mul(f64x2.splat(s), v128.load(source))));
}

@inline
function subtract3(target: usize, source: usize, s: f64): void {
  subtract2(target, source, s);
  subtract1(target + 16, source + 16, s);
}

@inline
function subtract4(target: usize, source: usize, s: f64): void {
  subtract2(target, source, s);
  subtract2(target + 16, source + 16, s);
}

@inline
function subtract5(target: usize, source: usize, s: f64): void {
  subtract4(target, source, s);
  subtract1(target + 32, source + 32, s);
}

@inline
function divide2(row: usize, inverse: f64): void {
  v128.store(row, f64x2.mul(v128.load(row), f64x2.splat(inverse)));
}

@inline
function divide3(row: usize, inverse: f64): void {
  divide2(row, inverse);
  store<f64>(row, load<f64>(row, 16) * inverse, 16);
}

@inline
function divide4(row: usize, inverse: f64): void {
  divide2(row, inverse);
  divide2(row + 16, inverse);
}

@inline
function divide5(row: usize, inverse: f64): void {
  divide4(row, inverse);
  store<f64>(row, load<f64>(row, 32) * inverse, 32);
}

/** x ← L⁻ᵀ x of the six rows at `p`. */
@inline
export function solveSixUp(x: usize, p: usize): void {
  subtract5(x, p + 120, load<f64>(x, 40));
  subtract4(x, p + 80, load<f64>(x, 32));
  subtract3(x, p + 48, load<f64>(x, 24));
  subtract2(x, p + 24, load<f64>(x, 16));
  subtract1(x, p + 8, load<f64>(x, 8));
}

/** x ← L⁻¹ D⁻¹ x of the six rows at `p`; sums over even and odd places. */
@inline
export function solveSixDown(x: usize, p: usize, inverseDiagonal: usize): void {
  const x0: f64 = load<f64>(x) * load<f64>(inverseDiagonal);
  const x1: f64 = load<f64>(x, 8) * load<f64>(inverseDiagonal, 8) - load<f64>(p, 8) * x0;
  const x2: f64 = load<f64>(x, 16) * load<f64>(inverseDiagonal, 16) - (load<f64>(p, 24) * x0 + load<f64>(p, 32) * x1);
  const x3: f64 =
    load<f64>(x, 24) * load<f64>(inverseDiagonal, 24) -
    (load<f64>(p, 48) * x0 + load<f64>(p, 56) * x1) -
    load<f64>(p, 64) * x2;
  const x4: f64 =
    load<f64>(x, 32) * load<f64>(inverseDiagonal, 32) -
    (load<f64>(p, 80) * x0 + load<f64>(p, 96) * x2 + (load<f64>(p, 88) * x1 + load<f64>(p, 104) * x3));
  const x5: f64 =
    load<f64>(x, 40) * load<f64>(inverseDiagonal, 40) -
    (load<f64>(p, 120) * x0 + load<f64>(p, 136) * x2 + (load<f64>(p, 128) * x1 + load<f64>(p, 144) * x3)) -
    load<f64>(p, 152) * x4;
  store<f64>(x, x0);
  store<f64>(x, x1, 8);
  store<f64>(x, x2, 16);
  store<f64>(x, x3, 24);
  store<f64>(x, x4, 32);
  store<f64>(x, x5, 40);
}
