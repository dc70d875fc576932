/**
 * Shortest path of a string between two points that is kept out of (or inside) a circle about the origin of a plane.
 *
 * Outside: tangents from both points, joined by an arc. Without a side point the string takes the shorter way, and is straight where it
 * misses the circle. With a side point s it goes round the far side of the circle where s lies beyond the centre as seen from the string,
 *   s = −(α p₀ + β p₁), α ≥ 0, β ≥ 0
 * and is as without s elsewhere. This is the rule of MuJoCo 4.0, found by measuring it; before, the string went the way nearer to s, which let
 * the path jump. Inside (the side point lies within the circle): the string touches the circle from within at one point,
 * where incoming and outgoing angles are equal:  asin(Az) + asin(Bz) − 2 asin z + G = 0, A = r/|p₀|, B = r/|p₁|,
 * G the angle between p₀ and p₁, solved by Newton's method from the right, where the function is concave.
 * Source: MuJoCo documentation, "Tendon / Wrapping"; the tangent points are plane geometry.
 */
import { acos, asin, cos, sin } from '../linear-algebra/elementary.ts';

const SMALL = 1e-15;
const NEWTON_ITERATIONS = 20;
// the equation's residual, rad: the angle of reflection is right to round-off then
const NEWTON_TOLERANCE = 1e-13;

const candidate = /* @__PURE__ */ new Float64Array(4);

/**
 * Wraps the string from (x0, y0) to (x1, y1) around the circle of radius r. `side` is a point on the wanted side, or absent.
 * Writes the two points where the string meets and leaves the circle; returns the length of the arc, or -1 for a straight path.
 */
export function wrapOutside(
  out: Float64Array,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  r: number,
  hasSide: boolean,
  sideX: number,
  sideY: number,
): number {
  const d0 = x0 * x0 + y0 * y0;
  const d1 = x1 * x1 + y1 * y1;
  const rr = r * r;
  const dx = x1 - x0;
  const dy = y1 - y0;
  const dd = dx * dx + dy * dy;
  if (d0 < rr || d1 < rr || r < SMALL || dd < SMALL) return -1;
  const turn = x0 * y1 - y0 * x1;
  const isFar = hasSide && liesBeyond(x0, y0, x1, y1, sideX, sideY);
  // the way against the turn from the first point to the second; where they are opposite, both are
  const farWay = isFar && turn !== 0 ? (turn > 0 ? 0 : 1) : -1;
  // the straight string misses the circle on the right side
  const along = Math.min(1, Math.max(0, -(dx * x0 + dy * y0) / dd));
  const nearX = x0 + along * dx;
  const nearY = y0 + along * dy;
  if (nearX * nearX + nearY * nearY > rr && !isFar) return -1;

  let best = -Infinity;
  let winner = 0;
  const h0 = Math.sqrt(d0 - rr);
  const h1 = Math.sqrt(d1 - rr);
  for (let way = 0; way < 2; way++) {
    const s = way === 0 ? r : -r;
    // tangent points
    candidate[0] = (x0 * rr + s * y0 * h0) / d0;
    candidate[1] = (y0 * rr - s * x0 * h0) / d0;
    candidate[2] = (x1 * rr - s * y1 * h1) / d1;
    candidate[3] = (y1 * rr + s * x1 * h1) / d1;
    if (farWay >= 0 && way !== farWay) continue;
    const merit = tangentsCross(x0, y0, x1, y1, candidate)
      ? -10_000
      : isFar
        ? alignment(candidate, sideX, sideY)
        : -((candidate[0] - candidate[2]) ** 2 + (candidate[1] - candidate[3]) ** 2);
    if (merit >= best) {
      best = merit;
      winner = way;
      out.set(candidate);
    }
  }
  if (tangentsCross(x0, y0, x1, y1, out)) return -1;
  return r * arcAngle(out, winner);
}

