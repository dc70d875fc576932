/**
 * E(x) of a step as a sum of terms, at the current and at trial poses: inertia + h² (barrier + friction + …), in a list. The user's
 * terms are the last of them.
 * The contact list belongs to the poses evaluated last; it is found again at every iterate and every trial.
 */

import type { SurfaceCandidates } from '../../collision/candidates/surface-candidates.ts';
import type { FieldCollisions } from '../../collision/collisions/field-collisions.ts';
import type { SurfaceCollisions } from '../../collision/collisions/surface-collisions.ts';
import { WitnessPoints } from '../../collision/collisions/witness-points.ts';
import { MovingCollisions } from '../../collision/moving-collisions.ts';
import type { SoftCarriers } from '../../collision/surface/soft-carriers.ts';
import type { SurfaceSet } from '../../collision/surface/surface-set.ts';
import { type StiffnessScale, updateStiffness } from '../../contact/barrier-stiffness.ts';
import { type FramePoses, Frames } from '../../dynamics/frames.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { Drives } from '../../joint/drives.ts';
import { createJointWorkspace, type JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import { TermList } from '../../term/term-list.ts';
import { BodyMatrix } from './body-matrix.ts';
import type { PotentialTerm } from './potential-term.ts';
import { AddedTerms } from './terms/added-terms.ts';
import { AttachmentTerm } from './terms/attachment-term.ts';
import { BarrierTerm } from './terms/barrier-term.ts';
import { ElasticTerm } from './terms/elastic-term.ts';
import { FieldTerm } from './terms/field-term.ts';
import { FrictionTerm } from './terms/friction-term.ts';
import { IncrementalDisplacement } from './terms/incremental-displacement.ts';
import { InertiaTerm } from './terms/inertia-term.ts';
import { JointTerm } from './terms/joint-term.ts';
import { PrescribedMotion } from './terms/prescribed-motion.ts';
import { RigidFriction } from './terms/rigid-friction.ts';
import { SoftContact } from './terms/soft-contact.ts';

/** Rotation in a step from which Newton's method would look the wrong way, rad. */
const FAR_TURN = 1;

export class IpcObjective {
  readonly model: Model;
  readonly frames: Frames;
  /** Candidates, collisions and step limit; shortcuts to its parts follow. */
  readonly collisions: MovingCollisions;
  readonly surfaces: SurfaceSet;
  /** What carries the vertices of soft bodies. */
  readonly carriers: SoftCarriers;
  readonly inertia: InertiaTerm;
  readonly barrier: BarrierTerm;
  readonly friction: FrictionTerm;
  readonly joints: JointTerm;
  /** Servos, springs and dampers among them. */
  readonly drives: Drives;
  /** Soft bodies. */
  readonly elastic: ElasticTerm;
  /** Prescribed motion: pulls mocap bodies and held vertices to their targets. */
  readonly prescribed: PrescribedMotion;
  readonly candidates: SurfaceCandidates;
  readonly contacts: SurfaceCollisions;
  /** Contacts with signed-distance fields and their barrier. */
  readonly fields: FieldCollisions;
  readonly fieldBarrier: FieldTerm;
  /** Friction of two rigid frames. */
  readonly rigidFriction: RigidFriction;
  /** How far rigid frames have gone in the step. */
  readonly displacement: IncrementalDisplacement;
  /** What the user has added. */
  readonly added: AddedTerms;
  /** Attachments of soft bodies that have forces of their own, and their place among the terms. */
  readonly attachments: AttachmentTerm;
  readonly ties: AddedTerms;
  /** All that E is the sum of, in the order in which it is summed up. */
  readonly terms: readonly PotentialTerm[];
  readonly matrix: BodyMatrix;
  /** h². */
  scale = 0;
  readonly #touch = new WitnessPoints();
  /** Sizes that control the growth of κ, and the previous distance; gaps are measured from the separation. */
  #scale: StiffnessScale;
  #mostStiffness = 0;
  #sparesJoints = false;
  #before = Infinity;
  readonly #soft = new SoftContact();
  /** What friction was taken from at the start of a step: placement of the points, build of the candidates, κ (Pa). */
  readonly #lagged = { placement: -1, builds: -1, stiffness: 0 };
  /** d̂, m. */
  readonly range: number;

  constructor(
    model: Model,
    memory: Memory,
    soft?: SoftBodies,
    joints: JointWorkspace = createJointWorkspace(model, memory),
  ) {
    const { ipc: options } = model.options;
    this.model = model;
    this.frames = new Frames(model, memory);
    this.displacement = new IncrementalDisplacement(this.frames.start, this.frames.moving, this.frames.firstSoft);
    this.rigidFriction = new RigidFriction(this.displacement, memory);
    this.collisions = new MovingCollisions(model, this.frames, options.barrierDistance, memory);
    const { carriers, surfaces, candidates, ofSurfaces, ofFields, range } = this.collisions;
    this.surfaces = surfaces;
    this.carriers = carriers;
    this.candidates = candidates;
    this.contacts = ofSurfaces;
    this.fields = ofFields;
    this.range = range;
    this.elastic = new ElasticTerm(model, soft, carriers, this.frames);
    this.prescribed = new PrescribedMotion(this.frames, this.surfaces.reach, this.#measureFrames(soft));
    this.inertia = new InertiaTerm(model, memory);
    this.drives = new Drives(model, joints, true);
    this.barrier = new BarrierTerm(this.surfaces, options.barrierDistance, memory);
    this.friction = new FrictionTerm(this.surfaces);
    this.joints = new JointTerm(model, this.inertia, this.drives);
    this.matrix = new BodyMatrix(this.frames, memory);
    this.fieldBarrier = new FieldTerm(options.barrierDistance);
    this.#scale = { mass: 0, diagonal: this.#measureSize(), dhat: this.range, xi: 0 };
    this.added = new AddedTerms(model, this.frames, carriers);
    this.attachments = new AttachmentTerm(model, soft);
    const own = new TermList();
    if (!this.attachments.isEmpty) own.items.push(this.attachments);
    this.ties = new AddedTerms(model, this.frames, carriers, 'attachments', own);
    this.terms = this.#listTerms();
  }

  /** Takes changed parameters of the model and of its soft bodies. */
  readParameters(soft: SoftBodies): void {
    this.collisions.readParameters();
    this.prescribed.takeAreas(this.#measureFrames(soft));
    this.#scale = { ...this.#scale, diagonal: this.#measureSize() };
    this.joints.rows.readParameters();
  }

  /** Soft bodies at the start of a step of length h; the frames have begun it. */
  beginSoft(state: State, work: Workspace, h: number): void {
    if (this.elastic.isEmpty) return;
    this.elastic.begin(state, work, this.matrix, h);
    this.collisions.holdVertices(state.softHeld);
  }

  /** Attachments at the start of a step of length h; the frames and soft bodies have begun it. */
  beginAttachments(state: State, work: Workspace, h: number): void {
    this.attachments.prepare(state, work, h, this.firstTie);
    this.ties.begin(state, work, h);
  }

  /** Number of the first tie among the impulses of joints. */
  get firstTie(): number {
    return this.joints.rows.firstCoordinate + 6;
  }

  /** Makes mocap bodies and held vertices unknowns that are pulled to their places, or no longer. */
  setPulled(isPulled: boolean): void {
    this.frames.isPulled = isPulled;
    this.elastic.setPulled(this.matrix, isPulled);
  }

  /** Points and contacts of the poses. */
  place(poses: FramePoses): void {
    this.collisions.place(poses);
  }

  /** E at the poses, which need not be the current ones. */
  evaluate(poses: FramePoses): number {
    this.place(poses);
    let energy = 0;
    for (const term of this.terms) {
      energy += term.value(poses);
      if (energy === Infinity) return Infinity;
    }
    return energy;
  }

  /** ∇E and ∇²E at the poses placed last, each part of it projected or not; of joints only where they are not spared. */
  assemble(poses: FramePoses, isProjected: boolean, sparesJoints = false): void {
    const { matrix } = this;
    this.#sparesJoints = sparesJoints;
    // tetrahedra couple their vertices throughout; contacts of soft bodies stay for the step, so that the order does
    if (this.elastic.isEmpty) matrix.clearPattern();
    for (const term of this.terms) term.couple?.(matrix, poses, isProjected);
    matrix.begin();
    for (const term of this.terms) term.add(matrix, poses, isProjected);
  }

  /** ∇E at the poses placed and evaluated last. */
  assembleGradient(poses: FramePoses): void {
    const { matrix } = this;
    matrix.beginGradient();
    this.added.couple(matrix, poses, false);
    this.ties.couple(matrix, poses, false);
    for (const term of this.terms) term.add(matrix, poses, false);
  }

  /** Energies of contacts and joints at the current poses, J. */
  listEnergies(): { name: string; energy: number }[] {
    const { current } = this.frames;
    this.place(current);
    const sum = (...names: string[]): number =>
      this.terms.reduce((total, term) => total + (names.includes(term.name) ? term.value(current) : 0), 0);
    const scale = this.scale > 0 ? 1 / this.scale : 0;
    return [
      { name: 'barrier', energy: scale * sum('barrier', 'field barrier') },
      { name: 'friction', energy: scale * sum('friction', 'rigid friction') },
      { name: 'joints', energy: scale * sum('joints') },
    ];
  }

  #listTerms(): PotentialTerm[] {
    const { inertia, barrier, friction, fieldBarrier, fields, rigidFriction, joints, elastic, prescribed, contacts } =
      this;
    const { pairs } = this.candidates;
    return [
      {
        name: 'inertia',
        value: (poses) => inertia.value(poses),
        add: (matrix, poses, isProjected) => inertia.add(matrix, poses, isProjected),
      },
      {
        name: 'barrier',
        value: () => barrier.value(contacts, pairs, this.scale),
        couple: (matrix) => this.#coupleContacts(matrix),
        add: (matrix, poses, isProjected) => barrier.add(matrix, contacts, pairs, poses, this.scale, isProjected),
      },
      {
        name: 'friction',
        value: (poses) => friction.value(poses, this.scale),
        couple: (matrix) => friction.couple(matrix),
        add: (matrix, poses, isProjected) => friction.add(matrix, poses, this.scale, isProjected),
      },
      {
        name: 'field barrier',
        value: () => fieldBarrier.value(fields, this.scale),
        couple: (matrix) => fieldBarrier.couple(matrix, fields),
        add: (matrix, poses, isProjected) => fieldBarrier.add(matrix, fields, poses, this.scale, isProjected),
      },
      {
        name: 'rigid friction',
        value: (poses) => rigidFriction.value(poses, this.scale),
        couple: (matrix) => rigidFriction.couple(matrix),
        add: (matrix, poses, isProjected) => rigidFriction.add(matrix, poses, this.scale, isProjected),
      },
      {
        name: 'joints',
        value: (poses) => joints.value(poses),
        couple: (matrix) => joints.couple(matrix),
        add: (matrix, _poses, isProjected) => joints.add(matrix, isProjected && !this.#sparesJoints),
      },
      {
        name: 'elastic',
        value: (poses) => elastic.value(poses),
        add: (matrix, poses, isProjected) => elastic.add(matrix, poses, isProjected),
      },
      {
        name: 'prescribed motion',
        value: (poses) => prescribed.value(poses),
        add: (matrix, poses) => prescribed.add(matrix, poses),
      },
      this.added,
      ...(this.ties.isEmpty ? [] : [this.ties]),
    ];
  }

  #coupleContacts(matrix: BodyMatrix): void {
    const { contacts, surfaces } = this;
    const { part, count } = contacts;
    for (let n = 0; n < count; n++) {
      if (contacts.isSoft(n, surfaces)) {
        this.#soft.read(contacts, n, surfaces);
        this.#soft.blocks.couple(matrix);
        continue;
      }
      if (contacts.kind[n] === 0) continue;
      matrix.couple(surfaces.frameOf[part[4 * n]], surfaces.frameOf[part[4 * n + 3]]);
    }
  }

  /** Whether friction is bounded from above in the next `assemble`, for smaller and surer steps. */
  setBounding(isBounding: boolean): void {
    this.friction.isBounding = this.rigidFriction.isBounding = isBounding;
  }

  /** Takes κ (Pa) for the step, and the most that it may grow to in it. */
  beginStiffness(stiffness: number, most: number): void {
    this.barrier.stiffness = this.fieldBarrier.stiffness = stiffness;
    this.#mostStiffness = most;
    this.#before = Infinity;
  }

  /** After an accepted iterate: κ doubles if surfaces almost touch and come even closer. Returns whether it did. */
  stiffen(): boolean {
    const { barrier } = this;
    const now = this.collisions.nearest;
    const next = updateStiffness(barrier.stiffness, this.#mostStiffness, this.#before ** 2, now ** 2, this.#scale);
    this.#before = now;
    if (next === barrier.stiffness) return false;
    barrier.stiffness = this.fieldBarrier.stiffness = next;
    return true;
  }

  /** Writes the step of free flight, where it is the better one to begin with: no contacts, or a body that turns far. */
  writeInertialPredictor(h: number): boolean {
    const { frames, inertia } = this;
    const { step, start, moving } = frames;
    const { velocity, position } = inertia;
    let isFar = false;
    for (let g = 0; g < moving; g++) {
      const m = 9 * g;
      const x = velocity[6 * g + 3];
      const y = velocity[6 * g + 4];
      const z = velocity[6 * g + 5];
      if (h * Math.sqrt(x * x + y * y + z * z) > FAR_TURN) isFar = true;
      for (let k = 0; k < 3; k++) {
        const r = m + 3 * k;
        step[6 * g + k] = position[3 * g + k] - start.position[3 * g + k];
        step[6 * g + 3 + k] = h * (start.rotation[r] * x + start.rotation[r + 1] * y + start.rotation[r + 2] * z);
      }
    }
    this.elastic.writeInertialPredictor();
    return isFar || (this.collisions.count === 0 && this.joints.isEmpty && this.added.isEmpty && this.ties.isEmpty);
  }

  /** Updates the candidates along the step, writes the paths, and returns their collision-free part. */
  limitStep(): number {
    this.frames.writePaths();
    const whole = Math.min(this.elastic.limit(1), this.added.limit(this.frames.step));
    return Math.min(whole, this.collisions.limitStep());
  }

  /** What the rounding of the points placed last makes of the energy of rigid contacts. */
  measureContactRounding(): number {
    return this.barrier.measureRounding(this.contacts, this.candidates.pairs, this.scale);
  }

  /** Begins friction at the points placed last, those at the start of the step of length h; ε in m. */
  beginFriction(smoothing: number, h: number): void {
    this.friction.begin(smoothing);
    this.rigidFriction.smoothing = smoothing;
    this.displacement.begin(this.inertia.velocity, h);
    if (this.#isLagged()) this.displacement.takeWhole(this.frames.current);
    else this.#lagFriction(1);
    this.#keepLag();
  }

  // whether friction is that of the points placed last: bodies that rest have the normal forces, tangents and arms of the step before
  #isLagged(): boolean {
    const { placement, builds, stiffness } = this.#lagged;
    const isSame = placement === this.surfaces.placement && builds === this.candidates.builds;
    return isSame && stiffness === this.barrier.stiffness && this.friction.count === 0 && this.fields.count === 0;
  }

  #keepLag(): void {
    this.#lagged.placement = this.surfaces.placement;
    this.#lagged.builds = this.candidates.builds;
    this.#lagged.stiffness = this.barrier.stiffness;
  }

  /** Updates the lagged friction from the contacts of the current poses, mixed with the previous one; false if there neither was nor is any. */
  lagFriction(share: number): boolean {
    this.#lagged.placement = -1;
    this.displacement.pivotAt(this.frames.current);
    this.added.lag();
    return this.#lagFriction(share) || this.added.hasLag;
  }

  /** Takes friction from the contacts of the current poses so that it can do no work whatever comes of it. */
  lagFrictionAtStart(): boolean {
    this.#lagged.placement = -1;
    this.displacement.pivotAtStart();
    return this.#lagFriction(1);
  }

  #lagFriction(share: number): boolean {
    const { contacts, candidates, barrier, fields, fieldBarrier, displacement, rigidFriction } = this;
    const { current } = this.frames;
    const before = this.friction.count + rigidFriction.count;
    displacement.takeWhole(current);
    rigidFriction.beginLag(share);
    this.friction.lag(contacts, candidates.pairs, barrier, current, displacement, rigidFriction, share);
    for (let n = 0; n < fields.count; n++) {
      const strength = fields.pairs[fields.pair[n]].friction * fieldBarrier.measureForce(fields, n);
      if (!(strength > 0)) continue;
      fields.writeWitnessPoints(this.#touch, n);
      rigidFriction.append(this.#touch, strength, current);
    }
    rigidFriction.endLag();
    return before + this.friction.count + rigidFriction.count > 0;
  }

  // diameter of the largest body, m: the same whatever has happened before
  #measureSize(): number {
    return 2 * this.surfaces.reach.subarray(0, this.frames.moving).reduce((a, b) => Math.max(a, b), 0);
  }

  // area of the surfaces of a frame, m²; of a soft vertex, the square of the edge of a cube of its volume
  #measureFrames(soft: SoftBodies | undefined): Float64Array {
    const { surfaces, frames } = this;
    const area = new Float64Array(frames.count);
    for (let p = 0; p < surfaces.frameOf.length; p++) area[surfaces.frameOf[p]] += surfaces.pointArea[p];
    for (const { first, mesh } of soft?.parts ?? []) {
      for (let v = 0; v < mesh.vertexCount; v++) area[frames.firstSoft + first + v] = mesh.area[v];
    }
    return area;
  }
}
