/**
 * READ FIRST. A simulation owns a state and the workspace of its step. `#evaluate` and `#advance` are the step: every line is
 * a phase, every phase a file. What follows below them is what users set and read.
 */
import './formulation/built-in.ts';
import { type Contact, type ContactForce, listContactForces, listContacts } from './collision/contact.ts';
import type { ContactSet } from './collision/contact-set.ts';
import { type CollisionWorkspace, createCollisionWorkspace, detectContacts } from './collision/detect-contacts.ts';
import type { ContactPatch } from './collision/hydroelastic/contact-patches.ts';
import {
  type ClosestPoints,
  castRay,
  findClosestPoints,
  listOverlaps,
  type RayOptions,
  type RayResult,
} from './collision/queries.ts';
import { type JointForce, JointForces } from './diagnostics/joint-forces.ts';
import { areFinite, findNonFiniteAcceleration, findNonFiniteState } from './diagnostics/non-finite.ts';
import { type Phase, PhaseClock } from './diagnostics/phase-clock.ts';
import { addTermEnergy, createStepContext, listTermEnergies, type TermEnergy } from './diagnostics/term-energies.ts';
import { updateTwists } from './dynamics/bias-force.ts';
import { type Energy, type Momentum, measureCenterOfMass, measureEnergy, measureMomentum } from './dynamics/energy.ts';
import { computeFreeMotion } from './dynamics/free-motion.ts';
import { advance } from './dynamics/integrate.ts';
import { updateKinematics } from './dynamics/kinematics.ts';
import { advanceRungeKutta, isRungeKutta } from './dynamics/runge-kutta.ts';
import { createWorkspace, type Workspace } from './dynamics/workspace.ts';
import { createReport, type Formulation, type NonFinite, type StepReport } from './formulation/formulation.ts';
import { createFormulation } from './formulation/formulation-table.ts';
import { clearSolverReadout, createSolverReadout, type SolverReadout } from './formulation/solver-readout.ts';
import { applyJointForces, updateJoints } from './joint/articulation.ts';
import { createJointWorkspace, type JointWorkspace } from './joint/joint-workspace.ts';
import { addJointSpringEnergy } from './joint/spring-energy.ts';
import { Arena } from './kernels/arena.ts';
import type { Model } from './model/model.ts';
import {
  type BodyPose,
  type BodyVelocity,
  readBodyPose,
  readBodyVelocity,
  setBodyPose,
  setBodyVelocity,
} from './readout/body-motion.ts';
import {
  type DrawnPose,
  type NumberArray,
  requireRoom,
  writeBodyMatrix,
  writeDrawnPose,
  writeShapeMatrix,
} from './readout/drawing.ts';
import {
  readJointPositions,
  readJointVelocities,
  requireScalar,
  setJointPosition,
  setJointVelocity,
} from './readout/joint-motion.ts';
import type { Quaternion, Vec3 } from './scene/pose.ts';
import { createSoftBodies, type SoftBodies } from './soft/soft-bodies.ts';
import type { StressReadout } from './soft/stress-readout.ts';
import { hashDoubles } from './state/hash.ts';
import { type AppliedForce, addBodyForce, findIndex, setControl, setMocapPose } from './state/inputs.ts';
import { addSoftForce, setHeld, viewSoft } from './state/soft-inputs.ts';
import { copySnapshot, copyState, createState, resetState, type State } from './state/state.ts';
import type { Term } from './term/term.ts';
import { TermGradient } from './term/term-gradient.ts';
import { addWeighted } from './term/term-list.ts';
import { createSceneTerms } from './term/term-registry.ts';

/** How a simulation is run. */
export interface SimulationOptions {
  /** Clock for phase times, ms, such as `performance.now`. Default: none, phases are not timed. */
  clock?: () => number;
  /** Without compiled functions: everything runs as TypeScript, slower and with the same results. Default: false. */
  portable?: boolean;
  /** Energies to add to the step, after those of the scene. */
  terms?: readonly Term[];
}

/** A simulation owns a state and steps it. Whatever is written into `state` between two steps is where the next one begins. */
export class Simulation {
  /** What is simulated. */
  readonly model: Model;
  /** Where it is, as named views on one block of numbers. */
  readonly state: State;
  /** What solves its steps. */
  readonly formulation: Formulation;
  /** What the model has and the formulation does not resolve, in words; empty where the motion is complete. */
  readonly unresolved: readonly string[];
  readonly #work: Workspace;
  readonly #collision: CollisionWorkspace;
  /** For questions between steps, so that the contacts of the last step keep their forces. */
  readonly #queries: CollisionWorkspace;
  readonly #joints: JointWorkspace;
  readonly #soft: SoftBodies;
  readonly #clock: PhaseClock;
  readonly #report: StepReport = createReport();
  #readout: SolverReadout | undefined;
  /** Whether the workspace holds the poses and velocities of the current state. */
  #isFresh = false;
  #jointForces: JointForces | undefined;
  /** Whether forces are those of a step or `forward` since the state was set anew. */
  #hasSolved = false;

