/** Which bodies and trees get special treatment of gyroscopic and Coriolis forces (inertial-motion.ts, coriolis-transport.ts). */
import { JOINT, type Model } from '../model/model.ts';
import { isSemiImplicit } from './implicit-share.ts';

export interface InertialPlan {
  /** Whether it carries any. */
  readonly takesMeanVelocity: boolean;
  /** Bodies on their own, free or on a ball: they are turned exactly. */
  readonly spinningBodies: Int32Array;
  /** Trees of joints with Coriolis forces. */
  readonly trees: readonly CoriolisTree[];
}

/** A tree of joints with Coriolis forces. Its dofs are contiguous, and so are its bodies. */
export interface CoriolisTree {
  readonly firstDof: number;
  readonly endDof: number;
  readonly firstBody: number;
  readonly endBody: number;
  /** Whether its root floats on a free joint. */
  readonly isFree: boolean;
}

export function createInertialPlan(model: Model): InertialPlan {
  const { body, options } = model;
  const takesMeanVelocity = isSemiImplicit(options.integrator);
  if (!takesMeanVelocity && options.integrator !== 'midpoint')
    return { takesMeanVelocity, spinningBodies: new Int32Array(0), trees: [] };
  const treeDofs = countTreeDofs(model);
  const spinning = Array.from(body.parent.keys()).filter((b) => isSpinning(model, b, treeDofs));
  return {
    takesMeanVelocity,
    spinningBodies: Int32Array.from(spinning),
    trees: takesMeanVelocity ? listCoriolisTrees(model, treeDofs, new Set(spinning)) : [],
  };
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

/** Trees of two or more dofs, one of them a rotation, that are no spinning bodies. */
function listCoriolisTrees(model: Model, treeDofs: Int32Array, spinning: ReadonlySet<number>): CoriolisTree[] {
  const { body, dof, joint, size } = model;
  const trees: CoriolisTree[] = [];
  for (let first = 0, end = 0; first < size.velocity; first = end) {
    const root = body.root[dof.body[first]];
    let turns = false;
    for (end = first; end < size.velocity && body.root[dof.body[end]] === root; end++) {
      if (joint.kind[dof.joint[end]] !== JOINT.slide) turns = true;
    }
    if (treeDofs[root] < 2 || !turns || spinning.has(dof.body[first])) continue;
    let endBody = root + 1;
    while (endBody < size.body && body.root[endBody] === root) endBody++;
    // armature on the free joint is no inertia of a body
    const isFree =
      joint.kind[dof.joint[first]] === JOINT.free && dof.armature.subarray(first, first + 6).every((a) => a === 0);
    trees.push({ firstDof: first, endDof: end, firstBody: root, endBody, isFree });
  }
  return trees;
}
