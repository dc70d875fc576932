/** Box and box: the compiled twin of the engine's geometry/pair/box-box.ts, in the same order of operations. */
import { edge, edgeSeparation, face, faceSeparation, findAxes } from './box-axes';
import { BoxPair } from './box-pair';
import { axis, axisX, axisY, clip, count, lowest, nameCorner, repeats, side, start } from './box-patch';
import { Doubles } from './doubles';

const NEARLY_FACE: f64 = 0.99;
const FACE_SHARE: f64 = 0.05;
const FACE_SLACK: f64 = 1e-6;
const NO_DIRECTION: f64 = 1e-13;
const EDGE_FEATURES: i32 = 8192;
const CORNER_FEATURES: i32 = 16384;

/** Writes the points of boxes a and b from number `first` on; returns how many. */
export function testBoxBox(p: BoxPair, a: i32, b: i32, reach: f64, first: i32): i32 {
  if (!findAxes(p, a, b, reach)) return 0;
  const sizeA: usize = p.size.at(3 * a);
  const sizeB: usize = p.size.at(3 * b);
  const slack: f64 = FACE_SLACK * sumOfSizes(sizeA, sizeB);
  const separation: f64 = edge < 0 ? faceSeparation : edgeSeparation;
  // a patch, unless edges or corners are clearly nearer
  if (
    edge < 0 ||
    (edgeSeparation < faceSeparation + FACE_SHARE * Math.abs(faceSeparation) + slack && isNearlyFace(p))
  ) {
    clip(p, sizeA, sizeB);
    const limit: f64 = separation > 0 ? (1 + FACE_SHARE) * separation + slack : Infinity;
    if (count > 0 && lowest <= limit) return addPatch(p, a, b, reach, first);
  }
  // two edges whose closest points lie within them
  if (edge >= 0 && (findEdgePoints(p, sizeA, sizeB) || separation <= 0)) {
    p.normal[0] = p.edgeAxis[0];
    p.normal[1] = p.edgeAxis[1];
    p.normal[2] = p.edgeAxis[2];
    return addFromA(p, a, reach, EDGE_FEATURES + nameEdges(p), first);
  }
  // boxes apart, nearest at a corner; or rounding between boxes of very different size left an empty patch
  return addNearestCorner(p, a, b, reach, first);
}

@inline
function sumOfSizes(a: usize, b: usize): f64 {
  return load<f64>(a) + load<f64>(a, 8) + load<f64>(a, 16) + load<f64>(b) + load<f64>(b, 8) + load<f64>(b, 16);
}

/** Whether the best pair of edges is nearly parallel to the best face. */
function isNearlyFace(p: BoxPair): bool {
  const e: Doubles = p.edgeAxis;
  const r: Doubles = p.turn;
  const j: i32 = face - 3;
  const cosine: f64 = j < 0 ? e[face] : e[0] * r[j] + e[1] * r[j + 3] + e[2] * r[j + 6];
  return Math.abs(cosine) > NEARLY_FACE;
}

/** Corners of the patch. */
function addPatch(p: BoxPair, a: i32, b: i32, reach: f64, first: i32): i32 {
  const box: i32 = face < 3 ? a : b;
  const m: usize = p.rotation.at(9 * box);
  const at: usize = p.position.at(3 * box);
  const sign: f64 = face < 3 ? side : -side;
  const columnX: usize = m + ((<usize>axisX) << 3);
  const columnY: usize = m + ((<usize>axisY) << 3);
  const columnZ: usize = m + ((<usize>axis) << 3);
  const x0: f64 = load<f64>(columnX);
  const x1: f64 = load<f64>(columnX, 24);
  const x2: f64 = load<f64>(columnX, 48);
  const y0: f64 = load<f64>(columnY);
  const y1: f64 = load<f64>(columnY, 24);
  const y2: f64 = load<f64>(columnY, 48);
  const z0: f64 = load<f64>(columnZ);
  const z1: f64 = load<f64>(columnZ, 24);
  const z2: f64 = load<f64>(columnZ, 48);
  const half: f64 = p.size[3 * box + axis];
  let n: i32 = first;
  for (let k: i32 = start; k < start + count; k++) {
    const gap: f64 = p.z[k];
    if (gap > reach || repeats(p, k)) continue;
    const x: f64 = p.x[k];
    const y: f64 = p.y[k];
    const z: f64 = side * (half + 0.5 * gap);
    writePoint(
      p,
      n++,
      load<f64>(at) + x0 * x + y0 * y + z0 * z,
      load<f64>(at, 8) + x1 * x + y1 * y + z1 * z,
      load<f64>(at, 16) + x2 * x + y2 * y + z2 * z,
      sign * z0,
      sign * z1,
      sign * z2,
      gap,
      nameCorner(p, k),
    );
  }
  return n - first;
}

