import type { Joint } from '../scene/joint.ts';
import type { BodyInertias } from './body-inertia.ts';
import { writePose } from './frames.ts';
import { type ModelBodies, SLEEP } from './model.ts';
import { listBodyPaths, type SceneIndex } from './scene-index.ts';

/** Numbers that place bodies in the tree. */
export type BodyTree = Pick<
  ModelBodies,
  | 'parent'
  | 'root'
  | 'weld'
  | 'jointStart'
  | 'jointCount'
  | 'dofStart'
  | 'dofCount'
  | 'lastDof'
  | 'shapeStart'
  | 'shapeCount'
  | 'mocap'
>;

/** Number of dofs of a joint. */
export const DOF_COUNT: Readonly<Record<Joint['kind'], number>> = { free: 6, ball: 3, hinge: 1, slide: 1 };

/** Where bodies are in the tree, and where their joints, dofs and shapes begin. */
export function placeBodies(index: SceneIndex): BodyTree {
  const count = index.bodies.length;
  const tree = createBodyTree(count);
  tree.parent.set(index.parent);
  tree.parent[0] = 0;
  let mocapCount = 0;
  for (let b = 0, joint = 0, dof = 0, shape = 0; b < count; b++) {
    const { joints = [], shapes = [], mocap } = index.bodies[b];
    tree.jointStart[b] = joint;
    tree.jointCount[b] = joints.length;
    tree.dofStart[b] = dof;
    for (const { kind } of joints) tree.dofCount[b] += DOF_COUNT[kind];
    tree.shapeStart[b] = shape;
    tree.shapeCount[b] = shapes.length;
    tree.mocap[b] = mocap ? mocapCount++ : -1;
    joint += joints.length;
    dof += tree.dofCount[b];
    shape += shapes.length;
  }
  relateBodies(tree);
  return tree;
}

/** Fill root, weld and last dof from parents, dof counts and mocap numbers. */
export function relateBodies(tree: BodyTree): void {
  tree.lastDof[0] = -1;
  for (let b = 1; b < tree.parent.length; b++) {
    const parent = tree.parent[b];
    const movesAlone = tree.dofCount[b] > 0 || tree.mocap[b] >= 0;
    tree.root[b] = parent === 0 ? b : tree.root[parent];
    tree.weld[b] = movesAlone ? b : tree.weld[parent];
    tree.lastDof[b] = tree.dofCount[b] > 0 ? tree.dofStart[b] + tree.dofCount[b] - 1 : tree.lastDof[parent];
  }
}

/** Arrays for a tree of bodies, all zero. */
export function createBodyTree(count: number): BodyTree {
  const create = () => new Int32Array(count);
  return {
    parent: create(),
    root: create(),
    weld: create(),
    jointStart: create(),
    jointCount: create(),
    dofStart: create(),
    dofCount: create(),
    lastDof: create(),
    shapeStart: create(),
    shapeCount: create(),
    mocap: create(),
  };
}

/** The bodies of a model in joint coordinates. */
export function compileBodies(index: SceneIndex, tree: BodyTree, inertias: BodyInertias): ModelBodies {
  const count = index.bodies.length;
  const position = new Float64Array(3 * count);
  const orientation = new Float64Array(4 * count);
  const gravityCompensation = new Float64Array(count);
  const sleepPolicy = new Uint8Array(count);
  for (let b = 0; b < count; b++) {
    writePose(index.bodies[b], position, orientation, b);
    gravityCompensation[b] = index.bodies[b].gravityCompensation ?? 0;
    const { sleep } = index.bodies[b];
    if (sleep !== undefined) sleepPolicy[b] = SLEEP[sleep];
    else if (tree.parent[b] >= 0) sleepPolicy[b] = sleepPolicy[tree.parent[b]];
  }
  return {
    name: index.bodies.map((body) => body.name ?? ''),
    path: listBodyPaths(index),
    ...tree,
    position,
    orientation,
    mass: inertias.mass,
    subtreeMass: sumSubtreeMasses(tree.parent, inertias.mass),
    inertiaCenter: inertias.center,
    inertiaOrientation: inertias.orientation,
    inertiaMoments: inertias.moments,
    gravityCompensation,
    sleepPolicy,
  };
}

/** Mass of every body with all below it. */
export function sumSubtreeMasses(parent: Int32Array, mass: Float64Array): Float64Array {
  const sums = Float64Array.from(mass);
  for (let b = parent.length - 1; b > 0; b--) sums[parent[b]] += sums[b];
  return sums;
}
