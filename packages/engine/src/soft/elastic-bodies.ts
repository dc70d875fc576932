/**
 * The soft bodies of a simulation, prepared for computation, and the phase that moves them without contact:
 *
 *   v* = (x* − xₙ)/h,   x* = argmin J(x) of step-objective.ts,   A = ∂²J/∂x² of the last iteration
 *
 * v* and A are what a velocity-level formulation starts from. Held vertices are at their targets at the end of the step: v* is
 * then the velocity that is prescribed, and A has no coupling to them. Vertices are numbered over all bodies of the model.
 */
import type { Energy, Momentum } from '../dynamics/energy.ts';
import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { type BlockSparseMatrix, invertDiagonal } from '../linear-algebra/block-sparse-matrix.ts';
import { GROWING_MEMORY, type Memory } from '../linear-algebra/memory.ts';
import { OUTCOME } from '../minimize/solve-trace.ts';
import { countElementPoints } from '../model/element-points.ts';
import type { Model } from '../model/model.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import type { State } from '../state/state.ts';
import type { TermWeights } from '../term/term-weights.ts';
import { createBodyMesh } from './body-mesh.ts';
import { addElasticGradient } from './elastic-energy.ts';
import { followSoftStep, polishSoftStep } from './held-soft-step.ts';
import { beginStep, minimizeStep, SOFT_STEP_DEFAULTS, type SoftStepOptions } from './implicit-step.ts';
import { holdTouched, measureLeftOut, releaseTouched, takeLinearMotion } from './loaded-motion.ts';
import { usesContactFactor } from './newton-direction.ts';
import { createYield, type FlowingElements, PLASTIC_NUMBERS, PlasticFlow } from './plastic-flow.ts';
import { LEFT_OUT, type SoftBodies, type SoftPart } from './soft-bodies.ts';
import { applyBoundary, createSoftBoundary, driveVertices, followPath } from './soft-boundary.ts';
import { addSoftCenter, addSoftEnergy, addSoftMomentum } from './soft-energy.ts';
import { takeConstants } from './soft-mesh.ts';
import { addReactions } from './soft-reactions.ts';
import { createSoftWorkspace, prepareCholesky } from './soft-workspace.ts';
import { assembleStep } from './step-objective.ts';
import { createStressReadout, readStress, type StressReadout } from './stress-readout.ts';

export class ElasticBodies implements SoftBodies {
  readonly parts: readonly SoftPart[];
  readonly freeVelocity: Float64Array;
  /** Per vertex: the number of its body. */
  readonly bodyOf: Int32Array;
  /** Attachments to bodies that no joint moves: those hold their vertices. */
  readonly heldAttachments: Int32Array;
  outcome = 0;
  iterations = 0;
  residual = 0;
  leftOut = 0;
  /** Length of the last step, s. */
  h = 0;
  readonly options: SoftStepOptions;
  /** For derivatives: see `tighten` and `hold`; whether the last phase was polished. */
  #isTight = false;
  #isPolished = false;
  /** Whether the last step has taken a body about another place than where it begins to solve. */
  #isRepeated = false;
  #held: Float64Array | undefined;
  readonly #readout: StressReadout[] = [];
  readonly #memory: Memory;
  /** As the scene has them, per body. */
  readonly #moduli: number[];
  readonly #springs: readonly Float64Array[];
  /** What the parts were made of. */
  readonly #elasticity: Readonly<Elasticity>[];

