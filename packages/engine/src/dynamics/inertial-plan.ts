/** Which bodies an integrator turns at the mean velocity of a step (inertial-motion.ts). */
import { JOINT, type Model } from '../model/model.ts';
import { isSemiImplicit } from './implicit-share.ts';

export interface InertialPlan {
  /** Whether it takes any. */
  readonly takesMeanVelocity: boolean;
  /** Bodies on their own, free or on a ball: they are turned exactly. */
  readonly spinningBodies: Int32Array;
}

export function createInertialPlan(model: Model): InertialPlan {
  const { body, options } = model;
  const takesMeanVelocity = isSemiImplicit(options.integrator);
  if (!takesMeanVelocity) return { takesMeanVelocity, spinningBodies: new Int32Array(0) };
  const treeDofs = countTreeDofs(model);
  const spinning = Array.from(body.parent.keys()).filter((b) => isSpinning(model, b, treeDofs));
  return { takesMeanVelocity, spinningBodies: Int32Array.from(spinning) };
}

/** Per body, filled at roots: dofs of its tree. */
function countTreeDofs({ body, dof, size }: Model): Int32Array {
  const count = new Int32Array(size.body);
  for (let i = 0; i < size.velocity; i++) count[body.root[dof.body[i]]]++;
  return count;
}

/** Alone in its tree, free or on one ball, with mass and without armature: its inertia is that of a rigid body. */
function isSpinning({ body, joint, dof }: Model, b: number, treeDofs: Int32Array): boolean {
  if (body.jointCount[b] !== 1) return false;
  const kind = joint.kind[body.jointStart[b]];
  const first = body.dofStart[b];
  const count = body.dofCount[b];
  if ((kind !== JOINT.free && kind !== JOINT.ball) || treeDofs[body.root[b]] !== count) return false;
  for (let i = first; i < first + count; i++) if (dof.armature[i] !== 0) return false;
  return body.subtreeMass[b] > 0;
}
