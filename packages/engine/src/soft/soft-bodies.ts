/**
 * The soft bodies of a simulation, each made ready to compute, and the phase that moves them without contact:
 *
 *   v* = (x* − xₙ)/h,   x* = argmin J(x) of step-objective.ts,   A = ∂²J/∂x² of the last iteration on the way to x*
 *
 * v* and A are what a velocity-level formulation starts from. Held vertices are at their targets at the end of the step: v* is
 * then the velocity that is prescribed, and A has no coupling to them. Vertices are numbered over all bodies of the model.
 */
import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { type BlockSparseMatrix, invertDiagonal } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import type { DrivenVertices } from '../scene/soft-body.ts';
import type { State } from '../state/state.ts';
import { beginStep, minimizeStep, SOFT_OUTCOME, SOFT_STEP_DEFAULTS, type SoftStepOptions } from './implicit-step.ts';
import { usesFactor } from './newton-direction.ts';
import { applyBoundary, createSoftBoundary, driveVertices, type SoftBoundary } from './soft-boundary.ts';
import { createSoftMesh, type SoftMesh } from './soft-mesh.ts';
import { createSoftWorkspace, type SoftWorkspace } from './soft-workspace.ts';
import { assembleStep } from './step-objective.ts';
import { createStressReadout, readStress, type StressReadout } from './stress-readout.ts';

/** One soft body. */
export interface SoftPart {
  /** Its first vertex among those of all bodies. */
  readonly first: number;
  readonly mesh: SoftMesh;
  readonly boundary: SoftBoundary;
  readonly work: SoftWorkspace;
  readonly driven: readonly DrivenVertices[];
  /** Views on the state. */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly force: Float64Array;
  readonly held: Float64Array;
  /** Rest shape where the body stands at the start, m. */
  readonly rest: Float64Array;
  /** Whether `work.hessian` is A of this step, and `work.inverseDiagonal` the inverses of its diagonal blocks. */
  isAssembled: boolean;
}

export class SoftBodies {
  readonly parts: readonly SoftPart[];
  /** Per vertex of all bodies: v*, m/s. */
  readonly freeVelocity: Float64Array;
  /** Per vertex: the number of its body. */
  readonly bodyOf: Int32Array;
  /** Attachments to bodies that no joint moves: those hold their vertices. */
  readonly heldAttachments: Int32Array;
  /** Worst outcome of the last phase, see SOFT_OUTCOME; most iterations; largest residual over its scale. */
  outcome = 0;
  iterations = 0;
  residual = 0;
  /** Length of the last step, s. */
  h = 0;
  readonly options: SoftStepOptions;
  readonly #readout: StressReadout[] = [];
  readonly #memory: Memory;

