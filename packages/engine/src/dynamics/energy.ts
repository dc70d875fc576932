/**
 * Energy and momentum of the whole system.
 *   kinetic ½ vᵀ M v      potential −Σ m g·p + Σ ½ k (q − q₀)² + Σ ½ k (tendon stretch)²      p = Σ m v_center
 *   angular momentum about the origin of the world: Σ (I ω + m p × v)
 */
import { relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { multiplyInertia } from '../linear-algebra/spatial.ts';
import { multiplyTree } from '../linear-algebra/tree-ldl.ts';
import { JOINT, type Model } from '../model/model.ts';
import { powerEnergy } from '../model/power-laws.ts';
import type { State } from '../state/state.ts';
import type { Workspace } from './workspace.ts';

/** Energy of the whole system. */
export interface Energy {
  /** J. */
  kinetic: number;
  /** Weight, springs of joints, tendons and vertices, elasticity, J. */
  potential: number;
  /** Of soft bodies, a part of the potential, J. */
  elastic: number;
  /** J. */
  total: number;
}

/** Momentum of the whole system. */
export interface Momentum {
  /** kg m/s. */
  linear: [number, number, number];
  /** About the origin of the world, kg m²/s. */
  angular: [number, number, number];
}

const turn = /* @__PURE__ */ new Float64Array(4);
const angle = /* @__PURE__ */ new Float64Array(3);
const momentumOfBody = /* @__PURE__ */ new Float64Array(6);

/** Reads poses and the mass matrix of the current state from the workspace. */
export function measureEnergy(model: Model, state: State, work: Workspace): Energy {
  const kinetic = kineticEnergy(model, state, work);
  const potential = measureGravity(model, work) + measureSprings(model, state, work);
  return { kinetic, potential, elastic: 0, total: kinetic + potential };
}

function kineticEnergy(model: Model, state: State, work: Workspace): number {
  const { rowStart, column } = model.massMatrix;
  const v = state.velocity;
  multiplyTree(work.row, work.massMatrix, v, rowStart, column);
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += 0.5 * v[i] * work.row[i];
  work.row.fill(0);
  return sum;
}

/** Energy of weight, J. */
export function measureGravity(model: Model, work: Workspace): number {
  const { mass } = model.body;
  const { gravity } = work.plan;
  let sum = 0;
  for (let b = 1; b < model.size.body; b++) {
    for (let k = 0; k < 3; k++) sum -= mass[b] * gravity[k] * work.bodyCenter[3 * b + k];
  }
  return sum;
}

/** Energy of springs of joints and tendons, J. */
export function measureSprings(model: Model, state: State, work: Workspace): number {
  const { joint, tendon, springPosition, options } = model;
  const q = state.position;
  let sum = 0;
  for (const j of work.plan.springJoints) {
    const w = work.weights.springs;
    const k = w * joint.stiffness[j];
    const energyOf = (size: number): number => w * powerEnergy(joint.stiffnessPowers, j, size);
    let iq = joint.positionStart[j];
    const kind = joint.kind[j];
    if (kind === JOINT.hinge || kind === JOINT.slide) {
      const x = q[iq] - springPosition[iq];
      sum += 0.5 * k * x ** 2 + energyOf(x);
      continue;
    }
    if (kind === JOINT.free) {
      let square = 0;
      for (let axis = 0; axis < 3; axis++) {
        const x = q[iq + axis] - springPosition[iq + axis];
        sum += 0.5 * k * x ** 2;
        square += x ** 2;
      }
      sum += energyOf(Math.sqrt(square));
      iq += 3;
    }
    relativeQuaternion(turn, 0, springPosition, iq, q, iq);
    rotationVector(angle, 0, turn, 0);
    const square = angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2;
    sum += 0.5 * k * square + energyOf(Math.sqrt(square));
  }
  if (options.disabled.has('spring')) return sum;
  for (let t = 0; t < model.size.tendon; t++) {
    const length = work.tendonLength[t];
    const stretch = Math.max(0, length - tendon.springLength[2 * t + 1], tendon.springLength[2 * t] - length);
    sum += 0.5 * work.weights.springs * tendon.stiffness[t] * stretch ** 2;
    const signed = length < tendon.springLength[2 * t] ? -stretch : stretch;
    sum += work.weights.springs * powerEnergy(tendon.stiffnessPowers, t, signed);
  }
  return sum;
}

/** Reads poses and twists of the current state from the workspace. */
export function measureMomentum(model: Model, work: Workspace): Momentum {
  const linear: [number, number, number] = [0, 0, 0];
  const angular: [number, number, number] = [0, 0, 0];
  const { bodyInertia, bodyTwist, treeCenter } = work;
  for (let b = 1; b < model.size.body; b++) {
    multiplyInertia(momentumOfBody, 0, bodyInertia, 10 * b, bodyTwist, 6 * b);
    const c = 3 * model.body.root[b];
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const m = (k + 2) % 3;
      linear[k] += momentumOfBody[3 + k];
      // from the tree's centre to the origin of the world
      angular[k] +=
        momentumOfBody[k] + treeCenter[c + l] * momentumOfBody[3 + m] - treeCenter[c + m] * momentumOfBody[3 + l];
    }
  }
  return { linear, angular };
}

/** Centre of mass of all moving bodies, m. */
export function measureCenterOfMass(model: Model, work: Workspace): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  let total = 0;
  for (let b = 1; b < model.size.body; b++) {
    if (model.body.lastDof[b] < 0) continue;
    const mass = model.body.mass[b];
    total += mass;
    for (let k = 0; k < 3; k++) sum[k] += mass * work.bodyCenter[3 * b + k];
  }
  return total > 0 ? [sum[0] / total, sum[1] / total, sum[2] / total] : sum;
}
