/** First part of a simulation: what it simulates, where it is, and the state read and set by names of bodies, joints and soft bodies. */
import type { Workspace } from '../dynamics/workspace.ts';
import type { Formulation } from '../formulation/formulation.ts';
import type { Model } from '../model/model.ts';
import type { Quaternion, Vec3 } from '../scene/pose.ts';
import type { StressReadout } from '../soft/stress-readout.ts';
import { hashDoubles } from '../state/hash.ts';
import { type AppliedForce, addBodyForce, findIndex, setControl, setMocapPose } from '../state/inputs.ts';
import { addSoftForce, setHeld, viewSoft } from '../state/soft-inputs.ts';
import { copySnapshot, copyState, type State } from '../state/state.ts';
import {
  type BodyPose,
  type BodyVelocity,
  readBodyPose,
  readBodyVelocity,
  setBodyPose,
  setBodyVelocity,
} from './body-motion.ts';
import {
  readJointPositions,
  readJointVelocities,
  requireScalar,
  setJointPosition,
  setJointVelocity,
} from './joint-motion.ts';
import { refresh, type SimulationData, tryPreparing } from './simulation-data.ts';

export abstract class StateAccess {
  /** What is simulated. */
  readonly model: Model;
  /** Where it is, as named views on one block of numbers. */
  readonly state: State;
  /** What solves its steps. */
  readonly formulation: Formulation;
  readonly #data: SimulationData;

  constructor(data: SimulationData) {
    this.model = data.model;
    this.state = data.state;
    this.formulation = data.formulation;
    this.#data = data;
  }

