/**
 * Penetration of two overlapping cores: the expanding polytope algorithm (van den Bergen 2001), as branch and bound.
 *
 * P is a polytope with its corners in the Minkowski difference M. Face f of P has the unit normal n_f that points inwards and
 * the height c_f = n_f·x of its plane. P lies inside M, so no direction through f leaves a gap above c_f; the support point in
 * direction n_f gives g(n_f) ≤ c_f, a gap that is really there (see minkowski.ts). The face with the largest c_f is
 * split until no face can beat the best g found.
 *
 * Heights are signed, so P need not contain the origin: the search starts from any tetrahedron in M, and touching cores give gaps of about zero
 * of either sign, without a search for a missing corner. A face whose support point is already a corner, or whose split
 * would break the polytope, keeps g as its height and is not split.
 */

import { direction, PROOF } from './direction-proof.ts';
import { simplex } from './gjk.ts';
import { type MinkowskiDifference, MOST_VERTICES } from './minkowski.ts';
import { sharpenDirection } from './newton-direction.ts';
import { Polytope } from './polytope.ts';
import { GAP, NORMAL, POINT_A, POINT_B, type Separation } from './separation.ts';
import { findNearestInSimplex, weights } from './simplex.ts';

/** The gap is known when no face can beat it by more than this share of the size of M. */
const TOLERANCE = 1e-13;
const TOLERANCE_CURVED = 1e-10;
/** Curved shapes: Newton's method begins at a face this close to the surface, as a share of the size of M. */
const CLOSE = 0.02;
/** A face this close to the surface has no other optimum than the one that Newton's method finds from it. */
const SETTLED = 2e-4;
/** In shallow penetration, as a share of the size of M, faces within this cosine of the optimum are settled from farther above. */
const SHALLOW = 0.02;
const NEAR = 0.95;
/** Corners at hand begin the polytope when they are this far apart, as a share of the size of M. */
const ROOMY = 0.01;
/** M is flat when it is thinner than this share of its size. */
const FLAT = 1e-13;

const polytope = /* @__PURE__ */ new Polytope();
const extent = /* @__PURE__ */ new Float64Array(1);
const slack = /* @__PURE__ */ new Float64Array(1);
const inward = /* @__PURE__ */ new Float64Array(3);
const across = /* @__PURE__ */ new Float64Array(3);
const places = /* @__PURE__ */ new Int32Array(3);
const trial = /* @__PURE__ */ new Int32Array(3);
const corners = /* @__PURE__ */ new Float64Array(12);

/** Finds the deepest gap and its witness points after a distance search that ended OVERLAPPING. */
export function measurePenetration(out: Separation, m: MinkowskiDifference): void {
  const values = out.values;
  const count = spanTetrahedron(m);
  if (count < 4) {
    writeFlat(values, m, count);
    return;
  }
  polytope.begin(m);
  const { normal, height, corner } = polytope;
  measureSize(m, count);
  const size = extent[0];
  polytope.slack[0] = 1e-14 * size;
  const tolerance = (m.isCurved ? TOLERANCE_CURVED : TOLERANCE) * size;
  let vertices = count;
  let best = -Infinity;
  let isSharp = false;
  let hasTried = false;
  while (vertices < MOST_VERTICES) {
    const face = polytope.findHighest();
    if (face < 0 || height[face] <= best + tolerance) break;
    const nx = normal[3 * face];
    const ny = normal[3 * face + 1];
    const nz = normal[3 * face + 2];
    inward[0] = nx;
    inward[1] = ny;
    inward[2] = nz;
    m.support(vertices, inward, 1);
    const gap = m.height[0];
    if (gap > best + (isSharp ? tolerance : 0)) {
      best = gap;
      isSharp = false;
      values[NORMAL] = nx;
      values[NORMAL + 1] = ny;
      values[NORMAL + 2] = nz;
      places[0] = corner[3 * face];
      places[1] = corner[3 * face + 1];
      places[2] = corner[3 * face + 2];
    }
    if (m.isCurved && height[face] - gap <= (hasTried && best < -SHALLOW * size ? SETTLED : CLOSE) * size) {
      // the optimum near this face by Newton; faces that lead to it from closely above are settled
      hasTried = true;
      trial[0] = corner[3 * face];
      trial[1] = corner[3 * face + 1];
      trial[2] = corner[3 * face + 2];
      direction[0] = nx;
      direction[1] = ny;
      direction[2] = nz;
      const sharp = sharpenDirection(m, trial, 3, size);
      if (sharp >= best) {
        best = sharp;
        isSharp = true;
        values[NORMAL] = direction[0];
        values[NORMAL + 1] = direction[1];
        values[NORMAL + 2] = direction[2];
        writePoints(values, m, PROOF, PROOF + 1, PROOF + 2);
      }
      const isNear = best >= -SHALLOW * size && nx * direction[0] + ny * direction[1] + nz * direction[2] > NEAR;
      if (height[face] - sharp <= (isNear ? CLOSE : SETTLED) * size) {
        height[face] = sharp;
        continue;
      }
    }
    if (height[face] - gap <= tolerance) break;
    if (isKnown(m, vertices) || !polytope.expand(m, vertices, face)) height[face] = gap;
    else vertices++;
  }
  values[GAP] = best;
  slack[0] = tolerance;
  if (!isSharp) writeWitness(values, m, places[0], places[1], places[2]);
}

