/**
 * Tension in trees of joints, taken implicitly where it is too stiff for the time step. What hangs on a link or swings on it pulls it
 * straight: turning link b by δ against the forces f at the points r of it, r from its joint, costs
 *   ½ δᵀ G_b δ,   G_b = tr(S) 1 − (S + Sᵀ)/2,   S = Σ f rᵀ        f of children at their joints, of inertia and weight at the centre
 * This is the geometric stiffness of the joints; without it light links between heavy ones vibrate at h² λ/D > 4 and an explicit step
 * makes them grow. λ > 0 are the eigenvalues of G_b with axes e, and 1/D = e · J_ω M⁻¹ J_ωᵀ e: how easily a torque turns the link where all
 * joints are free to move. With the joints of its parents held, a light link that ends at a heavy body would seem heavy. The step takes
 *   T = Σ_b J_ωᵀ (θ h² Σ λ e eᵀ) J_ω,   θ = max(0, 1 − SOFT/a)/2,   a = h² λ/D
 * into its matrix, in the pattern of M, and the force −LEAD T v/h: half of the stiffness at the end of the step and a fifth of it where v
 * leads in h. θ ≥ (1 + 2 · 0.2)/4 is stable, and 0.2 damps vibrations that the step cannot resolve; G < 0, compression, stays explicit.
 * Trees that float turn with their tensions. They have no lead, which would brake their spin, and without it T would be an inertia that their
 * bodies do not have: a servo that stops a link would take more momentum from it than it has. T is in the end of their step alone
 * (coriolis-transport.ts), which keeps momentum and energy.
 * Source: Tournier, Nesme, Gilles, Faure, Stable constrained dynamics (2015); Andrews, Teichmann, Kry, Geometric stiffness for
 * real-time constrained multibody dynamics (2017).
 */
import { matrixFromQuaternion } from '../linear-algebra/quaternion.ts';
import { addScaled, copy6, inertialForce } from '../linear-algebra/spatial.ts';
import { diagonalizeSymmetric } from '../linear-algebra/symmetric-eigen.ts';
import { multiplyTree } from '../linear-algebra/tree-ldl.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { CoriolisTree } from './inertial-plan.ts';
import { assembleMetric } from './integrate.ts';
import type { Workspace } from './workspace.ts';

/** a up to which nothing is implicit: a chain vibrates at up to four times a, and 4 is the limit. */
const SOFT = 0.4;
/** Share of T at v h. */
const LEAD = 0.4;
/** How far below SOFT the estimate from weight and centrifugal forces alone must stay. */
const MARGIN = 4;

/** Share of the largest entry up to which axes of G are mixed. */
const EIGEN_TOLERANCE = 1e-9;

const motion = /* @__PURE__ */ new Float64Array(6);
const force = /* @__PURE__ */ new Float64Array(6);
const tensor = /* @__PURE__ */ new Float64Array(6);
const values = /* @__PURE__ */ new Float64Array(3);
const axes = /* @__PURE__ */ new Float64Array(4);
const rotation = /* @__PURE__ */ new Float64Array(9);

/** After the smooth forces; adds the lead to them. */
export function computeTension(model: Model, state: State, work: Workspace, h: number): void {
  const { trees } = work.plan.inertial;
  const { tension } = work;
  tension.isActive = false;
  tension.isInMetric = false;
  let isPulled = false;
  for (let t = 0; t < trees.length && !isPulled; t++) isPulled = mayBeStiff(work, trees[t], h);
  if (!isPulled) return;
  solveMotion(model, state, work, h);
  tension.metric.fill(0);
  for (let t = 0; t < trees.length; t++) addTree(model, work, trees[t], h);
  if (!tension.isInMetric) return;
  const { acceleration: scratch } = tension;
  multiplyTree(scratch, tension.metric, state.velocity, model.massMatrix.rowStart, model.massMatrix.column);
  for (let t = 0; t < trees.length; t++) {
    if (trees[t].isFree) continue;
    for (let i = trees[t].firstDof; i < trees[t].endDof; i++) work.smoothForce[i] -= (LEAD / h) * scratch[i];
  }
}

// with joints at rest: |Σ m (g − J̇ v)| of what a body carries, times its reach, against its inertia
function mayBeStiff({ bodyForce, tension }: Workspace, { firstBody, endBody }: CoriolisTree, h: number): boolean {
  const { reach } = tension;
  for (let b = firstBody; b < endBody; b++) {
    const o = 6 * b;
    const square = bodyForce[o + 3] ** 2 + bodyForce[o + 4] ** 2 + bodyForce[o + 5] ** 2;
    if (h * h * reach[b] * Math.sqrt(square) > SOFT / MARGIN) return true;
  }
  return false;
}

/** The acceleration without constraints; the workspace keeps the factor. */
function solveMotion(model: Model, state: State, work: Workspace, h: number): void {
  const { kernels, rowStart, column } = work.plan;
  const { factor, inverseDiagonal, tension, smoothForce, coriolis } = work;
  const { acceleration } = tension;
  assembleMetric(factor, model, state, work, h);
  kernels.factorTree(factor, inverseDiagonal, rowStart, column);
  for (let i = 0; i < acceleration.length; i++) acceleration[i] = smoothForce[i] - coriolis.force[i];
  kernels.solveTree(acceleration, factor, inverseDiagonal, rowStart, column);
}

