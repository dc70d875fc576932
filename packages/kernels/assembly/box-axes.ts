/** Separating axes of two boxes: the compiled twin of the engine's geometry/pair/box-axes.ts, in the same order of operations. */
import { BoxPair } from './box-pair';
import { Doubles } from './doubles';

const PARALLEL_EDGES: f64 = 1e-16;
const FACE_TIE: f64 = 1e-13;
const EDGE_BIAS: f64 = 1e-6;

/** Best face: 0 to 2 of A, 3 to 5 of B; its separation. */
export let face: i32 = 0;
export let faceSeparation: f64 = 0;
/** Best pair of edges if it beats the best face, else −1; its separation. */
export let edge: i32 = 0;
export let edgeSeparation: f64 = 0;

/** Finds the best axes. False as soon as one parts the boxes by more than `reach`. */
export function findAxes(p: BoxPair, a: i32, b: i32, reach: f64): bool {
  const ra: usize = p.rotation.at(9 * a);
  const rb: usize = p.rotation.at(9 * b);
  const pa: usize = p.position.at(3 * a);
  const pb: usize = p.position.at(3 * b);
  const sa: usize = p.size.at(3 * a);
  const sb: usize = p.size.at(3 * b);
  const x: f64 = load<f64>(pb) - load<f64>(pa);
  const y: f64 = load<f64>(pb, 8) - load<f64>(pa, 8);
  const z: f64 = load<f64>(pb, 16) - load<f64>(pa, 16);
  const b0: f64 = load<f64>(rb);
  const b1: f64 = load<f64>(rb, 8);
  const b2: f64 = load<f64>(rb, 16);
  const b3: f64 = load<f64>(rb, 24);
  const b4: f64 = load<f64>(rb, 32);
  const b5: f64 = load<f64>(rb, 40);
  const b6: f64 = load<f64>(rb, 48);
  const b7: f64 = load<f64>(rb, 56);
  const b8: f64 = load<f64>(rb, 64);
  const centerA: usize = p.centerA.at(0);
  const ca0: f64 = -(b0 * x + b3 * y + b6 * z);
  const ca1: f64 = -(b1 * x + b4 * y + b7 * z);
  const ca2: f64 = -(b2 * x + b5 * y + b8 * z);
  store<f64>(centerA, ca0);
  store<f64>(centerA, ca1, 8);
  store<f64>(centerA, ca2, 16);
  const a0: f64 = load<f64>(sa);
  const a1: f64 = load<f64>(sa, 8);
  const a2: f64 = load<f64>(sa, 16);
  const s0: f64 = load<f64>(sb);
  const s1: f64 = load<f64>(sb, 8);
  const s2: f64 = load<f64>(sb, 16);
  const tie: f64 = FACE_TIE * (a0 + a1 + a2 + s0 + s1 + s2);
  const turn: usize = p.turn.at(0);
  const centerB: usize = p.centerB.at(0);
  faceSeparation = -Infinity;
  // faces of A, with what those of B need summed up on the way
  let radius0: f64 = 0;
  let radius1: f64 = 0;
  let radius2: f64 = 0;
  for (let i: i32 = 0; i < 3; i++) {
    const o: usize = (<usize>i) << 3;
    const u0: f64 = load<f64>(ra + o);
    const u3: f64 = load<f64>(ra + o, 24);
    const u6: f64 = load<f64>(ra + o, 48);
    const c: f64 = u0 * x + u3 * y + u6 * z;
    store<f64>(centerB + o, c);
    const r0: f64 = u0 * b0 + u3 * b3 + u6 * b6;
    const r1: f64 = u0 * b1 + u3 * b4 + u6 * b7;
    const r2: f64 = u0 * b2 + u3 * b5 + u6 * b8;
    const row: usize = turn + 3 * o;
    store<f64>(row, r0);
    store<f64>(row, r1, 8);
    store<f64>(row, r2, 16);
    const m0: f64 = Math.abs(r0);
    const m1: f64 = Math.abs(r1);
    const m2: f64 = Math.abs(r2);
    const size: f64 = load<f64>(sa + o);
    const separation: f64 = Math.abs(c) - size - (m0 * s0 + m1 * s1 + m2 * s2);
    if (separation > reach) return false;
    if (separation > faceSeparation + tie) {
      faceSeparation = separation;
      face = i;
    }
    radius0 = i == 0 ? m0 * size : radius0 + m0 * size;
    radius1 = i == 0 ? m1 * size : radius1 + m1 * size;
    radius2 = i == 0 ? m2 * size : radius2 + m2 * size;
  }
  return (
    takeFace(3, Math.abs(ca0) - s0 - radius0, reach, tie) &&
    takeFace(4, Math.abs(ca1) - s1 - radius1, reach, tie) &&
    takeFace(5, Math.abs(ca2) - s2 - radius2, reach, tie) &&
    findEdges(p, sa, sb, reach)
  );
}