// a tetrahedron of corners of the simplex, and of support points where these are too close; returns how many are independent
function spanTetrahedron(m: MinkowskiDifference): number {
  const { w } = m;
  if (simplex.count === 4 && isRoomy(m)) return 4;
  let stored = simplex.count;
  measureSize(m, stored);
  // a segment: else along the axes
  if (!pullFarthest(m, 1, stored, true)) {
    for (let k = 0; k < 3; k++) {
      for (let j = 0; j < 3; j++) across[j] = j === k ? 1 : 0;
      m.support(stored++, across, 1);
      m.support(stored++, across, -1);
    }
    measureSize(m, stored);
    if (!pullFarthest(m, 1, stored, false)) return 1;
  }
  // a triangle: else across the segment, in two directions both ways
  if (!pullFarthest(m, 2, stored, true)) {
    for (let k = 0; k < 2; k++) {
      setAcross(across, w, k);
      m.support(stored++, across, 1);
      m.support(stored++, across, -1);
    }
    if (!pullFarthest(m, 2, stored, false)) return 2;
  }
  // a tetrahedron: else across the triangle
  if (!pullFarthest(m, 3, stored, true)) {
    setNormal(across, w);
    m.support(stored++, across, 1);
    m.support(stored++, across, -1);
    if (!pullFarthest(m, 3, stored, false)) return 3;
  }
  return 4;
}

// moves the point farthest from the first `count` points (as a point, line or plane) to place `count`; false if it is
// not far enough for a good shape, or for any
function pullFarthest(m: MinkowskiDifference, count: number, stored: number, isChoosy: boolean): boolean {
  const { w } = m;
  let ux = w[3] - w[0];
  let uy = w[4] - w[1];
  let uz = w[5] - w[2];
  if (count === 2) {
    const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
    ux /= length;
    uy /= length;
    uz /= length;
  } else if (count === 3) {
    setNormal(across, w);
    ux = across[0];
    uy = across[1];
    uz = across[2];
  }
  let farthest = -1;
  let at = count;
  for (let i = count; i < stored; i++) {
    const x = w[3 * i] - w[0];
    const y = w[3 * i + 1] - w[1];
    const z = w[3 * i + 2] - w[2];
    const along = ux * x + uy * y + uz * z;
    const whole = x * x + y * y + z * z;
    const squared = count === 1 ? whole : count === 2 ? whole - along * along : along * along;
    if (squared > farthest) {
      farthest = squared;
      at = i;
    }
  }
  if (at >= stored) return false;
  // swap through the place behind all points
  m.copy(stored, count);
  m.copy(count, at);
  m.copy(at, stored);
  const least = (isChoosy ? ROOMY : FLAT) * extent[0];
  return farthest > least * least;
}

// unit vectors across the segment of the first two points: 0 and 1 are perpendicular to each other
function setAcross(out: Float64Array, w: Float64Array, k: number): void {
  const ux = w[3] - w[0];
  const uy = w[4] - w[1];
  const uz = w[5] - w[2];
  const ax = Math.abs(ux);
  const ay = Math.abs(uy);
  const az = Math.abs(uz);
  let x = 0;
  let y = 0;
  let z = 0;
  if (ax <= ay && ax <= az) {
    y = uz;
    z = -uy;
  } else if (ay <= az) {
    x = -uz;
    z = ux;
  } else {
    x = uy;
    y = -ux;
  }
  if (k === 1) {
    const tx = uy * z - uz * y;
    const ty = uz * x - ux * z;
    z = ux * y - uy * x;
    x = tx;
    y = ty;
  }
  const length = Math.sqrt(x * x + y * y + z * z);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
}

