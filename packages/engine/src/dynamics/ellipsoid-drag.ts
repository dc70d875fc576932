/**
 * Forces of a fluid on a shape that is taken as an ellipsoid with half axes d, in its axes at its centre: v and ω relative to the wind,
 * ρ the density, μ the viscosity, m and I the mass and inertia of the fluid that moves along (fluid-plan.ts)
 *   added mass   f = p × ω      t = p × v + L × ω      p = ρ m v,  L = ρ I ω
 *   Magnus       f = c_M ρ V ω × v                     V the volume
 *   Kutta        f = c_K ρ A cos α (n × v) × v         n_x = (d_y d_z)² v_x,  A = π |n|/√(n · v),  cos α = n · v/(|v| |n|²)
 *   drag         f = −(3π D μ + ρ |v| (c_b A + c_s (A_max − A))) v        D = ⅔ (d_x + d_y + d_z)
 *                t = −(π D³ μ + ρ |w|) ω               w_i = ω_i (c_a I_i + c_s (I_max − I_i))
 * c_b, c_s, c_a, c_K, c_M the coefficients of the shape; I_i = 8π/15 d_i max(d_j, d_k)⁴. Source: MuJoCo documentation, "Fluid forces / Ellipsoid model".
 */
import { matrixFromQuaternion, multiplyQuaternions } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { transformPoint } from './poses.ts';
import type { Workspace } from './workspace.ts';

const LEAST = 1e-15;

const axes = /* @__PURE__ */ new Float64Array(9);
const frame = /* @__PURE__ */ new Float64Array(4);
const center = /* @__PURE__ */ new Float64Array(3);
/** Angular velocity, then velocity; torque, then force. */
const twist = /* @__PURE__ */ new Float64Array(6);
const wrench = /* @__PURE__ */ new Float64Array(6);
/** ∂wrench/∂twist, row by row. */
const rate = /* @__PURE__ */ new Float64Array(36);
const axisI = /* @__PURE__ */ new Float64Array(6);
const axisJ = /* @__PURE__ */ new Float64Array(6);
const product = /* @__PURE__ */ new Float64Array(6);

/** out = torque and force on all shapes of body b at its centre of mass, world axes. */
export function writeEllipsoidWrench(out: Float64Array, model: Model, work: Workspace, b: number): void {
  const { start } = work.plan.fluid!;
  out.fill(0);
  for (let n = start[b]; n < start[b + 1]; n++) {
    placeShape(model, work, b, n);
    evaluate(model, work, n, false);
    const [tx, ty, tz] = rotate(0);
    const [fx, fy, fz] = rotate(3);
    const x = center[0] - work.bodyCenter[3 * b];
    const y = center[1] - work.bodyCenter[3 * b + 1];
    const z = center[2] - work.bodyCenter[3 * b + 2];
    out[0] += tx + y * fz - z * fy;
    out[1] += ty + z * fx - x * fz;
    out[2] += tz + x * fy - y * fx;
    out[3] += fx;
    out[4] += fy;
    out[5] += fz;
  }
}

/** Adds −h Jᵀ B J of body b, B = ∂wrench/∂twist: its symmetric part, in the pattern of the mass matrix. */
export function addEllipsoidRate(model: Model, work: Workspace, b: number, h: number): void {
  addRate(model, work, b, h, work.forceRate, undefined);
}

/** Adds what −h Jᵀ B J is beyond its symmetric part to the lower triangle, and takes it off the upper. */
export function addEllipsoidSkewRate(model: Model, work: Workspace, b: number, h: number): void {
  addRate(model, work, b, h, work.forceRate, work.forceRateUpper);
}

function addRate(
  model: Model,
  work: Workspace,
  b: number,
  h: number,
  lower: Float64Array,
  upper: Float64Array | undefined,
): void {
  const { start } = work.plan.fluid!;
  const { rowStart, column } = model.massMatrix;
  const { lastDof } = model.body;
  for (let n = start[b]; n < start[b + 1]; n++) {
    placeShape(model, work, b, n);
    evaluate(model, work, n, true);
    for (let i = lastDof[b]; i >= 0; i = model.dof.parent[i]) {
      readMotion(axisI, model, work, b, work.motionSubspace, 6 * i);
      // (B ± Bᵀ)ᵀ s_i / 2
      for (let c = 0; c < 6; c++) {
        let sum = 0;
        for (let r = 0; r < 6; r++) {
          const mirrored = upper ? -rate[6 * c + r] : rate[6 * c + r];
          sum += 0.5 * (rate[6 * r + c] + mirrored) * axisI[r];
        }
        product[c] = -h * sum;
      }
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        readMotion(axisJ, model, work, b, work.motionSubspace, 6 * column[k]);
        let sum = 0;
        for (let c = 0; c < 6; c++) sum += product[c] * axisJ[c];
        lower[k] += sum;
        if (upper) upper[k] -= sum;
      }
    }
  }
}