@inline
function takeFace(number: i32, separation: f64, reach: f64, tie: f64): bool {
  if (separation > reach) return false;
  if (separation > faceSeparation + tie) {
    faceSeparation = separation;
    face = number;
  }
  return true;
}

function findEdges(p: BoxPair, sa: usize, sb: usize, reach: f64): bool {
  edge = -1;
  edgeSeparation = faceSeparation;
  return (
    takeEdges(p, sa, sb, reach, 0, 0, 1, 2) &&
    takeEdges(p, sa, sb, reach, 0, 1, 2, 0) &&
    takeEdges(p, sa, sb, reach, 0, 2, 0, 1) &&
    takeEdges(p, sa, sb, reach, 1, 0, 1, 2) &&
    takeEdges(p, sa, sb, reach, 1, 1, 2, 0) &&
    takeEdges(p, sa, sb, reach, 1, 2, 0, 1) &&
    takeEdges(p, sa, sb, reach, 2, 0, 1, 2) &&
    takeEdges(p, sa, sb, reach, 2, 1, 2, 0) &&
    takeEdges(p, sa, sb, reach, 2, 2, 0, 1)
  );
}

// edges i of A and j of B; j1 and j2 follow j around
@inline
function takeEdges(p: BoxPair, sa: usize, sb: usize, reach: f64, i: i32, j: i32, j1: i32, j2: i32): bool {
  const r: Doubles = p.turn;
  const i1: i32 = i == 2 ? 0 : i + 1;
  const i2: i32 = 3 - i - i1;
  // u_i × v_j has no component along u_i, nor along v_j in the frame of B
  let y: f64 = -r[3 * i2 + j];
  let z: f64 = r[3 * i1 + j];
  const sine2: f64 = y * y + z * z;
  if (sine2 < PARALLEL_EDGES) return true;
  const scale: f64 = 1 / Math.sqrt(sine2);
  y *= scale;
  z *= scale;
  const radiusA: f64 = load<f64>(sa + (<usize>i1 << 3)) * Math.abs(y) + load<f64>(sa + (<usize>i2 << 3)) * Math.abs(z);
  const radiusB: f64 =
    load<f64>(sb + (<usize>j1 << 3)) * Math.abs(y * r[3 * i1 + j1] + z * r[3 * i2 + j1]) +
    load<f64>(sb + (<usize>j2 << 3)) * Math.abs(y * r[3 * i1 + j2] + z * r[3 * i2 + j2]);
  const along: f64 = y * p.centerB[i1] + z * p.centerB[i2];
  const separation: f64 = Math.abs(along) - radiusA - radiusB;
  if (separation > reach) return false;
  if (separation - EDGE_BIAS * Math.abs(separation) <= edgeSeparation) return true;
  edgeSeparation = separation;
  edge = 3 * i + j;
  const sign: f64 = along < 0 ? -1 : 1;
  p.edgeAxis[i] = 0;
  p.edgeAxis[i1] = sign * y;
  p.edgeAxis[i2] = sign * z;
  return true;
}