/** Keeps the string inside the circle; both outputs are the one point of touch. Returns 0, or -1 for a straight path. */
export function wrapInside(out: Float64Array, x0: number, y0: number, x1: number, y1: number, r: number): number {
  const l0 = Math.sqrt(x0 * x0 + y0 * y0);
  const l1 = Math.sqrt(x1 * x1 + y1 * y1);
  const dx = x1 - x0;
  const dy = y1 - y0;
  const dd = dx * dx + dy * dy;
  if (l0 <= r || l1 <= r || r < SMALL) return -1;
  // the straight string already passes through the circle
  if (dd > SMALL) {
    const along = -(dx * x0 + dy * y0) / dd;
    if (along > 0 && along < 1 && Math.sqrt((x0 + along * dx) ** 2 + (y0 + along * dy) ** 2) <= r) return -1;
  }
  const cosine = (l0 * l0 + l1 * l1 - dd) / (2 * l0 * l1);
  if (cosine < -1 + SMALL) return -1;
  // fall back to the direction between the points
  const mx = 0.5 * (x0 + x1);
  const my = 0.5 * (y0 + y1);
  const m = Math.sqrt(mx * mx + my * my);
  setTouch(out, (r * mx) / m, (r * my) / m);
  if (cosine > 1 - SMALL) return 0;

  const a = r / l0;
  const b = r / l1;
  const g = acos(cosine);
  let z = 1 - 1e-7;
  let f = asin(a * z) + asin(b * z) - 2 * asin(z) + g;
  if (f > 0) return 0;
  for (let n = 0; n < NEWTON_ITERATIONS && Math.abs(f) > NEWTON_TOLERANCE; n++) {
    const slope =
      a / Math.sqrt(1 - z * z * a * a) + b / Math.sqrt(1 - z * z * b * b) - 2 / Math.sqrt(Math.max(SMALL, 1 - z * z));
    const next = z - f / slope;
    if (!(slope < 0) || next > z) break;
    z = next;
    f = asin(a * z) + asin(b * z) - 2 * asin(z) + g;
  }
  // turn from the point that comes first counter-clockwise
  const first = x0 * y1 - y0 * x1 > 0;
  const angle = asin(z) - asin((first ? a : b) * z);
  const ux = first ? x0 / l0 : x1 / l1;
  const uy = first ? y0 / l0 : y1 / l1;
  const c = cos(angle);
  const s = sin(angle);
  setTouch(out, r * (c * ux - s * uy), r * (s * ux + c * uy));
  return 0;
}

function setTouch(out: Float64Array, x: number, y: number): void {
  out[0] = out[2] = x;
  out[1] = out[3] = y;
}

/** Whether the side point lies beyond the centre: in the cone of −p₀ and −p₁. */
function liesBeyond(x0: number, y0: number, x1: number, y1: number, sideX: number, sideY: number): boolean {
  const turn = x0 * y1 - y0 * x1;
  const alpha = (sideY * x1 - sideX * y1) * turn;
  const beta = (sideX * y0 - sideY * x0) * turn;
  return alpha >= 0 && beta >= 0;
}

/** Cosine between the middle of the arc and the side point, times the side's length. */
function alignment(p: Float64Array, sideX: number, sideY: number): number {
  const x = p[0] + p[2];
  const y = p[1] + p[3];
  const norm = Math.sqrt(x * x + y * y);
  return norm < SMALL ? sideX : (x * sideX + y * sideY) / norm;
}

/** Whether the two straight parts of the path cross each other. */
function tangentsCross(x0: number, y0: number, x1: number, y1: number, p: Float64Array): boolean {
  const ux = p[0] - x0;
  const uy = p[1] - y0;
  const vx = p[2] - x1;
  const vy = p[3] - y1;
  const det = vy * ux - vx * uy;
  if (Math.abs(det) < SMALL) return false;
  const a = (vx * (y0 - y1) - vy * (x0 - x1)) / det;
  const b = (ux * (y0 - y1) - uy * (x0 - x1)) / det;
  return a >= 0 && a <= 1 && b >= 0 && b <= 1;
}

/** Angle of the arc between the two points in the direction of the chosen way. */
function arcAngle(p: Float64Array, way: number): number {
  const norm0 = Math.sqrt(p[0] * p[0] + p[1] * p[1]);
  const norm1 = Math.sqrt(p[2] * p[2] + p[3] * p[3]);
  const angle = acos((p[0] * p[2] + p[1] * p[3]) / (norm0 * norm1));
  const cross = p[1] * p[2] - p[0] * p[3];
  return (cross > 0 && way === 1) || (cross < 0 && way === 0) ? 2 * Math.PI - angle : angle;
}