/** Axes and centre of fluid shape n, and its velocity relative to the wind. */
function placeShape(model: Model, work: Workspace, b: number, n: number): void {
  const s = work.plan.fluid!.shape[n];
  const { wind } = model.options.medium;
  multiplyQuaternions(frame, 0, work.bodyOrientation, 4 * b, model.shape.orientation, 4 * s);
  matrixFromQuaternion(axes, 0, frame, 0);
  transformPoint(center, 0, work, b, model.shape.position, 3 * s);
  const ofMesh = model.shape.fluidMesh.get(s);
  if (ofMesh) {
    for (let i = 0; i < 3; i++)
      center[i] += axes[3 * i] * ofMesh[0] + axes[3 * i + 1] * ofMesh[1] + axes[3 * i + 2] * ofMesh[2];
    multiplyQuaternions(frame, 0, frame, 0, ofMesh, 3);
    matrixFromQuaternion(axes, 0, frame, 0);
  }
  readMotion(twist, model, work, b, work.bodyTwist, 6 * b);
  for (let i = 0; i < 3; i++) twist[3 + i] -= axes[i] * wind[0] + axes[3 + i] * wind[1] + axes[6 + i] * wind[2];
}

/** A spatial motion of body b, at the centre of the shape and in its axes. */
function readMotion(
  out: Float64Array,
  model: Model,
  { treeCenter }: Workspace,
  b: number,
  motion: Float64Array,
  m: number,
): void {
  const c = 3 * model.body.root[b];
  const wx = motion[m];
  const wy = motion[m + 1];
  const wz = motion[m + 2];
  const dx = center[0] - treeCenter[c];
  const dy = center[1] - treeCenter[c + 1];
  const dz = center[2] - treeCenter[c + 2];
  const vx = motion[m + 3] + wy * dz - wz * dy;
  const vy = motion[m + 4] + wz * dx - wx * dz;
  const vz = motion[m + 5] + wx * dy - wy * dx;
  for (let i = 0; i < 3; i++) {
    out[i] = axes[i] * wx + axes[3 + i] * wy + axes[6 + i] * wz;
    out[3 + i] = axes[i] * vx + axes[3 + i] * vy + axes[6 + i] * vz;
  }
}

/** A part of the wrench in world axes. */
function rotate(o: number): [number, number, number] {
  const [x, y, z] = [wrench[o], wrench[o + 1], wrench[o + 2]];
  return [
    axes[0] * x + axes[1] * y + axes[2] * z,
    axes[3] * x + axes[4] * y + axes[5] * z,
    axes[6] * x + axes[7] * y + axes[8] * z,
  ];
}

/** The wrench on fluid shape n, and its rate where asked for. */
function evaluate(model: Model, work: Workspace, n: number, withRate: boolean): void {
  const { numbers, shape } = work.plan.fluid!;
  const { density, viscosity } = model.options.medium;
  const { fluid } = model.shape;
  const c = 5 * shape[n];
  wrench.fill(0);
  rate.fill(0);
  addAddedMass(numbers, 9 * n, density, withRate);
  const volume = (4 / 3) * Math.PI * numbers[9 * n] * numbers[9 * n + 1] * numbers[9 * n + 2];
  addMagnus(fluid[c + 4] * density * volume, withRate);
  addFlow(numbers, 9 * n, density, viscosity, fluid, c, withRate);
  addTurning(numbers, 9 * n, density, viscosity, fluid, c, withRate);
}

function addAddedMass(numbers: Float64Array, at: number, density: number, withRate: boolean): void {
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    const mj = density * numbers[at + 3 + j];
    const mk = density * numbers[at + 3 + k];
    const Ij = density * numbers[at + 6 + j];
    const Ik = density * numbers[at + 6 + k];
    wrench[i] += (mj - mk) * twist[3 + j] * twist[3 + k] + (Ij - Ik) * twist[j] * twist[k];
    wrench[3 + i] += mj * twist[3 + j] * twist[k] - mk * twist[3 + k] * twist[j];
    if (!withRate) continue;
    rate[6 * i + 3 + j] += (mj - mk) * twist[3 + k];
    rate[6 * i + 3 + k] += (mj - mk) * twist[3 + j];
    rate[6 * i + j] += (Ij - Ik) * twist[k];
    rate[6 * i + k] += (Ij - Ik) * twist[j];
    const row = 6 * (3 + i);
    rate[row + 3 + j] += mj * twist[k];
    rate[row + k] += mj * twist[3 + j];
    rate[row + 3 + k] -= mk * twist[j];
    rate[row + j] -= mk * twist[3 + k];
  }
}

