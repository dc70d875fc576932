/**
 * Inertia m along tendons: ½ m L̇² of kinetic energy, so that
 *   M += m Jᵀ J      bias += m Jᵀ J̇ v
 * In joint coordinates it is in the mass matrix, whose pattern has the dofs of a branch: entries between branches are left out under `mujoco`, as MuJoCo does
 * it. Elsewhere a tendon over several branches is a row of the minimisation, and so are all in body coordinates.
 *   J̇ v of a straight piece from x₀ to x₁ with direction d: d · (a₁ − a₀) + |u − d (d · u)|²/|x₁ − x₀|, u = ẋ₁ − ẋ₀, a of the points without v̇
 */

import { type Model, STATION } from '../model/model.ts';
import { TENDON_ARMATURE } from './tendon-plan.ts';
import type { Workspace } from './workspace.ts';

/** Adds m Jᵀ J to the mass matrix. */
export function addTendonInertia(model: Model, work: Workspace): void {
  const { tendonArmature, tendonSpan } = work.plan;
  const { rowStart, column } = model.massMatrix;
  const { tendonJacobian, massMatrix } = work;
  for (let t = 0; t < model.size.tendon; t++) {
    if (tendonArmature[t] !== TENDON_ARMATURE.matrix) continue;
    const row = t * model.size.velocity;
    for (let i = tendonSpan[2 * t]; i < tendonSpan[2 * t + 1]; i++) {
      const value = model.tendon.armature[t] * tendonJacobian[row + i];
      if (value === 0) continue;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) massMatrix[k] += value * tendonJacobian[row + column[k]];
    }
  }
  // the next step must not find it there
  work.configuration.isKnown = false;
}

/** Adds m Jᵀ J̇ v to the bias force; bodies have their accelerations without v̇. */
export function addTendonBias(model: Model, work: Workspace): void {
  const { tendonArmature, tendonSpan } = work.plan;
  for (let t = 0; t < model.size.tendon; t++) {
    if (tendonArmature[t] !== TENDON_ARMATURE.matrix) continue;
    const force = model.tendon.armature[t] * measureTendonDrift(model, work, t);
    if (force === 0) continue;
    const row = t * model.size.velocity;
    for (let i = tendonSpan[2 * t]; i < tendonSpan[2 * t + 1]; i++)
      work.biasForce[i] += force * work.tendonJacobian[row + i];
  }
}

/** J̇ v of a spatial tendon through sites; 0 of a sum of joint positions. */
export function measureTendonDrift(model: Model, work: Workspace, t: number): number {
  const { tendon } = model;
  const last = tendon.stationStart[t] + tendon.stationCount[t] - 1;
  let divisor = 1;
  let drift = 0;
  for (let s = tendon.stationStart[t]; s < last; s++) {
    if (tendon.stationKind[s] === STATION.pulley) divisor = tendon.stationParameter[s];
    if (tendon.stationKind[s] !== STATION.site || tendon.stationKind[s + 1] !== STATION.site) continue;
    drift += measurePiece(model, work, tendon.stationObject[s], tendon.stationObject[s + 1]) / divisor;
  }
  return drift;
}

const start = /* @__PURE__ */ new Float64Array(6);
const end = /* @__PURE__ */ new Float64Array(6);

function measurePiece(model: Model, work: Workspace, from: number, to: number): number {
  const { sitePosition } = work;
  if (model.site.body[from] === model.site.body[to]) return 0;
  readSite(start, model, work, from);
  readSite(end, model, work, to);
  let length = 0;
  let along = 0;
  let square = 0;
  let bent = 0;
  for (let k = 0; k < 3; k++) {
    const d = sitePosition[3 * to + k] - sitePosition[3 * from + k];
    const u = end[k] - start[k];
    length += d * d;
    along += d * u;
    square += u * u;
    bent += d * (end[3 + k] - start[3 + k]);
  }
  length = Math.sqrt(length);
  if (length < 1e-15) return 0;
  along /= length;
  return (bent + square - along * along) / length;
}

/** Velocity of a site, and its acceleration without v̇ and with −g. */
function readSite(out: Float64Array, model: Model, work: Workspace, s: number): void {
  const { sitePosition, bodyTwist, bodyAcceleration, treeCenter } = work;
  const b = model.site.body[s];
  const c = 3 * model.body.root[b];
  const x = sitePosition[3 * s] - treeCenter[c];
  const y = sitePosition[3 * s + 1] - treeCenter[c + 1];
  const z = sitePosition[3 * s + 2] - treeCenter[c + 2];
  const V = 6 * b;
  const [wx, wy, wz] = [bodyTwist[V], bodyTwist[V + 1], bodyTwist[V + 2]];
  const [ax, ay, az] = [bodyAcceleration[V], bodyAcceleration[V + 1], bodyAcceleration[V + 2]];
  out[0] = bodyTwist[V + 3] + wy * z - wz * y;
  out[1] = bodyTwist[V + 4] + wz * x - wx * z;
  out[2] = bodyTwist[V + 5] + wx * y - wy * x;
  out[3] = bodyAcceleration[V + 3] + ay * z - az * y + wy * out[2] - wz * out[1];
  out[4] = bodyAcceleration[V + 4] + az * x - ax * z + wz * out[0] - wx * out[2];
  out[5] = bodyAcceleration[V + 5] + ax * y - ay * x + wx * out[1] - wy * out[0];
}
