/** Which Coriolis and gyroscopic forces an integrator takes at the mean velocity of a step (inertial-motion.ts), and how. */
import { JOINT, type Model } from '../model/model.ts';

export interface InertialPlan {
  /** Whether it takes any. */
  readonly takesMeanVelocity: boolean;
  /** Bodies on their own, free or on a ball: they are turned exactly. */
  readonly spinningBodies: Int32Array;
  /** Per dof: 1 where its tree has Coriolis forces other than those. */
  readonly isCoriolisDof: Uint8Array;
  /** The trees of such dofs. */
  readonly trees: readonly CoriolisTree[];
  /** Whether there is such a dof. */
  readonly hasCoriolisTrees: boolean;
}

/** A tree of joints with Coriolis forces: its dofs stand in one run. */
export interface CoriolisTree {
  readonly first: number;
  readonly end: number;
  /** The body that moves the whole tree by a free joint, or −1. */
  readonly freeBody: number;
}

export function createInertialPlan(model: Model): InertialPlan {
  const { body, options } = model;
  const takesMeanVelocity = options.integrator === 'semiImplicit';
  if (!takesMeanVelocity) {
    const isCoriolisDof = new Uint8Array(model.size.velocity);
    return { takesMeanVelocity, spinningBodies: new Int32Array(0), isCoriolisDof, trees: [], hasCoriolisTrees: false };
  }
  const treeDofs = countTreeDofs(model);
  const spinning = Array.from(body.parent.keys()).filter((b) => isSpinning(model, b, treeDofs));
  const isCoriolisDof = markCoriolisDofs(model, treeDofs, new Set(spinning));
  return {
    takesMeanVelocity,
    spinningBodies: Int32Array.from(spinning),
    isCoriolisDof,
    trees: listTrees(model, isCoriolisDof),
    hasCoriolisTrees: isCoriolisDof.includes(1),
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

/** Dofs of trees with two or more, one of them a rotation, that spinning bodies do not cover. */
function markCoriolisDofs(model: Model, treeDofs: Int32Array, spinning: ReadonlySet<number>): Uint8Array {
  const { body, dof, joint, size } = model;
  const turns = new Uint8Array(size.body);
  for (let i = 0; i < size.velocity; i++) {
    if (joint.kind[dof.joint[i]] !== JOINT.slide) turns[body.root[dof.body[i]]] = 1;
  }
  return Uint8Array.from({ length: size.velocity }, (_, i) => {
    const root = body.root[dof.body[i]];
    return treeDofs[root] > 1 && turns[root] === 1 && !spinning.has(dof.body[i]) ? 1 : 0;
  });
}

function listTrees({ body, dof, joint, size }: Model, isCoriolisDof: Uint8Array): CoriolisTree[] {
  const trees: CoriolisTree[] = [];
  for (let first = 0, end = 0; first < size.velocity; first = end) {
    const root = body.root[dof.body[first]];
    for (end = first + 1; end < size.velocity && body.root[dof.body[end]] === root; ) end++;
    if (isCoriolisDof[first] === 0) continue;
    const isFree = joint.kind[dof.joint[first]] === JOINT.free;
    trees.push({ first, end, freeBody: isFree ? dof.body[first] : -1 });
  }
  return trees;
}