@inline
function writePoint(
  p: BoxPair,
  n: i32,
  x: f64,
  y: f64,
  z: f64,
  nx: f64,
  ny: f64,
  nz: f64,
  gap: f64,
  feature: i32,
): void {
  const position: usize = p.pointPosition.at(3 * n);
  const normal: usize = p.pointNormal.at(3 * n);
  store<f64>(position, x);
  store<f64>(position, y, 8);
  store<f64>(position, z, 16);
  store<f64>(normal, nx);
  store<f64>(normal, ny, 8);
  store<f64>(normal, nz, 16);
  p.pointGap[n] = gap;
  p.pointFeature[n] = feature;
}

/** Closest points of the two edges, in onA and onB. True if they lie within both edges. */
function findEdgePoints(p: BoxPair, sizeA: usize, sizeB: usize): bool {
  const r: Doubles = p.turn;
  const e: Doubles = p.edgeAxis;
  const onA: Doubles = p.onA;
  const onB: Doubles = p.onB;
  const i: i32 = edge / 3;
  const j: i32 = edge - 3 * i;
  // middles of the edges: the corners of A farthest along the axis, of B farthest against it
  for (let k: i32 = 0; k < 3; k++) {
    const half: f64 = load<f64>(sizeA + ((<usize>k) << 3));
    onA[k] = k == i ? 0 : e[k] >= 0 ? half : -half;
    onB[k] = p.centerB[k];
  }
  for (let k: i32 = 0; k < 3; k++) {
    if (k == j) continue;
    const along: f64 = e[0] * r[k] + e[1] * r[k + 3] + e[2] * r[k + 6];
    const size: f64 = load<f64>(sizeB + ((<usize>k) << 3));
    const half: f64 = along >= 0 ? -size : size;
    onB[0] += half * r[k];
    onB[1] += half * r[k + 3];
    onB[2] += half * r[k + 6];
  }
  // closest points of onA + s u_i and onB + t v_j
  const cosine: f64 = r[3 * i + j];
  const dx: f64 = onB[0] - onA[0];
  const dy: f64 = onB[1] - onA[1];
  const dz: f64 = onB[2] - onA[2];
  const alongA: f64 = i == 0 ? dx : i == 1 ? dy : dz;
  const alongB: f64 = r[j] * dx + r[j + 3] * dy + r[j + 6] * dz;
  const free: f64 = (alongA - cosine * alongB) / (1 - cosine * cosine);
  const limitA: f64 = load<f64>(sizeA + ((<usize>i) << 3));
  let s: f64 = clamp(free, limitA);
  const t: f64 = clamp(cosine * s - alongB, load<f64>(sizeB + ((<usize>j) << 3)));
  const within: bool = s == free && t == cosine * s - alongB;
  s = clamp(alongA + cosine * t, limitA);
  onA[i] += s;
  onB[0] += t * r[j];
  onB[1] += t * r[j + 3];
  onB[2] += t * r[j + 6];
  return within;
}

/** Names the pair of edges: 4 · axis and two bits for the sides, of A and of B. */
function nameEdges(p: BoxPair): i32 {
  const r: Doubles = p.turn;
  const e: Doubles = p.edgeAxis;
  const i: i32 = edge / 3;
  const j: i32 = edge - 3 * i;
  let nameA: i32 = 4 * i;
  let nameB: i32 = 4 * j;
  let bitA: i32 = 1;
  let bitB: i32 = 1;
  for (let k: i32 = 0; k < 3; k++) {
    if (k != i) {
      if (e[k] >= 0) nameA += bitA;
      bitA = 2;
    }
    if (k != j) {
      if (e[0] * r[k] + e[1] * r[k + 3] + e[2] * r[k + 6] >= 0) nameB += bitB;
      bitB = 2;
    }
  }
  return 16 * nameA + nameB;
}

