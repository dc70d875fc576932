/**
 * Sphere and box. With the centre p in the frame of the box and q = clamp(p, ±h):
 *
 *   outside: gap = |q − p| − r along q − p;   inside: gap = −min_k (h_k − |p_k|) − r out of the nearest face        lengths in m
 *
 * Features: Σ 3^k (0, 1 or 2 as coordinate k of q is free, at +h_k or at −h_k): the face, edge or corner touched.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';

/** Distance from the box below which the direction to it is rounding noise, m. */
const ON_SURFACE = 1e-15;

const ball = /* @__PURE__ */ new Float64Array(4);

export function testSphereBox(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  ball[0] = a.position[0];
  ball[1] = a.position[1];
  ball[2] = a.position[2];
  ball[3] = a.size[0];
  addBallBox(out, ball, b, reach, 0);
}

/**
 * Appends the contact of a ball (centre and radius, m: as numbers they would be allocated at every call) with a box if its gap is
 * at most `reach`; `feature` is added to the box feature.
 */
export function addBallBox(
  out: ContactPoints,
  ball: Float64Array,
  box: PlacedShape,
  reach: number,
  feature: number,
): void {
  const cx = ball[0];
  const cy = ball[1];
  const cz = ball[2];
  const radius = ball[3];
  const r = box.rotation;
  const hx = box.size[0];
  const hy = box.size[1];
  const hz = box.size[2];

  // centre in the frame of the box, and how far it is off each slab
  const x = cx - box.position[0];
  const y = cy - box.position[1];
  const z = cz - box.position[2];
  const px = r[0] * x + r[3] * y + r[6] * z;
  const py = r[1] * x + r[4] * y + r[7] * z;
  const pz = r[2] * x + r[5] * y + r[8] * z;
  let nx = px > hx ? hx - px : px < -hx ? -hx - px : 0;
  let ny = py > hy ? hy - py : py < -hy ? -hy - py : 0;
  let nz = pz > hz ? hz - pz : pz < -hz ? -hz - pz : 0;
  let distance = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (distance - radius > reach) return;

  if (distance > ON_SURFACE) {
    nx /= distance;
    ny /= distance;
    nz /= distance;
  } else {
    // inside: out of the nearest face
    const x1 = hx - Math.abs(px);
    const y1 = hy - Math.abs(py);
    const z1 = hz - Math.abs(pz);
    nx = 0;
    ny = 0;
    nz = 0;
    if (x1 <= y1 && x1 <= z1) {
      nx = px > 0 ? -1 : 1;
      distance = -x1;
    } else if (y1 <= z1) {
      ny = py > 0 ? -1 : 1;
      distance = -y1;
    } else {
      nz = pz > 0 ? -1 : 1;
      distance = -z1;
    }
  }
  const code = codeSide(nx) + 3 * codeSide(ny) + 9 * codeSide(nz);

  // back to the world
  const wx = r[0] * nx + r[1] * ny + r[2] * nz;
  const wy = r[3] * nx + r[4] * ny + r[5] * nz;
  const wz = r[6] * nx + r[7] * ny + r[8] * nz;
  const gap = distance - radius;
  const along = radius + 0.5 * gap;
  out.add(cx + along * wx, cy + along * wy, cz + along * wz, wx, wy, wz, gap, feature + code);
}

/** 1 for the positive face, which the normal enters downwards, 2 for the negative one, 0 for neither. */
function codeSide(normal: number): number {
  return normal < 0 ? 1 : normal > 0 ? 2 : 0;
}