  /**
   * What the formulation does not resolve of the model and its state, in words; empty where the motion is complete. It also
   * names the pairs that overlapped at the start and have no contact until they have come apart, or are being pushed apart slowly.
   */
  get unresolved(): readonly string[] {
    const { formulation } = this;
    if (!formulation.listLeftOut) return formulation.unresolved;
    if (!this.#data.isPrepared) tryPreparing(this.#data);
    return [...formulation.unresolved, ...formulation.listLeftOut()];
  }

  /** s. */
  get time(): number {
    return this.state.time[0];
  }

  /** s. */
  get timestep(): number {
    return this.model.options.timestep;
  }

  /** Length of the last step, s: `timestep`, or less where steps are error-controlled. */
  get stepLength(): number {
    return this.#data.h;
  }

  /** Arrays of the last evaluation (see Workspace), brought up to the current state: poses, inertias and velocities. */
  get derived(): Workspace {
    return refresh(this.#data);
  }

  /** Per body (the world first): origin of its frame in the world, m. */
  get bodyPosition(): Float64Array {
    return this.derived.bodyPosition;
  }

  /** Per body: quaternion w x y z. */
  get bodyOrientation(): Float64Array {
    return this.derived.bodyOrientation;
  }

  /** A copy of everything that decides the future. */
  snapshot(): Float64Array {
    return copyState(this.state);
  }

  /** Returns to a snapshot of a simulation of the same model. */
  restore(snapshot: Float64Array): void {
    copySnapshot(this.state, snapshot);
    this.formulation.noteState?.(this.state);
    this.#data.isPrepared = false;
    this.#data.hasSolved = false;
    this.#data.isFresh = false;
  }

  /** Hash of the state's bytes: equal states, equal hash, on every machine and in every browser. */
  hash(): string {
    return hashDoubles(this.snapshot());
  }

  /** Where a body is, by name or number: position (m) and orientation (w x y z) of its frame in the world. */
  pose(body: string | number): BodyPose {
    return readBodyPose(this.model, this.derived, body);
  }

  /** How a body moves, by name or number: velocity of the origin of its frame (m/s) and angular velocity (rad/s), world axes. */
  velocity(body: string | number): BodyVelocity {
    return readBodyVelocity(this.model, this.derived, body);
  }

  /** Whether a body sleeps, by name or number; never where `options.sleep` is not given. */
  isAsleep(body: string | number): boolean {
    return this.#data.sleeping?.isAsleep(findIndex(this.model.body.name, body, 'body')) ?? false;
  }

  /** Places a body with a free joint, or a mocap body; what is left out of the pose stays as it is. */
  setPose(body: string | number, pose: Partial<BodyPose>): void {
    setBodyPose(this.model, this.state, this.derived, body, pose);
    this.#data.isFresh = false;
  }

  /** Sets the velocity of a body with a free joint; what is left out stays as it is. */
  setVelocity(body: string | number, velocity: Partial<BodyVelocity>): void {
    setBodyVelocity(this.model, this.state, this.derived, body, velocity);
    this.#data.isFresh = false;
  }

  /** Moves a mocap body, by name or number. */
  setMocapPose(body: string | number, position: Vec3, orientation: Quaternion = [1, 0, 0, 0]): void {
    setMocapPose(this.model, this.state, body, position, orientation);
    this.#data.isFresh = false;
  }

  /** Position of a hinge (rad) or slide (m), by name or number, in both coordinates. */
  jointPosition(joint: string | number): number {
    return requireScalar(this.jointPositions(joint), joint, 'jointPositions');
  }

  /** Velocity of a hinge (rad/s) or slide (m/s), by name or number, in both coordinates. */
  jointVelocity(joint: string | number): number {
    return requireScalar(this.jointVelocities(joint), joint, 'jointVelocities');
  }

  /** Position of any joint: 1 number for hinge and slide, quaternion w x y z for a ball, position and quaternion for a free joint. */
  jointPositions(joint: string | number): number[] {
    return readJointPositions(this.model, this.state, this.derived, this.#data.joints.coordinates, joint);
  }

  /** Velocity of any joint: 1 number for hinge and slide, 3 for a ball (axes of the child), 6 for a free joint (world, then body axes). */
  jointVelocities(joint: string | number): number[] {
    return readJointVelocities(this.model, this.state, this.derived, this.#data.joints.coordinates, joint);
  }

  /** Sets the position of a joint that is a coordinate: a number, or as many as `jointPositions` gives. */
  setJointPosition(joint: string | number, value: number | ArrayLike<number>): void {
    setJointPosition(this.model, this.state, this.derived, joint, value);
    this.#data.isFresh = false;
  }

  /** Sets the velocity of a joint that is a coordinate: a number, or as many as `jointVelocities` gives. */
  setJointVelocity(joint: string | number, value: number | ArrayLike<number>): void {
    setJointVelocity(this.model, this.state, this.derived, joint, value);
    this.#data.isFresh = false;
  }

  /** Sets the control of an actuator, by name or number. */
  setControl(actuator: string | number, value: number): void {
    setControl(this.model, this.state, actuator, value);
  }

  /** Adds a force on a body, by name or number; it acts in every step until `clearForces`. */
  applyForce(body: string | number, applied: AppliedForce): void {
    addBodyForce(this.model, this.state, this.derived.bodyCenter, body, applied);
  }

  /** Removes all forces on bodies, joints and soft bodies that the user has set. */
  clearForces(): void {
    this.state.bodyWrench.fill(0);
    this.state.appliedForce.fill(0);
    this.state.softForce.fill(0);
  }

  /** Vertices of a soft body, by name or number, where they are now, m: a view on the state. */
  softPosition(body: string | number): Float64Array {
    return viewSoft(this.model, this.state.softPosition, body);
  }

  /** Velocities of the vertices of a soft body, m/s: a view on the state. */
  softVelocity(body: string | number): Float64Array {
    return viewSoft(this.model, this.state.softVelocity, body);
  }

  /** Strain, stress and von Mises stress of a soft body now: arrays that the next call for it overwrites. */
  softStress(body: string | number): StressReadout {
    return this.#data.soft.readStress(findIndex(this.model.soft.name, body, 'soft body'));
  }

  /** Holds vertices of a soft body where they are; those with a path follow it. */
  holdVertices(body: string | number, vertices: ArrayLike<number>): void {
    setHeld(this.model, this.state, body, vertices, 1);
  }

  /** Lets vertices of a soft body go that are pinned, driven or held. */
  releaseVertices(body: string | number, vertices: ArrayLike<number>): void {
    setHeld(this.model, this.state, body, vertices, 0);
  }

  /** Adds a force on a vertex of a soft body, N; it acts in every step until `clearForces`. */
  applySoftForce(body: string | number, vertex: number, force: Vec3): void {
    addSoftForce(this.model, this.state, body, vertex, force);
  }
}
