/** Constants of a model that the dynamics prepares once: tensors in body axes, lists of what has springs, dampers and so on. */

import type { Arena } from '../kernels/arena.ts';
import { createKernels, type Kernels } from '../kernels/kernels.ts';
import { matrixFromQuaternion } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import { hasPowers } from '../model/power-laws.ts';
import { FLUID } from './fluid-access.ts';
import type { FluidPlan } from './fluid-plan.ts';
import { createInertialPlan, type InertialPlan } from './inertial-plan.ts';
import { createMomentPattern, createTendonPattern, findTendonSpans, type MomentPattern } from './moment-pattern.ts';
import { servoPeriods } from './servo-period.ts';
import { placeTendonArmature, TENDON_ARMATURE } from './tendon-plan.ts';

export interface DynamicsPlan {
  /** Functions over whole arrays, compiled where the host can. */
  readonly kernels: Kernels;
  /** Pattern of the mass matrix, in the arena's memory. */
  readonly rowStart: Int32Array;
  readonly column: Int32Array;
  /** Per body: inertia about the centre of mass in the axes of the body: xx yy zz xy xz yz, kg m². */
  readonly bodyTensor: Float64Array;
  /** Per body: 1 where it moves by a free joint. */
  readonly isFree: Uint8Array;
  /** Joints with a spring. */
  readonly springJoints: Int32Array;
  /** Per joint: what a spring that is no straight line adds to its stiffness as it is stretched in this step, N/m or N m/rad. */
  readonly extraStiffness: Float64Array;
  /** Per dof: what a damper that is no straight line adds to its damping at the speed of this step, N s/m or N m s/rad; empty without such. */
  readonly extraDamping: Float64Array;
  /** Whether any dof has viscous damping that is not switched off. */
  readonly hasDamping: boolean;
  /** Whether joints have springs or dampers, or bodies drag: what `semiImplicit` has in its matrix. */
  readonly hasForceRate: boolean;
  /** Bodies whose weight is compensated. */
  readonly compensatedBodies: Int32Array;
  /** Shapes on which a fluid acts as on ellipsoids; undefined where nothing drags on the bodies. */
  readonly fluid: FluidPlan | undefined;
  /** Single free bodies without children: their rotation couples to nothing else. */
  readonly loneFreeBodies: Int32Array;
  /** Which dofs the integrator treats with the derivative of the bias force: `implicit` all, `implicitfast` lone free bodies. */
  readonly biasRate: 'none' | 'loneFreeBodies' | 'all';
  /** Gyroscopic forces at the mean velocity of a step. */
  readonly inertial: InertialPlan;
  /** Dofs with dry friction. */
  frictionDofs: Int32Array;
  /** Gravity times its weight, or zero where it is switched off. */
  readonly gravity: Float64Array;
  /** Per body: one more than the last body below it; bodies of a subtree stand in one run. */
  readonly subtreeEnd: Int32Array;
  /** Per actuator: length of one turn of a servo on an angle, else 0. */
  readonly servoPeriod: Float64Array;
  /** Pattern of the actuators' moments. */
  readonly moment: MomentPattern;
  /** Pattern of the tendons' Jacobian. */
  readonly tendon: MomentPattern;
  /** Per tendon: first dof and end of the trees in its pattern; the Jacobian is zero there outside the pattern. */
  readonly tendonSpan: Int32Array;
  /** Per tendon: see TENDON_ARMATURE. */
  readonly tendonArmature: Uint8Array;
  /** Whether any tendon has its inertia in the mass matrix. */
  readonly hasTendonInertia: boolean;
}

export function createPlan(model: Model, arena: Arena): DynamicsPlan {
  const { body, dof, options, size } = model;
  const bodyTensor = arena.f64(6 * size.body);
  const gravity = arena.f64(3);
  readParameters(model, bodyTensor, gravity);
  const springs = options.disabled.has('spring') ? [] : indicesWhere(size.joint, (j) => hasSpring(model, j));
  const hasGravity = gravity[0] !== 0 || gravity[1] !== 0 || gravity[2] !== 0;
  const compensated = hasGravity ? indicesWhere(size.body, (b) => body.gravityCompensation[b] !== 0) : [];
  const lone = indicesWhere(size.body, (b) => isLoneFreeBody(model, b));
  const rowStart = arena.i32(model.massMatrix.rowStart.length);
  const column = arena.i32(model.massMatrix.column.length);
  rowStart.set(model.massMatrix.rowStart);
  column.set(model.massMatrix.column);
  const tendon = createTendonPattern(model);
  const tendonArmature = placeTendonArmature(model, tendon);
  return {
    kernels: createKernels(arena),
    rowStart,
    column,
    bodyTensor,
    isFree: Uint8Array.from({ length: size.body }, (_, b) => (isFreeBody(model, b) ? 1 : 0)),
    springJoints: Int32Array.from(springs),
    extraStiffness: new Float64Array(size.joint),
    extraDamping: new Float64Array(!options.disabled.has('damper') && hasPowers(dof.dampingPowers) ? size.velocity : 0),
    hasDamping: !options.disabled.has('damper') && dof.damping.some((damping) => damping > 0),
    hasForceRate: hasForceRate(model),
    compensatedBodies: Int32Array.from(compensated),
    fluid: hasMedium(model) ? FLUID.require().createFluidPlan(model) : undefined,
    loneFreeBodies: Int32Array.from(lone),
    biasRate:
      options.integrator === 'implicit'
        ? 'all'
        : options.integrator === 'implicitfast' && lone.length > 0
          ? 'loneFreeBodies'
          : 'none',
    inertial: createInertialPlan(model),
    frictionDofs: listFrictionDofs(model),
    gravity,
    subtreeEnd: subtreeEnds(model),
    servoPeriod: servoPeriods(model),
    moment: createMomentPattern(model),
    tendon,
    tendonSpan: findTendonSpans(model, tendon),
    tendonArmature,
    hasTendonInertia: tendonArmature.includes(TENDON_ARMATURE.matrix),
  };
}

