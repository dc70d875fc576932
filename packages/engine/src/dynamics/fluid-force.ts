/**
 * Drag of a still or blowing fluid on each body, taken as a box of the same inertia, or as ellipsoids where its shapes ask for it
 * (ellipsoid-drag.ts).
 *
 * Box edges a_i from the principal moments I and mass m: a_i = √(6 (I_j + I_k − I_i)/m). With ρ the density, β the viscosity,
 * d the mean edge, v and ω the velocities at the centre of mass in the principal axes (wind taken off):
 *   viscous   f = −3π d β v                     t = −π d³ β ω
 *   inertial  f_i = −½ ρ a_j a_k |v_i| v_i      t_i = −ρ a_i (a_j⁴ + a_k⁴) |ω_i| ω_i / 64
 * and their rates, for implicit integrators:
 *   −∂f_i/∂v_i = 3π d β + ρ a_j a_k |v_i|       −∂t_i/∂ω_i = π d³ β + ρ a_i (a_j⁴ + a_k⁴) |ω_i| / 32
 * Source: MuJoCo documentation, "Fluid forces / Inertia model".
 */
import { matrixFromQuaternion, multiplyQuaternions } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { addEllipsoidRate, writeEllipsoidWrench } from './ellipsoid-drag.ts';
import type { Workspace } from './workspace.ts';
import { addWrench } from './wrench.ts';

const axes = /* @__PURE__ */ new Float64Array(9);
const frame = /* @__PURE__ */ new Float64Array(4);
const box = /* @__PURE__ */ new Float64Array(3);
const twist = /* @__PURE__ */ new Float64Array(6);
const wrench = /* @__PURE__ */ new Float64Array(6);
const world = /* @__PURE__ */ new Float64Array(6);
const axisI = /* @__PURE__ */ new Float64Array(6);
const axisJ = /* @__PURE__ */ new Float64Array(6);

export function addFluidForce(model: Model, work: Workspace): void {
  const { bodyCenter, passiveForce } = work;
  for (let b = 1; b < model.size.body; b++) {
    if (!writeFluidWrench(world, model, work, b)) continue;
    const [tx, ty, tz, fx, fy, fz] = world;
    const p = 3 * b;
    addWrench(
      passiveForce,
      0,
      model,
      work,
      b,
      bodyCenter[p],
      bodyCenter[p + 1],
      bodyCenter[p + 2],
      fx,
      fy,
      fz,
      tx,
      ty,
      tz,
    );
  }
}

/** out = torque and force of the drag on a body at its centre of mass, world axes; false where it has none. */
export function writeFluidWrench(out: Float64Array, model: Model, work: Workspace, b: number): boolean {
  const { body, options } = model;
  const { density, viscosity } = options.medium;
  if (body.lastDof[b] < 0 || body.mass[b] < 1e-15) return false;
  if (work.plan.fluid!.isEllipsoid[b]) {
    writeEllipsoidWrench(out, model, work, b);
    return true;
  }
  inertiaBox(model, b);
  localTwist(model, work, b);
  const d = (box[0] + box[1] + box[2]) / 3;
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    const w = twist[i];
    const v = twist[3 + i];
    wrench[i] =
      -Math.PI * d * d * d * viscosity * w - (density * box[i] * (box[j] ** 4 + box[k] ** 4) * Math.abs(w) * w) / 64;
    wrench[3 + i] = -3 * Math.PI * d * viscosity * v - 0.5 * density * box[j] * box[k] * Math.abs(v) * v;
  }
  // back to world axes
  for (let i = 0; i < 3; i++) {
    const r = 3 * i;
    out[i] = axes[r] * wrench[0] + axes[r + 1] * wrench[1] + axes[r + 2] * wrench[2];
    out[3 + i] = axes[r] * wrench[3] + axes[r + 1] * wrench[4] + axes[r + 2] * wrench[5];
  }
  return true;
}

