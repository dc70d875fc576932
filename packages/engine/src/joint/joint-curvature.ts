/**
 * Second derivatives Σ_k w_k ∇²C_k of joints and equalities by the poses of two frames: a 12 × 12 matrix over (dx₁, dθ₁, dx₂, dθ₂), world
 * perturbations x ← x + dx, R ← exp(dθ) R of frames at o₁, o₂. With F, T the weighted gradients by the point and the turn (N and N m where
 * w is a force), x₂ the point on frame 2, r = x₂ − o₂ and d = x₂ − o₁, for constant velocities v, ω
 *   ẇ = −ω₁ × ω₂,   ẍ = ω₂ × (ω₂ × r) − 2 ω₁ × (v₂ + ω₂ × r − v₁) + ω₁ × (ω₁ × d)         world axes, seen from frame 1
 *   C̈ = T · ẇ + F · ẍ + (w, ẋ)ᵀ H (w, ẋ),   w = ω₂ − ω₁,  ẋ = v₂ + ω₂ × r − v₁ − ω₁ × d    H: relative-curvature.ts
 * connect and weld, with points x₁, x₂ and r_i = x_i − o_i (coincidence.ts, alignment.ts)
 *   C̈ = F · (ω₁ × (ω₁ × r₁) − ω₂ × (ω₂ × r₂)) + T · (ω₁ × ω₂) − ¼ s (Σ w_k E_k) |ω₁ − ω₂|²
 */
import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { EQUALITY, type Model } from '../model/model.ts';
import { JET } from './jet.ts';
import type { JointCoordinates } from './joint-coordinate.ts';
import { writeRelativeCurvature } from './relative-curvature.ts';
import { createRelativeMotion, updateRelativeMotion } from './relative-motion.ts';

/** Rows of the matrix, and the first of each part. */
const N = 12;
const [X1, TURN1, X2, TURN2] = [0, 3, 6, 9];

const motion = /* @__PURE__ */ createRelativeMotion();
const relative = /* @__PURE__ */ new Float64Array(36);
const map = /* @__PURE__ */ new Float64Array(6 * N);
const product = /* @__PURE__ */ new Float64Array(6 * N);
const force = /* @__PURE__ */ new Float64Array(3);
const torque = /* @__PURE__ */ new Float64Array(3);
const arm1 = /* @__PURE__ */ new Float64Array(3);
const arm2 = /* @__PURE__ */ new Float64Array(3);
const point = /* @__PURE__ */ new Float64Array(3);

/**
 * Fills out[144] for chain b, whose frames are at o₁ = origin[f1..], o₂ = origin[f2..] (negative: a frame that does not move). After the six
 * weights of its rows come the gradients by x₂ and by the turn of frame 2 of what acts along its free directions, weighted, world axes.
 */
export function writeChainCurvature(
  out: Float64Array,
  model: Model,
  work: Workspace,
  coordinates: JointCoordinates,
  b: number,
  weight: Float64Array,
  origin: Float64Array,
  f1: number,
  f2: number,
): void {
  const chain = coordinates.chains[b];
  const { residual } = coordinates;
  updateRelativeMotion(motion, model, work, chain.body1, chain.body2, chain.point2);
  out.fill(0);
  writeArm(arm1, motion.worldPoint, origin, f1);
  writeArm(arm2, motion.worldPoint, origin, f2);
  // the turn moves x₂ as well: T = g − r × F
  for (let i = 0; i < 3; i++) {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    force[i] = weight[6 + i];
    torque[i] = weight[9 + i] - arm2[j] * weight[6 + k] + arm2[k] * weight[6 + j];
  }
  const r = 9 * chain.body1;
  const { bodyRotation } = work;
  for (let k = 0; k < 6 - chain.freedom; k++) {
    const jet = JET * (6 * b + k);
    for (let i = 0; i < 3; i++) {
      for (let m = 0; m < 3; m++) {
        torque[i] += weight[k] * bodyRotation[r + 3 * i + m] * residual[jet + 3 + m];
        force[i] += weight[k] * bodyRotation[r + 3 * i + m] * residual[jet + 6 + m];
      }
    }
  }
  addSwing(out, TURN1, force, arm1, 1);
  addSwing(out, TURN2, force, arm2, 1);
  // ω₁ᵀ [T] ω₂ and 2 ω₁ᵀ [F] (v₂ − v₁ + ω₂ × r)
  addCross(out, TURN1, TURN2, torque, 0.5);
  addCross(out, TURN1, X2, force, 1);
  addCross(out, TURN1, X1, force, -1);
  addCrossProduct(out, TURN1, TURN2, force, arm2, -1);
  if (writeRelativeCurvature(relative, model, chain, motion, weight)) addRelative(out, bodyRotation, r);
}

