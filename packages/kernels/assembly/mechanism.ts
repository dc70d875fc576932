/** What the compiled dynamics sees of a model, a state and a workspace: sizes and addresses, in the order of the engine's dynamics/mechanism-record.ts. */
import { Doubles, Integers } from './doubles';

/** Values of `kind`. */
export const FREE: i32 = 0;
export const BALL: i32 = 1;
export const SLIDE: i32 = 2;
export const HINGE: i32 = 3;

@unmanaged
export class Mechanism {
  // sizes
  bodies: i32;
  joints: i32;
  dofs: i32;
  // bodies
  parent: Integers;
  root: Integers;
  jointStart: Integers;
  jointCount: Integers;
  dofStart: Integers;
  dofCount: Integers;
  mocap: Integers;
  /** 1 where a free joint moves the body and nothing hangs on it. */
  isLone: Integers;
  bodyOffset: Doubles;
  bodyTurn: Doubles;
  inertiaCenter: Doubles;
  mass: Doubles;
  subtreeMass: Doubles;
  bodyTensor: Doubles;
  // joints
  kind: Integers;
  positionStart: Integers;
  jointDof: Integers;
  jointBody: Integers;
  anchor: Doubles;
  axis: Doubles;
  initialPosition: Doubles;
  // dofs
  dofBody: Integers;
  armature: Doubles;
  rowStart: Integers;
  column: Integers;
  gravity: Doubles;
  // state
  position: Doubles;
  velocity: Doubles;
  mocapPosition: Doubles;
  mocapOrientation: Doubles;
  // workspace
  bodyPosition: Doubles;
  bodyOrientation: Doubles;
  bodyRotation: Doubles;
  bodyCenter: Doubles;
  jointAnchor: Doubles;
  jointAxis: Doubles;
  treeCenter: Doubles;
  bodyInertia: Doubles;
  motionSubspace: Doubles;
  subtreeInertia: Doubles;
  massMatrix: Doubles;
  bodyTwist: Doubles;
  motionSubspaceRate: Doubles;
  bodyAcceleration: Doubles;
  bodyForce: Doubles;
  biasForce: Doubles;
  passiveForce: Doubles;
  actuatorForce: Doubles;
  externalForce: Doubles;
  smoothForce: Doubles;
}