/** Adds −h ∂f/∂v of the drag, Jᵀ B J with B the diagonal rates above, in the pattern of the mass matrix. */
export function addFluidRate(model: Model, work: Workspace, h: number): void {
  const { body, dof, options } = model;
  const { density, viscosity } = options.medium;
  const { rowStart, column } = model.massMatrix;
  for (let b = 1; b < model.size.body; b++) {
    if (body.lastDof[b] < 0 || body.mass[b] < 1e-15) continue;
    if (work.plan.fluid!.isEllipsoid[b]) {
      addEllipsoidRate(model, work, b, h);
      continue;
    }
    inertiaBox(model, b);
    localTwist(model, work, b);
    const d = (box[0] + box[1] + box[2]) / 3;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const k = (i + 2) % 3;
      wrench[i] =
        Math.PI * d * d * d * viscosity + (density * box[i] * (box[j] ** 4 + box[k] ** 4) * Math.abs(twist[i])) / 32;
      wrench[3 + i] = 3 * Math.PI * d * viscosity + density * box[j] * box[k] * Math.abs(twist[3 + i]);
    }
    for (let i = body.lastDof[b]; i >= 0; i = dof.parent[i]) {
      localMotionSubspace(axisI, model, work, b, i);
      for (let n = 0; n < 6; n++) axisI[n] *= h * wrench[n];
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        localMotionSubspace(axisJ, model, work, b, column[k]);
        let sum = 0;
        for (let n = 0; n < 6; n++) sum += axisI[n] * axisJ[n];
        work.forceRate[k] += sum;
      }
    }
  }
}

/** Edges of the box of equal inertia. */
function inertiaBox(model: Model, b: number): void {
  const { inertiaMoments, mass } = model.body;
  for (let i = 0; i < 3; i++) {
    const own = inertiaMoments[3 * b + i];
    const others = inertiaMoments[3 * b + ((i + 1) % 3)] + inertiaMoments[3 * b + ((i + 2) % 3)];
    box[i] = Math.sqrt((Math.max(1e-15, others - own) / mass[b]) * 6);
  }
}

/** Velocity of the body at its centre of mass relative to the wind, in its principal axes; sets `axes`. */
function localTwist(model: Model, work: Workspace, b: number): void {
  const { wind } = model.options.medium;
  multiplyQuaternions(frame, 0, work.bodyOrientation, 4 * b, model.body.inertiaOrientation, 4 * b);
  matrixFromQuaternion(axes, 0, frame, 0);
  toPrincipalAxes(twist, model, work, b, work.bodyTwist, 6 * b);
  for (let i = 0; i < 3; i++) twist[3 + i] -= axes[i] * wind[0] + axes[3 + i] * wind[1] + axes[6 + i] * wind[2];
}

/** Velocity of the body at its centre of mass per unit velocity of dof i, in its principal axes. */
function localMotionSubspace(out: Float64Array, model: Model, work: Workspace, b: number, i: number): void {
  toPrincipalAxes(out, model, work, b, work.motionSubspace, 6 * i);
}

/** A spatial motion of body b, taken at its centre of mass, in the axes set by `localTwist`. */
function toPrincipalAxes(
  out: Float64Array,
  model: Model,
  work: Workspace,
  b: number,
  motion: Float64Array,
  m: number,
): void {
  const { bodyCenter, treeCenter } = work;
  const c = 3 * model.body.root[b];
  const wx = motion[m];
  const wy = motion[m + 1];
  const wz = motion[m + 2];
  const dx = bodyCenter[3 * b] - treeCenter[c];
  const dy = bodyCenter[3 * b + 1] - treeCenter[c + 1];
  const dz = bodyCenter[3 * b + 2] - treeCenter[c + 2];
  const vx = motion[m + 3] + wy * dz - wz * dy;
  const vy = motion[m + 4] + wz * dx - wx * dz;
  const vz = motion[m + 5] + wx * dy - wy * dx;
  for (let i = 0; i < 3; i++) {
    out[i] = axes[i] * wx + axes[3 + i] * wy + axes[6 + i] * wz;
    out[3 + i] = axes[i] * vx + axes[3 + i] * vy + axes[6 + i] * vz;
  }
}