function addMagnus(c: number, withRate: boolean): void {
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    wrench[3 + i] += c * (twist[j] * twist[3 + k] - twist[k] * twist[3 + j]);
    if (!withRate) continue;
    const row = 6 * (3 + i);
    rate[row + j] += c * twist[3 + k];
    rate[row + 3 + k] += c * twist[j];
    rate[row + k] -= c * twist[3 + j];
    rate[row + 3 + j] -= c * twist[k];
  }
}

/** Kutta's lift and the drag of the velocity. */
function addFlow(
  numbers: Float64Array,
  at: number,
  density: number,
  viscosity: number,
  fluid: Float64Array,
  c: number,
  withRate: boolean,
): void {
  const [dx, dy, dz] = [numbers[at], numbers[at + 1], numbers[at + 2]];
  const [vx, vy, vz] = [twist[3], twist[4], twist[5]];
  const largest = Math.max(dx, dy, dz);
  const middle = dx + dy + dz - largest - Math.min(dx, dy, dz);
  const area = [(dy * dz) ** 2, (dz * dx) ** 2, (dx * dy) ** 2];
  const normal = [area[0] * vx, area[1] * vy, area[2] * vz];
  const speed = Math.sqrt(vx * vx + vy * vy + vz * vz);
  const square = normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2;
  const along = normal[0] * vx + normal[1] * vy + normal[2] * vz;
  const A = Math.PI * Math.sqrt(square / Math.max(LEAST, along));
  const cosine = along / Math.max(LEAST, speed * square);
  const lift = fluid[c + 3] * density * cosine * A;
  const [blunt, slender] = [fluid[c], fluid[c + 1]];
  const most = Math.PI * largest * middle;
  const diameter = (2 / 3) * (dx + dy + dz);
  const linear = 3 * Math.PI * diameter * viscosity;
  const drag = linear + density * speed * (blunt * A + slender * (most - A));
  for (let i = 0; i < 3; i++) {
    const v = twist[3 + i];
    wrench[3 + i] += lift * (v * along - normal[i] * speed * speed) - drag * v;
  }
  if (!withRate) return;
  for (let k = 0; k < 3; k++) {
    // derivatives of |n|², n · v and |v| by v_k
    const bySquare = 2 * area[k] * normal[k];
    const byAlong = 2 * normal[k];
    const bySpeed = twist[3 + k] / Math.max(LEAST, speed);
    const ratio = bySquare / Math.max(LEAST, square);
    const share = byAlong / Math.max(LEAST, along);
    const byA = 0.5 * A * (ratio - share);
    const byLift = lift * (0.5 * share - bySpeed / Math.max(LEAST, speed) - 0.5 * ratio);
    const byDrag = density * (bySpeed * (blunt * A + slender * (most - A)) + speed * (blunt - slender) * byA);
    for (let i = 0; i < 3; i++) {
      const v = twist[3 + i];
      const path = v * along - normal[i] * speed * speed;
      let byPath = v * byAlong - 2 * normal[i] * twist[3 + k];
      if (i === k) byPath += along - area[i] * speed * speed;
      rate[6 * (3 + i) + 3 + k] += byLift * path + lift * byPath - byDrag * v - (i === k ? drag : 0);
    }
  }
}

/** Drag of the angular velocity. */
function addTurning(
  numbers: Float64Array,
  at: number,
  density: number,
  viscosity: number,
  fluid: Float64Array,
  c: number,
  withRate: boolean,
): void {
  const [dx, dy, dz] = [numbers[at], numbers[at + 1], numbers[at + 2]];
  const largest = Math.max(dx, dy, dz);
  const middle = dx + dy + dz - largest - Math.min(dx, dy, dz);
  const diameter = (2 / 3) * (dx + dy + dz);
  const most = ((8 * Math.PI) / 15) * middle * largest ** 4;
  const [slender, angular] = [fluid[c + 1], fluid[c + 2]];
  const weight = [0, 1, 2].map((i) => {
    const widest = Math.max(numbers[at + ((i + 1) % 3)], numbers[at + ((i + 2) % 3)]);
    const moment = ((8 * Math.PI) / 15) * numbers[at + i] * widest ** 4;
    return angular * moment + slender * (most - moment);
  });
  const size = Math.sqrt((weight[0] * twist[0]) ** 2 + (weight[1] * twist[1]) ** 2 + (weight[2] * twist[2]) ** 2);
  const drag = Math.PI * diameter ** 3 * viscosity + density * size;
  for (let i = 0; i < 3; i++) wrench[i] -= drag * twist[i];
  if (!withRate) return;
  for (let k = 0; k < 3; k++) {
    const byDrag = (density * weight[k] * weight[k] * twist[k]) / Math.max(LEAST, size);
    for (let i = 0; i < 3; i++) rate[6 * i + k] -= byDrag * twist[i] + (i === k ? drag : 0);
  }
}
