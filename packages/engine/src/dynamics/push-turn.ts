/**
 * Pushes in a step whose solve is over positions. Torques act on a body at its end, where it has turned by R⁺ = R exp(h u), and change the way
 * that it goes, u. Gyroscopic motion (inertial-motion.ts) begins with a push at the start instead, in the axes of R:
 *   s = J⁻¹ t − E J⁻¹ E⁻² t,   E = exp(h u/2)
 * t angular impulse, N m s, in the axes of the start; J inertia, kg m²; u rad/s, body axes. J⁻¹ t is the push at the start, E J⁻¹ E⁻² t what
 * the impulse changes of u, up to second order in h u. Without s, torques would come half a turn of the body late: a heavy top that spins
 * about its axis would tilt more and more, at the rate h m g l/(2 J₃).
 */
import { cosSin } from '../linear-algebra/elementary.ts';
import { solveSmallSystem } from '../linear-algebra/small-system.ts';
import { reverseTurn } from '../linear-algebra/turn-adjoint.ts';

const pair = /* @__PURE__ */ new Float64Array(2);
const system = /* @__PURE__ */ new Float64Array(9);
/** −u. */
const back = /* @__PURE__ */ new Float64Array(3);
const early = /* @__PURE__ */ new Float64Array(3);
const late = /* @__PURE__ */ new Float64Array(3);
const cross = /* @__PURE__ */ new Float64Array(3);
const unused = /* @__PURE__ */ new Float64Array(3);

/** A body in a step of length h: t, u and J, three and nine numbers. */
export interface PushedBody {
  readonly impulse: Float64Array;
  readonly way: Float64Array;
  readonly inertia: Float64Array;
}

/** Writes s, three numbers at `i`. */
export function writePushShift(out: Float64Array, i: number, { impulse, way, inertia }: PushedBody, h: number): void {
  for (let k = 0; k < 3; k++) early[k] = impulse[k];
  turnBy(late, impulse, way, -h);
  divide(late, inertia);
  turnBy(late, late, way, 0.5 * h);
  divide(early, inertia);
  for (let k = 0; k < 3; k++) out[i + k] = early[k] - late[k];
}

/** From the gradient y by s, at `i`: writes that by t to `byImpulse`, and adds that by u at `i`. */
export function reversePushShift(
  byImpulse: Float64Array,
  byWay: Float64Array,
  y: Float64Array,
  i: number,
  { impulse, way, inertia }: PushedBody,
  h: number,
): void {
  for (let k = 0; k < 3; k++) {
    back[k] = -way[k];
    byImpulse[k] = late[k] = y[i + k];
  }
  // t̄ = J⁻¹ y − E² q,  q = J⁻¹ E⁻¹ y
  turnBy(late, late, way, -0.5 * h);
  divide(late, inertia);
  turnBy(late, late, way, h);
  divide(byImpulse, inertia);
  for (let k = 0; k < 3; k++) byImpulse[k] -= late[k];
  // of E⁻² t:  ū += h J_r(h u) (t × E² q)
  writeCross(cross, impulse, 0, late);
  addWayRate(byWay, i, h);
  // of E a,  a = J⁻¹ E⁻² t:  ū += (h/2) J_r(h u/2) (y × E a)
  turnBy(late, impulse, way, -h);
  divide(late, inertia);
  turnBy(late, late, way, 0.5 * h);
  writeCross(cross, y, i, late);
  addWayRate(byWay, i, 0.5 * h);
}

// ū += h J_r(h u) `cross`, J_r(φ) = J_r(−φ)ᵀ
function addWayRate(byWay: Float64Array, i: number, h: number): void {
  early.fill(0);
  reverseTurn(cross, back, 0, h, unused, early);
  for (let k = 0; k < 3; k++) byWay[i + k] += early[k];
}

// v ← J⁻¹ v
function divide(v: Float64Array, inertia: Float64Array): void {
  for (let k = 0; k < 9; k++) system[k] = inertia[k];
  if (!solveSmallSystem(system, v, 3)) v.fill(0);
}

function writeCross(out: Float64Array, a: Float64Array, i: number, b: Float64Array): void {
  out[0] = a[i + 1] * b[2] - a[i + 2] * b[1];
  out[1] = a[i + 2] * b[0] - a[i] * b[2];
  out[2] = a[i] * b[1] - a[i + 1] * b[0];
}

// out = exp(h u) v
function turnBy(out: Float64Array, v: Float64Array, way: Float64Array, h: number): void {
  const speed = Math.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2);
  cosSin(pair, 0, 0.5 * h * speed);
  const s = speed > 0 ? pair[1] / speed : 0;
  const w = pair[0];
  const x = s * way[0];
  const y = s * way[1];
  const z = s * way[2];
  const a = v[0];
  const b = v[1];
  const c = v[2];
  const tx = w * a + y * c - z * b;
  const ty = w * b + z * a - x * c;
  const tz = w * c + x * b - y * a;
  out[0] = a + 2 * (y * tz - z * ty);
  out[1] = b + 2 * (z * tx - x * tz);
  out[2] = c + 2 * (x * ty - y * tx);
}