function addTree(model: Model, work: Workspace, tree: CoriolisTree, h: number): void {
  const { body, dof } = model;
  const { tension, motionSubspace } = work;
  const { rowStart, column } = model.massMatrix;
  if (!writeStiffness(model, work, tree, h)) return;
  tension.isActive = true;
  if (!tree.isFree) tension.isInMetric = true;
  const { stiffness, metric } = tension;
  for (let b = tree.endBody - 1; b > tree.firstBody; b--) {
    for (let k = 0; k < 6; k++) stiffness[6 * body.parent[b] + k] += stiffness[6 * b + k];
  }
  for (let i = tree.firstDof; i < tree.endDof; i++) {
    const g = 6 * dof.body[i];
    const x = motionSubspace[6 * i];
    const y = motionSubspace[6 * i + 1];
    const z = motionSubspace[6 * i + 2];
    const px = stiffness[g] * x + stiffness[g + 3] * y + stiffness[g + 4] * z;
    const py = stiffness[g + 3] * x + stiffness[g + 1] * y + stiffness[g + 5] * z;
    const pz = stiffness[g + 4] * x + stiffness[g + 5] * y + stiffness[g + 2] * z;
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const j = 6 * column[k];
      metric[k] = motionSubspace[j] * px + motionSubspace[j + 1] * py + motionSubspace[j + 2] * pz;
    }
  }
}

/** θ h² Σ λ e eᵀ per body; whether there is one. */
function writeStiffness(model: Model, work: Workspace, tree: CoriolisTree, h: number): boolean {
  const { pull, moment, anchor } = work.tension;
  const { parent } = model.body;
  for (let b = tree.firstBody; b < tree.endBody; b++) {
    writeAnchor(model, work, b);
    writePull(model, work, b);
  }
  let isAny = false;
  for (let b = tree.endBody - 1; b >= tree.firstBody; b--) {
    isAny = writeBody(model, work, b, h) || isAny;
    if (b === tree.firstBody) break;
    // all that b carries pulls at its joint
    const p = 3 * parent[b];
    for (let k = 0; k < 3; k++) pull[p + k] += pull[3 * b + k];
    addMoment(moment, 2 * p, pull, 3 * b, anchor, 3 * b, anchor, p);
  }
  return isAny;
}

/** Where a link turns: the anchor of its first joint that is no slide; the centre of a body that floats. */
function writeAnchor({ body, joint }: Model, work: Workspace, b: number): void {
  const { jointAnchor, bodyPosition, bodyCenter, tension } = work;
  const { anchor } = tension;
  const p = 3 * b;
  let source = bodyPosition;
  let o = p;
  for (let j = body.jointStart[b] + body.jointCount[b] - 1; j >= body.jointStart[b]; j--) {
    const kind = joint.kind[j];
    if (kind === JOINT.slide) continue;
    const isFree = kind === JOINT.free;
    source = isFree ? bodyCenter : jointAnchor;
    o = isFree ? p : 3 * j;
  }
  for (let k = 0; k < 3; k++) anchor[p + k] = source[o + k];
}

/** m (g − a) of a body at its centre; the workspace has the twists and, without joint accelerations, a − g of its bodies. */
function writePull({ body }: Model, work: Workspace, b: number): void {
  const { motionSubspace, bodyAcceleration, bodyInertia, bodyTwist, bodyCenter, tension } = work;
  const { acceleration, jointMotion, pull, moment, anchor } = tension;
  const o = 6 * b;
  copy6(jointMotion, o, jointMotion, 6 * body.parent[b]);
  for (let i = body.dofStart[b]; i < body.dofStart[b] + body.dofCount[b]; i++) {
    addScaled(jointMotion, o, motionSubspace, 6 * i, acceleration[i]);
  }
  copy6(motion, 0, bodyAcceleration, o);
  addScaled(motion, 0, jointMotion, o, 1);
  inertialForce(force, 0, bodyInertia, 10 * b, motion, 0, bodyTwist, o);
  for (let k = 0; k < 3; k++) pull[3 * b + k] = -force[3 + k];
  moment.fill(0, o, o + 6);
  addMoment(moment, o, pull, 3 * b, bodyCenter, 3 * b, anchor, 3 * b);
}

// moment += the symmetric part of f rᵀ, r = to − from
function addMoment(
  moment: Float64Array,
  o: number,
  f: Float64Array,
  i: number,
  to: Float64Array,
  t: number,
  from: Float64Array,
  s: number,
): void {
  const x = to[t] - from[s];
  const y = to[t + 1] - from[s + 1];
  const z = to[t + 2] - from[s + 2];
  moment[o] += f[i] * x;
  moment[o + 1] += f[i + 1] * y;
  moment[o + 2] += f[i + 2] * z;
  moment[o + 3] += 0.5 * (f[i] * y + f[i + 1] * x);
  moment[o + 4] += 0.5 * (f[i] * z + f[i + 2] * x);
  moment[o + 5] += 0.5 * (f[i + 1] * z + f[i + 2] * y);
}

