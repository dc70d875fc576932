/**
 * The description of a model and a workspace for the compiled dynamics: sizes and addresses in the order of
 * packages/kernels/assembly/mechanism.ts. Arrays of the model and of a state need not lie in the memory of the compiled functions, so
 * the record has copies: of the model once, of a state with every call. The state that the workspace is made for is used where it lies.
 */
import type { Arena } from '../kernels/arena.ts';
import type { CompiledDynamics } from '../linear-algebra/compiled-functions.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { DynamicsPlan } from './plan.ts';

/** Arrays of a workspace that the compiled dynamics writes, in its order. */
const WRITTEN = [
  'bodyPosition',
  'bodyOrientation',
  'bodyRotation',
  'bodyCenter',
  'jointAnchor',
  'jointAxis',
  'treeCenter',
  'bodyInertia',
  'motionSubspace',
  'subtreeInertia',
  'massMatrix',
  'bodyTwist',
  'motionSubspaceRate',
  'bodyAcceleration',
  'bodyForce',
  'biasForce',
  'passiveForce',
  'actuatorJointForce',
  'externalForce',
  'smoothForce',
] as const;

/** Places of the addresses of positions and velocities. */
const POSITION = 29;
const VELOCITY = 30;

export type WrittenArrays = { readonly [Name in (typeof WRITTEN)[number]]: Float64Array };

export class MechanismRecord {
  readonly #compiled: CompiledDynamics;
  readonly #address: number;
  readonly #words: Int32Array;
  /** Own copies of what is handed over. */
  readonly #position: Float64Array;
  readonly #velocity: Float64Array;
  readonly #mocapPosition: Float64Array;
  readonly #mocapOrientation: Float64Array;
  /** Where the record looks now. */
  #atPosition: Float64Array;
  #atVelocity: Float64Array;
  #home: Pick<State, 'position' | 'velocity'> | undefined;
  /** Arrays of the model and their copies. */
  readonly #copies: { readonly from: ArrayLike<number>; readonly to: Float64Array }[] = [];

  constructor(compiled: CompiledDynamics, model: Model, plan: DynamicsPlan, written: WrittenArrays, arena: Arena) {
    const { body, joint, dof, size } = model;
    this.#compiled = compiled;
    this.#position = arena.f64(size.position);
    this.#velocity = arena.f64(size.velocity);
    this.#atPosition = this.#position;
    this.#atVelocity = this.#velocity;
    this.#mocapPosition = arena.f64(3 * size.mocap);
    this.#mocapOrientation = arena.f64(4 * size.mocap);
    const integers = (from: ArrayLike<number>): Int32Array => {
      const to = arena.i32(from.length);
      to.set(from);
      return to;
    };
    const doubles = (from: ArrayLike<number>): Float64Array => {
      const to = arena.f64(from.length);
      to.set(from);
      this.#copies.push({ from, to });
      return to;
    };
    const arrays = [
      integers(body.parent),
      integers(body.root),
      integers(body.jointStart),
      integers(body.jointCount),
      integers(body.dofStart),
      integers(body.dofCount),
      integers(body.mocap),
      integers(listLone(model, plan)),
      doubles(body.position),
      doubles(body.orientation),
      doubles(body.inertiaCenter),
      doubles(body.mass),
      doubles(body.subtreeMass),
      plan.bodyTensor,
      integers(joint.kind),
      integers(joint.positionStart),
      integers(joint.dofStart),
      integers(joint.body),
      doubles(joint.anchor),
      doubles(joint.axis),
      doubles(model.initialPosition),
      integers(dof.body),
      doubles(dof.armature),
      plan.rowStart,
      plan.column,
      plan.gravity,
      this.#position,
      this.#velocity,
      this.#mocapPosition,
      this.#mocapOrientation,
      ...WRITTEN.map((name) => written[name]),
    ];
    const sizes = [size.body, size.joint, size.velocity];
    this.#words = integers([...sizes, ...arrays.map((array) => array.byteOffset)]);
    this.#address = this.#words.byteOffset;
  }

  /** Names the state of the same memory that steps are taken with. */
  settle(state: State): void {
    this.#home = state;
  }

  /** Reads the arrays of the model again. */
  update(): void {
    for (const { from, to } of this.#copies) to.set(from);
  }

  /** Poses, axes and M of a state. */
  computeConfiguration({ position, mocapPosition, mocapOrientation }: State): void {
    this.#lookAtPosition(position);
    this.#mocapPosition.set(mocapPosition);
    this.#mocapOrientation.set(mocapOrientation);
    this.#compiled.computeConfiguration(this.#address);
  }

  /** Spatial velocity of every body and rate of every dof axis. */
  updateTwists(velocity: Float64Array): void {
    this.#lookAtVelocity(velocity);
    this.#compiled.updateTwists(this.#address);
  }

  computeBiasForce(velocity: Float64Array): void {
    this.#lookAtVelocity(velocity);
    this.#compiled.computeBiasForce(this.#address);
  }

  /** Smooth forces: passive + actuator + external − bias. */
  sumForces(): void {
    this.#compiled.sumForces(this.#address);
  }

  /** position ← position ⊕ h velocity. */
  integratePositions(position: Float64Array, velocity: Float64Array, h: number): void {
    this.#lookAtPosition(position);
    this.#lookAtVelocity(velocity);
    this.#compiled.integratePositions(this.#address, h);
    if (position !== this.#atPosition) position.set(this.#position);
  }

  #lookAtPosition(position: Float64Array): void {
    const from = position === this.#home?.position ? position : this.#position;
    if (from !== position) from.set(position);
    if (from === this.#atPosition) return;
    this.#atPosition = from;
    this.#words[POSITION] = from.byteOffset;
  }

  #lookAtVelocity(velocity: Float64Array): void {
    const from = velocity === this.#home?.velocity ? velocity : this.#velocity;
    if (from !== velocity) from.set(velocity);
    if (from === this.#atVelocity) return;
    this.#atVelocity = from;
    this.#words[VELOCITY] = from.byteOffset;
  }
}

/** 1 where a free joint moves a body and nothing hangs on it. */
function listLone({ body, joint, size }: Model, { subtreeEnd }: DynamicsPlan): Int32Array {
  const isLone = new Int32Array(size.body);
  for (let b = 1; b < size.body; b++) {
    const isFree = body.jointCount[b] === 1 && joint.kind[body.jointStart[b]] === JOINT.free;
    if (isFree && body.parent[b] === 0 && subtreeEnd[b] === b + 1) isLone[b] = 1;
  }
  return isLone;
}