/** The nearest pair of a corner and the other box, in its frame by clamping. */
function addNearestCorner(p: BoxPair, a: i32, b: i32, reach: f64, first: i32): i32 {
  const r: Doubles = p.turn;
  const ca: Doubles = p.centerA;
  const cb: Doubles = p.centerB;
  const onA: Doubles = p.onA;
  const onB: Doubles = p.onB;
  const sizeA: usize = p.size.at(3 * a);
  const sizeB: usize = p.size.at(3 * b);
  const a0: f64 = load<f64>(sizeA);
  const a1: f64 = load<f64>(sizeA, 8);
  const a2: f64 = load<f64>(sizeA, 16);
  const b0: f64 = load<f64>(sizeB);
  const b1: f64 = load<f64>(sizeB, 8);
  const b2: f64 = load<f64>(sizeB, 16);
  let best: f64 = Infinity;
  let feature: i32 = 0;
  // corners of B in the frame of A
  for (let n: i32 = 0; n < 8; n++) {
    const x: f64 = n & 1 ? b0 : -b0;
    const y: f64 = n & 2 ? b1 : -b1;
    const z: f64 = n & 4 ? b2 : -b2;
    const px: f64 = cb[0] + r[0] * x + r[1] * y + r[2] * z;
    const py: f64 = cb[1] + r[3] * x + r[4] * y + r[5] * z;
    const pz: f64 = cb[2] + r[6] * x + r[7] * y + r[8] * z;
    const qx: f64 = clamp(px, a0);
    const qy: f64 = clamp(py, a1);
    const qz: f64 = clamp(pz, a2);
    const distance2: f64 = (px - qx) * (px - qx) + (py - qy) * (py - qy) + (pz - qz) * (pz - qz);
    if (distance2 >= best) continue;
    best = distance2;
    feature = n;
    setPoint(onA, qx, qy, qz);
    setPoint(onB, px, py, pz);
  }
  // corners of A in the frame of B
  for (let n: i32 = 0; n < 8; n++) {
    const x: f64 = n & 1 ? a0 : -a0;
    const y: f64 = n & 2 ? a1 : -a1;
    const z: f64 = n & 4 ? a2 : -a2;
    const px: f64 = ca[0] + r[0] * x + r[3] * y + r[6] * z;
    const py: f64 = ca[1] + r[1] * x + r[4] * y + r[7] * z;
    const pz: f64 = ca[2] + r[2] * x + r[5] * y + r[8] * z;
    const qx: f64 = clamp(px, b0);
    const qy: f64 = clamp(py, b1);
    const qz: f64 = clamp(pz, b2);
    const distance2: f64 = (px - qx) * (px - qx) + (py - qy) * (py - qy) + (pz - qz) * (pz - qz);
    if (distance2 >= best) continue;
    best = distance2;
    feature = 8 + n;
    setPoint(onA, x, y, z);
    setPoint(
      onB,
      cb[0] + r[0] * qx + r[1] * qy + r[2] * qz,
      cb[1] + r[3] * qx + r[4] * qy + r[5] * qz,
      cb[2] + r[6] * qx + r[7] * qy + r[8] * qz,
    );
  }
  const gap: f64 = Math.sqrt(best);
  if (gap > NO_DIRECTION * sumOfSizes(sizeA, sizeB)) {
    const scale: f64 = 1 / gap;
    setPoint(p.normal, scale * (onB[0] - onA[0]), scale * (onB[1] - onA[1]), scale * (onB[2] - onA[2]));
  } else {
    // touching corners: along the best face
    const j: i32 = face - 3;
    const sign: f64 = (face < 3 ? cb[face] : -ca[j]) < 0 ? -1 : 1;
    setPoint(
      p.normal,
      sign * (face < 3 ? (face == 0 ? 1 : 0) : r[j]),
      sign * (face < 3 ? (face == 1 ? 1 : 0) : r[j + 3]),
      sign * (face < 3 ? (face == 2 ? 1 : 0) : r[j + 6]),
    );
  }
  return addFromA(p, a, reach, CORNER_FEATURES + feature, first);
}

@inline
function setPoint(out: Doubles, x: f64, y: f64, z: f64): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/** The contact half way between onA and onB, with the gap along the normal, if that is within reach. */
function addFromA(p: BoxPair, a: i32, reach: f64, feature: i32, first: i32): i32 {
  const onA: Doubles = p.onA;
  const onB: Doubles = p.onB;
  const nx: f64 = p.normal[0];
  const ny: f64 = p.normal[1];
  const nz: f64 = p.normal[2];
  const gap: f64 = (onB[0] - onA[0]) * nx + (onB[1] - onA[1]) * ny + (onB[2] - onA[2]) * nz;
  if (gap > reach) return 0;
  const m: usize = p.rotation.at(9 * a);
  const at: usize = p.position.at(3 * a);
  const x: f64 = 0.5 * (onA[0] + onB[0]);
  const y: f64 = 0.5 * (onA[1] + onB[1]);
  const z: f64 = 0.5 * (onA[2] + onB[2]);
  writePoint(
    p,
    first,
    load<f64>(at) + load<f64>(m) * x + load<f64>(m, 8) * y + load<f64>(m, 16) * z,
    load<f64>(at, 8) + load<f64>(m, 24) * x + load<f64>(m, 32) * y + load<f64>(m, 40) * z,
    load<f64>(at, 16) + load<f64>(m, 48) * x + load<f64>(m, 56) * y + load<f64>(m, 64) * z,
    load<f64>(m) * nx + load<f64>(m, 8) * ny + load<f64>(m, 16) * nz,
    load<f64>(m, 24) * nx + load<f64>(m, 32) * ny + load<f64>(m, 40) * nz,
    load<f64>(m, 48) * nx + load<f64>(m, 56) * ny + load<f64>(m, 64) * nz,
    gap,
    feature,
  );
  return 1;
}

@inline
function clamp(value: f64, limit: f64): f64 {
  return Math.min(Math.max(value, -limit), limit);
}
