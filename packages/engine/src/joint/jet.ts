/**
 * Jets: numbers that depend on the relative pose of two bodies, with everything that a constraint row needs. Nine numbers each:
 *   value s,  speed ṡ,  rate s̈ at zero accelerations of the dofs,  gradient (g, f) with ṡ = g · w + f · ẋ
 * where w (rad/s) is the relative angular velocity and ẋ (m/s) the relative velocity of a point. Built up by the rules of
 * differentiation, so that only the formula for s has to be written:
 *   (a b)¨ = ä b + 2 ȧ ḃ + a b̈,   and so on.
 * A vector is three jets in a row. Functions write to `out` at offset o, counted in numbers; out may be an input only where said.
 */
import { atan2, cosSin } from '../linear-algebra/elementary.ts';

/** Numbers per jet. */
export const JET = 9;

const pair = /* @__PURE__ */ new Float64Array(2);

/** out = a constant. */
export function setConstant(out: Float64Array, o: number, value: number): void {
  out.fill(0, o, o + JET);
  out[o] = value;
}

/** out = a constant vector v[i]. */
export function setConstantVector(out: Float64Array, o: number, v: Float64Array, i: number): void {
  for (let k = 0; k < 3; k++) setConstant(out, o + JET * k, v[i + k]);
}

/** out += scale · a. */
export function addJet(out: Float64Array, o: number, a: Float64Array, ia: number, scale: number): void {
  for (let k = 0; k < JET; k++) out[o + k] += scale * a[ia + k];
}

/** out += scale · a b; out is neither. */
export function addProduct(
  out: Float64Array,
  o: number,
  a: Float64Array,
  ia: number,
  b: Float64Array,
  ib: number,
  scale: number,
): void {
  const x = scale * a[ia];
  const y = scale * b[ib];
  out[o] += x * b[ib];
  out[o + 2] += x * b[ib + 2] + 2 * scale * a[ia + 1] * b[ib + 1] + y * a[ia + 2];
  out[o + 1] += x * b[ib + 1] + y * a[ia + 1];
  for (let k = 3; k < JET; k++) out[o + k] += x * b[ib + k] + y * a[ia + k];
}

/** out = a · b of two vectors. */
export function dotJets(out: Float64Array, o: number, a: Float64Array, ia: number, b: Float64Array, ib: number): void {
  out.fill(0, o, o + JET);
  for (let k = 0; k < 3; k++) addProduct(out, o, a, ia + JET * k, b, ib + JET * k, 1);
}

/** out = scale · a × b of two vectors. */
export function crossJets(
  out: Float64Array,
  o: number,
  a: Float64Array,
  ia: number,
  b: Float64Array,
  ib: number,
  scale: number,
): void {
  out.fill(0, o, o + 3 * JET);
  for (let k = 0; k < 3; k++) {
    const m = JET * ((k + 1) % 3);
    const n = JET * ((k + 2) % 3);
    addProduct(out, o + JET * k, a, ia + m, b, ib + n, scale);
    addProduct(out, o + JET * k, a, ia + n, b, ib + m, -scale);
  }
}

/** a = a/b, in place. */
export function divideJet(a: Float64Array, ia: number, b: Float64Array, ib: number): void {
  const s = 1 / b[ib];
  const value = a[ia] * s;
  const speed = (a[ia + 1] - value * b[ib + 1]) * s;
  a[ia + 2] = (a[ia + 2] - 2 * speed * b[ib + 1] - value * b[ib + 2]) * s;
  a[ia] = value;
  a[ia + 1] = speed;
  for (let k = 3; k < JET; k++) a[ia + k] = (a[ia + k] - value * b[ib + k]) * s;
}

/** a = √a, in place; a > 0. */
export function sqrtJet(a: Float64Array, ia: number): void {
  const root = Math.sqrt(a[ia]);
  const half = 0.5 / root;
  a[ia] = root;
  a[ia + 1] *= half;
  a[ia + 2] = a[ia + 2] * half - (a[ia + 1] * a[ia + 1]) / root;
  for (let k = 3; k < JET; k++) a[ia + k] *= half;
}

/** out = the angle of (x, y), in (−π, π]; without derivatives where both are zero. */
export function angleOfJets(
  out: Float64Array,
  o: number,
  y: Float64Array,
  iy: number,
  x: Float64Array,
  ix: number,
): void {
  const square = x[ix] * x[ix] + y[iy] * y[iy];
  out.fill(0, o, o + JET);
  out[o] = atan2(y[iy], x[ix]);
  if (square < 1e-30) return;
  const c = x[ix] / square;
  const s = y[iy] / square;
  out[o + 1] = c * y[iy + 1] - s * x[ix + 1];
  out[o + 2] = c * y[iy + 2] - s * x[ix + 2] - 2 * out[o + 1] * (c * x[ix + 1] + s * y[iy + 1]);
  for (let k = 3; k < JET; k++) out[o + k] = c * y[iy + k] - s * x[ix + k];
}

/** out = cosine and sine of an angle: two jets. */
export function cosSinOfJet(out: Float64Array, o: number, angle: Float64Array, i: number): void {
  cosSin(pair, 0, angle[i]);
  const c = pair[0];
  const s = pair[1];
  const speed = angle[i + 1];
  out[o] = c;
  out[o + 1] = -s * speed;
  out[o + 2] = -s * angle[i + 2] - c * speed * speed;
  out[o + JET] = s;
  out[o + JET + 1] = c * speed;
  out[o + JET + 2] = c * angle[i + 2] - s * speed * speed;
  for (let k = 3; k < JET; k++) {
    out[o + k] = -s * angle[i + k];
    out[o + JET + k] = c * angle[i + k];
  }
}

/**
 * Turns a vector in place about the constant unit axis a[i] by the angle whose cosine and sine are given:
 * v ← p + cos (v − p) + sin (a × v), p = a (a · v).
 */
export function turnJets(
  v: Float64Array,
  iv: number,
  a: Float64Array,
  i: number,
  cosSine: Float64Array,
  c: number,
): void {
  // p, then v − p, then a × v
  along.fill(0, 0, 3 * JET);
  for (let k = 0; k < 3; k++) for (let m = 0; m < 3; m++) addJet(along, JET * k, v, iv + JET * m, a[i + k] * a[i + m]);
  for (let k = 0; k < 3; k++) {
    const m = (k + 1) % 3;
    const n = (k + 2) % 3;
    across.fill(0, JET * k, JET * (k + 1));
    addJet(across, JET * k, v, iv + JET * n, a[i + m]);
    addJet(across, JET * k, v, iv + JET * m, -a[i + n]);
  }
  for (let k = 0; k < 3; k++) {
    addJet(v, iv + JET * k, along, JET * k, -1);
    for (let n = 0; n < JET; n++) {
      rest[n] = v[iv + JET * k + n];
      v[iv + JET * k + n] = along[JET * k + n];
    }
    addProduct(v, iv + JET * k, rest, 0, cosSine, c, 1);
    addProduct(v, iv + JET * k, across, JET * k, cosSine, c + JET, 1);
  }
}

const along = /* @__PURE__ */ new Float64Array(3 * JET);
const across = /* @__PURE__ */ new Float64Array(3 * JET);
const rest = /* @__PURE__ */ new Float64Array(JET);
