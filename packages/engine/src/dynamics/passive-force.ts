/**
 * Forces that need no control: joint and tendon springs and dampers, gravity compensation, fluid.
 *   spring  −k (q − q₀), on rotations −k log(q₀* q)      damper  −d v
 * Under `semiImplicit` springs of joints are taken where the velocity leads in a share of the step (implicit-share.ts).
 *   tendon  Jᵀ (k (slack range − L) − d L̇)                compensation  −γ m g at the centre of mass
 */
import { normalizeQuaternion, relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { FLUID } from './fluid-access.ts';
import { addSpringLead, isSemiImplicit } from './implicit-share.ts';
import type { Workspace } from './workspace.ts';
import { addWrench } from './wrench.ts';

const turn = /* @__PURE__ */ new Float64Array(4);
const angle = /* @__PURE__ */ new Float64Array(3);

export function computePassiveForce(model: Model, state: State, work: Workspace, h: number): void {
  const { passiveForce, gravityCompensationForce, plan } = work;
  const { damping } = model.dof;
  const v = state.velocity;
  if (plan.hasDamping) for (let i = 0; i < passiveForce.length; i++) passiveForce[i] = -damping[i] * v[i];
  else passiveForce.fill(0);
  addJointSprings(model, state, work);
  if (isSemiImplicit(model.options.integrator)) addSpringLead(passiveForce, model, state, work, h);
  addTendonForces(model, work);
  if (plan.fluid) FLUID.require().addFluidForce(model, work);
  gravityCompensationForce.fill(0);
  if (plan.compensatedBodies.length > 0) addGravityCompensation(model, work);
}

/** passiveForce ← springs of joints, drag and gravity compensation: what the middle of a step has in their place (midpoint.ts). */
export function computePositionForce(model: Model, state: State, work: Workspace): void {
  const { passiveForce, gravityCompensationForce, plan } = work;
  passiveForce.fill(0);
  addJointSprings(model, state, work);
  if (plan.fluid) FLUID.require().addFluidForce(model, work);
  gravityCompensationForce.fill(0);
  if (plan.compensatedBodies.length > 0) addGravityCompensation(model, work);
}

function addJointSprings(model: Model, state: State, work: Workspace): void {
  const { joint, springPosition } = model;
  const { springJoints } = work.plan;
  const { passiveForce, weights } = work;
  const q = state.position;
  for (let s = 0; s < springJoints.length; s++) {
    const j = springJoints[s];
    const k = weights.springs * joint.stiffness[j];
    const iq = joint.positionStart[j];
    const i = joint.dofStart[j];
    switch (joint.kind[j]) {
      case JOINT.free:
        for (let axis = 0; axis < 3; axis++) passiveForce[i + axis] -= k * (q[iq + axis] - springPosition[iq + axis]);
        addRotationSpring(passiveForce, i + 3, k, springPosition, q, iq + 3);
        break;
      case JOINT.ball:
        addRotationSpring(passiveForce, i, k, springPosition, q, iq);
        break;
      default:
        passiveForce[i] -= k * (q[iq] - springPosition[iq]);
    }
  }
}

function addRotationSpring(
  force: Float64Array,
  i: number,
  k: number,
  rest: Float64Array,
  q: Float64Array,
  iq: number,
): void {
  normalizeQuaternion(turn, 0, q, iq);
  relativeQuaternion(turn, 0, rest, iq, turn, 0);
  rotationVector(angle, 0, turn, 0);
  for (let axis = 0; axis < 3; axis++) force[i + axis] -= k * angle[axis];
}

function addTendonForces(model: Model, work: Workspace): void {
  const { tendon, options } = model;
  const { passiveForce, tendonJacobian, tendonLength, tendonVelocity, tendonForce, weights } = work;
  const { rowStart, column } = work.plan.tendon;
  const nv = model.size.velocity;
  const hasSprings = !options.disabled.has('spring');
  const hasDampers = !options.disabled.has('damper');
  for (let t = 0; t < model.size.tendon; t++) {
    const length = tendonLength[t];
    const lower = tendon.springLength[2 * t];
    const upper = tendon.springLength[2 * t + 1];
    const k = hasSprings ? weights.springs * tendon.stiffness[t] : 0;
    let force = 0;
    if (k !== 0 && length > upper) force = k * (upper - length);
    if (k !== 0 && length < lower) force = k * (lower - length);
    if (hasDampers) force -= tendon.damping[t] * tendonVelocity[t];
    tendonForce[t] = force;
    if (force === 0) continue;
    for (let k = rowStart[t]; k < rowStart[t + 1]; k++) {
      passiveForce[column[k]] += tendonJacobian[t * nv + column[k]] * force;
    }
  }
}

/** Compensation counts as passive, except on joints whose actuators provide it. */
function addGravityCompensation(model: Model, work: Workspace): void {
  const { body, dof, joint } = model;
  const { bodyCenter, passiveForce, gravityCompensationForce, plan } = work;
  const g = plan.gravity;
  for (let n = 0; n < plan.compensatedBodies.length; n++) {
    const b = plan.compensatedBodies[n];
    const p = 3 * b;
    const lift = -body.mass[b] * body.gravityCompensation[b];
    addWrench(
      gravityCompensationForce,
      0,
      model,
      work,
      b,
      bodyCenter[p],
      bodyCenter[p + 1],
      bodyCenter[p + 2],
      lift * g[0],
      lift * g[1],
      lift * g[2],
      0,
      0,
      0,
    );
  }
  for (let i = 0; i < passiveForce.length; i++) {
    if (!joint.actuatorGravityCompensation[dof.joint[i]]) passiveForce[i] += gravityCompensationForce[i];
  }
}