  constructor(model: Model, state: State, memory: Memory) {
    const { soft, size, body } = model;
    this.#memory = memory;
    this.freeVelocity = memory.f64(3 * size.softVertex);
    this.bodyOf = memory.i32(size.softVertex);
    this.options = { ...SOFT_STEP_DEFAULTS, ...model.options.elasticStep };
    let flowing = 0;
    this.parts = soft.elasticity.map((elasticity, n) => {
      const first = soft.vertexStart[n];
      const end = soft.vertexStart[n + 1];
      this.bodyOf.fill(n, first, end);
      const path = `softBodies[${n}]`;
      const directors = state.softDirector.subarray(3 * soft.edgeStart[n], 3 * soft.edgeStart[n + 1]);
      const mesh = createBodyMesh(model, n, directors, memory, path);
      const boundary = createSoftBoundary(mesh.vertexCount, memory);
      const rest = soft.rest.slice(3 * first, 3 * end);
      applyBoundary(boundary, soft.holds[n], rest, path);
      let plastic: PlasticFlow | undefined;
      if (elasticity.plasticity) {
        const numbers = PLASTIC_NUMBERS * countElementPoints(soft, n);
        const view = state.softPlastic.subarray(flowing, flowing + numbers);
        flowing += numbers;
        plastic = new PlasticFlow(mesh.families[0] as unknown as FlowingElements, createYield(elasticity), view);
      }
      return {
        first,
        mesh,
        boundary,
        work: createSoftWorkspace(mesh, memory),
        driven: soft.holds[n].driven,
        position: state.softPosition.subarray(3 * first, 3 * end),
        velocity: state.softVelocity.subarray(3 * first, 3 * end),
        force: state.softForce.subarray(3 * first, 3 * end),
        held: state.softHeld.subarray(first, end),
        rest,
        plastic,
        isAssembled: false,
        isLinear: false,
      };
    });
    this.#elasticity = [...soft.elasticity];
    this.#moduli = this.parts.map(({ mesh }) => mesh.compressionModulus);
    this.#springs = this.parts.map(({ boundary }) => boundary.springStiffness.slice());
    const { attachment } = soft;
    this.heldAttachments = Int32Array.from(attachment.vertex.keys()).filter(
      (k) => body.lastDof[attachment.body[k]] < 0,
    );
  }

  computeMotion(model: Model, state: State, work: Workspace, h: number): void {
    this.h = h;
    this.outcome = OUTCOME.converged;
    this.iterations = 0;
    this.residual = 0;
    this.#isPolished = this.#isTight;
    this.#isRepeated = false;
    for (let n = 0; n < this.parts.length; n++) {
      const part = this.parts[n];
      this.updateHolds(n, model, state, work, h);
      load.gravity = work.plan.gravity;
      load.force = part.force;
      beginStep(part.mesh, part, part.boundary, load, part.work, h);
      part.isAssembled = part.isLinear = false;
      this.#note(part, this.#findPositions(part, h));
      const { x, start } = part.work;
      for (let i = 0; i < x.length; i++) this.freeVelocity[3 * part.first + i] = (x[i] - start[i]) / h;
    }
    work.softVelocity.set(this.freeVelocity);
  }

  linearizeUnderLoad(work: Workspace, isTouched: Uint8Array, h: number): void {
    for (const part of this.parts) {
      if (!holdTouched(part, isTouched)) continue;
      const outcome = this.#findPositions(part, h);
      releaseTouched(part);
      this.#note(part, outcome);
      part.isAssembled = false;
      takeLinearMotion(this.freeVelocity, part, h, this.options);
      part.isLinear = true;
    }
    work.softVelocity.set(this.freeVelocity);
  }

  relinearize(work: Workspace, h: number, isLast: boolean): boolean {
    let isAgain = false;
    this.leftOut = 0;
    for (let n = 0; n < this.parts.length; n++) {
      const part = this.parts[n];
      // one matrix for any motion
      if (part.mesh.isQuadratic || !part.isAssembled) continue;
      const share = measureLeftOut(work.softVelocity, this.freeVelocity, part, h, this.options);
      this.leftOut = Math.max(this.leftOut, share);
      if (!(share > LEFT_OUT) || isLast) continue;
      part.work.x.set(part.work.trial);
      part.isAssembled = false;
      takeLinearMotion(this.freeVelocity, part, h, this.options);
      part.isLinear = this.#isRepeated = isAgain = true;
    }
    if (isAgain) work.softVelocity.set(this.freeVelocity);
    return isAgain;
  }