  constructor(model: Model, state: State, memory: Memory) {
    const { soft, size, scene, body } = model;
    this.#memory = memory;
    this.freeVelocity = memory.f64(3 * size.softVertex);
    this.bodyOf = memory.i32(size.softVertex);
    const { relativeTolerance, solver } = model.options.sap;
    this.options = { ...SOFT_STEP_DEFAULTS, relativeTolerance, solver: solver === 'pcg' ? 'pcg' : 'auto' };
    this.parts = (scene.softBodies ?? []).map((source, n) => {
      const first = soft.vertexStart[n];
      const end = soft.vertexStart[n + 1];
      this.bodyOf.fill(n, first, end);
      const firstTetrahedron = soft.tetrahedronStart[n];
      const shape = {
        vertices: soft.rest.slice(3 * first, 3 * end),
        tetrahedra: soft.tetrahedron
          .slice(4 * firstTetrahedron, 4 * soft.tetrahedronStart[n + 1])
          .map((vertex) => vertex - first),
      };
      const path = `softBodies[${n}]`;
      const mesh = createSoftMesh(shape, source.elasticity, memory, path);
      const boundary = createSoftBoundary(mesh.vertexCount, memory);
      applyBoundary(boundary, source, shape.vertices, path);
      return {
        first,
        mesh,
        boundary,
        work: createSoftWorkspace(mesh, memory),
        driven: source.driven ?? [],
        position: state.softPosition.subarray(3 * first, 3 * end),
        velocity: state.softVelocity.subarray(3 * first, 3 * end),
        force: state.softForce.subarray(3 * first, 3 * end),
        held: state.softHeld.subarray(first, end),
        rest: shape.vertices,
        isAssembled: false,
      };
    });
    const { attachment } = soft;
    this.heldAttachments = Int32Array.from(attachment.vertex.keys()).filter(
      (k) => body.lastDof[attachment.body[k]] < 0,
    );
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

  /** Whether a body is small enough for factors of its matrix. */
  usesFactor(n: number): boolean {
    return usesFactor(this.parts[n].work, this.options.solver);
  }

  /** A of a body that moves as one, kg: the mean over the axes of the sum of all blocks between vertices that are not held. */
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

  /** Inverses of the diagonal blocks of A of a body, nine numbers per vertex. */
  invertedDiagonal(n: number): Float64Array {
    this.requireMetric(n);
    return this.parts[n].work.inverseDiagonal;
  }

  /** Strain and stress of a body where it is now. */
  readStress(n: number): StressReadout {
    const { mesh, position } = this.parts[n];
    this.#readout[n] ??= createStressReadout(mesh, this.#memory);
    readStress(this.#readout[n], mesh, position);
    return this.#readout[n];
  }
}

/** The phase: v* of all soft bodies, also as their velocity at the end of the step, where nothing touches them. */
export function computeSoftMotion(soft: SoftBodies, model: Model, state: State, work: Workspace, h: number): void {
  soft.h = h;
  soft.outcome = SOFT_OUTCOME.converged;
  soft.iterations = 0;
  soft.residual = 0;
  for (let n = 0; n < soft.parts.length; n++) {
    const part = soft.parts[n];
    updateHolds(soft, model, n, state, work, h);
    load.gravity = work.plan.gravity;
    load.force = part.force;
    beginStep(part.mesh, part, part.boundary, load, part.work, h);
    part.isAssembled = false;
    const outcome = minimizeStep(part.mesh, part.boundary, part.work, h, soft.options);
    soft.outcome = Math.max(soft.outcome, outcome);
    soft.iterations = Math.max(soft.iterations, part.work.iterations);
    soft.residual = Math.max(soft.residual, part.work.residual);
    const { x, start } = part.work;
    for (let i = 0; i < x.length; i++) soft.freeVelocity[3 * part.first + i] = (x[i] - start[i]) / h;
  }
  work.softVelocity.set(soft.freeVelocity);
}

const load: { gravity: Float64Array; force: Float64Array } = {
  gravity: /* @__PURE__ */ new Float64Array(3),
  force: /* @__PURE__ */ new Float64Array(0),
};
const point = /* @__PURE__ */ new Float64Array(3);

/** Which vertices are held now, and where everything that is held or pulled is to be at the end of the step. */
export function updateHolds(soft: SoftBodies, model: Model, n: number, state: State, work: Workspace, h: number): void {
  const { first, mesh, boundary, driven, position, held, rest } = soft.parts[n];
  const { isPrescribed, target } = boundary;
  for (let v = 0; v < mesh.vertexCount; v++) {
    isPrescribed[v] = held[v] === 0 ? 0 : 1;
    // a held vertex stays; springs pull to where the body was at the start
    const from = held[v] === 0 ? rest : position;
    for (let i = 3 * v; i < 3 * v + 3; i++) target[i] = from[i];
  }
  driveVertices(boundary, driven, rest, state.time[0] + h);
  const { attachment } = model.soft;
  const { heldAttachments } = soft;
  for (let m = 0; m < heldAttachments.length; m++) {
    const k = heldAttachments[m];
    const v = attachment.vertex[k] - first;
    if (v < 0 || v >= mesh.vertexCount || held[v] === 0) continue;
    transformPoint(point, 0, work, attachment.body[k], attachment.point, 3 * k);
    for (let c = 0; c < 3; c++) target[3 * v + c] = point[c];
  }
}