// unit normal of the triangle of the first three points
function setNormal(out: Float64Array, w: Float64Array): void {
  const ux = w[3] - w[0];
  const uy = w[4] - w[1];
  const uz = w[5] - w[2];
  const vx = w[6] - w[0];
  const vy = w[7] - w[1];
  const vz = w[8] - w[2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.sqrt(x * x + y * y + z * z);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
}

// whether the first four points span a volume that is not nearly flat
function isRoomy(m: MinkowskiDifference): boolean {
  const { w } = m;
  measureSize(m, 4);
  const ux = w[3] - w[0];
  const uy = w[4] - w[1];
  const uz = w[5] - w[2];
  const vx = w[6] - w[0];
  const vy = w[7] - w[1];
  const vz = w[8] - w[2];
  const volume =
    (w[9] - w[0]) * (uy * vz - uz * vy) + (w[10] - w[1]) * (uz * vx - ux * vz) + (w[11] - w[2]) * (ux * vy - uy * vx);
  return Math.abs(volume) > 1e-9 * extent[0] * extent[0] * extent[0];
}

// largest coordinate of the first points
function measureSize(m: MinkowskiDifference, count: number): void {
  const { w } = m;
  let size = 0;
  for (let i = 0; i < 3 * count; i++) {
    const x = Math.abs(w[i]);
    if (x > size) size = x;
  }
  extent[0] = size;
}

function isKnown(m: MinkowskiDifference, vertex: number): boolean {
  for (let i = 0; i < vertex; i++) if (m.isSame(i, vertex)) return true;
  return false;
}

// weights of the point of a face below the origin give the points on A and B
function writeWitness(out: Float64Array, m: MinkowskiDifference, a: number, b: number, c: number): void {
  const tolerance = slack[0];
  let squared = shiftFace(out, m, a, b, c);
  if (squared > tolerance * tolerance) {
    // another triangle of the same flat side may be the one below the origin
    const { normal, height, corner } = polytope;
    let found = -1;
    for (let f = 0; f < polytope.count; f++) {
      if (!polytope.isAlive[f] || height[f] < out[GAP] - tolerance) continue;
      const along =
        normal[3 * f] * out[NORMAL] + normal[3 * f + 1] * out[NORMAL + 1] + normal[3 * f + 2] * out[NORMAL + 2];
      if (along < 0.999) continue;
      const other = shiftFace(out, m, corner[3 * f], corner[3 * f + 1], corner[3 * f + 2]);
      if (other >= squared) continue;
      squared = other;
      found = f;
    }
    if (found >= 0) {
      a = corner[3 * found];
      b = corner[3 * found + 1];
      c = corner[3 * found + 2];
    }
    shiftFace(out, m, a, b, c);
  }
  writePoints(out, m, a, b, c);
}

function writePoints(out: Float64Array, m: MinkowskiDifference, a: number, b: number, c: number): void {
  for (let k = 0; k < 3; k++) {
    out[POINT_A + k] = weights[0] * m.a[3 * a + k] + weights[1] * m.a[3 * b + k] + weights[2] * m.a[3 * c + k];
    out[POINT_B + k] = weights[0] * m.b[3 * a + k] + weights[1] * m.b[3 * b + k] + weights[2] * m.b[3 * c + k];
  }
}

// weights of the point of a face nearest to gap · normal; returns the squared distance
function shiftFace(out: Float64Array, m: MinkowskiDifference, a: number, b: number, c: number): number {
  for (let k = 0; k < 3; k++) {
    const shift = out[GAP] * out[NORMAL + k];
    corners[k] = m.w[3 * a + k] - shift;
    corners[3 + k] = m.w[3 * b + k] - shift;
    corners[6 + k] = m.w[3 * c + k] - shift;
  }
  return findNearestInSimplex(corners, 3);
}

// M is a point, a segment or flat: the cores touch in it and any direction across it has gap zero
function writeFlat(out: Float64Array, m: MinkowskiDifference, count: number): void {
  const { w } = m;
  if (count === 1) {
    across[0] = 0;
    across[1] = 0;
    across[2] = 1;
  } else if (count === 2) setAcross(across, w, 0);
  else setNormal(across, w);
  out[GAP] = 0;
  for (let k = 0; k < 3; k++) {
    out[NORMAL + k] = across[k];
    out[POINT_A + k] = 0;
    out[POINT_B + k] = 0;
  }
  findNearestInSimplex(w, count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      out[POINT_A + k] += weights[i] * m.a[3 * i + k];
      out[POINT_B + k] += weights[i] * m.b[3 * i + k];
    }
  }
}