/** Fills out[144] for a connect or weld; false where it is of another kind. */
export function writeEqualityCurvature(
  out: Float64Array,
  model: Model,
  work: Workspace,
  e: number,
  weight: Float64Array,
  value: Float64Array,
  axes: Float64Array,
  origin: Float64Array,
  f1: number,
  f2: number,
): boolean {
  const { kind, object1, object2, data } = model.equality;
  if (kind[e] !== EQUALITY.connect && kind[e] !== EQUALITY.weld) return false;
  const isWeld = kind[e] === EQUALITY.weld;
  out.fill(0);
  force.set(weight.subarray(0, 3));
  transformPoint(point, 0, work, object1[e], data, 11 * e + (isWeld ? 3 : 0));
  writeArm(arm1, point, origin, f1);
  transformPoint(point, 0, work, object2[e], data, 11 * e + (isWeld ? 0 : 3));
  writeArm(arm2, point, origin, f2);
  addSwing(out, TURN1, force, arm1, 1);
  addSwing(out, TURN2, force, arm2, -1);
  if (!isWeld) return true;
  torque.fill(0);
  let spin = 0;
  for (let k = 0; k < 3; k++) {
    spin -= 0.25 * weight[3 + k] * value[3 + k];
    for (let i = 0; i < 3; i++) torque[i] += weight[3 + k] * axes[3 * k + i];
  }
  addCross(out, TURN1, TURN2, torque, -0.5);
  for (let i = 0; i < 3; i++) {
    out[(TURN1 + i) * N + TURN1 + i] += spin;
    out[(TURN2 + i) * N + TURN2 + i] += spin;
    out[(TURN1 + i) * N + TURN2 + i] -= spin;
    out[(TURN2 + i) * N + TURN1 + i] -= spin;
  }
  return true;
}

function writeArm(out: Float64Array, x: Float64Array, origin: Float64Array, f: number): void {
  for (let k = 0; k < 3; k++) out[k] = f < 0 ? 0 : x[k] - origin[f + k];
}

// scale · F · (ω × (ω × r)): ½ (F rᵀ + r Fᵀ) − F · r 1
function addSwing(out: Float64Array, o: number, f: Float64Array, r: Float64Array, scale: number): void {
  const along = scale * (f[0] * r[0] + f[1] * r[1] + f[2] * r[2]);
  for (let i = 0; i < 3; i++) {
    out[(o + i) * N + o + i] -= along;
    for (let j = 0; j < 3; j++) out[(o + i) * N + o + j] += 0.5 * scale * (f[i] * r[j] + f[j] * r[i]);
  }
}

// scale · [u] in block (a, b), and its transpose
function addCross(out: Float64Array, a: number, b: number, u: Float64Array, scale: number): void {
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    const x = scale * u[(i + 2) % 3];
    out[(a + i) * N + b + j] -= x;
    out[(b + j) * N + a + i] -= x;
    out[(a + j) * N + b + i] += x;
    out[(b + i) * N + a + j] += x;
  }
}

// scale · [u][v] = scale (v uᵀ − u · v 1) in block (a, b), and its transpose
function addCrossProduct(
  out: Float64Array,
  a: number,
  b: number,
  u: Float64Array,
  v: Float64Array,
  scale: number,
): void {
  const along = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const x = scale * (v[i] * u[j] - (i === j ? along : 0));
      out[(a + i) * N + b + j] += x;
      out[(b + j) * N + a + i] += x;
    }
  }
}

// (w, ẋ) = map z in the axes of body 1: out += mapᵀ H map
function addRelative(out: Float64Array, rotation: Float64Array, r: number): void {
  map.fill(0);
  for (let k = 0; k < 3; k++) {
    for (let i = 0; i < 3; i++) {
      const entry = rotation[r + 3 * i + k];
      const j = (i + 1) % 3;
      const m = (i + 2) % 3;
      map[k * N + TURN1 + i] = -entry;
      map[k * N + TURN2 + i] = entry;
      map[(3 + k) * N + X1 + i] = -entry;
      map[(3 + k) * N + X2 + i] = entry;
      // Rᵀ (ω × r): row k times [·]: ω_i gets r_m e_j … cyclic
      const [ej, em] = [rotation[r + 3 * j + k], rotation[r + 3 * m + k]];
      map[(3 + k) * N + TURN2 + i] = em * arm2[j] - ej * arm2[m];
      map[(3 + k) * N + TURN1 + i] = -(em * arm1[j] - ej * arm1[m]);
    }
  }
  for (let a = 0; a < 6; a++) {
    for (let c = 0; c < N; c++) {
      let sum = 0;
      for (let k = 0; k < 6; k++) sum += relative[6 * a + k] * map[k * N + c];
      product[a * N + c] = sum;
    }
  }
  for (let i = 0; i < N; i++) {
    for (let c = 0; c < N; c++) {
      let sum = 0;
      for (let a = 0; a < 6; a++) sum += map[a * N + i] * product[a * N + c];
      out[i * N + c] += sum;
    }
  }
}