  #note({ work }: SoftPart, outcome: number): void {
    this.outcome = Math.max(this.outcome, outcome);
    this.iterations = Math.max(this.iterations, work.iterations);
    this.residual = Math.max(this.residual, work.residual);
  }

  #findPositions(part: SoftPart, h: number): number {
    const { options } = this;
    if (this.#held && followSoftStep(part, h, options, this.#held)) return OUTCOME.converged;
    const outcome = minimizeStep(part.mesh, part.boundary, part.work, h, options);
    if (!this.#isTight) return outcome;
    const { x } = part.work;
    const before = x.slice();
    if (polishSoftStep(part, h, options)) return OUTCOME.converged;
    x.set(before);
    this.#isPolished = false;
    return outcome;
  }

  tighten(isTight: boolean): void {
    this.#isTight = isTight;
  }

  readHeld(): Float64Array | undefined {
    if (!this.#isPolished || this.#isRepeated || !this.parts.every((_, n) => this.usesFactor(n))) return undefined;
    const out = new Float64Array(this.freeVelocity.length);
    for (const { first, work } of this.parts) out.set(work.x, 3 * first);
    return out;
  }

  hold(positions: Float64Array | undefined): void {
    this.#held = positions;
  }

  updateHolds(n: number, model: Model, state: State, work: Workspace, h: number): void {
    const { first, mesh, boundary, driven, position, held, rest, plastic } = this.parts[n];
    const { isPrescribed, target } = boundary;
    plastic?.load();
    for (let v = 0; v < mesh.vertexCount; v++) {
      isPrescribed[v] = held[v] === 0 ? 0 : 1;
      // a held vertex stays; springs pull to where the body was at the start
      const from = held[v] === 0 ? rest : position;
      for (let i = 3 * v; i < 3 * v + 3; i++) target[i] = from[i];
    }
    driveVertices(boundary, driven, rest, state.time[0] + h);
    if (mesh.pointCount < mesh.vertexCount) this.#driveAngles(n, model, state.time[0] + h);
    const { attachment } = model.soft;
    const { heldAttachments } = this;
    for (let m = 0; m < heldAttachments.length; m++) {
      const k = heldAttachments[m];
      const v = attachment.vertex[k] - first;
      if (v < 0 || v >= mesh.vertexCount || held[v] === 0) continue;
      transformPoint(point, 0, work, attachment.body[k], attachment.point, 3 * k);
      for (let c = 0; c < 3; c++) target[3 * v + c] = point[c];
    }
  }

  // edges between two driven points turn as their path says; s = r θ
  #driveAngles(n: number, { soft }: Model, time: number): void {
    const { first, mesh, boundary, driven } = this.parts[n];
    const radius = 0.5 * soft.thickness[n];
    for (const path of driven) {
      if (path.twist === undefined) continue;
      const angle = followPath(path.times, path.twist, time);
      for (let e = soft.edgeStart[n]; e < soft.edgeStart[n + 1]; e++) {
        const isOwn =
          path.vertices.includes(soft.edge[2 * e] - first) && path.vertices.includes(soft.edge[2 * e + 1] - first);
        if (isOwn) boundary.target[3 * (mesh.pointCount + e - soft.edgeStart[n])] = radius * angle;
      }
    }
  }

  followStep(): void {
    for (const { mesh, position } of this.parts) for (const family of mesh.families) family.follow?.(position);
  }

  /** A of a body, where the step to v* has left none assembled when first asked for. */
  requireMetric(n: number): BlockSparseMatrix {
    const part = this.parts[n];
    const { mesh, boundary, work } = part;
    if (!part.isAssembled) {
      if (!work.hasMetric) assembleStep(mesh, boundary, work, this.h, work.x);
      invertDiagonal(work.inverseDiagonal, work.hessian);
      work.kept.isInverted = true;
      part.isAssembled = true;
    }
    return work.hessian;
  }

  solveMetric(n: number, x: Float64Array, at: number): void {
    this.requireMetric(n);
    const { work } = this.parts[n];
    const { direction, hessian, kept } = work;
    const cholesky = prepareCholesky(work);
    if (!kept.isFactored) {
      cholesky.values.set(hessian.values);
      kept.isFactored = cholesky.factor() < 0;
    }
    // numbers that are not finite have no factor: the step says so
    if (!kept.isFactored) direction.fill(Number.NaN);
    else {
      for (let i = 0; i < direction.length; i++) direction[i] = x[at + i];
      cholesky.solve(direction);
    }
    for (let i = 0; i < direction.length; i++) x[at + i] = direction[i];
  }

  usesFactor(n: number): boolean {
    return usesContactFactor(this.parts[n].work, this.options.solver);
  }

  /** The mean over the axes of the sum of all blocks between vertices that are not held. */
  measureWhole(n: number): number {
    const { count, pairCount, low, high, values } = this.requireMetric(n);
    const { isPrescribed } = this.parts[n].boundary;
    let sum = 0;
    for (let v = 0, p = 0; v < count; v++, p += 9) {
      if (isPrescribed[v] === 0) sum += values[p] + values[p + 4] + values[p + 8];
    }
    for (let k = 0, p = 9 * count; k < pairCount; k++, p += 9) {
      if (isPrescribed[low[k]] === 0 && isPrescribed[high[k]] === 0)
        sum += 2 * (values[p] + values[p + 4] + values[p + 8]);
    }
    return sum / 3;
  }

  invertedDiagonal(n: number): Float64Array {
    this.requireMetric(n);
    return this.parts[n].work.inverseDiagonal;
  }

  readParameters(model: Model, weights: TermWeights): void {
    const { elasticity, edgeStart } = model.soft;
    this.parts.forEach(({ mesh, plastic, work }, n) => {
      if (elasticity[n] === this.#elasticity[n]) return;
      this.#elasticity[n] = elasticity[n];
      const directors = new Float64Array(3 * (edgeStart[n + 1] - edgeStart[n]));
      const other = createBodyMesh(model, n, directors, GROWING_MEMORY, `softBodies[${n}]`);
      takeConstants(mesh, other);
      plastic?.takeYield(createYield(elasticity[n]));
      this.#moduli[n] = other.compressionModulus;
      work.hasViscous = false;
    });
    this.setWeights(weights);
  }

  setWeights({ springs, elastic }: TermWeights): void {
    this.parts.forEach(({ mesh, boundary, work }, n) => {
      for (const family of mesh.families) family.setWeight(elastic);
      mesh.compressionModulus = elastic * this.#moduli[n];
      for (let v = 0; v < mesh.vertexCount; v++) boundary.springStiffness[v] = springs * this.#springs[n][v];
      // matrices that the linear law keeps from step to step belong to other constants
      work.kept.h = 0;
      work.hasStartStiffness = false;
    });
  }

  addReactions(out: Float64Array, before: Float64Array, after: Float64Array, gravity: Float64Array, h: number): void {
    for (const part of this.parts) addReactions(out, part, before, after, gravity, h);
  }

  measureElasticForce(): number {
    let square = 0;
    for (let n = 0; n < this.parts.length; n++) {
      const force = this.readElasticGradient(n);
      for (let i = 0; i < force.length; i++) square += force[i] * force[i];
    }
    return Math.sqrt(square);
  }

  readElasticGradient(n: number): Float64Array {
    const { mesh, position } = this.parts[n];
    for (const family of mesh.families) family.takeStart?.(position);
    const force = new Float64Array(position.length);
    addElasticGradient(force, mesh, position);
    return force;
  }

  addEnergy(energy: Energy, work: Workspace): Energy {
    for (const { plastic } of this.parts) plastic?.load();
    return addSoftEnergy(energy, this.parts, work);
  }

  addMomentum(momentum: Momentum): Momentum {
    return addSoftMomentum(momentum, this.parts);
  }

  addCenter(rigid: [number, number, number], model: Model): [number, number, number] {
    return addSoftCenter(rigid, model, this.parts);
  }

  endStep(): void {
    for (const { plastic, position } of this.parts) plastic?.flow(position);
  }

  readStress(n: number): StressReadout {
    const { mesh, position, plastic } = this.parts[n];
    plastic?.load();
    this.#readout[n] ??= createStressReadout(mesh, this.#memory);
    readStress(this.#readout[n], mesh, position);
    return this.#readout[n];
  }
}

const load: { gravity: Float64Array; force: Float64Array } = {
  gravity: /* @__PURE__ */ new Float64Array(3),
  force: /* @__PURE__ */ new Float64Array(0),
};
const point = /* @__PURE__ */ new Float64Array(3);