  constructor(model: Model, options: SimulationOptions = {}) {
    const arena = new Arena({ portable: options.portable ?? false });
    this.model = model;
    this.state = createState(model, arena);
    this.#soft = createSoftBodies(model, this.state, arena);
    this.#joints = createJointWorkspace(model, arena);
    this.formulation = createFormulation(model, arena, this.#joints, this.#soft);
    this.unresolved = this.formulation.unresolved;
    this.#work = createWorkspace(model, arena, this.state.all.length);
    this.#collision = createCollisionWorkspace(model, arena);
    this.#queries = createCollisionWorkspace(model, arena);
    this.#clock = new PhaseClock(options.clock);
    this.reset();
    for (const term of createSceneTerms(model, model.terms)) this.addTerm(term);
    for (const term of options.terms ?? []) this.addTerm(term);
  }

  /**
   * Advances by `count` steps. A step that overflows is not taken: the state stays as it was and the report names the number. So it
   * does where a step raises an error.
   */
  step(count = 1): StepReport {
    const { model, state } = this;
    const work = this.#work;
    this.#report.nonFinite = undefined;
    // the user may have written anything; afterwards only the integrator writes
    work.stateBefore.set(state.all);
    if (!areFinite(state.all)) return this.#diverge(findNonFiniteState(model, state));
    for (let n = 0; n < count; n++) {
      work.stateBefore.set(state.all);
      try {
        this.prepareState();
        this.#evaluate();
        if (!areFinite(work.acceleration)) return this.#diverge(findNonFiniteAcceleration(model, work.acceleration));
        this.#advance();
      } catch (error) {
        this.#takeBack(work.stateBefore);
        throw error;
      }
      if (!areFinite(state.motion)) return this.#diverge(findNonFiniteState(model, state));
      this.#hasSolved = true;
      state.impulses.copyFrom(work.impulses);
    }
    return this.#report;
  }

  /**
   * Makes the state one that the formulation can start from: `ipc` moves bodies apart that touch. Every step begins with it; a run
   * that reads energies at its start calls it first. Whether it may have moved bodies.
   */
  prepareState(): boolean {
    const { formulation, model, state, timestep } = this;
    if (!formulation.prepareState) return false;
    this.#isFresh = false;
    this.#clock.start();
    const hasMoved = formulation.prepareState(model, state, this.#work, timestep);
    this.#clock.charge('collision');
    return hasMoved;
  }

  /** From a state to the acceleration of the step. */
  readonly #evaluate = (): void => {
    const { model, state, formulation, timestep: h } = this;
    const work = this.#work;
    this.#clock.start();
    updateKinematics(model, state, work); // poses, spatial axes, mass matrix
    updateJoints(model, work, this.#joints); // body coordinates: joints are read off the poses
    this.#clock.charge('kinematics');
    computeFreeMotion(model, state, work, h); // forces: M a₀ = f
    applyJointForces(model, work, this.#joints);
    formulation.predictSoftBodies(model, state, work, h); // elastic bodies: v*
    this.#clock.charge('freeMotion');
    formulation.detectContacts(model, work, this.#collision); // broad phase, narrow phase: contact set
    this.#clock.charge('collision');
    formulation.solve(model, state, work, this.#collision.contacts, h, this.#report); // the minimisation: forces, acceleration
    this.#clock.charge('solve');
  };

  /** From the acceleration to the next state. */
  #advance(): void {
    const { model, state, timestep: h } = this;
    this.#isFresh = false;
    if (isRungeKutta(model.options.integrator)) advanceRungeKutta(model, state, this.#work, h, this.#evaluate);
    else advance(model, state, this.#work, h);
    this.#clock.charge('integrate');
  }

  #diverge(nonFinite: NonFinite | undefined): StepReport {
    this.#takeBack(this.#work.stateBefore);
    this.#report.status = 'diverged';
    this.#report.nonFinite = nonFinite;
    return this.#report;
  }

  /** Back to how the state was; impulses are taken over after a step alone, so they are still those before. */
  #takeBack(before: Float64Array): void {
    this.state.all.set(before);
    this.#isFresh = false;
  }

  /**
   * Recomputes poses, velocities and all forces of the current state without advancing, and leaves the state as it is. Where the
   * formulation cannot start from it as it is (`ipc`, bodies that touch), forces are those of the state that a step would start from.
   */
  forward(): void {
    const before = this.state.all.slice();
    let isUntouched = false;
    try {
      const hasMoved = this.prepareState();
      this.#work.stateBefore.set(this.state.all);
      this.#evaluate();
      this.#hasSolved = true;
      this.#isFresh = true;
      isUntouched = !hasMoved;
    } finally {
      if (!isUntouched) this.#takeBack(before);
    }
  }

  /** Back to a keyframe by name or number; without one to the first keyframe, or the initial pose where there is none; `null` is the initial pose. */
  reset(keyframe?: string | number | null): void {
    const { name } = this.model.keyframe;
    const first = name.length > 0 ? 0 : null;
    const chosen = keyframe === undefined ? first : keyframe;
    resetState(this.model, this.state, chosen === null ? -1 : findIndex(name, chosen, 'keyframe'));
    this.#report.status = 'converged';
    this.#report.nonFinite = undefined;
    this.#hasSolved = false;
    this.#isFresh = false;
  }

  /** A copy of everything that decides the future. */
  snapshot(): Float64Array {
    return copyState(this.state);
  }

  /** Returns to a snapshot of a simulation of the same model. */
  restore(snapshot: Float64Array): void {
    copySnapshot(this.state, snapshot);
    this.#hasSolved = false;
    this.#isFresh = false;
  }

  /** Hash of the state's bytes: equal states, equal hash, on every machine and in every browser. */
  hash(): string {
    return hashDoubles(this.snapshot());
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

  /** Adds an energy to the steps from now on. Bodies that it names are looked up at once. */
  addTerm(term: Term): void {
    const { terms } = this.#work;
    terms.add(term);
    try {
      term.begin?.(this.#stepContext());
    } catch (error) {
      terms.remove(term.name);
      throw error;
    }
  }

  /** Takes an energy out of the steps from now on; false where there is none of that name. */
  removeTerm(name: string): boolean {
    return this.#work.terms.remove(name);
  }

  /** The energies that were added, those of the scene first. */
  get terms(): readonly Term[] {
    return this.#work.terms.items;
  }

  /** Energy and force of every term in the current state: motion, weight, springs, elasticity, what the formulation keeps, and what was added. */
  termEnergies(): TermEnergy[] {
    const source = {
      model: this.model,
      state: this.state,
      work: this.derived,
      joints: this.#joints,
      soft: this.#soft,
      formulation: this.formulation,
      h: this.timestep,
    };
    return listTermEnergies(source, this.energy());
  }

  /** Force (N) and torque about the origin of its frame (N m) that an added term exerts on a body in the current state. */
  termForce(name: string, body: string | number): { force: Vec3; torque: Vec3 } {
    const term =
      this.terms[
        findIndex(
          this.terms.map((item) => item.name),
          name,
          'term',
        )
      ];
    const b = findIndex(this.model.body.name, body, 'body');
    const gradient = new TermGradient(this.model.size);
    term.begin?.(this.#stepContext());
    addWeighted(term, this.derived, gradient);
    const [fx, fy, fz, tx, ty, tz] = gradient.body.subarray(6 * b, 6 * b + 6).map((value) => -value);
    return { force: [fx, fy, fz], torque: [tx, ty, tz] };
  }

  #stepContext(): ReturnType<typeof createStepContext> {
    return createStepContext({ model: this.model, state: this.state, work: this.derived, h: this.timestep });
  }

  /** Vertices of a soft body, by name or number, where they are now, m: a view on the state. */
  softPosition(body: string | number): Float64Array {
    return viewSoft(this.model, this.state.softPosition, body);
  }

  /** Velocities of the vertices of a soft body, m/s: a view on the state. */
  softVelocity(body: string | number): Float64Array {
    return viewSoft(this.model, this.state.softVelocity, body);
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

  /** Strain, stress and von Mises stress of a soft body now: arrays that the next call for it overwrites. */
  softStress(body: string | number): StressReadout {
    return this.#soft.readStress(findIndex(this.model.soft.name, body, 'soft body'));
  }

  /** Where a body is, by name or number: position (m) and orientation (w x y z) of its frame in the world. */
  pose(body: string | number): BodyPose {
    return readBodyPose(this.model, this.derived, body);
  }

  /** How a body moves, by name or number: velocity of the origin of its frame (m/s) and angular velocity (rad/s), world axes. */
  velocity(body: string | number): BodyVelocity {
    return readBodyVelocity(this.model, this.derived, body);
  }

  /** Places a body with a free joint, or a mocap body; what is left out of the pose stays as it is. */
  setPose(body: string | number, pose: Partial<BodyPose>): void {
    setBodyPose(this.model, this.state, this.derived, body, pose);
    this.#isFresh = false;
  }

  /** Sets the velocity of a body with a free joint; what is left out stays as it is. */
  setVelocity(body: string | number, velocity: Partial<BodyVelocity>): void {
    setBodyVelocity(this.model, this.state, this.derived, body, velocity);
    this.#isFresh = false;
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
    return readJointPositions(this.model, this.state, this.derived, this.#joints.coordinates, joint);
  }

  /** Velocity of any joint: 1 number for hinge and slide, 3 for a ball (axes of the child), 6 for a free joint (world, then body axes). */
  jointVelocities(joint: string | number): number[] {
    return readJointVelocities(this.model, this.state, this.derived, this.#joints.coordinates, joint);
  }

  /** Sets the position of a joint that is a coordinate: a number, or as many as `jointPositions` gives. */
  setJointPosition(joint: string | number, value: number | ArrayLike<number>): void {
    setJointPosition(this.model, this.state, this.derived, joint, value);
    this.#isFresh = false;
  }

  /** Sets the velocity of a joint that is a coordinate: a number, or as many as `jointVelocities` gives. */
  setJointVelocity(joint: string | number, value: number | ArrayLike<number>): void {
    setJointVelocity(this.model, this.state, this.derived, joint, value);
    this.#isFresh = false;
  }

  /** Reads a pose for drawing, with a quaternion x y z w, into an object such as an `Object3D` of three.js. */
  readPose<T extends DrawnPose>(body: string | number, out: T): T {
    writeDrawnPose(out, this.derived, findIndex(this.model.body.name, body, 'body'));
    return out;
  }

  /** Writes the 4 × 4 matrix of a body by columns, as three.js, WebGL and WebGPU take it. */
  writeMatrix<T extends NumberArray>(body: string | number, out: T, offset = 0): T {
    requireRoom(out, offset, 16);
    writeBodyMatrix(out, offset, this.derived, findIndex(this.model.body.name, body, 'body'));
    return out;
  }

  /** Writes the matrices of all bodies, 16 numbers each by columns, the world first. */
  writeMatrices(out: Float32Array = new Float32Array(16 * this.model.size.body)): Float32Array {
    const { size } = this.model;
    requireRoom(out, 0, 16 * size.body);
    for (let b = 0; b < size.body; b++) writeBodyMatrix(out, 16 * b, this.derived, b);
    return out;
  }

  /** Writes the matrices of all shapes, from the frame of each to the world, 16 numbers each by columns. */
  writeShapeMatrices(out: Float32Array = new Float32Array(16 * this.model.size.shape)): Float32Array {
    const { size } = this.model;
    requireRoom(out, 0, 16 * size.shape);
    for (let s = 0; s < size.shape; s++) writeShapeMatrix(out, 16 * s, this.model, this.derived, s);
    return out;
  }

  /** Writes the vertices of a soft body as 32-bit numbers, for a buffer of a graphics card. */
  writeSoftPosition(body: string | number, out?: Float32Array): Float32Array {
    const vertices = this.softPosition(body);
    const target = out ?? new Float32Array(vertices.length);
    requireRoom(target, 0, vertices.length);
    target.set(vertices);
    return target;
  }

  /** Triangles of the surface of a soft body: three numbers of its vertices each, counter-clockwise from outside. */
  softTriangles(body: string | number): Uint32Array {
    const { soft } = this.model;
    const n = findIndex(soft.name, body, 'soft body');
    const part = soft.triangle.subarray(3 * soft.triangleStart[n], 3 * soft.triangleStart[n + 1]);
    return Uint32Array.from(part, (vertex) => vertex - soft.vertexStart[n]);
  }

  /** Moves a mocap body, by name or number. */
  setMocapPose(body: string | number, position: Vec3, orientation: Quaternion = [1, 0, 0, 0]): void {
    setMocapPose(this.model, this.state, body, position, orientation);
    this.#isFresh = false;
  }

  /** Arrays of the last evaluation (see Workspace), brought up to the current state: poses, inertias and velocities. */
  get derived(): Workspace {
    if (!this.#isFresh) {
      updateKinematics(this.model, this.state, this.#work);
      updateTwists(this.model, this.state, this.#work);
      updateJoints(this.model, this.#work, this.#joints);
      this.#isFresh = true;
    }
    return this.#work;
  }

  /** The contacts of the current state, as arrays that the next call overwrites. */
  contactSet(): ContactSet {
    detectContacts(this.model, this.derived, this.#queries);
    return this.#queries.contacts;
  }

  /** The contacts of the current state: points, normals, gaps, names. */
  contacts(): Contact[] {
    return listContacts(this.model, this.contactSet());
  }

  /** The contact surfaces of the current state where bodies touch by pressure: polygons with pressures, one patch per pair. */
  contactPatches(): ContactPatch[] {
    const { compliant } = this.#queries;
    if (!compliant) return [];
    compliant.keepCorners();
    this.contactSet();
    return compliant.listPatches(this.model);
  }

  /** The contacts of the last step or `forward`, where they were before it, with their forces; overwritten by the next. */
  get solvedContacts(): ContactSet {
    return this.#collision.contacts;
  }

  /** The contacts of the last step or `forward` with the forces they had, N. */
  contactForces(): ContactForce[] {
    return listContactForces(this.model, this.solvedContacts);
  }

  /**
   * What the joints transmitted in the last step or `forward`: force and torque of the parent on the child at the anchor, world axes, N and
   * N m. One entry per joint that is not free, in the order of the scene.
   */
  jointForces(): JointForce[] {
    if (!this.#hasSolved) this.forward();
    this.#jointForces ??= new JointForces(this.model);
    const equalityForce = new Float64Array(6 * this.model.size.equality);
    this.formulation.readEqualityForces?.(equalityForce);
    const { acceleration, stateBefore: before, terms } = this.#work;
    const contacts = this.solvedContacts;
    return this.#jointForces.measure({ before, acceleration, contacts, equalityForce, terms, h: this.timestep });
  }

  /** What a joint, by name, transmitted in the last step or `forward`. */
  jointForce(joint: string): JointForce {
    const all = this.jointForces();
    return all[
      findIndex(
        all.map(({ joint: name }) => name),
        joint,
        'joint',
      )
    ];
  }

  /**
   * What the solve of the last step left of its optimality condition: gradient, v − v* and impulse of every dof and soft vertex.
   * Arrays that the next call overwrites.
   */
  solverReadout(): SolverReadout {
    this.#readout ??= createSolverReadout(this.model);
    clearSolverReadout(this.#readout);
    this.formulation.readSolution?.(this.#readout, this.#work, this.timestep);
    return this.#readout;
  }

  /** What the last step reported. */
  get report(): StepReport {
    return this.#report;
  }

  /** The first shape that a ray meets, among those that can touch. */
  castRay(origin: Vec3, direction: Vec3, options: RayOptions = {}): RayResult | undefined {
    return castRay(this.model, this.derived, this.#queries, origin, direction, options);
  }

  /** The nearest points of two shapes, by name or number; the gap is negative where they overlap. */
  closestPoints(shapeA: string | number, shapeB: string | number): ClosestPoints {
    const a = findIndex(this.model.shape.name, shapeA, 'shape');
    const b = findIndex(this.model.shape.name, shapeB, 'shape');
    return findClosestPoints(this.model, this.derived, this.#queries, a, b);
  }

  /** Numbers of the shapes that touch an axis-aligned box, ascending. */
  overlaps(box: { low: Vec3; high: Vec3 }): number[] {
    return listOverlaps(this.model, this.derived, this.#queries, box.low, box.high);
  }

  /** s. */
  get time(): number {
    return this.state.time[0];
  }

  /** s. */
  get timestep(): number {
    return this.model.options.timestep;
  }

  /** Per body (the world first): origin of its frame in the world, m. */
  get bodyPosition(): Float64Array {
    return this.derived.bodyPosition;
  }

  /** Per body: quaternion w x y z. */
  get bodyOrientation(): Float64Array {
    return this.derived.bodyOrientation;
  }

  /** J. */
  energy(): Energy {
    const rigid = measureEnergy(this.model, this.state, this.derived);
    const whole = this.#soft.addEnergy(addJointSpringEnergy(rigid, this.model, this.#joints), this.#work);
    return this.#work.terms.isEmpty ? whole : addTermEnergy(whole, this.#work.terms, this.#stepContext());
  }

  /** kg m/s and kg m²/s about the origin of the world. */
  momentum(): Momentum {
    return this.#soft.addMomentum(measureMomentum(this.model, this.derived));
  }

  /** Centre of mass of all moving bodies, soft ones included, m. */
  centerOfMass(): [number, number, number] {
    return this.#soft.addCenter(measureCenterOfMass(this.model, this.derived), this.model);
  }

  /** Milliseconds spent per phase, where a clock was given. */
  phaseTimes(): Record<Phase, number> {
    return this.#clock.read();
  }
}