// θ h² Σ λ e eᵀ of tr(S) 1 − S; false where it is zero
function writeBody(model: Model, work: Workspace, b: number, h: number): boolean {
  const { stiffness: out, moment, easiest } = work.tension;
  const o = 6 * b;
  out.fill(0, o, o + 6);
  const trace = moment[o] + moment[o + 1] + moment[o + 2];
  let bound = Math.abs(trace);
  for (let k = 0; k < 6; k++) {
    tensor[k] = (k < 3 ? trace : 0) - moment[o + k];
    bound += Math.abs(moment[o + k]);
  }
  // no eigenvalue is larger than twice the bound, and joints only make it harder to turn a body
  if (!(h * h * easiest[b] * 2 * bound > SOFT)) return false;
  diagonalizeSymmetric(tensor, values, axes, EIGEN_TOLERANCE);
  matrixFromQuaternion(rotation, 0, axes, 0);
  let isAny = false;
  for (let n = 0; n < 3; n++) {
    if (!(h * h * easiest[b] * values[n] > SOFT)) continue;
    const x = rotation[n];
    const y = rotation[3 + n];
    const z = rotation[6 + n];
    const a = h * h * values[n] * measureCompliance(model, work, b, x, y, z);
    if (!(a > SOFT)) continue;
    isAny = true;
    const size = 0.5 * (1 - SOFT / a) * h * h * values[n];
    out[o] += size * x * x;
    out[o + 1] += size * y * y;
    out[o + 2] += size * z * z;
    out[o + 3] += size * x * y;
    out[o + 4] += size * x * z;
    out[o + 5] += size * y * z;
  }
  return isAny;
}

// e · J_ω M⁻¹ J_ωᵀ e of a body = |D^(−1/2) L⁻ᵀ J_ωᵀ e|², 1/(kg m²), by the dofs between it and the world; the accelerations are no longer needed
function measureCompliance({ body }: Model, work: Workspace, of: number, x: number, y: number, z: number): number {
  const { factor, inverseDiagonal, motionSubspace, plan, tension } = work;
  const { rowStart, column } = plan;
  const { acceleration: value } = tension;
  let b = of;
  while (b > 0 && body.dofCount[b] === 0) b = body.parent[b];
  if (b === 0) return 0;
  const tip = body.dofStart[b] + body.dofCount[b] - 1;
  const first = rowStart[tip];
  const end = rowStart[tip + 1];
  for (let k = first; k < end; k++) {
    const o = 6 * column[k];
    value[column[k]] = x * motionSubspace[o] + y * motionSubspace[o + 1] + z * motionSubspace[o + 2];
  }
  let sum = 0;
  for (let k = end - 1; k >= first; k--) {
    const i = column[k];
    const part = value[i];
    sum += part * part * inverseDiagonal[i];
    for (let n = rowStart[i]; n < rowStart[i + 1] - 1; n++) value[column[n]] -= factor[n] * part;
  }
  return sum;
}

/** Per body: its compliance about the axis about which it turns most easily if nothing holds it, 1/(kg m²); joints only lower it. */
export function measureEasiestTurn({ body, size }: Model): Float64Array {
  const { inertiaMoments: moments } = body;
  return Float64Array.from({ length: size.body }, (_, b) => 1 / Math.min(...moments.subarray(3 * b, 3 * b + 3)));
}

/** Per body: the farthest of its centre and the joints that it carries from its own joint, over its own inertia there, 1/(kg m). */
export function measureReach(model: Model): Float64Array {
  const { body, joint, size } = model;
  const local = (b: number): ArrayLike<number> => {
    const j = body.jointStart[b];
    return body.jointCount[b] > 0 && joint.kind[j] !== JOINT.free ? joint.anchor.subarray(3 * j, 3 * j + 3) : [0, 0, 0];
  };
  const distance = (a: ArrayLike<number>, o: number, b: ArrayLike<number>): number =>
    Math.hypot(a[o] - b[0], a[o + 1] - b[1], a[o + 2] - b[2]);
  const reach = Float64Array.from({ length: size.body }, (_, b) => distance(body.inertiaCenter, 3 * b, local(b)));
  for (let b = 1; b < size.body; b++) {
    const p = body.parent[b];
    const own = local(b);
    const arm = Math.hypot(own[0], own[1], own[2]);
    reach[p] = Math.max(reach[p], distance(body.position, 3 * b, local(p)) + arm);
  }
  for (let b = 0; b < size.body; b++) {
    const moments = body.inertiaMoments;
    const arm = distance(body.inertiaCenter, 3 * b, local(b));
    const inertia = 0.5 * (moments[3 * b] + moments[3 * b + 1] + moments[3 * b + 2]) + body.mass[b] * arm * arm;
    if (reach[b] > 0) reach[b] /= inertia;
  }
  return reach;
}