/** Brings the numbers of a plan up to the parameters of its model. */
export function updatePlan(plan: DynamicsPlan, model: Model): void {
  readParameters(model, plan.bodyTensor, plan.gravity);
  plan.frictionDofs = listFrictionDofs(model);
}

function readParameters({ body, options, size }: Model, bodyTensor: Float64Array, gravity: Float64Array): void {
  const rotation = new Float64Array(9);
  for (let b = 0; b < size.body; b++) {
    matrixFromQuaternion(rotation, 0, body.inertiaOrientation, 4 * b);
    rotateDiagonal(bodyTensor, 6 * b, rotation, body.inertiaMoments, 3 * b);
  }
  if (!options.disabled.has('gravity')) gravity.set(options.gravity);
}

function listFrictionDofs({ dof, size }: Model): Int32Array {
  return Int32Array.from(indicesWhere(size.velocity, (i) => dof.frictionLoss[i] > 0));
}

function hasMedium({ options: { medium } }: Model): boolean {
  return medium.density > 0 || medium.viscosity > 0;
}

function hasForceRate(model: Model): boolean {
  const { dof, options, size } = model;
  const { disabled } = options;
  if (hasMedium(model)) return true;
  if (!disabled.has('damper') && (dof.damping.some(Boolean) || hasPowers(dof.dampingPowers))) return true;
  return !disabled.has('spring') && indicesWhere(size.joint, (j) => hasSpring(model, j)).length > 0;
}

function hasSpring({ joint }: Model, j: number): boolean {
  const { stiffness, stiffnessPowers } = joint;
  return stiffness[j] !== 0 || stiffnessPowers[2 * j] !== 0 || stiffnessPowers[2 * j + 1] !== 0;
}

/** out = R diag(moments) Rᵀ as xx yy zz xy xz yz. */
export function rotateDiagonal(out: Float64Array, o: number, r: Float64Array, moments: Float64Array, m: number): void {
  const a = moments[m];
  const b = moments[m + 1];
  const c = moments[m + 2];
  out[o] = a * r[0] * r[0] + b * r[1] * r[1] + c * r[2] * r[2];
  out[o + 1] = a * r[3] * r[3] + b * r[4] * r[4] + c * r[5] * r[5];
  out[o + 2] = a * r[6] * r[6] + b * r[7] * r[7] + c * r[8] * r[8];
  out[o + 3] = a * r[0] * r[3] + b * r[1] * r[4] + c * r[2] * r[5];
  out[o + 4] = a * r[0] * r[6] + b * r[1] * r[7] + c * r[2] * r[8];
  out[o + 5] = a * r[3] * r[6] + b * r[4] * r[7] + c * r[5] * r[8];
}

function isFreeBody({ body, joint }: Model, b: number): boolean {
  return body.jointCount[b] > 0 && joint.kind[body.jointStart[b]] === JOINT.free;
}

/** Whether body b is free, and no other dof hangs on it. */
export function isLoneFreeBody(model: Model, b: number): boolean {
  const { body, dof, size } = model;
  if (!isFreeBody(model, b)) return false;
  // dofs of a tree stand together: neither neighbour belongs to it
  const first = body.dofStart[b];
  const isNeighbour = (i: number): boolean => i >= 0 && i < size.velocity && body.root[dof.body[i]] === body.root[b];
  return !isNeighbour(first - 1) && !isNeighbour(first + body.dofCount[b]);
}

function subtreeEnds(model: Model): Int32Array {
  const ends = Int32Array.from({ length: model.size.body }, (_, b) => b + 1);
  for (let b = model.size.body - 1; b > 0; b--) {
    const parent = model.body.parent[b];
    ends[parent] = Math.max(ends[parent], ends[b]);
  }
  return ends;
}

function indicesWhere(count: number, predicate: (index: number) => boolean): number[] {
  return Array.from({ length: count }, (_, i) => i).filter(predicate);
}
